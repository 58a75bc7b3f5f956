/* The line to the simulator: one Unix socket for each process, text messages.
 *
 *   hello                                        a process, or an image after exec, takes part
 *   idle UNTIL NOW CHILD OUTSIDE RAN {connection} all threads wait; until (us, -1: for ever), own clock; one waits for
 *                                                a child, for input that is no robot's; something ran since "go"
 *   spawn PID NOW, launch PID NOW                a new process must say hello; it is another program already
 *   exec 0 NOW, stay 0 NOW                       a new image will say hello; no, the exec has failed
 *   poke PID NOW, kill PID NOW                   a signal was sent to another process; it dies of it
 *   number 0 NOW                                a thread or process is being made; the answer is the number that it gets
 *   bye NOW {connection}                         the last report before exec or exit
 *   note TEXT, fatal TEXT                        for the user
 *   go NOW LEASE FLAGS {NUMBER:PEER:BYTES:ENDED:ROOM} from the simulator: time is NOW, and may go on to LEASE; flags: 1 a
 *                                                child has ended, 2 other processes take part
 */
#include "together.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static int line = -1;
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static int address_size;
static char text[LINE_BYTES]; /* used by the thread with the baton only */

void line_set_path(const char *name) { /* an abstract address: no file, also for a program in another root folder */
    int n = strlen(name);
    if (n > (int)sizeof address.sun_path - 1) n = sizeof address.sun_path - 1;
    memcpy(address.sun_path + 1, name, n);
    address_size = offsetof(struct sockaddr_un, sun_path) + 1 + n;
}
void line_closed(void) {
    if (line >= 0) sys(SYS_close, line, 0, 0, 0, 0, 0);
    line = -1;
}
int is_line(int fd) { return line >= 0 && fd == line; }
int line_number(void) { return line; }

/* Move out of the way of a program that wants this descriptor's number. */
void line_makes_room(int fd) {
    if (!is_line(fd)) return;
    int other = sys(SYS_fcntl, line, F_DUPFD_CLOEXEC, line + 1, 0, 0, 0);
    if (other < 0) other = sys(SYS_fcntl, line, F_DUPFD_CLOEXEC, 3, 0, 0, 0);
    if (other >= 0) {
        sys(SYS_close, line, 0, 0, 0, 0, 0);
        line = other;
    }
}

static void complain(const char *words) {
    static const char before[] = "understudy together: ";
    sys(SYS_write, 2, before, sizeof before - 1, 0, 0, 0);
    sys(SYS_write, 2, words, strlen(words), 0, 0, 0);
    sys(SYS_write, 2, "\n", 1, 0, 0, 0);
}
static void leave(void) {
    for (;;) sys(SYS_exit_group, 97, 0, 0, 0, 0, 0);
}
void die(const char *words) {
    char message[512];
    int n = snprintf(message, sizeof message, "fatal %s", words);
    if (line < 0 || sys(SYS_write, line, message, n, 0, 0, 0) != n) complain(words);
    leave();
    __builtin_unreachable();
}
static void tell(const char *words, int n) {
    long got;
    while ((got = sys(SYS_sendto, line, words, n, MSG_NOSIGNAL, 0, 0)) == -EINTR) { }
    if (got != n) leave(); /* the simulator has ended */
}
void warn(const char *words) {
    char message[512];
    tell(message, snprintf(message, sizeof message, "note %s", words));
}
void say(const char *verb, long number) {
    char message[80];
    tell(message, snprintf(message, sizeof message, "%s %ld %lld", verb, number, (long long)(now / 1000)));
}
void say_bye(void) {
    int n = snprintf(text, sizeof text, "bye %lld", (long long)(now / 1000));
    tell(text, connection_report(text, n, sizeof text));
}

/* Does a thread wait for something that another process may do? */
static int waits_outside(void) {
    for (thread *t = all; t; t = t->next) {
        if (!t->waits) continue;
        if ((t->kind & WAIT_FDS) && outside_input(t->fds, t->nfds)) return 1;
        if ((t->kind & WAIT_FUTEX) && t->shared) return 1;
        if ((t->kind & WAIT_ATTEMPT) || (others && (t->kind & WAIT_LOOP))) return 1;
    }
    return 0;
}

static void hear(void) {
    long got;
    while ((got = sys(SYS_read, line, text, sizeof text - 1, 0, 0, 0)) == -EINTR) { }
    if (got <= 0) leave();
    text[got] = 0;
}

/* Return the number of the next thread or process; 0 if any will do. */
int ask_for_number(void) {
    say("number", 0);
    hear();
    return strtol(text, NULL, 10);
}

/* Tell that all wait until *until*; return the new time when the simulator wants this process to look. */
ns_t ask_for_time(ns_t until, int waits_for_child) {
    int n = snprintf(text, sizeof text, "idle %lld %lld %d %d %d", until == NEVER ? -1 : (long long)(until / 1000),
                     (long long)(now / 1000), waits_for_child, waits_outside(), ran);
    ran = 0;
    tell(text, connection_report(text, n, sizeof text));
    hear();
    char *at = text + 3;
    ns_t time = strtoll(at, &at, 10) * 1000;
    lease = strtoll(at, &at, 10) * 1000;
    int flags = strtol(at, &at, 10);
    child_ended |= flags & 1, others = flags >> 1;
    if (others) changes++; /* in memory that we share with them */
    while (*at == ' ') {
        int number = strtol(at, &at, 10), peer = strtol(at + 1, &at, 10);
        uint64_t bytes = strtoull(at + 1, &at, 10);
        int ended = strtol(at + 1, &at, 10);
        connection_news(number, peer, bytes, ended, strtol(at + 1, &at, 10));
    }
    no_more_news();
    if (others) await_terminals();
    return time > now ? time : now;
}

void say_hello(void) {
    int fd = sys(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, 0, 0, 0);
    static const int places[] = {900, 200, 60, 20};
    for (int i = 0; i < 4; i++) { /* out of the program's way */
        int high = sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, places[i], 0, 0, 0);
        if (high < 0) continue;
        sys(SYS_close, fd, 0, 0, 0, 0, 0);
        fd = high;
        break;
    }
    if (sys(SYS_connect, fd, &address, address_size, 0, 0, 0) < 0) {
        complain("the simulator does not answer");
        leave();
    }
    line = fd;
    tell("hello", 5);
    lease = 0;
    now = ask_for_time(now, 0);
    ran = 1;
    look_ahead();
}
