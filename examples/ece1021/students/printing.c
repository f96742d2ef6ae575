/* A sample with a mistake: it still prints what helped to find the errors. The assignment forbids
 * to print. */

#include <stdio.h>

#include "mancala.h"

int Move_printing(MANCALA board, int player)
{
    int best = 0;
    for (int bin = 1; bin <= 6; bin++)
        if (best == 0 || board.board[player][bin] > board.board[player][best])
            best = bin;
    printf("player %d takes bin %d\n", player, best);
    return best;
}
