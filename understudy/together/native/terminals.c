/* Pseudo-terminals that programs make for each other (expect, script, socat): what is written at one end comes to the other
 * one in the background, in real time. Asking an end for input makes the kernel deliver what has been written, but not if
 * there is input already, nor by way of an epoll set. So both ends are asked before anybody decides that there is none. */
#include "together.h"
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>

enum { MOST = 32, NAP_NS = 50000, NAPS = 40 };
static uint64_t noted[DESCRIPTORS / 64]; /* descriptors that were terminals when they were opened */
static int any;

static int is_master(const struct stat *s) { return major(s->st_rdev) == 5 && minor(s->st_rdev) == 2; /* /dev/ptmx */ }
static int is_terminal(int fd, struct stat *s) {
    if (sys(SYS_fstat, fd, s, 0, 0, 0, 0) < 0 || !S_ISCHR(s->st_mode)) return 0;
    return is_master(s) || (major(s->st_rdev) >= 136 && major(s->st_rdev) <= 143);
}
void note_own_terminal(int fd) {
    struct stat s;
    if (fd < 0 || fd >= DESCRIPTORS || !is_terminal(fd, &s) || is_outside_file(fd)) return;
    noted[fd / 64] |= 1ULL << fd % 64, any = 1;
}

/* Fill in the ends that are no robot's; return how many. */
static int own_ends(struct pollfd *ends) {
    struct stat s;
    int n = 0;
    for (int i = 0; any && i < DESCRIPTORS / 64; i++)
        for (uint64_t left = noted[i]; left && n < MOST; left &= left - 1) {
            ends[n] = (struct pollfd){64 * i + __builtin_ctzll(left), POLLIN, 0};
            if (!is_terminal(ends[n].fd, &s)) noted[i] &= ~(left & -left);
            else n += outside_input(&ends[n], 1);
        }
    return n;
}
static long input_of(struct pollfd *ends, int n) {
    long all = 0;
    sys(SYS_poll, ends, n, 0, 0, 0, 0);
    for (int i = 0, some; i < n; i++)
        if ((ends[i].revents & POLLIN) && sys(SYS_ioctl, ends[i].fd, FIONREAD, &some, 0, 0, 0) == 0) all += some;
    return all;
}
void deliver_to_terminals(void) {
    struct pollfd ends[MOST];
    int n = own_ends(ends);
    if (n) sys(SYS_poll, ends, n, 0, 0, 0, 0);
}

/* Others have run, and may have written in several pieces: come back when no more of them come. */
void await_terminals(void) {
    struct timespec nap = {0, NAP_NS};
    struct pollfd ends[MOST];
    int n = own_ends(ends), still = 0;
    long before = n ? input_of(ends, n) : 0;
    for (int i = 0; n && before && still < 2 && i < NAPS; i++) {
        sys(SYS_nanosleep, &nap, 0, 0, 0, 0, 0);
        long now_there = input_of(ends, n);
        still = now_there == before ? still + 1 : 0, before = now_there;
    }
}

/* What is written to a terminal that echoes comes back, also in the background. */
void await_echo(int fd) {
    struct timespec nap = {0, NAP_NS};
    struct pollfd end = {fd, POLLIN, 0};
    struct termios settings;
    struct stat s;
    if (!any || !is_terminal(fd, &s) || !is_master(&s)) return;
    if (sys(SYS_ioctl, fd, TCGETS, &settings, 0, 0, 0) < 0 || !(settings.c_lflag & ECHO)) return;
    for (int i = 0; i < NAPS && !input_of(&end, 1); i++) sys(SYS_nanosleep, &nap, 0, 0, 0, 0, 0);
    await_terminals();
}
