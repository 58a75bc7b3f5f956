"""Speed of the planar engine: robots that wander over a hospital floor, compared with IR-SIM in the same process.

Both simulate the same robots, walls, rays and noise, one thread each, and must first agree on every laser reading.
Then they alternate; only the step is timed, the robots' program is not. "Engine" is motion and sensing, noise
included (phases 3 and 4 of a tick); "sim" is the whole tick. RTF is simulated seconds per second of wall time, best
short slice. An engine may prepare a place when a robot first senses there: that has a separate figure, and all
others are measured after every square metre has been visited.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"))
os.environ["MPLBACKEND"] = "Agg"

import argparse
import gc
import math
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import psutil
import workload
from peer_irsim import IrSim
from results import Results
from swarm import Clock, Swarm
from workload import Array, Wander, Workload, population, square_metres

TICK_S = workload.TICK_US / 1e6
ROUNDS, PEER_S, OURS_S = 7, 2.0, 0.5  # of IR-SIM and of each of ours in a round
SLICE_S = 0.03
WARM_STEPS, WARM_S = 50, 30.0
HELD = 10  # ticks between two decisions of a robot that is alone; they take longer than its ticks
AGREE_M = 1e-3
PER_FLOOR = 1000
GROWTH = (100, 1_000, 10_000, 100_000)
HUGE_FLOORS, HUGE_PER_FLOOR = 14 * 14, 511

Timed = Callable[[Clock], float]  # does something and returns how long it took (s)


def main() -> None:
    """Measure what the command line asks for."""
    options = arguments()
    results = Results(options.check)
    if options.growth:
        growth(results)
        memory(results)
    elif options.huge:
        huge(results)
    elif options.profile:
        with Swarm(population(options.robots, floors_for(options.robots))) as swarm:
            warm_up(swarm)
            profile(results, swarm, seconds=2.0)
    else:
        if not options.quick:
            beside_irsim(results, options.robots)
        real_time(results, seconds=0.4 if options.quick else 2.0)
    results.finish()


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="?", type=int, default=100, help="number of robots (default 100)")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--quick", action="store_true", help="a few seconds, without IR-SIM")
    mode.add_argument("--profile", action="store_true", help="us per robot and step, by phase")
    mode.add_argument("--growth", action="store_true", help="100 to 100,000 robots on more and more floors, and memory")
    mode.add_argument("--huge", action="store_true", help="more than 100,000 robots on 14 x 14 floors")
    return parser.parse_args()


# ---- how time is taken


def mean_step(step: Timed, clock: Clock, seconds: float) -> float:
    """Return the mean of at least two steps that together take about so long (s)."""
    took, count = 0.0, 0
    while took < seconds or count < 2:
        took += step(clock)
        count += 1
    return took / count


def slices(step: Timed, clock: Clock, seconds: float, ticks: int = 1) -> list[float]:
    """Return the mean time of a tick in each of many short slices, for about so long; a step is so many ticks (s)."""
    means: list[float] = []
    end = time.perf_counter() + seconds
    while not means or time.perf_counter() < end:
        means.append(mean_step(step, clock, SLICE_S) / ticks)
    return means


def warm_up(swarm: Swarm) -> None:
    """Compile, fill caches, sense at every place once, let all robots reach their speed; stop early if that is slow."""
    swarm.tour(time.perf_counter)
    begin = time.perf_counter()
    for _ in range(WARM_STEPS):
        swarm.sim_steps(time.perf_counter)
        if time.perf_counter() - begin > WARM_S:
            break


# ---- compared with IR-SIM


def beside_irsim(results: Results, robots: int) -> None:
    """Report how many times faster than IR-SIM we are."""
    work = population(robots)
    peer = IrSim(work)
    say_what_is_computed(work, peer)
    agree(work, peer)
    with Swarm(work) as swarm:
        warm_up(swarm)
        rounds = np.array(taken_in_turns(peer, swarm, Wander(robots)))
    theirs, engine, sim = rounds.T
    print(f"  ms per step: IR-SIM {median_ms(theirs):.2f}, engine {median_ms(engine):.4f}, sim {median_ms(sim):.4f}")
    for name, ours, goal in (("engine", engine, 1000), ("sim", sim, 500)):
        ratios = theirs / ours
        print(f"  {name}: {ratios.min():.0f} to {ratios.max():.0f} times faster in {len(ratios)} rounds")
        results.say(f"planar.ratio_{name}_{robots}", float(np.median(ratios)), least=goal if robots == 100 else None)


def say_what_is_computed(work: Workload, peer: IrSim) -> None:
    """Print what both compute in each step."""
    robots, walls = len(work.poses), len(work.segments)
    print(f"P({robots}): {walls} walls, steps of {workload.TICK_US / 1000:g} ms, one process, one thread")
    rays = f"{robots * workload.LASER_RAYS} laser + {robots * workload.SONARS} sonar rays per step"
    for name, where in ((f"IR-SIM {peer.version}", "walls in one map object"), ("understudy", "planar engine")):
        print(f"  {name}: {robots} robots, {rays}, collisions, noise on, no drawing ({where})")


def agree(work: Workload, peer: IrSim) -> None:
    """Check that both have the same readings, without noise and with all robots at rest."""
    peer.set_noise(False)
    peer.step([[0.0, 0.0]] * len(work.poses))
    with Swarm(Workload(work.segments, peer.poses()), noisy=False) as swarm:
        lasers = np.abs(swarm.readings("laser") - peer.lasers())
        heard = peer.sonars() < workload.SONAR_M  # theirs begin at the centre and so end earlier
        sonars = np.abs(swarm.readings("sonar") + workload.SONAR_OUT_M - peer.sonars())[heard]
    peer.set_noise(True)
    least = 0.999 if len(work.poses) <= 100 else 0.99  # IR-SIM's discs are polygons: the more robots in view, the fewer
    for name, off in (("laser", lasers), ("sonar", sonars)):
        share = float((off < AGREE_M).mean())
        print(f"  {name}: {100 * share:.3f} % of rays agree within 1 mm, median difference {np.median(off):.1e} m")
        assert share >= least, f"the simulators disagree on {name} rays: {share:.4f} within 1 mm, want {least}"


def taken_in_turns(peer: IrSim, swarm: Swarm, wander: Wander) -> list[tuple[float, float, float]]:
    """Return the CPU time of a step of IR-SIM, of our engine and of our whole tick, round by round (s)."""
    clock = time.process_time
    return [
        (
            mean_step(partial(irsim_step, peer, wander), clock, PEER_S),
            mean_step(swarm.engine_steps, clock, OURS_S),
            mean_step(swarm.sim_steps, clock, OURS_S),
        )
        for _ in range(ROUNDS)
    ]


def irsim_step(peer: IrSim, wander: Wander, clock: Clock) -> float:
    """Let IR-SIM's robots decide, advance them, and return what the step alone took (s)."""
    actions = wander(peer.lasers(), peer.stopped())[:, [0, 2]].tolist()
    begin = clock()
    peer.step(actions)
    return clock() - begin


def median_ms(seconds: Array) -> float:
    """Return the median (ms)."""
    return float(np.median(seconds)) * 1e3


# ---- real-time factors


def real_time(results: Results, seconds: float) -> None:
    """Report simulated seconds per second for one robot and for a thousand."""
    clock = time.perf_counter
    with Swarm(population(1)) as swarm:
        warm_up(swarm)
        say_rtf(results, "rtf_engine_1", slices(partial(swarm.engine_steps, ticks=HELD), clock, seconds, HELD), 10_000)
        say_rtf(results, "rtf_sim_run_1", slices(partial(swarm.run, ticks=HELD), clock, seconds, HELD), 1_000)
    work = population(1000)
    first_visits(results, work)
    for threads, name, goal in ((1, "one_thread", 30), (2, "two_threads", 50)):
        with Swarm(work, threads=threads) as swarm:
            warm_up(swarm)
            say_rtf(results, f"rtf_1000_{name}", slices(swarm.engine_steps, clock, seconds), goal)
            say_rtf(results, f"rtf_sim_1000_{name}", slices(swarm.sim_steps, clock, seconds))


def first_visits(results: Results, work: Workload) -> None:
    """Report the extra cost of sensing at a place that was not visited before (us per square metre)."""
    with Swarm(work) as swarm:
        swarm.engine_steps(time.process_time)
        fresh, again = swarm.tour(time.process_time), swarm.tour(time.process_time)
    results.say("planar.us_first_visit", (fresh - again) / len(square_metres(work.floors)) * 1e6)


def say_rtf(results: Results, name: str, steps: list[float], least: float | None = None) -> None:
    """Report a real-time factor from step times: the best, and the median beside it."""
    print(f"  {name}: median {TICK_S / statistics.median(steps):.4g}, best of {len(steps)} slices:")
    results.say(f"planar.{name}", TICK_S / min(steps), least=least)


# ---- growth, memory, very many


def growth(results: Results) -> None:
    """Report what a robot costs in a step (CPU time, one thread) while the hospital grows with its robots.

    One floor holds 1,000 robots, so all but the first row have the same density.
    """
    for robots in GROWTH:
        with Swarm(population(robots, floors_for(robots))) as swarm:
            warm_up(swarm)
            step = statistics.median(slices(swarm.engine_steps, time.process_time, 2.0))
            tick = statistics.median(slices(swarm.sim_steps, time.process_time, 2.0))
        results.say(f"planar.us_per_robot_engine_{robots}", step / robots * 1e6)
        results.say(f"planar.us_per_robot_sim_{robots}", tick / robots * 1e6)


def floors_for(robots: int) -> int:
    """Return how many floors so many robots get."""
    return math.ceil(robots / PER_FLOOR)


def memory(results: Results, robots: int = 10_000, floors: int = 10) -> None:
    """Report the memory per wall, per robot and per visited square metre, the scene itself included (bytes)."""
    few, _ = in_fresh_process(1, floors)
    many, seen = in_fresh_process(robots, floors)
    results.say("planar.bytes_per_wall", few / len(population(1, floors).segments))
    results.say("planar.bytes_per_robot", (many - few) / (robots - 1))
    results.say("planar.bytes_per_m2_seen", (seen - many) / len(square_metres(floors)))


def in_fresh_process(robots: int, floors: int) -> tuple[int, int]:
    """Return `resident_growth` in a process that has done nothing else (bytes)."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(resident_growth, robots, floors).result()


def resident_growth(robots: int, floors: int) -> tuple[int, int]:
    """Return what a simulation adds to the memory of this process: new, and with every place visited (bytes)."""
    with Swarm(population(1)) as small:
        small.sim_steps(time.perf_counter)
    before = resident()
    with Swarm(population(robots, floors)) as swarm:
        swarm.sim_steps(time.perf_counter)
        new = resident()
        if robots > 1:  # one alone would take too long
            swarm.tour(time.perf_counter)
        return new - before, resident() - before


def resident() -> int:
    """Return the memory that this process holds (bytes)."""
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def huge(results: Results) -> None:
    """Report real-time factors and phases of more than 100,000 robots on two threads."""
    clock = time.perf_counter
    work = population(HUGE_FLOORS * HUGE_PER_FLOOR, HUGE_FLOORS)
    begin = clock()
    with Swarm(work, threads=2) as swarm:
        print(f"{len(work.poses)} robots, {len(work.segments)} walls, ready in {clock() - begin:.1f} s")
        say_rtf(results, "rtf_huge_engine_fresh", slices(swarm.engine_steps, clock, 5.0))
        warm_up(swarm)
        say_rtf(results, "rtf_huge_engine", slices(swarm.engine_steps, clock, 10.0))
        say_rtf(results, "rtf_huge_sim", slices(swarm.sim_steps, clock, 10.0))
        say_rtf(results, "rtf_huge_with_program", slices(swarm.whole_step, clock, 10.0))
        print(f"  memory: {resident() / 1e9:.2f} GB")
        profile(results, swarm, seconds=5.0)


# ---- where the time goes


def profile(results: Results, noisy: Swarm, seconds: float) -> None:
    """Report what a robot costs in a step, by phase: CPU time on one thread, wall time on more (us)."""
    clock = time.process_time if noisy.threads == 1 else time.perf_counter
    robots = len(noisy.work.poses)
    with Swarm(noisy.work, noisy=False, threads=noisy.threads) as quiet:
        warm_up(quiet)
        rows: list[dict[str, float]] = []
        end = time.perf_counter() + seconds
        while len(rows) < 3 or time.perf_counter() < end:
            rows.append(phases(noisy, quiet, clock))
    for name in rows[0]:
        results.say(f"planar.us_{name}_{robots}", statistics.median(row[name] for row in rows) / robots * 1e6)


def phases(noisy: Swarm, quiet: Swarm, clock: Clock) -> dict[str, float]:
    """Advance a little and return what each phase of a step takes (s)."""
    whole = noisy.sim_steps(clock)
    quiet.follow(noisy)
    drive, _ = noisy.drive(clock), quiet.drive(clock)
    sense, _ = noisy.sense(clock), quiet.sense(clock)
    noise = noisy.sense(clock) - quiet.sense(clock)  # once more, now that neither meets anything new
    laser, sonar = (quiet.cast(kind, clock) for kind in ("laser", "sonar"))
    return {
        "drive_and_contact": drive,
        "laser": laser,
        "sonar": sonar,
        "noise": noise,
        "rest_of_sensing": sense - laser - sonar - noise,
        "rest_of_tick": whole - drive - sense,
        "whole_tick": whole,
    }


if __name__ == "__main__":
    main()
