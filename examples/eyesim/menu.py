# A menu with LCD and keys: drive, turn, show sensors, end.
#
#   understudy eyesim menu.py --world room.wld --console
#   understudy eyesim menu.py --world room.wld --fast --keys "KEY1@1s,KEY3@4s,KEY2@6s,KEY4@9s"
from eye import *


def drive():
    VWStraight(200, 200)
    VWWait()


def turn():
    VWTurn(90, 90)
    VWWait()


def sensors():
    """Show distances until a key is pressed."""
    LCDMenu("BACK", "BACK", "BACK", "BACK")
    while not KEYRead():
        for row, (name, psd) in enumerate((("front", PSD_FRONT), ("left", PSD_LEFT), ("right", PSD_RIGHT))):
            distance = PSDGet(psd)
            LCDSetPrintf(4 + row, 0, "%-6s %4d mm ", name, distance)
            LCDArea(160, 60 + 14 * row, 160 + 200, 70 + 14 * row, BLACK, 1)
            LCDArea(160, 60 + 14 * row, 160 + min(distance, 2000) // 10, 70 + 14 * row, GREEN, 1)
        OSWait(100)


ACTIONS = {KEY1: ("drive", drive), KEY2: ("turn", turn), KEY3: ("sensors", sensors)}
LCDSetColor(YELLOW, BLACK)
LCDPrintf("EyeBot %d\n", OSMachineID())
LCDSetColor(WHITE, BLACK)
key = NOKEY
while key != KEY4:
    LCDMenu("DRIVE", "TURN", "SENSORS", "END")
    key = KEYGet()
    if key in ACTIONS:
        name, action = ACTIONS[key]
        LCDSetPrintf(2, 0, "%-10s", name)
        action()
        x, y, phi = VWGetPosition()
        LCDSetPrintf(3, 0, "%4d %4d %4d ", x, y, phi)
LCDSetPrintf(2, 0, "%-10s", "goodbye")
