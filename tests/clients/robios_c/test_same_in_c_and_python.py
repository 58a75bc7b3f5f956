"""The same program in C and in Python says the same to the simulation: every record, and every wait."""

import re
import struct
import sys
from pathlib import Path

import pytest
from calling import compiled
from fake_simulation import STARTED, Fake

import understudy.clients
from understudy.clients.robios_c.build import include_folder
from understudy.clients.understudy_robios.functions import functions

# statements that mean the same in both languages
ROBIOS7 = """
VWSetSpeed(100, -45)
VWSetPosition(123, -456, 90)
VWStraight(-300, 150)
VWTurn(-91, 45)
VWCurve(300, 60, 150)
VWCurve(0, 60, 150)
VWDrive(300, -100, 150)
VWDrive(100, 200, 150)
VWDone()
VWRemain()
VWStalled()
VWWait()
VWControl(70, 30, 70, 10)
VWControlOff()
MOTORDrive(1, 150)
MOTORDriveRaw(2, -7)
MOTORPID(1, 4, 5, 6)
MOTORPIDOff(1)
MOTORSpeed(2, 30)
ENCODERRead(1)
ENCODERReset(1)
ENCODERRead(1)
SERVOSet(1, 300)
SERVODone(1)
SERVOWait(1)
SERVOGet(1)
SERVORange(1, 10, 200)
SERVOSetAngle(1, 5)
PSDGet(1)
PSDGetRaw(2)
LIDARSet(180, 10, 90)
LIDARSet(361, 10, 90)
CAMInit(QQVGA)
CAMRelease()
DIGITALSetup(3, 'o')
DIGITALWrite(3, 1)
DIGITALRead(3)
DIGITALReadAll()
ANALOGRead(1)
ANALOGVoltage()
ANALOGRecord(1, 50)
IRTVGet()
KEYRead()
KEYGet()
KEYWait(KEY2)
LCDPrintf("%d %5.2f %s %c%%", 5, 1.25, "text", 'x')
LCDSetPrintf(3, 4, "%04x|%-5d|", 255, 7)
LCDClear()
LCDSetPos(1, 2)
LCDSetColor(RED, CYAN)
LCDSetFont(TIMES, BOLD)
LCDSetFontSize(24)
LCDSetFontSize(25)
LCDSetMode(LCD_HIDEMENU)
LCDMenu("a", "", "c", "d")
LCDMenuI(2, "Go", GREEN, OLIVE)
LCDMenuI(7, "Go", GREEN, OLIVE)
LCDPixel(1, 2, -1)
LCDGetPixel(1, 2)
LCDLine(1, 2, 3, 4, BLUE)
LCDArea(1, 2, 3, 4, BLUE, 1)
LCDCircle(1, 2, 3, BLUE, 0)
LCDPixelInvert(1, 2)
LCDLineInvert(1, 2, 3, 4)
LCDAreaInvert(1, 2, 3, 4)
LCDCircleInvert(1, 2, 3)
LCDImageSize(VGA)
LCDImageStart(5, 6, 2, 1)
LCDImageStart(5, 6, -2, 1)
LCDRefresh()
OSMachineSpeed()
OSMachineType()
OSMachineID()
OSWait(95)
OSWait(0)
OSSetTime(1, 2, 3)
OSGetCount()
AUBeep()
AUPlay("none.mp3")
AUDone()
AUMicrophone()
RADIOSend(2, "off")
RADIOInit()
RADIOGetID()
RADIOSend(2, "hello")
RADIOCheck()
RADIORelease()
SIMSetRobot(0, 100, 200, 0, 33)
SIMSetObject(2, 100, 200, 0, -33)
SIMGetRobotCount()
SIMGetObjectCount()
SIMSetPose(1, 2, 3)
"""
CLASSIC = """
VWSetSpeed(1, 0.1, 0.2)
VWInit(VW, 1)
VWSetSpeed(1, 0.1, 0.2)
VWSetPosition(1, 0.1, 0.2, 0.3)
VWStartControl(1, 7, 0.3, 7, 0.1)
VWStopControl(1)
VWDriveStraight(1, -0.3, 0.2)
VWDriveTurn(1, -0.3, 0.2)
VWDriveCurve(1, 0.3, 1.5, 0.2)
VWDriveDone(1)
VWDriveRemain(1)
VWDriveWait(1)
VWStalled(1)
VWRelease(1)
MOTORDrive(MOTORInit(MOTOR_RIGHT), 120)
MOTORRelease(3)
SERVOSet(SERVOInit(SERVO2), 77)
QUADRead(QUADInit(QUAD_LEFT))
QUADReset(3)
QUADODOReset(3)
QUADODORead(1)
PSDStart(PSDInit(PSD_FRONT), TRUE)
PSDGet(PSDInit(PSD_LEFT))
PSDCheck()
PSDStop()
PSDRelease()
IRRead(IRInit(IR_LF))
COMPASSGet()
LCDPrintf("%d %s", 5, "x")
LCDPutString("text")
LCDSetString(1, 2, "text")
LCDPutChar('x')
LCDSetChar(1, 2, 'x')
LCDPutHex(-1)
LCDPutHex1(511)
LCDPutInt(7)
LCDPutIntS(7, 5)
LCDPutFloat(1.5)
LCDPutFloatS(1.5, 7, 2)
LCDMode(NONSCROLLING)
LCDMenu("a", "b", "c", "d")
LCDMenuI(2, "x")
LCDSetPixel(1, 2, 1)
LCDInvertPixel(1, 2)
LCDGetPixel(1, 2)
LCDLine(1, 2, 3, 4, 2)
LCDArea(1, 2, 3, 4, 0)
KEYRead()
KEYGet()
KEYWait(ANYKEY)
CAMInit(NORMAL)
CAMRelease()
OSMachineType()
OSMachineSpeed()
OSWait(7)
OSSetTime(1, 2, 3)
OSShowTime()
OSGetCount()
AUBeep()
AUTone(440, 50)
AUCheckTone()
AUCaptureMic()
RADIOInit()
RADIOSend(2, 5, "hello")
RADIOCheck()
RADIOTerm()
OSReadInLatch(0)
OSWriteOutLatch(0, 0, 5)
OSReadOutLatch(0)
OSGetAD(1)
"""
# statements that differ, in C and in Python: each after an order, so that those that wait for its effect are seen
PAIRS7 = [
    ('LCDImageStart(5, 6, 2, 1); LCDImage("abcdef")', 'LCDImageStart(5, 6, 2, 1); LCDImage(b"abcdef")'),
    ('LCDImageStart(5, 6, 2, 1); LCDImageGray("ab")', 'LCDImageStart(5, 6, 2, 1); LCDImageGray(b"ab")'),
    ('LCDImageStart(5, 6, 2, 1); LCDImageBinary("ab")', 'LCDImageStart(5, 6, 2, 1); LCDImageBinary(b"ab")'),
    ("int s[360]; LIDARGet(s)", "LIDARGet()"),
    ("int s[360]; SIMLaserScan(s)", "SIMLaserScan()"),
    ("static QQVGAcol c; CAMGet(c)", "CAMGet()"),
    ("static QQVGAgray g; CAMGetGray(g)", "CAMGetGray()"),
    ("int x, y, p; VWGetPosition(&x, &y, &p)", "VWGetPosition()"),
    ("int v, w; VWGetSpeed(&v, &w)", "VWGetSpeed()"),
    ("int x, y, z, p; SIMGetRobot(1, &x, &y, &z, &p)", "SIMGetRobot(1)"),
    ("int x, y, z, p; SIMGetObject(1, &x, &y, &z, &p)", "SIMGetObject(1)"),
    ("int x, y, p; SIMGetPose(&x, &y, &p)", "SIMGetPose()"),
    ("int x, y; KEYReadXY(&x, &y)", "KEYReadXY()"),
    ("int r, c; LCDGetPos(&r, &c)", "LCDGetPos()"),
    ("int r, c; LCDGetSize(&r, &c)", "LCDGetSize()"),
    ("int i[256]; RADIOStatus(i)", "RADIOStatus()"),
    ("int i; char t[50]; RADIOInit(); RADIOReceive(&i, t, 50)", "RADIOInit(); RADIOReceive()"),
    ("int h, m, s, t; OSGetTime(&h, &m, &s, &t)", "OSGetTime()"),
    ("BYTE b[100]; ANALOGTransfer(b)", "ANALOGTransfer()"),
    ("char t[100]; OSMachineName(t)", "OSMachineName()"),
    ("char t[100]; OSVersion(t)", "OSVersion()"),
    ("time(NULL)", "import time; time.time()"),
    ("usleep(12345)", "time.sleep(0.012345)"),
    ("sleep(1)", "from time import sleep; sleep(1)"),
]
PAIRS_CLASSIC = [
    ("PositionType p; VWInit(VW, 1); VWGetPosition(1, &p)", "VWInit(VW, 1); VWGetPosition(1)"),
    ("SpeedType s; VWGetSpeed(1, &s)", "VWGetSpeed(1)"),
    ("static image g; CAMGetFrame(&g)", "CAMGetFrame()"),
    ("static colimage c; CAMGetColFrame(&c, 0)", "CAMGetColFrame()"),
    ("int r, c; LCDGetPos(&r, &c)", "LCDGetPos()"),
    ("int h, m, s, t; OSGetTime(&h, &m, &s, &t)", "OSGetTime()"),
    ("static BYTE b[1024]; LCDPutImage(b)", "LCDPutImage(bytes(1024))"),
    ("static image g; LCDPutGraphic(&g)", "LCDPutGraphic(bytes(62 * 82))"),
    ("BYTE i, b[50]; int n; RADIOInit(); RADIORecv(&i, &n, b)", "RADIOInit(); RADIORecv()"),
    ("RadioStatus s; RADIOGetStatus(&s)", "RADIOGetStatus()"),
]
ANSWERS = {3: struct.pack("<4d", 1, 2, 3, 0.5), 5: struct.pack("<II", 2, 3), 10: struct.pack("<i", 40)}
PRESSES = {
    1_000_000: {"presses": (1, 0, 0, 0)},
    2_000_000: {"presses": (1, 1, 0, 0)},
    3_000_000: {"presses": (1, 1, 1, 1)},
}


def fake(classic):
    frames = {0: {"flags": 0, "remaining_m": 0.5}, 30_000: {"flags": STARTED}, **PRESSES}
    more = {"screen": "128 64", "ir": ((1, "IR_LF"),)} if classic else {}
    heard = {4_000_000: (3, 2, b"hello")}
    return Fake(tick_us=5000, frames=frames, answers=dict(ANSWERS), heard=heard, **more)


@pytest.mark.parametrize(
    ("module", "text", "pairs"),
    [("eye", ROBIOS7, []), ("eye", "", PAIRS7), ("eye_classic", CLASSIC, []), ("eye_classic", "", PAIRS_CLASSIC)],
    ids=["robios7", "robios7 pairs", "classic", "classic pairs"],
)
def test_a_program_says_the_same_in_both_languages(module, text, pairs, tmp_path, monkeypatch):
    classic = module == "eye_classic"
    lines = [(line, line) for line in text.split("\n") if line] + [
        (f"LCDClear(); {c}", f"LCDClear(); {py}") for c, py in pairs
    ]
    source = '#include "eyebot.h"\nint main() {\n' + "".join(f"    {{ {c}; }}\n" for c, _ in lines) + "}\n"
    (tmp_path / "program.py").write_text(f"from {module} import *\n" + "".join(f"{py}\n" for _, py in lines))
    monkeypatch.setenv("PYTHONPATH", str(Path(understudy.clients.__file__).parent))
    in_c, in_python = fake(classic), fake(classic)
    in_c.run(compiled(source, tmp_path, classic=classic))
    in_python.run(sys.executable, str(tmp_path / "program.py"))
    assert (in_c.code, in_python.code) == (0, 0), in_python.err
    assert in_c.left
    assert in_c.said == in_python.said
    assert in_c.err == in_python.err


@pytest.mark.parametrize(("api", "classic"), [("7", False), ("classic", True)])
def test_every_function_of_the_python_module_is_in_the_header(api, classic):
    names = {row.name for row in functions() if row.api == api}
    assert len(names) > 100
    header = (include_folder(classic) / "eyebot.h").read_text()
    assert {name for name in names if not re.search(rf"\b{name}\(", header)} == set()
