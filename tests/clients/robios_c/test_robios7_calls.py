"""Every function of RoBIOS-7 from C: what goes over the wire, and what comes back."""

# ruff: noqa: E501  # one row for each function

import re
import struct
import wave

import pytest
from calling import Case, call, compiled, program, rad
from fake_simulation import DRIVING, SOUNDING, STARTED, Fake

from understudy.clients.robios_c.build import include_folder

POSE = struct.pack("<4d", 1.2345, -0.5, 0.01, rad(-135.4))
SCAN = b"".join(struct.pack("<i", 10 * index) for index in range(360))

DRIVE = [
    Case("VWSetSpeed", "VWSetSpeed(100, -45);", calls=[call(1, "ddd", 0.1, rad(-45), 0.0)]),
    Case("VWGetSpeed", 'int a, b; VWGetSpeed(&a, &b); printf("%d %d", a, b);', "-124 46",
         frame={"m_s": -0.1236, "rad_s": 0.8}),
    Case("VWSetPosition", "VWSetPosition(1, -2000, 90);", calls=[call(2, "ddd", 0.001, -2.0, rad(90))]),
    Case("VWGetPosition", 'int x, y, p; VWGetPosition(&x, &y, &p); printf("%d %d %d", x, y, p);', "13 -13 -90",
         frame={"x_m": 0.0125, "y_m": -0.0125, "rad": rad(270)}),
    Case("VWStraight", "VWStraight(-250, -100);", calls=[call(3, "dd", -0.25, 0.1)]),
    Case("VWTurn", "VWTurn(-90, -45);", calls=[call(4, "dd", rad(-90), rad(45))]),
    Case("VWCurve", "VWCurve(300, 60, 150); VWCurve(0, 10, 20);", calls=[call(5, "ddd", 0.3, rad(60), 0.15)]),
    Case("VWDrive", 'printf("%d%d", VWDrive(300, -100, 150), VWDrive(100, -100, 150));', "01",
         calls=[call(6, "ddd", 0.3, -0.1, 0.15)]),
    Case("VWRemain", 'printf("%d ", VWRemain()); VWTurn(90, 45); printf("%d", VWRemain());', "1571 90",
         calls=[call(4, "dd", rad(90), rad(45))], frame={"remaining_m": -1.5708}),
    Case("VWDone", 'printf("%d", VWDone());', "0", frame={"flags": DRIVING | STARTED}),
    Case("VWWait", 'VWWait(); printf("%d", OSGetCount());', "500",
         fake={"frames": {0: {"flags": DRIVING | STARTED}, 500_000: {"flags": STARTED}}}),
    Case("VWStalled", 'printf("%d", VWStalled());', "3", frame={"stalled": 3}),
    Case("VWControl", "VWControl(70, 30, 70, 10);", calls=[call(7, "?dddd", True, 70, 30, 70, 10)]),
    Case("VWControlOff", "VWControlOff();", calls=[call(7, "?dddd", False, 0, 0, 0, 0)]),
    Case("VWDriveDone", 'printf("%d", VWDriveDone());', "1"),
    Case("VWDriveRemain", 'printf("%d", VWDriveRemain());', "250", frame={"remaining_m": 0.25}),
    Case("VWDriveWait", "VWDriveWait();"),
    Case("MOTORDrive", "MOTORDrive(1, 101); MOTORDrive(2, -50);", calls=[call(10, "ii", 1, 100), call(10, "ii", 2, -50)]),
    Case("MOTORDriveRaw", "MOTORDriveRaw(2, -101);", calls=[call(10, "ii", 2, -100)]),
    Case("MOTORPID", "MOTORPID(1, 4, 5, 6);", calls=[call(12, "iiii", 1, 4, 5, 6)]),
    Case("MOTORPIDOff", "MOTORPIDOff(1);", calls=[call(12, "iiii", 1, 0, 0, 0)]),
    Case("MOTORSpeed", "MOTORSpeed(2, -30);", calls=[call(11, "ii", 2, -30)]),
    Case("ENCODERRead", 'printf("%d %d %d", ENCODERRead(1), ENCODERRead(4), ENCODERRead(5));', "7 -8 0",
         frame={"encoders": (7, 0, 0, -8)}),
    Case("ENCODERReset", "ENCODERReset(2);", calls=[call(13, "i", 2)]),
    Case("SERVOSet", "SERVOSet(1, 300);", calls=[call(14, "ii", 1, 255)]),
    Case("SERVOSetRaw", "SERVOSetRaw(2, -1);", calls=[call(14, "ii", 2, 0)]),
    Case("SERVORange", "SERVORange(1, 10, 250);", calls=[call(15, "iii", 1, 10, 250)]),
    Case("SERVOGet", 'printf("%d", SERVOGet(3));', "77", queries=[call(10, "i", 3)], answers={10: struct.pack("<i", 77)}),
    Case("SERVODone", 'printf("%d", SERVODone(1)); SERVOSet(1, 5); printf("%d", SERVODone(1));', "10",
         calls=[call(14, "ii", 1, 5)], queries=[call(10, "i", 1)], answers={10: struct.pack("<i", 77)}),
    Case("SERVOWait", 'SERVOSet(1, 5); printf("%d", SERVOWait(1));', "1", calls=[call(14, "ii", 1, 5)],
         queries=[call(10, "i", 1)] * 4, answers={10: struct.pack("<i", 77)}),
    Case("SERVOStalled", 'printf("%d", SERVOStalled(1));', "0"),
    Case("SERVOSetExtension", 'printf("%d", SERVOSetExtension(1, 5));', "1"),
    Case("SERVOSetAngle", 'printf("%d", SERVOSetAngle(1, 5));', "1"),
]  # fmt: skip

SENSE = [
    Case("PSDGet", 'printf("%d %d %d", PSDGet(PSD_FRONT), PSDGet(3), PSDGet(7));', "123 9999 0", frame={"psd": (123, 4, 9999)}),
    Case("PSDGetRaw", 'printf("%d", PSDGetRaw(2));', "4", frame={"psd": (123, 4, 9999)}),
    Case("LIDARGet", 'int d[360]; LIDARGet(d); printf("%d %d", d[0], d[359]);', "0 3590",
         queries=[call(1, "Iii", 360, 360, 0)], answers={1: SCAN}),
    Case("LIDARSet", 'int d[2]; printf("%d%d", LIDARSet(0, 0, 2), LIDARSet(180, 5, 2)); LIDARGet(d);'
         'printf(" %d %d %d", d[1], LIDAR_POINTS, LIDAR_RANGE);', "10 10 2 180",
         queries=[call(1, "Iii", 2, 180, 5)], answers={1: SCAN[:8]}),
    Case("SIMLaserScan", 'int d[360]; SIMLaserScan(d); printf("%d %d %d", d[0], d[90], d[359]);', "1800 900 1810",
         queries=[call(1, "Iii", 360, 360, 0)], answers={1: SCAN}),
    Case("CAMInit", 'printf("%d %d", CAMInit(7), CAMInit(QQVGA)); printf(" %d %d %d %d", CAMWIDTH, CAMHEIGHT, CAMPIXELS,'
         "CAMSIZE);", "1 0 160 120 19200 57600", calls=[call(45, "iiii", 0, 0, 160, 120)]),
    Case("CAMGet", 'QQVGAcol img; CAMInit(QQVGA); CAMGet(img); printf("%d", img[119][159][2]);', "9",
         calls=[call(45, "iiii", 0, 0, 160, 120)], queries=[call(2, "II", 160, 120)], answers={2: bytes(57599) + b"\t"}),
    Case("CAMGetGray", 'BYTE img[QQVGA_PIXELS]; CAMInit(QQVGA); CAMGetGray(img); printf("%d", img[QQVGA_PIXELS - 1]);', "3",
         calls=[call(45, "iiii", 0, 0, 160, 120)], queries=[call(2, "II", 160, 120)], answers={2: bytes(57599) + b"\t"}),
    Case("CAMRelease", 'printf("%d", CAMRelease());', "0"),
    Case("DIGITALSetup", "DIGITALSetup(3, 'o'); DIGITALSetup(3, 'x');", calls=[call(25, "i", 3, rest=b"o")]),
    Case("DIGITALRead", 'printf("%d%d%d", DIGITALRead(1), DIGITALRead(2), DIGITALRead(99));', "010", frame={"digital": 2}),
    Case("DIGITALReadAll", 'printf("%d", DIGITALReadAll());', "65535", frame={"digital": 65535}),
    Case("DIGITALWrite", "DIGITALWrite(2, 5); DIGITALWrite(0, 1);", calls=[call(26, "i?", 2, True)]),
    Case("ANALOGRead", 'printf("%d %d", ANALOGRead(8), ANALOGRead(9));', "1023 0", frame={"analog": (0,) * 7 + (1023,)}),
    Case("ANALOGVoltage", 'printf("%d", ANALOGVoltage());', "740", frame={"centivolts": 740}),
    Case("ANALOGRecord", 'printf("%d%d", ANALOGRecord(9, 5), ANALOGRecord(1, 5));', "10"),
    Case("ANALOGTransfer", 'BYTE b[9] = {0}; ANALOGRecord(1, 2); int n = ANALOGTransfer(b); printf("%d %d %d", n, b[1], b[2]);',
         "2 255 0", frame={"analog": (1023,) * 8}),
    Case("IRTVGet", 'printf("%d", IRTVGet());', "0"),
    Case("IRTVRead", 'printf("%d", IRTVRead());', "0"),
    Case("IRTVFlush", "IRTVFlush();"),
    Case("IRTVGetStatus", 'printf("%d", IRTVGetStatus());', "0"),
    Case("KEYGet", 'int key = KEYGet(); printf("%d %d", key, OSGetCount());', "4 500", fake={"frames": {500_000: {"presses": (0, 0, 1, 0)}}}),
    Case("KEYRead", 'printf("%d", KEYRead()); OSWait(100); printf("%d", KEYRead()); printf("%d", KEYRead());', "080",
         fake={"frames": {50_000: {"presses": (0, 0, 0, 1)}}}),
    Case("KEYWait", 'printf("%d", KEYWait(KEY2)); printf(" %d", KEYRead());', "2 0",
         fake={"frames": {50_000: {"presses": (1, 0, 0, 0)}, 90_000: {"presses": (1, 1, 0, 0), "keys": 2}}}),
    Case("KEYGetXY", 'int x, y; KEYGetXY(&x, &y); printf("%d %d", x, y);', "30 40",
         fake={"frames": {50_000: {"touches": 1, "touch": (30, 40)}}}),
    Case("KEYReadXY", 'int x = 7, y = 8; printf("%d", KEYReadXY(&x, &y)); OSWait(60);'
         'int r = KEYReadXY(&x, &y); printf("%d %d %d", r, x, y);', "10 30 40",
         fake={"frames": {50_000: {"touches": 1, "touch": (30, 40)}}}),
    Case("SIMGetRobot", 'int x, y, z, p; SIMGetRobot(2, &x, &y, &z, &p); printf("%d %d %d %d", x, y, z, p);',
         "1235 -500 10 -135", queries=[call(3, "i", 2)], answers={3: POSE}),
    Case("SIMGetObject", 'int x, y, z, p; SIMGetObject(2, &x, &y, &z, &p); printf("%d %d %d %d", x, y, z, p);',
         "1235 -500 10 -135", queries=[call(4, "i", 2)], answers={4: POSE}),
    Case("SIMSetRobot", "SIMSetRobot(0, 100, 200, 5, -90);", calls=[call(80, "idddd", 0, 0.1, 0.2, 0.005, rad(-90))]),
    Case("SIMSetObject", "SIMSetObject(3, 100, 200, 5, 90);", calls=[call(81, "idddd", 3, 0.1, 0.2, 0.005, rad(90))]),
    Case("SIMGetRobotCount", 'printf("%d", SIMGetRobotCount());', "4", queries=[call(5)], answers={5: struct.pack("<II", 4, 6)}),
    Case("SIMGetObjectCount", 'printf("%d", SIMGetObjectCount());', "6", queries=[call(5)], answers={5: struct.pack("<II", 4, 6)}),
    Case("SIMGetPose", 'int x, y, p; SIMGetPose(&x, &y, &p); printf("%d %d %d", x, y, p);', "1235 -500 -135",
         queries=[call(3, "i", 0)], answers={3: POSE}),
    Case("SIMSetPose", "SIMSetPose(100, 200, 90);", calls=[call(80, "idddd", 0, 0.1, 0.2, 0.0, rad(90))]),
]  # fmt: skip

SCREEN = [
    Case("LCDPrintf", r'LCDPrintf("%s %d%%\n", "a", 5);', calls=[call(30, rest=b"a 5%\n")]),
    Case("LCDSetPrintf", 'LCDSetPrintf(3, 4, "%.2f", 1.5);', calls=[call(31, "ii", 3, 4, rest=b"1.50")]),
    Case("LCDClear", "LCDClear();", calls=[call(32)]),
    Case("LCDSetPos", "LCDSetPos(2, 1);", calls=[call(33, "ii", 2, 1)]),
    Case("LCDGetPos", 'int r, c; LCDGetPos(&r, &c); printf("%d %d", r, c);', "5 6", queries=[call(8)],
         answers={8: struct.pack("<ii", 5, 6)}),
    Case("LCDSetColor", "LCDSetColor(RED, WHITE);", calls=[call(34, "ii", 0xFF0000, 0xFFFFFF)]),
    Case("LCDSetFont", "LCDSetFont(TIMES, BOLD);", calls=[call(35, "ii", 1, 1)]),
    Case("LCDSetFontSize", 'printf("%d%d", LCDSetFontSize(24), LCDSetFontSize(25));', "01", calls=[call(36, "i", 24)]),
    Case("LCDFontSize", "LCDFontSize(8);", calls=[call(36, "i", 8)]),
    Case("LCDSetMode", "LCDSetMode(LCD_HIDEMENU);", calls=[call(37, "i", 0x800)]),
    Case("LCDMenu", 'LCDMenu("Go", "", NULL, "End");', calls=[call(38, rest=b"Go\0\0\0End")]),
    Case("LCDMenuI", 'LCDMenuI(2, "Go", GREEN, BLACK); LCDMenuI(5, "x", 0, 0);',
         calls=[call(39, "iii", 2, 0x00FF00, 0, rest=b"Go")]),
    Case("LCDGetSize", 'int x, y; LCDGetSize(&x, &y); printf("%d %d", x, y);', "480 320"),
    Case("LCDPixel", "LCDPixel(1, 2, -1);", calls=[call(40, "iii", 1, 2, 0xFFFFFF)]),
    Case("LCDGetPixel", 'printf("%x", LCDGetPixel(1, 2));', "ff0001", queries=[call(7, "ii", 1, 2)],
         answers={7: struct.pack("<i", 0xFF0001)}),
    Case("LCDLine", "LCDLine(1, 2, 3, 4, BLUE);", calls=[call(42, "iiiii", 1, 2, 3, 4, 255)]),
    Case("LCDArea", "LCDArea(1, 2, 3, 4, BLUE, 0);", calls=[call(43, "iiiii?", 1, 2, 3, 4, 255, False)]),
    Case("LCDCircle", "LCDCircle(1, 2, 3, BLUE, 1);", calls=[call(44, "iiii?", 1, 2, 3, 255, True)]),
    Case("LCDPixelInvert", "LCDPixelInvert(1, 2);", calls=[call(41, "iiiii", 0, 1, 2, 0, 0)]),
    Case("LCDLineInvert", "LCDLineInvert(1, 2, 3, 4);", calls=[call(41, "iiiii", 1, 1, 2, 3, 4)]),
    Case("LCDAreaInvert", "LCDAreaInvert(1, 2, 3, 4);", calls=[call(41, "iiiii", 2, 1, 2, 3, 4)]),
    Case("LCDCircleInvert", "LCDCircleInvert(1, 2, 3);", calls=[call(41, "iiiii", 3, 1, 2, 3, 0)]),
    Case("LCDImageSize", 'printf("%d%d", LCDImageSize(QQVGA), LCDImageSize(9));', "01", calls=[call(45, "iiii", 0, 0, 160, 120)]),
    Case("LCDImageStart", 'printf("%d%d", LCDImageStart(5, 6, 2, 1), LCDImageStart(0, 0, -1, 1));', "01",
         calls=[call(45, "iiii", 5, 6, 2, 1)]),
    Case("LCDImage", 'LCDImageStart(0, 0, 2, 1); LCDImage("abcdef");',
         calls=[call(45, "iiii", 0, 0, 2, 1), call(46, "i?", 3, False, rest=b"abcdef")]),
    Case("LCDImageGray", 'LCDImageStart(0, 0, 2, 1); LCDImageGray("ab");',
         calls=[call(45, "iiii", 0, 0, 2, 1), call(46, "i?", 1, False, rest=b"ab")]),
    Case("LCDImageBinary", r'LCDImageStart(0, 0, 2, 1); LCDImageBinary("\1\0");',
         calls=[call(45, "iiii", 0, 0, 2, 1), call(46, "i?", 1, True, rest=b"\1\0")]),
    Case("LCDRefresh", "LCDRefresh();"),
]  # fmt: skip

REST = [
    Case("OSExecute", 'char b[99]; printf("%s", OSExecute("echo one")); int r = OSExecute("echo two", b); printf("%d%s", r, b);', "one\n0two\n"),
    Case("OSVersion", 'char b[99]; OSVersion(b); printf("%s", b);', "7.2 Understudy"),
    Case("OSVersionIO", 'char b[99]; OSVersionIO(b); printf("%s", b);', "1.0 Understudy"),
    Case("OSMachineSpeed", 'printf("%d", OSMachineSpeed());', "900"),
    Case("OSMachineType", 'printf("%d", OSMachineType() == VEHICLE);', "1"),
    Case("OSMachineName", 'char b[99]; OSMachineName(b); printf("%s", b);', "Pip"),
    Case("OSMachineID", 'printf("%d", OSMachineID());', "7", fake={"robot_id": 7}),
    Case("OSWait", 'OSWait(95); printf("%d", OSGetCount());', "95"),
    Case("OSAttachTimer", "OSAttachTimer(100, note); OSWait(450);", "<100><200><300><400>"),
    Case("OSDetachTimer", 'TIMER t = OSAttachTimer(100, note); OSWait(150); printf("%d", OSDetachTimer(t));'
         'OSWait(300); printf("%d", OSDetachTimer(t));', "<100>01"),
    Case("OSSetTime", 'int h, m, s, t; OSSetTime(23, 59, 58); OSWait(3000); OSGetTime(&h, &m, &s, &t);'
         'printf("%d:%d:%d %d", h, m, s, t);', "0:0:1 0"),
    Case("OSGetTime", 'int h, m, s, t; OSWait(61500); OSGetTime(&h, &m, &s, &t); printf("%d:%d:%d %d", h, m, s, t);', "0:1:1 500"),
    Case("OSGetCount", 'OSWait(1000); printf("%d", OSGetCount());', "1000"),
    Case("XInitThreads", 'printf("%d", XInitThreads());', "1"),
    Case("SERInit", 'printf("%d", SERInit(0, 9600, NONE));', "1"),
    Case("SERSendChar", "printf(\"%d\", SERSendChar(0, 'x'));", "1"),
    Case("SERSend", 'printf("%d%d", SERSend(0, "x"), SERSend(0, "x", 1));', "11"),
    Case("SERReceiveChar", 'printf("%d", SERReceiveChar(0));', "0"),
    Case("SERReceive", 'char b[5]; printf("%d", SERReceive(0, b, 5));', "0"),
    Case("SERCheck", 'printf("%d", SERCheck(0));', "0"),
    Case("SERFlush", "SERFlush(0);"),
    Case("SERClose", "SERClose(0);"),
    Case("AUBeep", "AUBeep();", calls=[call(23, "iq", 880, 200_000)]),
    Case("AUPlay", 'AUPlay("/no/such.mp3");', calls=[call(24, "q", 1_000_000, rest=b"/no/such.mp3")]),
    Case("AUDone", 'printf("%d", AUDone());', "0", frame={"flags": STARTED | SOUNDING}),
    Case("AUMicrophone", 'printf("%d", AUMicrophone());', "-5", queries=[call(9)], answers={9: struct.pack("<i", -5)}),
    Case("RADIOInit", "RADIOInit();", calls=[call(20, "?", True)]),
    Case("RADIOGetID", 'printf("%d", RADIOGetID());', "7", fake={"robot_id": 7}),
    Case("RADIOSend", 'RADIOInit(); RADIOSend(2, "hello"); RADIOSend(3, "hello", 2);',
         calls=[call(20, "?", True), call(21, "i", 2, rest=b"hello"), call(21, "i", 3, rest=b"he")]),
    Case("RADIOReceive", 'int id; char b[4]; RADIOInit(); RADIOReceive(&id, b, 4); printf("%d %s", id, b);', "5 hel",
         calls=[call(20, "?", True), call(22, "I", 9)], fake={"heard": {300_000: (9, 5, b"hello")}}),
    Case("RADIOCheck", 'int id; RADIOInit(); printf("%d", RADIOCheck()); OSWait(200); printf("%d", RADIOCheck(&id));'
         'printf(" %d", id);', "01 5", calls=[call(20, "?", True)], fake={"heard": {100_000: (9, 5, b"hello")}}),
    Case("RADIOStatus", 'int ids[256]; printf("%d ", RADIOStatus(ids)); printf("%d %d", ids[0], ids[1]);', "2 1 4",
         queries=[call(6)], answers={6: struct.pack("<II", 1, 4)}),
    Case("RADIORelease", "RADIORelease();", calls=[call(20, "?", False)]),
    Case("MTInit", 'printf("%d", MTInit(COOP));', "0"),
    Case("MTSleep", 'MTSleep(100); printf("%d", OSGetCount());', "100"),
    Case("MTSpawn", "MTSpawn(task, 5); MTSleep(100);", "[5]"),
    Case("MTGetUID", 'printf("%d", MTGetUID(MTSpawn(task, 6)) != 0); MTSleep(100);', "1[6]"),
    Case("MTKill", 'pthread_t t = MTSpawn(endless, 0); MTSleep(100); printf("%d", MTKill(t));', "0"),
    Case("MTExit", "OSWait(1); printf(\"before\"); fflush(stdout); MTSpawn(leaver, 0); MTSleep(100);", "before(leaving)"),
    Case("SEMAInit", 'sem_t s; printf("%d", SEMAInit(&s, 1));', "0"),
    Case("SEMALock", 'sem_t s; SEMAInit(&s, 1); printf("%d", SEMALock(&s));', "0"),
    Case("SEMAUnlock", 'sem_t s; SEMAInit(&s, 0); SEMAUnlock(&s); printf("%d", SEMALock(&s));', "0"),
]  # fmt: skip

IMAGES = [
    Case("IPSetSize", 'printf("%d%d", IPSetSize(QQVGA), IPSetSize(77));', "01"),
    Case("IPLaplace", 'memset(g, 0, sizeof g); g[161] = 10; IPLaplace(g, h); printf("%d %d %d", h[161], h[162], h[1]);', "40 10 0"),
    Case("IPSobel", 'memset(g, 0, sizeof g); g[161] = 90; IPSobel(g, h); printf("%d %d", h[161], h[162]);', "0 60"),
    Case("IPCol2Gray", 'memset(c, 0, sizeof c); c[3] = 10; c[4] = 20; c[5] = 31; IPCol2Gray(c, g); printf("%d", g[1]);', "20"),
    Case("IPGray2Col", 'memset(g, 7, sizeof g); IPGray2Col(g, c); printf("%d %d", c[0], c[QQVGA_SIZE - 1]);', "7 7"),
    Case("IPRGB2Col", 'memset(g, 1, sizeof g); memset(h, 2, sizeof h); IPRGB2Col(g, h, g, c); printf("%d%d%d", c[0], c[1], c[2]);', "121"),
    Case("IPCol2HSI", 'memset(c, 0, sizeof c); c[3] = 255; IPCol2HSI(c, g, h, k); printf("%d %d %d", g[1], h[1], k[1]);', "42 255 85"),
    Case("IPOverlay", 'memset(c, 1, sizeof c); memset(d, 0, sizeof d); d[4] = 9; IPOverlay(c, d, c);'
         'printf("%d %d %d", c[0], c[3], c[4]);', "1 0 9"),
    Case("IPOverlayGray", 'memset(g, 5, sizeof g); memset(h, 0, sizeof h); h[1] = 1; IPOverlayGray(g, h, ORANGE, c);'
         'printf("%d %d %d %d", c[0], c[3], c[4], c[5]);', "5 255 165 0"),
    Case("IPPRGB2Col", 'printf("%x", IPPRGB2Col(1, 2, 255));', "102ff"),
    Case("IPPCol2RGB", 'BYTE r, g1, b; IPPCol2RGB(0x102ff, &r, &g1, &b); printf("%d %d %d", r, g1, b);', "1 2 255"),
    Case("IPPCol2HSI", 'BYTE h1, s, i; IPPCol2HSI(GREEN, &h1, &s, &i); printf("%d %d %d", h1, s, i);', "126 255 85"),
    Case("IPPRGB2Hue", 'printf("%d %d %d", IPPRGB2Hue(0, 0, 255), IPPRGB2Hue(200, 199, 198), IPPRGB2Hue(255, 0, 255));', "210 0 0"),
    Case("IPPRGB2HSI", 'BYTE h1, s, i; IPPRGB2HSI(255, 128, 0, &h1, &s, &i); printf("%d %d %d", h1, s, i);', "63 255 127"),
    Case("IPWriteFile", 'memset(c, 65, sizeof c); printf("%d%d", IPWriteFile("/no/where", c), IPWriteFile("a.ppm", c));', "10"),
    Case("IPWriteFileGray", 'memset(g, 65, sizeof g); printf("%d", IPWriteFileGray("a.pgm", g));', "0"),
    Case("IPReadFile", 'memset(c, 9, sizeof c); printf("%d", IPReadFile("none", c)); printf(" %d ", IPReadFile("two.pgm", c));'
         'printf("%d %d %d %d", c[0], c[1], c[2], c[160]);', "-1 2 255 0 0 127"),
]  # fmt: skip

CASES = [*DRIVE, *SENSE, *SCREEN, *REST, *IMAGES]
HEAD = """
static BYTE c[QQVGA_SIZE], d[QQVGA_SIZE], g[QQVGA_PIXELS], h[QQVGA_PIXELS], k[QQVGA_PIXELS];
static void note(void) { printf("<%d>", OSGetCount() / 10 * 10); }
static void *task(void *number) { printf("[%d]", (int)(intptr_t)number); OSWait(10); return NULL; }
static void *endless(void *number) { for (;;) OSWait(10); return number; }
static void *leaver(void *number) { printf("(leaving)"); MTExit(); printf("not reached"); return number; }
"""


@pytest.fixture(scope="module")
def caller(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calls")
    (folder / "two.pgm").write_bytes(b"P2\n# two rows\n1 2\n2\n2 1\n")
    return compiled(program(CASES, head=HEAD), folder, classic=False, options=("-O1", "-Wall", "-Wextra", "-Werror"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_function_says_on_the_wire_what_it_means(case, caller, monkeypatch):
    monkeypatch.chdir(caller.parent)
    fake = Fake(**{"frames": {0: case.frame}, "answers": case.answers, **case.fake})
    out = fake.run(caller, case.name)
    assert (out, fake.calls, fake.queries, fake.code, fake.err) == (case.out, case.calls, case.queries, 0, "")


def test_every_function_of_the_header_has_a_case():
    text = (include_folder(False) / "eyebot.h").read_text()
    declared = set(re.findall(r"^(?!static|#)[\w *]*?\b([A-Z]\w+)\([^;]*\)[^;]*;", text, re.MULTILINE))
    assert len(declared) > 150
    assert declared - {case.name for case in CASES} == set()


def test_a_wav_file_sounds_as_long_as_it_is(caller, tmp_path):
    with wave.open(str(tmp_path / "such.wav"), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(4 * 2000))
    source = f'#include "eyebot.h"\nint main() {{ AUPlay("{tmp_path}/such.wav"); return 0; }}'
    fake = Fake()
    fake.run(compiled(source, tmp_path, classic=False))
    assert fake.calls[0][1:9] == struct.pack("<q", 250_000)
