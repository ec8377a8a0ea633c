"""usage: flavours.py table TEXT           builds the programs with other compilers and flags, runs the scenes of configs/examples with
                                         each, and writes what stays to the bit into the table of that text
       flavours.py compare RUN RUN       how the frames of two runs differ, in one line

The table stands between the lines BEGIN and END. A cell says that all frames have the same bytes, or from which time on they have
not, and how far particles are apart at the end, in radii: the largest distance, and that of the centers of mass of all particles.
"""

import filecmp
import glob
import os
import subprocess
import sys

import numpy as np

from experiment import fail
from mergesplit import Fault, Run

BEGIN, END = "<!-- begin of the table of make flavours -->", "<!-- end of the table of make flavours -->"
WIDE = "-march=x86-64-v4"  # AVX-512 and what comes with it
# name -> (compiler, flags); the first is what make builds on x86, and what the others are compared with
FLAVOURS = {"gcc -O3, AVX2": ("gcc", "-O3 -mavx2"), "gcc -O2, AVX2": ("gcc", "-O2 -mavx2"), "gcc -O3, AVX-512": ("gcc", f"-O3 {WIDE}"),
            "clang -O3, AVX2": ("clang", "-O3 -mavx2"), "clang -O2, AVX2": ("clang", "-O2 -mavx2")}
FOLDER = os.path.join("build", "flavours")
SCENES = sorted(glob.glob("configs/examples/*.yaml"))


def called(*words):
    ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ended.returncode != 0:
        raise Fault(f"{' '.join(words)}: {ended.stdout.strip()[-400:]}")


def folder_of(name):
    return os.path.join(FOLDER, name.lower().replace(", ", "-").replace(" -", "-"))


def built(name):
    """Builds the programs with a compiler and its flags; returns their folder."""
    compiler, flags = FLAVOURS[name]
    build = folder_of(name)
    called("make", "--no-print-directory", f"BUILD={build}", f"CC={compiler}", f"optimize={flags}",
           *(os.path.join(build, program) for program in ("ms-sample", "ms-simulate")))
    return build


def ran(build, scene):
    """Samples and simulates a scene with these programs; returns the folder of the run."""
    run = os.path.join(build, "runs", os.path.splitext(os.path.basename(scene))[0])
    called("rm", "-rf", run)
    called("mkdir", "-p", run)
    initial = os.path.join(run, "initial.hdf")
    called(os.path.join(build, "ms-sample"), "-q", "-c", scene, "-o", initial)
    called(os.path.join(build, "ms-simulate"), initial, "-o", run, "--quiet")
    return run


def distances(frame, other):
    """The largest distance of a particle, and the distance of the centers of mass, in radii, over the particles that both frames have."""
    a, b = ({number: k for k, number in enumerate(f["id"])} for f in (frame, other))
    common = sorted(a.keys() & b.keys())
    rows = [[places[number] for number in common] for places in (a, b)]
    apart = frame["position"][rows[0]] - other["position"][rows[1]]
    radius, mass = frame["radius"][rows[0]], frame["mass"][rows[0]]
    return np.max(np.linalg.norm(apart, axis=1) / radius), np.linalg.norm(mass @ apart) / np.sum(mass) / np.mean(radius)


def difference(folder, other_folder):
    """The difference between the runs in two folders, in words."""
    run, other = Run(folder), Run(other_folder)
    pairs = list(zip(run.frames.paths, other.frames.paths))
    differ = [k for k, (a, b) in enumerate(pairs) if not filecmp.cmp(a, b, shallow=False)]
    if not differ and len(run.frames) == len(other.frames):
        return "to the bit"
    if not differ:
        return f"to the bit, but {len(run.frames)} and {len(other.frames)} frames"
    last = len(pairs) - 1
    largest, mean = distances(run.frames[last], other.frames[last])
    return f"from {run.frames[differ[0]].time:.3g} s; {largest:.1g}, mean {mean:.1g}"


def table(text):
    """Markdown: a row for each flavour, a column for each scene."""
    names = [os.path.splitext(os.path.basename(scene))[0] for scene in SCENES]
    rows = [["", *names], ["---"] * (len(names) + 1)]
    base, *others = FLAVOURS
    ours = [ran(built(base), scene) for scene in SCENES]
    for name in others:
        build = built(name)
        rows.append([name, *(difference(run, ran(build, scene)) for run, scene in zip(ours, SCENES))])
        print(f"  ran       {name}: {'; '.join(rows[-1][1:])}", flush=True)
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    with open(text, encoding="utf-8") as file:
        before, _, rest = file.read().partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise Fault(f"{text}: has no lines '{BEGIN}' and '{END}', between which the table could stand")
    with open(f"{text}.new", "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{lines}\n{END}{after}")
    os.replace(f"{text}.new", text)


def main():
    try:
        if len(sys.argv) == 3 and sys.argv[1] == "table":
            table(sys.argv[2])
        elif len(sys.argv) == 4 and sys.argv[1] == "compare":
            print(difference(*sys.argv[2:]))
        else:
            fail(__doc__)
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
