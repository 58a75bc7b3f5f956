/* Connections to robots, and of programs among each other: TCP sockets on this machine, and terminals.
 *
 * What a program has sent is reported to the simulator before time passes, and what the simulator says it has sent is
 * there before any thread runs: loopback and pseudo-terminals deliver in the background, in real time. No more is
 * under way in either direction than their buffers are sure to hold (windows.c). */
#include "together.h"
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>

#ifndef POLLRDHUP
#define POLLRDHUP 0x2000
#endif
enum { NO_DELAY = 1 /* TCP_NODELAY; netinet/tcp.h and linux/tcp.h exclude each other */ };
enum { NAP_NS = 20000, QUICK = 50, STALLED = 500, STILL = 10 }; /* a nap of await_arrival, and numbers of them */
static const ns_t PATIENCE = 20 * SECOND; /* real time for bytes that must come, on a busy machine */
enum { TTY_WINDOW = 4095, TCP_WINDOW = 32768 }; /* as understudy/together/connections.py has them */
enum { LONGEST_LINE = 2047 }; /* bytes of an unfinished line, which cannot be counted */

/* Several descriptors may lead to one connection (dup, fork), so it is known by its inode. */
typedef struct {
    uint64_t fds[DESCRIPTORS / 64]; /* one bit each */
    uint64_t inode;
    int tty, number, peer; /* terminal: N of /dev/pts/N; socket: own port, the other end's */
    int announced;         /* the simulator knows the other end, and tells what it sends */
    int ended;             /* the other end has hung up */
    int shut;              /* the program has said that it writes no more */
    int behind;            /* not all that was announced has arrived: a small buffer is full ... */
    long stuck;            /* ... with so many bytes that the program has not read yet */
    uint64_t written;       /* terminal: since the last report; a socket's own counters tell */
    long room;              /* bytes that may be written now */
    uint64_t expected;      /* socket: bytes that must have come in all; terminal: that are to be read */
} connection;
static connection connections[CONNECTIONS];
static int count;
enum { OUTSIDE = 3 };
static uint64_t outside[OUTSIDE]; /* what the first program got as standard input, output, errors */

static uint64_t identity(const struct stat *s) {
    return s->st_ino ^ (uint64_t)s->st_dev << 40 ^ (uint64_t)s->st_rdev << 48;
}
static uint64_t inode(int fd) {
    struct stat s;
    return sys(SYS_fstat, fd, &s, 0, 0, 0, 0) < 0 ? 0 : identity(&s);
}
static connection *of(int fd) {
    uint64_t node = count ? inode(fd) : 0;
    for (int i = 0; node && i < count; i++)
        if (connections[i].inode == node) return &connections[i];
    return NULL;
}
int is_connection(int fd) { return of(fd) != NULL; }

/* Return a descriptor that still leads to the connection, or -1. */
static int any_fd(connection *c) {
    for (int i = 0; i < DESCRIPTORS / 64; i++)
        while (c->fds[i]) {
            int fd = 64 * i + __builtin_ctzll(c->fds[i]);
            if (inode(fd) == c->inode) return fd;
            c->fds[i] &= c->fds[i] - 1;
        }
    return -1;
}

static void note(int fd, int tty, int number, int peer) {
    connection *c = of(fd);
    if (fd >= DESCRIPTORS || (!c && count == CONNECTIONS)) {
        warn("the program has more than 128 connections, or descriptors above 1023; this run may not repeat");
        return;
    }
    if (!c) {
        c = &connections[count++];
        *c = (connection){.tty = tty, .inode = inode(fd), .number = number, .peer = peer,
                          .room = tty ? BOUNDLESS : TCP_WINDOW}; /* a terminal's opening meets the simulator */
    }
    c->fds[fd / 64] |= 1ULL << fd % 64;
}

/* Java speaks IPv6 to IPv4 addresses (::ffff:127.0.0.1); the port is at the same place in both kinds of address. */
static int is_loopback(const struct sockaddr_in6 *a) {
    if (a->sin6_family == AF_INET) return *(unsigned char *)&((struct sockaddr_in *)a)->sin_addr == 127;
    return a->sin6_family == AF_INET6 && (IN6_IS_ADDR_LOOPBACK(&a->sin6_addr) ||
           (IN6_IS_ADDR_V4MAPPED(&a->sin6_addr) && a->sin6_addr.s6_addr[12] == 127));
}
void note_socket(int fd) {
    struct sockaddr_in6 here = {0}, there = {0};
    socklen_t size = sizeof here, int_size = sizeof(int);
    int type = 0, one = 1;
    sys(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &int_size, 0);
    if (type != SOCK_STREAM || sys(SYS_getsockname, fd, &here, &size, 0, 0, 0) < 0) return;
    size = sizeof there;
    if (sys(SYS_getpeername, fd, &there, &size, 0, 0, 0) < 0 || !is_loopback(&there)) return;
    note(fd, 0, ntohs(here.sin6_port), ntohs(there.sin6_port));
    /* small packets would wait for acknowledgements, 40 ms of real time each */
    sys(SYS_setsockopt, fd, IPPROTO_TCP, NO_DELAY, &one, sizeof one, 0);
}
/* Return whether the descriptor is a pseudo-terminal, as those of robots are. */
int note_terminal(int fd) {
    struct stat s;
    if (sys(SYS_fstat, fd, &s, 0, 0, 0, 0) < 0 || !S_ISCHR(s.st_mode)) return 0;
    int kind = major(s.st_rdev);
    if (kind < 136 || kind > 143) return 0; /* the numbers of Unix98 terminals */
    note(fd, 1, (int)minor(s.st_rdev) + 256 * (kind - 136), 0);
    return 1;
}
int is_last_of_terminal(int fd) {
    connection *c = of(fd);
    int others = 0;
    if (!c || !c->tty || fd >= DESCRIPTORS) return 0;
    any_fd(c);
    for (int i = 0; i < DESCRIPTORS / 64; i++) others += __builtin_popcountll(c->fds[i]);
    return others <= 1;
}
void note_inherited(void) {
    struct stat s;
    for (int fd = 0; fd < 256; fd++)
        if (sys(SYS_fstat, fd, &s, 0, 0, 0, 0) == 0) {
            if (S_ISSOCK(s.st_mode)) note_socket(fd);
            else if (S_ISCHR(s.st_mode) && !is_outside_file(fd)) note_terminal(fd), note_own_terminal(fd);
        }
}
void note_copy(int from, int to) {
    note_own_terminal(to);
    if (of(from)) note(to, 0, 0, 0);
}

void note_written(int fd, long n) {
    connection *c = n > 0 ? of(fd) : NULL;
    if (!c) return;
    if (c->tty) c->written += n;
    if (c->room == BOUNDLESS) return;
    c->room = n < c->room ? c->room - n : 0;
    if (!c->room) watch_room(c->inode, 0);
}
void note_shut(int fd) {
    connection *c = of(fd);
    if (c) c->shut = 1;
}
long room_of(int fd) {
    connection *c = of(fd);
    return c ? c->room : BOUNDLESS;
}
/* Is there a connection that nothing may be written to now? */
int is_full(void) {
    for (int i = 0; i < count; i++)
        if (!connections[i].room) return 1;
    return 0;
}
static long window(const connection *c) { return c->tty ? TTY_WINDOW : TCP_WINDOW; }
int under_way(int fd) {
    connection *c = of(fd);
    return c && c->room < window(c) ? window(c) - c->room : 0;
}
int is_drained(int fd) { return !under_way(fd); }
int is_same_file(int fd, uint64_t file) { return inode(fd) == file; }
void connections_of_parent(void) { /* the parent reports what was before */
    for (int i = 0; i < count; i++) connections[i].written = 0;
}

/* ---- arrival */

static void tcp_counts(int fd, uint64_t *in, uint64_t *out) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    sys(SYS_getsockopt, fd, IPPROTO_TCP, TCP_INFO, &info, &size, 0);
    *in = info.tcpi_bytes_received;
    *out = info.tcpi_bytes_sent - info.tcpi_bytes_retrans + info.tcpi_notsent_bytes;
}
static int unread(int fd) {
    int n = 0;
    sys(SYS_ioctl, fd, FIONREAD, &n, 0, 0, 0);
    return n;
}
/* Can what has come not be counted? Lines are being edited, or some characters are not passed on. */
static int is_edited(int fd) {
    struct termios t;
    if (sys(SYS_ioctl, fd, TCGETS, &t, 0, 0, 0) < 0) return 0;
    return (t.c_lflag & (ICANON | ISIG)) || (t.c_iflag & (IGNCR | IXON));
}
/* Then more is sent only once all was read: a look at an empty terminal makes the kernel bring what is under way. */
static int is_still(int fd) {
    struct timespec nap = {0, NAP_NS};
    struct pollfd p = {fd, POLLIN, 0};
    for (int i = 0, had = -1; i < STILL; i++) {
        if (sys(SYS_poll, &p, 1, 0, 0, 0, 0) == 0) return 1;
        if (unread(fd) != had) i = 0, had = unread(fd);
        sys(SYS_nanosleep, &nap, 0, 0, 0, 0, 0);
    }
    return 1;
}
static int has_arrived(connection *c, int fd) {
    uint64_t in, out;
    if (c->ended) {
        struct pollfd p = {fd, POLLIN | POLLRDHUP, 0};
        sys(SYS_poll, &p, 1, 0, 0, 0, 0);
        return (p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
    }
    if (c->tty) return (uint64_t)unread(fd) >= c->expected || (is_edited(fd) && is_still(fd));
    tcp_counts(fd, &in, &out);
    return in >= c->expected;
}
/* Does the program keep the receive buffer so small that less fits than the simulator sends? */
static int is_narrow(connection *c, int fd) {
    int bytes = 0;
    socklen_t size = sizeof bytes;
    return !c->tty && sys(SYS_getsockopt, fd, SOL_SOCKET, SO_RCVBUF, &bytes, &size, 0) == 0 && bytes < 2 * TCP_WINDOW;
}
static ns_t real_time(void) {
    struct timespec t;
    sys(SYS_clock_gettime, CLOCK_MONOTONIC, &t, 0, 0, 0, 0);
    return of_spec(&t);
}
static void await_arrival(connection *c) {
    struct timespec nap = {0, NAP_NS};
    ns_t begun = 0;
    int fd = any_fd(c);
    if (c->behind && fd >= 0 && unread(fd) == c->stuck) return; /* nothing was read, so nothing more has come */
    c->behind = 0;
    for (int i = 0; fd >= 0 && !has_arrived(c, fd); i++) {
        if (i < QUICK) sys(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        else sys(SYS_nanosleep, &nap, 0, 0, 0, 0, 0);
        if (i > STALLED && is_narrow(c, fd) && unread(fd) > 0) { /* the rest comes when the program reads */
            c->behind = 1, c->stuck = unread(fd);
            return;
        }
        if (i == QUICK) begun = real_time();
        if (i > QUICK && real_time() - begun > PATIENCE) {
            warn("bytes of a robot have not arrived; this run may not repeat");
            return;
        }
    }
}
/* Before "there is no input" is true, what was announced must have had the chance to come. */
void await_announced(void) {
    for (int i = 0; i < count; i++) {
        int fd = connections[i].behind ? any_fd(&connections[i]) : -1;
        if (fd >= 0 && unread(fd) == 0) await_arrival(&connections[i]);
    }
}
static void set_room(connection *c, long room) {
    int was_full = !c->room;
    c->room = room;
    if (was_full && room) watch_room(c->inode, 1);
}
void connection_news(int number, int peer, uint64_t expected, int ended, long room) {
    for (int i = 0; i < count; i++)
        if (connections[i].number == number && connections[i].peer == peer) {
            connections[i].expected = expected, connections[i].ended = ended, connections[i].announced = 1;
            set_room(&connections[i], room);
            await_arrival(&connections[i]);
        }
}
/* Connections that the simulator says nothing of lead elsewhere. */
void no_more_news(void) {
    for (int i = 0; i < count; i++)
        if (!connections[i].announced) set_room(&connections[i], BOUNDLESS);
}

static int is_being_drained(const connection *c) {
    for (thread *t = all; t; t = t->next)
        if (t->waits && (t->kind & WAIT_DRAIN) && inode(t->drains) == c->inode) return 1;
    return 0;
}
static long wanted_room(const connection *c) {
    return c->room < window(c) && is_being_drained(c) ? window(c) : !c->room;
}
static long unread_or_unknown(const connection *c, int fd) {
    long n = c->announced && fd >= 0 ? unread(fd) : -1;
    if (n < 0 || !c->tty || !is_edited(fd)) return n;
    return n ? TTY_WINDOW : LONGEST_LINE;
}

/* Append " KIND:NUMBER:PEER:WRITTEN:UNREAD:CLOSED:WANTS" of each; forget those that are closed (1; 2: for writing). */
int connection_report(char *text, int n, int size) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        connection *c = &connections[i];
        int fd = any_fd(c);
        uint64_t in = 0, out = c->written;
        if (!c->tty && fd >= 0) tcp_counts(fd, &in, &out);
        if (n < size)
            n += snprintf(text + n, size - n, " %c:%d:%d:%llu:%ld:%d:%ld", c->tty ? 'p' : 't', c->number, c->peer,
                          (unsigned long long)out, unread_or_unknown(c, fd), fd < 0 ? 1 : c->shut ? 2 : 0, wanted_room(c));
        c->written = 0;
        if (fd >= 0) connections[kept++] = *c;
    }
    count = kept;
    return n < size ? n : size;
}

/* ---- ports: a robot whose port was taken by another simulation listens on another one */

enum { PORTS = 256 };
static uint16_t wanted[PORTS], actual[PORTS];
static int nports;

void moved_ports(const char *list) { /* "8101:8103,8102:8104" */
    for (char *end; *list && nports < PORTS; list = *end ? end + 1 : end) {
        wanted[nports] = strtol(list, &end, 10);
        actual[nports++] = strtol(*end ? end + 1 : end, &end, 10);
    }
}
/* Change the port of an address on this machine, if its robot listens elsewhere. */
void find_moved(void *address, long size) {
    struct sockaddr_in6 *a = address;
    if (size < (long)sizeof(struct sockaddr_in) || !is_loopback(a)) return;
    for (int i = 0; i < nports; i++)
        if (ntohs(a->sin6_port) == wanted[i]) {
            a->sin6_port = htons(actual[i]);
            return;
        }
}

/* ---- what leads out of the simulation: the keyboard, the screen, a log */

void outside_files(const char *list) {
    for (int i = 0; i < OUTSIDE && *list; i++) {
        char *end;
        outside[i] = strtoull(list, &end, 16);
        list = *end ? end + 1 : end;
    }
}
int is_outside_file(int fd) {
    uint64_t node = inode(fd);
    for (int i = 0; node && i < OUTSIDE; i++)
        if (outside[i] == node) return 1;
    return 0;
}
int outside_input(const struct pollfd *fds, int n) {
    for (int i = 0; i < n; i++) {
        connection *c = fds[i].fd >= 0 ? of(fds[i].fd) : NULL;
        if (fds[i].fd >= 0 && (!c || !c->announced)) return 1;
    }
    return 0;
}
