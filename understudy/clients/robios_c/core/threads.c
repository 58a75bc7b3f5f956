/* Threads of a program: one runs at a time in lockstep, so that runs repeat.
 *
 * A thread is active while it computes or works in a RoBIOS function. Time passes when none is: those that wait run in
 * the order (due time, thread number). A thread that computes or blocks elsewhere for SILENT_MS while others wait is
 * absent until its next call; one that only has to wait for a processor is not. pthread_create, pthread_join and
 * pthread_mutex_lock are ours: a thread counts from its creation, and does not count while it waits for another one.
 */
#define _GNU_SOURCE
#include "threads.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>

#define SILENT_MS 20
#define STARVED_MS 2000 /* for so long at most a thread without a processor is waited for */

enum state { NEW, ACTIVE, WAITING, BLOCKED, ABSENT };

struct thread {
    int number;
    enum state state;
    bool inside;        /* a RoBIOS function */
    int64_t due_us;     /* if it waits */
    const void *reason; /* if it is blocked */
    int64_t since_us;   /* wall time of its return to the program's own code */
    int64_t spent_ms;   /* processor time until then */
    pthread_t id;
    int task; /* number that the kernel gives it */
    struct thread *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static struct thread *threads;
static int count, numbers;
static __thread struct thread *own;
static __thread int cancelling; /* whether the program lets this thread be cancelled */
static int (*next_create)(pthread_t *, const pthread_attr_t *, robios_function, void *);
static int (*next_join)(pthread_t, void **);
static int (*next_lock)(pthread_mutex_t *);
static int (*next_trylock)(pthread_mutex_t *);
static int (*next_unlock)(pthread_mutex_t *);

/* A thread that is cancelled ends outside of the library. */
void robios_lock(void) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    next_lock(&lock);
    cancelling = before;
}

void robios_unlock(void) {
    int before = cancelling;
    next_unlock(&lock);
    pthread_setcancelstate(before, NULL);
}

int robios_threads(void) { return count; }

bool robios_scheduled(void) { return robios_gated() && __atomic_load_n(&count, __ATOMIC_RELAXED) > 1; }

/* The system call: clock_gettime is ours in lockstep. */
int64_t robios_wall_us(void) {
    struct timespec now;
#ifdef SYS_clock_gettime
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* ---- who there is */

void robios_change(void) { pthread_cond_broadcast(&changed); }

static void leave(void *thread) {
    struct thread **link = &threads;
    robios_lock();
    while (*link && *link != thread) link = &(*link)->next;
    if (*link) *link = (*link)->next;
    count--;
    robios_wake(thread); /* pthread_join */
    robios_change();
    robios_unlock();
    free(thread);
}

static void prepare(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifndef __APPLE__
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
    pthread_cond_init(&changed, &attributes);
    pthread_key_create(&key, leave);
}

/* dlsym gives an object pointer; POSIX lets it hold a function. */
#define FIND(function) *(void **)(&next_##function)
__attribute__((constructor)) static void find_system_functions(void) {
    if (next_unlock) return;
    FIND(create) = dlsym(RTLD_NEXT, "pthread_create");
    FIND(join) = dlsym(RTLD_NEXT, "pthread_join");
    FIND(lock) = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    FIND(trylock) = dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    FIND(unlock) = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    pthread_once(&once, prepare);
}

static struct thread *enlist(void) {
    struct thread *thread = calloc(1, sizeof *thread), **end = &threads;
    if (!thread) robios_over("out of memory");
    while (*end) end = &(*end)->next;
    thread->number = numbers++;
    thread->since_us = robios_wall_us();
    thread->due_us = robios_now();
    *end = thread;
    count++;
    return thread;
}

static void become(struct thread *thread) {
    own = thread;
    thread->id = pthread_self();
#ifdef SYS_gettid
    thread->task = (int)syscall(SYS_gettid);
#endif
    pthread_setspecific(key, thread);
}

/* Return the calling thread's entry; a thread that was not seen before gets one. */
static struct thread *self(void) {
    if (!own) become(enlist());
    return own;
}

/* ---- turns */

static void wait_change(int64_t ms) {
    if (ms < 0) {
        pthread_cond_wait(&changed, &lock);
        return;
    }
    struct timespec until;
#if defined SYS_clock_gettime && !defined __APPLE__
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &until);
#else
    clock_gettime(CLOCK_REALTIME, &until);
#endif
    until.tv_nsec += (long)ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&changed, &lock, &until);
}

void robios_wait_change(void) { wait_change(-1); }

/* Whether a thread is ready to run but the processors of a busy machine do not let it. */
static bool is_starved(const struct thread *thread) {
#ifdef __linux__
    char path[64], text[512], *state;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread->task);
    FILE *file = thread->task ? fopen(path, "r") : NULL;
    if (!file) return !thread->task; /* it has not begun */
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = 0;
    fclose(file);
    state = strrchr(text, ')');
    unsigned long user = 0, system = 0;
    if (!state || state[2] != 'R') return false;
    sscanf(state + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    return (long)(user + system) * 1000 / sysconf(_SC_CLK_TCK) - thread->spent_ms < SILENT_MS;
#else
    return (void)thread, false;
#endif
}

/* Whether a thread still counts as running; one that has been silent for too long becomes absent. */
static bool runs(struct thread *thread, int64_t wall_us) {
    if (thread->state != NEW && thread->state != ACTIVE) return false;
    int64_t silent_us = wall_us - thread->since_us;
    if (thread->inside || silent_us < SILENT_MS * 1000) return true;
    if (silent_us < STARVED_MS * 1000 && is_starved(thread)) return true;
    thread->state = ABSENT;
    return false;
}

static bool another_runs(const struct thread *me) {
    int64_t wall_us = robios_wall_us();
    for (struct thread *one = threads; one; one = one->next)
        if (one != me && runs(one, wall_us)) return true;
    return false;
}

static struct thread *first_waiting(void) {
    struct thread *first = NULL;
    for (struct thread *one = threads; one; one = one->next)
        if (one->state == WAITING && (!first || one->due_us < first->due_us)) first = one; /* in order of numbers */
    return first;
}

/* Let the clock reach a time: whole ticks pass, the rest of it counts as cost. So waits of any length are exact: the
 * next one begins where this one ends, not at a tick. */
static void advance(int64_t until_us) {
    int64_t tick_us = robios.welcome.tick_us;
    if (until_us < robios_now()) until_us = robios_now();
    int64_t whole_us = (until_us - robios.t_us) / tick_us * tick_us;
    if (whole_us) robios_exchange(whole_us, 0);
    robios.cost_us = until_us > robios.t_us ? until_us - robios.t_us : 0;
}

void robios_wait_turn(int64_t due_us) {
    struct thread *me = self();
    me->state = WAITING;
    me->due_us = due_us;
    if (count > 1) robios_change();
    for (;;) {
        bool busy = count > 1 && another_runs(me);
        if (!busy && first_waiting() == me) break;
        wait_change(SILENT_MS);
    }
    advance(due_us);
    me->state = ACTIVE;
}

void robios_take_turn(void) {
    struct thread *me = self();
    me->inside = true;
    if (me->state == ACTIVE) return;
    if (count == 1)
        me->state = ACTIVE;
    else
        robios_wait_turn(robios_now());
}

void robios_left(void) {
    if (!own) return;
    own->inside = false;
    if (count > 1) {
        struct timespec spent;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
        own->since_us = robios_wall_us();
        own->spent_ms = (int64_t)spent.tv_sec * 1000 + spent.tv_nsec / 1000000;
    }
}

void robios_block(const void *reason, int64_t wall_ms) {
    struct thread *me = self();
    me->state = BLOCKED;
    me->reason = reason;
    robios_change();
    int64_t until_us = robios_wall_us() + wall_ms * 1000;
    while (me->state == BLOCKED && robios_wall_us() < until_us) wait_change(SILENT_MS);
    robios_wait_turn(me->state == BLOCKED ? robios_now() : me->due_us); /* woken: due since then */
}

void robios_wake(const void *reason) {
    bool woken = false;
    for (struct thread *one = threads; one; one = one->next) {
        if (one->state != BLOCKED || one->reason != reason) continue;
        one->state = WAITING;
        one->due_us = robios_now();
        woken = true;
    }
    if (woken) robios_change();
}

/* ---- functions of the system that are ours */

struct start {
    robios_function function;
    void *argument;
    struct thread *thread;
};

static void *run(void *given) {
    struct start start = *(struct start *)given;
    free(given);
    become(start.thread);
    if (robios_gated()) { /* its creator runs on first */
        robios_lock();
        robios_wait_turn(start.thread->due_us);
        robios_left();
        robios_unlock();
    }
    return start.function(start.argument);
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, robios_function function, void *argument) {
    struct start *start = malloc(sizeof *start);
    find_system_functions();
    if (!start) return EAGAIN;
    robios_connect(); /* who is first would be chance otherwise */
    robios_lock();
    self(); /* the creator comes first */
    *start = (struct start){function, argument, enlist()};
    struct thread *thread = start->thread;
    robios_unlock();
    int problem = next_create(id, attributes, run, start);
    if (problem) {
        leave(thread);
        free(start);
        return problem;
    }
    robios_lock();
    for (struct thread *one = threads; one; one = one->next)
        if (one == thread) one->id = *id; /* it may have ended already */
    robios_unlock();
    return 0;
}

bool robios_spawn(robios_function function, void *argument) {
    pthread_t id;
    pthread_attr_t attributes;
    struct start *start = malloc(sizeof *start);
    if (!start) return false;
    self(); /* the creator comes first */
    *start = (struct start){function, argument, enlist()};
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int problem = next_create(&id, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    return !problem;
}

static struct thread *find(pthread_t id) {
    for (struct thread *one = threads; one; one = one->next)
        if (one->id && pthread_equal(one->id, id)) return one;
    return NULL;
}

int pthread_join(pthread_t id, void **result) {
    if (robios_scheduled()) {
        robios_lock();
        self();
        for (struct thread *other; (other = find(id)) && other != own;) robios_block(other, SILENT_MS);
        robios_left();
        robios_unlock();
    }
    return next_join(id, result);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!next_unlock) find_system_functions();
    if (!robios_scheduled() || !own) return next_lock(mutex);
    robios_lock();
    int problem;
    while ((problem = next_trylock(mutex)) == EBUSY) robios_block(mutex, SILENT_MS);
    robios_left();
    robios_unlock();
    return problem;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!next_unlock) find_system_functions();
    int problem = next_unlock(mutex);
    if (!robios_scheduled() || !own) return problem;
    robios_lock();
    robios_wake(mutex);
    robios_unlock();
    return problem;
}
