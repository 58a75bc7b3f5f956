/* Records to and from the simulation, over a blocking socket.
 *
 * A record is the length of its content (4 bytes, least first), its kind (1 byte) and the content. Orders are kept
 * and go out with the next record that wants an answer.
 */
#define _GNU_SOURCE
#include "robios.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum kind { HELLO = 1, WAIT = 2, BYE = 7, CALL = 16, QUERY = 17 };
enum answer { WELCOME = 129, GO = 130, ERROR = 133, END = 134, RESULT = 144, HEARD = 145 };
#define HEAD 5
#define MOST_BYTES (1u << 28) /* of a record */
#define MOST_ORDERS 65536     /* bytes that are kept */
#define MESSAGES 32           /* that are remembered */
#define MESSAGE_SIZE 400

struct robios robios;
static int file = -1;
static struct robios_bytes orders, incoming, last;
static size_t newest = SIZE_MAX; /* place of the newest order that is kept */
static size_t taken;             /* of what has come in */
static unsigned given, awaited, acted; /* orders: counted, before the last WAIT, before the WAIT of the last GO */

static bool said(const char *text) {
    static char before[MESSAGES][MESSAGE_SIZE];
    static int count;
    for (int index = 0; index < count; index++)
        if (!strcmp(before[index], text)) return true;
    if (count < MESSAGES) strcpy(before[count++], text);
    return false;
}

void robios_warn(const char *format, ...) {
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!said(text)) fprintf(stderr, "understudy: %s\n", text);
}

/* ---- out */

static void put_head(size_t size, int kind) {
    robios_put_number(&orders, size, 4);
    robios_put_number(&orders, (uint64_t)kind, 1);
}

/* Write a record whose size is known only after it has been written. */
static size_t begin_record(int kind, int code) {
    put_head(0, kind);
    robios_put_number(&orders, (uint64_t)code, 1);
    return orders.size - 1;
}

static void end_record(size_t start) {
    size_t size = orders.size - start;
    for (int index = 0; index < 4; index++) orders.data[start - HEAD + (size_t)index] = (unsigned char)(size >> (8 * index));
}

static bool send_orders(void) {
    size_t sent = 0, size = orders.size;
    orders.size = 0;
    newest = SIZE_MAX;
    while (sent < size) {
        ssize_t count = send(file, orders.data + sent, size - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) sent += (size_t)count;
    }
    return true;
}

static bool await(int wanted);

void robios_flush(void) {
    if (!send_orders()) await(END); /* its last words may be there */
}

/* Whether the order at a place says what the one before it says: busy loops give the same again and again. */
static bool repeats(size_t at) {
    static const unsigned char idempotent[] = {SET_SPEED, MOTOR_DRIVE, MOTOR_SPEED, SERVO_SET};
    size_t size = orders.size - at;
    if (newest + size != at || memcmp(orders.data + newest, orders.data + at, size)) return false;
    return memchr(idempotent, orders.data[at + HEAD], sizeof idempotent);
}

void robios_call(enum robios_call call, const char *form, ...) {
    va_list arguments;
    va_start(arguments, form);
    size_t start = begin_record(CALL, call);
    robios_pack(&orders, form, arguments);
    end_record(start);
    va_end(arguments);
    if (repeats(start - HEAD)) {
        orders.size = start - HEAD;
        return;
    }
    newest = start - HEAD;
    given++;
    if (orders.size >= MOST_ORDERS) robios_flush();
}

bool robios_pending(void) { return given != acted; }

/* ---- in */

static void receive_more(void) {
    if (taken) {
        memmove(incoming.data, incoming.data + taken, incoming.size - taken);
        incoming.size -= taken;
        taken = 0;
    }
    unsigned char chunk[65536];
    ssize_t count;
    do count = recv(file, chunk, sizeof chunk, 0);
    while (count < 0 && errno == EINTR);
    if (count <= 0) robios_over(NULL);
    robios_put(&incoming, chunk, (size_t)count);
}

/* Take the next record into `last`; return its kind. */
static int receive(void) {
    while (incoming.size - taken < HEAD) receive_more();
    size_t size = (size_t)robios_number(incoming.data + taken, 4);
    int kind = incoming.data[taken + 4];
    if (size > MOST_BYTES) robios_over("the simulation has sent a record that is too long");
    while (incoming.size - taken < HEAD + size) receive_more();
    last.size = 0;
    robios_put(&last, incoming.data + taken + HEAD, size);
    robios_put(&last, "", 1); /* texts end */
    last.size--;
    taken += HEAD + size;
    return kind;
}

/* Receive until a record of this kind; false if the simulation refuses. */
static bool await(int wanted) {
    for (;;) {
        int kind = receive();
        if (kind == END) robios_over(last.size ? (const char *)last.data : NULL);
        if (kind == wanted) return true;
        if (kind == HEARD) robios_heard(last.data, last.size);
        if (kind == ERROR && wanted == WELCOME) robios_over((const char *)last.data);
        if (kind == ERROR) robios_warn("%s", (const char *)last.data);
        if (kind == ERROR && wanted == RESULT) return false;
    }
}

const unsigned char *robios_ask(size_t *size, enum robios_query query, const char *form, ...) {
    va_list arguments;
    va_start(arguments, form);
    size_t start = begin_record(QUERY, query);
    robios_pack(&orders, form, arguments);
    end_record(start);
    va_end(arguments);
    robios_flush();
    if (!await(RESULT)) return NULL;
    *size = last.size;
    return last.data;
}

void robios_send_wait(int64_t us, unsigned signals) {
    awaited = given;
    put_head(signals ? 12 : 8, WAIT);
    robios_put_number(&orders, (uint64_t)us, 8);
    if (signals) robios_put_number(&orders, signals, 4);
    robios_flush();
}

void robios_await_go(void) {
    await(GO);
    if (!robios_read_go(last.data, last.size)) robios_over("the simulation has sent a frame that is too short");
    robios.cost_us = 0;
    acted = awaited;
}

void robios_exchange(int64_t us, unsigned signals) {
    robios_send_wait(us, signals);
    robios_await_go();
}

void robios_poll(void) {
    struct pollfd wanted = {.fd = file, .events = POLLIN};
    while (incoming.size == taken && poll(&wanted, 1, -1) < 0 && errno == EINTR) continue;
}

/* ---- beginning and end */

void robios_open(void) {
    struct robios_bytes hello = {0};
    const char *head = "{\"version\": 1, \"robot\": \"\", \"dialect\": \"robios\", \"argv\": ";
    file = robios_start();
    robios_put(&hello, head, strlen(head));
    robios_put_arguments(&hello);
    robios_put(&hello, "}", 1);
    put_head(hello.size, HELLO);
    robios_put(&orders, hello.data, hello.size);
    free(hello.data);
    robios_flush();
    await(WELCOME);
    robios_read_welcome(last.data, last.size);
    robios_await_go();
    robios.welcome.start_us = robios.t_us;
}

void robios_leave(void) {
    put_head(0, BYE);
    if (send_orders()) shutdown(file, SHUT_WR);
}
