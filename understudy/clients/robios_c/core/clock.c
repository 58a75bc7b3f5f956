/* The clock of the run, and what every RoBIOS function does first and last.
 *
 * Now is the time of the last GO plus the cost of the calls since then. In lockstep a tick passes when the calls have
 * cost one; in real time a new frame is fetched when the last one is older than a tick.
 */
#include "robios.h"
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FAR_US INT64_C(1000000000000000)
#define FRESH_US 5000 /* wall time: real-time programs get about 200 frames a second at most */

static bool open, ended, started, leading;
static int64_t go_wall_us; /* of the last GO */
static pthread_t leaver;
static pid_t owner; /* the process that has the seat */

bool robios_connected(void) { return __atomic_load_n(&open, __ATOMIC_ACQUIRE); }
bool robios_gated(void) { return robios_connected() && robios.welcome.gated; }
int64_t robios_now(void) { return robios.t_us + robios.cost_us; }

/* ---- the end */

void robios_over(const char *reason) {
    if (ended) _exit(0);
    ended = true;
    leaver = pthread_self();
    if (open)
        robios_warn("the simulation has ended%s%s", reason ? ": " : "", reason ? reason : "");
    else
        robios_warn("%s", reason ? reason : "the simulation has ended before the program could begin");
    robios_unlock();
    exit(open ? 0 : 1);
}

static void say_goodbye(void) {
    if (ended || getpid() != owner) return; /* a copy of the program leaves without a word */
    robios_lock();
    ended = true;
    leaver = pthread_self();
    robios_leave();
    robios_unlock();
    robios_await_simulator();
}

/* A function that is called after the end: by the program's own clean-up it does nothing more than end the program. */
static void stay_away(void) {
    bool mine = pthread_equal(leaver, pthread_self());
    robios_unlock();
    if (mine) {
        fflush(NULL);
        _exit(0);
    }
    for (;;) pause();
}

/* ---- time */

static void begin_run(void) {
    robios_open();
    go_wall_us = robios_wall_us();
    owner = getpid();
    atexit(say_goodbye);
    __atomic_store_n(&open, true, __ATOMIC_RELEASE);
}

void robios_connect(void) {
    if (robios_connected()) return;
    robios_lock();
    if (!open && !ended) begin_run();
    robios_unlock();
}

/* Real time: one thread talks to the simulation, without the lock while it waits for the answer. */
static void lead(int64_t us) {
    leading = true;
    robios_send_wait(us, 0);
    robios_unlock();
    robios_poll();
    robios_lock();
    if (ended) stay_away();
    robios_await_go();
    go_wall_us = robios_wall_us();
    leading = false;
    robios_change();
}

static void exchange(int64_t us) {
    if (robios.welcome.gated)
        robios_wait_turn(robios.t_us + us);
    else if (leading)
        robios_wait_change();
    else
        lead(us);
    if (ended) stay_away();
}

void robios_wait_tick(void) {
    int64_t tick_us = robios.welcome.tick_us > robios.cost_us ? robios.welcome.tick_us : robios.cost_us;
    exchange(robios.welcome.gated ? tick_us : 0);
}

void robios_wait_signal(unsigned signals) {
    if (robios.welcome.gated && robios_threads() == 1)
        robios_exchange(FAR_US, signals);
    else
        robios_wait_tick();
}

void robios_wait_until(int64_t due_us) {
    if (robios.welcome.gated && due_us > robios_now()) robios_wait_turn(due_us);
    while (robios_now() < due_us) exchange(robios_threads() > 1 ? 0 : due_us - robios.t_us);
}

static void charge(void) {
    if (robios.welcome.gated) {
        robios.cost_us += robios.welcome.cost_us;
        if (robios.cost_us >= robios.welcome.tick_us) exchange(robios.cost_us);
        return;
    }
    int64_t fresh_us = robios.welcome.tick_us > FRESH_US ? robios.welcome.tick_us : FRESH_US;
    if (!leading && robios_wall_us() - go_wall_us > fresh_us) lead(0);
}

/* Robots wait for each other at their first driving or sensor function. */
static void await_others(void) {
    static bool ready;
    if (!ready) robios_call(AT_START, "");
    ready = true;
    while (!(robios.frame.flags & STARTED)) robios_wait_signal(STARTED);
    started = true;
}

/* Have sensors in the frames, from now on. */
static void fetch(int sensors) {
    size_t size = 0;
    const unsigned char *frame = robios_ask(&size, ASK_SENSORS, "i", sensors);
    if (frame && !robios_read_go(frame, size)) robios_over("the simulation has sent a frame that is too short");
}

/* ---- around every function */

void robios_begin(int needs) {
    robios_lock();
    if (ended) stay_away();
    if (!open) begin_run();
    if (getpid() != owner) robios_over("RoBIOS functions work only in the process that called one first");
    if (robios.welcome.gated) robios_take_turn();
    charge();
    if (needs & ROBOT && !started) await_others();
    if (needs & SETTLED && robios_pending()) robios_wait_tick();
    int absent = (int)robios.frame.flags & needs & (READS_PSD | READS_IR | READS_COMPASS);
    while (leading && (needs & ASKS || absent)) robios_wait_change(); /* one at a time uses the socket */
    if (absent) fetch(absent);
}

void robios_end(void) {
    if (!robios.welcome.gated) robios_flush();
    robios_left();
    robios_unlock();
    pthread_testcancel();
}
