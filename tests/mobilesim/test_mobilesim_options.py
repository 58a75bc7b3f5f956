import math
import re

import pytest

from understudy.cli.mobilesim_words import parse
from understudy.mobilesim.codes import ARGUMENTS, StartError
from understudy.mobilesim.options import OPTIONS, ArgumentKind, Options, Wanted
from understudy.world.shapes import Pose

# an argument that each option takes, and what it becomes
EXAMPLES = {
    "map": ("office.map", "office.map"),
    "r": ("p3dx:scout", (Wanted("p3dx", "scout"),)),
    "R": ("amigo", (Wanted("amigo", "", True),)),
    "p": ("9000", 9000),
    "W": ("a.world", "a.world"),
    "start": ("-1000,2000,-90", Pose(-1.0, 2.0, heading_rad=-math.pi / 2)),
    "cwd": ("maps", "maps"),
    "map-dir": ("maps", ("maps",)),
    "forbid": ("exit", ("exit",)),
    "ignore-command": ("224", (224,)),
    "odom-error-mode": ("none", "none"),
    "watchdog": ("stop", "stop"),
    "bind-to-address": ("0.0.0.0", "0.0.0.0"),
    "update-interval": ("50", 50.0),
    "update-sim-time": ("200", 200.0),
    "l": ("sim.log", "sim.log"),
    "log-file-max-size": ("10000", 10_000),
    "log-timing-stats": ("10", 10.0),
    "resolution": ("20", ("--resolution: no effect: collisions and ray casting are exact",)),
    "lines-chunksize": ("100", ("--lines-chunksize: no effect: maps are read in one pass",)),
    "points-chunksize": ("100", ("--points-chunksize: no effect: maps are read in one pass",)),
    "seed": ("7", 7),
    "tape": ("a.tape", "a.tape"),
    "speed": ("max", "max"),
    "seconds": ("2.5", 2.5),
}
# MobileSim's manual, its successors, and ours
NAMES = """
    m map nomap r robot R robot-factory p W stageworld fullscreen-gui maximize-gui minimize-gui noninteractive
    lite-graphics no-graphics html cwd log-file l log-file-max-size update-interval update-sim-time start resolution
    ignore-command less-verbose log-timing-stats bind-to-address disable-crash-handler srisim-compat
    no-srisim-laser-compat no-gui daemonize verbose log-packets-received log-movement-sent warn-unsupported-commands
    no-network-discovery odom-error-mode port no-error no-crash-debug no-crash-restart echo-stage-worldfile
    lines-chunksize points-chunksize restarting-after-crash no-menu no-messages
    maximize minimize fullscreen non-interactive litegraphics nographics disable-graphics nogui disable-gui cd
    no-crash-handler disable-crash-debug disable-crash-restart disable-srisim-laser-compat
    map-dir forbid seed tape speed seconds watchdog exact studio
""".split()  # noqa: SIM905 - as long as this it is easier to read as text
FORMS = [(option, flag) for option in OPTIONS for flag in option.flags]


def example(option):
    return next(EXAMPLES[name] for name in option.names if name in EXAMPLES)


@pytest.mark.parametrize(("option", "flag"), FORMS, ids=[flag for _, flag in FORMS])
def test_every_option_is_accepted_in_every_form(option, flag):
    word, value = example(option) if option.takes else (None, True)
    got = getattr(parse([flag, word] if option.takes else [flag]), option.field)
    assert got == value or (option.kind is ArgumentKind.IGNORED and option.text in got[0])


@pytest.mark.parametrize("option", [o for o in OPTIONS if o.takes], ids=lambda o: o.names[0])
def test_an_argument_may_follow_an_equals_sign(option):
    word, value = example(option)
    assert getattr(parse([f"{option.flags[-1]}={word}"]), option.field) == value


def test_the_table_has_all_of_the_names():
    assert sorted(name for option in OPTIONS for name in option.names) == sorted(NAMES)


def test_without_words_everything_is_as_in_the_manual_but_the_address():
    assert parse([]) == Options()
    assert (Options().port, Options().bind_to_address, Options().factor) == (8101, "127.0.0.1", 1.0)


def test_robots_and_factories_keep_their_order():
    wanted = parse(["-r", "p3dx", "-R", "amigo", "-robot", "custom.p:Bob"]).robots
    assert wanted == (Wanted("p3dx"), Wanted("amigo", "", True), Wanted("custom.p", "Bob"))


def test_a_simulated_time_beside_the_interval_sets_the_speed():
    assert parse(["--update-interval", "50", "--update-sim-time", "100"]).factor == 2.0
    assert parse(["--update-interval", "50"]).factor == 1.0
    assert parse(["--update-sim-time", "200", "--speed", "max"]).factor is None


def test_a_log_is_bounded_when_nobody_looks_after_it():
    assert parse([]).log_size == 0
    assert parse(["--noninteractive"]).log_size == 5_000_000


def test_a_size_of_0_lets_a_log_grow_though_nobody_looks_after_it():
    assert parse(["--noninteractive", "--log-file-max-size", "0"]).log_size == 0


def test_a_map_may_stand_alone_at_the_end():
    assert parse(["-r", "p3dx", "office.map"]) == parse(["-r", "p3dx", "-m", "office.map"])


def test_the_interval_of_timing_messages_may_be_left_out():
    assert parse(["--log-timing-stats"]).log_timing_stats == 30.0
    assert parse(["--log-timing-stats", "office.map"]).map == "office.map"


@pytest.mark.parametrize("word", ["-v", "--version", "-version"])
def test_every_form_of_the_version(word, capsys):
    with pytest.raises(SystemExit) as done:
        parse([word])
    assert done.value.code == 0
    assert capsys.readouterr().out.startswith("understudy ")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--mapp", "a"], "unrecognized arguments: --mapp"),
        (["-m"], "expected one argument"),
        (["--start", "here"], "want X,Y,TH in mm and degrees"),
        (["--start", "1,2"], "want X,Y,TH in mm and degrees"),
        (["--start", "nan,0,0"], "want X,Y,TH in mm and degrees"),
        (["-p", "70000"], "want a TCP port"),
        (["-r", ":name"], "want MODEL or MODEL:NAME"),
        (["--ignore-command", "256"], "want the number of a command, 0 to 255"),
        (["--update-interval", "0"], "want a time from 0.1 to 1000 ms"),
        (["--odom-error-mode", "some"], "want one of random_init, random_each_update, constant, none"),
        (["--forbid", "fun"], "want one of exit, reset, map, move"),
        (["stray.map", "office.map"], "unrecognized arguments: office.map"),
        (["--log-file-max-size", "-1"], "want a size in bytes, or 0 for no limit"),
    ],
)
def test_an_invalid_option_says_what_would_do(words, complaint):
    with pytest.raises(StartError, match=re.escape(complaint)) as caught:
        parse(words)
    assert caught.value.code == ARGUMENTS
