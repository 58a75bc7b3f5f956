"""A project that runs in a thread of its own, with serial ports under the names that users print."""

import os
import select
import threading
import time
from pathlib import Path

import pytest

from understudy.cli import main
from understudy.errors import FormatError, LinkError, UnderstudyError, UnknownName
from understudy.formats.sear.sensors import port_name
from understudy.links.directory import PortEntry
from understudy.sear import GPS, SearService, ports, runner, user_code, using
from understudy.sear.gated import SimulationOver
from understudy.sear.starter import new_project

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs pseudo-terminals")
PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    project = new_project(tmp_path_factory.mktemp("service") / "demo")
    project.remove("tree")
    with using(project):
        receiver = GPS("gps1", 33.61, 182.5, -80.865)
        receiver.setRate(20)
        receiver.setPorts("/dev/my_GPS_01", "/dev/SEAR_GPS_01")
        receiver.belong("rover")
    with SearService(project, engine="planar") as running:
        yield running


def read_until(path, wanted, send=b""):
    """Return what a serial port sends until it contains some bytes."""
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        if send:
            os.write(port, send)
        got, end = b"", time.monotonic() + PATIENCE_S
        while wanted not in got and time.monotonic() < end:
            if select.select([port], [], [], 0.2)[0]:
                got += os.read(port, 4096)
        return got
    finally:
        os.close(port)


def test_ports_are_in_the_projects_folder_and_found_by_their_printed_names(service):
    address = ports.resolve("/dev/rover")
    assert Path(address).parent == service.project.folder / "ports"
    assert service.port_addresses["/dev/SEAR_GPS_01"] == ports.resolve("/dev/SEAR_GPS_01")


def test_the_user_end_of_a_gps_streams_sentences(service):
    assert b"$GPGGA" in read_until(ports.resolve("/dev/SEAR_GPS_01"), b"GGA")


def test_the_user_end_of_a_robot_speaks_the_roomba_protocol(service):
    got = read_until(
        ports.resolve("/dev/rover"), b"\x02", bytes([128, 130, 142, 35])
    )  # start, control, packet 35: mode
    assert b"\x02" in got


def test_getters_work_from_any_thread(service):
    got = []
    threads = [threading.Thread(target=lambda: got.append(service.getCompassResult("comp1"))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert got == pytest.approx([90.0] * 5, abs=1e-3)


def test_an_unknown_sensor_lists_the_sensors_of_the_robot(service):
    with pytest.raises(UnknownName, match=r"Ping1 \(distance\).*gps1 \(gps\)"):
        service.getDistanceResult("sonar")


def test_simulated_time_passes_with_wall_time(service):
    before = service.getTime()
    service.sleep(0.3)
    assert 0.1 < service.getTime() - before < 5.0


def test_sleep_ends_with_the_run(service):
    service.end_at(service.getTime())
    with pytest.raises(SimulationOver):
        service.sleep(10)
    service.end_at(None)


def test_a_started_service_can_be_started_again(service):
    service.startSimulation()
    assert service.running


def test_the_command_line_finds_a_port_by_its_printed_name(service, capsys):
    end = time.monotonic() + PATIENCE_S  # other processes see ports about once a second
    while main(["ports", "find", "/dev/rover"]) and time.monotonic() < end:
        service.sleep(0.1)
    assert capsys.readouterr().out.splitlines()[-1] == ports.resolve("/dev/rover")


def test_a_service_that_does_not_run_says_so(tmp_path):
    with pytest.raises(UnderstudyError, match="startSimulation"):
        SearService(tmp_path).getTime()


def test_what_is_wrong_with_a_project_is_raised_by_start(tmp_path):
    with pytest.raises(FormatError, match="no such project"):
        SearService(tmp_path / "nowhere").startSimulation()


def test_stopping_closes_the_ports(tmp_path):
    project = new_project(tmp_path / "demo")
    project.remove("tree")
    service = SearService(project, engine="planar")
    service.startSimulation()
    address = service.port_addresses["/dev/rover"]
    assert Path(address).exists()
    service.stopSimulation()
    assert not service.running
    assert not Path(address).exists()


def test_realtime_code_runs_beside_the_simulation(tmp_path, capsys):
    project = new_project(tmp_path / "demo")
    project.remove("tree")
    code = user_code.compiled("sear.drive(0.2)\nsear.sleep(0.3)\nprint(sear.getOdometerResult('odo') > 0)", "code.py")
    options = runner.RunOptions(engine="planar", csv=str(tmp_path / "log.csv"), sensors=("odo",))
    runner.run_realtime(project, options, code)
    assert capsys.readouterr().out == "True\n"
    assert len((tmp_path / "log.csv").read_text().splitlines()) > 2


# ---- names


def test_a_path_that_exists_and_a_url_are_themselves(tmp_path):
    (tmp_path / "ttyUSB0").touch()
    assert ports.resolve(str(tmp_path / "ttyUSB0")) == str(tmp_path / "ttyUSB0")
    assert ports.resolve("socket://127.0.0.1:7000") == "socket://127.0.0.1:7000"


def test_a_registered_name_is_found_until_it_is_forgotten():
    ports.register("/dev/nobody_has_this", "/tmp/there")
    assert ports.resolve("/dev/nobody_has_this") == "/tmp/there"
    ports.forget("/dev/nobody_has_this")
    with pytest.raises(LinkError, match="nobody_has_this"):
        ports.resolve("/dev/nobody_has_this")


@pytest.mark.parametrize(
    ("printed", "name"),
    [("/dev/SEAR_Robot_01", "SEAR_Robot_01"), ("COM4", "COM4"), ("../../etc/passwd", "passwd"),
     ("\\\\.\\COM10", "COM10"),
     ("/dev/", "port"), ("a b", "a-b"), ("x" * 200, "x" * 60)],
)  # fmt: skip
def test_any_printed_name_becomes_a_safe_one(printed, name):
    assert port_name(printed) == name


def test_a_port_that_was_given_another_number_is_still_found():
    assert ports.is_called(PortEntry("r/host", "roomba_oi", "/run/x/SEAR_GPS_01-2"), "/dev/SEAR_GPS_01")
    assert not ports.is_called(PortEntry("r/host", "roomba_oi", "/run/x/SEAR_GPS_01-b"), "/dev/SEAR_GPS_01")
