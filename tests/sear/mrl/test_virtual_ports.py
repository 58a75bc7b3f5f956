"""Virtual serial ports: both ends of a null modem, by the names that a program gives them."""

from concurrent.futures import Future
from contextlib import closing
from threading import Thread

import pytest
from mrl_programs import PATIENCE_S, Program

from understudy.errors import LinkError
from understudy.links.client import open_port
from understudy.sear import Box
from understudy.sear.mrl import Runtime, SerialDeviceFactory, VirtualSerialPort
from understudy.sear.ports import forget, resolve


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """Work in a folder of its own, with a runtime folder of its own."""
    (tmp_path / "run").mkdir()
    (tmp_path / "lab").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.chdir(tmp_path / "lab")
    yield
    Runtime.releaseAll()


def in_time(call):
    """Return the result of a call that may wait for ever; raises TimeoutError after some time."""
    result = Future()
    Thread(target=lambda: result.set_result(call()), daemon=True).start()
    return result.result(PATIENCE_S)


def pair(first="/dev/my_Controller01", second="/dev/user_CONTROLLER_01"):
    ends = VirtualSerialPort(first), VirtualSerialPort(second)
    VirtualSerialPort.makeNullModem(*ends)
    for end in ends:
        SerialDeviceFactory.add(end)
    return ends


def test_bytes_pass_between_two_services_even_at_different_baud_rates():
    pair()
    program = Program("""
        first, second = (Runtime.createAndStart(name, "Serial") for name in ("first", "second"))
        first.connect("/dev/my_Controller01")
        second.connect("/dev/user_CONTROLLER_01", 9600, 8, 1, 0)
        def heard(byte):
            note(byte)
        second.addListener("publishByte", python.name, "heard")
        first.write([0, 13, 17, 255])
    """)
    assert [program.next() for _ in range(4)] == [0, 13, 17, 255]


def test_another_program_can_open_an_end_by_its_path():
    first, second = pair()
    with closing(open_port(first.address, 9600)) as one, closing(open_port(second.address, 57600)) as other:
        for end in (first, second):
            SerialDeviceFactory.wait_open(end.address)
        one.write(b"hello")
        assert in_time(other.read) == b"hello"


def test_in_a_project_the_ports_are_in_its_folder(tmp_path):
    Box("box", 1, 1, 1, 0)
    first, _ = pair()
    assert first.address == str(tmp_path / "lab" / "SEARproject" / "ports" / "my_Controller01")


def test_without_a_project_they_are_in_the_runtime_folder_and_none_is_made(tmp_path):
    first, _ = pair()
    assert first.address == str(tmp_path / "run" / "understudy" / "my_Controller01")
    assert list((tmp_path / "lab").iterdir()) == []


def test_a_port_is_found_by_its_printed_name_until_all_is_released():
    _, second = pair()
    assert resolve("/dev/user_CONTROLLER_01") == second.address
    Runtime.releaseAll()
    with pytest.raises(LinkError, match="no serial port"):
        resolve("/dev/user_CONTROLLER_01")


def test_another_program_finds_a_port_by_its_printed_name():
    _, second = pair()
    forget("/dev/user_CONTROLLER_01")  # as in a process that has not made it
    assert resolve("/dev/user_CONTROLLER_01") == second.address


def test_a_null_modem_that_is_made_again_replaces_the_first():
    ends = pair()
    address = ends[0].address
    VirtualSerialPort.makeNullModem(*ends)
    assert ends[0].address == address


def test_a_service_notices_that_its_port_is_gone_and_can_connect_again():
    ends = pair()
    service = Runtime.createAndStart("it", "Serial")
    service.connect("/dev/my_Controller01")
    reader = service._thread
    ends[0].modem.close()
    reader.join(PATIENCE_S)
    assert not service.isConnected()
    VirtualSerialPort.makeNullModem(*ends)
    for end in ends:
        SerialDeviceFactory.add(end)
    assert service.connect("/dev/my_Controller01")


def test_one_port_cannot_be_both_ends():
    with pytest.raises(LinkError, match="two names"):
        VirtualSerialPort.makeNullModem(VirtualSerialPort("/dev/x"), VirtualSerialPort("/dev/x"))


def test_a_port_without_a_null_modem_cannot_be_added():
    with pytest.raises(LinkError, match="makeNullModem first"):
        SerialDeviceFactory.add(VirtualSerialPort("/dev/x"))
