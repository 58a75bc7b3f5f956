/* Leaves a serial port unread, or writes more to it than it carries.
 *   full TERMINAL WHAT AMOUNT [BYTE ...]    seconds without reading, or bytes to write; bytes to send first */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int port;
static long amount;
static struct timespec begun;

static double at(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec - begun.tv_sec + (t.tv_nsec - begun.tv_nsec) / 1e9;
}
static void tell(const char *what, long n) { printf("%s %ld %.6f\n", what, n, at()), fflush(stdout); }
static int waiting(int request) {
    int n = -1;
    ioctl(port, request, &n);
    return n;
}
static unsigned sum;
static long take(char *to, long most) {
    long got = read(port, to, most);
    for (long i = 0; i < got; i++) sum = sum * 31 + (unsigned char)to[i];
    return got;
}
/* Read for a while all that is there, and what comes. */
static void read_all(double seconds) {
    static char data[5000];
    long total = 0, pieces = 0;
    struct pollfd p = {port, POLLIN, 0};
    for (double end = at() + seconds; at() < end;)
        if (poll(&p, 1, 50) > 0) total += take(data, sizeof data), pieces++;
    tell("bytes", total), tell("pieces", pieces), tell("sum", sum);
}
static void write_waiting(const char *data) {
    long calls = 0, done = 0;
    while (done < amount) done += write(port, data + done, amount - done), calls++;
    tell("calls", calls), tell("under way", waiting(TIOCOUTQ));
    tcdrain(port);
    tell("drained", waiting(TIOCOUTQ));
}
static void write_polling(const char *data, int edges) {
    long calls = 0, refused = 0, done = 0;
    int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLOUT | EPOLLET};
    struct pollfd p = {port, POLLOUT, 0};
    fcntl(port, F_SETFL, fcntl(port, F_GETFL) | O_NONBLOCK);
    epoll_ctl(set, EPOLL_CTL_ADD, port, &event);
    while (done < amount) {
        long got = write(port, data + done, amount - done);
        calls++;
        if (got > 0) done += got;
        else if (errno == EAGAIN) refused++, edges ? epoll_wait(set, &event, 1, -1) : poll(&p, 1, -1);
    }
    tell("calls", calls), tell("refused", refused), tell("under way", waiting(TIOCOUTQ));
}
static void flush_all(const char *data) {
    sleep(3);
    tell("unread", waiting(FIONREAD));
    tcflush(port, TCIFLUSH);
    tell("unread", waiting(FIONREAD));
    sleep(2);
    write(port, data, 3000);
    tcflush(port, TCIOFLUSH);
    tell("unread", waiting(FIONREAD)), tell("under way", waiting(TIOCOUTQ));
    sleep(2);
    struct termios settings;
    tcgetattr(port, &settings);
    write(port, data, 1000);
    tcsetattr(port, TCSAFLUSH, &settings);
    tell("unread", waiting(FIONREAD));
    read_all(1);
}
static void read_lines(void) {
    char line[200];
    long lines = 0, bytes = 0, got;
    struct termios settings;
    tcgetattr(port, &settings);
    settings.c_lflag |= ICANON, settings.c_iflag |= IGNCR;
    tcsetattr(port, TCSANOW, &settings);
    sleep(amount);
    while (at() < amount + 2 && (got = take(line, sizeof line)) > 0) lines++, bytes += got;
    tell("lines", lines), tell("bytes", bytes), tell("sum", sum);
}
static void read_in_children(void) {
    char data[1000];
    for (int i = 0; i < 6; i++) {
        sleep(3);
        pid_t child = fork();
        if (child == 0) {
            take(data, sizeof data);
            tell("sum", sum);
            _exit(0);
        }
        if (i == 4) kill(child, 9);
        waitpid(child, NULL, 0);
    }
    read_all(1);
}

int main(int argc, char **argv) {
    static char data[100000];
    clock_gettime(CLOCK_MONOTONIC, &begun);
    port = open(argv[1], O_RDWR | O_NOCTTY);
    amount = atol(argv[3]);
    for (int i = 4; i < argc; i++) data[i] = strtol(argv[i], NULL, 0), write(port, data + i, 1);
    memset(data, 0, sizeof data);
    if (!strcmp(argv[2], "silent")) sleep(amount), tell("unread", waiting(FIONREAD)), read_all(2);
    if (!strcmp(argv[2], "waiting")) write_waiting(data);
    if (!strcmp(argv[2], "polling")) write_polling(data, 0);
    if (!strcmp(argv[2], "edges")) write_polling(data, 1);
    if (!strcmp(argv[2], "flush")) flush_all(data);
    if (!strcmp(argv[2], "lines")) read_lines();
    if (!strcmp(argv[2], "children")) read_in_children();
    return 0;
}
