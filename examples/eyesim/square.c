/* Drives a square and shows on the LCD how well the odometry closes it.
 *
 *   understudy eyesim square.c --world room.wld
 *   understudy eyesim cc square.c && ./square.x
 */
#include "eyebot.h"

#define SIDE 400  /* mm */
#define SPEED 200 /* mm/s */

int main() {
    int x, y, phi;
    VWSetPosition(0, 0, 0);
    for (int side = 0; side < 4; side++) {
        VWStraight(SIDE, SPEED);
        while (!VWDone()) {
            if (VWStalled()) LCDPrintf("blocked on side %d\n", side + 1);
            OSWait(20);
        }
        VWTurn(90, 90);
        VWWait();
        VWGetPosition(&x, &y, &phi);
        LCDPrintf("corner %d: %4d %4d %4d\n", side + 1, x, y, phi);
    }
    VWGetPosition(&x, &y, &phi);
    LCDPrintf("error: %.1f mm\n", sqrt(x * x + y * y));
    AUBeep();
    return 0;
}
