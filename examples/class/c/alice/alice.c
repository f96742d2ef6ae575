/* Takes the move that puts the most seeds into its kalaha at once. */

#include "mancala.h"

static int stored(MANCALA board, int player, int bin)
{
    int row = player, cell = bin;
    int seeds = board.board[player][bin];
    int before = board.board[player][0];
    board.board[player][bin] = 0;
    while (seeds-- > 0) {
        if (cell == 0) {
            row = !row;
            cell = 6;
        } else {
            cell--;
            if (cell == 0 && row != player) {
                row = player;
                cell = 6;
            }
        }
        board.board[row][cell]++;
    }
    if (row == player && cell > 0 && board.board[row][cell] == 1)
        board.board[player][0] += 1 + board.board[!player][7 - cell];
    return board.board[player][0] - before;
}

int Move_alice(MANCALA board, int player)
{
    int best = 0;
    for (int bin = 1; bin <= 6; bin++)
        if (board.board[player][bin] > 0
            && (best == 0 || stored(board, player, bin) > stored(board, player, best)))
            best = bin;
    return best;
}
