"""What each instruction does: a program for every row of the table, and what is true after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from robots.rcx.rcx_bench import after, loaded, ran

from understudy.formats.rcx.icon_text import compile_icons, write_icons
from understudy.formats.rcx.image import Fragment
from understudy.formats.rcx.isa import OPCODES
from understudy.formats.rcx.lasm import assemble
from understudy.robots.rcx.direct import Direct
from understudy.robots.rcx.execute import EXECUTE
from understudy.robots.rcx.inputs import Signal
from understudy.robots.rcx.machine import Machine
from understudy.robots.rcx.registers import FLOAT, OFF, ON

True_ = Callable[[Machine], object]
V = "setv 0,2,7\nsetv 1,2,3\n"  # variables 0 and 1
SUB = "sub 2\nsetv 5,2,9\nends\n"

# name, program, what must be true after 50 ms
PROGRAMS: list[tuple[str, str, True_]] = [
    ("playv", "setv 0,2,440\nplayv 0,30", lambda m: m.face.new[0].tones == ((0.3, 440.0),)),
    ("event", "mone 2,1,H\nevent 2,1\nsetv 1,2,5\nH: setv 2,2,6", lambda m: m.memory[1:3] == [0, 6]),
    ("cale", "sete 0,0,10\ncale 0,10,20,5", lambda m: (m.events[0].upper, m.events[0].lower) == (1125, 818)),
    ("set", "setv 0,2,4\nset 36,0,2,9\nset 28,3,0,0", lambda m: (m.memory[4], m.events[3].upper) == (9, 4)),
    ("dele", "sete 1,0,0\ndele", lambda m: m.events[1].type == 16),
    ("pwr", "pwr 5,2,3\npwr 1,2,10", lambda m: [motor.level for motor in m.bank.motors] == [3, 7, 3]),
    ("setv", "setv 3,2,-5", lambda m: m.memory[3] == -5),
    ("calls", f"{SUB}task 0\ncalls 2\nsetv 6,2,1\ncalls 7\nsetv 7,2,1\nendt", lambda m: m.memory[5:8] == [9, 1, 1]),
    (
        "out",
        "out 2,1\nout 1,2\nout 0,4\nout 2,0",
        lambda m: [motor.mode for motor in m.bank.motors] == [ON, OFF, FLOAT],
    ),
    ("setw", "setw 12,34\nsetv 0,14,0", lambda m: m.memory[0] == 754),
    ("playt", "playt 880,10", lambda m: m.face.new[0].tones == ((0.1, 880.0),)),
    ("sumv", f"{V}sumv 0,0,1\nsetv 2,2,32767\nsumv 2,2,1", lambda m: (m.memory[0], m.memory[2]) == (10, -32768)),
    ("jmp", "jmp L\nsetv 0,2,1\nL: setv 1,2,1", lambda m: m.memory[:2] == [0, 1]),
    ("txs", "txs 0\nmsg 2,1", lambda m: m.outbox[0][1] is False),
    ("sent", "senm 0,0,0\nsent 0,3", lambda m: (m.inputs[0].type, m.inputs[0].mode) == (3, 4)),
    ("view", "view 2,7", lambda m: m.face.view == 7),
    ("subv", f"{V}subv 1,0,0", lambda m: m.memory[1] == -4),
    ("loopc", "loops 2,3\nL: loopc E\nsumv 0,2,1\njmp L\nE:", lambda m: m.memory[0] == 3),
    (
        "delt all",
        "task 0\nstart 1\ndelt\nendt\ntask 1\nL: jmp L\nendt",
        lambda m: not m.running and not m.program.tasks,
    ),
    ("senm", "sent 0,1\nsenm 0,2,4", lambda m: m.mode_byte(0) == 0x44),
    ("wait", "wait 2,2\nsetv 0,1,0\nsetv 1,26,0\nwait 2,-5\nsetv 2,2,1", lambda m: m.memory[:3] == [0, 2, 1]),
    ("divv", "setv 0,2,-7\ndivv 0,2,2\nsetv 1,2,5\ndivv 1,2,0", lambda m: m.memory[:2] == [-3, 5]),
    ("stop all", "task 0\nstart 1\nstop\nsetv 0,2,1\nendt\ntask 1\nL: jmp L\nendt", lambda m: not m.running),
    ("plays", "plays 3\nplays 9", lambda m: [sound.number for sound in m.face.new] == [3]),
    ("logz", "logz 5", lambda m: (m.log_size, m.log) == (5, [[255, 1]])),
    ("mulv", "setv 0,2,300\nmulv 0,2,300", lambda m: m.memory[0] == 24464),
    ("offp", "tout 1\noffp\nsetv 0,2,1", lambda m: (m.on, m.memory[0]) == (False, 0)),
    ("delt", "task 0\ndelt 1\nstart 1\nendt\ntask 1\nsetv 0,2,1\nendt", lambda m: m.memory[0] == 0),
    ("log", "logz 2\nsetv 3,2,8\nlog 0,3\nlog 9,1\nlog 0,3", lambda m: m.log == [[255, 3], [3, 8], [65, 1023]]),
    ("sgnv", "sgnv 0,2,-9\nsgnv 1,2,0\nsgnv 2,2,9", lambda m: m.memory[:3] == [-1, 0, 1]),
    ("gout", "out 2,7\ngout 1,1\ngout 0,2", lambda m: [d.mode for d in m.bank.drives()] == [OFF, FLOAT, ON]),
    ("dels all", f"{SUB}task 0\ndels\ncalls 2\nendt", lambda m: m.memory[5] == 0),
    ("start", "task 0\nstart 1\nstart 9\nendt\ntask 1\nsetv 0,2,4\nendt", lambda m: m.memory[0] == 4),
    ("jmpl", "jmpl L\nsetv 0,2,1\nL: setv 1,2,1", lambda m: m.memory[:2] == [0, 1]),
    ("monal", "monal 9,L\nsetv 0,2,1\nL: L2: jmp L2", lambda m: (m.memory[0], m.tasks[0].resources) == (1, 9)),
    ("absv", "absv 0,2,-4\nabsv 1,2,-32768", lambda m: m.memory[:2] == [4, 32767]),
    ("gdir", "out 2,7\ngdir 0,1\ngdir 1,2", lambda m: [d.percent for d in m.bank.drives()] == [-100, -100, 100]),
    ("playz", "plays 4\nplayz", lambda m: not m.face.playing(m.now_ms)),
    ("stop", "task 0\nstart 1\nstop 1\nstop 0\nsetv 0,2,1\nendt\ntask 1\nL: jmp L\nendt", lambda m: m.memory[0] == 0),
    (
        "loops",
        "loops 2,1\nloops 2,2\nloops 2,3\nloops 2,4\nloops 2,5\nwait 2,90",
        lambda m: m.tasks[0].loops == [1, 2, 3, 5],
    ),
    ("andv", f"{V}andv 0,2,5", lambda m: m.memory[0] == 5),
    ("chk", f"{V}chk 0,0,0,0,1,E\nsetv 2,2,1\nchk 0,0,1,0,1,E\nsetv 3,2,1\nE:", lambda m: m.memory[2:4] == [1, 0]),
    ("msgz", "msgs 5\nmsgz\nsetv 0,15,0", lambda m: m.memory[0] == 0),
    ("prgm", "prgm 3\nsetv 0,2,1", lambda m: (m.slot, m.memory[0]) == (3, 0)),
    ("loopcl", "loops 2,2\nL: loopcl E\nsumv 0,2,1\njmpl L\nE:", lambda m: m.memory[0] == 2),
    ("sete", "sete 4,1,3", lambda m: (m.events[4].source, m.events[4].type) == (1, 3)),
    ("orv", f"{V}orv 0,2,8", lambda m: m.memory[0] == 15),
    ("chkl", f"{V}chkl 0,0,2,2,7,E\nsetv 2,2,1\nchkl 0,0,3,2,7,E\nsetv 3,2,1\nE:", lambda m: m.memory[2:4] == [1, 0]),
    ("cnti", "setv 1,2,4\ncnti 1\ncnti 1", lambda m: m.memory[1] == 6),
    ("monax", "monal 9,L\nmonax\nL: L2: jmp L2", lambda m: m.tasks[0].resources == 0),
    ("tmrz", "wait 2,3\ntmrz 0\nsetv 0,26,0\nsetv 1,26,1", lambda m: m.memory[:2] == [0, 3]),
    ("gpwr", "out 2,1\ngpwr 1,2,3\ngpwr 1,2,8", lambda m: m.bank.drives()[0].percent == 50.0),
    ("cntd", "cntd 2", lambda m: m.memory[2] == -1),
    ("monex", "mone 2,1,H\nmonex\nevent 2,1\nstop 0\nH: setv 0,2,1", lambda m: m.memory[0] == 0),
    ("tout", "tout 5", lambda m: m.sleep_min == 5),
    ("msg", "setv 0,2,300\nmsg 0,0", lambda m: m.outbox == [(bytes.fromhex("55ff00f7082cd323dc"), True)]),
    ("mone", "mone 2,6,H\nevent 2,4\nL: jmp L\nH: setv 0,23,10", lambda m: m.memory[0] == 4),
    ("monel", "monel 2,6,H\nwait 2,1\nevent 2,2\nL: jmp L\nH: setv 0,23,0", lambda m: m.memory[0] == 2),
    ("cntz", "setv 2,2,9\ncntz 2", lambda m: m.memory[2] == 0),
    ("dels", f"{SUB}task 0\ndels 2\ncalls 2\nendt", lambda m: m.memory[5] == 0),
    ("uart", "set 33,0,2,16\nset 33,16,2,3\nuart 0,1", lambda m: m.outbox[0][0] == bytes.fromhex("55ff0010ef10ef")),
    ("mute", "mute\nplays 1", lambda m: m.face.new == []),
    ("senz", "sent 0,4\nsenz 0", lambda m: m.inputs[0].value == 0),
    ("setp", "setp 3\nL: jmp L", lambda m: m.tasks[0].priority == 3),
    ("speak", "mute\nspeak\nplays 1", lambda m: len(m.face.new) == 1),
    ("dir", "dir 0,1\ndir 1,2\ndir 2,4\nout 2,7", lambda m: [d.percent for d in m.bank.drives()] == [-100, -100, 100]),
    ("disp", "disp 2,0,5", lambda m: (m.face.decimals, m.face.source, m.face.value) == (2, 0, 5)),
    ("decvjn", "setv 0,2,3\nL: decvjn 0,E\nsumv 1,2,1\njmp L\nE:", lambda m: m.memory[:2] == [-1, 3]),
    ("decvjnl", "setv 33,2,3\nL: decvjnl 33,E\nsumv 1,2,1\njmpl L\nE:", lambda m: m.memory[1] == 3),
    ("rets", "sub 0\nrets\nsetv 0,2,1\nends\ntask 0\ncalls 0\nsetv 1,2,1\nendt", lambda m: m.memory[:2] == [0, 1]),
    ("msgs", "msgs 77\nsetv 0,15,0", lambda m: m.memory[0] == 77),
]
SWAN: list[tuple[str, str, True_]] = [
    ("sum", "setgb 1,4\nsum 43,1,2,5", lambda m: m.memory[1] == 9),
    ("sub", "setgb 1,4\nsub 43,1,2,5", lambda m: m.memory[1] == -1),
    ("mul", "setgb 1,4\nmul 43,1,2,5", lambda m: m.memory[1] == 20),
    ("div", "setgb 1,9\ndiv 43,1,2,2", lambda m: m.memory[1] == 4),
    ("and", "setgb 1,9\nand 43,1,2,8", lambda m: m.memory[1] == 8),
    ("or", "setgb 1,9\nor 43,1,2,2", lambda m: m.memory[1] == 11),
    ("not", "not 43,1,2,0", lambda m: m.memory[1] == -1),
    ("mod", "setgw 1,-9\nmod 43,1,2,4", lambda m: m.memory[1] == -1),
    ("gb", "setgb 1,9\nsumgb 1,1\nsubgb 1,2\nmulgb 1,6\n"
     "divgb 1,3\norgb 1,1\nandgb 1,31\nmodgb 1,6\nsetgb 2,1\nnotgb 2,5",
     lambda m: m.memory[1:3] == [5, -6]),
    ("gw", "setgw 1,900\nsumgw 1,100\nsubgw 1,-24\nmulgw 1,2\n"
     "divgw 1,4\norgw 1,1\nandgw 1,511\nmodgw 1,100\nnotgw 2,256",
     lambda m: m.memory[1:3] == [1, -257]),
    ("s", "sets 43,1,2,9\nsums 43,1,2,1\nsubs 43,1,2,2\nmuls 43,1,2,6\ndivs 43,1,2,3\nors 43,1,2,1\nands 43,1,2,31\n"
     "mods 43,1,2,6\nnots 43,2,2,5", lambda m: m.memory[1:3] == [5, -6]),
    ("g", "setg 1,2,9\nsumg 1,2,1\nsubg 1,2,2\nmulg 1,2,6\ndivg 1,2,3\norg 1,2,1\nandg 1,2,31\nmodg 1,2,6\nnotg 2,2,5",
     lambda m: m.memory[1:3] == [5, -6]),
    ("sw", "setgw 1,900\nsumsw 43,1,100\nsubsw 43,1,-24\nmulsw 43,1,2\ndivsw 43,1,4\norsw 43,1,1\nandsw 43,1,511\n"
     "modsw 43,1,100\nnotsw 43,2,256", lambda m: m.memory[1:3] == [1, -257]),
    ("p", "setgb 1,9\nsump 43,1,2,1\nsubp 43,1,2,2\nmulp 43,1,2,6\ndivp 43,1,2,3\norp 43,1,2,1\nandp 43,1,2,31\n"
     "modp 43,1,2,6\nnotp 43,2,2,5", lambda m: m.memory[1:3] == [5, -6]),
    ("noop", "noop\nsetgb 1,1", lambda m: m.memory[1] == 1),
    ("setsv", "setsv 43,200,2,-7", lambda m: m.memory[200] == -7),
    ("notv modv", "setv 1,2,9\nmodv 1,2,4\nnotv 2,2,0", lambda m: m.memory[1:3] == [1, -1]),
    ("waitms", "waitms 2,7\nsetv 0,22,0", lambda m: m.memory[0] == 8),
    ("abs sgn neg", "abs 43,1,2,-4\nsgn 43,2,2,-4\nneg 43,3,2,-4", lambda m: m.memory[1:4] == [4, -1, 4]),
    ("bits", "bset 43,1,2,3\nbset 43,1,2,1\nbclr 43,1,2,3\nbset 43,2,2,4\nbtst 43,2,2,4",
     lambda m: m.memory[1:3] == [2, 1]),
    ("xor shl shr", "setgb 1,6\nxor 43,1,2,3\nshl 43,1,2,4\nshr 43,1,2,2", lambda m: m.memory[1] == 20),
    ("msgsb", "msgsb 7,9\nsetg 1,15,0\nsetg 2,15,1", lambda m: m.memory[1:3] == [7, 9]),
    ("msgsw", "msgsw 7,900\nsetg 2,15,1", lambda m: m.memory[2] == 900),
    ("msgsv", "msgsv 2,7,2,900\nsetg 2,15,1", lambda m: m.memory[2] == 900),
    ("msgp", "msgp 2,7,2,258", lambda m: m.outbox[0][0].hex() == "55ff00f70807f802fd01fe01fe"),
    ("brk", "\n".join(f"brk{n}" for n in range(10)) + "\nsetgb 1,1", lambda m: m.memory[1] == 1),
    ("set power", "set 5,0,2,-40\nset 16,1,2,127\nset 32,2,2,0\nout 2,7",
     lambda m: [drive.percent for drive in m.bank.drives()] == [-40.0, 100.0, 12.5]),
    ("l", "setll 43,1,0,1,134,160\nsetl 43,3,2,-7\nsuml 43,1,43,1\nsubl 43,1,2,1\nmull 43,1,2,3\n"
     "divl 43,1,2,2\nmodl 43,1,2,1000\nandl 43,1,2,-2\norl 43,1,2,1",
     lambda m: m.memory[1:5] == [(199_999 * 3 // 2 % 1000) & ~1 | 1, 0, -7, -1]),
    ("notl itol", "itol 43,1,2,-2\nnotl 43,3,43,1", lambda m: m.memory[1:5] == [-2, -1, 1, 0]),
    ("ll", "setlw 43,1,-2\nsumll 43,1,0,1,0,2\nmulll 43,1,0,0,0,3\nsubll 43,1,0,0,0,8\ndivll 43,1,0,0,0,4\n"
     "modll 43,1,0,0,160,0\norll 43,1,0,16,0,0\nandll 43,1,0,255,255,254\nsetlb 43,3,200\nnotll 43,5,0,0,0,0",
     lambda m: (m.memory[1] + (m.memory[2] << 16), *m.memory[3:7]) == (8190 | 1 << 20, 200, 0, -1, -1)),
    ("long wraps", "setll 43,1,127,255,255,255\nsuml 43,1,2,1", lambda m: m.memory[1:3] == [0, -32768]),
    ("long of a task", "setv 32,2,1\nitol 0,32,2,-1\nsuml 0,32,2,5\nltoi 43,1,0,32", lambda m: m.memory[1] == 4),
    ("long nowhere", "setl 43,255,2,-1\nsetl 43,256,2,1\nsetl 0,-1,2,1\nsetl 43,1,0,-1\nsetl 5,0,43,255",
     lambda m: (m.memory[255], m.memory[1:3]) == (-1, [0, 0])),
    ("f", "itof 43,1,2,7\ndivf 43,1,2,2\nmulf 43,1,2,3\nsumf 43,1,2,1\nsubf 43,1,2,4\nftoi 43,3,43,1\n"
     "mulf 43,1,2,-10\nftol 43,4,43,1", lambda m: m.memory[3:6] == [7, -75, -1]),
    ("float limits", "setll 43,1,127,127,255,255\nmulf 43,1,43,1\nftoi 43,3,43,1\nftol 43,4,43,1\n"
     "subf 43,1,43,1\nftoi 43,6,43,1\ndivf 43,1,2,0",
     lambda m: m.memory[3:7] == [32767, -1, 32767, 0]),
    ("ltof", "setll 43,1,0,1,134,160\nltof 43,3,43,1\ndivf 43,3,2,1000\nftoi 43,5,43,3", lambda m: m.memory[5] == 100),
    ("clrall", "setv 1,2,5\nsete 1,0,0\nlogz 5\nlog 0,1\nloops 2,3\nwait 2,1\nclrall 93\nwait 2,90",
     lambda m: (m.memory[1], m.events[1].type, m.log, m.tasks[0].loops, m.timers[0]) == (0, 16, [[255, 1]], [], 16)),
    ("clrall sensors", "senm 0,3,0\nclrall 34", lambda m: m.inputs[0].value == 0),
    ("tones", "playkhz 2,2\nplaykhzv 2,3", lambda m: [each.tones[0][1] for each in m.face.new] == [2000.0, 3000.0]),
    ("uploads", "upevtmap\nuptimer\nupdevvar\nsetgb 1,1", lambda m: m.memory[1] == 1),
    ("settings of Swan", "set 7,1,2,50\nset 24,13,2,0\nset 24,12,2,9\nsetg 1,7,1\nsetg 2,24,13\nsetg 3,24,12\n"
     "setg 4,24,33", lambda m: m.memory[1:5] == [50, 0, 9, 0]),
    ("set system", "set 24,9,2,1\nset 24,29,2,7\nsetg 1,24,9\nsetg 2,24,29\nsetg 3,24,0",
     lambda m: m.memory[1:4] == [1, 7, 9000]),
]  # fmt: skip
# name, values that hold for 5 > 3, values that do not: text of two operands with the relation between them
BRANCHES = [
    ("tabisn", "43,1,0,43,2", "43,1,1,43,2"),
    ("tabisf", "43,1,0,2,3", "43,1,2,2,3"),
    ("tabibn", "43,1,0,2,-300", "43,1,0,2,300"),
    ("tabibf", "43,1,3,2,300", "43,1,2,2,300"),
    ("tabicsn", "9,5,0,43,2", "9,2,0,43,2"),
    ("tabicbn", "9,500,0,43,2", "9,-500,0,43,2"),
    ("tabiscn", "43,1,0,9,4", "43,1,0,9,5"),
    ("tabibcn", "43,1,0,9,-400", "43,1,0,9,400"),
    ("tablsn", "43,3,0,2,200", "43,3,1,2,200"),
    ("tablsf", "43,3,0,2,200", "43,3,2,2,200"),
    ("tablbn", "43,3,0,2,32767", "43,3,1,2,32767"),
    ("tablbf", "43,3,3,2,0", "43,3,2,2,0"),
    ("tabfsn", "43,5,0,2,2", "43,5,0,2,3"),
    ("tabfsf", "43,5,1,2,3", "43,5,1,2,2"),
    ("tabfbn", "43,5,0,2,-300", "43,5,1,2,-300"),
    ("tabfbf", "43,5,2,43,5", "43,5,3,43,5"),
]  # variable 1 is 5, 2 is 3, 3 is 65536 (32 bits), 5 is 2.5 (floating point)
FIRST = "setgb 1,5\nsetgb 2,3\nsetll 43,3,0,1,0,0\nitof 43,5,2,5\ndivf 43,5,2,2\n"


@pytest.mark.parametrize(("name", "holds", "fails"), BRANCHES, ids=[row[0] for row in BRANCHES])
def test_a_test_and_branch_continues_if_its_relation_holds_and_jumps_if_not(name, holds, fails):
    machine = ran(f"{FIRST}{name} {holds},E\nsetgb 10,1\n{name} {fails},E\nsetgb 11,1\nE: setgb 12,1", firmware="swan")
    assert machine.notes == []
    assert machine.memory[10:13] == [1, 0, 1]


def test_a_far_test_and_branch_can_jump_back():
    machine = ran("L: sumgb 1,1\ntabisf 43,1,0,2,4,L\nsetgb 2,1", firmware="swan")
    assert machine.memory[1:3] == [5, 1]


def test_an_assertion_stops_the_task_and_says_where():
    machine = ran("setgb 1,1\nassert\nsetgb 1,2", firmware="swan")
    assert machine.memory[1] == 1
    assert machine.notes == ["task 0 stopped: an assertion has failed at address 3 of task 0"]


@pytest.mark.parametrize(("name", "text", "true"), PROGRAMS, ids=[row[0] for row in PROGRAMS])
def test_an_instruction_does_what_the_table_says(name, text, true):
    machine = ran(text)
    assert machine.notes == []
    assert true(machine)


@pytest.mark.parametrize(("name", "text", "true"), SWAN, ids=[row[0] for row in SWAN])
def test_an_instruction_of_swan_does_what_the_table_says(name, text, true):
    machine = ran(text, firmware="swan")
    assert machine.notes == []
    assert true(machine)


def test_every_instruction_of_lego_that_can_run_has_such_a_test():
    tested = {name.removesuffix(" all") for name, _, _ in PROGRAMS}
    assert {row.name for row in OPCODES if row.since < 3 and row.use != "D"} == tested


def test_every_instruction_of_swan_that_can_run_has_such_a_test():
    words = {line.split()[0].rstrip(":") for _, text, _ in SWAN for line in text.splitlines()}
    words |= {name for name, *_ in BRANCHES} | {"assert"}
    assert {row.name for row in OPCODES if row.since == 3} <= words


def test_the_machine_has_code_for_every_row_that_runs_in_programs():
    assert {row.code for row in OPCODES if row.use != "D"} == set(EXECUTE)


# request, reply; D rows of the table, in hexadecimal without framing
REQUESTS = [
    ("10", "ef"),
    ("18", "e7"),
    ("12 00 01", "ed 07 00"),
    ("12 02 05", "ed 05 00"),
    ("15 01 03 05 07 0b", "ea 00 03 00 01 00 03 03 28"),
    ("15 01 03 05 07 0c", None),
    ("25 00 00 00 1a 00", "da 00"),
    ("25 00 0a 00 1a 00", "da 02"),
    ("25 00 00 00 ff ff", "da 01"),
    ("35 00 07 00 01 00", "ca 00"),
    ("35 00 08 00 01 00", "ca 02"),
    ("45 01 00 01 00 50 50", "ba 06"),
    ("30", "cf 28 23"),
    ("51 05", "ae"),
    ("52 0a 00", "ad 00"),
    ("52 ff ff", "ad 01"),
    ("62 00 01", "9d 01"),
    ("63 00 90 02", "9c 51 01"),
    ("75 00 80 00 00 00", "8a 00"),
    ("65 01 03 05 07 0b", "9a"),
    ("65 00 00 00 00 00", None),
    ("a5 4c 45 47 4f ae", "5a 4a 75 73 74 20 61 20 62 69 74 20 6f 66 66 20 74 68 65 20 62 6c 6f 63 6b 21"),
    ("a5 00 00 00 00 00", None),
    ("a4 00 00 01 00", "5b ff 01 00"),
    ("a4 01 00 01 00", "5b"),
    ("f7 11", None),
    ("d2 01 00", None),
    ("43 02 01 00", None),
    ("11", None),
    ("12 00", None),
]


@pytest.mark.parametrize(("request_", "reply"), REQUESTS, ids=[row[0] for row in REQUESTS])
def test_a_request_has_its_reply(request_, reply):
    machine = loaded("plays 1")
    machine.set_variable(0, 1, 7)
    got = Direct(machine).request(bytes.fromhex(request_))
    assert (got.hex(" ") if got is not None else None) == reply


def test_the_memory_map_has_94_words():
    reply = Direct(loaded("plays 1")).request(b"\x20")
    assert reply is not None
    words = [int.from_bytes(reply[n : n + 2], "big") for n in range(1, len(reply), 2)]
    assert (len(words), words[40], words[41]) == (94, 0x9000, 0x9002)


def test_the_remote_control_comes_before_the_program_and_is_released():
    machine = after(loaded("out 2,1\nL: jmp L"), 5)
    Direct(machine).request(bytes.fromhex("d2 40 00"))  # A reverse
    assert machine.bank.drives()[0].percent == -100
    assert after(machine, 501).bank.drives()[0].percent == 100


def test_the_remote_control_runs_and_stops_programs():
    machine = loaded("L: jmp L")
    direct = Direct(machine)
    direct.request(bytes.fromhex("d2 00 40"))
    assert not machine.running
    direct.request(bytes.fromhex("d2 00 02"))
    assert machine.running


def test_every_direct_command_has_a_row():
    silent_or_asked = {request.split()[0] for request, _ in REQUESTS}
    only = {f"{row.code:02x}" for row in OPCODES if row.use == "D"}
    assert only - silent_or_asked == {"20"}  # the memory map has a test of its own


@pytest.mark.parametrize("code", [0x11, 0x41, 0x53, 0x47, 0x57, 0x83, 0x87, 0xB3, 0xC0, 0xD5, 0x01, 0x08, 0x10])
def test_an_instruction_of_another_brick_stops_the_task_and_says_where(code):
    machine = loaded("L: jmp L")
    machine.store(Fragment("task", 0, bytes([0x51, 1, code, 0, 0, 0, 0]), ((0, 4), (2, 5))))
    machine.program.name = "x.lasm"
    machine.start(0)
    after(machine, 5)
    assert not machine.running
    assert machine.notes == [
        f"task 0 stopped: instruction 0x{code:02x} is not supported by fw2 at address 2 of task 0 (x.lasm:5)"
    ]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("5101 43", "0x43 (wait) is cut off"),
        ("27 40", "a jump leads out of the code"),
        ("27 85", "leads out of the code"),
    ],
)
def test_code_that_leads_nowhere_stops_the_task(code, words):
    machine = loaded("L: jmp L")
    machine.store(Fragment("task", 0, bytes.fromhex(code)))
    machine.start(0)
    after(machine, 5)
    assert not machine.running
    assert words in machine.notes[0]


def test_an_opcode_that_no_table_has_is_not_guessed_on_swan():
    machine = ran(".byte 0x7a,1,2", firmware="swan")
    assert "instruction 0x7a is not supported by swan" in machine.notes[0]


def test_icon_text_keeps_test_and_branch_and_its_label():
    image = assemble("task 0\nL: sumgb 1,1\ntabisf 43,1,0,2,4,L\ntablbn 43,3,0,2,-5,E\nE: setgb 2,1\nendt")
    assert compile_icons(write_icons(image)).fragments[0].code == image.fragments[0].code


def test_a_subroutine_that_calls_another_is_reported():
    machine = ran("sub 0\ncalls 1\nends\nsub 1\nends\ntask 0\ncalls 0\nendt")
    assert "subroutine 0 calls subroutine 1" in machine.notes[0]


def test_random_numbers_include_both_ends():
    machine = loaded("L: jmp L")
    drawn = {machine.read(0, 4, 3) for _ in range(200)}
    assert drawn == {0, 1, 2, 3}


def test_a_sensor_is_read_by_type_and_mode():
    machine = loaded("L: jmp L")
    machine.inputs[0].plug(1)
    machine.inputs[0].feel(Signal(raw=180))
    after(machine, 3)
    assert (machine.read(0, 9, 0), machine.read(0, 12, 0), machine.read(0, 13, 0)) == (1, 180, 1)
