/* A bot that has 150 MiB in use, and at its first turn a child, as its argument says: of `vfork`, for a
   while, or of `fork`, which writes to all of them and stays until it is ended, however late a busy
   machine looks. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 150 << 20, MICROSECONDS = 400000 };

int main(int count, char **arguments) {
    static char line[65536];
    int is_copied = strcmp(arguments[1], "fork") == 0, has_begun = 0;
    char *held = malloc(SIZE);
    memset(held, 1, SIZE);
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[");
        if (!legal) continue;
        if (!has_begun++) {
            pid_t child = is_copied ? fork() : vfork();
            if (child == 0) {
                if (is_copied) {
                    memset(held, 2, SIZE);
                    pause();
                }
                usleep(MICROSECONDS);
                _exit(0);
            }
            waitpid(child, 0, 0);
        }
        printf("%c\n", legal[9]);
        fflush(stdout);
    }
    return held[SIZE - 1] == 0;
}
