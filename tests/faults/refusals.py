"""usage: refusals.py REFUSE.so [--same N] [--every K] [--libraries STEP] -- COMMAND...: a command with one failed allocation, each in turn.

The command reads what is in the folder and writes to out.* or to the folder out/. Every allocation that it makes itself
fails once, of those with the same callers the first N (2) and the last: then it ends with status 1 and one line about
memory, or the result is that of an undisturbed command. --every K does only every K-th of this. With --libraries every STEP-th of all fails, those of HDF5 and GLib included,
which may crash: then no result may be damaged, and no success be claimed for less than the whole. Prints what was wrong;
exit status 1.
"""

import argparse
import array
import collections
import glob
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys

# What METIS and OpenMP print themselves before they give up.
LIBRARIES = re.compile(r"memory used: |^\*\*\*Memory allocation failed|^libgomp: Out of memory")
# What a command may take, which takes one second if nothing disturbs it: seconds of computing, which a busy machine hardly
# changes, and, for one that waits for something that never comes, seconds that pass.
COMPUTING = 60
PATIENCE = 1200
TIMES = ("timing.csv", "memory.csv", "manifest.json", "steps.csv")


def clean():
    for path in glob.glob("out*"):
        (shutil.rmtree if os.path.isdir(path) else os.remove)(path)


def results():
    """path -> sha256 of what the command has written under a final name."""
    found = {}
    for path in glob.glob("out*") + glob.glob("out/**/*", recursive=True):
        if os.path.isfile(path) and ".tmp-" not in path and not path.endswith(TIMES + ("/lock",)):
            with open(path, "rb") as file:
                found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def run(command, library, **more):
    clean()
    env = dict(os.environ, LD_PRELOAD=library, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive", **more)
    try:
        return subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=PATIENCE, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -9, stderr=f"did not end within {PATIENCE} s")


def chosen(places, same):
    """The numbers of the allocations to be refused."""
    of = collections.defaultdict(list)
    for number, place in enumerate(places):
        of[place].append(number)
    return sorted({n for numbers in of.values() for n in numbers[:same] + numbers[-1:]})


def fault(process, right, strict):
    """What is wrong with a command that got no memory once, or None."""
    now, lines = results(), process.stderr.splitlines()
    wrong = [path for path, sum_ in now.items() if right.get(path) != sum_ and not path.endswith("frames.xmf")]
    if wrong:
        return f"{wrong[0]} is not that of an undisturbed command"
    if process.returncode == 0:
        return None if now == right else "status 0, but not all results"
    ours = [line for line in lines if line and not LIBRARIES.search(line)]
    if strict and (process.returncode != 1 or len(ours) > 1 or not any("memory" in line for line in ours or lines)):
        return f"status {process.returncode}: {' | '.join(lines)[:300]}"
    return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split(":", 2)[1].strip())
    parser.add_argument("library")
    parser.add_argument("--same", type=int, default=2)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--libraries", type=int, default=0)
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    library, more = os.path.abspath(args.library), {"LIBRARIES": "1"} if args.libraries else {}
    process = run(args.command, library, REFUSE_LOG="places", **more)
    if process.returncode != 0:
        sys.exit(f"undisturbed: status {process.returncode}: {process.stderr}")
    right, places = results(), array.array("I")
    with open("places", "rb") as file:
        places.frombytes(file.read())
    numbers = range(0, len(places), args.libraries) if args.libraries else chosen(places, args.same)[::args.every]
    faults, crashes = 0, 0
    for number in numbers:
        process = run(args.command, library, REFUSE=str(number), **more)
        crashes += process.returncode < 0
        what = fault(process, right, not args.libraries)
        if what:
            faults += 1
            print(f"allocation {number}: {what}")
    clean()
    print(f"{len(places)} allocations at {len(set(places))} places, {len(numbers)} refused: {faults} faults" +
          (f", {crashes} crashes in libraries" if args.libraries else ""))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
