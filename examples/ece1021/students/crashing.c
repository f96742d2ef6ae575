/* A sample with a mistake: from its fourth move on it reads its notes on endgames from a file, and
 * does not look whether there is such a file. */

#include <stdio.h>

#include "mancala.h"

int Move_crashing(MANCALA board, int player)
{
    static int moves = 0;
    int bin = 1;

    moves++;
    if (moves > 3) {
        char line[80];
        FILE *notes = fopen("endgames-of-crashing.txt", "r");
        if (fgets(line, sizeof line, notes) != NULL)
            bin = line[0] - '0';
        fclose(notes);
    }

    while (bin < 6 && board.board[player][bin] == 0)
        bin++;
    return bin;
}
