/* The trap runs on a stack of its own: that of the program may be too small for a signal's frame (goroutines, threads
 * with 16 kB), or may be what a thread that ends gives back. The kernel knows one such stack for each thread, so what
 * the program asks for with sigaltstack is kept here, and used if it is large enough for both. */
#include "together.h"
#include <sys/mman.h>

enum { STACK_BYTES = 128 << 10, GUARD_BYTES = 4096, LARGE_ENOUGH = 24 << 10, AUTODISARM = 1 << 31 };

static stack_t own_stack(const thread *t) {
    return (stack_t){.ss_sp = t->stack + GUARD_BYTES, .ss_size = STACK_BYTES - GUARD_BYTES};
}

/* Called by the thread itself, which is not in the trap. */
void use_trap_stack(thread *t) {
    if (!t->stack) {
        t->stack = (char *)sys(SYS_mmap, 0, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if ((unsigned long)t->stack > -4096UL) die("no memory for another thread");
        sys(SYS_mprotect, t->stack, GUARD_BYTES, PROT_NONE, 0, 0, 0);
    }
    stack_t own = own_stack(t);
    t->alt = (stack_t){.ss_flags = SS_DISABLE};
    sys(SYS_sigaltstack, &own, 0, 0, 0, 0, 0);
}

/* A thread that ends may give back its stack with its thread-local variables (musl), which we still use: later. */
long do_munmap(long at, long size) {
    char *ours = (char *)&me;
    if (ours < (char *)at || ours >= (char *)at + size) return sys(SYS_munmap, at, size, 0, 0, 0, 0);
    me->left_at = at, me->left_bytes = size;
    return 0;
}

static int is_on(const stack_t *s, const ucontext_t *u) {
    char *at = (char *)u->uc_mcontext.gregs[REG_RSP], *low = s->ss_sp;
    return !(s->ss_flags & SS_DISABLE) && at > low && at <= low + s->ss_size;
}

/* The kernel does not change a stack while it is in use, so that the thread does it after the trap. */
long do_sigaltstack(ucontext_t *u, const stack_t *to, stack_t *old) {
    stack_t before = me->alt;
    if (is_on(&before, u)) before.ss_flags |= SS_ONSTACK;
    if (to) {
        if (before.ss_flags & SS_ONSTACK) return -EPERM;
        if (to->ss_flags & ~(SS_DISABLE | SS_ONSTACK | AUTODISARM)) return -EINVAL;
        if (!(to->ss_flags & SS_DISABLE) && to->ss_size < 2048 /* MINSIGSTKSZ */) return -ENOMEM;
        me->alt = *to;
        me->alt.ss_flags &= ~SS_ONSTACK;
        me->used = !(to->ss_flags & SS_DISABLE) && to->ss_size >= LARGE_ENOUGH ? me->alt : own_stack(me);
        make_outside(u->uc_mcontext.gregs, MAKES_NOTHING, SYS_sigaltstack, (long[5]){(long)&me->used});
    }
    if (old) *old = before;
    return to ? NOT_DONE : 0;
}
