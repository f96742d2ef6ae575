/* `hog FOLDER`: a bot that is in a long call of the system whenever its opponent is to move. It has a
   thread read pages that take no memory, for some 150 ms. `idler FOLDER`: one that does so for 280 ms
   when the second round has ended. `crowd FOLDER COUNT`: one that has so many threads compute all the
   while, from its first answer on. `late FOLDER COUNT`: one that has so many threads sleep while it
   answers, and compute from 4 ms later until it is asked again. `apart FOLDER COUNT`: one that has so
   many threads compute for 60 ms whenever it is asked, in a child with a session of its own.
   `sleepers FOLDER COUNT`: one with so many threads that sleep, which tells how often it was let go on
   after it was stopped. `need FOLDER`: a bot that needs 150 ms for each move, and tells what the other
   one, which may play another match, used meanwhile, in milliseconds. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#define MS 150.0

static char *pages;
static size_t size;
static volatile int go, began;
static volatile sig_atomic_t continued;
/* How often a bot with late threads has answered, and whether it waits for its next turn. */
static volatile int answers, waits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static double now(clockid_t clock) {
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void read_pages(void) {
    if (madvise(pages, size, MADV_POPULATE_READ)) perror("madvise");
}

static void *call(void *nothing) {
    for (;;) {
        while (!go) usleep(200);
        go = 0;
        began = 1;
        read_pages();
        madvise(pages, size, MADV_DONTNEED);
    }
}

static void prepare(FILE *file, double ms) {
    size_t most = (size_t)64 << 30;
    pages = mmap(0, most, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) perror("mmap");
    madvise(pages, most, MADV_NOHUGEPAGE);
    size = (size_t)256 << 20;
    double before = now(CLOCK_THREAD_CPUTIME_ID);
    read_pages();
    double times = ms / (now(CLOCK_THREAD_CPUTIME_ID) - before);
    madvise(pages, size, MADV_DONTNEED);
    size = times > 200 ? most : (size_t)(size * times) & ~(size_t)4095;
    pthread_t thread;
    pthread_create(&thread, 0, call, 0);
    fprintf(file, "%d\n", getpid());
    fclose(file);
}

static void *compute(void *nothing) {
    for (;;) {}
}

static void *compute_late(void *nothing) {
    for (int seen = 0;;) {
        pthread_mutex_lock(&lock);
        while (answers == seen) pthread_cond_wait(&changed, &lock);
        seen = answers;
        pthread_mutex_unlock(&lock);
        usleep(4000);
        while (waits) {}
    }
}

static void *compute_in_turns(void *nothing) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (waits) pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        while (!waits) {}
    }
}

static void *sleep_on(void *nothing) {
    for (;;) pause();
}

static void count_continued(int signal) {
    continued++;
}

static void gather(FILE *file, int count, void *(*task)(void *)) {
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    while (count-- > 0)
        if (pthread_create(&thread, &small, task, 0)) perror("pthread_create");
    fprintf(file, "%d\n", getpid());
    fclose(file);
}

/* What the other process has used. Nothing, if it is gone. */
static double used(const char *path) {
    int process = 0;
    clockid_t clock;
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    fscanf(file, "%d", &process);
    fclose(file);
    return clock_getcpuclockid(process, &clock) ? 0 : now(clock);
}

int main(int count, char **words) {
    static char line[65536], path[4096];
    int ends = 0, is_hog = !strcmp(words[1], "hog"), is_idler = !strcmp(words[1], "idler");
    int is_crowd = !strcmp(words[1], "crowd"), is_late = !strcmp(words[1], "late");
    int is_apart = !strcmp(words[1], "apart"), has_begun = 0;
    snprintf(path, sizeof path, "%s/hog", words[2]);
    if (is_hog || is_idler) prepare(fopen(path, "w"), is_hog ? MS : 280);
    if (!strcmp(words[1], "sleepers")) {
        struct sigaction counts = {.sa_handler = count_continued, .sa_flags = SA_RESTART};
        sigaction(SIGCONT, &counts, 0);
        gather(fopen(path, "w"), atoi(words[3]), sleep_on);
        while (fgets(line, sizeof line, stdin)) {
            char *legal = strstr(line, "\"legal\":[");
            if (!legal) continue;
            printf("{\"move\":%c,\"info\":%d}\n", legal[9], (int)continued);
            fflush(stdout);
        }
        return 0;
    }
    if (is_apart && fork()) return wait(0) < 0;
    if (is_apart) setsid();
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[");
        if (legal ? is_hog : is_idler && strstr(line, "\"type\":\"end\"") && ++ends % 2 == 0) {
            go = 1;
            while (!began) usleep(100);
            began = 0;
            usleep(500);
        }
        if (!legal) continue;
        pthread_mutex_lock(&lock);
        waits = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        if ((is_crowd || is_late || is_apart) && !has_begun++) {
            gather(fopen(path, "w"), atoi(words[3]),
                   is_late ? compute_late : is_apart ? compute_in_turns : compute);
        }
        if (is_apart) usleep(60000);
        if (is_hog || is_idler || is_crowd || is_late || is_apart) {
            pthread_mutex_lock(&lock);
            waits = 1;
            answers++;
            pthread_cond_broadcast(&changed);
            pthread_mutex_unlock(&lock);
            printf("%c\n", legal[9]);
        } else {
            double before = used(path), end = now(CLOCK_PROCESS_CPUTIME_ID) + MS;
            while (now(CLOCK_PROCESS_CPUTIME_ID) < end) {}
            printf("{\"move\":%c,\"info\":%.0f}\n", legal[9], used(path) - before);
        }
        fflush(stdout);
    }
}
