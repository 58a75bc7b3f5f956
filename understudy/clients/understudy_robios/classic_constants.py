"""Constants of classic RoBIOS: names of devices in the hardware description table, LCD, camera, tasks, radio.

Numbers of devices are those of our C header; a robot's own names (PSD_FRONT ...) decide which sensor is meant.
"""

from __future__ import annotations

import math

NOKEY, KEY1, KEY2, KEY3, KEY4, ANYKEY = 0, 1, 2, 4, 8, 15

# ---- names of devices
VW = VW_DRIVE = -1
MOTOR_LEFT, MOTOR_RIGHT = -20, -21
QUAD_LEFT, QUAD_RIGHT = -40, -41
SERVO1, SERVO2, SERVO3, SERVO4, SERVO5, SERVO6 = -60, -61, -62, -63, -64, -65
SERVO7, SERVO8, SERVO9, SERVO10, SERVO11, SERVO12 = -66, -67, -68, -69, -70, -71
COMPASS = -100
PSD_FRONT, PSD_FRONTMIDDLE, PSD_LEFTDIAG, PSD_RIGHTDIAG, PSD_LEFT = -200, -201, -203, -204, -205
PSD_FRONTLEFT, PSD_FRONTRIGHT, PSD_BACKLEFT, PSD_BACKRIGHT = -206, -207, -208, -209
PSD_RIGHT, PSD_FRONT2, PSD_BACK = -210, -211, -212
IR_LF, IR_LM, IR_LB, IR_RF, IR_RM, IR_RB = -300, -301, -302, -303, -304, -305
IR_FL, IR_FM, IR_FR, IR_BL, IR_BM, IR_BR = -306, -307, -308, -309, -310, -311
BUMP_LEFT, BUMP_FRONT, BUMP_RIGHT, BUMP_BACK = -500, -501, -502, -503
BUMP_LF, BUMP_RF, BUMP_LB, BUMP_RB = -504, -505, -506, -507
PSD_OUT_OF_RANGE = 9999

# ---- LCD
SCROLLING, NONSCROLLING, CURSOR, NOCURSOR = 0x01, 0x02, 0x04, 0x08

# ---- camera
imagecolumns, imagerows = 82, 62
WIDE, NORMAL, TELE = 0, 1, 2
GREYCAM, COLCAM, EYECAM, INITERROR, NOCAM = 1, 16, 17, 200, 255
NOAUTOBRIGHTNESS, AUTOBRIGHTNESS = 0, 1
FPS60, FPS30, FPS15, FPS7_5, FPS3_75, FPS1_875 = range(6)

# ---- machine, tasks, radio, serial lines
VEHICLE, PLATFORM, WALKER = 1, 2, 3
COOP, PREEMPT, NOTASK, MIN_PRI, MAX_PRI = 0, 1, 2, 1, 8
BROADCAST, MAXMSGLEN = 0, 35
NONE, RTSCTS, SERIAL1, SERIAL2, SERIAL3 = 0, 1, 0, 1, 2
TRUE, FALSE, PI = 1, 0, math.pi

EXPORTED = [name for name in dir() if name.isupper()] + ["imagecolumns", "imagerows"]
NAMES = {value: name for name, value in list(globals().items()) if name.startswith(("PSD_", "IR_", "BUMP_"))}
