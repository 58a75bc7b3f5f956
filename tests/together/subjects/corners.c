/* Rarer system calls, one line each: what came of it, and when.   corners FOLDER */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static struct timespec clock_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t;
}
static double now(void) {
    struct timespec t = clock_of(CLOCK_MONOTONIC);
    return t.tv_sec + t.tv_nsec / 1e9 - 1000;
}
static void say(const char *what, long value) { printf("%s %ld %.6f\n", what, value, now()); fflush(stdout); }
static struct timespec in(long ms) {
    struct timespec t = clock_of(CLOCK_REALTIME);
    t.tv_nsec += ms % 1000 * 1000000, t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000, t.tv_nsec %= 1000000000;
    return t;
}
static void nap(int ms) { usleep(ms * 1000); }
static void *shared(size_t size) { return mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }
static int ended(pid_t pid) {
    int status;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

/* ---- small stacks, other stacks, jumps */

static int deep(int n) {
    volatile char some[400];
    memset((char *)some, n, sizeof some);
    return n ? deep(n - 1) + some[7] * 0 + 1 : getppid() * 0;
}
static void *on_small_stack(void *n) {
    nap(5);
    return (void *)(long)deep((long)n);
}
static char *signal_stack;
static void on_stack(int s) {
    char here;
    say(signal_stack && &here >= signal_stack && &here < signal_stack + (64 << 10) ? "own stack" : "handler", s);
}
static sigjmp_buf away;
static void jump(int s) { siglongjmp(away, s); }
static void stacks(void) {
    pthread_t t;
    pthread_attr_t small;
    void *depth;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    pthread_create(&t, &small, on_small_stack, (void *)20L);
    pthread_join(t, &depth);
    say("small stack", (long)depth);
    signal_stack = malloc(64 << 10);
    stack_t large = {.ss_sp = signal_stack, .ss_size = 64 << 10}, old;
    struct sigaction act = {.sa_handler = on_stack, .sa_flags = SA_ONSTACK};
    say("sigaltstack", sigaltstack(&large, &old) + (old.ss_flags == SS_DISABLE ? 0 : 100));
    sigaction(SIGUSR1, &act, NULL);
    raise(SIGUSR1);
    act.sa_handler = jump;
    sigaction(SIGALRM, &act, NULL);
    struct itimerval soon = {{0, 0}, {0, 40000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    if (!sigsetjmp(away, 1)) pause();
    say("jumped out of a handler", 0);
}

/* ---- locks */

static pthread_mutex_t *mutex(int protocol, int is_shared, int robust) {
    pthread_mutexattr_t kind;
    pthread_mutex_t *m = shared(sizeof *m);
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setprotocol(&kind, protocol);
    if (is_shared) pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    if (robust) pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(m, &kind);
    return m;
}
static int turns;
static void *take_turns(void *m) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(m);
        nap(2);
        turns++;
        pthread_mutex_unlock(m);
    }
    return NULL;
}
static void die_with(pthread_mutex_t *m) {
    pthread_mutex_lock(m);
    nap(10);
    _exit(3);
}
static void locks(void) {
    pthread_t t[4];
    pthread_mutex_t *pi = mutex(PTHREAD_PRIO_INHERIT, 0, 0), *both = mutex(PTHREAD_PRIO_NONE, 1, 0);
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, take_turns, pi);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    say("priority inheritance", turns);
    pid_t child = fork();
    if (!child) { take_turns(both); _exit(turns); }
    take_turns(both);
    say("mutex of two processes", ended(child));
    struct timespec limit = in(30);
    pthread_mutex_lock(both);
    if (!(child = fork())) _exit(pthread_mutex_timedlock(both, &limit));
    say("locked for too long", ended(child));
    pthread_mutex_t *robust = mutex(PTHREAD_PRIO_NONE, 1, 1);
    if (!(child = fork())) die_with(robust);
    nap(1);
    say("owner died", pthread_mutex_lock(robust));
    ended(child);
    sem_t *named = sem_open("/understudy-corners", O_CREAT, 0600, 0);
    sem_unlink("/understudy-corners");
    if (!(child = fork())) { nap(20); sem_post(named); _exit(0); }
    say("named semaphore", sem_wait(named));
    ended(child);
}
static void *never(void *unused) { for (;;) nap(1000); return unused; }
static void cancelling(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, never, NULL);
    nap(10);
    pthread_cancel(t);
    pthread_join(t, &result);
    say("cancelled", result == PTHREAD_CANCELED);
}

/* ---- System V and POSIX messages */

static void messages(void) {
    struct { long kind; char text[8]; } m = {1, "hello"};
    int queue = msgget(IPC_PRIVATE, 0600), set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf down = {0, -1, 0}, up = {0, 1, 0};
    struct timespec short_time = {0, 30000000}, limit = in(20);
    pid_t child = fork();
    if (!child) { nap(25); msgsnd(queue, &m, 6, 0); nap(25); semop(set, &up, 1); _exit(0); }
    say("msgrcv", msgrcv(queue, &m, sizeof m.text, 0, 0));
    say("semop", semop(set, &down, 1));
    say("semtimedop", semtimedop(set, &down, 1, &short_time));
    ended(child);
    msgctl(queue, IPC_RMID, NULL), semctl(set, 0, IPC_RMID);
    struct mq_attr some = {.mq_maxmsg = 1, .mq_msgsize = 8};
    mqd_t mq = mq_open("/understudy-corners", O_CREAT | O_RDWR, 0600, &some);
    mq_unlink("/understudy-corners");
    limit = in(20);
    say("mq_timedreceive", mq_timedreceive(mq, m.text, 8, NULL, &limit));
    say("mq_send", mq_send(mq, "hello", 6, 1));
    limit = in(20);
    say("mq_timedsend", mq_timedsend(mq, "hello", 6, 1, &limit));
    say("mq_receive", mq_receive(mq, m.text, 8, NULL));
}

/* ---- descriptors */

static void descriptors(const char *folder) {
    char path[200], *block = calloc(1, 1 << 20);
    snprintf(path, sizeof path, "%s/megabyte", folder);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), pair[2], count = eventfd(0, 0);
    say("write", write(file, block, 1 << 20)); /* a result that is no sign of anything else */
    say("read", pread(file, block, 1 << 20, 0));
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pid_t child = fork();
    if (!child) { long all = 0; for (long n; all < 1 << 20 && (n = read(pair[1], block, 4096)) > 0; all += n) nap(1); _exit(all >> 16); }
    off_t from = 0;
    while (from < 1 << 20 && sendfile(pair[0], file, &from, (1 << 20) - from) > 0) {}
    say("sendfile", ended(child));
    unlink(path);
    uint64_t n = 5;
    if (!(child = fork())) { nap(15); _exit(write(count, &n, 8)); }
    n = 0, read(count, &n, 8);
    say("eventfd", n);
    ended(child);
    sigset_t usr2;
    struct signalfd_siginfo info;
    sigemptyset(&usr2), sigaddset(&usr2, SIGUSR2), sigprocmask(SIG_BLOCK, &usr2, NULL);
    int signals = signalfd(-1, &usr2, 0);
    if (!(child = fork())) { nap(15); kill(getppid(), SIGUSR2); _exit(0); }
    read(signals, &info, sizeof info);
    say("signalfd", info.ssi_signo);
    ended(child);
    for (int fd = 3; fd < 1024; fd++) close(fd);
    syscall(SYS_close_range, 3, ~0u, 0);
    nap(5);
    say("all descriptors closed", dup2(1, 900));
}

/* ---- clocks and the machine */

static void clocks(void) {
    static const clockid_t all[] = {CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_MONOTONIC_COARSE, CLOCK_MONOTONIC_RAW, CLOCK_TAI,
                                    CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    struct rusage usage;
    struct sysinfo machine;
    struct tms t;
    for (int i = 0; i < 7; i++) say("clock", clock_of(all[i]).tv_sec);
    getrusage(RUSAGE_SELF, &usage), sysinfo(&machine);
    say("processor time, ms", usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000);
    say("up", machine.uptime);
    say("times", (long)times(&t) - t.tms_utime);
    struct timespec past = {1000000000, 0};
    say("clock_settime", clock_settime(CLOCK_REALTIME, &past));
    say("timer slack", prctl(PR_SET_TIMERSLACK, 1));
    say("mlockall", mlockall(MCL_CURRENT | MCL_FUTURE) ? 0 : munlockall());
}

/* ---- the processor's counter, and faults that a program handles */

static char *page;
static void open_page(int s, siginfo_t *info, void *context) {
    (void)s, (void)info, (void)context;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}
static void faults(void) {
    unsigned long long begun = __rdtsc();
    nap(1);
    say("cycles, us", (__rdtsc() - begun) / 1000);
    struct sigaction act = {.sa_sigaction = open_page, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &act, NULL);
    page = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[3] = 7;
    say("fault handled", page[3]);
    int status;
    pid_t child = fork();
    if (!child) { signal(SIGSEGV, SIG_DFL); *(volatile char *)page = *(volatile char *)NULL; }
    waitpid(child, &status, 0);
    say("fault not handled", WTERMSIG(status));
    if (!sigsetjmp(away, 1)) { signal(SIGSEGV, jump); raise(SIGSEGV); }
    say("jumped out of a fault", 0);
}

/* ---- many */

static void *one_of_many(void *n) { nap((long)n % 17); return n; }
static void many(void) {
    pthread_t t[250];
    pid_t children[60];
    long sum = 0;
    for (long i = 0; i < 250; i++) pthread_create(&t[i], NULL, one_of_many, (void *)i);
    for (int i = 0; i < 250; i++) { void *n; pthread_join(t[i], &n); sum += (long)n; }
    say("250 threads", sum);
    for (int i = 0; i < 60; i++) if (!(children[i] = fork())) { nap(i % 7); _exit(i % 2); }
    sum = 0;
    for (int i = 0; i < 60; i++) sum += ended(children[i]);
    say("60 children", sum);
}

int main(int argc, char **argv) {
    stacks();
    locks();
    cancelling();
    messages();
    clocks();
    faults();
    many();
    descriptors(argc > 1 ? argv[1] : ".");
    return 6;
}
