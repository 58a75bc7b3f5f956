/* Clocks, which never enter the kernel and are therefore replaced by symbol; and chance, the same in every run. */
#include "together.h"
#include <stddef.h>
#include <sys/time.h>
#include <sys/times.h>

#define PUBLIC __attribute__((visibility("default")))
ns_t real_base = 1767225600LL * SECOND; /* UTC at simulated time zero */
static const ns_t mono_base = 1000 * SECOND;

ns_t base_of(int clock) {
    switch (clock) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_REALTIME_ALARM: return real_base;
    case CLOCK_TAI: return real_base + 37 * SECOND;
    case CLOCK_PROCESS_CPUTIME_ID: case CLOCK_THREAD_CPUTIME_ID: return 0;
    default: return clock < 0 ? 0 : mono_base; /* below zero: processor time of a thread or process */
    }
}

/* A look costs a little. If it is another thread's turn meanwhile, the call is made, and traps. */
static long call(long nr, long a, long b) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(nr), "D"(a), "S"(b) : "rcx", "r11", "memory");
    return result;
}
static int in_charge(void) { return alive && me != NULL; }

PUBLIC int clock_gettime(clockid_t clock, struct timespec *t) {
    if (!in_charge() || compute > 0 || !charge_quickly(COST_CLOCK)) {
        long got = call(SYS_clock_gettime, clock, (long)t);
        if (got < 0) errno = -got;
        return got < 0 ? -1 : 0;
    }
    ns_t value = now + base_of(clock);
    t->tv_sec = value / SECOND, t->tv_nsec = value % SECOND;
    return 0;
}
PUBLIC int gettimeofday(struct timeval *restrict t, void *restrict zone) {
    struct timespec s;
    if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
    clock_gettime(CLOCK_REALTIME, &s);
    t->tv_sec = s.tv_sec, t->tv_usec = s.tv_nsec / 1000;
    return 0;
}
PUBLIC time_t time(time_t *to) {
    struct timespec s;
    clock_gettime(CLOCK_REALTIME, &s);
    if (to) *to = s.tv_sec;
    return s.tv_sec;
}
PUBLIC int timespec_get(struct timespec *t, int base) {
    clock_gettime(CLOCK_REALTIME, t);
    return base;
}
PUBLIC clock_t clock(void) {
    struct timespec s;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &s);
    return s.tv_sec * CLOCKS_PER_SEC + s.tv_nsec / (SECOND / CLOCKS_PER_SEC);
}

/* On which processor a thread runs is chance; libraries ask without a call. */
PUBLIC int sched_getcpu(void) { return 0; }

static uint64_t chance = 88172645463325252ULL;
static uint64_t next_chance(void) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return chance;
}
void seed_chance(uint64_t seed) {
    chance ^= (seed + 1) * 0x9E3779B97F4A7C15ULL;
    if (!chance) chance = 1;
}
uint64_t childs_seed;
uint64_t draw_chance(void) { return next_chance(); }
long fill_with_chance(unsigned char *to, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = next_chance() >> 24;
    return n;
}
/* std::random_device asks the processor, which cannot be trapped. */
PUBLIC unsigned _ZNSt13random_device9_M_getvalEv(void *device);
PUBLIC unsigned _ZNSt13random_device9_M_getvalEv(void *device) {
    (void)device;
    return next_chance() >> 16;
}
