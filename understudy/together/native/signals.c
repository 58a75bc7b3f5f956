/* Signals. While a thread is in the trap all of them are blocked: one that would do something ends the wait, and is
 * delivered when the trap returns. So no handler runs inside the scheduler, nor without the baton. */
#include "together.h"
#include <string.h>
#include <unistd.h>

static uint64_t handled, ignored, restarting;
static const uint64_t harmless = BIT(SIGCHLD) | BIT(SIGURG) | BIT(SIGWINCH) | BIT(SIGCONT); /* ignored by default */
static uint64_t common; /* signals to the whole process, as last looked up */

uint64_t pending_signals(void) {
    uint64_t set = 0;
    sys(SYS_rt_sigpending, &set, 8, 0, 0, 0, 0);
    return set;
}

static int takes_signal(thread *t) {
    uint64_t set = (common | t->pending) & ~((t->kind & WAIT_SIGNALS) ? 0 : ignored & ~handled);
    uint64_t noticed = handled | (~harmless & ~ignored);
    return (set & ~t->blocked & noticed) || ((t->kind & WAIT_SIGNALS) && (set & t->signals));
}

/* Return the thread that a pending signal wakes: as in the kernel the first one, if it takes it. */
thread *signalled(void) {
    common = pending_signals() & ~me->pending;
    return first.waits && takes_signal(&first) ? &first : oldest(takes_signal);
}

/* Is an interrupted call made again after the handler? */
int restarts(long nr) {
    switch (nr) {
    case SYS_read: case SYS_readv: case SYS_write: case SYS_writev: case SYS_recvfrom: case SYS_recvmsg:
    case SYS_recvmmsg: case SYS_sendto: case SYS_sendmsg: case SYS_accept: case SYS_accept4: case SYS_connect:
    case SYS_wait4: case SYS_waitid: case SYS_futex: case SYS_fcntl: case SYS_flock: break;
    default: return 0;
    }
    uint64_t set = (pending_signals() | me->pending) & ~me->blocked;
    return !(set & handled & ~restarting);
}

static void note_disposition(int sig, const action *act) {
    handled &= ~BIT(sig), ignored &= ~BIT(sig), restarting &= ~BIT(sig);
    if (act->handler == SIG_IGN) ignored |= BIT(sig);
    else if (act->handler != SIG_DFL) handled |= BIT(sig);
    if (act->flags & SA_RESTART) restarting |= BIT(sig);
}

/* A new image inherits which signals are ignored. */
void note_dispositions(void) {
    for (int sig = 1; sig <= 64; sig++) {
        action act = {0};
        if (sig != SIGSYS && sys(SYS_rt_sigaction, sig, 0, &act, 8, 0, 0) == 0) note_disposition(sig, &act);
    }
}

long do_sigaction(long sig, const void *to, void *old) {
    action act;
    if (sig == SIGSYS) { /* it belongs to the trap */
        if (old) memset(old, 0, sizeof act);
        return 0;
    }
    if (to) {
        memcpy(&act, to, sizeof act);
        act.mask &= ~NEVER_BLOCKED;
    }
    long result = 0;
    if (is_kept(sig)) keep_fault_action(sig, to ? &act : NULL, old);
    else result = sys(SYS_rt_sigaction, sig, to ? &act : NULL, old, 8, 0, 0);
    if (result == 0 && to) note_disposition(sig, &act);
    return result;
}

/* Change the mask that the trap's return restores. */
long do_sigmask(uint64_t *mask, long how, const uint64_t *want, uint64_t *old) {
    uint64_t before = *mask;
    if (want) {
        if (how == SIG_BLOCK) *mask |= *want;
        else if (how == SIG_UNBLOCK) *mask &= ~*want;
        else if (how == SIG_SETMASK) *mask = *want;
        else return -EINVAL;
        *mask &= ~NEVER_BLOCKED;
    }
    if (old) *old = before;
    return 0;
}

/* End a wait because of a signal. With a mask of the call's own the handler runs here, as the kernel does it. */
long interrupted(const uint64_t *mask) {
    if (mask) {
        uint64_t open = *mask & ~NEVER_BLOCKED;
        me->pending = 0;
        sys(SYS_rt_sigsuspend, &open, 8, 0, 0, 0, 0);
    }
    return -EINTR;
}

long do_sigsuspend(const uint64_t *mask) {
    uint64_t before = me->blocked;
    if (mask) me->blocked = *mask & ~NEVER_BLOCKED;
    while (wait_until(NEVER, 0) != BY_SIGNAL) { }
    me->blocked = before;
    return interrupted(mask);
}

long do_sigwait(uint64_t *set, siginfo_t *info, struct timespec *limit) {
    static const struct timespec none;
    ns_t until = limit ? later(of_spec(limit)) : NEVER;
    for (;;) {
        long got = sys(SYS_rt_sigtimedwait, set, info, &none, 8, 0, 0);
        if (got != -EAGAIN) return got;
        if (until <= now) { charge(COST_CALL); return got; }
        me->signals = *set;
        if (wait_until(until, WAIT_SIGNALS) == BY_SIGNAL) {
            got = sys(SYS_rt_sigtimedwait, set, info, &none, 8, 0, 0);
            return got == -EAGAIN ? -EINTR : got;
        }
    }
}

/* Another process was sent a signal. It ends a wait of it, in its turn; but one that kills does so in real time, so that
 * the simulator must see its end before this process can. */
static void sent_to(long other, int sig) {
    say(sig == SIGKILL ? "kill" : "poke", other);
    if (sig == SIGKILL) meet_simulator();
    else let_others_see();
}
long do_pidfd_kill(long pidfd, long sig, long info, long flags) {
    struct pollfd ends = {pidfd, POLLIN, 0};
    long result = sys(SYS_pidfd_send_signal, pidfd, sig, info, flags, 0, 0);
    if (result < 0 || !sig) return result;
    if (sig == SIGKILL) sys(SYS_poll, &ends, 1, 1000, 0, 0, 0);
    sent_to(sig == SIGKILL ? 0 : -1, sig); /* any of them */
    return result;
}

/* kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo */
long do_kill(long nr, long a, long b, long c, long d) {
    long own = sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    int to_thread = nr == SYS_tkill || nr == SYS_tgkill || nr == SYS_rt_tgsigqueueinfo;
    int one = nr == SYS_tkill ? a : b, sig = nr == SYS_kill || nr == SYS_tkill || nr == SYS_rt_sigqueueinfo ? b : c;
    long result = sys(nr, a, b, c, d, 0, 0);
    if (result < 0 || !sig) return result;
    if (to_thread) {
        for (thread *t = all; t; t = t->next)
            if (t->tid == one && sig >= 1 && sig <= 64) t->pending |= BIT(sig);
        return result;
    }
    if (a != own) sent_to(a, sig);
    if ((a == own || a <= 0) && me != &first && first.waits && signalled() == &first) {
        make_ready(&first, BY_SIGNAL); /* the first thread takes it, if it can */
        make_ready(me, BY_TIME);
        hand_over();
    }
    return result;
}
