"""Every function of the classic API from C: what goes over the wire, and what comes back."""

# ruff: noqa: E501  # one row for each function

import re
import struct

import pytest
from calling import Case, call, compiled, program
from fake_simulation import DRIVING, SOUNDING, STARTED, Fake

from understudy.clients.robios_c.build import include_folder

ON = call(20, "?", True)
PICTURE = bytes(80 * 60 * 3 - 1) + b"\t"
ROBOT = {
    "psd": ((1, "PSD_FRONT"), (-205, "PSD_LEFT"), (9, "-")),
    "ir": ((1, "IR_LF"), (2, "IR_RF")),
    "bumper": ((1, "BUMP_LEFT"), (2, "BUMP_RIGHT")),
    "screen": "128 64",
}

DRIVE = [
    Case("VWInit", 'printf("%d", VWInit(VW, 1) != 0);', "1"),
    Case("VWRelease", 'printf("%d", VWRelease(1)); VWHandle h = VWInit(VW, 1); printf("%d", VWRelease(h));', "-10",
         calls=[call(1, "ddd", 0, 0, 0)]),
    Case("VWSetSpeed", "VWSetSpeed(VWInit(VW, 1), 0.1, -0.5);", calls=[call(1, "ddd", 0.1, -0.5, 0.0)]),
    Case("VWGetSpeed", 'SpeedType s; VWGetSpeed(VWInit(VW, 1), &s); printf("%g %g", s.v, s.w);', "0.25 -1.5",
         frame={"m_s": 0.25, "rad_s": -1.5}),
    Case("VWSetPosition", "VWSetPosition(VWInit(VW, 1), 1.0, -2.0, 0.5);", calls=[call(2, "ddd", 1.0, -2.0, 0.5)]),
    Case("VWGetPosition", 'PositionType p; VWGetPosition(VWInit(VW, 1), &p); printf("%g %g %g", p.x, p.y, p.phi);',
         "0.5 -0.25 1.5", frame={"x_m": 0.5, "y_m": -0.25, "rad": 1.5}),
    Case("VWStartControl", "VWStartControl(VWInit(VW, 1), 7, 0.3, 7, 0.1);", calls=[call(7, "?dddd", True, 7, 0.3, 7, 0.1)]),
    Case("VWStopControl", "VWStopControl(VWInit(VW, 1));", calls=[call(7, "?dddd", False, 0, 0, 0, 0)]),
    Case("VWDriveStraight", "VWDriveStraight(VWInit(VW, 1), -0.5, -0.2);", calls=[call(3, "dd", -0.5, 0.2)]),
    Case("VWDriveTurn", "VWDriveTurn(VWInit(VW, 1), -0.5, 0.2);", calls=[call(4, "dd", -0.5, 0.2)]),
    Case("VWDriveCurve", "VWDriveCurve(VWInit(VW, 1), 0.5, 1.5, 0.2);", calls=[call(5, "ddd", 0.5, 1.5, 0.2)]),
    Case("VWDriveRemain", 'printf("%g", VWDriveRemain(VWInit(VW, 1)));', "0.75", frame={"remaining_m": -0.75}),
    Case("VWDriveDone", 'VWHandle h = VWInit(VW, 1); printf("%d %d", VWDriveDone(h), VWDriveDone(7));', "0 -1",
         frame={"flags": DRIVING | STARTED}),
    Case("VWDriveWait", 'VWDriveWait(VWInit(VW, 1)); printf("%d", OSGetCount());', "50",
         fake={"frames": {0: {"flags": DRIVING | STARTED}, 500_000: {"flags": STARTED}}}),
    Case("VWStalled", 'printf("%d", VWStalled(VWInit(VW, 1)));', "1", frame={"stalled": 2}),
    Case("MOTORInit", 'printf("%d %d %d", MOTORInit(MOTOR_LEFT), MOTORInit(MOTOR_RIGHT), MOTORInit(77));', "1 2 0"),
    Case("MOTORDrive", "MOTORDrive(MOTORInit(MOTOR_LEFT) | MOTORInit(MOTOR_RIGHT), 150);",
         calls=[call(10, "ii", 1, 100), call(10, "ii", 2, 100)]),
    Case("MOTORRelease", "MOTORRelease(2);", calls=[call(10, "ii", 2, 0)]),
    Case("QUADInit", 'printf("%d", QUADInit(QUAD_RIGHT));', "2"),
    Case("QUADRead", 'printf("%d", QUADRead(QUADInit(QUAD_RIGHT)));', "77", frame={"encoders": (1, 77, 0, 0)}),
    Case("QUADReset", "QUADReset(3);", calls=[call(13, "i", 1), call(13, "i", 2)]),
    Case("QUADRelease", 'printf("%d", QUADRelease(1));', "0"),
    Case("QUADODORead", 'printf("%.4f", QUADODORead(1));', "0.1696", frame={"encoders": (1100, 0, 0, 0)}),
    Case("QUADODOReset", 'QUADODOReset(1); printf("%g", QUADODORead(1));', "0", frame={"encoders": (1100, 0, 0, 0)}),
    Case("SERVOInit", 'printf("%d %d", SERVOInit(SERVO1), SERVOInit(SERVO12));', "1 2048"),
    Case("SERVOSet", "SERVOSet(SERVOInit(SERVO2), 300);", calls=[call(14, "ii", 2, 255)]),
    Case("SERVORelease", 'printf("%d%d", SERVORelease(1), SERVORelease(0));', "0-1"),
]  # fmt: skip

SENSE = [
    Case("PSDInit", 'printf("%d %d %d", PSDInit(PSD_FRONT), PSDInit(-205), PSDInit(PSD_BACK));', "1 2 0"),
    Case("PSDRelease", 'printf("%d", PSDRelease());', "0"),
    Case("PSDStart", 'printf("%d%d", PSDStart(3, TRUE), PSDStart(8, TRUE));', "0-1"),
    Case("PSDStop", 'PSDStart(1, TRUE); PSDStop(); printf("%d", PSDCheck());', "0"),
    Case("PSDCheck", 'PSDStart(1, FALSE); printf("%d", PSDCheck());', "1"),
    Case("PSDGet", 'PSDHandle h = PSDInit(PSD_FRONT); PSDStart(h, FALSE); printf("%d", PSDGet(h)); OSWait(10);'
         'printf(" %d", PSDGet(h)); PSDStart(h, TRUE); OSWait(10); printf(" %d", PSDGet(h));', "500 500 300",
         fake={"frames": {0: {"psd": (500, 0, 0)}, 100_000: {"psd": (300, 0, 0)}}}),
    Case("PSDGetRaw", 'printf("%d", PSDGetRaw(4));', "9999"),
    Case("BUMPInit", 'printf("%d %d", BUMPInit(BUMP_RIGHT), BUMPInit(BUMP_BACK));', "2 0"),
    Case("BUMPRelease", 'printf("%d", BUMPRelease(BUMPInit(BUMP_LEFT)));', "0"),
    Case("BUMPCheck", 'int t; BumpHandle h = BUMPInit(BUMP_RIGHT); printf("%d", BUMPCheck(h, &t)); OSWait(30);'
         'int r = BUMPCheck(h, &t); printf(" %d %d %d", r, t, BUMPCheck(h, &t));', "-1 0 15 -1",
         fake={"frames": {200_000: {"bumps": ((0, 0), (1, 155_000))}}}),
    Case("IRInit", 'printf("%d %d", IRInit(IR_RF), IRInit(IR_LB));', "2 0"),
    Case("IRRelease", 'printf("%d", IRRelease(8));', "-1"),
    Case("IRRead", 'printf("%d %d %d", IRRead(IRInit(IR_LF)), IRRead(IRInit(IR_RF)), IRRead(64));', "0 1 -1", frame={"ir": (0, 1)}),
    Case("COMPASSInit", 'printf("%d", COMPASSInit(COMPASS));', "0", frame={"compass_deg": 90}),
    Case("COMPASSStart", 'printf("%d", COMPASSStart(TRUE));', "1", frame={"compass_deg": -1}),
    Case("COMPASSCheck", 'printf("%d", COMPASSCheck());', "1"),
    Case("COMPASSGet", 'printf("%d", COMPASSGet());', "271", frame={"compass_deg": 271}),
    Case("COMPASSStop", 'printf("%d", COMPASSStop());', "0"),
    Case("COMPASSRelease", 'printf("%d", COMPASSRelease());', "0"),
    Case("COMPASSCalibrate", 'printf("%d", COMPASSCalibrate(0));', "0"),
    Case("CAMInit", 'printf("%d", CAMInit(NORMAL) < INITERROR);', "1"),
    Case("CAMRelease", 'printf("%d", CAMRelease());', "0"),
    Case("CAMGetFrame", 'static image p; CAMGetFrame(&p); printf("%d %d", p[60][80], p[61][81]);', "3 0",
         queries=[call(2, "II", 80, 60)], answers={2: PICTURE}),
    Case("CAMGetColFrame", 'static colimage p; CAMGetColFrame(&p, FALSE); printf("%d", p[60][80][2]);'
         'static image g; CAMGetColFrame((colimage *)&g, TRUE); printf(" %d", g[60][80]);', "9 3",
         queries=[call(2, "II", 80, 60)] * 2, answers={2: PICTURE}),
    Case("CAMSet", 'int a, b, c; CAMSet(FPS15, 5, 6); CAMGet(&a, &b, &c); printf("%d %d %d", a, b, c);', "2 5 6"),
    Case("CAMGet", 'int a, b, c; CAMGet(&a, &b, &c); printf("%d", a == FPS3_75);', "1"),
    Case("CAMMode", 'printf("%d", CAMMode(AUTOBRIGHTNESS));', "0"),
    Case("IPLaplace", 'static image a, b; a[5][5] = 10; IPLaplace(&a, &b); printf("%d %d", b[5][5], b[5][6]);', "40 10"),
    Case("IPSobel", 'static image a, b; a[5][5] = 90; IPSobel(&a, &b); printf("%d", b[5][6]);', "60"),
    Case("IPDither", 'static image a, b; a[1][1] = 255; IPDither(&a, &b); printf("%d%d", b[1][1], b[1][2]);', "01"),
    Case("IPDiffer", 'static image a, b, c; a[1][1] = 5; b[1][1] = 9; IPDiffer(&a, &b, &c); printf("%d", c[1][1]);', "4"),
    Case("IPColor2Grey", 'static colimage a; static image b; a[1][1][0] = 30; IPColor2Grey(&a, &b); printf("%d", b[1][1]);', "10"),
]  # fmt: skip

SCREEN = [
    Case("LCDPrintf", r'LCDPrintf("%d\n", 5);', calls=[call(30, rest=b"5\n")]),
    Case("LCDSetPrintf", 'LCDSetPrintf(1, 2, "%d", 5);', calls=[call(31, "ii", 1, 2, rest=b"5")]),
    Case("LCDClear", "LCDClear();", calls=[call(32)]),
    Case("LCDPutChar", "LCDPutChar('x');", calls=[call(30, rest=b"x")]),
    Case("LCDSetChar", "LCDSetChar(1, 2, 'x');", calls=[call(31, "ii", 1, 2, rest=b"x")]),
    Case("LCDPutString", 'LCDPutString("a%d");', calls=[call(30, rest=b"a%d")]),
    Case("LCDSetString", 'LCDSetString(1, 2, "a%d");', calls=[call(31, "ii", 1, 2, rest=b"a%d")]),
    Case("LCDPutHex", "LCDPutHex(255);", calls=[call(30, rest=b"000000FF")]),
    Case("LCDPutHex1", "LCDPutHex1(255);", calls=[call(30, rest=b"FF")]),
    Case("LCDPutInt", "LCDPutInt(-5);", calls=[call(30, rest=b"-5")]),
    Case("LCDPutIntS", "LCDPutIntS(-5, 4);", calls=[call(30, rest=b"  -5")]),
    Case("LCDPutFloat", "LCDPutFloat(1.5);", calls=[call(30, rest=b"1.500000")]),
    Case("LCDPutFloatS", "LCDPutFloatS(1.5, 6, 2);", calls=[call(30, rest=b"  1.50")]),
    Case("LCDMode", "LCDMode(NONSCROLLING | NOCURSOR);", calls=[call(37, "i", 0x200)]),
    Case("LCDSetPos", "LCDSetPos(1, 2);", calls=[call(33, "ii", 1, 2)]),
    Case("LCDGetPos", 'int r, c; LCDGetPos(&r, &c); printf("%d %d", r, c);', "5 6", queries=[call(8)], answers={8: struct.pack("<ii", 5, 6)}),
    Case("LCDPutGraphic", "static image p; LCDPutGraphic(&p);", calls=[call(45, "iiii", 0, 0, 80, 60), call(46, "i?", 1, False, rest=bytes(4800))]),
    Case("LCDPutColorGraphic", "static colimage p; LCDPutColorGraphic(&p);",
         calls=[call(45, "iiii", 0, 0, 80, 60), call(46, "i?", 3, False, rest=bytes(14400))]),
    Case("LCDPutImage", "static BYTE bits[1024] = {128}; LCDPutImage(bits);",
         calls=[call(45, "iiii", 0, 0, 128, 64), call(46, "i?", 1, True, rest=b"\1" + bytes(8191))]),
    Case("LCDMenu", 'LCDMenu("Go", "", "", "End");', calls=[call(38, rest=b"Go\0\0\0End")]),
    Case("LCDMenuI", 'LCDMenuI(2, "Go");', calls=[call(39, "iii", 2, 1, 0, rest=b"Go")]),
    Case("LCDSetPixel", "LCDSetPixel(1, 2, 2);", calls=[call(40, "iii", 2, 1, 2)]),
    Case("LCDInvertPixel", "LCDInvertPixel(1, 2);", calls=[call(41, "iiiii", 0, 2, 1, 0, 0)]),
    Case("LCDGetPixel", 'printf("%d", LCDGetPixel(1, 2));', "1", queries=[call(7, "ii", 2, 1)], answers={7: struct.pack("<i", 1)}),
    Case("LCDLine", "LCDLine(1, 2, 3, 4, 1);", calls=[call(42, "iiiii", 1, 2, 3, 4, 1)]),
    Case("LCDArea", "LCDArea(1, 2, 3, 4, 0);", calls=[call(43, "iiiii?", 1, 2, 3, 4, 0, True)]),
    Case("KEYGet", 'printf("%d", KEYGet());', "4", fake={"frames": {100_000: {"presses": (0, 0, 1, 0)}}}),
    Case("KEYRead", 'printf("%d", KEYRead());', "8", frame={"keys": 8}),
    Case("KEYWait", 'printf("%d", KEYWait(ANYKEY));', "1", fake={"frames": {100_000: {"presses": (1, 0, 0, 0)}}}),
    Case("KEYGetBuf", 'char k; KEYGetBuf(&k); printf("%d", k);', "2", fake={"frames": {100_000: {"presses": (0, 1, 0, 0)}}}),
]  # fmt: skip

REST = [
    Case("OSVersion", 'printf("%s", OSVersion());', "5.2 Understudy"),
    Case("OSMachineType", 'printf("%d", OSMachineType());', "1"),
    Case("OSMachineSpeed", 'printf("%d", OSMachineSpeed() > 0);', "1"),
    Case("OSMachineName", 'printf("%s", OSMachineName());', "Pip"),
    Case("OSMachineID", 'printf("%c", OSMachineID());', "5", fake={"robot_id": 5}),
    Case("OSWait", 'OSWait(95); printf("%d", OSGetCount());', "95"),
    Case("OSSetTime", 'int h, m, s, t; OSSetTime(1, 2, 3); OSGetTime(&h, &m, &s, &t); printf("%d:%d:%d", h, m, s);', "1:2:3"),
    Case("OSGetTime", 'int h, m, s, t; OSWait(6150); OSGetTime(&h, &m, &s, &t); printf("%d:%d:%d %d", h, m, s, t);', "0:1:1 50"),
    Case("OSShowTime", "OSShowTime();", calls=[call(30, rest=b"00:00:00\n")]),
    Case("OSGetCount", 'OSWait(100); printf("%d", OSGetCount());', "100"),
    Case("OSAttachTimer", "OSAttachTimer(10, note); OSWait(35);", "<10><20><30>"),
    Case("OSDetachTimer", 'int t = OSAttachTimer(10, note); OSWait(15); OSDetachTimer(t); OSWait(30);', "<10>"),
    Case("OSMTInit", 'printf("%d", OSMTInit(COOP));', "0"),
    Case("OSMTStatus", 'printf("%d", OSMTStatus() == NOTASK);', "1"),
    Case("OSSpawn", "coop(); OSReady(one); OSReschedule(); printf(\"main\");", "(1 a)(1 b)main"),
    Case("OSReady", "coop(); OSReady(one); OSReady(two); OSYield(); printf(\".\"); OSYield(); printf(\".\");"
         "OSYield(); printf(\".\");", "(1 a)(2 a).(1 b)(2 b).."),
    Case("OSSuspend", "coop(); OSReady(one); OSReady(two); OSSuspend(one); OSReschedule(); OSReschedule();", "(2 a)(2 b)"),
    Case("OSReschedule", "coop(); OSReady(one); OSReady(two); OSReschedule(); printf(\"main\"); OSReschedule();",
         "(1 a)(2 a)(1 b)(2 b)main"),
    Case("OSYield", "coop(); OSReady(one); OSYield(); printf(\"main\");", "(1 a)main"),
    Case("OSRun", "coop(); OSRun(two);", "(2 a)"),
    Case("OSGetUID", 'coop(); printf("%d %d", OSGetUID(0), OSGetUID(two));', "0 2"),
    Case("OSKill", "coop(); OSReady(one); OSYield(); OSKill(one); OSReschedule(); printf(\"main\");", "(1 a)main"),
    Case("OSExit", "printf(\"a\"); OSExit(0); printf(\"b\");", "a"),
    Case("OSSleep", 'coop(); OSReady(one); OSSleep(20); printf("main %d", OSGetCount() / 10);', "(1 a)(1 b)main 2"),
    Case("OSForbid", "OSMTInit(PREEMPT); spawn(); OSForbid(); OSReady(one); OSSleep(5); printf(\"main\"); OSPermit(); OSSleep(20);",
         "main(1 a)(1 b)"),
    Case("OSPermit", 'printf("%d", OSPermit());', "0"),
    Case("OSSemInit", 'struct sem s; printf("%d", OSSemInit(&s, 1));', "0"),
    Case("OSSemP", "OSMTInit(PREEMPT); OSSemInit(&gate, 0); OSReady(OSSpawn(\"w\", waiter, 8192, 1, 3)); OSSleep(10);"
         "printf(\"open \"); OSSemV(&gate); OSSleep(10);", "open through"),
    Case("OSSemV", 'struct sem s; OSSemInit(&s, 0); OSSemV(&s); OSSemP(&s); printf("%d", s.value);', "0"),
    Case("AUBeep", "AUBeep();", calls=[call(23, "iq", 880, 200_000)]),
    Case("AUTone", "AUTone(440, 100);", calls=[call(23, "iq", 440, 100_000)]),
    Case("AUCheckTone", 'printf("%d", AUCheckTone());', "0", frame={"flags": STARTED | SOUNDING}),
    Case("AUPlaySample", 'AUPlaySample("");', calls=[call(24, "q", 1_000_000, rest=b"sample")]),
    Case("AUCheckSample", 'printf("%d", AUCheckSample());', "1"),
    Case("AURecordSample", 'BYTE b[10] = {1}; AURecordSample(b, 10, 100); printf("%d %d", b[0], AUCheckRecord());', "0 0"),
    Case("AUCheckRecord", 'printf("%d", AUCheckRecord());', "1"),
    Case("AUCaptureMic", 'printf("%d", AUCaptureMic());', "3", queries=[call(9)], answers={9: struct.pack("<i", 3)}),
    Case("RADIOInit", "RADIOInit();", calls=[ON]),
    Case("RADIOTerm", "RADIOTerm();", calls=[call(20, "?", False)]),
    Case("RADIOSend", r'RADIOInit(); RADIOSend(2, 3, "a\0b"); RADIOSend('"'3'"', 1, "x"); RADIOSend(BROADCAST, 1, "y");',
         calls=[ON, call(21, "i", 2, rest=b"a\0b"), call(21, "i", 3, rest=b"x"), call(21, "i", 0, rest=b"y")]),
    Case("RADIOCheck", 'RADIOInit(); OSWait(20); printf("%d", RADIOCheck());', "1", calls=[ON], fake={"heard": {100_000: (9, 5, b"hello")}}),
    Case("RADIORecv", 'BYTE id, b[35]; int n; RADIOInit(); RADIORecv(&id, &n, b); printf("%d %d %c", id, n, b[4]);', "5 5 o",
         calls=[ON, call(22, "I", 9)], fake={"heard": {100_000: (9, 5, b"hello")}}),
    Case("RADIOGetStatus", 'RadioStatus s; RADIOGetStatus(&s); printf("%d", s.radio_number);', "2", queries=[call(6)],
         answers={6: struct.pack("<II", 1, 4)}),
    Case("RADIOGetIoctl", 'RadioIOParameters p; RADIOGetIoctl(&p); printf("%d", p.id);', "1"),
    Case("RADIOSetIoctl", 'RadioIOParameters p = {0}; printf("%d", RADIOSetIoctl(&p));', "0"),
    Case("OSInitRS232", 'printf("%d", OSInitRS232(9600, NONE, SERIAL1));', "1"),
    Case("OSSendCharRS232", "printf(\"%d\", OSSendCharRS232('x', SERIAL1));", "1"),
    Case("OSSendRS232", 'printf("%d", OSSendRS232("x", SERIAL1));', "1"),
    Case("OSRecvRS232", 'char c; printf("%d", OSRecvRS232(&c, SERIAL1));', "1"),
    Case("OSFlushInRS232", "OSFlushInRS232(SERIAL1);"),
    Case("OSFlushOutRS232", "OSFlushOutRS232(SERIAL1);"),
    Case("OSCheckInRS232", 'printf("%d", OSCheckInRS232(SERIAL1));', "0"),
    Case("OSCheckOutRS232", 'printf("%d", OSCheckOutRS232(SERIAL1));', "0"),
    Case("OSReadInLatch", 'printf("%d %d", OSReadInLatch(0), OSReadInLatch(1));', "2 1", frame={"digital": 0x102}),
    Case("OSWriteOutLatch", "OSWriteOutLatch(0, 0, 5);", calls=[call(26, "i?", 1, True), call(26, "i?", 3, True)]),
    Case("OSReadOutLatch", 'printf("%d", OSReadOutLatch(0));', "0"),
    Case("OSGetAD", 'printf("%d %d", OSGetAD(7), OSGetAD(8));', "500 0", frame={"analog": (0,) * 7 + (500,)}),
]  # fmt: skip

CASES = [*DRIVE, *SENSE, *SCREEN, *REST]
HEAD = """
struct tcb *one, *two;
static struct sem gate;
static void note(void) { printf("<%d>", OSGetCount()); }
static void slave(void) {
    int id = OSGetUID(0);
    printf("(%d a)", id);
    OSReschedule();
    printf("(%d b)", id);
    OSKill(0);
}
static void waiter(void) { OSSemP(&gate); printf("through"); }
static void spawn(void) {
    one = OSSpawn("one", slave, 8192, MIN_PRI, 1);
    two = OSSpawn("two", slave, 8192, MIN_PRI, 2);
}
static void coop(void) { OSMTInit(COOP); spawn(); }
"""


@pytest.fixture(scope="module")
def caller(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calls")
    return compiled(program(CASES, head=HEAD), folder, classic=True, options=("-O1", "-Wall", "-Wextra", "-Werror"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_function_says_on_the_wire_what_it_means(case, caller):
    fake = Fake(**{"frames": {0: case.frame}, "answers": case.answers, **ROBOT, **case.fake})
    out = fake.run(caller, case.name)
    assert (out, fake.calls, fake.queries, fake.code, fake.err) == (case.out, case.calls, case.queries, 0, "")


def test_every_function_of_the_header_has_a_case():
    text = (include_folder(True) / "eyebot.h").read_text()
    declared = set(re.findall(r"^(?!static|#)[\w *]*?\b([A-Z]\w+)\([^;]*\)[^;]*;", text, re.MULTILINE))
    assert len(declared) > 100
    assert declared - {case.name for case in CASES} == {"OSError", "OSPanic"}


def test_an_error_is_shown_and_a_deadly_one_ends_the_program(tmp_path):
    source = '#include "eyebot.h"\nint main() { OSError("bad", 3, FALSE); LCDPutInt(1); OSError("worse", 4, TRUE); return 0; }'
    fake = Fake(frames={100_000: {"presses": (1, 0, 0, 0)}})
    fake.run(compiled(source, tmp_path, classic=True))
    assert [each[1:] for each in fake.calls] == [b"bad\nError 3\n", b"1", b"worse\nError 4\n"]
    assert (fake.code, fake.left) == (1, True)


def test_a_panic_ends_the_program_with_its_message(tmp_path):
    fake = Fake()
    fake.run(compiled('#include "eyebot.h"\nint main() { OSPanic("no %d", 5); return 0; }', tmp_path, classic=True))
    assert (fake.code, fake.calls) == (1, [call(30, rest=b"no 5")])
