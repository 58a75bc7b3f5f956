/* Bytes of the wire: numbers, arguments, the WELCOME text and the frame of a GO. */

#include "robios.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define USUAL_M_PER_TICK (PI * 0.054 / 1100) /* S4: wheels of 54 mm, 1100 ticks a revolution */
#define FIXED 132 /* bytes of a frame before the sensors */

void robios_put(struct robios_bytes *bytes, const void *data, size_t size) {
    if (bytes->size + size > bytes->room) {
        bytes->room = (bytes->size + size) * 2;
        bytes->data = realloc(bytes->data, bytes->room);
        if (!bytes->data) robios_over("out of memory");
    }
    if (size) memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void robios_put_number(struct robios_bytes *bytes, uint64_t value, int size) {
    unsigned char packed[8];
    for (int index = 0; index < size; index++) packed[index] = (unsigned char)(value >> (8 * index));
    robios_put(bytes, packed, (size_t)size);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Arguments of "*" are a pointer and a size_t. */
void robios_pack(struct robios_bytes *bytes, const char *form, va_list arguments) {
    for (; *form; form++) {
        if (*form == 'd') {
            robios_put_number(bytes, bits_of(va_arg(arguments, double)), 8);
        } else if (*form == 'i' || *form == 'I') {
            robios_put_number(bytes, (uint64_t)va_arg(arguments, int), 4);
        } else if (*form == 'q') {
            robios_put_number(bytes, (uint64_t)va_arg(arguments, int64_t), 8);
        } else if (*form == '?') {
            robios_put_number(bytes, va_arg(arguments, int) != 0, 1);
        } else {
            const void *data = va_arg(arguments, const void *);
            robios_put(bytes, data, va_arg(arguments, size_t));
        }
    }
}

uint64_t robios_number(const unsigned char *data, int size) {
    uint64_t value = 0;
    for (int index = 0; index < size; index++) value |= (uint64_t)data[index] << (8 * index);
    return value;
}

int32_t robios_i32(const unsigned char *data) { return (int32_t)(uint32_t)robios_number(data, 4); }

double robios_f64(const unsigned char *data) {
    uint64_t bits = robios_number(data, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- WELCOME: lines of a key and its values */

static void add_sensor(struct robios_sensors *sensors, const char *values) {
    if (sensors->count == SENSORS) return;
    char name[NAME_SIZE] = "-";
    int id = 0;
    if (sscanf(values, "%d %79[^\n]", &id, name) < 1) return;
    sensors->ids[sensors->count] = id;
    strcpy(sensors->names[sensors->count++], strcmp(name, "-") ? name : "");
}

static void take_text(char *to, const char *values) { snprintf(to, NAME_SIZE, "%s", values); }

static void read_line(struct robios_welcome *welcome, const char *key, const char *values) {
    int64_t number = strtoll(values, NULL, 10);
    if (!strcmp(key, "robot")) take_text(welcome->robot, values);
    if (!strcmp(key, "drive")) take_text(welcome->drive, values);
    if (!strcmp(key, "id")) welcome->id = (int)number;
    if (!strcmp(key, "pace")) welcome->gated = !strcmp(values, "gated");
    if (!strcmp(key, "tick_us") && number > 0) welcome->tick_us = number;
    if (!strcmp(key, "cost_us") && number >= 0) welcome->cost_us = number;
    if (!strcmp(key, "t_us")) welcome->start_us = number;
    if (!strcmp(key, "camera")) welcome->camera = number != 0;
    if (!strcmp(key, "lidar")) welcome->lidar = number != 0;
    if (!strcmp(key, "m_per_tick")) welcome->m_per_tick = strtod(values, NULL);
    if (!strcmp(key, "screen")) sscanf(values, "%d %d", &welcome->screen[0], &welcome->screen[1]);
    if (!strcmp(key, "psd")) add_sensor(&welcome->psd, values);
    if (!strcmp(key, "ir")) add_sensor(&welcome->ir, values);
    if (!strcmp(key, "bumper")) add_sensor(&welcome->bumper, values);
}

void robios_read_welcome(const unsigned char *text, size_t size) {
    struct robios_welcome *welcome = &robios.welcome;
    welcome->tick_us = 10000;
    welcome->cost_us = 20;
    welcome->m_per_tick = USUAL_M_PER_TICK;
    welcome->screen[0] = 480;
    welcome->screen[1] = 320;
    char line[512];
    for (size_t at = 0; at < size;) {
        size_t length = 0;
        while (at + length < size && text[at + length] != '\n') length++;
        snprintf(line, sizeof line, "%.*s", (int)(length < 500 ? length : 500), (const char *)text + at);
        at += length + 1;
        char *values = strchr(line, ' ');
        if (values) *values++ = 0;
        read_line(welcome, line, values ? values : "");
    }
    robios.t_us = welcome->start_us;
}

/* ---- the frame of a GO */

struct cursor {
    const unsigned char *at;
};

static uint32_t next_u32(struct cursor *cursor) {
    cursor->at += 4;
    return (uint32_t)robios_number(cursor->at - 4, 4);
}

static double next_f64(struct cursor *cursor) {
    cursor->at += 8;
    return robios_f64(cursor->at - 8);
}

static void read_fixed(struct robios_frame *frame, struct cursor *cursor) {
    frame->flags = next_u32(cursor);
    frame->stalled = next_u32(cursor);
    double *reals[] = {&frame->x_m, &frame->y_m, &frame->rad, &frame->m_s, &frame->rad_s, &frame->remaining_m};
    for (int index = 0; index < 6; index++) *reals[index] = next_f64(cursor);
    for (int index = 0; index < 4; index++) frame->encoders[index] = (int32_t)next_u32(cursor);
    frame->compass_deg = (int32_t)next_u32(cursor);
    frame->digital = next_u32(cursor);
    for (int index = 0; index < 8; index++, cursor->at += 2)
        frame->analog[index] = (uint16_t)robios_number(cursor->at, 2);
    frame->centivolts = (int32_t)next_u32(cursor);
    frame->keys = next_u32(cursor);
    for (int index = 0; index < 4; index++) frame->presses[index] = next_u32(cursor);
    for (int index = 0; index < 2; index++) frame->touch[index] = (int32_t)next_u32(cursor);
    frame->touches = next_u32(cursor);
}

bool robios_read_go(const unsigned char *data, size_t size) {
    const struct robios_welcome *welcome = &robios.welcome;
    struct robios_frame *frame = &robios.frame;
    size_t sensors = 4u * (size_t)(welcome->psd.count + welcome->ir.count) + 12u * (size_t)welcome->bumper.count;
    if (size < 8 + FIXED + sensors) return false;
    robios.t_us = (int64_t)robios_number(data, 8);
    struct cursor cursor = {data + 8};
    read_fixed(frame, &cursor);
    for (int index = 0; index < welcome->psd.count; index++) frame->psd_mm[index] = (int32_t)next_u32(&cursor);
    for (int index = 0; index < welcome->ir.count; index++) frame->ir[index] = (int32_t)next_u32(&cursor);
    for (int index = 0; index < welcome->bumper.count; index++) {
        frame->bumps[index].count = next_u32(&cursor);
        frame->bumps[index].last_us = (int64_t)robios_number(cursor.at, 8);
        cursor.at += 8;
    }
    return true;
}

/* ---- numbers */

int robios_rounded(double value) {
    if (!(value > -2147483647.0)) return value == value ? -2147483647 : 0;
    return value < 2147483647.0 ? (int)copysign(floor(fabs(value) + 0.5), value) : 2147483647;
}

int robios_mm(double m) { return robios_rounded(m * 1000.0); }
int robios_deg(double rad) { return robios_rounded(rad * (180.0 / PI)); }

int robios_heading(double rad) {
    int angle = robios_deg(rad) % 360;
    return angle > 180 ? angle - 360 : angle <= -180 ? angle + 360 : angle;
}

double robios_finite(double value) { return isfinite(value) ? value : isinf(value) ? copysign(1e9, value) : 0.0; }
double robios_m(double mm) { return mm / 1000.0; }
double robios_rad(double deg) { return deg * (PI / 180.0); }
