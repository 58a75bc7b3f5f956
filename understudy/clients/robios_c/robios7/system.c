/* RoBIOS-7: the system, time and timers, threads of early versions. */

#include "eyebot.h"
#include "robios.h"

#undef OSExecute
#define OUTPUT 65536 /* bytes of a command's output that are kept */

API int XInitThreads(void) { return 1; }

/* ---- the machine */

static int run(const char *command, char *output, size_t room) {
    size_t size = 0;
    FILE *pipe = popen(command, "r");
    if (!pipe) return 1;
    for (size_t count; size + 1 < room && (count = fread(output + size, 1, room - size - 1, pipe));) size += count;
    output[size] = 0;
    return pclose(pipe) != 0;
}

API char *OSExecute(const char *command) {
    static char output[OUTPUT];
    *output = 0;
    run(command, output, sizeof output);
    return output;
}

API int robios_execute_into(const char *command, char *output) {
    char *whole = malloc(OUTPUT);
    if (!whole) return 1;
    *whole = 0;
    int problem = run(command, whole, OUTPUT);
    strcpy(output, whole);
    free(whole);
    return problem;
}

API int OSVersion(char *text) {
    strcpy(text, "7.2 Understudy");
    return 0;
}

API int OSVersionIO(char *text) {
    strcpy(text, "1.0 Understudy");
    return 0;
}

API int OSMachineSpeed(void) {
    robios_begin(NOTHING);
    robios_end();
    return 900;
}

API int OSMachineType(void) {
    robios_begin(NOTHING);
    robios_end();
    return VEHICLE;
}

API int OSMachineName(char *text) {
    robios_begin(NOTHING);
    strcpy(text, robios.welcome.robot);
    robios_end();
    return 0;
}

API int OSMachineID(void) {
    robios_begin(NOTHING);
    int id = robios.welcome.id;
    robios_end();
    return id;
}

/* ---- time */

API int OSWait(int ms) {
    robios_begin(NOTHING);
    robios_wait_until(robios_now() + (int64_t)ms * 1000);
    robios_end();
    return 0;
}

API TIMER OSAttachTimer(int ms, void (*function)(void)) {
    robios_begin(NOTHING);
    int timer = robios_attach_timer((ms > 1 ? ms : 1) * INT64_C(1000), function);
    robios_end();
    return timer;
}

API int OSDetachTimer(TIMER timer) {
    robios_begin(NOTHING);
    int problem = robios_detach_timer(timer);
    robios_end();
    return problem;
}

API int OSSetTime(int hours, int minutes, int seconds) {
    robios_begin(NOTHING);
    robios_set_clock(hours, minutes, seconds);
    robios_end();
    return 0;
}

API int OSGetTime(int *hours, int *minutes, int *seconds, int *ms) {
    robios_begin(NOTHING);
    int64_t us = robios_time_of_day();
    robios_end();
    if (hours) *hours = (int)(us / 3600000000);
    if (minutes) *minutes = (int)(us / 60000000 % 60);
    if (seconds) *seconds = (int)(us / 1000000 % 60);
    if (ms) *ms = (int)(us / 1000 % 1000);
    return 0;
}

API int OSGetCount(void) {
    robios_begin(NOTHING);
    int ms = (int)((robios_now() - robios.welcome.start_us) / 1000);
    robios_end();
    return ms;
}

/* ---- threads */

API int MTInit(int mode) { return (void)mode, 0; }
API int MTSleep(int ms) { return OSWait(ms); }

API pthread_t MTSpawn(void *(*function)(void *), int number) {
    pthread_t thread;
    robios_begin(NOTHING);
    robios_end();
    return pthread_create(&thread, NULL, function, (void *)(intptr_t)number) ? (pthread_t)0 : thread;
}

API int MTGetUID(pthread_t thread) { return (int)(intptr_t)thread; }
API int MTKill(pthread_t thread) { return pthread_cancel(thread) != 0; }
API int MTExit(void) { pthread_exit(NULL); }
API int SEMAInit(sem_t *semaphore, int value) { return sem_init(semaphore, 0, (unsigned)value) != 0; }

API int SEMALock(sem_t *semaphore) {
    robios_begin(NOTHING);
    while (sem_trywait(semaphore)) robios_wait_tick();
    robios_end();
    return 0;
}

API int SEMAUnlock(sem_t *semaphore) { return sem_post(semaphore) != 0; }
