/* The beginning of a program, and of a child after fork. */
#include "together.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take_charge(void) {
    action act = {on_trap, SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART | RESTORER, together_return, ~BIT(SIGSYS)};
    uint64_t mask = 0;
    sys(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, 8, 0, 0);
    mask &= ~NEVER_BLOCKED;
    sys(SYS_rt_sigprocmask, SIG_SETMASK, &mask, 0, 8, 0, 0);
    sys(SYS_rt_sigaction, SIGSYS, &act, 0, 8, 0, 0);
    remember_process();
    say_hello();
    alive = 1;
    watch_for_loops();
    computing_begins();
    trap_this_thread();
}

void in_child(void) { /* one thread, the clock as it was, a line of its own */
    line_closed();
    connections_of_parent();
    no_timers();
    seed_chance(childs_seed);
    only_this_thread();
    take_charge();
}

/* What the kernel hands to a new image: its clock functions become calls, and programs that look for them themselves do
 * not find them; its random bytes (the seed of Go's maps and scheduler) are the same in each run. */
static void steady_image(void) {
    char **env = environ;
    while (*env) env++;
    for (Elf64_auxv_t *entry = (Elf64_auxv_t *)(env + 1); entry->a_type != AT_NULL; entry++) {
        if (entry->a_type == AT_SYSINFO_EHDR) {
            trap_kernel_functions((const char *)entry->a_un.a_val);
            entry->a_type = AT_IGNORE;
        }
        if (entry->a_type == AT_RANDOM) fill_with_chance((unsigned char *)entry->a_un.a_val, 16);
    }
}

/* us since 1970 at simulated time zero, seed, millionths that computing costs; of one length, since addresses depend on
 * the size of the environment. A new image draws other numbers than the one before. */
static void take_clock_settings(const char *text) {
    char *at;
    real_base = strtoll(text, &at, 10) * 1000;
    seed_chance(strtoull(at, &at, 10));
    compute = strtoll(at, &at, 10) / 1e6;
}
int clock_settings(char *text, int size) {
    return snprintf(text, size, "UNDERSTUDY_CLOCK=%020lld %020llu %020lld", (long long)(real_base / 1000),
                    (unsigned long long)draw_chance(), (long long)(compute * 1e6));
}

static const char *variable(const char *name) {
    const char *value = getenv(name);
    if (value) remember_variable(name, value);
    return value;
}

__attribute__((constructor)) static void begin(void) {
    const char *preload = variable("LD_PRELOAD"), *line = variable("UNDERSTUDY_TOGETHER"), *settings = getenv("UNDERSTUDY_CLOCK");
    const char *outside = variable("UNDERSTUDY_OUTSIDE"), *ports = variable("UNDERSTUDY_PORTS");
    if (!preload || !line || !settings) return;
    line_set_path(line);
    take_clock_settings(settings);
    if (outside) outside_files(outside);
    if (ports) moved_ports(ports);
    me = &first;
    first.tid = sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    use_trap_stack(&first);
    steady_image();
    note_dispositions();
    begin_faults();
    note_inherited();
    take_charge();
}
