"""usage: bench_against.py BASE [PAIRS [WORD]]: is this build faster or slower than that of the checkout BASE?

Both builds run the same cases in turns, the first one of a pair changing from pair to pair, so that what else the computer
does meets both. A row gives the smallest time of each, and of the ratios this / BASE of all pairs the median, the smallest
and the largest: a difference is real if both ends are on one side of 1. CPU time suffers less from other work than wall time.
The cases are those of scripts/bench.py, each with the configurations of its own checkout; WORD: only those with it in their name.
"""

import contextlib
import os
import statistics
import sys

import bench
from arithmetic import Fault
from experiment import fail

CASES = {
    "Figure 3, 1 thread": lambda: scene(bench.CLOTH, 1),
    "Figure 6 at the paper's size, 2 threads": lambda: scene(bench.WALL, 2),
    "explicit bonds, 97 336 particles, 1 thread": lambda: cube("bench_bonds"),
    "fluid, 97 336 particles, 1 thread": lambda: cube("bench_fluid"),
}


def scene(layers, threads):
    """(wall time, CPU time) of a time step, in s."""
    t, _ = bench.run_scene("build", layers, threads)
    return t["total"] / t["steps"], t["cpu"] / t["steps"]


def cube(program, edge=46, steps=20):
    values, fraction = bench.cube_steps("build", program, edge, steps, 1)
    seconds = 1e-9 * values["step"] * values["particles"]
    return seconds, seconds * fraction


@contextlib.contextmanager
def within(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def pair(case, base, this_first):
    """(times of BASE, times of this build), run in that order or in the other."""
    times = {}
    for folder in (".", base) if this_first else (base, "."):
        with within(folder):
            times[folder] = case()
    return times[base], times["."]


def row(name, pairs):
    for k, kind in enumerate(("wall time", "CPU time")):
        ratios = [this[k] / base[k] for base, this in pairs]
        smallest = [1e3 * min(times[k] for times in side) for side in zip(*pairs)]
        print(f"{name + ', ' + kind:54s}{smallest[0]:10.4g}{smallest[1]:10.4g}{statistics.median(ratios):9.3f}"
              f"{min(ratios):9.3f} ..{max(ratios):6.3f}", flush=True)


def check(base):
    for name in ("ms-sample", "ms-simulate", "ms-analyze", "tests/bench_bonds.t", "tests/bench_fluid.t"):
        if not os.access(os.path.join(base, "build", name), os.X_OK):
            raise Fault(f"{base}/build has no {name}; build there with: make -C {base} all build/tests/bench_bonds.t build/tests/bench_fluid.t")


def main():
    words = sys.argv[1:]
    if not 1 <= len(words) <= 3 or not (words[1:2] or ["5"])[0].isdigit():
        fail(__doc__)
    base, pairs, word = os.path.abspath(words[0]), int((words[1:2] or ["5"])[0]), (words[2:3] or [""])[0]
    try:
        check(base)
        check(".")
    except Fault as fault:
        fail(fault)
    print(bench.machine())
    print(f"\n{pairs} pairs; BASE is {base}\n{'milliseconds a time step':54s}{'BASE':>10s}{'this':>10s}{'ratio':>9s}{'smallest':>9s} ..{'largest':>8s}")
    for name, case in CASES.items():
        if word in name:
            row(name, [pair(case, base, number % 2 == 1) for number in range(pairs)])


if __name__ == "__main__":
    main()
