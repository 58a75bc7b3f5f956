/* The clock on the wall: in lockstep it begins at midnight, so that runs repeat. */

#include "robios.h"

#include <time.h>

#define SECOND INT64_C(1000000)
#define DAY (86400 * SECOND)

static bool known;
static int64_t offset_us; /* at simulated time 0 */

static int64_t seconds_of(int64_t hours, int64_t minutes, int64_t seconds) { return (hours * 60 + minutes) * 60 + seconds; }

void robios_set_clock(int hours, int minutes, int seconds) {
    offset_us = seconds_of(hours, minutes, seconds) * SECOND - robios_now();
    known = true;
}

int64_t robios_time_of_day(void) {
    if (!known && !robios.welcome.gated) {
        struct timespec now;
        struct tm parts;
        clock_gettime(CLOCK_REALTIME, &now);
        localtime_r(&now.tv_sec, &parts);
        robios_set_clock(parts.tm_hour, parts.tm_min, parts.tm_sec);
    }
    int64_t us = (robios_now() + offset_us) % DAY;
    return us < 0 ? us + DAY : us;
}
