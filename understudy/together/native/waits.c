/* Calls that wait: for time, for descriptors, for children. The real call is made without waiting; if it
 * finds nothing, the thread waits here and makes it again. */
#include "together.h"
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>

long do_sleep(ns_t until, struct timespec *rest) {
    if (until < now + COST_SLEEP) until = now + COST_SLEEP; /* as Linux has it by default */
    if (wait_until(until, 0) != BY_SIGNAL) return 0;
    ns_t left = until > now ? until - now : 0;
    if (rest) rest->tv_sec = left / SECOND, rest->tv_nsec = left % SECOND;
    return -EINTR;
}

/* Wait for descriptors; *mask* replaces the blocked signals meanwhile. */
static int wait_for_fds(struct pollfd *fds, int n, ns_t until, const uint64_t *mask) {
    uint64_t before = me->blocked;
    if (mask) me->blocked = *mask & ~NEVER_BLOCKED;
    me->fds = fds, me->nfds = n;
    int why = wait_until(until, WAIT_FDS);
    me->blocked = before;
    return why;
}

long do_poll(struct pollfd *fds, int n, ns_t until, const uint64_t *mask) {
    long got = poll_now(fds, n);
    if (got) return got;
    if (until <= now) {
        charge(COST_CALL);
        return poll_now(fds, n);
    }
    if (wait_for_fds(fds, n, until, mask) == BY_SIGNAL) return interrupted(mask);
    return poll_now(fds, n);
}

long do_select(int n, void *given[3], ns_t until, const uint64_t *mask) {
    static const short want[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};
    fd_set **sets = (fd_set **)given;
    int count = 0, used = 0;
    if (n < 0 || n > FD_SETSIZE) return -EINVAL;
    for (int fd = 0; fd < n; fd++)
        for (int k = 0; k < 3; k++) count += sets[k] && FD_ISSET(fd, sets[k]);
    struct pollfd fds[count + 1]; /* a thread's stack may be small */
    for (int fd = 0; fd < n; fd++) {
        short events = 0;
        for (int k = 0; k < 3; k++)
            if (sets[k] && FD_ISSET(fd, sets[k])) events |= want[k];
        if (events) fds[used++] = (struct pollfd){fd, events, 0};
    }
    long got = do_poll(fds, used, until, mask), bits = 0;
    if (got < 0) return got;
    for (int i = 0; i < used; i++)
        if (fds[i].revents & POLLNVAL) return -EBADF;
    for (int i = 0; i < used; i++)
        for (int k = 0; k < 3; k++)
            if (sets[k] && FD_ISSET(fds[i].fd, sets[k])) {
                if (fds[i].revents & want[k]) bits++;
                else FD_CLR(fds[i].fd, sets[k]);
            }
    return bits;
}

long do_epoll(int ep, void *out, int most, ns_t until, const uint64_t *mask) {
    for (;;) {
        long got = sys(SYS_epoll_wait, ep, out, most, 0, 0, 0);
        if (got) return got;
        if (until <= now) {
            charge(COST_CALL);
            return sys(SYS_epoll_wait, ep, out, most, 0, 0, 0);
        }
        struct pollfd p = {ep, POLLIN, 0}; /* an epoll set can itself be polled */
        if (wait_for_fds(&p, 1, until, mask) == BY_SIGNAL) return interrupted(mask);
    }
}

/* ---- reading */

static int may_block(int fd, struct stat *s) {
    if (sys(SYS_fstat, fd, s, 0, 0, 0, 0) < 0) return 0;
    if (S_ISREG(s->st_mode) || S_ISDIR(s->st_mode) || S_ISBLK(s->st_mode)) return 0;
    return !(sys(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK);
}
static int is_random_device(const struct stat *s) {
    return S_ISCHR(s->st_mode) && major(s->st_rdev) == 1 && (minor(s->st_rdev) == 8 || minor(s->st_rdev) == 9);
}
static ns_t socket_limit(int fd, int option) {
    struct timeval t = {0};
    socklen_t size = sizeof t;
    if (sys(SYS_getsockopt, fd, SOL_SOCKET, option, &t, &size, 0) < 0 || (!t.tv_sec && !t.tv_usec)) return NEVER;
    return later(t.tv_sec * SECOND + t.tv_usec * 1000);
}
/* Make a call on a descriptor without blocking; nobody else uses it meanwhile. */
long without_blocking(long nr, long fd, long b, long c, long d, long e, long f) {
    long flags = sys(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
    sys(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK, 0, 0, 0);
    long got = sys(nr, fd, b, c, d, e, f);
    sys(SYS_fcntl, fd, F_SETFL, flags, 0, 0, 0);
    return got;
}

/* With VMIN and VTIME a read waits for the first byte, then until no byte has come for so long. */
static long await_bytes(int fd, int enough, ns_t pause) {
    int had = 0, n = 0;
    for (ns_t quiet = later(pause);;) {
        sys(SYS_ioctl, fd, FIONREAD, &n, 0, 0, 0);
        if (n >= enough || quiet <= now) return 0;
        if (n > had) had = n, quiet = later(pause);
        if (wait_until(lease < quiet ? lease : quiet, 0) == BY_SIGNAL) return -EINTR;
    }
}
static long read_terminal(long nr, long fd, long b, long c, long d, long e, long f, const struct termios *t) {
    struct pollfd p = {fd, POLLIN, 0};
    ns_t pause = t->c_cc[VTIME] * (SECOND / 10);
    int raw = !(t->c_lflag & ICANON), least = t->c_cc[VMIN];
    long got = do_poll(&p, 1, raw && !least ? later(pause) : NEVER, NULL);
    if (got < 0) return got;
    if (got == 0) return 0;
    if (raw && least > 1 && pause && nr == SYS_read)
        if ((got = await_bytes(fd, c < least ? c : least, pause)) < 0) return got;
    got = without_blocking(nr, fd, b, c, d, e, f);
    return got == -EAGAIN ? 0 : got;
}

static long read_blocking(long nr, long fd, long b, long c, long d, long e, long f, const struct stat *s) {
    struct pollfd p = {fd, POLLIN, 0};
    struct termios t;
    if (S_ISCHR(s->st_mode) && sys(SYS_ioctl, fd, TCGETS, &t, 0, 0, 0) == 0)
        return read_terminal(nr, fd, b, c, d, e, f, &t);
    long got = do_poll(&p, 1, S_ISSOCK(s->st_mode) ? socket_limit(fd, SO_RCVTIMEO) : NEVER, NULL);
    if (got < 0) return got;
    if (got == 0) return -EAGAIN;
    return sys(nr, fd, b, c, d, e, f);
}

/* With MSG_WAITALL a receive waits until all of it has come. */
static long receive_all(long fd, char *to, long size, long flags) {
    long had = 0;
    for (;;) {
        long got = sys(SYS_recvfrom, fd, to + had, size - had, (flags & ~MSG_WAITALL) | MSG_DONTWAIT, 0, 0);
        if (got > 0) had += got;
        if (got == 0 || had == size || (flags & MSG_PEEK)) return had;
        if (got < 0 && got != -EAGAIN) return had ? had : got;
        struct pollfd p = {fd, POLLIN, 0};
        ns_t until = socket_limit(fd, SO_RCVTIMEO);
        if (wait_for_fds(&p, 1, until, NULL) == BY_SIGNAL) return had ? had : -EINTR;
        if (until <= now && !sys(SYS_poll, &p, 1, 0, 0, 0, 0)) return had ? had : -EAGAIN;
    }
}

long do_read(long nr, long fd, long b, long c, long d, long e, long f, int flags) {
    struct stat s;
    int waits = may_block(fd, &s) && !(flags & MSG_DONTWAIT);
    long got;
    if (nr == SYS_read && is_random_device(&s)) return fill_with_chance((unsigned char *)b, c);
    if (waits && nr == SYS_recvfrom && (flags & MSG_WAITALL) && !e) return receive_all(fd, (char *)b, c, flags);
    got = waits ? read_blocking(nr, fd, b, c, d, e, f, &s) : sys(nr, fd, b, c, d, e, f);
    uint64_t fired = nr == SYS_read && got == 8 ? timer_take_fired(fd) : 0;
    if (fired) *(uint64_t *)b = fired;
    if ((nr == SYS_accept || nr == SYS_accept4) && got >= 0) note_socket(got);
    if (got == -EAGAIN && !waits) charge(COST_CALL);
    return got;
}

/* ---- writing */

long await_room(long fd, int is_socket) {
    struct pollfd p = {fd, POLLOUT, 0};
    long got = do_poll(&p, 1, is_socket ? socket_limit(fd, SO_SNDTIMEO) : NEVER, NULL);
    return got == 0 ? -EAGAIN : got;
}

static long send_now(long nr, long fd, long b, long c, long d, long e, long f) {
    struct msghdr message = {.msg_iov = (void *)b, .msg_iovlen = c};
    switch (nr) {
    case SYS_write: return sys(SYS_sendto, fd, b, c, MSG_DONTWAIT, 0, 0);
    case SYS_writev: return sys(SYS_sendmsg, fd, &message, MSG_DONTWAIT, 0, 0, 0);
    case SYS_sendto: return sys(nr, fd, b, c, d | MSG_DONTWAIT, e, f);
    default: return sys(nr, fd, b, c | MSG_DONTWAIT, 0, 0, 0); /* sendmsg */
    }
}
static long write_socket(long nr, long fd, long b, long c, long d, long e, long f) {
    long done = 0, pieces = nr == SYS_write || nr == SYS_sendto; /* a part of a list of pieces is not sent again */
    for (;;) {
        long got = send_now(nr, fd, b + (pieces ? done : 0), c - (pieces ? done : 0), d, e, f);
        if (got >= 0) done += got;
        if (got >= 0 && (!pieces || done >= c)) return done;
        if (got < 0 && got != -EAGAIN) return done ? done : got;
        if ((got = await_room(fd, 1)) < 0) return done ? done : got;
    }
}

/* A pipe with room for anything has room for a page. */
static long write_pieces(long fd, long b, long c) {
    long done = 0;
    while (done < c) {
        long size = c - done > PIPE_BUF ? PIPE_BUF : c - done, got = await_room(fd, 0);
        if (got > 0) got = sys(SYS_write, fd, b + done, size, 0, 0, 0);
        if (got < 0 && got != -EAGAIN) return done ? done : got;
        if (got > 0) done += got;
        if (got == -EAGAIN) charge(COST_CALL);
    }
    return done;
}
static long write_list(long fd, const struct iovec *list, long n) {
    long done = 0;
    for (long i = 0; i < n; i++) {
        long got = list[i].iov_len ? write_pieces(fd, (long)list[i].iov_base, list[i].iov_len) : 0;
        if (got < 0) return done ? done : got;
        done += got;
        if (got < (long)list[i].iov_len) break;
    }
    return done;
}

long do_write(long nr, long fd, long b, long c, long d, long e, long f, int flags) {
    struct stat s;
    long got;
    int waits = may_block(fd, &s) && !(flags & MSG_DONTWAIT);
    if (is_connection(fd) && !is_outside_file(fd)) got = write_connection(nr, fd, b, c, flags, waits);
    else if (waits && S_ISSOCK(s.st_mode)) got = write_socket(nr, fd, b, c, d, e, f);
    else if (waits && S_ISFIFO(s.st_mode) && !is_outside_file(fd))
        got = nr == SYS_write ? write_pieces(fd, b, c) : write_list(fd, (struct iovec *)b, c);
    else got = sys(nr, fd, b, c, d, e, f);
    if (got > 0 && !S_ISREG(s.st_mode) && !is_outside_file(fd)) let_others_see(), await_echo(fd);
    if (got == -EAGAIN && !waits) charge(COST_CALL);
    return got;
}

/* sendfile: as much as there is room for, as the kernel may do it. */
long do_sendfile(long to, long from, long offset, long n) {
    struct stat s;
    if (is_connection(to)) return -EINVAL; /* so that the program reads and writes */
    if (!may_block(to, &s)) return sys(SYS_sendfile, to, from, offset, n, 0, 0);
    for (;;) {
        long got = await_room(to, S_ISSOCK(s.st_mode));
        if (got < 0) return got;
        got = without_blocking(SYS_sendfile, to, from, offset, n, 0, 0);
        if (got > 0) let_others_see();
        if (got != -EAGAIN) return got;
        charge(COST_CALL);
    }
}

long do_send_many(long fd, struct mmsghdr *messages, unsigned n, int flags) {
    for (unsigned i = 0; i < n; i++) {
        long got = do_write(SYS_sendmsg, fd, (long)&messages[i].msg_hdr, flags, 0, 0, 0, flags);
        if (got < 0) return i ? (long)i : got;
        messages[i].msg_len = got;
    }
    return n;
}

/* On this machine a connection is made, or refused, at once; it may take real time to show. */
long do_connect(long fd, long address, long size) {
    char copy[128];
    if (size <= 0 || size > (long)sizeof copy) return sys(SYS_connect, fd, address, size, 0, 0, 0);
    memcpy(copy, (void *)address, size);
    find_moved(copy, size);
    long result = sys(SYS_connect, fd, copy, size, 0, 0, 0);
    struct pollfd p = {fd, POLLOUT, 0};
    if (result == -EINPROGRESS) sys(SYS_poll, &p, 1, 1000, 0, 0, 0);
    if (result == 0 || result == -EINPROGRESS) note_socket(fd);
    return result;
}

/* ---- children */

long do_wait(long nr, long a, long b, long c, long d, long e) {
    long options = nr == SYS_wait4 ? c : d;
    siginfo_t *info = nr == SYS_waitid ? (siginfo_t *)c : NULL;
    struct rusage *usage = (struct rusage *)(nr == SYS_wait4 ? d : e);
    for (;;) {
        if (info) info->si_pid = 0;
        long got = nr == SYS_wait4 ? sys(nr, a, b, c | WNOHANG, d, 0, 0) : sys(nr, a, b, c, d | WNOHANG, e, 0);
        int none = got == 0 && (nr == SYS_wait4 || (info && info->si_pid == 0));
        if (none && (options & WNOHANG)) charge(COST_CALL);
        if (usage && !none) steady_usage(usage, 0);
        if (!none || (options & WNOHANG)) return got;
        if (wait_until(NEVER, WAIT_CHILD) == BY_SIGNAL) return -EINTR;
    }
}
