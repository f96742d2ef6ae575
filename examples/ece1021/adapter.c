/* Makes a bot of a student's function `int Move_abcd(MANCALA board, int player)`.
 *
 * build.sh compiles this file with MOVE_FUNCTION set to the function's name and links it with the
 * student's file. The referee sends one JSON object a line; to every "turn" the function is called
 * and its bin is answered as a cell.
 *
 * The function must not print, and stdout belongs to the protocol. So the protocol gets descriptors
 * of its own, and what the function sees as stdout is a pipe that is looked into after every call.
 */

#define _XOPEN_SOURCE 700 /* for getline and sigaltstack */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef CHECK_LEAKS
#include <sanitizer/lsan_interface.h>
#endif

#include "mancala.h"

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(name) #name

int MOVE_FUNCTION(MANCALA board, int player);
static const char function_name[] = TEXT_OF(MOVE_FUNCTION);

enum {
    BINS = 6,
    CELLS = 14,
    OWN_STORE = 6,
    OPPONENT_STORE = 13,
    QUOTED = 100,            /* bytes of a print that are quoted to the referee */
    ESCAPED = 6,             /* characters that one byte takes at most: \u0000 */
    PRIVATE_DESCRIPTOR = 50  /* the protocol's descriptors are at least this, out of the way */
};

static FILE *protocol_in;
static int protocol_out;
static int prints; /* the reading end of the pipe that is the function's stdout */
static bool in_function;
static pid_t own_process; /* not one that the function has forked */

static void report_exit(void);

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", function_name, what, strerror(errno));
    exit(EXIT_FAILURE);
}

/* Moves a descriptor out of the function's reach, closed in programs that the function starts. */
static int make_private(int descriptor)
{
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, PRIVATE_DESCRIPTOR);
    if (moved < 0)
        fail("cannot duplicate a descriptor");
    return moved;
}

/* Takes stdin and stdout away from the function. The pipe does not block: a print that is larger
 * than the pipe is cut off, it neither waits for a reader nor fills a disk. */
static void take_over_streams(void)
{
    int input = make_private(STDIN_FILENO);
    protocol_out = make_private(STDOUT_FILENO);
    protocol_in = fdopen(input, "r");
    if (protocol_in == NULL)
        fail("cannot read stdin");

    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
        fail("/dev/null");
    close(nothing);

    int ends[2];
    if (pipe(ends) < 0)
        fail("cannot make a pipe");
    prints = make_private(ends[0]);
    if (dup2(ends[1], STDOUT_FILENO) < 0 ||
        fcntl(STDOUT_FILENO, F_SETFL, O_WRONLY | O_NONBLOCK) < 0 ||
        fcntl(prints, F_SETFL, O_NONBLOCK) < 0)
        fail("cannot set up the function's stdout");
    close(ends[0]);
    close(ends[1]);

    own_process = getpid();
    atexit(report_exit);
}

/* Sends one line to the referee. */
static void answer(const char *line)
{
    size_t left = strlen(line);
    while (left > 0) {
        ssize_t written = write(protocol_out, line, left);
        if (written < 0 && errno != EINTR)
            fail("cannot answer");
        if (written > 0) {
            line += written;
            left -= (size_t)written;
        }
    }
}

/* The length of the UTF-8 character at `text`, 0 if there is none. */
static size_t character_length(const unsigned char *text, size_t size)
{
    size_t length = text[0] < 0x80 ? 1 : text[0] < 0xC2 ? 0 : text[0] < 0xE0 ? 2
                  : text[0] < 0xF0 ? 3 : text[0] < 0xF5 ? 4 : 0;
    if (length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F))
        return 0;
    return length;
}

/* Writes `text`, which may hold any bytes, as a part of a JSON string: `to` needs room for ESCAPED
 * times its size and the '\0' behind it. */
static void escape(char *to, const unsigned char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t length = character_length(text + i, size - i);
        if (length == 0) {
            to += snprintf(to, ESCAPED + 1, "\\ufffd");
            i++;
        } else if (length == 1 && (text[i] < 0x20 || text[i] == 0x7F)) {
            to += text[i] == '\n' ? snprintf(to, ESCAPED + 1, "\\n")
                                  : snprintf(to, ESCAPED + 1, "\\u%04x", (unsigned)text[i]);
            i++;
        } else {
            if (text[i] == '"' || text[i] == '\\')
                *to++ = '\\';
            memcpy(to, text + i, length);
            to += length;
            i += length;
        }
    }
    *to = '\0';
}

/* Takes what was printed since the last look. Returns how many bytes that were; the first QUOTED
 * of them are copied to `start`. */
static size_t take_prints(unsigned char start[QUOTED])
{
    size_t total = 0;
    bool again;
    do {
        /* What does not fit into the pipe stays in the buffer of stdout until the pipe is empty. */
        again = fflush(stdout) == EOF && errno == EAGAIN;
        unsigned char chunk[4096];
        ssize_t size;
        while ((size = read(prints, chunk, sizeof chunk)) > 0 || (size < 0 && errno == EINTR)) {
            for (ssize_t i = 0; i < size; i++, total++)
                if (total < QUOTED)
                    start[total] = chunk[i];
        }
    } while (again);
    clearerr(stdout);
    return total;
}

/* Answers with `move`, which is not legal, and with what the function did: the referee and
 * `mancala check` show its author these words. `problem` is a part of a JSON string. */
static void forfeit(const char *move, const char *code, const char *problem)
{
    char line[ESCAPED * QUOTED + 400];
    snprintf(line, sizeof line,
             "{\"move\":%s,\"info\":{\"adapter\":{\"code\":\"%s\",\"words\":\"%.60s %s\"}}}\n", move,
             code, function_name, problem);
    answer(line);
}

/* Forfeits where the function, and not main(), ends the program. */
static void report_exit(void)
{
    if (in_function && getpid() == own_process)
        forfeit("null", "exits", "ended the program with exit(); return a bin instead");
}

#ifndef CHECK_LEAKS /* sanitizers report crashes themselves */
/* The call that the function is in, for its author: written to stderr where it crashes. */
static char call[300];

static void on_crash(int signal_number)
{
    if (in_function && write(STDERR_FILENO, call, strlen(call)) < 0) {
        /* Nobody reads stderr. */
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void watch_crashes(void)
{
    static char stack[1 << 16]; /* the function's own may be used up */
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
}
#endif

/* Asks the function for a bin and answers with the cell. */
static void play(const int cells[CELLS], int player)
{
#ifndef CHECK_LEAKS
    snprintf(call, sizeof call,
             "%.60s was called with %d, %d, %d, %d, %d, %d in its bins 1 to 6 and %d in its kalaha; "
             "its opponent had %d, %d, %d, %d, %d, %d and %d\n",
             function_name, cells[5], cells[4], cells[3], cells[2], cells[1], cells[0], cells[6],
             cells[12], cells[11], cells[10], cells[9], cells[8], cells[7], cells[13]);
#endif
    MANCALA board;
    for (int bin = 0; bin <= BINS; bin++) { /* 0 is the kalaha */
        board.board[player][bin] = (char)cells[OWN_STORE - bin];
        board.board[1 - player][bin] = (char)cells[OPPONENT_STORE - bin];
    }

    in_function = true;
    int bin = MOVE_FUNCTION(board, player);
    in_function = false;

    unsigned char print[QUOTED];
    size_t printed = take_prints(print);
    if (printed > 0) {
        char quote[ESCAPED * QUOTED + 1], problem[sizeof quote + 100];
        escape(quote, print, printed < QUOTED ? printed : QUOTED);
        snprintf(problem, sizeof problem, "printed to stdout (print to stderr): \\\"%s%s\\\"", quote,
                 printed > QUOTED ? "..." : "");
        forfeit("null", "prints", problem);
        return;
    }
#ifdef CHECK_LEAKS
    if (__lsan_do_recoverable_leak_check() != 0) {
        forfeit("null", "leaks", "leaks memory; stderr names the line that allocated it");
        return;
    }
#endif

    char move[32], problem[200];
    long long cell = OWN_STORE - (long long)bin;
    snprintf(move, sizeof move, "%lld", cell);
    if (bin < 1 || bin > BINS) {
        /* No legal cell: 0 maps to the own store, 7 and more to less than 0. */
        snprintf(problem, sizeof problem, "returned bin %d; bins are 1 to 6", bin);
        forfeit(move, "no_bin", problem);
    } else if (cells[cell] == 0) {
        snprintf(problem, sizeof problem,
                 "returned bin %d, which is empty; its bins 1 to 6 held %d, %d, %d, %d, %d, %d", bin,
                 cells[5], cells[4], cells[3], cells[2], cells[1], cells[0]);
        forfeit(move, "empty_bin", problem);
    } else {
        strcat(move, "\n");
        answer(move);
    }
}

/* A small reader for the protocol's JSON: it finds a member of the outermost object by skipping the
 * values of all others, whatever they are. Positions are NULL where the text is not JSON. */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        if (*at == '\0')
            return NULL;
    }
    return at + 1;
}

static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            if (at == NULL)
                return NULL;
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else if (depth == 0) {
            return at + strcspn(at, ",}]"); /* a number or a word */
        } else {
            at += 1 + strcspn(at + 1, "\"{}[]");
        }
        if (*at == '\0')
            return NULL;
    } while (depth > 0);
    return at;
}

/* Where the value of the member `name` begins, NULL if there is none. */
static const char *member(const char *line, const char *name)
{
    const char *at = skip_blanks(line);
    if (*at != '{')
        return NULL;
    do {
        at = skip_blanks(at + 1);
        if (*at != '"')
            return NULL;
        const char *key = at + 1;
        at = skip_string(at);
        if (at == NULL)
            return NULL;
        size_t length = (size_t)(at - 1 - key);
        at = skip_blanks(at);
        if (*at != ':')
            return NULL;
        at = skip_blanks(at + 1);
        if (length == strlen(name) && strncmp(key, name, length) == 0)
            return at;
        at = skip_value(at);
        if (at == NULL)
            return NULL;
        at = skip_blanks(at);
    } while (*at == ',');
    return NULL;
}

static bool starts_with(const char *value, const char *text)
{
    return value != NULL && strncmp(value, text, strlen(text)) == 0;
}

/* Reads `count` numbers, no more and no fewer, each of which a `char` can hold. */
static bool read_numbers(const char *value, int numbers[], int count)
{
    if (!starts_with(value, "["))
        return false;
    for (int i = 0; i < count; i++) {
        char *end;
        long number = strtol(value + 1, &end, 10);
        if (end == value + 1 || number < 0 || number > CHAR_MAX)
            return false;
        numbers[i] = (int)number;
        value = skip_blanks(end);
        if (*value != (i + 1 < count ? ',' : ']'))
            return false;
    }
    return true;
}

int main(void)
{
    take_over_streams();
#ifndef CHECK_LEAKS
    watch_crashes();
#endif

    int player = 0; /* 0 has the first move of the round, 1 the second */
    char *line = NULL;
    size_t size = 0;
    int status = EXIT_SUCCESS;
    while (status == EXIT_SUCCESS && getline(&line, &size, protocol_in) > 0) {
        const char *type = member(line, "type");
        if (starts_with(type, "\"start\"")) {
            player = starts_with(member(line, "first"), "false") ? 1 : 0;
        } else if (starts_with(type, "\"turn\"")) {
            int cells[CELLS];
            if (read_numbers(member(line, "board"), cells, CELLS)) {
                play(cells, player);
            } else {
                fprintf(stderr, "%s: no board of %d numbers up to %d in: %s\n", function_name, CELLS,
                        CHAR_MAX, line);
                status = EXIT_FAILURE;
            }
        }
    }
    free(line);
    return status;
}
