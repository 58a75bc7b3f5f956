/* Classic RoBIOS: threads. Each is a thread of the system.
 *
 * COOP: one has the turn until it reschedules, sleeps, waits for a semaphore or ends; then the next ready one in order
 * of creation has it. The main program is not one of them: its OSReschedule returns when none is ready any more. PREEMPT: all ready ones run; OSForbid lets only the caller run, until OSPermit.
 */

#include "eyebot.h"
#include "printing.h"
#include "robios.h"

#include <pthread.h>

#define ANY (-1)
#define MAIN 0

struct tcb {
    int number, uid;
    bool ready, sleeps, killed, ended;
    void (*function)(void);
    struct tcb *next;
};

static struct tcb main_thread = {.ready = true};
static int mode = PREEMPT, turn = MAIN, alone = ANY, created;
static __thread struct tcb *own;

static struct tcb *self(void) { return own ? own : &main_thread; }

static bool may_run(const struct tcb *me) {
    if (me->killed) return true; /* to end */
    if (alone != ANY && alone != me->number) return false;
    return me->ready && (mode != COOP || turn == me->number);
}

/* Give the turn to the next ready thread after this one. */
static void pass_turn(const struct tcb *me) {
    const struct tcb *one = me;
    do {
        one = one->next ? one->next : &main_thread;
    } while (one != me && (!one->ready || one->ended || one->killed));
    turn = one->number;
}

/* Whether the thread whose turn it is sleeps or has ended. */
static bool nobody_has_the_turn(void) {
    for (const struct tcb *one = &main_thread; one; one = one->next)
        if (one->number == turn) return !one->ready || one->ended || one->killed;
    return true;
}

static void end_self(struct tcb *me) {
    robios_begin(NOTHING);
    me->ended = true;
    me->ready = false;
    if (turn == me->number) pass_turn(me);
    if (alone == me->number) alone = ANY;
    robios_end();
    if (me != &main_thread) pthread_exit(NULL);
}

/* Wait until the calling thread may run; between begin and end. */
static void await_turn(struct tcb *me) {
    while (!may_run(me)) {
        robios_wait_tick();
        if (me->ready && nobody_has_the_turn()) turn = me->number;
    }
}

/* A function after which another thread may run. */
static int reschedule(void) {
    struct tcb *me = self();
    robios_begin(NOTHING);
    pass_turn(me);
    bool alone_here = turn == me->number;
    if (!alone_here || mode != COOP) robios_wait_tick();
    await_turn(me);
    robios_end();
    if (me->killed && !me->ended) end_self(me);
    return 0;
}

static void *run(void *given) {
    own = given;
    robios_begin(NOTHING);
    await_turn(own);
    robios_end();
    if (!own->killed) own->function();
    end_self(own);
    return NULL;
}

API int OSMTInit(int new_mode) {
    robios_begin(NOTHING);
    mode = new_mode;
    robios_end();
    return 0;
}

API int OSMTStatus(void) { return created ? mode : NOTASK; }

API struct tcb *OSSpawn(const char *name, void *function, int stack, int priority, int uid) {
    (void)name, (void)stack, (void)priority;
    struct tcb *thread = calloc(1, sizeof *thread), *last = &main_thread;
    if (!thread) return NULL;
    robios_begin(NOTHING);
    while (last->next) last = last->next;
    last->next = thread;
    thread->number = ++created;
    thread->uid = uid;
    *(void **)&thread->function = function;
    thread->ended = !robios_spawn(run, thread);
    robios_end();
    return thread->ended ? NULL : thread;
}

static int set_ready(struct tcb *thread, bool ready) {
    robios_begin(NOTHING);
    struct tcb *one = thread ? thread : self();
    one->ready = ready && !one->ended;
    robios_end();
    return 0;
}

API int OSReady(struct tcb *thread) { return set_ready(thread, true); }

API int OSSuspend(struct tcb *thread) {
    set_ready(thread, false);
    return !thread || thread == self() ? reschedule() : 0;
}

/* Whether a thread besides the main one can still run. */
static bool anyone_is_ready(void) {
    for (const struct tcb *one = main_thread.next; one; one = one->next)
        if ((one->ready || one->sleeps) && !one->ended && !one->killed) return true;
    return false;
}

/* COOP: the main program starts the threads and goes on when none of them is ready any more. */
static int run_all(void) {
    robios_begin(NOTHING);
    main_thread.ready = false;
    if (turn == MAIN) pass_turn(&main_thread);
    while (anyone_is_ready()) robios_wait_tick();
    main_thread.ready = true;
    turn = MAIN;
    robios_end();
    return 0;
}

API int OSReschedule(void) {
    bool starts = mode == COOP && self() == &main_thread && anyone_is_ready();
    return starts ? run_all() : reschedule();
}

API int OSYield(void) { return reschedule(); }

API int OSRun(struct tcb *thread) {
    set_ready(thread, true);
    return reschedule();
}

API int OSGetUID(struct tcb *thread) { return (thread ? thread : self())->uid; }

API int OSKill(struct tcb *thread) {
    struct tcb *me = self(), *one = thread ? thread : me;
    if (one == me && me == &main_thread) exit(0);
    if (one == me) end_self(me);
    robios_begin(NOTHING);
    one->killed = true;
    if (turn == one->number) pass_turn(one);
    robios_end();
    return 0;
}

API int OSExit(int code) {
    if (self() == &main_thread) exit(code);
    end_self(self());
    return 0;
}

API int OSPanic(const char *message, ...) {
    va_list arguments;
    va_start(arguments, message);
    robios_print(message, arguments);
    va_end(arguments);
    robios_warn("OSPanic: %s", message);
    exit(1);
}

API int OSSleep(int ticks) {
    struct tcb *me = self();
    robios_begin(NOTHING);
    int64_t due_us = robios_now() + ticks * INT64_C(10000);
    bool was_ready = me->ready;
    me->ready = false; /* others do not give it the turn while it sleeps */
    me->sleeps = was_ready;
    if (turn == me->number) pass_turn(me);
    robios_wait_until(due_us);
    me->ready = was_ready;
    me->sleeps = false;
    if (nobody_has_the_turn()) turn = me->number;
    await_turn(me);
    robios_end();
    if (me->killed && !me->ended) end_self(me);
    return 0;
}

API int OSForbid(void) {
    robios_begin(NOTHING);
    await_turn(self());
    alone = self()->number;
    robios_end();
    return 0;
}

API int OSPermit(void) {
    robios_begin(NOTHING);
    if (alone == self()->number) alone = ANY;
    robios_end();
    return 0;
}

/* ---- semaphores */

API int OSSemInit(struct sem *semaphore, int value) {
    semaphore->value = value;
    return 0;
}

API int OSSemP(struct sem *semaphore) {
    struct tcb *me = self();
    robios_begin(NOTHING);
    await_turn(me);
    while (semaphore->value <= 0 && !me->killed) {
        pass_turn(me);
        robios_wait_tick();
        await_turn(me);
    }
    semaphore->value--;
    robios_end();
    if (me->killed && !me->ended) end_self(me);
    return 0;
}

API int OSSemV(struct sem *semaphore) {
    robios_begin(NOTHING);
    semaphore->value++;
    robios_end();
    return 0;
}
