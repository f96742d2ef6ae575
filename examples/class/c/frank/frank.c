/* Plays the bin that is nearest to its kalaha. */

#include "mancala.h"

int Move_frank(MANCALA board, int player)
{
    for (int bin = 1; bin <= 6; bin++)
        if (board.board[player][bin] > 0)
            return bin;
    return 0;
}
