/* RoBIOS-7: digital and analog lines, the infrared remote control, sound, serial lines. */

#include "eyebot.h"
#include "robios.h"

#undef SERSend
#define LINES 16
#define CHANNELS 8
#define BEEP_HZ 880
#define BEEP_US 200000
#define MOST_SAMPLES 100000

/* ---- digital */

API int DIGITALSetup(int line, char direction) {
    bool valid = line >= 1 && line <= LINES && direction && strchr("ioIJ", direction);
    robios_begin(ROBOT);
    if (valid) robios_call(DIGITAL_SETUP, "i*", line, &direction, (size_t)1);
    robios_end();
    return !valid;
}

static int read_lines(void) {
    robios_begin(ROBOT | SETTLED);
    int lines = (int)robios.frame.digital;
    robios_end();
    return lines;
}

API int DIGITALRead(int line) {
    int lines = read_lines();
    return line >= 1 && line <= LINES ? lines >> (line - 1) & 1 : 0;
}

API int DIGITALReadAll(void) { return read_lines(); }

API int DIGITALWrite(int line, int state) {
    bool valid = line >= 1 && line <= LINES;
    robios_begin(ROBOT);
    if (valid) robios_call(DIGITAL_WRITE, "i?", line, state);
    robios_end();
    return !valid;
}

/* ---- analog */

static int recorded_channel, recorded_samples;
static int64_t recorded_us; /* when the recording is complete */

static int read_channel(int channel) {
    return channel >= 1 && channel <= CHANNELS ? robios.frame.analog[channel - 1] : 0;
}

API int ANALOGRead(int channel) {
    robios_begin(ROBOT);
    int level = read_channel(channel);
    robios_end();
    return level;
}

API int ANALOGVoltage(void) {
    robios_begin(ROBOT);
    int centivolts = robios.frame.centivolts;
    robios_end();
    return centivolts;
}

API int ANALOGRecord(int channel, int samples) {
    bool valid = channel >= 1 && channel <= CHANNELS && samples >= 1 && samples <= MOST_SAMPLES;
    robios_begin(ROBOT);
    if (valid) {
        recorded_channel = channel;
        recorded_samples = samples;
        recorded_us = robios_now() + samples * INT64_C(1000);
    }
    robios_end();
    return !valid;
}

API int ANALOGTransfer(void *samples) {
    robios_begin(ROBOT);
    robios_wait_until(recorded_us);
    memset(samples, read_channel(recorded_channel) >> 2, (size_t)recorded_samples);
    int count = recorded_samples;
    robios_end();
    return count;
}

/* ---- infrared remote control: nobody holds one */

static int no_button(void) {
    robios_begin(NOTHING);
    robios_end();
    return 0;
}

API int IRTVGet(void) { return no_button(); }
API int IRTVRead(void) { return no_button(); }
API int IRTVFlush(void) { return no_button(); }
API int IRTVGetStatus(void) { return no_button(); }

/* ---- sound */

API int AUBeep(void) {
    robios_begin(NOTHING);
    robios_call(TONE, "iq", BEEP_HZ, (int64_t)BEEP_US);
    robios_end();
    return 0;
}

API int AUPlay(const char *file) {
    robios_begin(NOTHING);
    robios_call(PLAY_FILE, "q*", robios_sound_us(file), file, strlen(file));
    robios_end();
    return 0;
}

API int AUDone(void) {
    robios_begin(SETTLED);
    bool playing = robios.frame.flags & SOUNDING;
    robios_end();
    return !playing;
}

API int AUMicrophone(void) {
    size_t size = 0;
    robios_begin(ASKS);
    const unsigned char *answer = robios_ask(&size, ASK_MICROPHONE, "");
    int sample = answer && size >= 4 ? robios_i32(answer) : 0;
    robios_end();
    return sample;
}

/* ---- serial lines: no robot of the simulator has one; no function waits for ever */

API int SERInit(int line, int baud, int handshake) { return (void)line, (void)baud, (void)handshake, 1; }
API int SERSendChar(int line, char letter) { return (void)line, (void)letter, 1; }
API int SERSend(int line, const void *text) { return (void)line, (void)text, 1; }
API int robios_serial_send(int line, const void *data, int size) { return (void)line, (void)data, (void)size, 1; }
API char SERReceiveChar(int line) { return (void)line, 0; }
API int SERReceive(int line, void *data, int size) { return (void)line, (void)data, (void)size, 0; }
API bool SERCheck(int line) { return (void)line, false; }
API int SERFlush(int line) { return (void)line, 0; }
API int SERClose(int line) { return (void)line, 1; }
