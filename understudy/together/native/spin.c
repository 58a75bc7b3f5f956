/* Threads that wait for another one by looking at memory in a loop. They make no call, so nothing traps, and nobody else
 * has the baton. A timer of processor time makes us look at a thread that has not been heard of for a while: it is
 * executed step by step. If its registers go through the same states again and again, it changes nothing, so that
 * nothing but somebody else can end its loop: it waits until somebody has run. A thread that computes never does that.
 *
 * So when we look has no influence on what the program does. */
#include "together.h"
#include <string.h>
#include <sys/mman.h>

enum {
    TRACE = 8192,     /* states that are kept */
    LONGEST = 4096,   /* steps of a loop */
    ROUNDS = 64,      /* ... that must be the same, or 8 of a long one: a counter in memory shows in the flags */
    STEPS = 60000,    /* before we give up */
    STEP_FLAG = 0x100,
    SELDOM_NS = 50000000, OFTEN_NS = 2000000, SELDOM = 64,
    REGISTERS = REG_EFL + 1,
};
struct spin {
    uint64_t trace[TRACE], tortoise;
    long count, power, distance; /* steps so far; Brent's search for a period */
    long period, same;           /* of which so many steps have been as one period before */
    int is_loop;                 /* it has waited here already */
};
static int timer_id = -1, patience = 1, skipped;
uint64_t traps;
extern char __ehdr_start[], _end[]; /* of this library */

static void look_every(ns_t interval) {
    struct itimerspec often = {{0, interval}, {0, interval}};
    sys(SYS_timer_settime, timer_id, 0, &often, 0, 0, 0);
}
void watch_for_loops(void) {
    struct sigevent nudge = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGSYS};
    patience = 1, skipped = 0;
    if (compute > 0 || sys(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &nudge, &timer_id, 0, 0, 0) < 0) return;
    look_every(SELDOM_NS);
}

/* ---- looking at a thread */

static void stop_stepping(ucontext_t *u) {
    u->uc_mcontext.gregs[REG_EFL] &= ~STEP_FLAG;
    me->stepping = 0;
}
/* A call, a look at the clock: it is no such loop. */
void no_loop(ucontext_t *u) {
    if (me->stepping) stop_stepping(u);
}
static void begin_stepping(ucontext_t *u) {
    if (!me->spin) me->spin = (struct spin *)sys(SYS_mmap, 0, sizeof *me->spin, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if ((unsigned long)me->spin > -4096UL) { me->spin = NULL; return; }
    memset(me->spin, 0, sizeof *me->spin);
    me->spin->power = 1;
    me->stepping = 1;
    u->uc_mcontext.gregs[REG_EFL] |= STEP_FLAG;
}

static int is_ours(const ucontext_t *u) {
    char *at = (char *)u->uc_mcontext.gregs[REG_RIP];
    return at >= __ehdr_start && at < _end;
}

/* The timer's signal; any thread may get it. */
void on_nudge(ucontext_t *u) {
    static uint64_t seen_traps;
    static ns_t seen_now;
    thread *t = running;
    if (!alive || !t || !me || is_borrower()) return;
    if (traps != seen_traps || now != seen_now) {
        seen_traps = traps, seen_now = now;
        return;
    }
    if (t != me) sys(SYS_tgkill, sys(SYS_getpid, 0, 0, 0, 0, 0, 0), t->tid, SIGSYS, 0, 0, 0);
    else if (!me->in_trap && !me->stepping && !me->makes && !is_ours(u) && ++skipped >= patience) {
        skipped = 0;
        begin_stepping(u);
    }
}

/* ---- its steps */

static uint64_t state_of(const ucontext_t *u) {
    const greg_t *r = u->uc_mcontext.gregs;
    const uint64_t *vectors = (const uint64_t *)u->uc_mcontext.fpregs->_xmm;
    uint64_t h = 0;
    for (int i = 0; i < REGISTERS; i++)
        h = (h ^ (uint64_t)(i == REG_EFL ? r[i] & 0xcd5 : r[i])) * 0x9E3779B97F4A7C15ULL, h ^= h >> 29;
    for (int i = 0; i < 32; i++) h = (h ^ vectors[i]) * 0x9E3779B97F4A7C15ULL, h ^= h >> 29;
    return h;
}

static long enough(const struct spin *s) {
    if (s->is_loop) return s->period;
    return s->period * (s->period * ROUNDS < STEPS / 2 ? ROUNDS : 8);
}

/* Take one more state; return whether the thread goes round in a loop. */
static int goes_round(struct spin *s, uint64_t state) {
    if (!s->period) {
        s->distance++;
        if (state == s->tortoise && s->distance <= LONGEST) s->period = s->distance, s->same = 0;
        else if (s->distance == s->power) s->tortoise = state, s->power *= 2, s->distance = 0;
    }
    if (s->period && state == s->trace[(s->count - s->period) % TRACE]) s->same++;
    else if (s->period) s->period = 0, s->power = 1, s->distance = 0;
    s->trace[s->count++ % TRACE] = state;
    return s->period && s->same >= enough(s);
}

static void await_somebody(ucontext_t *u) {
    struct spin *s = me->spin;
    static int said;
    if (!said++) warn("a thread waits by looking at memory in a loop, which is slow here");
    if (!s->is_loop) changes++, look_every(OFTEN_NS); /* what it did before, others may be waiting for */
    patience = 1;
    s->is_loop = 1, s->same = 0, s->count = s->count % TRACE + TRACE;
    me->blocked = *(uint64_t *)&u->uc_sigmask;
    me->in_trap = 1, me->seen = changes;
    wait_until(NEVER, WAIT_LOOP);
    me->in_trap = 0, me->pending = 0;
}

/* A step has been made; all signals are blocked, as in the trap. */
void on_step(ucontext_t *u) {
    if (!me || !me->stepping) {
        u->uc_mcontext.gregs[REG_EFL] &= ~STEP_FLAG;
        return;
    }
    struct spin *s = me->spin;
    if (goes_round(s, state_of(u))) await_somebody(u);
    else if ((s->is_loop && !s->period) || s->count > TRACE + STEPS) {
        if (!s->is_loop) { /* it computes */
            if (patience < SELDOM) patience *= 2;
            look_every(SELDOM_NS);
        }
        stop_stepping(u);
    }
}
