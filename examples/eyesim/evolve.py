# Evolves a wall follower: the weights from the PSDs to the turn and the speed are the genes of a genetic algorithm.
#
#   understudy eyesim evolve.py --world evolve.wld --fast
#   understudy eyesim --world evolve.wld --fast evolve.py 50 20 1 10     generations, individuals, seed, seconds
#
# A trial puts the robot back to its start and lets it drive for a while; what it gets for that is explained below.
# The program has a random generator of its own, so with --fast the same seed gives the same result, to the bit.
import random
import sys

from eye import *

DEFAULTS = 50, 20, 1, 10
GENERATIONS, PEOPLE, SEED, SECONDS = [int(word) for word in sys.argv[1:]] + list(DEFAULTS[len(sys.argv) - 1 :])
TRIAL_MS, STEP_MS = 1000 * SECONDS, 100
STARTS = ((400, 400, 0), (2600, 1600, 180))  # mm, degrees: every individual drives from each of them
WANTED, REACH = 180, 600  # mm to the wall on the left; a PSD that sees farther counts as this
SENSORS = PSD_FRONT, PSD_LEFT, PSD_RIGHT
GENES = 2 * (len(SENSORS) + 1)  # for turn and speed: a weight for each sensor, and a constant
ELITE, CHOICE, CHANGED, SPREAD = 2, 3, 0.3, 0.4

dice = random.Random(SEED)


def place(start):
    """Put the robot at a start, at rest."""
    VWSetSpeed(0, 0)
    SIMSetRobot(0, start[0], start[1], 0, start[2])
    VWSetPosition(0, 0, 0)
    OSWait(20)


def drive(genes):
    """Drive for a step by the weights; return what it is worth: the way along a wall at the wanted distance."""
    seen = [min(PSDGet(sensor), REACH) / REACH for sensor in SENSORS]
    inputs = [*seen, 1.0]
    turn = sum(gene * value for gene, value in zip(genes[:4], inputs))
    ahead = sum(gene * value for gene, value in zip(genes[4:], inputs))
    speed = max(0, min(300, round(300 * ahead)))
    VWSetSpeed(speed, max(-120, min(120, round(120 * turn))))
    OSWait(STEP_MS)
    off = abs(seen[1] * REACH - WANTED) / WANTED
    return speed * max(0.0, 1.0 - off) / 300


def trial(genes, start):
    """Return the mean worth of a trial; one that has got stuck ends at once."""
    place(start)
    worth, steps, stuck = 0.0, TRIAL_MS // STEP_MS, 0
    for _ in range(steps):
        worth += drive(genes)
        stuck = stuck + 1 if PSDGet(PSD_FRONT) < 40 else 0
        if stuck > 5:
            break
    return worth / steps


def fitness(genes):
    return sum(trial(genes, start) for start in STARTS) / len(STARTS)


def chosen(ranked):
    """Return one of the better ones: the best of a few that are drawn."""
    return min(dice.randrange(len(ranked)) for _ in range(CHOICE))


def child(ranked):
    """Return the genes of two parents, mixed and in places changed."""
    mother, father = ranked[chosen(ranked)][1], ranked[chosen(ranked)][1]
    genes = [dice.choice(pair) for pair in zip(mother, father)]
    return [gene + dice.gauss(0.0, SPREAD) if dice.random() < CHANGED else gene for gene in genes]


people = [[dice.uniform(-1.0, 1.0) for _ in range(GENES)] for _ in range(PEOPLE)]
known = {}  # a trial repeats exactly, so nobody is tried twice
ranked = []
for generation in range(1, GENERATIONS + 1):
    for genes in people:
        if tuple(genes) not in known:
            known[tuple(genes)] = fitness(genes)
    ranked = sorted(((known[tuple(genes)], genes) for genes in people), reverse=True)
    mean = sum(worth for worth, _ in ranked) / len(ranked)
    print(f"generation {generation} best {ranked[0][0]:.6f} mean {mean:.6f}", flush=True)
    LCDSetPrintf(0, 0, "generation %d best %.3f   ", generation, ranked[0][0])
    people = [genes for _, genes in ranked[:ELITE]]
    while len(people) < PEOPLE:
        people.append(child(ranked))
print("trials", len(known) * len(STARTS))
print("weights", *(f"{gene:.4f}" for gene in ranked[0][1]))
VWSetSpeed(0, 0)
