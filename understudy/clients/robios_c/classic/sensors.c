/* Classic RoBIOS: distance, infrared and touch sensors, the compass. */

#include "eyebot.h"
#include "robios.h"
#include "semantics.h"

#define WRONG (-1)

static int open_one(const struct robios_sensors *sensors, int semantics) {
    robios_begin(ROBOT);
    int handle = classic_handle(sensors, semantics);
    robios_end();
    return handle;
}

static int close_one(const struct robios_sensors *sensors, int handle) {
    robios_begin(ROBOT);
    int place = classic_place(sensors, handle);
    robios_end();
    return place < 0 ? WRONG : 0;
}

/* ---- PSDs: started for ever, or for one measurement */

static bool started, once;
static int measured[SENSORS];

API PSDHandle PSDInit(DeviceSemantics semantics) { return open_one(&robios.welcome.psd, semantics); }

API int PSDStart(PSDHandle handles, int cycle) {
    robios_begin(ROBOT | READS_PSD);
    int count = robios.welcome.psd.count;
    bool valid = handles > 0 && (count >= 31 || handles < 1 << count);
    started = started || valid;
    if (valid) once = !cycle;
    for (int index = 0; valid && index < count; index++)
        if (index < 31 && handles & 1 << index) measured[index] = robios.frame.psd_mm[index];
    robios_end();
    return valid ? 0 : WRONG;
}

API int PSDStop(void) {
    robios_begin(ROBOT);
    started = false;
    robios_end();
    return 0;
}

API int PSDRelease(void) { return PSDStop(); }

API int PSDCheck(void) {
    robios_begin(ROBOT);
    robios_end();
    return started;
}

static int get(PSDHandle handle) {
    robios_begin(ROBOT | READS_PSD);
    int place = classic_place(&robios.welcome.psd, handle);
    int mm = place < 0 ? PSD_OUT_OF_RANGE : started && once ? measured[place] : robios.frame.psd_mm[place];
    robios_end();
    return mm;
}

API int PSDGet(PSDHandle handle) { return get(handle); }
API int PSDGetRaw(PSDHandle handle) { return get(handle); }

/* ---- bumpers */

static uint32_t noticed[SENSORS];

API BumpHandle BUMPInit(DeviceSemantics semantics) { return open_one(&robios.welcome.bumper, semantics); }
API int BUMPRelease(BumpHandle handle) { return close_one(&robios.welcome.bumper, handle); }

API int BUMPCheck(BumpHandle handle, int *timestamp) {
    robios_begin(ROBOT);
    int place = classic_place(&robios.welcome.bumper, handle);
    const struct robios_bump *bump = place < 0 ? NULL : &robios.frame.bumps[place];
    bool bumped = bump && bump->count != noticed[place];
    if (bumped) noticed[place] = bump->count;
    if (bumped && timestamp) *timestamp = (int)((bump->last_us - robios.welcome.start_us) / 10000);
    robios_end();
    return bumped ? 0 : WRONG;
}

/* ---- infrared */

API IRHandle IRInit(DeviceSemantics semantics) { return open_one(&robios.welcome.ir, semantics); }
API int IRRelease(IRHandle handle) { return close_one(&robios.welcome.ir, handle); }

API int IRRead(IRHandle handle) {
    robios_begin(ROBOT | READS_IR);
    int place = classic_place(&robios.welcome.ir, handle);
    int near = place < 0 ? WRONG : robios.frame.ir[place];
    robios_end();
    return near;
}

/* ---- compass */

static int read_compass(void) {
    robios_begin(ROBOT | READS_COMPASS);
    int degrees = robios.frame.compass_deg;
    robios_end();
    return degrees;
}

API int COMPASSInit(DeviceSemantics semantics) { return (void)semantics, read_compass() < 0; }
API int COMPASSStart(int cycle) { return (void)cycle, read_compass() < 0; }
API int COMPASSCheck(void) { return read_compass() >= 0; }
API int COMPASSGet(void) { return read_compass(); }
API int COMPASSStop(void) { return (void)read_compass(), 0; }
API int COMPASSRelease(void) { return (void)read_compass(), 0; }
API int COMPASSCalibrate(int mode) { return (void)mode, (void)read_compass(), 0; }
