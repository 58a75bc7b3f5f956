"""Programs in C and C++ at a simulation: time, threads, start and end."""

# ruff: noqa: E501  # sources of programs

import os
import re
import stat
import struct
import subprocess
import sys

import pytest
from calling import call, compiled
from fake_simulation import CALL, FIELDS, GO, STARTED, WAIT, Fake

from understudy.clients.robios_c.build import HERE
from understudy.protocols.robios import calls, frame

INCLUDE = '#include "eyebot.h"\n'


@pytest.fixture
def make(tmp_path):
    return lambda source, name="program.c", classic=None: compiled(source, tmp_path, name, classic)


# ---- the tables of both sides


def test_the_calls_are_those_of_the_simulator():
    rows = re.findall(
        r"ROW\(\w+, (\d+), \"([^\"]*)\"\)", (HERE / "core" / "calls.h").read_text().partition("QUERIES")[0]
    )
    table = {number: each.form + ("*" if each.rest else "") for number, each in calls.CALLS.items()}
    assert {int(number): form for number, form in rows} == table


def test_the_queries_are_those_of_the_simulator():
    from understudy.protocols.robios import queries

    text = (HERE / "core" / "calls.h").read_text().partition("define ROBIOS_QUERIES")[2]
    for number, form in re.findall(r"ROW\(\w+, (\d+), \"([^\"]*)\"\)", text):
        content = bytes([int(number)]) + bytes(struct.calcsize("<" + form))
        assert queries.decode(content) is not None
        with pytest.raises(ValueError, match="bytes"):
            queries.decode(content + b"\0")


def test_the_frame_is_that_of_the_simulator():
    assert tuple((name, form) for name, form, _ in frame.FIELDS) == FIELDS
    assert f"#define FIXED {frame.FIXED.size} " in (HERE / "core" / "records.c").read_text()


# ---- time


def test_a_busy_loop_makes_time_pass(make):
    fake = Fake(frames={1_000_000: {"psd": (100, 0, 0)}})
    out = fake.run(
        make(INCLUDE + 'int main() { while (PSDGet(1) > 200) VWSetSpeed(100, 0); printf("%d", OSGetCount()); }')
    )
    assert 1000 <= int(out) < 1010
    assert set(fake.waits) == {10_000}


def test_a_read_after_an_order_shows_its_effect(make):
    fake = Fake(frames={10_000: {"flags": STARTED | 1}})
    assert fake.run(make(INCLUDE + 'int main() { VWStraight(100, 50); printf("%d", VWDone()); }')) == "0"
    assert fake.waits == [10_000]


def test_waiting_is_one_record(make):
    fake = Fake()
    fake.run(make(INCLUDE + "int main() { OSWait(5000); return 0; }"))
    assert fake.waits == [5_000_000]


def test_orders_go_out_with_the_next_wait(make):
    fake = Fake()
    fake.run(make(INCLUDE + "int main() { LCDPixel(1, 2, RED); LCDPixel(3, 4, RED); OSWait(10); return 0; }"))
    assert [kind for kind, _ in fake.said] == [CALL, CALL, WAIT, 7]


def test_many_orders_do_not_pile_up(make):
    fake = Fake()
    loop = "int main() { static BYTE img[QVGA_SIZE]; for (int i = 0; i < 20; i++) LCDImage(img); return 0; }"
    fake.run(make(INCLUDE + loop))
    assert [len(each) for each in fake.calls] == [6 + 320 * 240 * 3] * 20


def test_an_order_that_is_given_again_goes_out_once(make):
    again = (
        "for (int i = 0; i < 9; i++) VWSetSpeed(100, 0); VWSetSpeed(50, 0); VWSetSpeed(100, 0); LCDClear(); LCDClear();"
    )
    fake = Fake()
    fake.run(make(INCLUDE + f"int main() {{ {again} OSWait(10); VWSetSpeed(100, 0); return 0; }}"))
    assert [each[0] for each in fake.calls] == [1, 1, 1, 32, 32, 1]


def test_all_robots_start_together(make):
    fake = Fake(frames={0: {"flags": 0}, 300_000: {"flags": STARTED}})
    source = 'int main() { LCDPrintf("x"); printf("%d ", OSGetCount()); VWSetSpeed(1, 1); printf("%d", OSGetCount()); }'
    assert fake.run(make(INCLUDE + source)) == "0 300"
    assert [content[0] for kind, content in fake.said if kind == CALL] == [30, 90, 1]


SLEEPS = """
int main() {
    OSWait(1);
    int before = OSGetCount();
    sleep(1); usleep(500000);
    struct timespec quarter = {0, 250000000};
    nanosleep(&quarter, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &quarter, NULL);
    printf("%d", OSGetCount() - before);
    return 0;
}
"""


@pytest.mark.parametrize("gated", [True, False])
def test_sleeping_is_waiting_in_simulated_time(gated, make):
    fake = Fake(gated=gated)
    assert int(fake.run(make(INCLUDE + SLEEPS))) == pytest.approx(2000, abs=60)
    assert fake.code == 0


CLOCKS = """
int main() {
    struct timeval a; struct timespec b;
    OSWait(10000);
    gettimeofday(&a, NULL); clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%ld %ld %ld", (long)time(NULL) - 946684800, (long)a.tv_sec - 946684800, (long)b.tv_sec);
    return 0;
}
"""


def test_clocks_are_simulated_in_lockstep(make):
    assert Fake().run(make(INCLUDE + CLOCKS)) == "10 10 10"


def test_clocks_are_real_in_real_time(make):
    out = Fake(gated=False).run(make(INCLUDE + 'int main() { OSWait(1); printf("%ld", (long)time(NULL)); return 0; }'))
    assert int(out) > 1_700_000_000


def test_orders_in_real_time_do_not_wait_for_the_next_call(make):
    source = "int main() { LCDClear(); VWSetSpeed(100, 0); fclose(stdout); getchar(); _exit(0); }"
    fake = Fake(gated=False)
    fake.run(make(INCLUDE + source))
    assert fake.calls[-1] == call(1, "ddd", 0.1, 0, 0)
    assert not fake.left


# ---- threads

COUNTING = """
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *given) {
    int number = (int)(intptr_t)given;
    for (int turn = 0; turn < 3; turn++) {
        pthread_mutex_lock(&mutex);
        printf("%d:%d ", number, PSDGet(1) / 1000);
        OSWait(10 * number);
        pthread_mutex_unlock(&mutex);
        OSWait(100);
    }
    return NULL;
}
int main() {
    XInitThreads();
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("end %d", OSGetCount());
    return 0;
}
"""


def test_threads_run_in_an_order_that_repeats(make):
    program, outs, said = make(INCLUDE + COUNTING), set(), []
    for _ in range(8):
        fake = Fake()
        outs.add(fake.run(program))
        said.append(fake.said)
    assert len(outs) == 1
    assert outs.pop().startswith("1:9 2:9 3:9 ")
    assert all(each == said[0] for each in said)


def test_threads_run_in_real_time_too(make):
    fake = Fake(gated=False)
    out = fake.run(make(INCLUDE + COUNTING))
    assert sorted(out.split()[:9]) == ["1:9"] * 3 + ["2:9"] * 3 + ["3:9"] * 3
    assert fake.code == 0


def test_a_thread_that_computes_does_not_stop_the_others(make):
    source = """
    static volatile int stop;
    static void *busy(void *given) { while (!stop) continue; return given; }
    int main() { pthread_t t; pthread_create(&t, NULL, busy, NULL); OSWait(1000); stop = 1; pthread_join(t, NULL);
        printf("%d", OSGetCount()); return 0; }
    """
    assert Fake().run(make(INCLUDE + source)) == "1000"


def test_a_condition_wakes_the_thread_that_waits_for_it(make):
    source = """
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    static int ready;
    static void *giver(void *given) { OSWait(500); pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);
        pthread_mutex_unlock(&m); OSWait(10); return given; }
    int main() { pthread_t t; OSWait(1); pthread_create(&t, NULL, giver, NULL); pthread_mutex_lock(&m);
        while (!ready) pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m); printf("%d", OSGetCount() >= 500); pthread_join(t, NULL); return 0; }
    """
    assert Fake().run(make(INCLUDE + source)) == "1"


# ---- the end


def test_a_program_that_ends_leaves_its_robot_driving(make):
    fake = Fake()
    fake.run(make(INCLUDE + "int main() { VWSetSpeed(100, 10); }"))
    assert (len(fake.calls), fake.left, fake.code) == (1, True, 0)


@pytest.mark.parametrize("gated", [True, False])
@pytest.mark.parametrize(
    ("how", "message"),
    [({"end_us": 50_000}, ""), ({"end_us": 50_000, "end_text": "closed"}, ": closed"), ({"hang_up_us": 50_000}, "")],
)
@pytest.mark.parametrize(
    "work", ["OSWait(10)", "KEYGet()", "VWSetSpeed(1, 1)", "SIMGetRobotCount()", "AUBeep(), sleep(1)"]
)
def test_the_end_of_the_simulation_ends_the_program(gated, how, message, work, make):
    fake = Fake(gated=gated, **how)
    out = fake.run(make(INCLUDE + f'int main() {{ printf("begun"); for (;;) {work}; }}'))
    assert (out, fake.err, fake.code) == ("begun", f"understudy: the simulation has ended{message}\n", 0)


def test_the_end_of_the_simulation_ends_all_threads(make):
    source = "static void *work(void *x) { for (;;) OSWait(7); return x; } int main() { pthread_t t;"
    source += "for (int i = 0; i < 4; i++) pthread_create(&t, NULL, work, NULL); pthread_join(t, NULL); return 3; }"
    for gated in (True, False):
        fake = Fake(gated=gated, end_us=200_000)
        fake.run(make(INCLUDE + source))
        assert (fake.err, fake.code) == ("understudy: the simulation has ended\n", 0)


def test_calls_in_the_program_s_own_clean_up_do_not_hang(make):
    source = (
        "static void clean(void) { VWSetSpeed(0, 0); } int main() { atexit(clean); OSWait(1); for (;;) OSWait(10); }"
    )
    fake = Fake(end_us=100_000)
    fake.run(make(INCLUDE + source))
    assert fake.code == 0


def test_a_copy_of_the_program_does_not_leave_in_its_place(make):
    source = (
        "#include <sys/wait.h>\nint main() { OSWait(100); if (!fork()) exit(0); wait(NULL); LCDClear(); return 0; }"
    )
    fake = Fake()
    fake.run(make(INCLUDE + source))
    assert [kind for kind, _ in fake.said] == [WAIT, CALL, 7]


def test_a_simulation_without_a_free_robot_is_reported(make):
    fake = Fake(welcome_error="no robot is free")
    fake.run(make(INCLUDE + "int main() { OSWait(1); return 0; }"))
    assert (fake.err, fake.code) == ("understudy: no robot is free\n", 1)


@pytest.mark.parametrize(
    ("seat", "message"),
    [
        ("fd:77", "UNDERSTUDY_SEAT names no open socket"),
        ("fd:x", "UNDERSTUDY_SEAT names no open socket"),
        ("what", "UNDERSTUDY_SEAT: want fd:N or tcp://HOST:PORT"),
        ("tcp://127.0.0.1:1", "no simulation answers at the address in UNDERSTUDY_SEAT"),
        ("tcp://nothing", "UNDERSTUDY_SEAT: want tcp://HOST:PORT"),
    ],
)
def test_a_wrong_seat_is_reported(seat, message, make):
    program = make(INCLUDE + "int main() { OSWait(1); return 0; }")
    done = subprocess.run(
        [program], env={"UNDERSTUDY_SEAT": seat}, capture_output=True, text=True, timeout=20, check=False
    )
    assert (done.stderr, done.returncode) == (f"understudy: {message}\n", 1)


def test_an_answer_that_is_refused_is_reported_once(make):
    fake = Fake(answers={1: ValueError("no scanner")})
    source = 'int main() { int d[360]; for (int i = 0; i < 3; i++) LIDARGet(d); printf("%d", d[180]); return 0; }'
    assert fake.run(make(INCLUDE + source)) == "0"
    assert fake.err == "understudy: no scanner\n"


# ---- a simulator of the program's own

SIMULATOR = """#!{python}
import json, sys
from pathlib import Path
Path({log!r}).write_text(json.dumps(sys.argv[1:]))
sys.path.insert(0, {folder!r})
import socket
from fake_simulation import Fake
fake = Fake()
fake.said, fake.t_us = [], 0
fake._talk(socket.socket(fileno=int(sys.argv[sys.argv.index("--seat-fd") + 1])))
"""


def test_the_first_call_brings_the_simulator_up(make, tmp_path):
    command, log = tmp_path / "understudy", tmp_path / "words.json"
    folder = os.path.dirname(__file__)  # noqa: PTH120
    command.write_text(SIMULATOR.format(python=sys.executable, log=str(log), folder=folder))
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    program = make(INCLUDE + 'int main(int n, char **v) { printf("%s", v[n - 1]); OSWait(1000); return 4; }')
    environment = {**os.environ, "UNDERSTUDY": str(command), "EYESIM_OPTIONS": "--fast --world 'my world.sim'"}
    environment.pop("UNDERSTUDY_SEAT", None)
    done = subprocess.run([program, "goal"], env=environment, capture_output=True, text=True, timeout=30, check=False)
    assert (done.stdout, done.returncode, done.stderr) == ("goal", 4, "")
    words = re.sub(r'"--seat-fd", "\d+"', '"--seat-fd", "N"', log.read_text())
    assert words == f'["eyesim", "--seat-fd", "N", "--fast", "--world", "my world.sim", "--", "{program}", "goal"]'


def test_a_simulator_that_cannot_be_started_is_reported(make):
    program = make(INCLUDE + "int main() { OSWait(1); return 0; }")
    done = subprocess.run(
        [program], env={"UNDERSTUDY": "/no/such/command"}, capture_output=True, text=True, timeout=20, check=False
    )
    assert "cannot start /no/such/command: No such file" in done.stderr
    assert done.returncode == 1


# ---- programs as people write them


def test_arguments_arrive(make):
    fake = Fake()
    out = fake.run(
        make(INCLUDE + 'int main(int n, char *v[]) { printf("%s %d", v[1], n); OSWait(1); }'), 'a "b"\\', "c"
    )
    assert out == 'a "b"\\ 3'
    assert fake.hello["argv"][1:] == ['a "b"\\', "c"]
    assert {key: fake.hello[key] for key in ("version", "robot", "dialect")} == {
        "version": 1,
        "robot": "",
        "dialect": "robios",
    }


def test_cpp_programs_with_threads_and_clocks(make):
    source = """
    #include <chrono>
    #include <iostream>
    #include <mutex>
    #include <thread>
    #include <vector>
    #include "eyebot++.h"
    static std::mutex guard;
    static void work(int number) {
        for (int turn = 0; turn < 2; turn++) {
            std::lock_guard<std::mutex> lock(guard);
            std::cout << number << ' ';
            OSWait(50);
        }
    }
    int main() {
        char text[20];
        OSMachineName(text);
        OSExecute("true", text);
        auto begin = std::chrono::steady_clock::now();
        std::vector<std::thread> threads;
        for (int number = 1; number < 3; number++) threads.emplace_back(work, number);
        for (auto &one : threads) one.join();
        std::this_thread::sleep_for(std::chrono::seconds(1));
        std::cout << std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
    }
    """
    program, outs = make(source, "program.cpp"), set()
    for _ in range(4):
        outs.add(Fake().run(program))
    assert len(outs) == 1
    assert sorted(outs.pop().split()) == ["1", "1", "1", "2", "2"]


SOCCER = """
#include "eyebot.h"
void goalkeeper() { LCDPutString("goalkeeper"); }
void defender() { LCDPutString("defender"); }
void striker() { LCDPutString("striker"); }
void main()
{ switch (OSMachineID())
  { case '1': goalkeeper(); break;
    case '2':
    case '3': defender(); break;
    case '4':
    case '5': striker(); break;
  }
}
"""


@pytest.mark.parametrize(("number", "role"), [(1, b"goalkeeper"), (3, b"defender"), (4, b"striker")])
def test_the_soccer_program_of_the_paper_runs_as_printed(number, role, make):
    fake = Fake(robot_id=number)
    fake.run(make(SOCCER))
    assert (fake.calls, fake.code) == ([call(30, rest=role)], 0)


def test_a_program_may_have_a_function_of_its_own_with_our_name(make):
    source = 'int SERVOStalled(int servo) { return servo + 1; } int main() { printf("%d", SERVOStalled(4)); return 0; }'
    assert Fake().run(make(INCLUDE + source)) == "5"


def test_pointers_to_images_need_no_casts(make):
    source = "int main() { static QVGAcol c; static QVGAgray g; CAMInit(QVGA); CAMGet(&c); CAMGet(c[0][0]); IPCol2Gray(c, g);"
    program = make(INCLUDE + source + " LCDImageGray(g); LCDImage(c); return 0; }")
    fake = Fake()
    fake.run(program)
    assert fake.code == 0
    assert len(fake.queries) == 2


def test_old_programs_without_declarations_are_compiled(make):
    source = (
        INCLUDE
        + 'helper(int n) { return n + 1; }\nmain() { printf("%d", helper(later(1))); return 0; }\nint later(int n) { return n; }'
    )
    assert Fake().run(make(source)) == "2"


@pytest.mark.parametrize(("order", "front"), [("", "10"), ("2018", "20")])
def test_numbers_of_psds_follow_the_variable(order, front, make, monkeypatch):
    monkeypatch.setenv("EYESIM_PSD", order)
    source = 'int main() { printf("%d", PSDGet(1)); return 0; }'
    assert Fake(frames={0: {"psd": (10, 20, 30)}}).run(make(INCLUDE + source)) == front


@pytest.mark.parametrize(("convention", "got", "set_to"), [("", 30, 20), ("clockwise", -30, -20), ("north", -60, 110)])
def test_headings_follow_the_variable(convention, got, set_to, make, monkeypatch):
    monkeypatch.setenv("EYESIM_HEADING", convention)
    source = (
        'int main() { int x, y, z, p; SIMGetRobot(1, &x, &y, &z, &p); printf("%d", p); SIMSetRobot(1, 0, 0, 0, 20); }'
    )
    fake = Fake(answers={3: struct.pack("<4d", 0, 0, 0, 0.5235987755982988)})
    assert fake.run(make(INCLUDE + source)) == str(got)
    assert struct.unpack("<d", fake.calls[0][-8:])[0] == pytest.approx(set_to * 0.017453292519943295)


def test_pictures_of_files_replace_the_camera(make, monkeypatch, tmp_path):
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.ppm").write_bytes(b"P6\n1 1\n255\n\x01\x02\x03")
    (tmp_path / "pictures" / "b.pgm").write_bytes(b"P5\n1 1\n255\n\x09")
    monkeypatch.setenv("EYESIM_CAMERA", str(tmp_path / "pictures"))
    source = 'int main() { static QQVGAcol c; CAMInit(QQVGA); for (int i = 0; i < 3; i++) { CAMGet(c); printf("%d ", c[50][60][1]); } }'
    assert Fake().run(make(INCLUDE + source)) == "2 9 2 "


def test_junk_from_the_simulation_ends_the_program(make):
    class Junk(Fake):
        def _go(self, sock):
            self._send(sock, GO, b"short")

    fake = Junk()
    fake.run(make(INCLUDE + "int main() { OSWait(1); return 0; }"))
    assert (fake.code, fake.err) == (1, "understudy: the simulation has sent a frame that is too short\n")
