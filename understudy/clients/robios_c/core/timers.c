/* Functions that are called again and again: each timer is a thread of the library. */

#include "robios.h"

#define TIMERS 64

static struct timer {
    bool on;
    unsigned uses; /* a place that is used again belongs to another thread */
    int64_t period_us, due_us;
    void (*function)(void);
} timers[TIMERS];

struct mine {
    int place;
    unsigned use;
};
static struct mine mines[TIMERS];

static void *run(void *given) {
    struct mine mine = *(struct mine *)given;
    struct timer *timer = &timers[mine.place];
    for (;;) {
        robios_begin(NOTHING);
        robios_wait_until(timer->due_us);
        bool mine_still = timer->on && timer->uses == mine.use;
        robios_end();
        if (!mine_still) return NULL;
        timer->function();
        if (timer->uses != mine.use) return NULL;
        int64_t next_us = timer->due_us + timer->period_us, now_us = robios_now();
        timer->due_us = next_us > now_us ? next_us : now_us; /* what was missed is not made up for */
    }
}

int robios_attach_timer(int64_t period_us, void (*function)(void)) {
    for (int place = 0; place < TIMERS; place++) {
        if (timers[place].on) continue;
        if (period_us <= 0 || !function) return 0;
        struct timer *timer = &timers[place];
        *timer = (struct timer){true, timer->uses + 1, period_us, robios_now() + period_us, function};
        mines[place] = (struct mine){place, timer->uses};
        timer->on = robios_spawn(run, &mines[place]);
        return timer->on ? place + 1 : 0;
    }
    return 0;
}

int robios_detach_timer(int timer) {
    if (timer < 1 || timer > TIMERS || !timers[timer - 1].on) return 1;
    timers[timer - 1].on = false;
    return 0;
}
