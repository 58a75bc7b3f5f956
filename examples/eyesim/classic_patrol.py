# The classic API: drives until something is near, turns away, for half a minute. Handles, metres, radians, 1/100 s.
#
#   understudy eyesim classic_patrol.py --world room.wld --robot soccerbot
from math import pi

from eye_classic import *

vw = VWInit(VW, 1)
VWStartControl(vw, 7, 0.3, 7, 0.1)
front = PSDInit(PSD_FRONT)
PSDStart(front, TRUE)
LCDPutString("patrol\n")
turns = 0
while OSGetCount() < 3000 and KEYRead() != KEY4:
    if PSDGet(front) < 250:
        VWDriveTurn(vw, 2 * pi / 3, 1.5)
        VWDriveWait(vw)
        turns += 1
        LCDSetString(2, 0, "turns")
        LCDSetPos(2, 6)
        LCDPutIntS(turns, 3)
    else:
        VWSetSpeed(vw, 0.2, 0.0)
    OSWait(5)
VWRelease(vw)
