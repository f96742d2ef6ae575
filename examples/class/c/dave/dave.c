/* Still prints what helped to find the errors. */

#include <stdio.h>

#include "mancala.h"

int Move_dave(MANCALA board, int player)
{
    for (int bin = 6; bin >= 1; bin--)
        if (board.board[player][bin] > 0) {
            printf("dave takes bin %d\n", bin);
            return bin;
        }
    return 0;
}
