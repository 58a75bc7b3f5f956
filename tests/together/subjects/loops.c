/* Threads that wait by looking at memory in a loop, and loops that only look like it.   loops */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready, finished;
static volatile sig_atomic_t rung;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static long counted;

static void say(const char *what, long value) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    printf("%s %ld %.6f\n", what, value, t.tv_sec - 1000 + t.tv_nsec / 1e9);
}
static void ring(int s) { rung = s; }
static void *partner(void *unused) {
    usleep(300000);
    ready = 1;
    while (!finished) __builtin_ia32_pause();
    say("partner", finished);
    return unused;
}
static void *count(void *unused) {
    for (int i = 0; i < 10; i++) {
        while (atomic_flag_test_and_set(&lock)) {}
        counted++;
        usleep(1000); /* with the lock, so that the others spin */
        atomic_flag_clear(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, partner, NULL);
    while (!ready) {}
    say("ready", ready);
    usleep(100000);
    finished = 1;
    pthread_join(t[0], NULL);
    signal(SIGALRM, ring);
    ualarm(250000, 0);
    while (!rung) {}
    say("rung", rung);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    say("counted", counted);
    double sum = 0;
    for (volatile int i = 0; i < 100000000; i++) {}
    while (sum < 1e8) sum += 1;
    say("computed", (long)sum);
    return 0;
}
