"""The services of devices against simulated devices on pseudo-terminals, and against anything that may arrive."""

import struct
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mrl_programs import PATIENCE_S, Program

import understudy as us
from understudy.errors import LinkError
from understudy.protocols.sick_lms200.telegrams import encode
from understudy.sear.mrl import GPS, LIDAR, Roomba, Runtime, Serial, lidar_service, roomba_service

SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
origin = {{latitude_deg = 33.61, longitude_deg = -80.865, altitude_m = 182.5}}

[[robot]]
model = "create1"
name = "roomba"
x_m = -1

[robot.device]
gps = {{kind = "gps", noise = "perfect"}}
sick = {{model = "lms200", mount = {{z_m = 0.3}}, noise = "perfect"}}

[robot.unit]
gps = {{kind = "nmea_gps", uses = {{gps = "gps"}}}}
sick = {{kind = "lms200", uses = {{laser = "sick"}}, unit = "mm"}}

[robot.port]
serial.link = "pty:{folder}/roomba"
gps = {{unit = "gps", protocol = "nmea", link = "pty:{folder}/gps", period_ms = 200, baud = 38400}}
sick = {{unit = "sick", protocol = "sick_lms200", link = "pty:{folder}/sick", baud = 9600, pace = true}}
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """Run a Roomba with a scanner and a receiver in real time; gives the simulation and the folder of its ports."""
    folder = tmp_path_factory.mktemp("ports")
    (folder / "room.toml").write_text(SCENE.format(folder=folder))
    with us.load(folder / "room.toml", speed=1.0, ports=True) as sim:
        thread = threading.Thread(target=sim.run, daemon=True)
        thread.start()
        yield sim, folder
        sim.requests.ask(lambda each: setattr(each, "exit_code", 0)).result(PATIENCE_S)
        thread.join(PATIENCE_S)


@pytest.fixture(autouse=True)
def released():
    yield
    Runtime.releaseAll()


def connected(room, kind, port, name="it"):
    service = Runtime.createAndStart(name, kind)
    service.connect(str(room[1] / port))
    return service


def test_a_roomba_is_driven_and_its_odometer_is_read(room):
    roomba = connected(room, "Roomba", "roomba")
    roomba.startup()
    roomba.control()
    assert roomba.updateSensors()
    roomba.goForward()
    roomba.sleep(300)
    roomba.stop()
    assert roomba.updateSensors()
    assert 10 < roomba.distance() < 1000
    assert roomba.angle() == 0
    assert not roomba.bump()
    roomba.spinLeft()
    roomba.sleep(300)
    roomba.stop()
    assert roomba.updateSensors()
    assert roomba.angle() > 5


def test_a_scanner_is_set_to_every_mode_and_rate(room):
    lidar = connected(room, "LIDAR", "sick", "lidar")
    program = Program(lidar=lidar)
    program.run("""
        def scan():
            note(len(msg_lidar_publishLidarData.data[0]))
        lidar.addListener("publishLidarData", python.name, "scan")
    """)
    lidar.setBaud(500000)
    for (spread, step), count in {(100, 1): 101, (100, 0.25): 401, (180, 0.5): 361, (180, 1): 181}.items():
        lidar.setScanMode(spread, step)
        lidar.singleScan()
        assert program.next() == count
    lidar.setBaud(9600)
    lidar.singleScan()
    assert program.next() == 181


def test_a_scan_has_the_distances_of_the_room(room):
    lidar = connected(room, "LIDAR", "sick", "lidar")
    program = Program("def scan(data):\n    note(data)", lidar=lidar)
    program.run('lidar.addListener("publishLidarData", python.name, "scan")')
    lidar.setScanMode(180, 1)
    lidar.singleScan()
    ranges = program.next()
    assert min(ranges) > 500
    assert max(ranges) < 5500


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda lidar: lidar.setScanMode(180, 0.25), "no scan mode"),
        (lambda lidar: lidar.setScanMode(90, 1), "no scan mode"),
        (lambda lidar: lidar.setBaud(57600), "no rate 57600"),
    ],
)
def test_what_a_scanner_cannot_do_is_refused_at_once(call, says):
    with pytest.raises(LinkError, match=says):
        call(Runtime.create("lidar", "LIDAR"))


def test_a_scanner_at_another_rate_is_reported(room, monkeypatch):
    monkeypatch.setattr(lidar_service, "REPLY_S", 0.3)
    lidar = Runtime.createAndStart("lidar", "LIDAR")
    lidar.connect(str(room[1] / "sick"), 19200)
    with pytest.raises(LinkError, match="has not answered"):
        lidar.setScanMode(180, 1)


def test_a_receiver_publishes_the_fields_of_its_sentences(room):
    gps = connected(room, "GPS", "gps", "gps")
    program = Program("def fix():\n    note(msg_gps_publishGGAData.data[0])", gps=gps)
    program.run('gps.addListener("publishGGAData", python.name, "fix")')
    fields = program.next()
    assert fields[0] == "$GPGGA"
    assert fields[2][:4] == "3336"
    assert fields[4][:5] == "08051"
    assert float(fields[9]) == pytest.approx(182.5, abs=1.0)


def test_a_serial_service_talks_to_any_device(room):
    serial = connected(room, "Serial", "roomba", "serial")
    serial.disconnect()
    serial.connect(str(room[1] / "roomba"), 57600, 8, 1, 0)
    program = Program("def heard(byte):\n    note(byte)", serial=serial)
    program.run('serial.addListener("publishByte", python.name, "heard")')
    serial.write(128)
    serial.write([142, 35])
    assert program.next() == 1  # passive mode


def test_several_kinds_of_data_are_written(monkeypatch):
    serial, sent = Runtime.create("serial", "Serial"), []
    monkeypatch.setattr(serial, "send", sent.append)
    for data in (0x8E, -1, 256, "Hi\xff", b"\0\1", [1, 300], (7,), bytearray(b"x")):
        serial.write(data)
    assert sent == [b"\x8e", b"\xff", b"\0", b"Hi\xff", b"\0\1", b"\1\x2c", b"\7", b"x"]


def test_a_service_without_a_port_says_what_to_do():
    with pytest.raises(LinkError, match=r"call robot\.connect"):
        Runtime.create("robot", "Roomba").goForward()


def test_a_port_that_does_not_exist_is_reported_with_the_ports_that_do(room):
    with pytest.raises(LinkError, match="no serial port '/dev/SEAR_Nothing'"):
        Runtime.create("robot", "Roomba").connect("/dev/SEAR_Nothing")


def test_only_eight_bits_without_parity_are_supported():
    with pytest.raises(LinkError, match="only 8 data bits"):
        Runtime.create("serial", "Serial").connect("/dev/ttyS0", 9600, 7, 2, 1)


def test_a_roomba_that_does_not_answer_gives_no_readings(monkeypatch, tmp_path):
    monkeypatch.setattr(roomba_service, "REPLY_S", 0.05)
    roomba = Roomba("r", Runtime.getService)
    monkeypatch.setattr(roomba, "send", lambda data: None)
    assert not roomba.updateSensors()
    with pytest.raises(LinkError, match="no readings yet"):
        roomba.distance()


@pytest.mark.parametrize(
    ("call", "data"),
    [
        (lambda r: r.goForward(), "89 00 C8 80 00"),
        (lambda r: r.goBackward(), "89 FF 38 80 00"),
        (lambda r: r.spinLeft(), "89 00 C8 00 01"),
        (lambda r: r.spinRight(), "89 00 C8 FF FF"),
        (lambda r: r.stop(), "89 00 00 00 00"),
        (lambda r: r.drive(-200, 500), "89 FF 38 01 F4"),
        (lambda r: r.drive(9999, -99999), "89 01 F4 80 01"),
        (lambda r: r.startup(), "80"),
        (lambda r: r.control(), "82 8B 01 80 FF"),
        (lambda r: r.safe(), "83"),
        (lambda r: r.full(), "84"),
    ],
)
def test_a_command_is_these_bytes(call, data, monkeypatch):
    monkeypatch.setattr(roomba_service, "PAUSE_S", 0.0)
    roomba, sent = Roomba("r", Runtime.getService), []
    monkeypatch.setattr(roomba, "send", sent.append)
    call(roomba)
    assert sent == [bytes.fromhex(data)]


# ---- bytes from outside


def published(kind, pieces):
    """Return what a service publishes when these pieces arrive."""
    service, got = kind("it", Runtime.getService), []
    service.startService()
    service.publish = lambda topic, *data: got.append((topic, *data))
    for piece in pieces:
        service.received(piece)
    return got


GGA = b"$GPGGA,123519.000,3336.6000,N,08051.9000,W,1,08,1.20,182.5,M,-33.2,M,,*5F\r\n"
SCAN = encode(b"\xb0" + struct.pack("<HHH", 2, 1000, 0x2000 | 2000) + b"\x10", 0x80)


@pytest.mark.parametrize("kind", [GPS, LIDAR, Serial, Roomba])
@given(junk=st.lists(st.binary(max_size=60), max_size=10))
def test_junk_never_raises(kind, junk):
    published(kind, junk)


@given(st.lists(st.integers(1, 20), max_size=8), st.binary(max_size=8))
def test_any_split_of_the_stream_gives_the_same_messages(sizes, junk):
    for kind, good, end in ((GPS, GGA, b"\n"), (LIDAR, SCAN, b"")):
        stream, pieces = junk.replace(b"\x02", b"") + end + good + good, []
        for size in sizes:
            pieces.append(stream[:size])
            stream = stream[size:]
        assert len(published(kind, [*pieces, stream])) == 2


def test_a_scan_is_published_without_its_flags_also_from_a_scanner_with_address_1():
    other = encode(b"\xb0" + struct.pack("<HHH", 2, 1000, 2000) + b"\x10", 0x81)
    assert published(LIDAR, [b"\x06", SCAN, other]) == [("publishLidarData", [1000, 2000])] * 2


def test_sentences_with_a_wrong_checksum_and_endless_lines_are_dropped():
    assert published(GPS, [GGA.replace(b"5F", b"5E"), b"$" * 100_000, b"\n", GGA]) == [
        ("publishGGAData", GGA.decode().strip().replace("*", ",").split(","))
    ]


def test_a_scan_that_is_shorter_than_it_says_is_dropped():
    short = encode(b"\xb0" + struct.pack("<HH", 900, 1000) + b"\x10", 0x80)
    assert published(LIDAR, [short, encode(b"\xb0", 0x80)]) == []
