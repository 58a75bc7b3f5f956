# Looks for an orange ball with the camera, drives to it and pushes it.
#
#   understudy eyesim ball.sim
from eye import *

CAMInit(QQVGA)
LCDImageStart(0, 0, QQVGA_X, QQVGA_Y)
LCDMenu("", "", "", "END")


def find_ball(image):
    """Return the mean column and the number of pixels with the hue of orange, or (-1, 0)."""
    hue, saturation, intensity = IPCol2HSI(image)
    columns = [0] * QQVGA_X
    for at in range(QQVGA_PIXELS):
        if 50 <= hue[at] <= 75 and saturation[at] & 255 > 100 and intensity[at] & 255 > 20:
            columns[at % QQVGA_X] += 1
    count = sum(columns)
    if count < 2:
        return -1, 0
    return sum(x * n for x, n in enumerate(columns)) // count, count


begin = OSGetCount()
near = False
while not near and OSGetCount() - begin < 60000 and KEYRead() != KEY4:
    image = CAMGet()
    column, count = find_ball(image)
    LCDImage(image)
    LCDSetPrintf(12, 0, "column %4d, %5d pixels ", column, count)
    if column < 0:
        VWTurn(20, 60)  # look around
        VWWait()
        continue
    LCDLine(column, 0, column, QQVGA_Y - 1, GREEN)
    VWSetSpeed(150, (QQVGA_X // 2 - column) * 0.4)
    OSWait(100)
    near = count > 150
VWStraight(300, 300)
VWWait()
LCDSetPrintf(13, 0, "pushed" if near else "not found")
