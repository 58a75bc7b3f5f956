/* What the machine says of itself: processor time, the time since its start, its settings of the clock. */
#include "together.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/timex.h>

static struct timeval to_val(ns_t t) { return (struct timeval){t / SECOND, t % SECOND / 1000}; }

/* All time that passes for a program is processor time of its own, as its processor clocks say; none of it the system's,
 * and none its children's. What depends on the machine's load is left out. */
void steady_usage(struct rusage *usage, int own) {
    long most = usage->ru_maxrss;
    memset(usage, 0, sizeof *usage);
    usage->ru_maxrss = most;
    if (own) usage->ru_utime = to_val(now);
}
long do_getrusage(int who, struct rusage *usage) {
    long got = sys(SYS_getrusage, who, usage, 0, 0, 0, 0);
    if (got == 0) steady_usage(usage, who != RUSAGE_CHILDREN);
    return got;
}
long do_times(struct tms *times) {
    charge(COST_CLOCK);
    if (times) *times = (struct tms){.tms_utime = now / (SECOND / 100)};
    return (now + base_of(CLOCK_MONOTONIC)) / (SECOND / 100);
}
long do_sysinfo(struct sysinfo *info) {
    long got = sys(SYS_sysinfo, info, 0, 0, 0, 0, 0);
    if (got < 0) return got;
    info->uptime = (now + base_of(CLOCK_BOOTTIME)) / SECOND;
    memset(info->loads, 0, sizeof info->loads);
    return got;
}
/* The clock of the run is not the program's to set, nor that of the machine. */
long do_adjtime(long nr, long a, long b) {
    struct timex *settings = (void *)(nr == SYS_adjtimex ? a : b);
    if (settings->modes) return -EPERM;
    long got = sys(nr, a, b, 0, 0, 0, 0);
    if (got < 0) return got;
    settings->time = to_val(now + real_base);
    if (settings->status & STA_NANO) settings->time.tv_usec = (now + real_base) % SECOND;
    return got;
}

/* The files that say the same: in memory, with what holds now. Return NOT_DONE for other files. */
long open_steady(const char *path, long flags) {
    char text[64];
    long n, up = (now + base_of(CLOCK_BOOTTIME)) / (SECOND / 100);
    if ((uintptr_t)path < 4096) return NOT_DONE; /* the kernel says what is wrong */
    if (strcmp(path, "/proc/uptime") == 0) n = snprintf(text, sizeof text, "%ld.%02ld 0.00\n", up / 100, up % 100);
    else if (strcmp(path, "/proc/loadavg") == 0) n = snprintf(text, sizeof text, "0.00 0.00 0.00 1/1 1\n");
    else return NOT_DONE;
    long fd = sys(SYS_memfd_create, path, flags & O_CLOEXEC ? MFD_CLOEXEC : 0, 0, 0, 0, 0);
    if (fd >= 0) sys(SYS_pwrite64, fd, text, n, 0, 0, 0);
    return fd;
}
