# Follows the wall on its left at a fixed distance, with a proportional controller, for half a minute.
#
#   understudy eyesim wall_follow.py --world room.wld
from eye import *

WANTED = 150  # mm to the wall
SPEED = 200
END_MS = 30000

LCDMenu("", "", "", "END")
while PSDGet(PSD_FRONT) > WANTED + 50:  # find a wall
    VWSetSpeed(SPEED, 0)
VWTurn(-90, 90)
VWWait()

while OSGetCount() < END_MS and KEYRead() != KEY4:
    front, left = PSDGet(PSD_FRONT), PSDGet(PSD_LEFT)
    if front < WANTED + 30:
        VWTurn(-90, 90)  # an inner corner
        VWWait()
        continue
    error = min(left, 2 * WANTED) - WANTED
    turn = max(-60, min(60, error * 0.6))
    VWSetSpeed(SPEED if abs(turn) < 30 else SPEED // 2, turn)
    LCDSetPrintf(0, 0, "front %4d left %4d turn %4d ", front, left, turn)
    OSWait(50)
VWSetSpeed(0, 0)
