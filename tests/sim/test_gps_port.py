"""A GPS receiver on a serial port of a run: rates, baud rates, restarts, loss of the fix."""

import dataclasses

import pytest

import understudy as us
from understudy.links.base import Event, LineState
from understudy.protocols.nmea.sentences import sentence, utc
from understudy.sim.inbox import Bytes
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay

PORT = "scout/gps"
SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
origin = {{latitude_deg = 46.5, longitude_deg = 6.6, altitude_m = 400}}
{more}
[[robot]]
model = "p3dx"
name = "scout"
port.host.link = "loop:"
port.gps = {{link = "loop:", {port}}}
"""
SHADOW = '[[mark]]\nname = "hall"\ntype = "BadGPSSector"\nsize_m = [6, 4]\n'


@pytest.fixture
def start():
    sims = []

    def make(port="baud = 38400", more=""):
        sim = us.load_text(SCENE.format(port=port, more=more), ports=True)
        sims.append(sim)
        return sim, sim.ports.link(PORT).client()

    yield make
    for sim in sims:
        sim.close()


def hear(sim, plug, ticks):
    sim.step(ticks)
    return plug.receive().decode("latin-1").splitlines()


def set_line(sim, baud):
    sim.inbox.post(f"port:{PORT}", Bytes(PORT, Event.LINE, LineState(baud).encode()))


@pytest.mark.parametrize(("period_ms", "epochs"), [(1000, 4), (500, 8), (200, 20), (2000, 2)])
def test_a_client_chooses_how_many_fixes_it_gets(start, period_ms, epochs):
    sim, plug = start()
    plug.send(sentence(f"PMTK220,{period_ms}"))
    hear(sim, plug, 400)
    got = [line for line in hear(sim, plug, 800) if "GGA" in line]
    assert len(got) == epochs
    assert len({line.split(",")[1] for line in got}) == epochs


def test_the_baud_rate_changes_after_the_confirmation(start):
    sim, plug = start()
    set_line(sim, 38_400)
    plug.send(b"$PMTK251,9600*17\r\n")
    assert "$PMTK001,251,3*36" in hear(sim, plug, 1)
    assert not [line for line in hear(sim, plug, 400) if "GGA" in line]
    set_line(sim, 9_600)
    assert [line for line in hear(sim, plug, 400) if "GGA" in line]


def test_a_client_that_hunts_for_the_rate_and_probes_is_survived(start):
    sim, plug = start("baud = 38400, pace = true")
    for baud in (4800, 9600, 19200, 57600, 115200, 38400):
        set_line(sim, baud)
        plug.send(b"\xb5b\x06\x00\x00\x00\x06\x18\r\n$PUBX,40*00\r\n\x10\x02ABC" * 3)
        got = hear(sim, plug, 300)
        assert any("$GPRMC" in line for line in got) == (baud == 38400)


def test_a_warm_start_loses_the_fix_for_a_while(start):
    sim, plug = start()
    hear(sim, plug, 400)
    plug.send(sentence("PMTK102"))
    got = hear(sim, plug, 800)
    assert got[0] == "$PMTK010,001*2E"
    assert [line.split(",")[2] for line in got if "RMC" in line] == ["V"] * 4
    assert [line.split(",")[2] for line in hear(sim, plug, 6200) if "RMC" in line][-1] == "A"


def test_a_sector_without_reception_takes_the_fix_away(start):
    sim, plug = start(more=SHADOW)
    got = [line for line in hear(sim, plug, 400) if "GGA" in line or "RMC" in line]
    assert {line.split(",")[6] for line in got if "GGA" in line} == {"0"}
    assert {line.split(",")[2] for line in got if "RMC" in line} == {"V"}


def test_a_late_client_gets_a_current_fix(start):
    sim, plug = start("baud = 4800, pace = true")
    plug.close()
    sim.step(2000)
    plug = sim.ports.link(PORT).client()
    first = next(line for line in hear(sim, plug, 400) if line.startswith("$GPGGA"))
    now = sim.current.units[PORT].fix
    assert first.split(",")[1] in {utc(dataclasses.replace(now, utc_us=now.utc_us - s * 1_000_000))[0] for s in (0, 1)}


def test_settings_survive_a_saved_run_and_a_tape(start, tmp_path):
    sim, plug = start()
    sim.attach(TapeWriter(tmp_path / "t.tape"))
    plug.send(sentence("PMTK220,200") + sentence("PMTK314,0,1,0,3,0,0") + sentence("PMTK102"))
    sim.step(130)
    twin = Sim.restored(unpack_run(sim.save()))
    sent = []
    for one in (sim, twin):
        outcomes = [one.current.advance(()) for _ in range(300)]
        sent.append(b"".join(data for outcome in outcomes for path, data in outcome.sent if path == PORT))
    assert sent[0] == sent[1] != b""


def test_a_conversation_with_a_receiver_is_replayed_from_the_tape(start, tmp_path):
    sim, plug = start()
    sim.attach(TapeWriter(tmp_path / "t.tape"))
    plug.send(sentence("PMTK220,200") + sentence("PMTK251,9600"))
    sim.step(500)
    sim.close()
    assert replay(tmp_path / "t.tape").mismatch is None


def test_a_reset_switches_the_receiver_off_and_on(start):
    sim, plug = start()
    plug.send(sentence("PMTK220,200") + sentence("PMTK251,9600"))
    sim.step(300)
    sim.reset()
    plug.receive()
    assert len([line for line in hear(sim, plug, 800) if "GGA" in line]) == 5
    assert sim.current.plugs[PORT].line.baud == 38_400
