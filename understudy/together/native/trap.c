/* The trap: what happens instead of each system call. */
#include "together.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/times.h>
#include <termios.h>

static int own_pid, borrowed; /* this process; a child runs in our memory until it execs ... */
static int execs;             /* ... which it has done */
enum { VARIABLES = 5, PRELOAD = 0 };
static char variables[VARIABLES - 1][4096]; /* that a new image needs; LD_PRELOAD is the first */

static ns_t of_val(const struct timeval *t) { return t->tv_sec * SECOND + t->tv_usec * 1000; }
static ns_t in_ms(int ms) { return ms < 0 ? NEVER : later(ms * 1000000LL); }
static ns_t in_spec(const void *t) { return t ? later(of_spec(t)) : NEVER; }
static struct timeval to_val(ns_t t) { return (struct timeval){t / SECOND, t % SECOND / 1000}; }

/* ---- time */

static long do_clock_gettime(int clock, struct timespec *t) {
    charge(COST_CLOCK);
    ns_t value = now + base_of(clock);
    t->tv_sec = value / SECOND, t->tv_nsec = value % SECOND;
    return 0;
}
static long do_gettimeofday(struct timeval *t) {
    charge(COST_CLOCK);
    if (t) *t = to_val(now + real_base);
    return 0;
}
static long do_time(time_t *t) {
    charge(COST_CLOCK);
    if (t) *t = (now + real_base) / SECOND;
    return (now + real_base) / SECOND;
}
static long do_select_call(long nr, long a, long b, long c, long d, long e, long f) {
    void *sets[3] = {(void *)b, (void *)c, (void *)d};
    if (nr == SYS_pselect6) {
        const uint64_t **mask = (void *)f;
        return do_select(a, sets, in_spec((void *)e), mask ? mask[0] : NULL);
    }
    struct timeval *t = (void *)e;
    ns_t until = t ? later(of_val(t)) : NEVER;
    long result = do_select(a, sets, until, NULL);
    if (t) *t = to_val(until > now ? until - now : 0);
    return result;
}
static long do_setitimer(long which, const struct itimerval *to, struct itimerval *old) {
    ns_t left, every;
    if (which < ITIMER_REAL || which > ITIMER_PROF) return -EINVAL;
    if (to) interval_timer(which, of_val(&to->it_value), of_val(&to->it_interval), &left, &every);
    else interval_timer(which, 0, 0, &left, &every);
    if (old) *old = (struct itimerval){to_val(every), to_val(left)};
    return 0;
}
static long do_getitimer(long which, struct itimerval *to) {
    ns_t left, every;
    if (which < ITIMER_REAL || which > ITIMER_PROF) return -EINVAL;
    interval_left(which, &left, &every);
    *to = (struct itimerval){to_val(every), to_val(left)};
    return 0;
}
static long do_alarm(long seconds) {
    ns_t left, every;
    interval_timer(ITIMER_REAL, seconds * SECOND, 0, &left, &every);
    return (left + SECOND - 1) / SECOND;
}

/* ---- descriptors: the line to the simulator is not the program's */

static long do_close_range(unsigned first_fd, unsigned last_fd, unsigned flags) {
    unsigned own = line_number();
    long got = 0;
    for (unsigned fd = first_fd; fd <= last_fd && fd < DESCRIPTORS; fd++)
        if (!(flags & 4 /* CLOSE_RANGE_CLOEXEC */)) timer_closed(fd);
    if (own < first_fd || own > last_fd) return sys(SYS_close_range, first_fd, last_fd, flags, 0, 0, 0);
    if (own > first_fd) got = sys(SYS_close_range, first_fd, own - 1, flags, 0, 0, 0);
    if (got == 0 && own < last_fd) got = sys(SYS_close_range, own + 1, last_fd, flags, 0, 0, 0);
    return got;
}
static long do_copy(long nr, long a, long b, long c) {
    if (nr != SYS_dup) line_makes_room(b);
    if (is_line(a)) return -EBADF;
    long result = sys(nr, a, b, c, 0, 0, 0);
    if (result >= 0) timer_closed(result), timer_copied(a, result), note_copy(a, result);
    return result;
}
static long do_fcntl(long a, long b, long c) {
    if (b == F_SETLKW || b == F_OFD_SETLKW) return do_flock(SYS_fcntl, a, b, c);
    long result = sys(SYS_fcntl, a, b, c, 0, 0, 0);
    if (result >= 0 && (b == F_DUPFD || b == F_DUPFD_CLOEXEC)) timer_copied(a, result), note_copy(a, result);
    return result;
}

/* ---- processes */

static int is_ours(const char *text, char *const *ours, int n) {
    for (int i = 0; i < n; i++)
        if (strncmp(text, ours[i], strcspn(ours[i], "=") + 1) == 0) return i;
    return -1;
}

/* A program may start another with an environment of its own; the library is part of it. */
static long exec_with(long nr, long a, long b, long c, long d, long e, uint64_t blocked) {
    char **given = (char **)(nr == SYS_execve ? c : d), *ours[VARIABLES] = {0};
    int n = 0, kept = 0, added = 0;
    while (given && given[n]) n++;
    char *env[n + VARIABLES + 1], joined[sizeof variables[0] + 4096], settings[128];
    clock_settings(settings, sizeof settings);
    for (; added < VARIABLES - 1 && variables[added][0]; added++) ours[added] = variables[added];
    ours[added++] = settings;
    for (int i = 0; i < n; i++) {
        int mine = is_ours(given[i], ours, added);
        if (mine == PRELOAD && !strstr(given[i], ours[PRELOAD] + 11)) { /* what the program wants, too */
            snprintf(joined, sizeof joined, "%s:%s", ours[PRELOAD], given[i] + 11);
            ours[PRELOAD] = joined;
        } else if (mine == PRELOAD) ours[PRELOAD] = given[i];
        if (mine < 0) env[kept++] = given[i];
    }
    for (int i = 0; i < added; i++) env[kept++] = ours[i];
    env[kept] = NULL;
    uint64_t in_trap;
    blocked &= ~NEVER_BLOCKED; /* the new image inherits the program's mask, not the trap's */
    sys(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, &in_trap, 8, 0, 0);
    forbid_cycles(0), execs = 1; /* of a borrower its parent sees it */
    long result = nr == SYS_execve ? sys(nr, a, b, env, 0, 0, 0) : sys(nr, a, b, c, env, e, 0);
    forbid_cycles(1), execs = 0;
    sys(SYS_rt_sigprocmask, SIG_SETMASK, &in_trap, 0, 8, 0, 0);
    return result;
}
static long do_exec(long nr, long a, long b, long c, long d, long e) {
    say_bye();
    say("exec", 0);
    long result = exec_with(nr, a, b, c, d, e, me->blocked);
    say("stay", 0);
    return result;
}

/* ---- one call */

static long do_call(long nr, long a, long b, long c, long d, long e, long f, ucontext_t *u) {
    greg_t *r = u->uc_mcontext.gregs;
    long result;
    switch (nr) {
    /* waiting */
    case SYS_nanosleep: return do_sleep(later(of_spec((void *)a)), (void *)b);
    case SYS_clock_nanosleep:
        if (b & TIMER_ABSTIME) return do_sleep(of_spec((void *)c) - base_of(a), NULL);
        return do_sleep(later(of_spec((void *)c)), (void *)d);
    case SYS_poll: return do_poll((void *)a, b, in_ms(c), NULL);
    case SYS_ppoll: return do_poll((void *)a, b, in_spec((void *)c), (void *)d);
    case SYS_select: case SYS_pselect6: return do_select_call(nr, a, b, c, d, e, f);
    case SYS_epoll_wait: return do_epoll(a, (void *)b, c, in_ms(d), NULL);
    case SYS_epoll_pwait: return do_epoll(a, (void *)b, c, in_ms(d), (void *)e);
    case SYS_epoll_pwait2: return do_epoll(a, (void *)b, c, in_spec((void *)d), (void *)e);
    case SYS_splice:
        if (is_connection(c)) return -EINVAL; /* so that the program reads and writes */
        /* fall through */
    case SYS_read: case SYS_readv: case SYS_accept: case SYS_accept4: return do_read(nr, a, b, c, d, e, f, 0);
    case SYS_recvfrom: case SYS_recvmmsg: return do_read(nr, a, b, c, d, e, f, d);
    case SYS_recvmsg: return do_read(nr, a, b, c, d, e, f, c);
    case SYS_write: case SYS_writev: return do_write(nr, a, b, c, d, e, f, 0);
    case SYS_sendto: return do_write(nr, a, b, c, d, e, f, d);
    case SYS_sendmsg: return do_write(nr, a, b, c, d, e, f, c);
    case SYS_sendmmsg: return do_send_many(a, (void *)b, c, d);
    case SYS_sendfile: return do_sendfile(a, b, c, d);
    case SYS_futex: return do_futex((void *)a, b, c, (void *)d, (void *)e, f);
    case SYS_wait4: case SYS_waitid: return do_wait(nr, a, b, c, d, e);
    case SYS_flock: return do_flock(nr, a, b, c);
    case SYS_semop: return do_semop(a, (void *)b, c, NULL);
    case SYS_semtimedop: return do_semop(a, (void *)b, c, (void *)d);
    case SYS_msgrcv: case SYS_msgsnd: return do_message(nr, a, b, c, d, e);
    case SYS_mq_timedreceive: case SYS_mq_timedsend: return do_queue(nr, a, b, c, d, (void *)e);
    case SYS_rt_sigtimedwait: return do_sigwait((void *)a, (void *)b, (void *)c);
    case SYS_rt_sigsuspend: return do_sigsuspend((void *)a);
    case SYS_pause: return do_sigsuspend(NULL);
    case SYS_sched_yield: give_way(); return 0;
    /* time */
    case SYS_clock_gettime: return do_clock_gettime(a, (void *)b);
    case SYS_gettimeofday: return do_gettimeofday((void *)a);
    case SYS_time: return do_time((void *)a);
    case SYS_times: return do_times((void *)a);
    case SYS_getrusage: return do_getrusage(a, (void *)b);
    case SYS_sysinfo: return do_sysinfo((void *)a);
    case SYS_adjtimex: case SYS_clock_adjtime: return do_adjtime(nr, a, b);
    case SYS_clock_settime: case SYS_settimeofday: return -EPERM; /* nor is the machine's clock to be set */
    case SYS_timerfd_create: if ((result = sys(nr, a, b, 0, 0, 0, 0)) >= 0) timer_new(result, a); return result;
    case SYS_timerfd_settime: return timerfd_set(a, b, (void *)c, (void *)d);
    case SYS_timerfd_gettime: return timerfd_get(a, (void *)b);
    case SYS_timer_create: return posix_timer_create(a, (void *)b, (void *)c);
    case SYS_timer_settime: return posix_timer_set(a, b, (void *)c, (void *)d);
    case SYS_timer_gettime: return posix_timer_get(a, (void *)b);
    case SYS_timer_getoverrun: return posix_timer_overruns(a);
    case SYS_timer_delete: return posix_timer_delete(a);
    case SYS_alarm: return do_alarm(a);
    case SYS_setitimer: return do_setitimer(a, (void *)b, (void *)c);
    case SYS_getitimer: return do_getitimer(a, (void *)b);
    /* descriptors */
    case SYS_connect: return do_connect(a, b, c);
    case SYS_shutdown:
        result = sys(nr, a, b, 0, 0, 0, 0);
        if (result == 0 && b != SHUT_RD) note_shut(a);
        return result;
    case SYS_dup: case SYS_dup2: case SYS_dup3: return do_copy(nr, a, b, c);
    case SYS_fcntl: return do_fcntl(a, b, c);
    case SYS_open: case SYS_openat: case SYS_creat:
        result = open_steady((const char *)(nr == SYS_openat ? b : a), nr == SYS_openat ? c : b);
        if (result == NOT_DONE) result = do_open(nr, a, b, c, d);
        if (result >= 0) note_own_terminal(result);
        if (result >= 0 && note_terminal(result)) meet_simulator();
        return result;
    case SYS_ioctl: return do_ioctl(a, b, c);
    case SYS_epoll_ctl: return do_epoll_ctl(a, b, c, (void *)d);
    case SYS_close:
        if (is_line(a)) return -EBADF;
        timer_closed(a);
        if (!is_last_of_terminal(a)) return sys(nr, a, 0, 0, 0, 0, 0);
        meet_simulator(); /* the next one may open it at the same moment: the robot must see both */
        result = sys(nr, a, 0, 0, 0, 0, 0);
        meet_simulator();
        return result;
    case SYS_close_range: return do_close_range(a, b, c);
    case SYS_io_uring_setup: case 449: case 454: case 455: case 456: /* futex_waitv, futex_wake, _wait, _requeue */
        return -ENOSYS; /* programs then use the calls above */
    case SYS_getrandom: return fill_with_chance((void *)a, b);
    case SYS_getcpu: if (a) *(unsigned *)a = 0; if (b) *(unsigned *)b = 0; return 0;
    /* signals, and what the trap itself must survive */
    case SYS_kill: case SYS_tkill: case SYS_tgkill: case SYS_rt_sigqueueinfo: case SYS_rt_tgsigqueueinfo:
        return do_kill(nr, a, b, c, d);
    case SYS_pidfd_send_signal: return do_pidfd_kill(a, b, c, d);
    case SYS_rt_sigprocmask: return do_sigmask((uint64_t *)&u->uc_sigmask, a, (void *)b, (void *)c);
    case SYS_rt_sigaction: return do_sigaction(a, (void *)b, (void *)c);
    case SYS_rt_sigreturn: r[REG_RIP] = (greg_t)together_return; return NOT_DONE;
    case SYS_munmap: return do_munmap(a, b);
    case SYS_sigaltstack: return do_sigaltstack(u, (void *)a, (void *)b);
    case SYS_prctl:
        if (a == 59 /* PR_SET_SYSCALL_USER_DISPATCH */) return -EINVAL;
        return sys(nr, a, b, c, d, e, 0);
    /* threads and processes */
    case SYS_exit: thread_ends(a); return NOT_DONE;
    case SYS_exit_group: say_bye(); return sys(nr, a, 0, 0, 0, 0, 0);
    case SYS_clone: case SYS_vfork: case SYS_fork: case SYS_clone3:
        return do_clone(nr, a, b, r);
    case SYS_execve: case SYS_execveat: return do_exec(nr, a, b, c, d, e);
    default: return sys(nr, a, b, c, d, e, f);
    }
}

/* A child that runs in its parent's memory: all calls are real, but it must come back as an image with the library. */
static long borrower_call(long nr, long a, long b, long c, long d, long e, long f, ucontext_t *u) {
    switch (nr) {
    case SYS_execve: case SYS_execveat: return exec_with(nr, a, b, c, d, e, *(uint64_t *)&u->uc_sigmask);
    case SYS_rt_sigreturn: u->uc_mcontext.gregs[REG_RIP] = (greg_t)together_return; return NOT_DONE;
    case SYS_rt_sigprocmask: return do_sigmask((uint64_t *)&u->uc_sigmask, a, (void *)b, (void *)c);
    case SYS_rt_sigaction: if (a == SIGSYS) { if (c) memset((void *)c, 0, 32); return 0; } break;
    case SYS_clone: case SYS_vfork: case SYS_fork: case SYS_clone3: return -ENOSYS;
    }
    return sys(nr, a, b, c, d, e, f);
}

int is_borrower(void) { return borrowed && sys(SYS_getpid, 0, 0, 0, 0, 0, 0) != own_pid; }

void on_trap(int sig, siginfo_t *info, void *context) {
    ucontext_t *u = context;
    greg_t *r = u->uc_mcontext.gregs;
    long nr = info->si_syscall, a = r[REG_RDI], b = r[REG_RSI], c = r[REG_RDX], d = r[REG_R10], e = r[REG_R8], f = r[REG_R9];
    long result;
    (void)sig;
    if (info->si_code != 2 /* SYS_USER_DISPATCH */) {
        on_nudge(u);
        return;
    }
    if (is_borrower()) {
        result = borrower_call(nr, a, b, c, d, e, f, u);
        if (result != NOT_DONE) r[REG_RAX] = result;
        return;
    }
    if (!me) remember_myself();
    traps++, me->in_trap = 1;
    no_loop(u);
    int error = errno;
    me->blocked = *(uint64_t *)&u->uc_sigmask;
    charge_computing();
    result = do_call(nr, a, b, c, d, e, f, u);
    errno = error;
    if (result == -EINTR && restarts(nr)) r[REG_RIP] -= 2, r[REG_RAX] = nr; /* the handler runs, then the call is made again */
    else if (result != NOT_DONE) r[REG_RAX] = result;
    me->pending = 0;
    me->in_trap = 0;
    computing_begins();
}

/* ---- what a new image or child needs */

void remember_process(void) {
    own_pid = sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    borrowed = 0;
}
void lend_memory(void) { borrowed = 1, execs = 0; }
int borrower_has_gone(void) { return borrowed && execs; }
void process_made(void) { borrowed = 0; }
void remember_variable(const char *name, const char *value) {
    static int known;
    if (known < VARIABLES - 1) snprintf(variables[known++], sizeof variables[0], "%s=%s", name, value);
}
