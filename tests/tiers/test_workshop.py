"""Compiling beside the run: by real processes, into a cache of its own."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from understudy.tiers import locks, worker, workshop

CALL = (
    "import numpy as np; from understudy.rng import philox; a = [np.uint64(n) for n in range(6)]; first = philox(*a)\n"
)
UNTIL_TAKEN = """
import time
print("interpreted" if not philox.overloads else "compiled")
while not philox.overloads:
    assert philox(*a) == first
    time.sleep(0.05)
print("compiled", [int(word) for word in philox(*a)] == [int(word) for word in first])
"""
PATIENCE_S = 200.0


@pytest.fixture
def cache(tmp_path):
    """A folder for what is compiled; whoever compiles into it goes home at the end."""
    yield tmp_path
    for process in psutil.process_iter(["cmdline"]):
        if "understudy.tiers.worker" in " ".join(process.info["cmdline"] or ()) and _cache_of(process) == str(tmp_path):
            process.kill()
            process.wait()


def _cache_of(process):
    try:
        return process.environ().get("XDG_CACHE_HOME")
    except psutil.Error:
        return None


def python(cache, text, **more):
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), "UNDERSTUDY_COMPILE": "beside", **more}
    return subprocess.run([sys.executable, "-c", text], env=env, capture_output=True, text=True, timeout=PATIENCE_S)


def compiled_files(cache):
    return sorted(file.name for file in Path(cache).rglob("*.nbc"))


def test_a_kernel_changes_over_as_soon_as_another_process_has_compiled_it(cache):
    done = python(cache, CALL + UNTIL_TAKEN)
    assert done.stdout.split("\n")[:2] == ["interpreted", "compiled True"], done.stderr
    assert "running at reduced speed while a kernel is compiled, once on this machine" in done.stderr


def test_what_is_ordered_is_compiled_even_if_the_program_ends_at_once(cache):
    done = python(cache, CALL)
    assert done.returncode == 0, done.stderr
    end_s = time.monotonic() + PATIENCE_S
    while not compiled_files(cache) and time.monotonic() < end_s:
        time.sleep(0.1)
    assert len(compiled_files(cache)) == 1
    assert python(cache, CALL + UNTIL_TAKEN).stdout.startswith("compiled\n")  # from the disk, at once


def test_where_no_process_can_be_started_kernels_are_compiled_when_they_are_called(cache):
    nobody = "import sys; sys.frozen = True\n" + CALL + "philox(*a); print(len(philox.overloads))"
    done = python(cache, nobody)
    assert done.stdout == "1\n", done.stderr
    assert "background compilation is not available (no Python executable found)" in done.stderr


def test_a_worker_answers_each_order_and_ends_with_its_orders(cache):
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), "UNDERSTUDY_COMPILE": "now"}
    orders = worker.written("understudy.rng", "nobody", ()) + b"nonsense\n"
    command = [sys.executable, "-c", workshop._WORK]
    done = subprocess.run(command, input=orders, env=env, capture_output=True, timeout=PATIENCE_S, check=True)
    assert done.stdout == worker.READY + 2 * worker.FAILED


def test_a_workshop_is_anew_in_a_process_that_was_forked_off():
    shop = workshop.CompileWorkshop(1)
    shop._known.add((1, ()))
    shop._begin()
    assert not shop._known


def test_a_lock_is_held_by_one_and_then_free(tmp_path):
    file = tmp_path / "some.lock"
    assert locks._taken(file)
    assert not locks._taken(file)
    file.unlink()
    assert locks._taken(file)


def test_two_processes_that_need_a_kernel_at_the_same_time_compile_it_once(cache):
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), "UNDERSTUDY_COMPILE": "now"}
    count = [sys.executable, "-c", CALL + "print(sum(philox.stats.cache_misses.values()))"]
    both = [subprocess.Popen(count, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(int(one.communicate(timeout=PATIENCE_S)[0]) for one in both) == [0, 1]
    assert not list(cache.rglob("*.lock"))


def test_the_lock_of_a_dead_process_does_not_count(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    dead.wait()
    file = tmp_path / "some.lock"
    file.write_text(str(dead.pid))
    assert not locks._taken(file)  # it is removed
    assert locks._taken(file)


def test_a_worker_that_has_exited_is_replaced_when_there_is_more_to_do(cache):
    one_more = """
from understudy.tiers import workshop
while workshop.WORKSHOP._at_work:
    time.sleep(0.05)
from understudy.rng import uniform
uniform(a[0], a[1], 5, a[2], 3)
while not uniform.overloads:
    time.sleep(0.05)
print("both")
"""
    short = "from understudy.tiers import workshop\nworkshop._IDLE_S = 0.1\n"
    done = python(cache, short + CALL + UNTIL_TAKEN + one_more)
    assert done.stdout.endswith("both\n"), done.stderr
