/* A bot that is dear to look at whenever it is stopped: a thread never stops, for it waits, as `vfork`
   has it, for a child that does nothing; as many others as the fifth argument says sleep. One burns
   all that it gets, so that the bot is stopped in its opponent's time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *burn(void *nothing) { for (;;); }

static void *sleep_on(void *nothing) { for (;;) pause(); }

static void *wait_for_a_child(void *nothing) {
    if (vfork() == 0) {
        for (;;) pause();
    }
    return 0;
}

int main(int count, char **words) {
    static char line[65536];
    pthread_t thread;
    int has_begun = 0;
    for (int i = atoi(words[5]); i > 0; i--) pthread_create(&thread, 0, sleep_on, 0);
    pthread_create(&thread, 0, wait_for_a_child, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[");
        if (!legal) continue;
        if (!has_begun++) pthread_create(&thread, 0, burn, 0);
        printf("%c\n", legal[9]);
        fflush(stdout);
    }
    _exit(0);
}
