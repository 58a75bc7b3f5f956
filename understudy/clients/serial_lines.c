/* Answers the modem-line calls that a pseudo-terminal refuses, for the serial ports of Understudy only.
 *
 * `understudy with-serial -- PROGRAM` preloads this library. A call on a file descriptor that is one of our ports is
 * answered as a serial driver would, and what the program does to RTS, DTR and break is reported to the simulator
 * through a fifo. Calls on all other descriptors, and all other calls, go through unchanged.
 *
 * A port is ours if the folder UNDERSTUDY_LINES has a fifo .line-MAJOR-MINOR, with the numbers of the terminal, that
 * a process reads. A report is one line: RTS DTR BREAK BAUD; the baud rate is that of a custom divisor, or 0.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <linux/serial.h>

#define PORTS 64                                /* of one program; further ones get no answers */
#define CLOCK 24000000                          /* divided by a custom divisor it gives the baud rate */
#define READY (TIOCM_CTS | TIOCM_DSR | TIOCM_CD) /* a simulated device is always there and always ready */
#define RAISED (TIOCM_RTS | TIOCM_DTR)          /* what opening a port raises */
#define BREAK_MS 250

#ifdef __GLIBC__
typedef unsigned long request_t;
#else
typedef int request_t;
#endif

struct port {
    dev_t terminal;
    pid_t owner; /* the process that uses it; a child of vfork, which shares our memory, is another one */
    int lines;   /* RTS and DTR */
    int breaking;
    struct serial_struct settings;
};

static struct port ports[PORTS];
static int count;
static char folder[4000];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*next_ioctl)(int, request_t, ...);
static int (*next_close)(int);
static int (*next_tcsendbreak)(int, int);

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void) {
    for (int index = 0; index < count; index++) ports[index].owner = getpid();
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void start(void) {
    next_ioctl = (int (*)(int, request_t, ...))dlsym(RTLD_NEXT, "ioctl");
    next_close = (int (*)(int))dlsym(RTLD_NEXT, "close");
    next_tcsendbreak = (int (*)(int, int))dlsym(RTLD_NEXT, "tcsendbreak");
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    const char *named = getenv("UNDERSTUDY_LINES");
    if (named && strlen(named) < sizeof folder) strcpy(folder, named);
}

/* The kernel's own call serves whoever comes before the constructor has run. */
static int pass_on(int file, request_t request, void *argument) {
    return next_ioctl ? next_ioctl(file, request, argument) : (int)syscall(SYS_ioctl, file, request, argument);
}

static int close_file(int file) { return next_close ? next_close(file) : (int)syscall(SYS_close, file); }

/* Return a descriptor for reports about a terminal; -1 if it is not one of our ports. */
static int open_fifo(dev_t terminal) {
    char path[sizeof folder + 64];
    struct stat status;
    if (!*folder) return -1;
    snprintf(path, sizeof path, "%s/.line-%u-%u", folder, major(terminal), minor(terminal));
    int probe = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW); /* fails if no process reads */
    if (probe < 0) return -1;
    int fifo = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW); /* as a reader too: no SIGPIPE */
    close_file(probe);
    if (fifo < 0 || (fstat(fifo, &status) == 0 && S_ISFIFO(status.st_mode))) return fifo;
    close_file(fifo);
    return -1;
}

/* Return the terminal behind a descriptor; 0 if there is none. */
static dev_t terminal_of(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISCHR(status.st_mode) ? status.st_rdev : 0;
}

static struct port *find(dev_t terminal) {
    for (int index = 0; index < count; index++)
        if (ports[index].terminal == terminal && ports[index].owner == getpid()) return &ports[index];
    return NULL;
}

static void reset(struct port *port, dev_t terminal) {
    memset(port, 0, sizeof *port);
    port->terminal = terminal;
    port->owner = getpid();
    port->lines = RAISED;
    port->settings.type = PORT_16550A;
    port->settings.baud_base = CLOCK;
    port->settings.xmit_fifo_size = 16;
}

/* Return what is known of a port; NULL if the program uses too many. */
static struct port *find_or_add(dev_t terminal) {
    struct port *port = find(terminal);
    for (int index = 0; !port && index < count; index++)
        if (!ports[index].terminal) reset(port = &ports[index], terminal);
    if (!port && count < PORTS) reset(port = &ports[count++], terminal);
    return port;
}

static unsigned custom_baud(const struct port *port) {
    int custom = (port->settings.flags & ASYNC_SPD_MASK) == ASYNC_SPD_CUST && port->settings.custom_divisor > 0;
    return custom ? CLOCK / (unsigned)port->settings.custom_divisor : 0;
}

static void report(const struct port *port, int fifo) {
    char line[64];
    int length = snprintf(line, sizeof line, "%d %d %d %u\n", !!(port->lines & TIOCM_RTS),
                          !!(port->lines & TIOCM_DTR), port->breaking, custom_baud(port));
    ssize_t written = write(fifo, line, (size_t)length);
    (void)written; /* a simulator that hangs loses reports, as it loses bytes */
}

static int set_lines(struct port *port, int fifo, int lines) {
    port->lines = lines & RAISED;
    report(port, fifo);
    return 0;
}

static int set_break(struct port *port, int fifo, int on) {
    port->breaking = on;
    report(port, fifo);
    return 0;
}

static int set_settings(struct port *port, int fifo, const struct serial_struct *wanted) {
    port->settings.flags = wanted->flags;
    port->settings.custom_divisor = wanted->custom_divisor;
    port->settings.close_delay = wanted->close_delay;
    port->settings.closing_wait = wanted->closing_wait;
    report(port, fifo);
    return 0;
}

/* Answer a call that does not wait. */
static int answer(struct port *port, int fifo, request_t request, void *argument) {
    switch (request) {
    case TIOCMGET: *(int *)argument = port->lines | READY; return 0;
    case TIOCMSET: return set_lines(port, fifo, *(int *)argument);
    case TIOCMBIS: return set_lines(port, fifo, port->lines | *(int *)argument);
    case TIOCMBIC: return set_lines(port, fifo, port->lines & ~*(int *)argument);
    case TIOCSBRK: return set_break(port, fifo, 1);
    case TIOCCBRK: return set_break(port, fifo, 0);
    case TIOCGSERIAL: memcpy(argument, &port->settings, sizeof port->settings); return 0;
    case TIOCSSERIAL: return set_settings(port, fifo, argument);
    case TIOCGICOUNT: memset(argument, 0, sizeof(struct serial_icounter_struct)); return 0;
    }
    errno = ENOTTY;
    return -1;
}

static int answer_locked(dev_t terminal, int fifo, request_t request, void *argument) {
    pthread_mutex_lock(&lock);
    struct port *port = find_or_add(terminal);
    int result = port ? answer(port, fifo, request, argument) : -1;
    pthread_mutex_unlock(&lock);
    if (!port) errno = ENOTTY;
    return result;
}

/* Hold the line low as long as a serial driver does. */
static int send_break(dev_t terminal, int fifo) {
    struct timespec pause = {0, BREAK_MS * 1000000L};
    int result = answer_locked(terminal, fifo, TIOCSBRK, NULL);
    while (nanosleep(&pause, &pause) < 0 && errno == EINTR) continue;
    answer_locked(terminal, fifo, TIOCCBRK, NULL);
    return result;
}

/* Wait for a change of the device's lines, which never comes: until a signal, or until the port is gone. */
static int wait_for_change(int file, dev_t terminal) {
    for (;;) {
        struct pollfd port = {file, 0, 0};
        int ready = poll(&port, 1, 200);
        if (ready < 0) return -1;
        if (ready || terminal_of(file) != terminal) break;
    }
    errno = EIO;
    return -1;
}

static int handles(request_t request, void *argument) {
    switch (request) {
    case TIOCMGET: case TIOCMSET: case TIOCMBIS: case TIOCMBIC:
    case TIOCGSERIAL: case TIOCSSERIAL: case TIOCGICOUNT: return argument != NULL;
    case TIOCSBRK: case TIOCCBRK: case TIOCMIWAIT: case TCSBRKP: return 1;
    case TCSBRK: return argument == NULL; /* else it is tcdrain */
    }
    return 0;
}

static int call(int file, request_t request, void *argument) {
    if (!handles(request, argument)) return pass_on(file, request, argument);
    int before = errno;
    dev_t terminal = terminal_of(file);
    int fifo = terminal ? open_fifo(terminal) : -1;
    errno = before;
    if (fifo < 0) return pass_on(file, request, argument);
    int result;
    if (request == TIOCMIWAIT) {
        close_file(fifo);
        return wait_for_change(file, terminal);
    }
    if (request == TCSBRK || request == TCSBRKP) result = send_break(terminal, fifo);
    else result = answer_locked(terminal, fifo, request, argument);
    int after = errno;
    close_file(fifo);
    errno = after;
    return result;
}

int ioctl(int file, request_t request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return call(file, request, argument);
}

/* What programs with a 64-bit clock call on 32-bit machines. */
int __ioctl_time64(int file, request_t request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return call(file, request, argument);
}

int tcsendbreak(int file, int duration) {
    int before = errno;
    dev_t terminal = terminal_of(file);
    int fifo = terminal ? open_fifo(terminal) : -1;
    errno = before;
    if (fifo < 0) return next_tcsendbreak ? next_tcsendbreak(file, duration) : pass_on(file, TCSBRK, NULL);
    int result = send_break(terminal, fifo);
    close_file(fifo);
    return result;
}

/* Forget what was set on a port: opening it again raises its lines. */
int close(int file) {
    if (__atomic_load_n(&count, __ATOMIC_ACQUIRE)) { /* else no port was used so far, and a close costs nothing more */
        int before = errno;
        dev_t terminal = terminal_of(file);
        if (terminal && pthread_mutex_trylock(&lock) == 0) { /* never waits: a signal handler may close files */
            struct port *port = find(terminal);
            if (port) port->terminal = 0;
            pthread_mutex_unlock(&lock);
        }
        errno = before;
    }
    return close_file(file);
}
