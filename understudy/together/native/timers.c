/* Timers: timerfd, setitimer, alarm, timer_create. The kernel's run in real time, so they are kept here; when one is
 * due in simulated time, the kernel's is set off at once. */
#include "together.h"
#include <linux/futex.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>

enum kind { FREE, DESCRIPTOR, INTERVAL, POSIX };
typedef struct {
    enum kind kind;
    int id;    /* descriptor; number of a POSIX timer */
    int clock, signal, to_thread;
    void *value; /* POSIX: what the signal carries */
    ns_t due, every;
    uint64_t fired;
} timer;
static timer timers[TIMERS];
static int ntimers; /* all that are in use are among the first so many */

static timer *find(enum kind kind, int id) {
    for (int i = 0; i < ntimers; i++)
        if (timers[i].kind == kind && timers[i].id == id) return &timers[i];
    return NULL;
}
static timer *made(enum kind kind, int id, int clock) {
    timer *t = find(kind, id);
    for (int i = 0; !t && i < TIMERS; i++)
        if (timers[i].kind == FREE) t = &timers[i];
    if (!t) die("the program has more than 1024 timers");
    if (t - timers >= ntimers) ntimers = t - timers + 1;
    *t = (timer){.kind = kind, .id = id, .clock = clock, .due = NEVER};
    return t;
}

ns_t next_timer(void) {
    ns_t due = NEVER;
    for (int i = 0; i < ntimers; i++)
        if (timers[i].kind && timers[i].due < due) due = timers[i].due;
    return due;
}

static void send_signal(timer *t) {
    long own = sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    if (t->kind == INTERVAL || !t->signal) {
        if (t->signal) sys(SYS_kill, own, t->signal, 0, 0, 0, 0);
        return;
    }
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = t->signal, info.si_code = SI_TIMER;
    info.si_timerid = t->id, info.si_overrun = (int)t->fired - 1, info.si_value.sival_ptr = t->value;
    if (!t->to_thread) {
        if (sys(SYS_rt_sigqueueinfo, own, t->signal, &info, 0, 0, 0) < 0)
            sys(SYS_kill, own, t->signal, 0, 0, 0, 0);
        return;
    }
    sys(SYS_rt_tgsigqueueinfo, own, t->to_thread, t->signal, &info, 0, 0);
    for (thread *other = all; other; other = other->next)
        if (other->tid == t->to_thread) other->pending |= BIT(t->signal);
}

static void set_off(timer *t) {
    uint64_t periods = t->every > 0 ? (now - t->due) / t->every + 1 : 1;
    t->fired += periods;
    t->due = t->every > 0 ? t->due + (ns_t)periods * t->every : NEVER;
    if (t->kind != DESCRIPTOR) {
        send_signal(t);
        if (t->kind == POSIX) t->fired = 0;
        return;
    }
    struct itimerspec soon = {{0, 0}, {0, 1}};
    struct pollfd p = {t->id, POLLIN, 0};
    sys(SYS_timerfd_settime, t->id, 0, &soon, 0, 0, 0);
    sys(SYS_poll, &p, 1, 1000, 0, 0, 0);
}
void set_off_timers(void) {
    for (int i = 0; i < ntimers; i++)
        if (timers[i].kind && timers[i].due <= now) set_off(&timers[i]);
}

static struct itimerspec left_of(const timer *t) {
    ns_t left = t->due == NEVER ? 0 : t->due > now ? t->due - now : 1, every = t->every;
    return (struct itimerspec){{every / SECOND, every % SECOND}, {left / SECOND, left % SECOND}};
}
static void start(timer *t, int absolute, const struct itimerspec *to) {
    ns_t value = of_spec(&to->it_value);
    t->due = !value ? NEVER : absolute ? value - base_of(t->clock) : later(value);
    t->every = of_spec(&to->it_interval), t->fired = 0;
    if (t->due <= now) t->due = now + 1;
    sooner(t->due);
}

/* ---- timerfd: all of them share one inode, so that the number of the descriptor must do */

void timer_new(int fd, int clock) { made(DESCRIPTOR, fd, clock); }
void timer_closed(int fd) {
    timer *t = find(DESCRIPTOR, fd);
    if (t) t->kind = FREE;
}
void timer_copied(int from, int to) {
    timer *t = find(DESCRIPTOR, from);
    if (t) { timer copy = *t; copy.id = to; *made(DESCRIPTOR, to, t->clock) = copy; }
}
uint64_t timer_take_fired(int fd) {
    timer *t = find(DESCRIPTOR, fd);
    uint64_t fired = t ? t->fired : 0;
    if (t) t->fired = 0;
    return fired;
}
long timerfd_set(int fd, int flags, const struct itimerspec *to, struct itimerspec *old) {
    timer *t = find(DESCRIPTOR, fd);
    struct itimerspec none = {0};
    if (!t) return sys(SYS_timerfd_settime, fd, flags, to, old, 0, 0);
    sys(SYS_timerfd_settime, fd, 0, &none, 0, 0, 0);
    if (old) *old = left_of(t);
    start(t, flags & TFD_TIMER_ABSTIME, to);
    return 0;
}
long timerfd_get(int fd, struct itimerspec *to) {
    timer *t = find(DESCRIPTOR, fd);
    if (!t) return sys(SYS_timerfd_gettime, fd, to, 0, 0, 0, 0);
    *to = left_of(t);
    return 0;
}

/* ---- setitimer, alarm; processor time is simulated time, too */

long interval_left(int which, ns_t *left, ns_t *every) {
    timer *t = find(INTERVAL, which);
    *left = !t || t->due == NEVER ? 0 : t->due - now;
    *every = t ? t->every : 0;
    return 0;
}
long interval_timer(int which, ns_t value, ns_t every, ns_t *left, ns_t *old_every) {
    static const int signals[] = {[ITIMER_REAL] = SIGALRM, [ITIMER_VIRTUAL] = SIGVTALRM, [ITIMER_PROF] = SIGPROF};
    interval_left(which, left, old_every);
    timer *t = made(INTERVAL, which, CLOCK_MONOTONIC);
    t->signal = signals[which], t->due = value ? later(value) : NEVER, t->every = every;
    sooner(t->due);
    return 0;
}

/* ---- timer_create; glibc makes SIGEV_THREAD of a helper thread that takes a signal */

long posix_timer_create(int clock, const struct sigevent *event, int *id) {
    static int numbers;
    timer *t = made(POSIX, ++numbers, clock);
    t->signal = !event ? SIGALRM : event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo;
    t->value = event ? event->sigev_value.sival_ptr : (void *)(long)t->id;
    t->to_thread = event && event->sigev_notify == SIGEV_THREAD_ID ? event->_sigev_un._tid : 0;
    *id = t->id;
    return 0;
}
long posix_timer_set(int id, int flags, const struct itimerspec *to, struct itimerspec *old) {
    timer *t = find(POSIX, id);
    if (!t) return -EINVAL;
    if (old) *old = left_of(t);
    start(t, flags & TIMER_ABSTIME, to);
    return 0;
}
long posix_timer_get(int id, struct itimerspec *to) {
    timer *t = find(POSIX, id);
    if (!t) return -EINVAL;
    *to = left_of(t);
    return 0;
}
long posix_timer_overruns(int id) { return find(POSIX, id) ? 0 : -EINVAL; }
long posix_timer_delete(int id) {
    timer *t = find(POSIX, id);
    if (!t) return -EINVAL;
    t->kind = FREE;
    return 0;
}

/* After a fork: a child inherits descriptors, not the other timers. */
void no_timers(void) {
    for (int i = 0; i < ntimers; i++)
        if (timers[i].kind != DESCRIPTOR) timers[i].kind = FREE;
}
