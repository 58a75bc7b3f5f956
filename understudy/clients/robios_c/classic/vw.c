/* Classic RoBIOS: v-omega driving, in metres and radians. */

#include "eyebot.h"
#include "robios.h"

#define HANDLE 1
#define WRONG (-1)

static bool open;

/* Begin a function; false, and nothing to end, if the handle is wrong. */
static bool begin(VWHandle handle, int needs) {
    robios_begin(ROBOT | (handle == HANDLE && open ? needs : NOTHING));
    if (handle == HANDLE && open) return true;
    robios_end();
    return false;
}

API VWHandle VWInit(DeviceSemantics semantics, int timescale) {
    (void)semantics, (void)timescale;
    robios_begin(ROBOT);
    open = true;
    robios_end();
    return HANDLE;
}

API int VWRelease(VWHandle handle) {
    if (!begin(handle, NOTHING)) return WRONG;
    robios_call(SET_SPEED, "ddd", 0.0, 0.0, 0.0);
    open = false;
    robios_end();
    return 0;
}

API int VWSetSpeed(VWHandle handle, meterPerSec v, radPerSec w) {
    if (!begin(handle, NOTHING)) return WRONG;
    robios_call(SET_SPEED, "ddd", robios_finite(v), robios_finite(w), 0.0);
    robios_end();
    return 0;
}

API int VWGetSpeed(VWHandle handle, SpeedType *speed) {
    if (!begin(handle, SETTLED)) return WRONG;
    *speed = (SpeedType){(float)robios.frame.m_s, (float)robios.frame.rad_s};
    robios_end();
    return 0;
}

API int VWSetPosition(VWHandle handle, meter x, meter y, radians phi) {
    if (!begin(handle, NOTHING)) return WRONG;
    robios_call(SET_POSITION, "ddd", robios_finite(x), robios_finite(y), robios_finite(phi));
    robios_end();
    return 0;
}

API int VWGetPosition(VWHandle handle, PositionType *position) {
    if (!begin(handle, SETTLED)) return WRONG;
    *position = (PositionType){(float)robios.frame.x_m, (float)robios.frame.y_m, (float)robios.frame.rad};
    robios_end();
    return 0;
}

API int VWStartControl(VWHandle handle, double Vv, double Tv, double Vw, double Tw) {
    if (!begin(handle, NOTHING)) return WRONG;
    robios_call(CONTROL, "?dddd", 1, robios_finite(Vv), robios_finite(Tv), robios_finite(Vw), robios_finite(Tw));
    robios_end();
    return 0;
}

API int VWStopControl(VWHandle handle) {
    if (!begin(handle, NOTHING)) return WRONG;
    robios_call(CONTROL, "?dddd", 0, 0.0, 0.0, 0.0, 0.0);
    robios_end();
    return 0;
}

API int VWDriveStraight(VWHandle handle, meter delta, meterPerSec v) {
    if (!begin(handle, NOTHING)) return WRONG;
    robios_call(STRAIGHT, "dd", robios_finite(delta), fabs(robios_finite(v)));
    robios_end();
    return 0;
}

API int VWDriveTurn(VWHandle handle, radians delta, radPerSec w) {
    if (!begin(handle, NOTHING)) return WRONG;
    robios_call(TURN, "dd", robios_finite(delta), fabs(robios_finite(w)));
    robios_end();
    return 0;
}

API int VWDriveCurve(VWHandle handle, meter delta_l, radians delta_phi, meterPerSec v) {
    if (!begin(handle, NOTHING)) return WRONG;
    if (delta_l != 0.0)
        robios_call(CURVE, "ddd", robios_finite(delta_l), robios_finite(delta_phi), fabs(robios_finite(v)));
    robios_end();
    return 0;
}

API float VWDriveRemain(VWHandle handle) {
    if (!begin(handle, SETTLED)) return 0.0f;
    float remaining = (float)fabs(robios.frame.remaining_m);
    robios_end();
    return remaining;
}

API int VWDriveDone(VWHandle handle) {
    if (!begin(handle, SETTLED)) return WRONG;
    bool driving = robios.frame.flags & DRIVING;
    robios_end();
    return !driving;
}

API int VWDriveWait(VWHandle handle) {
    if (!begin(handle, SETTLED)) return WRONG;
    while (robios.frame.flags & DRIVING) robios_wait_signal(DRIVING);
    robios_end();
    return 0;
}

API int VWStalled(VWHandle handle) {
    if (!begin(handle, SETTLED)) return WRONG;
    bool stalled = robios.frame.stalled;
    robios_end();
    return stalled;
}
