/* Inside the library: state shared by its files, and what they offer each other.
 *
 * An API function is robios_begin, its work, robios_end. Between the two it is the only one that runs.
 */
#ifndef ROBIOS_H
#define ROBIOS_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls.h"

/* A program may define a function of its own with the name of one of ours. */
#define API __attribute__((weak))
#define FORMATTED(text, first) __attribute__((format(printf, text, first)))

#define SENSORS 64  /* of one kind */
#define NAME_SIZE 80

enum robios_flag { DRIVING = 1, STARTED = 2, SOUNDING = 4, RADIO_ON = 8 };
enum robios_signal { KEYS = 256, RADIO = 512 }; /* what a WAIT may end for, besides a flag */

/* What a function needs before its work. */
enum robios_need {
    NOTHING = 0,
    ROBOT = 1,   /* a driving or sensor function: all robots have started */
    SETTLED = 2, /* the program's own orders have acted */
    ASKS = 4,    /* it calls robios_ask */
    READS_PSD = 16, /* these sensors are in the frame; a flag of the same value says that they are not yet */
    READS_IR = 32,
    READS_COMPASS = 64,
};

struct robios_bump {
    uint32_t count;
    int64_t last_us;
};

/* The state of the robot as the last GO has it; SI units. */
struct robios_frame {
    uint32_t flags, stalled;
    double x_m, y_m, rad, m_s, rad_s, remaining_m;
    int32_t encoders[4];
    int32_t compass_deg;
    uint32_t digital;
    uint16_t analog[8];
    int32_t centivolts;
    uint32_t keys, presses[4];
    int32_t touch[2];
    uint32_t touches;
    int32_t psd_mm[SENSORS], ir[SENSORS];
    struct robios_bump bumps[SENSORS];
};

struct robios_sensors {
    int count;
    int ids[SENSORS];
    char names[SENSORS][NAME_SIZE];
};

/* What WELCOME says of the robot and the run. */
struct robios_welcome {
    char robot[NAME_SIZE], drive[NAME_SIZE];
    int id;
    bool gated, camera, lidar;
    int64_t tick_us, cost_us, start_us;
    int screen[2];
    double m_per_tick; /* of an encoder */
    struct robios_sensors psd, ir, bumper;
};

struct robios {
    struct robios_welcome welcome;
    struct robios_frame frame;
    int64_t t_us;    /* of the last GO */
    int64_t cost_us; /* of the calls since then */
};
extern struct robios robios;

/* ---- clock.c, threads.c */
void robios_begin(int needs);
void robios_end(void);
int64_t robios_now(void);
void robios_wait_until(int64_t due_us);
void robios_wait_tick(void);
void robios_wait_signal(unsigned signals); /* a tick, or longer: until a flag or a signal changes */
void robios_connect(void);   /* unless it is connected */
bool robios_connected(void); /* whether the clock of the run is known; takes no lock */
bool robios_gated(void);     /* the same, and simulated time passes only while programs wait */
typedef void *(*robios_function)(void *);
bool robios_spawn(robios_function function, void *argument); /* a thread that counts as one of the program's */

/* ---- link.c */
void robios_call(enum robios_call call, const char *form, ...);
/* Return the answer to a query, NULL if it is refused; valid until the next one. */
const unsigned char *robios_ask(size_t *size, enum robios_query query, const char *form, ...);
void robios_open(void);                 /* connects; exits with a message if there is no simulation */
void robios_flush(void);                /* sends the orders */
void robios_exchange(int64_t us, unsigned signals);  /* WAIT and GO */
void robios_send_wait(int64_t us, unsigned signals); /* the two halves of an exchange */
void robios_await_go(void);
void robios_poll(void);                 /* waits until the simulation has said something */
bool robios_pending(void);              /* orders that have not acted yet */
/* Ends the program: with code 0 if the simulation has ended, 1 if there was none. */
void robios_over(const char *reason) __attribute__((noreturn));
void robios_warn(const char *format, ...) FORMATTED(1, 2); /* each message once */
void robios_leave(void);                /* BYE */

/* ---- records.c: bytes, least first */
struct robios_bytes {
    unsigned char *data;
    size_t size, room;
};
void robios_put(struct robios_bytes *bytes, const void *data, size_t size);
void robios_put_number(struct robios_bytes *bytes, uint64_t value, int size);
void robios_pack(struct robios_bytes *bytes, const char *form, va_list arguments);
uint64_t robios_number(const unsigned char *data, int size);
int32_t robios_i32(const unsigned char *data);
double robios_f64(const unsigned char *data);
void robios_read_welcome(const unsigned char *text, size_t size);
bool robios_read_go(const unsigned char *data, size_t size);

/* ---- starting.c */
int robios_start(void); /* returns the socket to the simulation, brought up if need be */
void robios_await_simulator(void); /* a short time, so that one that ends with the program can finish its files */
void robios_put_arguments(struct robios_bytes *json);

/* ---- messages.c: radio */
void robios_heard(const unsigned char *data, size_t size);
int robios_messages(void);
int robios_sender(void); /* of the oldest message */
void robios_forget_messages(void);
/* Take the oldest message: copies at most room bytes, returns its whole size, -1 if there is none. */
int robios_take_message(int *sender, void *data, size_t room);

/* ---- presses.c */
int robios_read_key(void);             /* a key that is pressed, or was since the last look; 0 if there is none */
int robios_await_key(unsigned wanted); /* other presses are dropped */
bool robios_take_touch(int *x, int *y);

/* ---- time_of_day.c: between begin and end */
int64_t robios_time_of_day(void); /* us since midnight */
void robios_set_clock(int hours, int minutes, int seconds);

/* ---- sounds.c */
int64_t robios_sound_us(const char *file);

/* ---- numbers: what the API rounds */
int robios_rounded(double value); /* half away from zero */
int robios_mm(double m);
int robios_deg(double rad);
int robios_heading(double rad); /* above -180 to 180 degrees */
double robios_m(double mm);
double robios_rad(double deg);
double robios_finite(double value); /* not a number is 0 */

/* ---- timers.c */
int robios_attach_timer(int64_t period_us, void (*function)(void));
int robios_detach_timer(int timer);

#endif
