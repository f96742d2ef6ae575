/* A bot with a thread that never stops: it waits, as `vfork` has it, for a child that does nothing.
   Meanwhile timers let another thread go on, which stops itself after 4 ms. Writes what that one has
   used, in milliseconds, to the file `used` in the folder of its third argument. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TIMERS = 400, WOKEN = 300 };

static int used;
static volatile long woken_until;

static long milliseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void *wait_for_a_child(void *nothing) {
    if (vfork() == 0) {
        for (;;) pause();
    }
    return 0;
}

static void *run_and_stop(void *nothing) {
    for (;;) {
        long end = milliseconds(CLOCK_MONOTONIC) + 4;
        while (milliseconds(CLOCK_MONOTONIC) < end) {
            char text[16];
            int length = sprintf(text, "%9ld", milliseconds(CLOCK_THREAD_CPUTIME_ID));
            pwrite(used, text, length, 0);
        }
        if (milliseconds(CLOCK_MONOTONIC) < woken_until) kill(getpid(), SIGSTOP);
    }
}

int main(int count, char **arguments) {
    static char line[65536];
    static timer_t timers[TIMERS];
    pthread_t thread;
    int has_begun = 0;
    chdir(arguments[3]);
    used = open("used", O_CREAT | O_WRONLY, 0600);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    for (int i = 0; i < TIMERS; i++) timer_create(CLOCK_MONOTONIC, &event, &timers[i]);
    pthread_create(&thread, 0, wait_for_a_child, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[");
        if (!legal) continue;
        for (int i = 0; i < TIMERS; i++) {
            struct itimerspec once = {.it_value = {0, (i + 1) * 1000000}};
            timer_settime(timers[i], 0, &once, 0);
        }
        woken_until = milliseconds(CLOCK_MONOTONIC) + WOKEN;
        if (!has_begun++) pthread_create(&thread, 0, run_and_stop, 0);
        printf("%c\n", legal[9]);
        fflush(stdout);
    }
    _exit(0);
}
