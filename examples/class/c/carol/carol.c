/* Crashes as soon as its kalaha has more than five seeds. */

#include <stddef.h>

#include "mancala.h"

int Move_carol(MANCALA board, int player)
{
    volatile int *table = NULL;
    if (board.board[player][0] > 5)
        return table[board.board[player][0]];
    for (int bin = 1; bin <= 6; bin++)
        if (board.board[player][bin] > 0)
            return bin;
    return 0;
}
