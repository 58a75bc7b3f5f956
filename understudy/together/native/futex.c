/* futex(): what mutexes, conditions, semaphores, barriers and joins wait with, of C, C++, Python, Java and others. */
#include "together.h"
#include <linux/futex.h>

static thread *oldest_of(const uint32_t *word, uint32_t mask) {
    thread *best = NULL;
    for (thread *t = all; t; t = t->next)
        if (t->waits && (t->kind & WAIT_FUTEX) && t->word == word && (t->mask & mask) &&
            (!best || t->turn < best->turn)) best = t;
    return best;
}
static int wake(uint32_t *word, uint32_t mask, int most) {
    int woken = 0;
    for (thread *t; woken < most && (t = oldest_of(word, mask)); woken++) make_ready(t, BY_FUTEX);
    return woken;
}

static long wait_for_word(uint32_t *word, int op, uint32_t value, ns_t until, uint32_t mask) {
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return -EAGAIN;
    int shared = !(op & FUTEX_PRIVATE_FLAG);
    if (shared && has_just_ended(value)) { /* a join: the kernel is about to clear the word */
        while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value)
            sys(SYS_futex, word, FUTEX_WAIT, value, 0, 0, 0);
        return 0;
    }
    if (until <= now) {
        charge(COST_CALL);
        return -ETIMEDOUT;
    }
    me->word = word, me->mask = mask, me->value = value, me->shared = shared;
    int why = wait_until(until, WAIT_FUTEX);
    return why == BY_FUTEX ? 0 : why == BY_SIGNAL ? -EINTR : -ETIMEDOUT;
}

/* Priority-inheriting mutexes: the word holds the owner's number, and the kernel hands it over. */
static long lock_pi(uint32_t *word, int op, ns_t until, int tries) {
    for (;;) {
        uint32_t free = 0, tid = me->tid;
        uint32_t owned = oldest_of(word, ~0u) ? tid | FUTEX_WAITERS : tid; /* else its unlocking would not tell us */
        if (__atomic_compare_exchange_n(word, &free, owned, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return 0;
        if ((free & FUTEX_TID_MASK) == tid) return -EDEADLK;
        if (tries) return -EAGAIN;
        if (until <= now) return -ETIMEDOUT;
        me->value = __atomic_or_fetch(word, FUTEX_WAITERS, __ATOMIC_SEQ_CST);
        me->word = word, me->mask = ~0u, me->shared = !(op & FUTEX_PRIVATE_FLAG);
        if (wait_until(until, WAIT_FUTEX) == BY_SIGNAL) return -EINTR;
    }
}
static long unlock_pi(uint32_t *word) {
    __atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
    wake(word, ~0u, 1);
    return 0;
}

long do_futex(uint32_t *word, int op, uint32_t value, struct timespec *limit, uint32_t *word2, uint32_t mask) {
    int what = op & FUTEX_CMD_MASK, woken;
    ns_t until = NEVER;
    if (what == FUTEX_WAIT && limit) until = later(of_spec(limit));
    else if (what == FUTEX_WAIT_BITSET && limit)
        until = of_spec(limit) - base_of(op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC);
    switch (what) {
    case FUTEX_WAIT: return wait_for_word(word, op, value, until, ~0u);
    case FUTEX_WAIT_BITSET: return wait_for_word(word, op, value, until, mask);
    case FUTEX_WAKE: mask = ~0u; /* fall through */
    case FUTEX_WAKE_BITSET:
        woken = wake(word, mask, (int)value);
        break;
    case FUTEX_CMP_REQUEUE:
        if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != mask) return -EAGAIN; /* fall through */
    case FUTEX_REQUEUE:
        woken = wake(word, ~0u, (int)value);
        for (thread *t = all; t; t = t->next)
            if (t->waits && (t->kind & WAIT_FUTEX) && t->word == word) t->word = word2;
        return woken;
    case FUTEX_WAKE_OP: {
        long got = sys(SYS_futex, word, op, 0, 0, word2, mask); /* changes the second word, wakes nobody */
        if (got < 0) return got;
        return wake(word, ~0u, (int)value) + wake(word2, ~0u, (int)(long)limit);
    }
    case FUTEX_LOCK_PI: return lock_pi(word, op, limit ? of_spec(limit) - real_base : NEVER, 0);
    case 13 /* FUTEX_LOCK_PI2 */:
        return lock_pi(word, op, limit ? of_spec(limit) - base_of(op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC) : NEVER, 0);
    case FUTEX_TRYLOCK_PI: return lock_pi(word, op, NEVER, 1);
    case FUTEX_UNLOCK_PI: return unlock_pi(word);
    default: return sys(SYS_futex, word, op, value, limit, word2, mask);
    }
    if (woken < (int)value && !(op & FUTEX_PRIVATE_FLAG)) { /* a thread that is being made; another process */
        long more = sys(SYS_futex, word, op, value - woken, 0, 0, mask);
        if (more > 0) woken += more;
    }
    return woken;
}
