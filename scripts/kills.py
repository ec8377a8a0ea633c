"""usage: kills.py [--count N] [--seed N] [--only WORD]: kills the programs and make at random moments, N times in all, and goes on.

A round begins in an empty folder: a command is started and killed (SIGKILL, with all its children) at a moment drawn from
the time that it takes undisturbed; then the same command is started again (ms-simulate with --resume), and perhaps killed
again, until it ends by itself. After each kill every file with a final name must be whole: one that the undisturbed command
leaves has the same bytes already, and one that grows or goes away is complete in its format. At the end the files are those
of the undisturbed command, byte by byte, but for times and host names (TIMES). Threads change from start to start.

make works on the experiment of tests/make/toy, from its first compilation to the drawn page.

The exit status is 0 if all rounds ended so; otherwise 1, and the folder of the round is kept. A round is drawn with the
seed and its own number alone.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", os.path.join(PROJECT, "build"))
SCENE = os.path.join(PROJECT, "configs/examples/ball-on-cloth.yaml")
GOES_ON = 0.6  # the probability that a command that was killed is killed once more

# Names of files that are not finished: of the programs, of scripts/work, of recipes, and of compilers and linkers.
UNFINISHED = re.compile(r"\.tmp-\d+-\d+$|\.\d+(/|$)|\.new$|\.old$|/\.lock$|(^|/)cc\w{6}\.\w+$|(^|/)st\w{6}$|tmp\w{8}$")
# What differs from one undisturbed run to the next.
TIMES = re.compile(r"(^|/)((timing|memory)\.csv|manifest\.json|seconds|[a-z]*\.log|fonts/.*|progress|progress\.done)$")
# What grows during a run, or goes away at its end.
GROWS = re.compile(r"(^|/)(checkpoint\.hdf|lock|frames\.xmf)$")


class Wrong(Exception):
    pass


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def files_of(folder):
    """Finished files: path in the folder -> sha256."""
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(base, name), folder)
            if not UNFINISHED.search(path):
                found[path] = sha256(os.path.join(folder, path))
    return found


def frame_is_whole(path):
    with open(path, "rb") as file:
        text = file.read()
    return hashlib.sha256(text[512:]).hexdigest().encode() in text[:512]


def is_whole(path):
    """Whether a file that no undisturbed run leaves in the same way is complete in its format."""
    if path.endswith(".hdf"):
        return frame_is_whole(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        if path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".xmf"):
            xml.etree.ElementTree.fromstring(text)
    except (ValueError, xml.etree.ElementTree.ParseError):
        return False
    return not path.endswith(".csv") or text.endswith("\n") and len({line.count(",") for line in text.splitlines()}) == 1


def check(folder, right, ended):
    """Compares a folder with the files of an undisturbed command."""
    found = files_of(folder)
    for path, sum_ in sorted(found.items()):
        if TIMES.search(path) or GROWS.search(path) and not ended:
            if not path.endswith(("log", "progress", "progress.done", "seconds")) and not is_whole(os.path.join(folder, path)):
                raise Wrong(f"{path} is damaged")
        elif path not in right:
            raise Wrong(f"{path} is there; undisturbed it is not")
        elif sum_ != right[path]:
            raise Wrong(f"{path} differs from that of an undisturbed command")
    gone = sorted(p for p in right if p not in found and not TIMES.search(p)) if ended else []
    if gone:
        raise Wrong(f"{gone[0]} is missing")


def living(group):
    """The processes of a group that have not ended."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    state, _, their_group = file.read().rpartition(")")[2].split()[:3]
            except OSError:
                continue
            if int(their_group) == group and state != "Z":
                yield int(entry)


def start(command, folder, threads):
    keep = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "BUILD", "OMP_NUM_THREADS")}
    keep.update(OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive", LC_ALL="C")
    log = open(os.path.join(folder, "command.log"), "wb")
    with log:
        return subprocess.Popen(command, cwd=folder, env=keep, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def said(folder):
    with open(os.path.join(folder, "command.log"), encoding="utf-8", errors="replace") as file:
        return " | ".join(file.read().splitlines()[-4:])


def finish(subject, folder, threads):
    process = start(subject.command(folder), folder, threads)
    if process.wait() != 0:
        raise Wrong(f"status {process.returncode}: {said(folder)}")


def kill_after(seconds, subject, folder, threads):
    """Whether the command still ran when it was killed."""
    process = start(subject.command(folder), folder, threads)
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        while any(living(process.pid)):
            time.sleep(0.001)
        return True
    if status != 0:
        raise Wrong(f"status {status} without a kill: {said(folder)}")
    return False


class Program:
    """A command of one of the programs; `given` are the files that it reads, relative to the folder."""

    def __init__(self, name, words, given=(), share=1):
        self.name, self.words, self.given, self.share = name, words, given, share

    def prepare(self, folder, store):
        for path in self.given:
            target = os.path.join(folder, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.isdir(os.path.join(store, path)):
                shutil.copytree(os.path.join(store, path), target)
            else:
                shutil.copy(os.path.join(store, path), target)

    def command(self, folder):
        resume = ["--resume"] if self.name == "ms-simulate" and os.path.exists(os.path.join(folder, "run")) else []
        return [os.path.join(BUILD, self.name), *self.words, *resume]


class Toy:
    """make figures, in a copy of the project with one experiment and programs that take no time."""

    name, given, share = "make", (), 2

    def prepare(self, folder, store):
        toy = os.path.join(store, "toy")
        if not os.path.exists(toy):
            subprocess.run(["sh", "-c", '. "$0"; cp -r . "$1"; finish', os.path.join(PROJECT, "tests/make/toy.sh"), toy],
                           check=True, stdout=subprocess.DEVNULL)
            for made in (".run", "build"):
                shutil.rmtree(os.path.join(toy, made))
        shutil.copytree(toy, folder, dirs_exist_ok=True)

    def command(self, folder):
        return ["make", "-j2", "figures"]


SUBJECTS = [
    Program("ms-sample", ["-q", "-c", SCENE, "-s", "bodies.ball.radius=0.0025", "-o", "initial.hdf"]),
    Program("ms-simulate", ["initial.hdf", "-o", "run", "-q"], ["initial.hdf"], 3),
    Program("ms-analyze", ["run", "-o", "tables"], ["run"]),
    Program("ms-render-prep", ["frame.hdf", "--skin", "all", "--initial", "initial.hdf", "-o", "skin.ply"], ["initial.hdf", "frame.hdf"]),
    Program("ms-render-prep", ["frame.hdf", "--preview", "--size", "2000,1500", "-o", "preview.png"], ["frame.hdf"]),
    Toy(),
]


def fill(store):
    """What the programs read: an initial frame, a frame in the middle of its run, and the run."""
    run = os.path.join(store, "run")
    for words in (["ms-sample", "-q", "-c", SCENE, "-o", "initial.hdf"], ["ms-simulate", "initial.hdf", "-q", "-o", "run"]):
        subprocess.run([os.path.join(BUILD, words[0]), *words[1:]], cwd=store, check=True)
    shutil.copy(os.path.join(store, "initial.hdf"), run)
    shutil.copy(os.path.join(run, "frames/000010.hdf"), os.path.join(store, "frame.hdf"))


def undisturbed(subject, folder, store):
    """(files, seconds) of a command that is not killed."""
    os.mkdir(folder)
    subject.prepare(folder, store)
    begin = time.monotonic()
    finish(subject, folder, 1)
    return files_of(folder), time.monotonic() - begin


def round_of(subject, draw, folder, store, right, seconds, most):
    """How often the command was killed, at most `most` times, before it ended."""
    os.mkdir(folder)
    subject.prepare(folder, store)
    kills = 0
    while kills < most and (kills == 0 or draw.random() < GOES_ON):
        if not kill_after(draw.uniform(0, seconds), subject, folder, draw.choice((1, 2))):
            break
        kills += 1
        check(folder, right, ended=False)
    finish(subject, folder, draw.choice((1, 2)))
    check(folder, right, ended=True)
    shutil.rmtree(folder)
    return kills


def kill(subject, number, count, seed, scratch):
    store = os.path.join(scratch, "store")
    right, seconds = undisturbed(subject, os.path.join(scratch, f"undisturbed-{number}"), store)
    kills = rounds = 0
    while kills < count:
        rounds += 1
        draw = random.Random(f"{seed} {number} {rounds}")
        folder = os.path.join(scratch, f"round-{number}-{rounds}")
        try:
            kills += round_of(subject, draw, folder, store, right, seconds, count - kills)
        except Wrong as wrong:
            print(f"{subject.name}: round {rounds}: {wrong}\n  kept: {folder}")
            return False
    print(f"{subject.name:16s}{kills:6d} kills in{rounds:5d} rounds,{len(right):5d} files the same each time ({seconds:.2g} s undisturbed)", flush=True)
    return True


def shares(subjects, count):
    """`count` kills, by the subjects' shares; at least one each."""
    total, left = sum(s.share for s in subjects), count
    for k, s in enumerate(subjects):
        part = left if k + 1 == len(subjects) else max(1, min(left, round(count * s.share / total)))
        left -= part
        yield part


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split(":", 2)[1].strip())
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    subjects = [s for s in SUBJECTS if args.only in s.name]
    if not subjects or args.count < len(subjects):
        sys.exit(f"kills.py: {args.count} kills of {len(subjects)} commands; give at least one of each")
    scratch = tempfile.mkdtemp(prefix="kills-")
    os.mkdir(os.path.join(scratch, "store"))
    if any(s.given for s in subjects):
        fill(os.path.join(scratch, "store"))
    good = [kill(s, SUBJECTS.index(s), n, args.seed, scratch) for s, n in zip(subjects, shares(subjects, args.count))]
    if not all(good):
        return 1
    shutil.rmtree(scratch)
    print(f"{args.count} kills: all results as if there had been none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
