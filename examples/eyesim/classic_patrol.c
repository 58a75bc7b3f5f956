/* The classic API: drives until something is near, turns away, for half a minute. Handles, metres, radians, 1/100 s.
 *
 *   understudy eyesim classic_patrol.c --world room.wld --robot soccerbot
 */
#include "eyebot.h"

int main() {
    int turns = 0;
    VWHandle vw = VWInit(VW, 1);
    VWStartControl(vw, 7, 0.3, 7, 0.1);
    PSDHandle front = PSDInit(PSD_FRONT);
    PSDStart(front, TRUE);
    LCDPutString("patrol\n");
    while (OSGetCount() < 3000 && KEYRead() != KEY4) {
        if (PSDGet(front) < 250) {
            VWDriveTurn(vw, 2 * PI / 3, 1.5);
            VWDriveWait(vw);
            turns++;
            LCDSetString(2, 0, "turns");
            LCDSetPos(2, 6);
            LCDPutIntS(turns, 3);
        } else {
            VWSetSpeed(vw, 0.2, 0.0);
        }
        OSWait(5);
    }
    VWRelease(vw);
    return 0;
}
