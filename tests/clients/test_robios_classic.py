"""Every function of classic RoBIOS, against a simulator that has no physics."""

from __future__ import annotations

import ctypes
import math
import struct
from pathlib import Path

import pytest
from robios_fake import FakeSimulator, connect, flush

from understudy.clients.understudy_robios import calls, classic_sensors, radio, system
from understudy.clients.understudy_robios import classic as old
from understudy.clients.understudy_robios.calls import FULL, NO_EFFECT, REFUSED
from understudy.clients.understudy_robios.tasks import TaskEnd, tasks


@pytest.fixture
def fake():
    simulator = FakeSimulator()
    simulator.client = connect(simulator)
    radio._power["on"] = False
    system._clock.offset_us = None
    classic_sensors._state.bumps.clear()
    tasks.known.clear()
    yield simulator
    calls.use(None)
    simulator.close()


def tick(fake):
    fake.client.begin(False)
    fake.client.wait_tick()
    fake.client.end()


ORDERS = [
    (lambda: old.VWSetSpeed(1, 0.1, -0.5), ("SetSpeed", 0.1, -0.5, 0.0)),
    (lambda: old.VWSetPosition(1, 1, 2, math.pi), ("SetPosition", 1.0, 2.0, math.pi)),
    (lambda: old.VWStartControl(1, 7, 0.3, 7, 0.1), ("Control", True, 7.0, 0.3, 7.0, 0.1)),
    (lambda: old.VWStopControl(1), ("Control", False, 0.0, 0.0, 0.0, 0.0)),
    (lambda: old.VWDriveStraight(1, -0.3, 0.1), ("Straight", -0.3, 0.1)),
    (lambda: old.VWDriveTurn(1, 1.5, 0.5), ("Turn", 1.5, 0.5)),
    (lambda: old.VWDriveCurve(1, 0.5, 1.5, 0.1), ("Curve", 0.5, 1.5, 0.1)),
    (lambda: old.MOTORDrive(old.MOTORInit(old.MOTOR_RIGHT), 120), ("MotorDrive", 2, 100)),
    (lambda: old.MOTORRelease(1), ("MotorDrive", 1, 0)),
    (lambda: old.SERVOSet(old.SERVOInit(old.SERVO3), 128), ("ServoSet", 3, 128)),
    (lambda: old.QUADReset(old.QUADInit(old.QUAD_RIGHT)), ("EncoderReset", 2)),
    (lambda: old.LCDPrintf("%d", 4), ("LcdPrint", b"4")),
    (lambda: old.LCDSetPrintf(1, 2, "%s", "x"), ("LcdPrintAt", 1, 2, b"x")),
    (lambda: old.LCDClear(), ("LcdClear",)),
    (lambda: old.LCDPutChar("x"), ("LcdPrint", b"x")),
    (lambda: old.LCDPutChar(65), ("LcdPrint", b"A")),
    (lambda: old.LCDSetChar(1, 2, "y"), ("LcdPrintAt", 1, 2, b"y")),
    (lambda: old.LCDPutString("50%"), ("LcdPrint", b"50%")),
    (lambda: old.LCDSetString(3, 4, "%d"), ("LcdPrintAt", 3, 4, b"%d")),
    (lambda: old.LCDPutHex(-1), ("LcdPrint", b"FFFFFFFF")),
    (lambda: old.LCDPutHex1(10), ("LcdPrint", b"0A")),
    (lambda: old.LCDPutInt(-5), ("LcdPrint", b"-5")),
    (lambda: old.LCDPutIntS(5, 4), ("LcdPrint", b"   5")),
    (lambda: old.LCDPutFloat(1.5), ("LcdPrint", b"1.500000")),
    (lambda: old.LCDPutFloatS(1.5, 6, 2), ("LcdPrint", b"  1.50")),
    (lambda: old.LCDMode(old.NONSCROLLING), ("LcdMode", 0x200)),
    (lambda: old.LCDSetPos(1, 2), ("LcdCursor", 1, 2)),
    (lambda: old.LCDMenu("a", "b", "c", "d"), ("LcdMenu", b"a\0b\0c\0d")),
    (lambda: old.LCDMenuI(4, "END"), ("LcdMenuItem", 4, 0xFFFFFF, 0, b"END")),
    (lambda: old.LCDSetPixel(3, 9, 1), ("LcdPixel", 9, 3, 0xFFFFFF)),
    (lambda: old.LCDSetPixel(3, 9, 2), ("LcdInvert", 0, 9, 3, 0, 0)),
    (lambda: old.LCDInvertPixel(3, 9), ("LcdInvert", 0, 9, 3, 0, 0)),
    (lambda: old.LCDLine(1, 2, 3, 4, 1), ("LcdLine", 1, 2, 3, 4, 0xFFFFFF)),
    (lambda: old.LCDLine(1, 2, 3, 4, 2), ("LcdInvert", 1, 1, 2, 3, 4)),
    (lambda: old.LCDArea(1, 2, 3, 4, 0), ("LcdArea", 1, 2, 3, 4, 0, True)),
    (lambda: old.OSShowTime(), ("LcdPrint", b"00:00:00\n")),
    (lambda: old.AUBeep(), ("Tone", 880, 200_000)),
    (lambda: old.AUTone(440, 50), ("Tone", 440, 50_000)),
    (lambda: old.RADIOInit(), ("RadioPower", True)),
    (lambda: old.RADIOTerm(), ("RadioPower", False)),
    (lambda: old.OSWriteOutLatch(0, 0xFF, 4), ("DigitalWrite", 3, True)),
]  # fmt: skip


@pytest.mark.parametrize(("call", "order"), ORDERS, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_a_call_gives_its_order_and_returns_0(fake, call, order):
    old.VWInit(old.VW, 1)
    assert call() == 0
    flush(fake.client)
    orders = [given for given in fake.orders if given[0] != "AtStart"]
    assert orders == [tuple(pytest.approx(value) if isinstance(value, float) else value for value in order)]


WRONG = [
    lambda: old.VWSetSpeed(7, 0, 0), lambda: old.VWGetSpeed(7), lambda: old.VWSetPosition(7, 0, 0, 0),
    lambda: old.VWGetPosition(7), lambda: old.VWDriveDone(7), lambda: old.VWDriveWait(7), lambda: old.VWStalled(7),
    lambda: old.VWRelease(7), lambda: old.VWDriveCurve(7, 0, 1, 1), lambda: old.MOTORDrive(0, 10),
    lambda: old.MOTORRelease(9), lambda: old.SERVOSet(0, 1), lambda: old.SERVORelease(0), lambda: old.QUADReset(0),
    lambda: old.QUADRelease(0), lambda: old.QUADODOReset(0), lambda: old.PSDStart(0, 1), lambda: old.PSDStart(8, 1),
    lambda: old.BUMPRelease(0), lambda: old.BUMPCheck(0), lambda: old.IRRelease(0), lambda: old.IRRead(0),
]  # fmt: skip


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_handle_gives_minus_1_and_no_order(fake, call):
    old.VWInit(old.VW, 1)
    assert call() == -1
    flush(fake.client)
    assert [given for given in fake.orders if given[0] != "AtStart"] == []


@pytest.mark.parametrize(
    "call",
    [lambda: old.OSInitRS232(9600, 0, 0), lambda: old.OSSendCharRS232("x", 0), lambda: old.OSSendRS232("x", 0),
     lambda: old.OSRecvRS232(bytearray(1), 0), lambda: old.LCDMenuI(5, "x"), lambda: old.OSDetachTimer(99),
     lambda: old.RADIOSend(1, 2, b"ab"), lambda: old.AUCheckTone(), lambda: old.AUCheckSample()],
)  # fmt: skip
def test_what_cannot_be_done_or_has_ended_returns_1(fake, call):
    assert call() == 1


@pytest.mark.parametrize(
    "call",
    [lambda: old.OSFlushInRS232(0), lambda: old.OSFlushOutRS232(0), lambda: old.OSCheckInRS232(0),
     lambda: old.OSCheckOutRS232(0), lambda: old.CAMMode(old.AUTOBRIGHTNESS), lambda: old.CAMRelease(),
     lambda: old.COMPASSStop(), lambda: old.COMPASSRelease(), lambda: old.COMPASSCalibrate(0), lambda: old.PSDStop(),
     lambda: old.PSDRelease(), lambda: old.SERVORelease(1), lambda: old.QUADRelease(1), lambda: old.OSReadOutLatch(5),
     lambda: old.OSWriteOutLatch(9, 0, 0), lambda: old.OSReadInLatch(9), lambda: old.RADIOSetIoctl({}),
     lambda: old.OSGetAD(8), lambda: old.QUADRead(9), lambda: old.PSDInit(-999), lambda: old.MOTORInit(-999),
     lambda: old.BUMPRelease(1), lambda: old.IRRelease(1)],
)  # fmt: skip
def test_other_calls_return_0(fake, call):
    assert call() == 0


def test_a_drive_command_is_waited_for(fake):
    def drive(fake):
        moving = fake.orders and fake.orders[-1][0] == "Straight" and fake.t_us < 50_000
        fake.frame.update(flags=3 if moving else 2, remaining_m=0.25 if moving else 0.0, x_m=0.5, m_s=0.1)

    fake.at_tick = drive
    vw = old.VWInit(old.VW, 1)
    old.VWDriveStraight(vw, 0.5, 0.2)
    assert (old.VWDriveDone(vw), old.VWDriveRemain(vw), old.VWStalled(vw)) == (0, 0.25, 0)
    assert old.VWDriveWait(vw) == 0
    assert old.VWDriveDone(vw) == 1
    position, speed = old.VWGetPosition(vw), old.SpeedType()
    assert (position.x, position.y, position.phi) == (0.5, 0.0, 0.0)
    assert old.VWGetSpeed(vw, speed) == old.VWGetPosition(vw, position) == 0
    assert (speed.v, old.VWGetSpeed(vw).w) == (0.1, 0.0)
    assert old.VWRelease(vw) == 0
    assert old.VWDriveRemain(vw) == 0.0


def test_encoders_count_ticks_and_metres(fake):
    fake.frame.update(encoders=(1100, 550, 0, 0))
    tick(fake)
    left, right = old.QUADInit(old.QUAD_LEFT), old.QUADInit(old.QUAD_RIGHT)
    assert (old.QUADRead(left), old.QUADRead(right)) == (1100, 550)
    assert old.QUADODORead(left) == pytest.approx(0.054 * math.pi)
    assert old.QUADODOReset(left | right) == 0
    assert old.QUADODORead(left) == old.QUADODORead(9) == 0.0
    old._driver = classic_driver_reset()


def classic_driver_reset():
    from understudy.clients.understudy_robios import classic_driving

    classic_driving._driver.reset_at[:] = [0, 0]
    return classic_driving._driver


def test_distance_sensors_are_found_by_name_and_measure_continuously_or_once(fake):
    front, right = old.PSDInit(old.PSD_FRONT), old.PSDInit(old.PSD_RIGHT)
    assert (front, right) == (1, 4)
    assert old.PSDStart(front | right, old.TRUE) == 0
    assert (old.PSDCheck(), old.PSDGet(front), old.PSDGetRaw(right)) == (1, 100, 300)
    old.PSDStart(front, old.FALSE)
    fake.frame.update(psd=[7, 8, 9])
    tick(fake)
    assert (old.PSDGet(front), old.PSDGet(64)) == (100, old.PSD_OUT_OF_RANGE)
    old.PSDStop()
    assert (old.PSDCheck(), old.PSDGet(front)) == (0, 7)


def test_a_bump_is_held_until_it_is_read(fake):
    bumper, when = old.BUMPInit(old.BUMP_RIGHT), ctypes.c_int()
    assert old.BUMPCheck(bumper, when) == -1
    fake.frame.update(bumps=[(0, 0), (2, 1_234_567)])
    tick(fake)
    assert (old.BUMPCheck(bumper, when), when.value) == (0, 123)
    assert old.BUMPCheck(bumper) == -1


def test_infrared_sensors_tell_obstacles(fake):
    assert [old.IRRead(old.IRInit(name)) for name in (old.IR_LF, old.IR_RF)] == [0, 1]


def test_the_compass_is_read(fake):
    fake.frame.update(compass_deg=270)
    tick(fake)
    assert (old.COMPASSInit(old.COMPASS), old.COMPASSStart(1), old.COMPASSCheck(), old.COMPASSGet()) == (0, 0, 1, 270)
    fake.frame.update(compass_deg=-1)
    tick(fake)
    assert (old.COMPASSInit(old.COMPASS), old.COMPASSCheck()) == (1, 0)


def test_the_lcd_is_read(fake):
    fake.answers.update(
        LCD_CURSOR=struct.pack("<ii", 2, 7), LCD_PIXEL=lambda x, y: struct.pack("<i", 0xFFFFFF * (x > y))
    )
    assert (old.LCDGetPos(), old.LCDGetPixel(3, 9), old.LCDGetPixel(9, 3)) == ([2, 7], 1, 0)


def test_images_are_drawn_without_their_border(fake):
    gray, colour = old.image(), old.colimage()
    gray[1][1], colour[1][1][2] = 5, 6
    assert old.LCDPutGraphic(gray) == old.LCDPutColorGraphic(colour) == old.LCDPutImage(b"\x80" + bytes(1023)) == 0
    flush(fake.client)
    shown = [order[-1] for order in fake.named("LcdImage")]
    assert [len(pixels) for pixels in shown] == [4800, 14400, 8192]
    assert [(shown[0][0], sum(shown[0])), (shown[1][2], sum(shown[1])), (shown[2][0], sum(shown[2]))] == [
        (5, 5),
        (6, 6),
        (1, 1),
    ]


def test_keys_are_waited_for(fake):
    fake.at_tick = lambda fake: fake.frame.update(presses=(1, 0, 0, int(fake.t_us > 20_000)))
    assert old.KEYGet() == old.KEY1
    assert old.KEYWait(old.KEY4) == old.KEY4
    assert old.KEYRead() == 0
    fake.at_tick = lambda fake: fake.frame.update(presses=(1, 5, 6, 1))
    assert old.KEYGetBuf() == old.KEY2
    key = ctypes.c_char()
    assert old.KEYGetBuf(key) == 0
    assert key.value == b"\4"


def test_camera_images_have_a_border(fake):
    fake.answers["CAMERA"] = lambda width, height: bytes([30, 60, 90]) * (width * height)
    assert old.CAMInit(old.WIDE) == old.EYECAM
    gray, colour = old.CAMGetFrame(), old.CAMGetColFrame()
    assert (len(gray), len(gray[0]), gray[0][5], gray[1][1], gray[60][80], gray[61][80]) == (62, 82, 0, 60, 60, 0)
    assert list(colour[1][1]) == [30, 60, 90]
    assert old.CAMGetColFrame(None, old.TRUE)[1][1] == 60
    assert old.CAMGetFrame(gray) == old.CAMGetColFrame(colour) == 0
    assert old.CAMSet(old.FPS1_875, 0, 0) == 0
    values = [ctypes.c_int() for _ in range(3)]
    assert old.CAMGet(*values) == 0
    assert old.CAMGet() == [value.value for value in values] == [old.FPS1_875, 0, 0]


def test_images_are_processed():
    picture, other, colour = old.image(), old.image(), old.colimage()
    picture[20][10], colour[3][4][0] = 50, 90
    assert (old.IPLaplace(picture)[20][10], old.IPLaplace(picture)[20][11]) == (200, 50)
    assert (old.IPSobel(picture)[20][10], old.IPSobel(picture)[21][11]) == (0, 33)
    assert (old.IPDiffer(other, picture)[20][10], old.IPColor2Grey(colour)[3][4]) == (50, 30)
    picture[20][10] = 255
    assert (old.IPDither(picture)[20][10], old.IPDither(picture)[20][11]) == (0, 1)
    assert old.IPSobel(picture, other) == 0
    assert any(map(any, other))


def test_the_robot_tells_what_it_is_with_a_number_as_id(fake):
    assert (old.OSMachineID(), old.OSMachineName(), old.OSMachineType()) == (3, "pip", old.VEHICLE)
    assert (old.OSVersion(), old.OSMachineSpeed()) == ("5.2 Understudy", 25_000_000)


def test_time_is_in_hundredths_of_a_second(fake):
    assert old.OSWait(50) == 0
    assert (fake.t_us, old.OSGetCount(), old.OSGetTime()) == (500_000, 50, [0, 0, 0, 50])
    old.OSSetTime(1, 2, 3)
    values = [ctypes.c_int() for _ in range(4)]
    assert old.OSGetTime(*values) == 0
    assert [value.value for value in values] == [1, 2, 3, 0]


def test_a_timer_runs_with_100_hertz_by_its_scale(fake):
    seen = []
    timer = old.OSAttachTimer(5, lambda: seen.append(old.OSGetCount()))
    old.OSWait(26)
    assert old.OSDetachTimer(timer) == 0
    assert seen == [5, 10, 15, 20, 25]


def test_an_error_waits_for_a_key_or_ends_the_program(fake, capsys):
    fake.at_tick = lambda fake: fake.frame.update(presses=(int(fake.t_us > 90_000), 0, 0, 0))
    assert old.OSError("no fuel", 7, 0) == 0
    assert fake.t_us > 90_000
    with pytest.raises(SystemExit):
        old.OSError("no fuel", 7, 1)
    with pytest.raises(SystemExit):
        old.OSPanic("%d times", 3)
    assert capsys.readouterr().err == "understudy: OSError: no fuel (7)\nunderstudy: OSPanic: %d times\n"


def test_sounds_and_recordings_take_time(fake):
    fake.answers["MICROPHONE"] = struct.pack("<i", 5)
    assert (old.AUPlaySample("tune.wav"), old.AUCaptureMic()) == (8000, 5)
    buffer = bytearray(b"x" * 80)
    assert old.AURecordSample(buffer, 80, 8000) == 8000
    assert old.AUCheckRecord() == 0
    old.OSWait(1)
    assert (old.AUCheckRecord(), set(buffer)) == (1, {0})


def test_messages_are_bytes(fake):
    fake.answers["RADIO"] = struct.pack("<II", 1, 3)
    old.RADIOInit()
    assert old.RADIOSend(old.BROADCAST, 2, b"abc") == 0
    fake.hear(1, 2, b"\0\1\2")
    assert old.RADIOCheck() == 1
    assert old.RADIORecv() == [2, b"\0\1\2"]
    fake.hear(2, 4, b"xy")
    sender, count, data = ctypes.c_ubyte(), ctypes.c_int(), bytearray(10)
    assert old.RADIORecv(sender, count, data) == 0
    assert (sender.value, count.value, data[:2]) == (4, 2, b"xy")
    flush(fake.client)
    assert fake.named("SendRadio") == [("SendRadio", 0, b"ab")]
    assert (old.RADIOGetStatus(), old.RADIOGetIoctl()["id"]) == ([1, 3], 3)


def test_latches_are_bytes_of_the_digital_lines(fake):
    fake.frame.update(digital=0x0305, analog=(9, 8, 7, 6, 5, 4, 3, 2))
    tick(fake)
    assert (old.OSReadInLatch(0), old.OSReadInLatch(1), old.OSGetAD(1)) == (5, 3, 8)
    old.OSWriteOutLatch(1, 0, 0xC0)
    assert old.OSWriteOutLatch(1, 0x80, 1) == 0xC0
    assert old.OSReadOutLatch(1) == 0x81
    old.OSWriteOutLatch(0, 0, 0)


def test_tasks_run_when_they_are_ready(fake):
    seen, free = [], old.OSSemInit(0)

    def work():
        old.OSSemP(free)
        seen.append(old.OSGetUID())
        old.OSExit(0)

    def endless():
        while True:
            old.OSSleep(1)
            seen.append("x")

    assert (old.OSMTInit(old.COOP), old.OSMTStatus()) == (0, old.NOTASK)
    first, second = old.OSSpawn("work", work, 4096, 1, 5), old.OSSpawn("endless", endless, 4096, 1, 6)
    assert (old.OSGetUID(), old.OSGetUID(first), old.OSMTStatus()) == (0, 5, old.COOP)
    old.OSSleep(3)
    assert seen == []
    assert old.OSReady(first) == old.OSSemV(free) == 0
    old.OSReschedule()
    old.OSYield()
    assert seen == [5]
    old.OSRun(second)
    old.OSSleep(5)
    assert "x" in seen
    assert old.OSSuspend(second) == 0
    old.OSSleep(3)
    count = len(seen)
    old.OSSleep(5)
    assert len(seen) == count
    assert old.OSForbid() == old.OSPermit() == old.OSKill(second) == old.OSSemInit(free, 3) == 0
    assert free.value == 3
    for call in (old.OSKill, old.OSExit):
        with pytest.raises(TaskEnd):
            call()


def test_every_function_has_a_test_a_sentence_and_a_kind_of_support():
    content = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in old.FUNCTIONS if f"old.{name}(" not in content and f"old.{name}," not in content] == []
    for name, function in old.FUNCTIONS.items():
        assert function.__doc__, name
        assert getattr(function, "support", FULL).split(";")[0] in (FULL, NO_EFFECT, REFUSED)


def test_a_star_import_gives_functions_types_and_constants():
    names = {}
    exec("from understudy.clients.understudy_robios.classic import *", names)
    assert (names["PSD_FRONT"], names["KEY3"], names["imagerows"]) == (-200, 4, 62)
    assert callable(names["VWInit"])
    assert names["PositionType"]().x == 0.0
