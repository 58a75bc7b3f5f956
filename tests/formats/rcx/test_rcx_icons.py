"""Icons recognised in programs of an RCX: each instruction belongs to one, with its parameters and wires."""

from __future__ import annotations

import random

import pytest

from understudy.formats.rcx.disasm import reachable
from understudy.formats.rcx.icon_reader import MOST_DEPTH
from understudy.formats.rcx.icon_text import compile_icons, write_icons
from understudy.formats.rcx.icons import icons_of
from understudy.formats.rcx.image import Fragment, RcxImage
from understudy.formats.rcx.isa import FIRMWARES, program_set
from understudy.formats.rcx.lasm import assemble

ON_A = "set 0,47,2,5\nmulv 47,2,20\nset 5,0,0,47\nout 2,1\n"
ON_C = "set 0,47,2,3\nmulv 47,2,-20\nset 5,2,0,47\nout 2,4\n"
FOLLOW = (
    "tmrz 3\nset 24,9,2,1\nLabel0:\n" + ON_A + "L2:\nchkl 2,40,1,9,0,L3\njmpl L2\nL3:\nout 1,1\n"
    + ON_C + "L4:\nchkl 2,55,0,9,0,L5\njmpl L4\nL5:\nout 1,4\njmpl Label0"
)  # fmt: skip


def icons(text, firmware="swan"):
    whole = text if text.startswith("task") else f"task 0\n{text}\nendt"
    return icons_of(assemble(whole, firmware=firmware))


def words(text, firmware="swan"):
    return [icon.words for task in icons(text, firmware).tasks for icon in task.icons]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ON_A, "motor A forward power 5"),
        (ON_C, "motor C backward power 3"),
        ("set 0,47,2,4\nmulv 47,2,20\nset 5,0,0,47\nset 5,2,0,47\nout 2,5", "motor AC forward power 4"),
        ("set 5,0,2,-60\nout 2,1", "motor A backward 60 %"),
        ("dir 2,5\npwr 5,2,7\nout 2,5", "motor AC forward level 7"),
        ("dir 0,2\nout 2,2", "motor B backward same power"),
        ("out 1,7", "stop ABC"),
        ("out 0,1", "float A"),
        ("out 2,4", "on C"),
        ("dir 1,4", "flip C"),
        ("dir 2,7", "direction ABC forward"),
        ("pwr 5,2,3", "level AC 3"),
        ("wait 2,250", "wait 2.5 s"),
        ("wait 4,100", "wait random up to 1 s"),
        ("wait 0,3", "wait container 3 hundredths"),
        ("L1: chkl 2,1,0,9,0,L2\njmpl L1\nL2:", "wait for push on port 1"),
        ("L1: chkl 2,0,1,9,1,L2\njmpl L1\nL2:", "wait for let go on port 2"),
        ("L1: chk 2,40,1,9,0,L2\njmp L1\nL2:", "wait for dark 40 on port 1"),
        ("L1: chkl 2,55,0,9,2,L2\njmpl L1\nL2:", "wait for light 55 on port 3"),
        ("L1: chkl 0,3,3,2,7,L2\njmpl L1\nL2:", "wait while container 3 != 7"),
        ("L1: chkl 2,1,2,9,0,L1", "wait until 1 = port 1"),
        ("set 0,47,9,0\nsubv 47,2,40\nL1: chkl 0,47,1,9,0,L2\njmpl L1\nL2:", "wait for darker by 40 on port 1"),
        ("set 0,47,9,1\nsumv 47,2,55\nL1: chkl 0,47,0,9,1,L2\njmpl L1\nL2:", "wait for lighter by 55 on port 2"),
        ("plays 1", "sound beep"),
        ("playt 440,50", "tone 440 Hz for 0.5 s"),
        ("setv 3,2,5", "container 3 = 5"),
        ("sumv 3,9,0", "container 3 + port 1"),
        ("divv 3,4,6", "container 3 / random 6"),
        ("tmrz 0", "reset timer 1"),
        ("sent 0,3", "port 1 has light"),
        ("senz 1", "reset port 2"),
        ("msg 2,9", "send message 9"),
        ("msgz", "clear message"),
        ("start 1", "start task 1"),
        ("stop 2", "stop task 2"),
        ("stop", "stop all tasks"),
        ("calls 1", "call 1"),
        ("rets", "return"),
        ("view 2,7", "lasm view 2,7"),
    ],
)
def test_an_icon_is_recognised_and_compiles_to_the_same_instructions(text, said):
    program = icons(text)
    assert [icon.words for icon in program.tasks[0].icons] == [said]
    image = assemble(f"task 0\n{text.replace('chk ', 'chkl ').replace('jmp ', 'jmpl ')}\nendt")
    assert compile_icons(said).fragments[0].code == image.fragments[0].code


def test_power_before_robolab_2_9_is_that_of_its_five_levels():
    assert words("dir 2,1\npwr 1,2,3\nout 2,1", "fw2") == ["motor A forward power 3"]
    assert words("dir 2,1\npwr 1,2,4\nout 2,1", "fw2") == ["motor A forward level 4"]


def test_the_line_follower_of_the_thesis_is_a_loop_of_six_icons():
    assert words(FOLLOW) == [
        "begin", "forever", "motor A forward power 5", "wait for dark 40 on port 1", "stop A",
        "motor C backward power 3", "wait for light 55 on port 1", "stop C", "end",
    ]  # fmt: skip


def test_icons_have_their_parameters():
    motor, wait = icons(FOLLOW).tasks[0].icons[2:4]
    assert motor.settings == (("motors", "A"), ("direction", "forward"), ("power", 5))
    assert (wait.setting("port"), wait.setting("threshold"), wait.setting("seconds")) == (1, 40, None)


def test_wires_follow_loops_and_forks_and_task_splits():
    text = (
        "task 0\nstart 1\nchkl 2,1,0,9,0,E\nplays 1\njmpl M\nE: plays 2\nM: setv 33,2,4\nL: decvjnl 33,X\nplays 3\n"
        "jmpl L\nX: jmpl X\nendt\ntask 1\nplays 5\nendt"
    )
    found = [(icon.number, icon.words, icon.to) for task in icons(text).tasks for icon in task.icons]
    assert found == [
        (1, "start task 1", (2, 12)), (2, "if port 1 is not pressed", (3, 5)), (3, "sound beep", (4,)),
        (4, "else", (6,)), (5, "sound falling", (6,)), (6, "end", (7,)), (7, "repeat 4 times", (8, 10)),
        (8, "sound rising", (9,)), (9, "end", (7,)), (10, "forever", (11,)), (11, "end", (10,)),
        (12, "sound fast", ()),
    ]  # fmt: skip


def test_jumps_that_are_not_nested_stay_jumps():
    text = "A: chkl 0,1,0,2,5,C\nB: plays 1\njmpl C\nplays 2\nC: chkl 0,2,0,2,5,B\nplays 3"
    assert words(text)[0] == "if container 1 > 5"
    assert any(said.startswith("unless container 2 > 5 jump") for said in words(text))
    assert sum(said.startswith("land") for said in words(text)) == 2


def test_a_wait_that_something_jumps_into_is_not_one_icon():
    assert "wait for push on port 1" not in words("L1: chkl 2,1,0,9,0,L2\nQ: jmpl L1\nL2: plays 1\njmpl Q")


def test_an_icon_knows_its_addresses_and_lines():
    task = icons("task 0\n" + FOLLOW + "\nendt").tasks[0]
    wait = task.icons[3]
    assert (wait.start, wait.end, wait.lines) == (27, 38, (10, 11))
    assert task.at(27) == task.at(35) == wait
    assert task.at(38).words == "stop A"
    assert task.at(1000) is None


def test_a_motor_of_another_index_is_shown_and_kept():
    """Table 3.9 of the thesis sets the power of A and switches C on."""
    image = assemble("task 0\nset 0,47,2,5\nmulv 47,2,20\nset 5,0,0,47\nout 2,4\nendt")
    icon = icons_of(image).tasks[0].icons[0]
    assert (icon.words, icon.lasm[2]) == ("motor C forward power 5", "set 5,0,0,47")
    assert compile_icons(write_icons(image)).fragments[0].code == image.fragments[0].code


def test_loops_deeper_than_the_limit_are_jumps():
    count = 3 * MOST_DEPTH
    heads = "\n".join(f"chkl 0,1,0,2,5,E{n}" for n in range(count))
    image = assemble(f"task 0\n{heads}\nplays 1\n" + "\n".join(f"E{n}:" for n in range(count)) + "\nendt")
    assert max(icon.depth for icon in icons_of(image).tasks[0].icons) == MOST_DEPTH
    assert compile_icons(write_icons(image)).fragments[0].code == image.fragments[0].code


def test_a_short_jump_without_an_icon_is_written_as_a_long_one():
    """The jumps around it may become longer."""
    image = assemble("task 0\nmone 2,1,H\nmonex\nL: jmp L\nH: plays 1\nendt")
    icon = icons_of(image).tasks[0].icons[0]
    assert (icon.words, icon.lasm) == ("lasm mone 2,1,to_1", ("monel 2,1,to_1",))
    compile_icons(write_icons(image))


def _random_program(seed: int) -> str:
    """Return a program whose jumps lead anywhere."""
    draw = random.Random(seed)
    count = draw.randint(3, 40)
    lines = []
    for n in range(count):
        to = f"L{draw.randint(0, count)}"
        line = draw.choice([
            f"jmpl {to}", f"chkl 2,{draw.randint(0, 3)},{draw.randint(0, 3)},9,0,{to}", f"chkl 0,1,2,2,3,{to}",
            f"decvjnl 33,{to}", "setv 33,2,4", "setv 47,9,0", "set 0,47,9,0", "subv 47,2,4", f"monel 2,3,{to}",
            "out 2,1", "dir 2,1", "pwr 1,2,3", "wait 2,10", "plays 1", "stop", "rets", ".byte 0x11",
            ON_A.strip(), "start 1", "out 3,1", "out 1,0", "setv 3,4,-1", "wait 2,-5", "loops 2,3",
        ])  # fmt: skip
        lines.append(f"L{n}:\n{line}")
    return "task 0\n" + "\n".join(lines) + f"\nL{count}:\nendt"


@pytest.mark.parametrize("seed", range(150))
def test_any_program_as_icons_compiles_to_the_same_bytes(seed):
    image = assemble(_random_program(seed))
    text = write_icons(image)
    assert compile_icons(text).fragments[0].code == image.fragments[0].code
    assert write_icons(compile_icons(text)) == text


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("firmware", FIRMWARES)
def test_every_byte_of_any_code_belongs_to_exactly_one_icon(seed, firmware):
    draw = random.Random(seed)
    likely = [0x85, 0x95, 0x27, 0x72, 0xF3, 0x14, 0x21, 0x13, 0xE1, 0x05]
    code = bytes(
        draw.choice(likely) if draw.random() < 0.3 else draw.randrange(256) for _ in range(draw.randint(0, 90))
    )
    program = icons_of(RcxImage(firmware, (Fragment("task", 0, code),)))
    (task,) = program.tasks
    covered = [at for icon in task.icons for at in range(icon.start, icon.end)]
    assert covered == list(range(len(code)))
    numbers = {icon.number for icon in task.icons}
    assert all(set(icon.to) <= numbers for icon in task.icons)
    table = program.table()
    for at in reachable(code, program_set(firmware)):
        assert table["task", 0, at] is task.at(at)
