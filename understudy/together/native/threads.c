/* Threads and the baton: who runs next, and when simulated time passes. */
#include "together.h"
#include <linux/futex.h>
#include <sys/mman.h>

thread first, *all = &first, *running = &first;
uint64_t changes;
__thread thread *me __attribute__((tls_model("initial-exec")));
ns_t now, lease;
int alive, child_ended, others, ran;
double compute;

static thread *ready, *ready_end;
static thread *spare;      /* of threads that have ended */
static thread *newborn;    /* a thread that has been made and has not begun */
static uint64_t turns;
static ns_t horizon;       /* until here a running thread's clock may advance without anybody else's turn */
static ns_t computed;      /* processor time of the process when the program last went on (ns) */
enum { ENDED = 64 };
static int ended[ENDED], nended; /* numbers of the last threads that have ended */

/* ---- time */

ns_t of_spec(const struct timespec *t) { return t->tv_sec * SECOND + t->tv_nsec; }
ns_t later(ns_t by) { return by > NEVER - now ? NEVER : now + (by > 0 ? by : 0); }

void sooner(ns_t at) { if (at < horizon) horizon = at; }
void look_ahead(void) {
    horizon = lease;
    if (next_timer() < horizon) horizon = next_timer();
    if (ready && now + COST_SPIN < horizon) horizon = now + COST_SPIN;
    for (thread *t = all; t; t = t->next)
        if (t->waits && t->until < horizon) horizon = t->until;
}

int charge_quickly(ns_t cost) {
    if (now + cost >= horizon) return 0;
    now += cost;
    return 1;
}
void charge(ns_t cost) {
    if (!charge_quickly(cost)) wait_until(now + cost, 0);
}

void give_way(void) {
    if (ready) wait_until(now + COST_CALL, 0);
    else charge(COST_CALL);
}

/* What was done may be another process's turn: it goes first, before time passes here. */
void let_others_see(void) {
    if (others && lease > now) lease = now, sooner(now);
}

void meet_simulator(void) {
    lease = now;
    wait_until(now, 0);
}

static ns_t processor_time(void) {
    struct timespec t;
    sys(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t, 0, 0, 0, 0);
    return of_spec(&t);
}
void computing_begins(void) { if (compute > 0) computed = processor_time(); }
void charge_computing(void) {
    if (compute > 0) charge((ns_t)((processor_time() - computed) * compute));
}

/* ---- the baton */

static void baton_to(thread *t) {
    __atomic_store_n(&t->go, 1, __ATOMIC_RELEASE);
    sys(SYS_futex, &t->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}
static void await_baton(void) {
    while (!__atomic_exchange_n(&me->go, 0, __ATOMIC_ACQUIRE))
        sys(SYS_futex, &me->go, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

void make_ready(thread *t, int why) {
    t->waits = 0, t->why = why, t->behind = NULL, ran = 1;
    sooner(now + COST_SPIN);
    if (ready) ready_end->behind = t;
    else ready = t;
    ready_end = t;
}

thread *oldest(int (*fits)(thread *)) {
    thread *best = NULL;
    for (thread *t = all; t; t = t->next)
        if (t->waits && fits(t) && (!best || t->turn < best->turn)) best = t;
    return best;
}
static int has_input(thread *t) {
    if ((t->kind & WAIT_FUTEX) && t->shared) return __atomic_load_n(t->word, __ATOMIC_SEQ_CST) != t->value;
    if (t->kind & WAIT_ATTEMPT) return attempt_succeeds(t);
    if (t->kind & WAIT_LOOP) return t->seen != changes;
    if (t->kind & WAIT_DRAIN) return is_drained(t->drains);
    return (t->kind & WAIT_FDS) && poll_now(t->fds, t->nfds) != 0;
}
static int awaits_child(thread *t) { return t->kind & WAIT_CHILD; }

/* Wake those whose time has come, the earliest first. */
static void wake_due(void) {
    set_off_timers();
    for (;;) {
        thread *best = NULL;
        for (thread *t = all; t; t = t->next)
            if (t->waits && t->until <= now && (!best || t->until < best->until ||
                (t->until == best->until && t->turn < best->turn))) best = t;
        if (!best) return;
        make_ready(best, BY_TIME);
    }
}

/* Wake those for whom something has come; time does not pass. */
static void wake_served(void) {
    thread *t = signalled();
    if (t) {
        make_ready(t, BY_SIGNAL);
        return;
    }
    await_announced();
    deliver_to_terminals();
    while ((t = oldest(has_input))) make_ready(t, t->kind & WAIT_FUTEX ? BY_FUTEX : t->kind & WAIT_ATTEMPT ? BY_ATTEMPT
                                                   : t->kind & WAIT_LOOP ? BY_CHANGE : BY_FDS);
    if (child_ended) {
        child_ended = 0;
        while ((t = oldest(awaits_child))) make_ready(t, BY_CHILD);
    }
}

static void let_time_pass(void) {
    ns_t soonest = next_timer();
    int child = 0;
    for (thread *t = all; t; t = t->next)
        if (t->waits) {
            if (t->until < soonest) soonest = t->until;
            child |= t->kind & WAIT_CHILD;
        }
    if (soonest >= lease) now = ask_for_time(soonest, child != 0);
    else if (soonest > now) now = soonest;
    wake_due();
}

static thread *next_to_run(void) {
    while (!ready) {
        wake_served();
        if (!ready) let_time_pass();
    }
    thread *t = ready;
    ready = t->behind;
    return t;
}

/* Choose who runs next and hand over; the caller waits for its turn. */
void hand_over(void) {
    thread *t = next_to_run();
    if (t != me) {
        baton_to(t);
        await_baton();
    }
    running = me;
    look_ahead();
}

int wait_until(ns_t until, int kind) {
    if (kind != WAIT_LOOP) changes++;
    me->kind = kind, me->until = until, me->waits = 1, me->turn = ++turns;
    hand_over();
    me->kind = 0;
    return me->why;
}

/* ---- the making and ending of threads */

static thread *new_thread(void) {
    enum { AT_ONCE = 64 };
    if (!spare) {
        thread *some = (thread *)sys(SYS_mmap, 0, AT_ONCE * sizeof *some, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if ((unsigned long)some > -4096UL) die("no memory for another thread");
        for (int i = 0; i < AT_ONCE; i++) some[i].next = spare, spare = &some[i];
    }
    thread *t = spare;
    spare = t->next;
    if (t->left_bytes) sys(SYS_munmap, t->left_at, t->left_bytes, 0, 0, 0, 0);
    *t = (thread){.stack = t->stack};
    return t;
}

/* Called before the call that makes a thread; the thread itself calls thread_born, its maker thread_made. */
void expect_thread(void) {
    newborn = new_thread();
    for (int i = 0; i < 5; i++) newborn->registers[i] = me->registers[i];
}
void thread_not_made(void) { newborn->next = spare, spare = newborn; }

thread *thread_born(void) {
    thread *t = newborn;
    int tid = sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    me = t;
    __atomic_store_n(&t->tid, tid, __ATOMIC_RELEASE);
    sys(SYS_futex, &t->tid, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    await_baton();
    running = me;
    look_ahead();
    use_trap_stack(t);
    trap_this_thread();
    return t;
}

void thread_made(void) {
    thread **end = &all;
    while (!__atomic_load_n(&newborn->tid, __ATOMIC_ACQUIRE))
        sys(SYS_futex, &newborn->tid, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    while (*end) end = &(*end)->next;
    *end = newborn;
    make_ready(newborn, BY_TIME);
    look_ahead();
}

void thread_ends(long status) {
    thread **at = &all;
    changes++;
    for (thread *t = all; t; t = t->next) /* pthread_join waits for a word that holds the thread's number */
        if (t->waits && (t->kind & WAIT_FUTEX) && *t->word == (uint32_t)me->tid) make_ready(t, BY_FUTEX);
    while (*at != me) at = &(*at)->next;
    *at = me->next;
    ended[nended++ % ENDED] = me->tid;
    if (me != &first) me->next = spare, spare = me; /* its stack, too, which is ours until the baton has gone */
    if (all) together_leave(&next_to_run()->go, status);
    say_bye();
    sys(SYS_exit, status, 0, 0, 0, 0, 0);
}

/* musl clears the thread-local variables of a timer's thread each time. */
void remember_myself(void) {
    int tid = sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    for (me = all; me && me->tid != tid;) me = me->next;
}

int has_just_ended(int tid) {
    for (int i = 0; tid > 0 && i < ENDED; i++)
        if (ended[i] == tid) return 1;
    return 0;
}

void only_this_thread(void) {
    all = running = me, me->next = NULL, ready = NULL, me->waits = 0;
    me->tid = sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < ENDED; i++) ended[i] = 0;
}
