/* Classic RoBIOS: motors, encoders and servos. A handle is a bit: 1 for the first, 2 for the second ... */

#include "eyebot.h"
#include "robios.h"

#define WRONG (-1)
#define SERVOS 12

static int open_one(int semantics, int first, int count) {
    robios_begin(ROBOT);
    robios_end();
    int place = first - semantics; /* names count downwards */
    return place >= 0 && place < count ? 1 << place : 0;
}

/* Give an order to each device of a mask, for devices that count from 1. */
static int order(int handles, int count, enum robios_call call, bool with_value, int value) {
    bool valid = handles > 0 && handles < 1 << count;
    robios_begin(ROBOT);
    for (int place = 0; valid && place < count; place++) {
        if (!(handles & 1 << place)) continue;
        if (with_value)
            robios_call(call, "ii", place + 1, value);
        else
            robios_call(call, "i", place + 1);
    }
    robios_end();
    return valid ? 0 : WRONG;
}

static int clamped(int value, int least, int most) { return value < least ? least : value > most ? most : value; }

API MotorHandle MOTORInit(DeviceSemantics semantics) { return open_one(semantics, MOTOR_LEFT, 2); }
API int MOTORDrive(MotorHandle handles, int percent) {
    return order(handles, 2, MOTOR_DRIVE, true, clamped(percent, -100, 100));
}
API int MOTORRelease(MotorHandle handles) { return order(handles, 2, MOTOR_DRIVE, true, 0); }

API ServoHandle SERVOInit(DeviceSemantics semantics) { return open_one(semantics, SERVO1, SERVOS); }
API int SERVOSet(ServoHandle handles, int position) {
    return order(handles, SERVOS, SERVO_SET, true, clamped(position, 0, 255));
}

API int SERVORelease(ServoHandle handles) {
    robios_begin(ROBOT);
    robios_end();
    return handles > 0 && handles < 1 << SERVOS ? 0 : WRONG;
}

/* ---- encoders */

API QuadHandle QUADInit(DeviceSemantics semantics) { return open_one(semantics, QUAD_LEFT, 2); }
API int QUADReset(QuadHandle handles) { return order(handles, 2, ENCODER_RESET, false, 0); }

API int QUADRelease(QuadHandle handles) {
    robios_begin(ROBOT);
    robios_end();
    return handles > 0 && handles < 4 ? 0 : WRONG;
}

static int ticks(QuadHandle handle) {
    robios_begin(ROBOT | SETTLED);
    int count = handle == 1 || handle == 2 ? robios.frame.encoders[handle - 1] : 0;
    robios_end();
    return count;
}

API int QUADRead(QuadHandle handle) { return ticks(handle); }

/* The odometers count from where they were reset, independent of the encoders. */
static int reset_at[2];

API float QUADODORead(QuadHandle handle) {
    int since = ticks(handle) - (handle == 1 || handle == 2 ? reset_at[handle - 1] : 0);
    return (float)(since * robios.welcome.m_per_tick);
}

API int QUADODOReset(QuadHandle handles) {
    bool valid = handles >= 1 && handles <= 3;
    robios_begin(ROBOT | (valid ? SETTLED : NOTHING));
    for (int place = 0; valid && place < 2; place++)
        if (handles & 1 << place) reset_at[place] = robios.frame.encoders[place];
    robios_end();
    return valid ? 0 : WRONG;
}
