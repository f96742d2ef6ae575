/* Does not compile. */

#include "mancala.h"

int Move_erin(MANCALA board, int player)
{
    return board.bins[player][1] > 0 ? 1 : 2
}
