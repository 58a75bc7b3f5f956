/* The making of threads and processes, with numbers that are the same in each run if the simulator has any to give:
 * programs make random numbers of them ($RANDOM of bash, rand of Ruby), and print them. */
#include "together.h"
#include <linux/sched.h>
#include <string.h>

/* Say a call in terms of clone3. */
static struct clone_args as_clone3(long nr, long a, long size, const greg_t *r) {
    struct clone_args all = {.exit_signal = SIGCHLD};
    if (nr == SYS_clone3) memcpy(&all, (void *)a, size < (long)sizeof all ? size : (long)sizeof all);
    else if (nr == SYS_vfork) all.flags = CLONE_VM | CLONE_VFORK;
    else if (nr == SYS_clone) {
        all.flags = a & ~CSIGNAL, all.exit_signal = a & CSIGNAL;
        all.parent_tid = all.pidfd = r[REG_RDX], all.child_tid = r[REG_R10], all.tls = r[REG_R8];
        if (r[REG_RSI]) all.stack = r[REG_RSI] - 64, all.stack_size = 64; /* its end counts, not its beginning */
        if (!(all.flags & CLONE_PIDFD)) all.pidfd = 0;
    }
    return all;
}

/* The thread makes the call on a spring, and comes back from there. */
long do_clone(long nr, long a, long b, greg_t *r) {
    struct clone_args all = as_clone3(nr, a, b, r);
    uint64_t flags = all.flags;
    if ((flags & CLONE_THREAD) && !(flags & CLONE_SETTLS))
        die("the program makes threads without the C library; run it in real time");
    if (!(flags & CLONE_VM)) childs_seed = draw_chance();
    int makes = flags & CLONE_THREAD ? MAKES_THREAD : flags & CLONE_VM ? MAKES_BORROWER : MAKES_PROCESS;
    if (makes == MAKES_BORROWER) lend_memory();
    me->call = nr;
    me->number = me->refused || all.set_tid_size ? 0 : ask_for_number();
    me->refused = 0;
    long arguments[5] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8]};
    if (me->number) {
        all.set_tid = (uint64_t)&me->number, all.set_tid_size = 1;
        _Static_assert(sizeof all <= sizeof me->clone, "room for the kernel's struct");
        memcpy(me->clone, &all, sizeof all);
        nr = SYS_clone3, arguments[0] = (long)me->clone, arguments[1] = sizeof all;
    }
    make_outside(r, makes, nr, arguments);
    if (makes == MAKES_THREAD) expect_thread();
    return NOT_DONE;
}
