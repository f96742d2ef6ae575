/* Answers every line that is a turn with the first legal house: the cheapest bot there is. Compiled
   with -DTHINK_NS=N it computes so many nanoseconds before. */
#include <string.h>
#include <time.h>
#include <unistd.h>

static void think(void) {
#ifdef THINK_NS
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - began.tv_sec) * 1000000000L + now.tv_nsec - began.tv_nsec < THINK_NS);
#endif
}

static char buffer[1 << 16];

int main(void) {
    size_t filled = 0;
    ssize_t count;
    while ((count = read(0, buffer + filled, sizeof buffer - filled)) > 0) {
        filled += (size_t)count;
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', filled - (size_t)(line - buffer)))) {
            *end = 0;
            char *legal = strstr(line, "\"legal\":[");
            if (legal) {
                think();
                char answer[2] = {legal[9], '\n'};
                if (write(1, answer, 2) != 2) return 1;
            }
            line = end + 1;
        }
        filled -= (size_t)(line - buffer);
        memmove(buffer, line, filled);
    }
    return 0;
}
