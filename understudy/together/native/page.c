/* The only page from which system calls do not trap, and the springs: where threads and processes are made. */
#include "together.h"
#include <string.h>
#include <sys/mman.h>

enum { SPRINGS = 96, SPRING_BYTES = 32 };

__asm__(
    ".pushsection together_stub,\"ax\",@progbits\n"
    ".balign 4096\n"
    ".globl together_page; .hidden together_page\n together_page:\n"
    ".globl together_sys; .hidden together_sys\n together_sys:\n" /* long together_sys(nr, a, b, c, d, e, f) */
    "  movq %rdi,%rax; movq %rsi,%rdi; movq %rdx,%rsi; movq %rcx,%rdx; movq %r8,%r10; movq %r9,%r8\n"
    "  movq 8(%rsp),%r9; syscall; ret\n"
    ".balign 16\n .globl together_return; .hidden together_return\n together_return:\n" /* the end of a signal handler */
    "  movl $15,%eax; syscall\n"
    ".balign 16\n .globl together_leave; .hidden together_leave\n together_leave:\n" /* touches no stack: it has a new owner */
    "  movq %rsi,%r12; movl $1,(%rdi)\n"
    "  movl $202,%eax; movl $129,%esi; movl $1,%edx; syscall\n" /* futex(go, FUTEX_WAKE_PRIVATE, 1) */
    "  movl $60,%eax; movq %r12,%rdi; syscall\n" /* exit */
    ".balign 64\n .hidden together_springs\n together_springs:\n" /* filled at run time */
    "  .fill 4096 - (together_springs - together_page), 1, 0xcc\n"
    ".popsection\n"
    /* Both sides of a call come here from a spring: rax is the result, r11 where to go on. All else is kept, with the
     * 128 bytes below the stack pointer that a function may use; the registers of the call can be changed. */
    ".pushsection .text\n"
    ".hidden together_landing\n together_landing:\n"
    "  leaq -128(%rsp),%rsp; pushq %r11; pushq %rbp; movq %rsp,%rbp\n"
    "  pushq %rax; pushq %rcx; pushq %r9; pushq %r8; pushq %r10; pushq %rdx; pushq %rsi; pushq %rdi\n"
    "  movq %rsp,%rdi; subq $576,%rsp; andq $-64,%rsp; fxsave64 (%rsp)\n"
    "  call together_landed\n"
    "  fxrstor64 (%rsp); leaq -64(%rbp),%rsp\n"
    "  popq %rdi; popq %rsi; popq %rdx; popq %r10; popq %r8; popq %r9; popq %rcx; popq %rax\n"
    "  popq %rbp; popq %r11; leaq 128(%rsp),%rsp; jmp *%r11\n"
    ".popsection\n");
extern char together_springs[], together_landing[];

void trap_this_thread(void) {
    long got = sys(SYS_prctl, 59 /* PR_SET_SYSCALL_USER_DISPATCH */, 1, together_page, 4096, 0, 0);
    if (got < 0) die("needs Linux 5.11 or newer on x86-64 (Syscall User Dispatch); run in real time instead");
}

/* Both sides of clone, fork and vfork come back to the caller, perhaps on the same stack, so that the handler cannot
 * make the call. It sends the thread to code on the free page instead: "syscall; go to the landing, then to back".
 * There are few callers. */
static uint64_t spring(uint64_t back) {
    static uint64_t known[SPRINGS];
    for (int i = 0; i < SPRINGS; i++) {
        unsigned char *code = (unsigned char *)together_springs + SPRING_BYTES * i;
        if (known[i] == back) return (uint64_t)code;
        if (known[i]) continue;
        uint64_t landing = (uint64_t)together_landing;
        sys(SYS_mprotect, together_page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, 0, 0, 0);
        memcpy(code, "\x0f\x05\x49\xbb", 4); /* syscall; movabs back,%r11 (the call spoils r11 and rcx anyway) */
        memcpy(code + 4, &back, 8);
        memcpy(code + 12, "\x48\xb9", 2); /* movabs landing,%rcx */
        memcpy(code + 14, &landing, 8);
        memcpy(code + 22, "\xff\xe1", 2); /* jmp *%rcx */
        sys(SYS_mprotect, together_page, 4096, PROT_READ | PROT_EXEC, 0, 0, 0);
        known[i] = back;
        return (uint64_t)code;
    }
    die("the program makes processes from too many places");
}

/* Let the thread make a call itself, with registers of our choice, when the trap returns. */
void make_outside(greg_t *r, int what, long nr, const long arguments[5]) {
    static const int places[5] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8};
    me->makes = what;
    for (int i = 0; i < 5; i++) me->registers[i] = r[places[i]], r[places[i]] = arguments[i];
    r[REG_RAX] = nr;
    r[REG_RIP] = spring(r[REG_RIP]);
}

/* The landing's function; *saved* are rdi, rsi, rdx, r10, r8, r9, rcx, rax, rbp, as the thread will have them, and where
 * it goes on. */
__attribute__((visibility("hidden"), used)) void together_landed(long saved[10]);
void together_landed(long saved[10]) {
    long result = saved[7];
    if (!me) thread_born(); /* with thread-local variables of its own */
    for (int i = 0; i < 5; i++) saved[i] = me->registers[i];
    int makes = me->makes;
    if (makes == MAKES_BORROWER && result == 0) trap_this_thread(); /* runs in its parent's memory until it execs */
    if (makes == MAKES_NOTHING || (makes == MAKES_BORROWER && result == 0)) return;
    me->makes = MAKES_NOTHING;
    int launched = borrower_has_gone();
    process_made();
    if (makes == MAKES_PROCESS && result == 0) in_child();
    else if (makes == MAKES_THREAD && result > 0) thread_made();
    else if (makes == MAKES_THREAD) thread_not_made();
    else if (result > 0) say(launched ? "launch" : "spawn", result), others = 1, let_others_see();
    if (me->number && (result == -EEXIST || result == -EPERM || result == -EINVAL)) { /* the program makes the call again */
        me->refused = 1;
        saved[7] = me->call, saved[9] -= 2;
    }
}
