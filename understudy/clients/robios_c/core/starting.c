/* The way to the simulation: the seat that it has prepared, an address, or a simulator that we bring up.
 *
 * UNDERSTUDY_SEAT is fd:N or tcp://HOST:PORT. Without it a child process is started: the Python that has built this
 * library with -m understudy, or the command that UNDERSTUDY names; EYESIM_OPTIONS has further options for it.
 */
#define _GNU_SOURCE
#include "robios.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef ROBIOS_PYTHON
#define ROBIOS_PYTHON "python3"
#endif
#define WORDS 256 /* of the simulator's command line */
#define AWAIT_MS 2000

static int count;
static char **words;
static pid_t child;

#if defined __GLIBC__ || defined __APPLE__
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
    count = argc;
    words = argv;
}
#endif

static void put_text(struct robios_bytes *json, const char *text) { robios_put(json, text, strlen(text)); }

static void put_string(struct robios_bytes *json, const char *text) {
    char escaped[8];
    put_text(json, "\"");
    for (; *text; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '"' || letter == '\\') {
            robios_put(json, (char[]){'\\', (char)letter}, 2);
        } else if (letter < ' ') {
            snprintf(escaped, sizeof escaped, "\\u%04x", letter);
            put_text(json, escaped);
        } else {
            robios_put(json, text, 1);
        }
    }
    put_text(json, "\"");
}

void robios_put_arguments(struct robios_bytes *json) {
    put_text(json, "[");
    for (int index = 0; index < count; index++) {
        if (index) put_text(json, ", ");
        put_string(json, words[index]);
    }
    put_text(json, "]");
}

static int seat_by_number(const char *digits) {
    char *end;
    long file = strtol(digits, &end, 10);
    if (end == digits || *end || fcntl((int)file, F_GETFD) < 0) robios_over("UNDERSTUDY_SEAT names no open socket");
    fcntl((int)file, F_SETFD, FD_CLOEXEC);
    unsetenv("UNDERSTUDY_SEAT"); /* a program that this one starts has no seat */
    return (int)file;
}

static int seat_by_address(const char *address) {
    char host[256], *port;
    snprintf(host, sizeof host, "%s", address);
    if (!(port = strrchr(host, ':'))) robios_over("UNDERSTUDY_SEAT: want tcp://HOST:PORT");
    *port++ = 0;
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(host, port, &wanted, &found)) robios_over("UNDERSTUDY_SEAT: no such host");
    int file = -1;
    for (struct addrinfo *one = found; one && file < 0; one = one->ai_next) {
        file = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (file >= 0 && connect(file, one->ai_addr, one->ai_addrlen)) {
            close(file);
            file = -1;
        }
    }
    freeaddrinfo(found);
    if (file < 0) robios_over("no simulation answers at the address in UNDERSTUDY_SEAT");
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return file;
}

/* ---- a simulator of our own */

/* Split options at blanks in place; quotes hold a word together. */
static int split(char *options, char **into, int room) {
    int found = 0;
    char *from = options;
    while (found < room) {
        while (*from == ' ' || *from == '\t' || *from == '\n') from++;
        if (!*from) break;
        char *to = from, quote = 0;
        into[found++] = to;
        for (; *from && (quote || !strchr(" \t\n", *from)); from++) {
            if (quote ? *from == quote : *from == '"' || *from == '\'')
                quote = quote ? 0 : *from;
            else
                *to++ = *from;
        }
        if (*from) from++;
        *to = 0;
    }
    return found;
}

/* The program may read the keyboard, unless the simulator's console does. */
static void give_keyboard(char **options, int found) {
    for (int index = 0; index < found; index++)
        if (!strcmp(options[index], "--console")) return;
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
}

static char *copy_of(const char *variable, const char *otherwise) {
    const char *value = getenv(variable);
    char *copy = strdup(value && *value ? value : otherwise);
    if (!copy) _exit(127);
    return copy;
}

static void run_simulator(int file) {
    char *command[WORDS + 1], number[16];
    char *python[] = {ROBIOS_PYTHON, "-m", "understudy"};
    int length = split(copy_of("UNDERSTUDY", ""), command, WORDS / 4);
    if (!length)
        for (; length < 3; length++) command[length] = python[length];
    snprintf(number, sizeof number, "%d", file);
    char *seat[] = {"eyesim", "--seat-fd", number};
    for (int index = 0; index < 3; index++) command[length++] = seat[index];
    int found = split(copy_of("EYESIM_OPTIONS", ""), command + length, WORDS / 4);
    give_keyboard(command + length, found);
    length += found;
    command[length++] = "--";
    for (int index = 0; index < count && length < WORDS; index++) command[length++] = words[index];
    command[length] = NULL;
    execvp(command[0], command);
    fprintf(stderr, "understudy: cannot start %s: %s\n", command[0], strerror(errno));
    _exit(127);
}

static int bring_up(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) robios_over("no socket for the simulator");
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    child = fork();
    if (child < 0) robios_over("the simulator cannot be started");
    if (child == 0) run_simulator(pair[1]);
    close(pair[1]);
    return pair[0];
}

void robios_await_simulator(void) {
    if (child <= 0) return;
    for (int left = AWAIT_MS; left > 0 && waitpid(child, NULL, WNOHANG) == 0; left -= 10) poll(NULL, 0, 10);
}

int robios_start(void) {
    const char *seat = getenv("UNDERSTUDY_SEAT");
    if (!seat || !*seat) return bring_up();
    if (!strncmp(seat, "fd:", 3)) return seat_by_number(seat + 3);
    if (!strncmp(seat, "tcp://", 6)) return seat_by_address(seat + 6);
    robios_over("UNDERSTUDY_SEAT: want fd:N or tcp://HOST:PORT");
}
