# Drives a square and shows on the LCD how well the odometry closes it.
#
#   understudy eyesim square.py --world room.wld
#   understudy eyesim square.py --world room.wld --fast
from eye import *

SIDE, SPEED = 400, 200  # mm, mm/s

VWSetPosition(0, 0, 0)
for side in range(4):
    VWStraight(SIDE, SPEED)
    while not VWDone():
        if VWStalled():
            LCDPrintf("blocked on side %d\n", side + 1)
        OSWait(20)
    VWTurn(90, 90)
    VWWait()
    x, y, phi = VWGetPosition()
    LCDPrintf("corner %d: %4d %4d %4d\n", side + 1, x, y, phi)

x, y, phi = VWGetPosition()
LCDPrintf("error: %.1f mm\n", (x**2 + y**2) ** 0.5)
AUBeep()
