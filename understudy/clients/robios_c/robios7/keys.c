/* RoBIOS-7: the four keys and the touch screen. */

#include "eyebot.h"
#include "robios.h"

static int await_key(unsigned wanted) {
    robios_begin(NOTHING);
    int key = robios_await_key(wanted ? wanted : ANYKEY);
    robios_end();
    return key;
}

API int KEYGet(void) { return await_key(ANYKEY); }
API int KEYWait(int key) { return await_key((unsigned)key); }

API int KEYRead(void) {
    robios_begin(NOTHING);
    int key = robios_read_key();
    robios_end();
    return key;
}

API int KEYGetXY(int *x, int *y) {
    robios_begin(NOTHING);
    while (!robios_take_touch(x, y)) robios_wait_signal(KEYS);
    robios_end();
    return 0;
}

API int KEYReadXY(int *x, int *y) {
    robios_begin(NOTHING);
    bool touched = robios_take_touch(x, y);
    robios_end();
    return !touched;
}
