/* Classic RoBIOS: sound, radio, serial lines, latches and analog inputs. */

#include "eyebot.h"
#include "robios.h"

#define SAMPLE_US INT64_C(1000000) /* samples are taken to last a second */

/* ---- sound */

static int play(int hertz, int64_t us) {
    robios_begin(NOTHING);
    robios_call(TONE, "iq", hertz, us);
    robios_end();
    return 0;
}

static int is_silent(void) {
    robios_begin(SETTLED);
    bool sounding = robios.frame.flags & SOUNDING;
    robios_end();
    return !sounding;
}

static int64_t recorded_us;

API int AUBeep(void) { return play(880, 200000); }
API int AUTone(int hertz, int ms) { return play(hertz, ms * INT64_C(1000)); }
API int AUCheckTone(void) { return is_silent(); }
API int AUCheckSample(void) { return is_silent(); }

API int AUPlaySample(const void *sample) {
    robios_begin(NOTHING);
    robios_call(PLAY_FILE, "q*", SAMPLE_US, "sample", (size_t)6);
    robios_end();
    return sample ? 8000 : 0; /* the frequency */
}

API int AURecordSample(void *buffer, long length, long hertz) {
    robios_begin(NOTHING);
    if (length > 0) memset(buffer, 0, (size_t)length);
    recorded_us = robios_now() + (hertz > 0 && length > 0 ? length * INT64_C(1000000) / hertz : 0);
    robios_end();
    return (int)hertz;
}

API int AUCheckRecord(void) {
    robios_begin(NOTHING);
    bool done = robios_now() >= recorded_us;
    robios_end();
    return done;
}

API int AUCaptureMic(void) {
    size_t size = 0;
    robios_begin(ASKS);
    const unsigned char *answer = robios_ask(&size, ASK_MICROPHONE, "");
    int sample = answer && size == 4 ? robios_i32(answer) : 0;
    robios_end();
    return sample;
}

/* ---- radio */

static bool powered;

static int power(bool on) {
    robios_begin(ROBOT);
    powered = on;
    robios_call(RADIO_POWER, "?", on);
    if (!on) robios_forget_messages();
    robios_end();
    return 0;
}

API int RADIOInit(void) { return power(true); }
API int RADIOTerm(void) { return power(false); }

/* OSMachineID gives digit characters: '2' is robot 2. */
API int RADIOSend(int id, int count, const void *data) {
    robios_begin(ROBOT);
    bool possible = powered && count >= 0;
    if (id >= '0' && id <= '9') id -= '0';
    if (possible) robios_call(RADIO_SEND, "i*", id, data, (size_t)count);
    if (!powered) robios_warn("RADIOSend before RADIOInit: the radio is off");
    robios_end();
    return !possible;
}

API int RADIOCheck(void) {
    robios_begin(ROBOT | SETTLED);
    int count = robios_messages();
    robios_end();
    return count;
}

API int RADIORecv(void *id, int *count, void *data) {
    int sender = 0, size = 0;
    robios_begin(ROBOT | SETTLED);
    if (!powered) robios_warn("RADIORecv before RADIOInit: the radio is off");
    while (powered && (size = robios_take_message(&sender, data, SIZE_MAX)) < 0) robios_wait_signal(RADIO);
    robios_end();
    *(BYTE *)id = (BYTE)sender;
    *count = size;
    return !powered;
}

API int RADIOGetStatus(RadioStatus *status) {
    size_t size = 0;
    robios_begin(ROBOT | SETTLED | ASKS);
    const unsigned char *answer = robios_ask(&size, ASK_RADIO, "");
    *status = (RadioStatus){.active = powered, .radio_number = answer ? (int)(size / 4) : 0};
    robios_end();
    return 0;
}

API int RADIOGetIoctl(RadioIOParameters *parameters) {
    robios_begin(NOTHING);
    *parameters = (RadioIOParameters){9600, robios.welcome.id, 1};
    robios_end();
    return 0;
}

API int RADIOSetIoctl(const RadioIOParameters *parameters) {
    robios_begin(NOTHING);
    robios_end();
    return !parameters;
}

/* ---- serial lines: none; no function waits for ever */

API int OSInitRS232(int baud, int handshake, int line) { return (void)baud, (void)handshake, (void)line, 1; }
API int OSSendCharRS232(char letter, int line) { return (void)letter, (void)line, 1; }
API int OSSendRS232(const void *text, int line) { return (void)text, (void)line, 1; }
API int OSRecvRS232(void *letter, int line) { return (void)letter, (void)line, 1; }
API int OSFlushInRS232(int line) { return (void)line, 0; }
API int OSFlushOutRS232(int line) { return (void)line, 0; }
API int OSCheckInRS232(int line) { return (void)line, 0; }
API int OSCheckOutRS232(int line) { return (void)line, 0; }

/* ---- latches: bytes of the digital lines */

#define LATCHES 2
static BYTE outputs[LATCHES];

API BYTE OSReadInLatch(int latch) {
    robios_begin(ROBOT | SETTLED);
    BYTE value = latch >= 0 && latch < LATCHES ? (BYTE)(robios.frame.digital >> (8 * latch)) : 0;
    robios_end();
    return value;
}

API BYTE OSReadOutLatch(int latch) {
    robios_begin(ROBOT);
    robios_end();
    return latch >= 0 && latch < LATCHES ? outputs[latch] : 0;
}

API BYTE OSWriteOutLatch(int latch, BYTE mask, BYTE value) {
    bool valid = latch >= 0 && latch < LATCHES;
    robios_begin(ROBOT);
    BYTE before = valid ? outputs[latch] : 0, after = valid ? (BYTE)((before & mask) | value) : 0;
    if (valid) outputs[latch] = after;
    for (int bit = 0; bit < 8; bit++)
        if ((before ^ after) >> bit & 1) robios_call(DIGITAL_WRITE, "i?", 8 * latch + bit + 1, after >> bit & 1);
    robios_end();
    return before;
}

API int OSGetAD(int channel) {
    robios_begin(ROBOT);
    int level = channel >= 0 && channel < 8 ? robios.frame.analog[channel] : 0;
    robios_end();
    return level;
}
