/* All the ways of waiting, and when each of them ends.   waits [TERMINAL] */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static double begun;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9 - begun;
}
static void say(const char *what, int value) { printf("%s %d %.6f\n", what, value, now()); fflush(stdout); }
static void on_signal(int s) { say("handler", s); }
static void on_timer(union sigval v) { say("timer thread", v.sival_int); }
static struct timespec in(double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    long ns = t.tv_nsec + (long)(seconds * 1e9);
    return (struct timespec){t.tv_sec + ns / 1000000000, ns % 1000000000};
}
static void *worker(void *main_thread) {
    for (int i = 0; i < 3; i++) { usleep(30000); sem_post(&semaphore); }
    usleep(100000);
    pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    return NULL;
}
static void threads(void) {
    pthread_t t, self = pthread_self();
    struct timespec limit;
    sem_init(&semaphore, 0, 0);
    pthread_create(&t, NULL, worker, &self);
    for (int i = 0; i < 3; i++) { sem_wait(&semaphore); say("semaphore", i); }
    say("interrupted sleep", usleep(900000));
    pthread_join(t, NULL);
    limit = in(0.4);
    pthread_mutex_lock(&mutex);
    say("condition", pthread_cond_timedwait(&condition, &mutex, &limit));
    pthread_mutex_unlock(&mutex);
    limit = in(0.25);
    say("sem_timedwait", sem_timedwait(&semaphore, &limit));
}
static void processes(void) {
    int status;
    char line[100] = "", *words[] = {"sleep", "0.3", NULL};
    pid_t pid;
    say("system", system("sleep 0.5"));
    FILE *p = popen("sleep 0.2; echo done", "r");
    if (fgets(line, sizeof line, p)) say(line[0] == 'd' ? "popen" : "nothing", pclose(p));
    posix_spawnp(&pid, "sleep", NULL, NULL, words, environ);
    waitpid(pid, &status, 0);
    say("posix_spawn", WEXITSTATUS(status));
    if (!(pid = fork())) { usleep(70000); _exit(7); }
    waitpid(pid, &status, 0);
    say("fork", WEXITSTATUS(status));
    if (!(pid = vfork())) { execlp("/no/such/program", "x", NULL); _exit(8); }
    waitpid(pid, &status, 0);
    say("vfork", WEXITSTATUS(status));
}
static void timers(void) {
    uint64_t n = 0;
    struct itimerspec often = {{0, 100000000}, {0, 100000000}};
    struct epoll_event event = {EPOLLIN, {0}};
    int fd = timerfd_create(CLOCK_MONOTONIC, 0), ep = epoll_create1(0);
    timerfd_settime(fd, 0, &often, NULL);
    for (int i = 0; i < 2; i++) say("timerfd", read(fd, &n, 8) == 8 ? n : -1);
    usleep(250000);
    say("timerfd, late", read(fd, &n, 8) == 8 ? n : -1);
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event);
    say("epoll", epoll_wait(ep, &event, 1, 5000));
    close(ep), close(fd);
    struct itimerval once = {{0, 0}, {0, 150000}};
    setitimer(ITIMER_REAL, &once, NULL);
    say("setitimer", usleep(900000));
    alarm(1);
    say("pause", pause());
    struct sigevent call = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_timer, .sigev_value.sival_int = 7};
    timer_t id;
    timer_create(CLOCK_MONOTONIC, &call, &id);
    struct itimerspec twice = {{0, 100000000}, {0, 50000000}};
    timer_settime(id, 0, &twice, NULL);
    usleep(200000);
    timer_delete(id);
    struct timespec d = {0, 120000000};
    say("raw nanosleep", syscall(SYS_nanosleep, &d, NULL));
}

int main(int argc, char **argv) {
    struct sigaction act = {.sa_handler = on_signal};
    sigaction(SIGALRM, &act, NULL);
    sigaction(SIGUSR1, &act, NULL);
    begun = now();
    threads();
    processes();
    timers();
    if (argc > 1) {
        char line[100];
        FILE *terminal = fopen(argv[1], "r");
        for (int i = 0; i < 3; i++)
            if (fgets(line, sizeof line, terminal)) printf("%.6s %.6f\n", line, now());
        fclose(terminal);
    }
    double end = now() + 0.2;
    long looks = 0;
    while (now() < end) looks++;
    say("looks at the clock", looks);
    return 5;
}
