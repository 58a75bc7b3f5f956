"""Programs of the kinds that textbooks print: cooperative tasks, a controller in a timer, wheels that turn back."""

import pytest

from understudy.cli import main

TASKS_C = """
#include "eyebot.h"
struct tcb *one, *two;
void work(void) {
    for (int i = 0; i < 3; i++) { printf("%d:%d ", OSGetUID(0), i); OSReschedule(); }
    OSKill(0);
}
int main() {
    OSMTInit(COOP);
    one = OSSpawn("one", work, 4096, MIN_PRI, 1);
    two = OSSpawn("two", work, 4096, MIN_PRI, 2);
    OSReady(one);
    OSReady(two);
    OSReschedule();
    printf("back\\n");
    return 0;
}
"""
TASKS_PY = """
from eye_classic import *
def work():
    for i in range(3):
        print("%d:%d" % (OSGetUID(), i), end=" ")
        OSReschedule()
    OSKill()
OSMTInit(COOP)
one, two = OSSpawn("one", work, 4096, 1, 1), OSSpawn("two", work, 4096, 1, 2)
OSReady(one)
OSReady(two)
OSReschedule()
print("back", flush=True)
"""
CONTROL_C = """
#include "eyebot.h"
float power;
int before, error_before, calls;
void control(void) {
    int now = ENCODERRead(1), error = 10 - (now - before);
    power += 0.1 * (error - error_before) + 0.2 * error; /* a float: an int would lose small steps */
    MOTORDrive(1, power);
    MOTORDrive(2, power);
    before = now, error_before = error, calls++;
}
int main() {
    TIMER timer = OSAttachTimer(10, control);
    OSWait(3000);
    OSDetachTimer(timer);
    printf("%d %d\\n", calls, abs(error_before) <= 1);
    return 0;
}
"""
BACK_PY = """
from eye import *
VWStraight(-200, 200)
VWWait()
print(ENCODERRead(1) < -1000, ENCODERRead(2) < -1000, flush=True)
"""
PROGRAMS = {
    "tasks.c": (TASKS_C, "1:0 2:0 1:1 2:1 1:2 2:2 back"),
    "tasks.py": (TASKS_PY, "1:0 2:0 1:1 2:1 1:2 2:2 back"),
    "control.c": (CONTROL_C, "300 1"),
    "back.py": (BACK_PY, "True True"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_what_the_book_says(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    text, said = PROGRAMS[name]
    (tmp_path / name).write_text(text)
    assert main(["eyesim", "--fast", name, "--seconds", "20"]) == 0
    assert capfd.readouterr().out.strip() == said
