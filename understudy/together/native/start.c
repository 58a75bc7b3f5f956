/* The beginning of a program, and of a child after fork. */
#include "together.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take_charge(void) {
    struct { void (*handler)(int, siginfo_t *, void *); uint64_t flags; void *restorer; uint64_t mask; } act =
        {on_trap, SA_SIGINFO | SA_NODEFER | 0x04000000 /* SA_RESTORER */, together_return, ~BIT(SIGSYS)};
    uint64_t mask = 0;
    sys(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, 8, 0, 0);
    mask &= ~BIT(SIGSYS);
    sys(SYS_rt_sigprocmask, SIG_SETMASK, &mask, 0, 8, 0, 0);
    sys(SYS_rt_sigaction, SIGSYS, &act, 0, 8, 0, 0);
    remember_process();
    say_hello();
    alive = 1;
    computing_begins();
    trap_this_thread();
}

void in_child(void) { /* one thread, the clock as it was, a line of its own */
    line_closed();
    connections_of_parent();
    no_timers();
    only_this_thread();
    take_charge();
}

/* Programs that look for the kernel's clock functions themselves do not find them, and make the calls. */
static void hide_clock_functions(char **env) {
    while (*env) env++;
    for (Elf64_auxv_t *entry = (Elf64_auxv_t *)(env + 1); entry->a_type != AT_NULL; entry++)
        if (entry->a_type == AT_SYSINFO_EHDR) entry->a_type = AT_IGNORE;
}

static const char *variable(const char *name) {
    const char *value = getenv(name);
    if (value) remember_variable(name, value);
    return value;
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **env) {
    const char *line = variable("UNDERSTUDY_TOGETHER"), *settings = variable("UNDERSTUDY_CLOCK");
    const char *outside = variable("UNDERSTUDY_OUTSIDE"), *ports = variable("UNDERSTUDY_PORTS");
    (void)argc, (void)argv;
    if (!line || !settings) return;
    variable("LD_PRELOAD");
    line_set_path(line);
    char *at;
    real_base = strtoll(settings, &at, 10) * 1000; /* us since 1970 at simulated time zero, seed, cost of computing */
    seed_chance(strtoull(at, &at, 10));
    compute = strtod(at, &at);
    if (outside) outside_files(outside);
    if (ports) moved_ports(ports);
    me = &first;
    first.tid = sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    hide_clock_functions(env);
    note_dispositions();
    note_inherited();
    take_charge();
}
