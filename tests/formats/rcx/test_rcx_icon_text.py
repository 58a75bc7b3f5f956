"""Icon text: what a child writes, to LASM and back, and errors with the line."""

from __future__ import annotations

import random
import re

import pytest

from understudy.errors import FormatError
from understudy.formats.rcx.icon_text import MOST_BLOCKS, compile_icons, lasm_of, write_icons
from understudy.formats.rcx.icon_words import LEAVES, leaf_lines
from understudy.formats.rcx.image import read_image, write_image
from understudy.formats.rcx.isa import FIRMWARES
from understudy.formats.rcx.lasm import assemble

PILOT = """task 0
  begin
  motor AC forward power 3
  wait 2 s
  stop AC
  motor A backward power 5
  wait for push on port 1
  stop ABC
end
"""
INVENTOR = """task 0
  start task 1
  forever
    repeat 3 times
      repeat container 4 times
        sound beep
      end
      if port 2 is pressed
        container 3 = 5
        jump 1
      else
        tone 440 Hz for 0.25 s
      end
    end
    while container 3 < 9
      container 3 + random 2
    end
    land 1
    wait for darker by 10 on port 1
  end
end
task 1
  wait until timer 1 > 5
  lasm view 2,7
  call 2
end
sub 2
  send message 7
  return
end
"""


@pytest.mark.parametrize("text", [PILOT, INVENTOR], ids=["pilot", "inventor"])
def test_text_to_lasm_to_icons_to_text_is_the_same(text):
    image = assemble(lasm_of(text))
    assert write_icons(image) == text
    assert write_icons(read_image(write_image(image))) == text


@pytest.mark.parametrize("firmware", FIRMWARES)
def test_text_for_each_firmware_comes_back(firmware):
    text = f"firmware {firmware}\n\n{PILOT}" if firmware != "swan" else PILOT
    image = compile_icons(text)
    assert image.firmware == firmware
    assert write_icons(image) == text


def test_repeats_on_the_oldest_firmware_use_the_loop_counter():
    assert "loops 2,3" in lasm_of("repeat 3 times\nsound click\nend", firmware="fw1")
    assert "decvjnl 33" in lasm_of("repeat 3 times\nsound click\nend", firmware="fw2")


def test_a_text_without_a_task_is_task_0():
    image = compile_icons("; hello\nMotor a Forward   // full power\n\nWAIT 1.5 S # one and a half\nstop A\n")
    assert write_icons(image) == "task 0\n  motor A forward power 5\n  wait 1.5 s\n  stop A\nend\n"


def test_instructions_have_the_lines_of_the_icon_text():
    image = compile_icons("\nmotor A forward\n\nwait 1 s\n")
    assert sorted({line for _, line in image.fragments[0].lines}) == [2, 4]


def test_direct_commands_symbols_and_sounds_are_kept():
    image = assemble("prgm 2\n.symbol task 0 main\n.sound 1,2,3\ntask 0\nplays 1\nendt\nstart 0\n")
    again = compile_icons(write_icons(image))
    assert (again.before, again.after, again.symbols) == (image.before, image.after, image.symbols)
    assert [each.code for each in again] == [each.code for each in image]


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.form)
def test_every_form_that_a_message_suggests_is_accepted(leaf):
    assert leaf_lines(leaf.form, "swan")
    compile_icons(leaf.form)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\nfly to the moon", "x.icons:2:1: unknown icon 'fly to the moon'"),
        ("  moter A forward", "x.icons:1:3: unknown icon 'moter a forward' (did you mean 'motor'?)"),
        ("motor D forward", "x.icons:1:1: cannot read 'motor d forward' (write it like: motor AC forward power 5)"),
        ("motor A forward power 6", "x.icons:1:1: there is no power 6 (want 1 to 5)"),
        ("motor A forward level 8", "there is no level 8"),
        ("wait 1.234 s", "finer than a hundredth"),
        ("wait 999 s", "x.icons:1:1: wait: 99900 is out of range"),
        ("repeat 3 times\nsound beep", "x.icons:1:1: this repeat has no end"),
        ("sound beep\nend", "x.icons:2:1: end without its repeat"),
        ("forever\nelse\nend", "x.icons:2:1: else without its if"),
        ("if port 1 is pressed\nelse\nelse\nend", "x.icons:3:1: else without its if"),
        ("jump red", "x.icons:1:1: there is no land red"),
        ("land red\nland red", "x.icons:2:1: land red stands twice"),
        ("if port 1 is hot\nend", "x.icons:1:1: not a condition: 'port 1 is hot'"),
        ("if port 0 is pressed\nend", "there is no port 0"),
        ("while container 1 > 500\nend", "x.icons:1:1: chkl: 500 is out of range"),
        ("repeat lots times\nend", "not a value: 'lots'"),
        ("repeat\nend", "unknown icon 'repeat'"),
        ("task 0\nend\nsound beep", "x.icons:3:1: 'sound' stands outside of a task"),
        ("task 0\nforever\ntask 1\nend", "x.icons:2:1: this forever has no end before the next task"),
        ("task 0\nforever\nend", "x.icons:1:1: this task has no end"),
        ("task 11\nend", "x.icons:1:1: there is no task 11"),
        ("task 0\nend\ntask 0\nend", "x.icons:3:1: task 0 stands twice"),
        ("lasm endt", "x.icons:1:1: want an instruction after lasm"),
        ("sound beep\nlasm foo 1", "x.icons:2:1: unknown instruction 'foo'"),
        ("firmware fw9\nsound beep", "x.icons:1:1: unknown firmware 'fw9'"),
        ("forever\n" * (MOST_BLOCKS + 1), f"more than {MOST_BLOCKS} loops and forks"),
        ("repeat 2 times\n" * 15 + "end\n" * 15, "x.icons:15:1: more than 14 repeats"),
    ],
)
def test_a_problem_is_reported_with_its_line(text, problem):
    with pytest.raises(FormatError) as found:
        compile_icons(text, "x.icons")
    assert problem in str(found.value)


def test_all_problems_are_reported_at_once():
    with pytest.raises(FormatError) as found:
        compile_icons("fly\nsound beep\nswim\n", "x.icons")
    assert [line.split(":")[1] for line in str(found.value).splitlines()] == ["1", "3"]


@pytest.mark.parametrize("text", ["", "task 0\nend", "; nothing"])
def test_an_empty_program_is_a_program(text):
    assert compile_icons(text).fragments[0].code == b""


@pytest.mark.parametrize("text", ["\0", "wait " + "9" * 5000 + " s", "repeat 3 " * 9999, "container " * 9999, "land é"])
def test_absurd_text_is_refused_without_harm(text):
    with pytest.raises(FormatError):
        compile_icons(text, "x.icons")


@pytest.mark.parametrize("seed", range(80))
def test_lines_in_any_order_compile_or_are_refused_with_a_line(seed):
    draw = random.Random(seed)
    lines = [*(leaf.form for leaf in LEAVES), "forever", "repeat 3 times", "if port 1 is pressed", "else", "end", "end"]
    lines += ["end", "while message = 3", "jump a", "land a", "unless clock > 3 jump a", "task 1", "sub 1", "lasm rets"]
    text = "\n".join(draw.choice(lines) for _ in range(draw.randint(1, 30)))
    problems, image = "", None
    try:
        image = compile_icons(text, "x.icons")
    except FormatError as problem:
        problems = str(problem)
    assert all(re.match(r"x\.icons:\d+:\d+: ", line) for line in problems.splitlines())
    if image is not None:
        again = compile_icons(write_icons(image))
        assert [each.code for each in again] == [each.code for each in image]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("wait for dark 40 on port 9", "there is no port 9 (want 1 to 3)"),
        ("wait for darker by 5 on port 4", "there is no port 4 (want 1 to 3)"),
        ("wait for push on port 0", "there is no port 0 (want 1 to 3)"),
        ("port 4 has light", "there is no port 4"),
        ("reset timer 5", "there is no timer 5 (want 1 to 4)"),
        ("container 1 = timer 7", "there is no timer 7"),
    ],
)
def test_a_port_or_timer_that_a_brick_does_not_have_is_an_error(line, words):
    with pytest.raises(FormatError) as problem:
        compile_icons(f"sound beep\n{line}\n", "x.icons")
    assert str(problem.value).startswith("x.icons:2:")
    assert words in str(problem.value)


def test_instructions_with_such_a_port_stay_what_they_are():
    image = assemble(
        "task 0\nL: chkl 2,40,1,9,8,E\njmpl L\nE: sent 5,1\nsenz 7\ntmrz 9\nsetv 1,9,4\nset 0,47,9,6\nsubv 47,2,5\n"
        "M: chkl 0,47,1,9,6,N\njmpl M\nN: plays 1\nendt"
    )
    assert compile_icons(write_icons(image)).fragments[0].code == image.fragments[0].code
