/* RoBIOS-7: v-omega driving, in mm and degrees. */

#include "eyebot.h"
#include "robios.h"

static bool turning; /* the newest command is a turn: what remains of it is an angle */

static void begin_drive(bool turn) {
    robios_begin(ROBOT);
    turning = turn;
}

API int VWSetSpeed(int mm_s, int degrees_s) {
    begin_drive(false);
    robios_call(SET_SPEED, "ddd", robios_m(mm_s), robios_rad(degrees_s), 0.0);
    robios_end();
    return 0;
}

API int VWGetSpeed(int *mm_s, int *degrees_s) {
    robios_begin(ROBOT | SETTLED);
    *mm_s = robios_mm(robios.frame.m_s);
    *degrees_s = robios_deg(robios.frame.rad_s);
    robios_end();
    return 0;
}

API int VWSetPosition(int x, int y, int phi) {
    robios_begin(ROBOT);
    robios_call(SET_POSITION, "ddd", robios_m(x), robios_m(y), robios_rad(phi));
    robios_end();
    return 0;
}

API int VWGetPosition(int *x, int *y, int *phi) {
    robios_begin(ROBOT | SETTLED);
    *x = robios_mm(robios.frame.x_m);
    *y = robios_mm(robios.frame.y_m);
    *phi = robios_heading(robios.frame.rad);
    robios_end();
    return 0;
}

API int VWStraight(int mm, int mm_s) {
    begin_drive(false);
    robios_call(STRAIGHT, "dd", robios_m(mm), fabs(robios_m(mm_s)));
    robios_end();
    return 0;
}

API int VWTurn(int degrees, int degrees_s) {
    begin_drive(true);
    robios_call(TURN, "dd", robios_rad(degrees), fabs(robios_rad(degrees_s)));
    robios_end();
    return 0;
}

API int VWCurve(int mm, int degrees, int mm_s) {
    begin_drive(mm ? false : turning);
    if (mm) robios_call(CURVE, "ddd", robios_m(mm), robios_rad(degrees), fabs(robios_m(mm_s)));
    robios_end();
    return 0;
}

API int VWDrive(int ahead, int left, int mm_s) {
    bool possible = ahead > (left < 0 ? -(int64_t)left : left);
    begin_drive(possible ? false : turning);
    if (possible) robios_call(DRIVE_TO, "ddd", robios_m(ahead), robios_m(left), fabs(robios_m(mm_s)));
    robios_end();
    return !possible;
}

static int remain(void) {
    robios_begin(ROBOT | SETTLED);
    double remaining = robios.frame.remaining_m;
    int whole = turning ? robios_deg(remaining) : robios_mm(remaining);
    robios_end();
    return abs(whole);
}

static int done(void) {
    robios_begin(ROBOT | SETTLED);
    bool driving = robios.frame.flags & DRIVING;
    robios_end();
    return !driving;
}

static int wait(void) {
    robios_begin(ROBOT | SETTLED);
    while (robios.frame.flags & DRIVING) robios_wait_signal(DRIVING);
    robios_end();
    return 0;
}

API int VWRemain(void) { return remain(); }
API int VWDone(void) { return done(); }
API int VWWait(void) { return wait(); }
API int VWDriveRemain(void) { return remain(); }
API int VWDriveDone(void) { return done(); }
API int VWDriveWait(void) { return wait(); }

API int VWStalled(void) {
    robios_begin(ROBOT | SETTLED);
    int motors = (int)robios.frame.stalled;
    robios_end();
    return motors;
}

API int VWControl(int Vv, int Tv, int Vw, int Tw) {
    robios_begin(ROBOT);
    robios_call(CONTROL, "?dddd", 1, (double)Vv, (double)Tv, (double)Vw, (double)Tw);
    robios_end();
    return 0;
}

API int VWControlOff(void) {
    robios_begin(ROBOT);
    robios_call(CONTROL, "?dddd", 0, 0.0, 0.0, 0.0, 0.0);
    robios_end();
    return 0;
}
