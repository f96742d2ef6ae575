/* The board as the assignment passes it to a student's function:
 *
 *     int Move_abcd(MANCALA board, int player);
 *
 * board.board[p] is the row of player p, 0 or 1. Index 0 is the player's kalaha, 1 to 6 are its
 * bins, and bin 1 is the nearest to the kalaha: sowing from bin 3 reaches 2, 1 and then 0.
 * Bin b faces the other player's bin 7 - b. The function returns the bin to play, 1 to 6.
 */

#ifndef MANCALA_H
#define MANCALA_H

typedef struct MANCALA {
    char board[2][7];
} MANCALA;

#endif
