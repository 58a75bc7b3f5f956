/* Lets an unmodified program share the simulator's clock. Linux on x86-64, glibc, kernel 5.11 or newer; see
 * docs/together.md. Loaded with LD_PRELOAD. Three mechanisms:
 *
 *   1. Clock functions are replaced by symbol, because they never enter the kernel (clocks.c).
 *   2. Every system call of every thread raises SIGSYS in that thread (Syscall User Dispatch). The handler in trap.c
 *      makes the call, or lets the thread wait in simulated time (waits.c, futex.c, signals.c). Mutexes, conditions,
 *      semaphores and joins need no code of their own: glibc makes them of futex().
 *   3. One thread of a process runs at a time (it has the baton) and hands over only where it waits (threads.c). When
 *      all wait, the process asks the simulator for time (line.c).
 *
 * All state is touched by the thread with the baton only, so there are no locks. Code that runs inside the trap makes
 * system calls with sys() and takes no lock of the C library.
 */
#ifndef TOGETHER_H
#define TOGETHER_H
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

struct sembuf;
struct rusage;
struct tms;
struct sysinfo;
#define NOT_DONE INT64_MIN /* instead of a result, and no call's: the thread goes on elsewhere */
typedef int64_t ns_t;
#define NEVER INT64_MAX
#define SECOND 1000000000LL
/* What things cost in simulated time (ns), so that a loop that waits by looking gets somewhere. */
enum { COST_CLOCK = 1000, COST_CALL = 5000, COST_SLEEP = 50000, COST_SPIN = 100000 };
enum { CONNECTIONS = 128, TIMERS = 1024, DESCRIPTORS = 1024, LINE_BYTES = 16384 };

/* ---- page.c: system calls that do not trap, and the making of threads and processes */
long together_sys(long nr, long a, long b, long c, long d, long e, long f);
#define sys(n, a, b, c, d, e, f) \
    together_sys(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
extern char together_page[], together_return[];
void together_leave(int *go, long status) __attribute__((noreturn)); /* wakes who waits for *go* and ends this thread */
void trap_this_thread(void);
void make_outside(greg_t *r, int what, long nr, const long arguments[5]);

/* ---- threads.c */
enum { WAIT_FUTEX = 1, WAIT_FDS = 2, WAIT_CHILD = 4, WAIT_SIGNALS = 8, WAIT_DRAIN = 16, WAIT_ATTEMPT = 32, WAIT_LOOP = 64 };
enum { BY_TIME = 1, BY_FUTEX, BY_FDS, BY_CHILD, BY_SIGNAL, BY_ATTEMPT, BY_CHANGE };
enum { MAKES_NOTHING, MAKES_THREAD, MAKES_PROCESS, MAKES_BORROWER }; /* a borrower uses its parent's memory: vfork */
typedef struct { long nr, a, b, c, d, e, result; } attempt; /* a call that is made again until it succeeds */
typedef struct thread {
    struct thread *next;   /* all threads, in the order of their making */
    struct thread *behind; /* the queue of those that can run */
    int go, tid, waits, makes;
    int why;          /* BY_...: why the last wait ended */
    int kind;         /* WAIT_...: what it waits for */
    ns_t until;       /* ... at most */
    uint64_t turn;    /* when it began to wait: the order among equals */
    uint64_t blocked; /* signals that the program blocks in this thread */
    uint64_t pending; /* signals sent to this thread alone, since it waits */
    uint64_t signals; /* WAIT_SIGNALS */
    uint32_t *word, mask, value; /* WAIT_FUTEX */
    int shared;                  /* ... the word belongs to several processes */
    struct pollfd *fds;          /* WAIT_FDS */
    int nfds;
    int drains;                  /* WAIT_DRAIN: a descriptor; all that was written to it must have left */
    attempt *attempt; /* WAIT_ATTEMPT */
    long registers[5]; /* of the call that is made outside of the trap, as the program had them */
    long call;         /* its number; of clone: */
    int number;        /* the number that the new thread or process gets; 0: any */
    int refused;       /* ... it was taken, so that any other will do */
    uint64_t clone[12];
    char *stack;  /* on which the trap runs */
    long left_at, left_bytes; /* memory that it has given back when it ended */
    stack_t alt;  /* what the program has asked for with sigaltstack ... */
    stack_t used; /* ... and what the kernel knows */
    int in_trap, stepping;
    struct spin *spin; /* what it has done step by step */
    uint64_t seen;     /* WAIT_LOOP: the changes that it knows */
} thread;

extern __thread thread *me __attribute__((tls_model("initial-exec")));
extern thread first, *all, *running; /* the last has the baton */
extern uint64_t changes;              /* how often a thread has done something, and waits */
extern ns_t now, lease; /* simulated time; the time at which the simulator must be asked */
extern int alive;       /* the library is in charge */
extern int child_ended; /* the simulator says so */
extern int others;      /* other processes take part */
extern int ran;         /* some thread has run since the last report */
extern double compute;  /* simulated seconds that a second of computing costs */

void make_ready(thread *t, int why);
void hand_over(void);
int wait_until(ns_t until, int kind);
void charge(ns_t cost);
int charge_quickly(ns_t cost); /* 0: it is somebody else's turn meanwhile, so that only the trap can do it */
void look_ahead(void);
void sooner(ns_t at);
thread *oldest(int (*fits)(thread *));
void expect_thread(void);
void thread_not_made(void);
void charge_computing(void);
void computing_begins(void);
void give_way(void);
void let_others_see(void);
void meet_simulator(void); /* report now; no time passes */
ns_t later(ns_t by);
ns_t of_spec(const struct timespec *t);
thread *thread_born(void);
void thread_made(void);
void thread_ends(long status);
void remember_myself(void);
int has_just_ended(int tid);
void only_this_thread(void);

/* ---- stacks.c: the trap's own stacks */
void use_trap_stack(thread *t);
long do_munmap(long at, long size);
long do_sigaltstack(ucontext_t *u, const stack_t *to, stack_t *old);

/* ---- spin.c: loops that wait for what others write into memory */
extern uint64_t traps;
void watch_for_loops(void);
void no_loop(ucontext_t *u);
void on_nudge(ucontext_t *u);
void on_step(ucontext_t *u);

/* ---- clones.c */
long do_clone(long nr, long a, long b, greg_t *r);

/* ---- timers.c: the kernel's timers run in real time, so they are kept here */
ns_t next_timer(void);
void set_off_timers(void);
void timer_new(int fd, int clock);
void timer_closed(int fd);
void timer_copied(int from, int to);
uint64_t timer_take_fired(int fd);
long timerfd_set(int fd, int flags, const struct itimerspec *to, struct itimerspec *old);
long timerfd_get(int fd, struct itimerspec *to);
long interval_timer(int which, ns_t value, ns_t every, ns_t *left, ns_t *old_every);
long interval_left(int which, ns_t *left, ns_t *every);
long posix_timer_create(int clock, const struct sigevent *event, int *id);
long posix_timer_set(int id, int flags, const struct itimerspec *to, struct itimerspec *old);
long posix_timer_get(int id, struct itimerspec *to);
long posix_timer_overruns(int id);
long posix_timer_delete(int id);
void no_timers(void);

/* ---- clocks.c */
extern ns_t real_base;
ns_t base_of(int clock);
long fill_with_chance(unsigned char *to, size_t n);
void seed_chance(uint64_t seed);
uint64_t draw_chance(void);
extern uint64_t childs_seed; /* of the process that is being made: what it draws is its own */
int clock_settings(char *text, int size);

/* ---- line.c: the connection to the simulator */
void say_hello(void);
void say_bye(void);
void say(const char *verb, long number);
int ask_for_number(void);
void warn(const char *text);
void die(const char *text) __attribute__((noreturn));
ns_t ask_for_time(ns_t until, int waits_for_child);
int is_line(int fd);
void line_makes_room(int fd);
void line_set_path(const char *path);
void line_closed(void);
int line_number(void);

/* ---- connections.c: to robots, and among programs */
void note_socket(int fd);
int note_terminal(int fd);
int is_last_of_terminal(int fd);
void note_inherited(void);
void note_copy(int from, int to);
void note_written(int fd, long n);
void note_shut(int fd);
long room_of(int fd);
int is_full(void);
int is_drained(int fd);
int under_way(int fd);
int is_same_file(int fd, uint64_t file);
void connections_of_parent(void);
int connection_report(char *text, int n, int size);
void connection_news(int number, int peer, uint64_t expected, int ended, long room);
void no_more_news(void);
int is_connection(int fd);
void await_announced(void);
void moved_ports(const char *list);
void find_moved(void *address, long size);
void outside_files(const char *list);
int is_outside_file(int fd);
int outside_input(const struct pollfd *fds, int n);

/* ---- terminals.c: those that programs make for each other */
void note_own_terminal(int fd);
void deliver_to_terminals(void);
void await_terminals(void);
void await_echo(int fd);

/* ---- windows.c: no more is written to a connection than the simulator allows */
#define BOUNDLESS (1L << 40)
long poll_now(struct pollfd *fds, long n);
long write_connection(long nr, long fd, long b, long c, int flags, int waits);
long do_ioctl(long fd, long request, long argument);
long do_epoll_ctl(long ep, long op, long fd, void *event);
void watch_room(uint64_t file, int has_room);

/* ---- waits.c, futex.c, signals.c: calls that wait */
long do_sleep(ns_t until, struct timespec *rest);
long do_poll(struct pollfd *fds, int n, ns_t until, const uint64_t *mask);
long do_select(int n, void *sets[3], ns_t until, const uint64_t *mask);
long do_epoll(int ep, void *out, int most, ns_t until, const uint64_t *mask);
long do_read(long nr, long fd, long b, long c, long d, long e, long f, int flags);
long without_blocking(long nr, long fd, long b, long c, long d, long e, long f);
long await_room(long fd, int is_socket);
long do_write(long nr, long fd, long b, long c, long d, long e, long f, int flags);
long do_sendfile(long to, long from, long offset, long n);
struct mmsghdr;
long do_send_many(long fd, struct mmsghdr *messages, unsigned n, int flags);
long do_connect(long fd, long address, long size);
long do_wait(long nr, long a, long b, long c, long d, long e);
long do_futex(uint32_t *word, int op, uint32_t value, struct timespec *limit, uint32_t *word2, uint32_t mask);

/* ---- ipc.c: calls that wait for what no descriptor shows */
int attempt_succeeds(thread *t);
long do_open(long nr, long a, long b, long c, long d);
long do_flock(long nr, long a, long b, long c);
long do_semop(long id, const struct sembuf *given, long n, const struct timespec *limit);
long do_message(long nr, long id, long message, long size, long d, long e);
long do_queue(long nr, long queue, long message, long size, long priority, const struct timespec *limit);

/* ---- machine.c */
void steady_usage(struct rusage *usage, int own);
long do_getrusage(int who, struct rusage *usage);
long do_times(struct tms *times);
long do_sysinfo(struct sysinfo *info);
long do_adjtime(long nr, long a, long b);
long open_steady(const char *path, long flags);

/* ---- signals.c */
typedef struct { void *handler; uint64_t flags; void *restorer; uint64_t mask; } action; /* as the kernel has it */
enum { RESTORER = 0x04000000 /* SA_RESTORER */ };
#define BIT(sig) (1ULL << ((sig) - 1))
#define NEVER_BLOCKED (BIT(SIGSYS) | BIT(SIGSEGV) | BIT(SIGTRAP)) /* the signals that are ours: blocked, they would be the end */
uint64_t pending_signals(void);
thread *signalled(void);
int restarts(long nr);
void note_dispositions(void);
long do_sigaction(long sig, const void *to, void *old);
long do_sigmask(uint64_t *mask, long how, const uint64_t *want, uint64_t *old);
long do_sigwait(uint64_t *set, siginfo_t *info, struct timespec *limit);
long do_sigsuspend(const uint64_t *mask);
long do_pidfd_kill(long pidfd, long sig, long info, long flags);
long do_kill(long nr, long a, long b, long c, long d);
long interrupted(const uint64_t *mask);

/* ---- faults.c, vdso.c: clocks that need no call */
void begin_faults(void);
int is_kept(int sig);
void keep_fault_action(int sig, const action *to, action *old);
void forbid_cycles(int forbid);
void trap_kernel_functions(const char *image);

/* ---- trap.c, start.c */
int is_borrower(void); /* this is a child that runs in its parent's memory */
void on_trap(int sig, siginfo_t *info, void *context);
void in_child(void);
void remember_process(void);
void lend_memory(void);  /* a child runs in it until it execs */
int borrower_has_gone(void); /* it has become another program */
void process_made(void); /* it no longer runs in our memory */
void remember_variable(const char *name, const char *value);
#endif
