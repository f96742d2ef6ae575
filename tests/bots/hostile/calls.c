/* A bot that thinks in long calls of the system all the while: it takes 128 MiB, and gives them back. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 128 << 20 };

static void *think(void *nothing) {
    for (;;) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
        char *table = mmap(0, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (table != MAP_FAILED) munmap(table, SIZE);
    }
}

int main(void) {
    static char line[65536];
    pthread_t thinker;
    pthread_create(&thinker, 0, think, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[");
        if (!legal) continue;
        printf("%c\n", legal[9]);
        fflush(stdout);
    }
    return 0;
}
