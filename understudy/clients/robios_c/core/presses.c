/* Presses of keys and touches of the screen: each is remembered until it is read once. */

#include "robios.h"

static uint32_t read_presses[4], read_touches;
static unsigned waited_for; /* keys that ended a wait: still down, they are not read again */

static unsigned take(void) {
    waited_for &= robios.frame.keys;
    for (unsigned index = 0; index < 4; index++) {
        if (robios.frame.presses[index] == read_presses[index]) continue;
        read_presses[index] = robios.frame.presses[index];
        return 1u << index;
    }
    return 0;
}

int robios_read_key(void) {
    unsigned key = take(), down = robios.frame.keys & ~waited_for & 15u;
    return (int)(key ? key : down & -down);
}

int robios_await_key(unsigned wanted) {
    for (;;) {
        unsigned key = take();
        if (key & wanted) {
            waited_for |= key;
            return (int)key;
        }
        if (!key) robios_wait_signal(KEYS);
    }
}

bool robios_take_touch(int *x, int *y) {
    if (robios.frame.touches == read_touches) return false;
    read_touches = robios.frame.touches;
    *x = robios.frame.touch[0];
    *y = robios.frame.touch[1];
    return true;
}
