/* Signals of the processor that are ours, so that what the program wants done with them is kept.
 *
 * SIGSEGV: there is a clock that needs neither a call nor a function, the processor's counter of cycles. The kernel lets
 * reading it fail, and it is answered here, as a counter of simulated nanoseconds. SIGTRAP: steps (spin.c). */
#include "together.h"
#include <string.h>
#include <sys/prctl.h>

static action wanted[2]; /* of SIGSEGV, SIGTRAP */
static action *wanted_of(int sig) { return &wanted[sig == SIGTRAP]; }

void forbid_cycles(int forbid) {
    sys(SYS_prctl, PR_SET_TSC, forbid ? PR_TSC_SIGSEGV : PR_TSC_ENABLE, 0, 0, 0, 0);
}

static uint64_t cycles(ucontext_t *u) {
    if (is_borrower() || !me || charge_quickly(COST_CLOCK)) return now + base_of(CLOCK_MONOTONIC);
    uint64_t all = ~BIT(SIGSYS); /* as in the trap; the return restores the mask */
    sys(SYS_rt_sigprocmask, SIG_SETMASK, &all, 0, 8, 0, 0);
    me->blocked = *(uint64_t *)&u->uc_sigmask;
    me->in_trap = 1;
    charge(COST_CLOCK);
    me->in_trap = 0;
    return now + base_of(CLOCK_MONOTONIC);
}

/* Return whether the program has read the counter; it then goes on behind. */
static int reads_cycles(ucontext_t *u) {
    greg_t *r = u->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)r[REG_RIP];
    int rdtsc = code[0] == 0x0f && code[1] == 0x31, rdtscp = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
    if (!rdtsc && !rdtscp) return 0;
    uint64_t value = cycles(u);
    r[REG_RAX] = value & 0xffffffff, r[REG_RDX] = value >> 32, r[REG_RIP] += rdtscp ? 3 : 2;
    if (rdtscp) r[REG_RCX] = 0; /* the number of the processor */
    return 1;
}

static void on_fault(int sig, siginfo_t *info, void *context) {
    if (sig == SIGTRAP && info->si_code == TRAP_TRACE) {
        uint64_t all = ~NEVER_BLOCKED; /* as in the trap */
        sys(SYS_rt_sigprocmask, SIG_BLOCK, &all, 0, 8, 0, 0);
        on_step(context);
        return;
    }
    if (sig == SIGSEGV && info->si_code == SI_KERNEL && reads_cycles(context)) return;
    action act = *wanted_of(sig);
    int sent = info->si_code <= 0; /* by a program, not by the processor */
    if (act.handler == SIG_IGN && sent) return;
    if (act.handler == SIG_DFL || act.handler == SIG_IGN) { /* it is the end, now as it would have been */
        action none = {0};
        sys(SYS_rt_sigaction, sig, &none, 0, 8, 0, 0);
        if (sent) sys(SYS_tkill, sys(SYS_gettid, 0, 0, 0, 0, 0, 0), sig, 0, 0, 0, 0);
        return;
    }
    if (act.flags & SA_RESETHAND) wanted_of(sig)->handler = SIG_DFL;
    ((void (*)(int, siginfo_t *, void *))act.handler)(sig, info, context);
}

static void install(int sig) {
    const action *theirs = wanted_of(sig);
    action ours = {on_fault, SA_SIGINFO | SA_ONSTACK | RESTORER | (theirs->flags & (SA_NODEFER | SA_RESTART)),
                   together_return, theirs->mask & ~NEVER_BLOCKED};
    sys(SYS_rt_sigaction, sig, &ours, 0, 8, 0, 0);
}
int is_kept(int sig) { return sig == SIGSEGV || sig == SIGTRAP; }
void keep_fault_action(int sig, const action *to, action *old) {
    action before = *wanted_of(sig);
    if (to) *wanted_of(sig) = *to, install(sig);
    if (old) *old = before;
}
void begin_faults(void) {
    for (int sig = SIGTRAP; sig; sig = sig == SIGTRAP ? SIGSEGV : 0) {
        sys(SYS_rt_sigaction, sig, 0, wanted_of(sig), 8, 0, 0);
        install(sig);
    }
    forbid_cycles(1);
}
