"""usage: bench_against.py BASE [PAIRS [BUSY [WORD]]]: is this build faster or slower than that of the checkout BASE?

Both builds do the same work in turns, the first one of a pair changing from pair to pair, so that what else the computer does meets
both; with one and with two threads, and beside each of the numbers of busy loops in BUSY: '0 2' is alone and beside two. Rounds over
all work are repeated PAIRS times, or fewer if another one would not end within MINUTES. A row gives the smallest time of each build,
and of the ratios this / BASE of all pairs the median, the smallest and the largest: a difference is real if both ends are on one side
of 1. `CPU` is the median of the ratios of CPU time, which suffers less from other work. Steps of positions with one thread are timed
in CPU time alone (tests/bench/bench_positions.c). A goal is of a quiet machine.
Works are those of scripts/bench.py, shortened; each checkout has its own configurations. WORD: only works with it in their name.
"""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time

import bench
from arithmetic import Fault
from experiment import fail
from timings import rows_read

MINUTES = 12
PROGRAMS = ("ms-sample", "ms-simulate", *(f"tests/bench_{name}.t" for name in ("bonds", "fluid", "flip", "dfsph", "prefactored", "positions")))


def cube(program, arguments, rows):
    """Of a program of tests/bench: {row: (its value, what makes the value a time of this row)}."""
    def work(_, threads):
        *scene, steps = arguments.split()
        values, fraction = bench.cube_steps("build", program, " ".join(scene), steps, threads)
        in_cpu_time = program == "bench_positions" and threads == 1
        return {row: (factor(values) * values[name], factor(values) * values[name] * (1 if in_cpu_time else fraction))
                for row, (name, factor) in rows.items()}
    return work


def one(_):
    return 1.0


def thousand(_):
    return 1e3


def frame(steps):
    """ns per particle and step as ms of a frame of so many steps."""
    return lambda values: 1e-6 * steps * values["particles"]


def positions(scene, steps):
    return cube("bench_positions", scene, {"ms a frame": ("step", frame(steps))})


def scene(layers, steps, rows):
    """Steps of a scene from its start, but the first: {row: columns of steps.csv}, in ms a step."""
    def work(folder, threads):
        initial = f"{folder}/initial.hdf"
        if not os.path.exists(initial):
            subprocess.run(["build/ms-sample", *layers, "-o", initial], check=True, stdout=subprocess.DEVNULL)
        bench.spawned("build", "ms-simulate", "-q", initial, "--from", initial, "--steps", str(steps), "-o", f"{folder}/timed", threads=threads)
        timed = rows_read(f"{folder}/timed/steps.csv")[1:]
        cores = sum(row["processor_s"] for row in timed) / sum(row["wall_s"] for row in timed)
        spent = {name: 1e3 * statistics.mean(sum(row[column] for column in columns) for row in timed) for name, columns in rows.items()}
        return {name: (value, cores * value) for name, value in spent.items()}
    return work


STEP, CONTACT = ("wall_s",), ("merging_s", "synchronizing_s", "splitting_s")
GROUPS = ["--config", "experiments/fig11-group-limits/scene.yaml", *bench.METHOD]

WORKS = {
    "SPH, 97 336": cube("bench_fluid", "46 6", {"ns a particle": ("step", one), "search, ns a particle": ("search", one)}),
    "SPH, a million": cube("bench_fluid", "100 2", {"ns a particle": ("step", one)}),
    "explicit bonds, 97 336": cube("bench_bonds", "46 4", {"ns a particle": ("step", one), "evaluation, ns a particle": ("evaluation", one)}),
    "FLIP, 125 000": cube("bench_flip", "50 5", {"ns a particle": ("step", one), "pressure, ns a particle": ("pressure", one)}),
    "FLIP, a million": cube("bench_flip", "100 2", {"ns a particle": ("step", one)}),
    "incompressible SPH, 97 336": cube("bench_dfsph", "46 3", {"ns a particle": ("step", one), "product, ns a particle": ("product", one)}),
    "Figure 3": scene(bench.CLOTH, 60, {"ms a step": STEP, "second stage, ms": ("later_stages_s",)}),
    "Figure 6, 247 920": scene(bench.WALL, 3, {"ms a step": STEP, "first stage, ms": ("first_stage_s",)}),
    "Figure 11": scene(GROUPS, 40, {"ms a step": STEP, "merging and splitting, ms": CONTACT}),
    "corotated, 8 619": scene(bench.beam(0.04, 0.52), 15, {"ms a step": STEP, "elastic solve, ms": ("first_stage_s",)}),
    "factor, 8 450": cube("bench_prefactored", "50 13 9", {"set-up, ms": ("set_up", thousand), "solution, ms": ("solve", thousand)}),
    "pile": positions("pile 10 12", 2),
    "castle": positions("castle 42 5", 2),
    "layers": positions("layers 67 1", 5),
    "splash": positions("splash 37 4", 2),
    "smoke": positions("smoke 22 8", 2),
    "balloons": positions("balloons 11 6", 3),
}

GOALS = {  # with one and with two threads
    "SPH, 97 336: ns a particle": (160, 90),
    "SPH, a million: ns a particle": (160, 90),
    "explicit bonds, 97 336: ns a particle": (202, 101),
    "FLIP, 125 000: ns a particle": (None, 155),
    "Figure 6, 247 920: ms a step": (None, 200),
    "corotated, 8 619: ms a step": (None, 4),
    "pile: ms a frame": (None, 24),
    "castle: ms a frame": (None, 90),
    "layers: ms a frame": (None, 6000),
    "splash: ms a frame": (None, 225),
    "smoke: ms a frame": (None, 78),
    "balloons: ms a frame": (None, 210),
}


@contextlib.contextmanager
def within(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def beside(loops):
    """So many processes that only compute."""
    busy = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def pair(case, base, this_first):
    """What BASE and this build give, run in that order or in the other."""
    found = {}
    for folder in (".", base) if this_first else (base, "."):
        with within(folder):
            found[folder] = case()
    return found[base], found["."]


def row(name, pairs, goal=None):
    """pairs: of (wall time, CPU time) of BASE and of this build."""
    ratios = [this[0] / base[0] for base, this in pairs]
    smallest = [min(times[0] for times in side) for side in zip(*pairs)]
    cpu = statistics.median(this[1] / base[1] for base, this in pairs)
    print(f"{name:58s}{smallest[0]:10.4g}{smallest[1]:10.4g}{statistics.median(ratios):8.3f}"
          f"{min(ratios):8.3f} ..{max(ratios):6.3f}{cpu:8.3f}{goal or '':>7}".rstrip(), flush=True)


def in_folder(folder, work, name, threads):
    """The work in the checkout in which this runs, with a folder of its own."""
    own = os.path.join(folder, os.getcwd().strip("/").replace("/", "-"), name.replace(" ", "-"))
    os.makedirs(own, exist_ok=True)
    return work(own, threads)


def measure(found, base, folder, number, busy, word):
    """One pair of each work, added to {(row, threads, busy loops): pairs}."""
    for name, work in WORKS.items():
        for threads in (1, 2):
            if word not in name:
                continue
            with beside(busy):
                before, after = pair(lambda: in_folder(folder, work, name, threads), base, number % 2 == 1)
            for what in before:
                found.setdefault((f"{name}: {what}", threads, busy), []).append((before[what], after[what]))


def check(folder):
    for name in PROGRAMS:
        if not os.access(os.path.join(folder, "build", name), os.X_OK):
            raise Fault(f"{folder}/build has no {name}; build there with: make -C {folder} all " +
                        " ".join(f"build/{program}" for program in PROGRAMS if program.startswith("tests/")))


def rounds(base, pairs, loads, word):
    """(what all rounds found, how many they were)."""
    found, begin, longest, number = {}, time.monotonic(), 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        while number < pairs and time.monotonic() - begin + longest < 60 * MINUTES:
            start = time.monotonic()
            for busy in loads:
                measure(found, base, folder, number, busy, word)
            number, longest = number + 1, max(longest, time.monotonic() - start)
            print(f"pair {number} after {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return found, number


def main():
    words = sys.argv[1:]
    pairs, loads, word = [*words[1:], *["5", "0", ""][len(words[1:]):]][:3] if words else ("", "", "")
    if not 1 <= len(words) <= 4 or not pairs.isdigit() or not all(load.isdigit() for load in loads.split()):
        fail(__doc__)
    base = os.path.abspath(words[0])
    try:
        check(base)
        check(".")
    except Fault as fault:
        fail(fault)
    print(bench.machine(), flush=True)
    found, number = rounds(base, int(pairs), [int(load) for load in loads.split()], word)
    print(f"\n{number} pairs; BASE is {base}")
    print(f"{'work, threads, busy loops':58s}{'BASE':>10s}{'this':>10s}{'ratio':>8s}{'smallest':>9s} ..{'largest':>7s}{'CPU':>7s}{'goal':>7s}")
    for (name, threads, busy), times in found.items():
        row(f"{name}, {threads}, {busy}", times, GOALS.get(name, (None, None))[threads - 1])


if __name__ == "__main__":
    main()
