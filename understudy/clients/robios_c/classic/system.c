/* Classic RoBIOS: the system and time, in 1/100 s. */

#include "eyebot.h"
#include "robios.h"

#define TICK_US INT64_C(10000)

/* ---- the machine */

API char *OSVersion(void) { return "5.2 Understudy"; }

API int OSMachineType(void) {
    robios_begin(NOTHING);
    robios_end();
    return VEHICLE;
}

API int OSMachineSpeed(void) {
    robios_begin(NOTHING);
    robios_end();
    return 25000000;
}

API char *OSMachineName(void) {
    robios_begin(NOTHING);
    robios_end();
    return robios.welcome.robot;
}

API unsigned char OSMachineID(void) {
    robios_begin(NOTHING);
    int id = robios.welcome.id;
    robios_end();
    return (unsigned char)('0' + id);
}

API int OSError(const char *message, int number, int dead) {
    char text[256];
    snprintf(text, sizeof text, "%s\nError %d\n", message, number);
    robios_begin(NOTHING);
    robios_call(LCD_PRINT, "*", text, strlen(text));
    robios_warn("OSError: %s (%d)", message, number);
    if (!dead) robios_await_key(ANYKEY);
    robios_end();
    if (dead) exit(1);
    return 0;
}

/* ---- time */

API int OSWait(int ticks) {
    robios_begin(NOTHING);
    robios_wait_until(robios_now() + ticks * TICK_US);
    robios_end();
    return 0;
}

API int OSSetTime(int hours, int minutes, int seconds) {
    robios_begin(NOTHING);
    robios_set_clock(hours, minutes, seconds);
    robios_end();
    return 0;
}

API int OSGetTime(int *hours, int *minutes, int *seconds, int *ticks) {
    robios_begin(NOTHING);
    int64_t us = robios_time_of_day();
    robios_end();
    if (hours) *hours = (int)(us / 3600000000);
    if (minutes) *minutes = (int)(us / 60000000 % 60);
    if (seconds) *seconds = (int)(us / 1000000 % 60);
    if (ticks) *ticks = (int)(us / TICK_US % 100);
    return 0;
}

API int OSShowTime(void) {
    char text[32];
    robios_begin(NOTHING);
    int64_t us = robios_time_of_day();
    int length = snprintf(text, sizeof text, "%02d:%02d:%02d\n", (int)(us / 3600000000), (int)(us / 60000000 % 60),
                          (int)(us / 1000000 % 60));
    robios_call(LCD_PRINT, "*", text, (size_t)length);
    robios_end();
    return 0;
}

API int OSGetCount(void) {
    robios_begin(NOTHING);
    int ticks = (int)((robios_now() - robios.welcome.start_us) / TICK_US);
    robios_end();
    return ticks;
}

API TimerHandle OSAttachTimer(int scale, void (*function)(void)) {
    robios_begin(NOTHING);
    int timer = robios_attach_timer((scale > 1 ? scale : 1) * TICK_US, function);
    robios_end();
    return timer;
}

API int OSDetachTimer(TimerHandle timer) {
    robios_begin(NOTHING);
    int problem = robios_detach_timer(timer);
    robios_end();
    return problem;
}
