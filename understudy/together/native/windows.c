/* Writing to robots and to other programs: no more than the simulator allows.
 *
 * How much a socket or a terminal takes, and when it takes more, depends on how fast the other end reads, in real time.
 * So a connection has room for what its buffers are sure to hold (connections.c), and gets more when the simulation has
 * taken what was written. Without room a write waits in simulated time, or fails with EAGAIN, and the descriptor does
 * not poll as writable. */
#include "together.h"
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <termios.h>

enum { NAP_NS = 20000, NAPS = 2000 }; /* real time for a kernel without room */
enum { RETRY = 1000000 };             /* simulated time until it is tried again (ns) */
enum { DRAIN_AND_SET = 0x402C542C, DRAIN_FLUSH_AND_SET = 0x402C542D }; /* TCSETSW2, TCSETSF2: for any baud rate */
enum { WRITABLE = POLLOUT | POLLWRNORM | POLLWRBAND };

long poll_now(struct pollfd *fds, long n) {
    long got = sys(SYS_poll, fds, n, 0, 0, 0, 0);
    if (got <= 0 || !is_full()) return got;
    for (long i = 0; i < n; i++) {
        short seen = fds[i].revents;
        if (!(seen & WRITABLE) || (seen & (POLLERR | POLLHUP)) || room_of(fds[i].fd)) continue;
        fds[i].revents = seen & ~WRITABLE;
        got -= !fds[i].revents;
    }
    return got;
}

/* ---- writing */

static long write_now(long fd, const char *from, long size, int flags, int is_socket) {
    return is_socket ? sys(SYS_sendto, fd, from, size, flags | MSG_DONTWAIT, 0, 0)
                     : without_blocking(SYS_write, fd, (long)from, size, 0, 0, 0);
}
/* Where the simulator has given room, the kernel will have some, too: the link reads in real time. */
static long write_within(long room, long fd, const char *from, long size, int flags, int is_socket) {
    struct timespec nap = {0, NAP_NS};
    long got = write_now(fd, from, size < room ? size : room, flags, is_socket);
    for (int i = 0; got == -EAGAIN && room < BOUNDLESS && i < NAPS; i++) {
        sys(SYS_nanosleep, &nap, 0, 0, 0, 0, 0);
        got = write_now(fd, from, size < room ? size : room, flags, is_socket);
    }
    return got;
}
/* A terminal may write two characters for the end of a line. */
static long ends_of_lines(long fd, const char *from, long size) {
    struct termios t;
    long n = 0;
    if (sys(SYS_ioctl, fd, TCGETS, &t, 0, 0, 0) < 0 || !(t.c_oflag & OPOST) || !(t.c_oflag & ONLCR)) return 0;
    for (long i = 0; i < size; i++) n += from[i] == '\n';
    return n;
}
static long write_piece(long fd, const char *from, long size, int flags, int waits, int is_socket) {
    long done = 0;
    while (done < size) {
        long room = room_of(fd);
        long got = room ? write_within(room, fd, from + done, size - done, flags, is_socket) : -EAGAIN;
        if (got > 0) {
            note_written(fd, got + (is_socket ? 0 : ends_of_lines(fd, from + done, got)));
            done += got;
            continue;
        }
        if (got == -EAGAIN && waits) {
            if (!room || room == BOUNDLESS) got = await_room(fd, is_socket);
            else got = wait_until(now + RETRY, 0) == BY_SIGNAL ? -EINTR : 1;
            if (got > 0) continue;
        }
        return done ? done : got;
    }
    return done;
}
/* write, writev, sendto, sendmsg on a stream, piece by piece */
long write_connection(long nr, long fd, long b, long c, int flags, int waits) {
    struct iovec one = {(void *)b, c}, *list = &one;
    int type, is_socket;
    socklen_t size = sizeof type;
    long n = 1, done = 0;
    if (nr == SYS_writev) list = (struct iovec *)b, n = c;
    if (nr == SYS_sendmsg) list = ((struct msghdr *)b)->msg_iov, n = ((struct msghdr *)b)->msg_iovlen;
    is_socket = sys(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size, 0) == 0;
    for (long i = 0; i < n; i++) {
        long got = write_piece(fd, list[i].iov_base, list[i].iov_len, flags, waits, is_socket);
        if (got < 0) return done ? done : got;
        done += got;
        if (got < (long)list[i].iov_len) break;
    }
    return done;
}

/* ---- terminals */

static long await_drain(long fd) {
    while (!is_drained(fd)) {
        me->drains = fd;
        if (wait_until(NEVER, WAIT_DRAIN) == BY_SIGNAL) return -EINTR;
    }
    return 0;
}
long do_ioctl(long fd, long request, long argument) {
    switch (request) {
    case TCSBRK: case TCSETSW: case TCSETSF: case TCSETAW: case TCSETAF:
    case DRAIN_AND_SET: case DRAIN_FLUSH_AND_SET: /* tcdrain, and settings after it */
        if ((request != TCSBRK || argument) && is_connection(fd) && await_drain(fd) < 0) return -EINTR;
        break;
    case TCFLSH:
        if (argument != TCIFLUSH && is_connection(fd)) meet_simulator(); /* what was written has left */
        break;
    case TIOCOUTQ:
        if (!is_connection(fd)) break;
        *(int *)argument = under_way(fd);
        return 0;
    }
    return sys(SYS_ioctl, fd, request, argument, 0, 0, 0);
}

/* ---- epoll: the kernel tells who can write, so that it must not be asked about a connection without room */

enum { WRITERS = 256 };
static struct { int ep, fd, masked; struct epoll_event wanted; } writers[WRITERS];
static int nwriters;

static int ask(int i, int masked) {
    struct epoll_event event = writers[i].wanted;
    if (masked) event.events &= ~EPOLLOUT;
    writers[i].masked = masked;
    return sys(SYS_epoll_ctl, writers[i].ep, EPOLL_CTL_MOD, writers[i].fd, &event, 0, 0) == 0;
}
static void forget(int i) { writers[i] = writers[--nwriters]; }

/* A connection has run out of room, or has some again. */
void watch_room(uint64_t file, int has_room) {
    for (int i = nwriters - 1; i >= 0; i--) {
        if (!is_same_file(writers[i].fd, file) || writers[i].masked != has_room) continue;
        if (!has_room && (writers[i].wanted.events & EPOLLONESHOT)) continue; /* asked for anew each time */
        if (!ask(i, !has_room)) forget(i); /* closed since */
    }
}
long do_epoll_ctl(long ep, long op, long fd, void *given) {
    int masked = 0;
    struct epoll_event event = {0};
    if (given && op != EPOLL_CTL_DEL) {
        event = *(struct epoll_event *)given;
        masked = (event.events & EPOLLOUT) && !room_of(fd);
    }
    struct epoll_event asked = event;
    if (masked) asked.events &= ~EPOLLOUT;
    long result = sys(SYS_epoll_ctl, ep, op, fd, given ? &asked : NULL, 0, 0);
    if (result < 0) return result;
    for (int i = nwriters - 1; i >= 0; i--)
        if (writers[i].ep == ep && writers[i].fd == fd) forget(i);
    if ((event.events & EPOLLOUT) && nwriters < WRITERS) {
        writers[nwriters].ep = ep, writers[nwriters].fd = fd;
        writers[nwriters].masked = masked, writers[nwriters++].wanted = event;
    }
    return result;
}
