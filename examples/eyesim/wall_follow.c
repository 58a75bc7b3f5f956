/* Follows the wall on its left at a fixed distance, with a proportional controller, for a minute.
 *
 *   understudy eyesim wall_follow.c --world room.wld
 */
#include "eyebot.h"

#define WANTED 150 /* mm to the wall */
#define SPEED 200
#define END_MS 60000

int main() {
    LCDMenu("", "", "", "END");
    while (PSDGet(PSD_FRONT) > WANTED + 50) /* find a wall */
        VWSetSpeed(SPEED, 0);
    VWTurn(-90, 90);
    VWWait();

    while (OSGetCount() < END_MS && KEYRead() != KEY4) {
        int front = PSDGet(PSD_FRONT);
        int left = PSDGet(PSD_LEFT);
        if (front < WANTED + 30) {
            VWTurn(-90, 90); /* an inner corner */
            VWWait();
            continue;
        }
        int error = (left < 2 * WANTED ? left : 2 * WANTED) - WANTED;
        int turn = fmax(-60, fmin(60, error * 0.6));
        VWSetSpeed(abs(turn) < 30 ? SPEED : SPEED / 2, turn);
        LCDSetPrintf(0, 0, "front %4d left %4d turn %4d ", front, left, turn);
        OSWait(50);
    }
    VWSetSpeed(0, 0);
    return 0;
}
