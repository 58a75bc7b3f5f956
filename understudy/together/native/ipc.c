/* Calls that wait for what another thread or process does, and that no descriptor shows: locks of files, semaphores and
 * messages of System V, a fifo's other side. They are tried without waiting, and again whenever somebody has run. */
#include "together.h"
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/stat.h>

static int in_vain(long result) {
    return result == -EAGAIN || result == -EACCES || result == -ENOMSG || result == -ENXIO;
}
int attempt_succeeds(thread *t) {
    attempt *a = t->attempt;
    if (in_vain(a->result)) a->result = sys(a->nr, a->a, a->b, a->c, a->d, a->e, 0); /* once it has succeeded, no more */
    return !in_vain(a->result);
}
static long try_until(attempt a, ns_t until) {
    me->attempt = &a;
    a.result = -EAGAIN;
    if (attempt_succeeds(me)) return a.result;
    int why = wait_until(until, WAIT_ATTEMPT);
    return why == BY_ATTEMPT ? a.result : why == BY_SIGNAL ? -EINTR : -EAGAIN;
}

/* ---- locks of files */

long do_flock(long nr, long a, long b, long c) {
    if (nr == SYS_flock && (b & LOCK_NB)) return sys(nr, a, b, c, 0, 0, 0);
    long at_once = nr == SYS_flock ? b | LOCK_NB : b == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    return try_until((attempt){nr, a, at_once, c}, NEVER);
}

/* A fifo's opening waits for the other side. A reader need not: it waits when it reads. */
long do_open(long nr, long a, long b, long c, long d) {
    long path = nr == SYS_openat ? b : a, flags = nr == SYS_openat ? c : nr == SYS_open ? b : O_WRONLY;
    struct stat s;
    if ((flags & (O_NONBLOCK | O_PATH)) || (flags & O_ACCMODE) == O_RDWR || nr == SYS_creat ||
        sys(SYS_newfstatat, nr == SYS_openat ? a : AT_FDCWD, path, &s, 0, 0, 0) < 0 || !S_ISFIFO(s.st_mode))
        return sys(nr, a, b, c, d, 0, 0);
    long got = try_until(nr == SYS_openat ? (attempt){nr, a, b, c | O_NONBLOCK, d}
                                          : (attempt){nr, a, b | O_NONBLOCK, c}, NEVER);
    if (got >= 0) sys(SYS_fcntl, got, F_SETFL, flags & ~O_NONBLOCK, 0, 0, 0);
    return got;
}

/* ---- System V */

enum { OPERATIONS = 500 /* the kernel's own limit */ };

long do_semop(long id, const struct sembuf *given, long n, const struct timespec *limit) {
    if (n <= 0 || n > OPERATIONS) return sys(SYS_semop, id, given, n, 0, 0, 0);
    struct sembuf at_once[n];
    for (int i = 0; i < n; i++) {
        if (given[i].sem_flg & IPC_NOWAIT) return sys(SYS_semop, id, given, n, 0, 0, 0);
        at_once[i] = given[i];
        at_once[i].sem_flg |= IPC_NOWAIT;
    }
    return try_until((attempt){SYS_semop, id, (long)at_once, n}, limit ? later(of_spec(limit)) : NEVER);
}
long do_message(long nr, long id, long message, long size, long d, long e) {
    long flags = nr == SYS_msgrcv ? e : d;
    if (flags & IPC_NOWAIT) return sys(nr, id, message, size, d, e, 0);
    flags |= IPC_NOWAIT;
    return try_until(nr == SYS_msgrcv ? (attempt){nr, id, message, size, d, flags}
                                      : (attempt){nr, id, message, size, flags}, NEVER);
}

/* ---- POSIX messages: their queues can be polled; the limit is a date */

long do_queue(long nr, long queue, long message, long size, long priority, const struct timespec *limit) {
    struct pollfd p = {queue, nr == SYS_mq_timedsend ? POLLOUT : POLLIN, 0};
    if (!(sys(SYS_fcntl, queue, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK)) {
        long got = do_poll(&p, 1, limit ? of_spec(limit) - real_base : NEVER, NULL);
        if (got <= 0) return got ? got : -ETIMEDOUT;
    }
    return sys(nr, queue, message, size, priority, 0, 0);
}
