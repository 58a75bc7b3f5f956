/* Functions of the system that mean simulated time: sleeping, and in lockstep also the clocks.
 *
 * Until the first RoBIOS call, and where the library itself sleeps, they are the system's own.
 */
#define _GNU_SOURCE
#include "robios.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000)
#define EPOCH 946684800 /* time() at simulated time 0: 1 January 2000 */
#ifdef CLOCK_REALTIME_COARSE
#define COARSE CLOCK_REALTIME_COARSE
#else
#define COARSE CLOCK_REALTIME
#endif

static void wait_us(int64_t us) {
    robios_begin(NOTHING);
    robios_wait_until(robios_now() + us);
    robios_end();
}

static int64_t now_us(void) {
    robios_begin(NOTHING);
    int64_t us = robios_now();
    robios_end();
    return us;
}

unsigned sleep(unsigned seconds) {
    unsigned (*next)(unsigned);
    if (robios_connected()) {
        wait_us((int64_t)seconds * SECOND);
        return 0;
    }
    *(void **)&next = dlsym(RTLD_NEXT, "sleep");
    return next(seconds);
}

int usleep(useconds_t us) {
    int (*next)(useconds_t);
    if (robios_connected()) {
        wait_us((int64_t)us);
        return 0;
    }
    *(void **)&next = dlsym(RTLD_NEXT, "usleep");
    return next(us);
}

static bool valid(const struct timespec *wanted) {
    return wanted->tv_sec >= 0 && wanted->tv_nsec >= 0 && wanted->tv_nsec < 1000000000;
}

static int64_t rounded_up(const struct timespec *time) { return time->tv_sec * SECOND + (time->tv_nsec + 999) / 1000; }

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    int (*next)(const struct timespec *, struct timespec *);
    if (!robios_connected() || !valid(wanted)) {
        *(void **)&next = dlsym(RTLD_NEXT, "nanosleep");
        return next(wanted, left);
    }
    wait_us(rounded_up(wanted));
    if (left) *left = (struct timespec){0};
    return 0;
}

#ifndef __APPLE__
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
    int (*next)(clockid_t, int, const struct timespec *, struct timespec *);
    bool absolute = flags & TIMER_ABSTIME;
    if (!robios_connected() || !valid(wanted) || (absolute && !robios_gated())) {
        *(void **)&next = dlsym(RTLD_NEXT, "clock_nanosleep");
        return next(clock, flags, wanted, left);
    }
    int64_t us = rounded_up(wanted);
    if (absolute) {
        struct timespec now;
        clock_gettime(clock, &now);
        us -= rounded_up(&now);
    }
    wait_us(us);
    if (left && !absolute) *left = (struct timespec){0};
    return 0;
}
#endif

/* ---- clocks */

int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*next)(clockid_t, struct timespec *);
    bool ours = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
#ifdef CLOCK_MONOTONIC_RAW
    ours = ours || clock == CLOCK_MONOTONIC_RAW;
#endif
#ifdef CLOCK_REALTIME_COARSE
    ours = ours || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
#endif
    if (!ours || !robios_gated()) {
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
        return next(clock, now);
    }
    int64_t us = now_us();
    bool calendar = clock == CLOCK_REALTIME || clock == COARSE;
    *now = (struct timespec){us / SECOND + (calendar ? EPOCH : 0), (long)(us % SECOND) * 1000};
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now) *now = precise.tv_sec;
    return precise.tv_sec;
}
