/* A sample answer to the assignment: looks a few moves ahead and takes the move that leaves it the
 * most seeds ahead, if both players go on like that. */

#include "mancala.h"

#define DEPTH 8
#define WON 1000

/* Seeds left in a player's bins. */
static int seeds_in_row(const MANCALA *board, int player)
{
    int sum = 0;
    for (int bin = 1; bin <= 6; bin++)
        sum += board->board[player][bin];
    return sum;
}

/* Sows a bin of `player` and returns who moves next. */
static int sow(MANCALA *board, int player, int bin)
{
    int other = 1 - player;
    int row = player;
    int place = bin;
    int hand = board->board[player][bin];
    board->board[player][bin] = 0;

    while (hand > 0) {
        /* One place further: down to the kalaha, then to the far end of the other row. */
        place--;
        if (place < 0 || (place == 0 && row == other)) {
            row = 1 - row;
            place = 6;
        }
        board->board[row][place]++;
        hand--;
    }

    if (place == 0)
        return player; /* last seed in the own kalaha: another turn */
    if (row == player && board->board[player][place] == 1) {
        board->board[player][0] += 1 + board->board[other][7 - place];
        board->board[player][place] = 0;
        board->board[other][7 - place] = 0;
    }
    return other;
}

/* How far `me` gets ahead. Nothing outside `low` to `high` can matter any more. */
static int value(const MANCALA *board, int player, int me, int depth, int low, int high)
{
    int mine = seeds_in_row(board, me);
    int others = seeds_in_row(board, 1 - me);
    int lead = board->board[me][0] - board->board[1 - me][0];
    if (mine == 0 || others == 0)
        return lead + mine - others;
    if (depth == 0)
        return lead;

    int best = player == me ? -WON : WON;
    for (int bin = 1; bin <= 6 && low < high; bin++) {
        if (board->board[player][bin] == 0)
            continue;
        MANCALA after = *board;
        int next = sow(&after, player, bin);
        int found = value(&after, next, me, depth - 1, low, high);
        if (player == me) {
            if (found > best)
                best = found;
            if (best > low)
                low = best;
        } else {
            if (found < best)
                best = found;
            if (best < high)
                high = best;
        }
    }
    return best;
}

int Move_good(MANCALA board, int player)
{
    int choice = 0;
    int best = -WON;
    for (int bin = 1; bin <= 6; bin++) {
        if (board.board[player][bin] == 0)
            continue;
        MANCALA after = board;
        int next = sow(&after, player, bin);
        int found = value(&after, next, player, DEPTH - 1, best, WON);
        if (choice == 0 || found > best) {
            best = found;
            choice = bin;
        }
    }
    return choice;
}
