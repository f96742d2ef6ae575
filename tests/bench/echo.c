/* Answers every line that is a turn with the first legal house: the cheapest bot there is. */
#include <string.h>
#include <unistd.h>

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
