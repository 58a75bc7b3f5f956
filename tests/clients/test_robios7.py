"""Every function of RoBIOS-7, against a simulator that has no physics."""

from __future__ import annotations

import ctypes
import math
import struct
from pathlib import Path

import pytest
from robios_fake import FakeSimulator, connect, flush

from understudy.clients.understudy_robios import calls, camera, keys, lcd, radio, system, wire
from understudy.clients.understudy_robios import robios7 as eye
from understudy.clients.understudy_robios.calls import FULL, NO_EFFECT, REFUSED
from understudy.clients.understudy_robios.tasks import TaskEnd

HERE = Path(__file__).parent
DEG = math.radians


@pytest.fixture
def fake():
    simulator = FakeSimulator()
    session = connect(simulator)
    simulator.client = session
    lcd.area.__dict__.clear()
    camera.camera.__dict__.clear()
    radio._power["on"] = False
    system._clock.offset_us = None
    yield simulator
    calls.use(None)
    simulator.close()


def orders_of(fake, call):
    """Return the orders of a call, and what it returned."""
    result = call()
    flush(fake.client)
    return [order for order in fake.orders if order[0] != "AtStart"], result


# what a program calls -> the order that goes out
ORDERS = [
    (lambda: eye.VWSetSpeed(100, 45), ("SetSpeed", 0.1, DEG(45), 0.0)),
    (lambda: eye.VWSetPosition(10, -20, 90), ("SetPosition", 0.01, -0.02, DEG(90))),
    (lambda: eye.VWStraight(-300, -150), ("Straight", -0.3, 0.15)),
    (lambda: eye.VWStraight(100.9, 200), ("Straight", 0.1, 0.2)),
    (lambda: eye.VWTurn(90.0, 45), ("Turn", DEG(90), DEG(45))),
    (lambda: eye.VWCurve(300, 90, 100), ("Curve", 0.3, DEG(90), 0.1)),
    (lambda: eye.VWDrive(300, -100, 100), ("DriveTo", 0.3, -0.1, 0.1)),
    (lambda: eye.VWControl(70, 30, 70, 10), ("Control", True, 70.0, 30.0, 70.0, 10.0)),
    (lambda: eye.VWControlOff(), ("Control", False, 0.0, 0.0, 0.0, 0.0)),
    (lambda: eye.MOTORDrive(1, 50), ("MotorDrive", 1, 50)),
    (lambda: eye.MOTORDrive(2, 400), ("MotorDrive", 2, 100)),
    (lambda: eye.MOTORDriveRaw(1, -50), ("MotorDrive", 1, -50)),
    (lambda: eye.MOTORPID(1, 10, 5, 1), ("MotorPid", 1, 10, 5, 1)),
    (lambda: eye.MOTORPIDOff(1), ("MotorPid", 1, 0, 0, 0)),
    (lambda: eye.MOTORSpeed(1, 30), ("MotorSpeed", 1, 30)),
    (lambda: eye.ENCODERReset(2), ("EncoderReset", 2)),
    (lambda: eye.SERVOSet(1, 200), ("ServoSet", 1, 200)),
    (lambda: eye.SERVOSet(1, 999), ("ServoSet", 1, 255)),
    (lambda: eye.SERVOSetRaw(2, 20), ("ServoSet", 2, 20)),
    (lambda: eye.SERVORange(1, 10, 250), ("ServoRange", 1, 10, 250)),
    (lambda: eye.DIGITALSetup(3, "o"), ("DigitalSetup", 3, b"o")),
    (lambda: eye.DIGITALWrite(3, 1), ("DigitalWrite", 3, True)),
    (lambda: eye.LCDPrintf("x %d\n", 3.7, "surplus"), ("LcdPrint", b"x 3\n")),
    (lambda: eye.LCDPrintf(b"text"), ("LcdPrint", b"text")),
    (lambda: eye.LCDSetPrintf(2, 4, "%5.2f", 1), ("LcdPrintAt", 2, 4, b" 1.00")),
    (lambda: eye.LCDClear(), ("LcdClear",)),
    (lambda: eye.LCDSetPos(3, 4), ("LcdCursor", 3, 4)),
    (lambda: eye.LCDSetColor(eye.RED, eye.BLUE), ("LcdColours", 0xFF0000, 0xFF)),
    (lambda: eye.LCDSetFont(eye.TIMES, eye.BOLD), ("LcdFont", 1, 1)),
    (lambda: eye.LCDSetFontSize(18), ("LcdFontSize", 18)),
    (lambda: eye.LCDFontSize(8), ("LcdFontSize", 8)),
    (lambda: eye.LCDSetMode(eye.LCD_NOSCROLLING), ("LcdMode", 0x200)),
    (lambda: eye.LCDMenu("GO", "", "MORE", "END"), ("LcdMenu", b"GO\0\0MORE\0END")),
    (lambda: eye.LCDMenuI(2, "GO", eye.RED, eye.WHITE), ("LcdMenuItem", 2, 0xFF0000, 0xFFFFFF, b"GO")),
    (lambda: eye.LCDPixel(1, 2, eye.GREEN), ("LcdPixel", 1, 2, 0xFF00)),
    (lambda: eye.LCDLine(1, 2, 3, 4, eye.GREEN), ("LcdLine", 1, 2, 3, 4, 0xFF00)),
    (lambda: eye.LCDArea(1, 2, 3, 4, eye.GREEN, 0), ("LcdArea", 1, 2, 3, 4, 0xFF00, False)),
    (lambda: eye.LCDCircle(1, 2, 3, eye.GREEN, 1), ("LcdCircle", 1, 2, 3, 0xFF00, True)),
    (lambda: eye.LCDPixelInvert(1, 2), ("LcdInvert", 0, 1, 2, 0, 0)),
    (lambda: eye.LCDLineInvert(1, 2, 3, 4), ("LcdInvert", 1, 1, 2, 3, 4)),
    (lambda: eye.LCDAreaInvert(1, 2, 3, 4), ("LcdInvert", 2, 1, 2, 3, 4)),
    (lambda: eye.LCDCircleInvert(1, 2, 3), ("LcdInvert", 3, 1, 2, 3, 0)),
    (lambda: eye.LCDImageSize(eye.QQVGA), ("LcdImageArea", 0, 0, 160, 120)),
    (lambda: eye.LCDImageStart(5, 6, 16, 12), ("LcdImageArea", 5, 6, 16, 12)),
    (lambda: eye.RADIOInit(), ("RadioPower", True)),
    (lambda: eye.RADIORelease(), ("RadioPower", False)),
    (lambda: eye.AUBeep(), ("Tone", 880, 200_000)),
    (lambda: eye.SIMSetRobot(1, 500, 600, 0, 90), ("MoveRobot", 1, 0.5, 0.6, 0.0, DEG(90))),
    (lambda: eye.SIMSetRobot(500, 600, 0, 90), ("MoveRobot", 0, 0.5, 0.6, 0.0, DEG(90))),
    (lambda: eye.SIMSetObject(2, 500, 600, 10, 45), ("MoveObject", 2, 0.5, 0.6, 0.01, DEG(45))),
    (lambda: eye.SIMSetPose(500, 600, 90), ("MoveRobot", 0, 0.5, 0.6, 0.0, DEG(90))),
]  # fmt: skip


@pytest.mark.parametrize(("call", "order"), ORDERS, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_a_call_gives_its_order_and_returns_0(fake, call, order):
    orders, result = orders_of(fake, call)
    assert [len(row) for row in orders] == [len(order)]
    assert orders[0] == tuple(pytest.approx(value) if isinstance(value, float) else value for value in order)
    assert result == 0


REFUSED_CALLS = [
    lambda: eye.VWDrive(100, 100, 50), lambda: eye.LCDSetFontSize(9), lambda: eye.LCDMenuI(5, "x", 0, 0),
    lambda: eye.LCDImageSize(eye.CUSTOM), lambda: eye.LCDImageStart(0, 0, 0, 5), lambda: eye.CAMInit(eye.CUSTOM),
    lambda: eye.IPSetSize(99), lambda: eye.LIDARSet(0, 0, 100), lambda: eye.LIDARSet(360, 0, 10**9),
    lambda: eye.DIGITALSetup(17, "i"), lambda: eye.DIGITALSetup(1, "x"), lambda: eye.DIGITALWrite(0, 1),
    lambda: eye.ANALOGRecord(9, 10), lambda: eye.OSDetachTimer(99), lambda: eye.MTKill(99),
    lambda: eye.SERVOSetExtension(1, 5), lambda: eye.SERVOSetAngle(1, 5), lambda: eye.SERInit(0, 9600, 0),
    lambda: eye.SERSendChar(0, "x"), lambda: eye.SERSend(0, b"x"), lambda: eye.SERClose(0),
    lambda: eye.RADIOSend(2, "before RADIOInit"),
]  # fmt: skip


@pytest.mark.parametrize("call", REFUSED_CALLS)
def test_a_call_that_cannot_be_done_gives_no_order_and_returns_1(fake, call):
    assert orders_of(fake, call) == ([], 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: eye.LCDRefresh(), lambda: eye.SERReceiveChar(0), lambda: eye.SERCheck(0), lambda: eye.SERFlush(0),
        lambda: eye.SERReceive(0, bytearray(3), 3), lambda: eye.IRTVGet(), lambda: eye.IRTVRead(),
        lambda: eye.IRTVFlush(), lambda: eye.IRTVGetStatus(), lambda: eye.SERVOStalled(1), lambda: eye.MTInit(),
        lambda: eye.VWCurve(0, 90, 100), lambda: eye.PSDGet(9), lambda: eye.ENCODERRead(5), lambda: eye.ANALOGRead(0),
        lambda: eye.DIGITALRead(17),
    ],
)  # fmt: skip
def test_what_has_no_effect_here_returns_0_and_never_hangs(fake, call):
    assert orders_of(fake, call) == ([], 0)


# ---- driving


def test_positions_and_speeds_are_whole_numbers(fake):
    fake.frame.update(x_m=1.2346, y_m=-0.0005, rad=DEG(200), m_s=0.1004, rad_s=DEG(-45.4))
    flush_tick(fake)
    assert eye.VWGetPosition() == [1235, -1, -160]
    assert eye.VWGetSpeed() == [100, -45]
    x, y, phi = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    assert eye.VWGetPosition(ctypes.byref(x), y, ctypes.pointer(phi)) == 0
    assert (x.value, y.value, phi.value) == (1235, -1, -160)
    assert eye.VWGetSpeed(x, y) == 0
    assert x.value == 100


def flush_tick(fake):
    fake.client.begin(False)
    fake.client.wait_tick()
    fake.client.end()


def drive_for(fake, ticks):
    """Let the fake drive for some ticks after each command."""

    def tick(fake):
        moving = fake.orders and fake.orders[-1][0] in ("Straight", "Turn") and fake.t_us < ticks * fake.tick_us
        fake.frame.update(flags=3 if moving else 2, remaining_m=0.25 if moving else 0.0)

    fake.at_tick = tick


def test_a_drive_command_is_not_done_directly_after_it_was_given(fake):
    drive_for(fake, 10)
    eye.VWStraight(300, 100)
    assert (eye.VWDone(), eye.VWDriveDone()) == (0, 0)
    assert (eye.VWRemain(), eye.VWDriveRemain()) == (250, 250)
    assert eye.VWWait() == 0
    assert eye.VWDone() == 1
    assert fake.t_us == 10 * fake.tick_us


def test_a_query_between_order_and_question_does_not_hide_the_order(fake):
    drive_for(fake, 10)
    eye.VWStraight(300, 100)
    eye.LIDARGet()
    assert eye.VWDone() == 0


def test_what_remains_of_a_turn_is_in_degrees(fake):
    drive_for(fake, 10)
    eye.VWTurn(90, 45)
    assert eye.VWRemain() == 14
    assert eye.VWDriveWait() == 0


def test_stalled_motors_are_told(fake):
    fake.frame.update(stalled=3)
    flush_tick(fake)
    assert eye.VWStalled() == 3


# ---- sensors


def test_distances_are_found_by_number(fake):
    assert [eye.PSDGet(eye.PSD_FRONT), eye.PSDGet(eye.PSD_LEFT), eye.PSDGetRaw(eye.PSD_RIGHT)] == [100, 200, 300]


def test_the_numbers_of_2018_begin_on_the_left(fake, monkeypatch):
    monkeypatch.setattr("understudy.clients.understudy_robios.constants.PSD_ORDER", "2018")
    assert [eye.PSDGet(1), eye.PSDGet(2), eye.PSDGet(3)] == [200, 100, 300]


def test_a_scan_goes_from_left_to_right_and_may_be_set(fake):
    fake.answers["LIDAR"] = lambda points, wide, tilt: struct.pack(f"<{points}i", *range(points))
    assert eye.LIDARGet() == list(range(360))
    assert eye.LIDARSet(180, 10, 5) == 0
    array = (ctypes.c_int * 5)()
    assert eye.LIDARGet(array) == 0
    assert list(array) == [0, 1, 2, 3, 4]
    assert (eye.LIDAR_POINTS, eye.LIDAR_RANGE, eye.LIDAR_RESOLUTION) == (5, 180, 5)
    assert eye.SIMLaserScan() == [2, 1, 0, 4, 3]
    eye.LIDARSet(360, 0, 360)


def test_a_robot_without_lidar_measures_0(fake):
    assert set(eye.LIDARGet()) == {0}


def test_encoders_and_inputs_are_read(fake):
    fake.frame.update(encoders=(1, -2, 3, 4), digital=0b101, analog=(7, 0, 0, 0, 0, 0, 0, 9), centivolts=742)
    flush_tick(fake)
    assert [eye.ENCODERRead(1), eye.ENCODERRead(2)] == [1, -2]
    assert [eye.DIGITALRead(1), eye.DIGITALRead(2), eye.DIGITALReadAll()] == [1, 0, 5]
    assert [eye.ANALOGRead(1), eye.ANALOGRead(8), eye.ANALOGVoltage()] == [7, 9, 742]


def test_a_recording_takes_a_millisecond_for_each_sample(fake):
    assert eye.ANALOGRecord(1, 20) == 0
    assert eye.ANALOGTransfer() == [0] * 20
    assert fake.t_us == 20_000
    assert eye.ANALOGTransfer((ctypes.c_ubyte * 20)()) == 20


def test_a_servo_is_done_when_it_has_arrived(fake):
    fake.answers["SERVO"] = lambda servo: struct.pack("<i", min(128 + fake.t_us // 5000, 140))
    eye.SERVOSet(1, 140)
    assert eye.SERVODone(1) == 0
    assert eye.SERVOWait(1) == 0
    assert (eye.SERVODone(1), eye.SERVOGet(1)) == (1, 140)


def test_waiting_for_a_servo_that_does_not_move_ends(fake):
    fake.answers["SERVO"] = struct.pack("<i", 128)
    eye.SERVOSet(1, 140)
    assert eye.SERVOWait(1) == 1


# ---- LCD and keys


def test_the_cursor_pixels_and_the_size_of_the_lcd_are_read(fake):
    fake.answers.update(LCD_CURSOR=struct.pack("<ii", 2, 7), LCD_PIXEL=lambda x, y: struct.pack("<i", x * 10 + y))
    assert (eye.LCDGetPos(), eye.LCDGetPixel(3, 4), eye.LCDGetSize()) == ([2, 7], 34, [480, 320])
    row, column = ctypes.c_int(), ctypes.c_int()
    assert eye.LCDGetPos(row, column) == 0
    assert (row.value, column.value) == (2, 7)
    assert eye.LCDGetSize(row, column) == 0
    assert row.value == 480


IMAGES = [
    bytes(range(12)), bytearray(range(12)), list(range(12)), [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]],
    (ctypes.c_byte * 12)(*range(12)), ctypes.cast((ctypes.c_byte * 12)(*range(12)), ctypes.POINTER(ctypes.c_byte)),
    ctypes.byref((ctypes.c_ubyte * 12)(*range(12))), (ctypes.c_int * 12)(*range(12)), memoryview(bytes(range(12))),
]  # fmt: skip


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: type(image).__name__)
def test_an_image_may_be_any_buffer(fake, image):
    eye.LCDImageStart(0, 0, 2, 2)
    eye.LCDImage(image)
    flush(fake.client)
    assert fake.named("LcdImage") == [("LcdImage", 3, False, bytes(range(12)))]


def test_arrays_of_numpy_are_images_too(fake):
    numpy = pytest.importorskip("numpy")
    eye.LCDImageStart(0, 0, 2, 2)
    pixels = numpy.arange(24, dtype=numpy.uint8).reshape(2, 2, 6)[:, :, :3]
    for image in (pixels, pixels.astype(numpy.int64), pixels.copy().ctypes.data_as(ctypes.POINTER(ctypes.c_byte))):
        eye.LCDImage(image)
    flush(fake.client)
    assert {order[3] for order in fake.named("LcdImage")} == {pixels.tobytes()}


def test_gray_and_binary_images_have_one_byte_a_pixel_and_short_ones_are_filled(fake):
    eye.LCDImageStart(0, 0, 2, 2)
    eye.LCDImageGray([-1, 1])
    eye.LCDImageBinary(b"\0\1\0\1")
    flush(fake.client)
    gray, binary = ("LcdImage", 1, False, b"\xff\1\0\0"), ("LcdImage", 1, True, b"\0\1\0\1")
    assert fake.named("LcdImage") == [gray, binary]


def test_a_press_between_two_looks_is_read_once(fake):
    fake.frame.update(presses=(0, 1, 0, 0))
    flush_tick(fake)
    assert [eye.KEYRead(), eye.KEYRead()] == [eye.KEY2, eye.NOKEY]


def test_a_key_that_is_held_is_read_again_but_not_after_a_wait_for_it(fake):
    fake.frame.update(presses=(0, 0, 1, 0), keys=eye.KEY3)
    flush_tick(fake)
    assert [eye.KEYRead(), eye.KEYRead()] == [eye.KEY3, eye.KEY3]
    fake.frame.update(presses=(0, 0, 2, 0))
    assert eye.KEYGet() == eye.KEY3
    assert eye.KEYRead() == eye.NOKEY


def test_waits_for_keys_end_with_the_right_one(fake):
    def press(fake):
        count = fake.t_us // 10_000
        fake.frame.update(presses=(min(count, 1), max(min(count - 1, 1), 0), 0, max(min(count - 2, 1), 0)))

    fake.at_tick = press
    assert eye.KEYGet() == eye.KEY1
    assert eye.KEYWait(eye.KEY4) == eye.KEY4
    fake.at_tick = lambda fake: fake.frame.update(presses=(9, 9, 9, 9))
    assert eye.KEYWait(eye.ANYKEY) == eye.KEY1
    assert eye.KEYWait(-1) == eye.KEY2


def test_touches_of_the_screen_are_read(fake):
    assert eye.KEYReadXY() == [-1, -1]
    assert eye.KEYReadXY(ctypes.c_int(), ctypes.c_int()) == 1
    fake.frame.update(touch=(30, 40), touches=1)
    assert eye.KEYGetXY() == [30, 40]
    fake.frame.update(touches=2)
    flush_tick(fake)
    x, y = ctypes.c_int(), ctypes.c_int()
    assert eye.KEYReadXY(x, y) == 0
    assert (x.value, y.value) == (30, 40)
    fake.frame.update(touches=3)
    assert eye.KEYGetXY(x, y) == 0


# ---- camera


def test_images_are_signed_bytes_of_the_chosen_size(fake):
    fake.answers["CAMERA"] = lambda width, height: bytes([200, 100, 0]) * (width * height)
    assert eye.CAMInit(eye.QVGA) == 0
    assert (eye.CAMWIDTH, eye.CAMHEIGHT, eye.CAMPIXELS, eye.CAMSIZE) == (320, 240, 76800, 230400)
    image = eye.CAMGet()
    assert (len(image), image[0], image[1]) == (eye.QVGA_SIZE, -56, 100)
    gray = eye.CAMGetGray()
    assert (len(gray), gray[0]) == (eye.QVGA_PIXELS, 100)
    buffer = (ctypes.c_ubyte * eye.QVGA_SIZE)()
    assert eye.CAMGet(buffer) == 0
    assert buffer[0] == 200
    assert eye.CAMGetGray(buffer) == 0
    assert eye.CAMRelease() == 0


def test_images_of_the_camera_fit_the_lcd_without_further_calls(fake):
    eye.CAMInit(eye.QQVGA)
    eye.LCDImage(eye.CAMGet())
    flush(fake.client)
    assert fake.named("LcdImageArea") == [("LcdImageArea", 0, 0, 160, 120)]
    assert len(fake.named("LcdImage")[0][3]) == eye.QQVGA_SIZE


def test_a_camera_that_was_not_started_gives_a_message_and_small_images(fake, capsys):
    assert len(eye.CAMGet()) == eye.QQVGA_SIZE
    assert "CAMGet before CAMInit" in capsys.readouterr().err


def test_pictures_may_come_from_a_folder(fake, monkeypatch, tmp_path):
    for name, shade in (("a.pgm", 10), ("b.pgm", 20)):
        (tmp_path / name).write_bytes(b"P5 2 1 255\n" + bytes([shade, shade]))
    monkeypatch.setenv("EYESIM_CAMERA", str(tmp_path))
    eye.CAMInit(eye.QQVGA)
    assert [eye.CAMGet()[0], eye.CAMGet()[0], eye.CAMGet()[0]] == [10, 20, 10]


def test_pictures_that_cannot_be_read_are_black_with_a_message(fake, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("EYESIM_CAMERA", str(tmp_path))
    eye.CAMInit(eye.QQVGA)
    assert set(eye.CAMGet()) == {0}
    assert "has no pictures" in capsys.readouterr().err


# ---- system


def test_the_robot_tells_what_it_is(fake):
    assert (eye.OSMachineID(), eye.OSMachineName(), eye.OSMachineType()) == (3, "pip", eye.VEHICLE)
    assert eye.OSMachineSpeed() > 0
    assert "Understudy" in eye.OSVersion()
    assert "Understudy" in eye.OSVersionIO()
    buffer = ctypes.create_string_buffer(40)
    assert eye.OSMachineName(buffer) == 0
    assert buffer.value == b"pip"
    assert eye.OSVersion(buffer) == 0


def test_waiting_takes_simulated_time(fake):
    assert eye.OSWait(100) == 0
    assert (fake.t_us, fake.waits) == (100_000, [100_000])
    assert eye.OSGetCount() == 100


def test_every_call_costs_simulated_time_so_busy_loops_end(fake):
    fake.at_tick = lambda fake: fake.frame.update(psd=[50, 0, 0])
    count = 0
    while eye.PSDGet(eye.PSD_FRONT) > 60:
        count += 1
    assert count == 5000 // 20 - 1


def test_the_clock_may_be_set_and_begins_at_midnight(fake):
    eye.OSWait(1500)
    assert eye.OSGetTime() == [0, 0, 1, 500]
    eye.OSSetTime(13, 59, 59)
    eye.OSWait(2000)
    hours, minutes, seconds, ticks = (ctypes.c_int() for _ in range(4))
    assert eye.OSGetTime(hours, minutes, seconds, ticks) == 0
    assert (hours.value, minutes.value, seconds.value) == (14, 0, 1)


def test_a_timer_calls_its_function_periodically(fake):
    times = []
    timer = eye.OSAttachTimer(10, lambda: times.append(eye.OSGetCount()))
    eye.OSWait(52)
    assert eye.OSDetachTimer(timer) == 0
    eye.OSWait(50)
    assert len(times) == 5
    assert eye.OSDetachTimer(timer) == 1


def test_commands_of_the_shell_return_their_output(fake):
    assert eye.OSExecute("echo hello").strip() == "hello"
    buffer = ctypes.create_string_buffer(40)
    assert eye.OSExecute("echo hello; exit 3", buffer) == 3
    assert buffer.value.strip() == b"hello"


def test_sounds_are_done_when_the_robot_is_silent(fake):
    fake.at_tick = lambda fake: fake.frame.update(flags=6 if fake.t_us < 20_000 else 2)
    fake.answers["MICROPHONE"] = struct.pack("<i", 77)
    assert eye.AUPlay("tune.wav") == 0
    assert eye.AUDone() == 0
    eye.OSWait(30)
    assert (eye.AUDone(), eye.AUMicrophone()) == (1, 77)
    assert fake.named("PlayFile")[0][-1] == b"tune.wav"


# ---- radio


def test_messages_are_sent_and_received(fake):
    eye.RADIOInit()
    assert eye.RADIOGetID() == 3
    assert eye.RADIOSend(2, "hello") == 0
    fake.hear(7, 2, b"hi\0there")
    assert eye.RADIOCheck() == 1
    assert eye.RADIOReceive(20) == [2, "hi"]
    fake.hear(8, 4, b"again")
    sender, buffer = ctypes.c_int(), ctypes.create_string_buffer(4)
    assert eye.RADIOReceive(ctypes.byref(sender), buffer, 4) == 0
    assert (sender.value, buffer.value) == (4, b"aga")
    flush(fake.client)
    assert fake.named("SendRadio", "RadioTake") == [("SendRadio", 2, b"hello"), ("RadioTake", 7), ("RadioTake", 8)]


def test_receiving_waits_for_a_message(fake):
    eye.RADIOInit()
    fake.at_tick = lambda fake: fake.hear(1, 2, b"late") if fake.t_us == 50_000 else None
    assert eye.RADIOReceive() == [2, "late"]
    assert fake.t_us == 50_000


def test_a_radio_that_is_off_does_not_let_a_program_wait_for_ever(fake, capsys):
    assert eye.RADIOReceive() == [0, ""]
    assert "RADIOReceive before RADIOInit" in capsys.readouterr().err


def test_the_radios_that_are_on_are_listed(fake):
    fake.answers["RADIO"] = struct.pack("<III", 1, 3, 4)
    count, ids = eye.RADIOStatus()
    assert (count, ids[:4], len(ids)) == (3, [1, 3, 4, 0], 256)
    array = (ctypes.c_int * 256)()
    assert eye.RADIOStatus(array) == 3
    assert list(array[:3]) == [1, 3, 4]


# ---- simulation


def test_true_poses_work_as_ctypes_values_as_bytes_and_as_ints(fake):
    fake.answers["ROBOT"] = lambda number: struct.pack("<4d", 0.5, 1.25, 0.0, DEG(90))
    x, y, _, phi = eye.SIMGetRobot(1)
    assert (x.value, int.from_bytes(y, "little"), phi) == (500, 1250, 90)
    assert (x + 1, 2 * x, x - y, x < y, abs(-x), f"{x:4d}", range(10)[phi - 88]) == (
        501,
        1000,
        -750,
        True,
        500,
        " 500",
        2,
    )
    assert math.hypot(x, 0) == 500.0
    values = [ctypes.c_int() for _ in range(4)]
    assert eye.SIMGetRobot(1, *map(ctypes.byref, values)) == 0
    assert [value.value for value in values] == [500, 1250, 0, 90]
    assert [int(value) for value in eye.SIMGetPose()] == [500, 1250, 90]


def test_objects_are_found_and_counted(fake):
    fake.answers.update(OBJECT=struct.pack("<4d", 0.1, 0.2, 0.3, 0.0), COUNTS=struct.pack("<II", 2, 5))
    assert [int(value) for value in eye.SIMGetObject(1)] == [100, 200, 300, 0]
    assert (eye.SIMGetRobotCount(), eye.SIMGetObjectCount()) == (2, 5)


def test_a_robot_that_does_not_exist_gives_zeros_and_a_message(fake, capsys):
    assert [int(value) for value in eye.SIMGetRobot(99)] == [0, 0, 0, 0]
    assert "no robot has the number 99" in capsys.readouterr().err


@pytest.mark.parametrize(("convention", "given", "world"), [("clockwise", -90, 90), ("north", 0, 90), ("", 90, 90)])
def test_headings_of_other_years_may_be_chosen(fake, monkeypatch, convention, given, world):
    monkeypatch.setenv("EYESIM_HEADING", convention)
    fake.answers["ROBOT"] = struct.pack("<4d", 0, 0, 0, DEG(world))
    orders, _ = orders_of(fake, lambda: eye.SIMSetRobot(1, 0, 0, 0, given))
    assert orders[0][-1] == pytest.approx(DEG(world))
    assert eye.SIMGetRobot(1)[3] == given


# ---- tasks of the first header


def test_tasks_run_and_end(fake):
    seen, lock = [], eye.SEMAInit(0)

    def work(value):
        eye.SEMALock(lock)
        seen.append((value, eye.MTGetUID() == number))
        eye.MTExit()

    def endless():
        while True:
            eye.MTSleep(5)

    number = eye.MTSpawn(work, 5)
    other = eye.MTSpawn(endless)
    assert eye.MTGetUID() == 0
    eye.MTSleep(20)
    assert (seen, eye.MTKill(other)) == ([], 0)
    eye.SEMAUnlock(lock)
    eye.MTSleep(20)
    assert seen == [(5, True)]
    with pytest.raises(TaskEnd):
        eye.MTExit()


# ---- all of it


def test_the_library_takes_c_arguments_and_lets_programs_set_types(fake):
    eye.lib.VWStraight.argtypes = [ctypes.c_int, ctypes.c_int]
    eye.lib.PSDGet.restype = ctypes.c_int
    assert eye.lib.PSDGet(ctypes.c_int(1)) == 100
    assert eye.lib["LCDPrintf"](b"text") == 0
    x, y, phi = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    assert eye.lib.VWGetPosition(ctypes.byref(x), ctypes.byref(y), ctypes.byref(phi)) == 0
    with pytest.raises(AttributeError, match="no function VWJump"):
        eye.lib.VWJump()
    assert "VWStraight" in repr(eye.lib.VWStraight)
    assert set(dir(eye.lib)) == set(eye.lib) == set(eye.FUNCTIONS)


def test_a_star_import_gives_functions_constants_and_ctypes():
    names = {}
    exec("from understudy.clients.understudy_robios.robios7 import *", names)
    assert names["ctypes"] is ctypes
    assert (names["KEY4"], names["CAMWIDTH"], names["IRTV_OK"], names["PSD_FRONT"]) == (8, 160, ord("O"), 1)
    assert callable(names["VWStraight"])
    with pytest.raises(AttributeError, match="has no VWJump"):
        _ = eye.VWJump


def test_every_function_has_a_known_kind_of_support_and_a_sentence():
    for name, function in eye.FUNCTIONS.items():
        assert function.__doc__, name
        assert getattr(function, "support", FULL).split(";")[0] in (FULL, NO_EFFECT, REFUSED)


def test_every_function_has_a_test():
    text = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_robios7*.py"))
    assert [name for name in eye.FUNCTIONS if f"eye.{name}(" not in text] == []


def test_the_first_driving_call_reports_that_the_robot_is_ready(fake):
    eye.LCDPrintf("hello")
    eye.OSWait(10)
    assert fake.named("AtStart") == []
    fake.frame.update(flags=0)
    flush_tick(fake)
    fake.at_tick = lambda fake: fake.frame.update(flags=2 if fake.t_us > 100_000 else 0)
    eye.PSDGet(1)
    assert fake.named("AtStart") == [("AtStart",)]
    assert fake.t_us > 100_000


def test_the_tables_of_the_wire_are_those_of_the_simulator():
    protocol = pytest.importorskip("understudy.protocols.robios.calls")
    theirs = {call.command.__name__: (opcode, call.form) for opcode, call in protocol.CALLS.items()}
    assert theirs == wire.ORDERS


def test_the_frame_is_that_of_the_simulator():
    from understudy.clients.understudy_robios import frame as ours
    from understudy.protocols.robios import frame as theirs

    assert tuple((name, form) for name, form, _ in theirs.FIELDS) == ours.FIELDS
    assert (theirs.DRIVING, theirs.STARTED, theirs.SOUNDING, theirs.RADIO_ON) == (1, 2, 4, 8)


def test_presses_before_a_session_are_of_the_session_before():
    assert keys.Pressed().of(object()).taken == [0, 0, 0, 0]
