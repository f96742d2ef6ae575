/* Greedy: chooses the house that leaves the most seeds in its own store.
 *
 * Compile it, then try it:
 *
 *     gcc -O2 -Wall -Wextra -std=c11 -o greedy examples/c/greedy.c
 *     mancala match ./greedy builtin:easy
 *
 * The referee sends one JSON object a line. Only "turn" wants an answer: one line
 * with the house to play. For a bot of your own, begin with `choose`.
 */

#define _POSIX_C_SOURCE 200809L /* for getline */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The board is an array of 14 cells, always seen from our side: our houses are
 * 0 to 5 and our store is 6, the opponent's houses are 7 to 12 and its store is 13.
 * House c faces house 12 - c. */
enum { HOUSES = 6, OWN_STORE = 6, OPPONENT_STORE = 13, CELLS = 14 };

/* What the `start` message says about the rules. */
struct rules {
    bool backward; /* where the direction is free ("either"), we go forward */
    bool skip_opponent_store;
    bool empty_capture;
};

/* Plays a house: changes the board into the board after the move. */
static void play(int board[CELLS], int house, const struct rules *rules)
{
    int seeds = board[house];
    board[house] = 0;

    /* Sow one seed a cell. */
    int step = rules->backward ? -1 : 1;
    int cell = house;
    while (seeds > 0) {
        cell = (cell + step + CELLS) % CELLS;
        if (cell == OPPONENT_STORE && rules->skip_opponent_store)
            continue;
        board[cell]++;
        seeds--;
    }

    /* The last seed in an own house that was empty captures the facing house. */
    if (cell < OWN_STORE && board[cell] == 1) {
        int facing = 12 - cell;
        if (board[facing] > 0 || rules->empty_capture) {
            board[OWN_STORE] += board[cell] + board[facing];
            board[cell] = board[facing] = 0;
        }
    }
}

/* Returns the best legal house, the first one when several are as good. */
static int choose(const int board[CELLS], const int legal[], int count, const struct rules *rules)
{
    int best = legal[0];
    int most = -1;
    for (int i = 0; i < count; i++) {
        int after[CELLS];
        memcpy(after, board, sizeof after);
        play(after, legal[i], rules);
        if (after[OWN_STORE] > most) {
            best = legal[i];
            most = after[OWN_STORE];
        }
    }
    return best;
}

/* C has no JSON parser, so we take the blanks out of a line and then look for the text of a field,
 * such as "board":[ . This relies on the names that we look for standing only once in a message,
 * not again inside another field. (Text inside a string cannot be mistaken for a field, because
 * quotes inside a string are written \" .) */
static void remove_blanks(char *line)
{
    char *to = line;
    for (const char *from = line; *from != '\0'; from++)
        if (*from != ' ' && *from != '\t')
            *to++ = *from;
    *to = '\0';
}

static bool has(const char *line, const char *text)
{
    return strstr(line, text) != NULL;
}

/* Reads the numbers after `start` (up to `limit` of them) and returns how many there were. */
static int read_numbers(const char *line, const char *start, int numbers[], int limit)
{
    int count = 0;
    const char *next = strstr(line, start);
    if (next == NULL)
        return 0;
    next += strlen(start);
    while (count < limit) {
        char *end;
        long number = strtol(next, &end, 10);
        if (end == next)
            break; /* no number here: the array was empty */
        numbers[count++] = (int)number;
        if (*end != ',')
            break;
        next = end + 1;
    }
    return count;
}

int main(void)
{
    /* These rules (learneroo) hold until a `start` message arrives. */
    struct rules rules = {.backward = false, .skip_opponent_store = false, .empty_capture = true};
    char *line = NULL; /* getline makes it as long as it needs to be */
    size_t size = 0;

    while (getline(&line, &size, stdin) != -1) {
        remove_blanks(line);
        if (has(line, "\"type\":\"start\"")) {
            int version = 1;
            read_numbers(line, "\"protocol\":", &version, 1);
            if (version != 1) {
                fprintf(stderr, "greedy knows no version %d of the protocol\n", version);
                return EXIT_FAILURE;
            }
            rules.backward = has(line, "\"direction\":\"backward\"");
            rules.skip_opponent_store = has(line, "\"opponent_store\":\"skip\"");
            rules.empty_capture = has(line, "\"empty_capture\":true");
        } else if (has(line, "\"type\":\"turn\"")) {
            int board[CELLS];
            int legal[HOUSES];
            int count = read_numbers(line, "\"legal\":[", legal, HOUSES);
            if (count > 0 && read_numbers(line, "\"board\":[", board, CELLS) == CELLS) {
                printf("%d\n", choose(board, legal, count, &rules));
                fflush(stdout); /* an answer left waiting in a buffer would lose on time */
            }
        }
    }

    free(line);
    return 0;
}
