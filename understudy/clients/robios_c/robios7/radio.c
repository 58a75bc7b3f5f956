/* RoBIOS-7: radio between robots. */

#include "eyebot.h"
#include "robios.h"

#undef RADIOSend
#undef RADIOCheck
#define ROBOTS 256 /* programs have room for so many ids */

static bool powered;

static bool ready(const char *function) {
    if (!powered) robios_warn("%s before RADIOInit: the radio is off", function);
    return powered;
}

static int power(bool on) {
    robios_begin(ROBOT);
    powered = on;
    robios_call(RADIO_POWER, "?", on);
    if (!on) robios_forget_messages();
    robios_end();
    return 0;
}

API int RADIOInit(void) { return power(true); }
API int RADIORelease(void) { return power(false); }

API int RADIOGetID(void) {
    robios_begin(ROBOT);
    int id = robios.welcome.id;
    robios_end();
    return id;
}

static int send_to(int id, const void *data, size_t size) {
    robios_begin(ROBOT);
    bool possible = ready("RADIOSend");
    if (possible) robios_call(RADIO_SEND, "i*", id, data, size);
    robios_end();
    return !possible;
}

API int RADIOSend(int id, const void *text) { return send_to(id, text, strlen(text)); }
API int robios_radio_send(int id, const void *data, int size) { return size < 0 ? 1 : send_to(id, data, (size_t)size); }

API int RADIOReceive(int *id, void *text, int size) {
    int sender = 0, length = 0;
    size_t room = size > 0 ? (size_t)size - 1 : 0;
    robios_begin(ROBOT | SETTLED);
    bool possible = ready("RADIOReceive");
    while (possible && (length = robios_take_message(&sender, text, room)) < 0) robios_wait_signal(RADIO);
    robios_end();
    if (size > 0) ((char *)text)[(size_t)length < room ? (size_t)length : room] = 0;
    if (id) *id = sender;
    return !possible;
}

static int check(int *id) {
    robios_begin(ROBOT | SETTLED);
    int count = robios_messages();
    if (id && count) *id = robios_sender();
    robios_end();
    return count;
}

API int RADIOCheck(void) { return check(NULL); }
API int robios_radio_check(int *id) { return check(id); }

API int RADIOStatus(int ids[]) {
    size_t size = 0;
    robios_begin(ROBOT | SETTLED | ASKS);
    const unsigned char *answer = robios_ask(&size, ASK_RADIO, "");
    int count = answer ? (int)(size / 4) : 0;
    if (count > ROBOTS) count = ROBOTS;
    for (int index = 0; index < count && ids; index++) ids[index] = robios_i32(answer + 4 * index);
    robios_end();
    return count;
}
