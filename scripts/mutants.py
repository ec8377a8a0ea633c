"""usage: mutants.py [--jobs N] [--list] [--first] [--every K] [--claims] [WORD...]: plants one defect at a time and checks whether a test detects it.

The defects are in tests/mutants/*.txt. WORD: only those whose file or description contains one of the words; --every K: of
these, ordered by file, only the first of every K.
An entry of a table reads

    [contact/merge.c] a group may be one larger than its limit @ judge merge
    - size > group_limit(
    + size > 1 + group_limit(
    ! why no test can notice (only where that is so)
    % a cheap experiment whose claims notice it (only where --claims is to look)

The text after `-` (several lines make one text) must be exactly once in the file, a path below src/, and is replaced by the
text after `+`. The tests whose names contain a word after `@` run first, then all others of tests/unit and tests/cli,
until one fails; with --first only the former run. It is a fault of the table if a defect does not compile, if its text is
not in the file, if no test has the word in its name, or if a test fails without any defect. The exit status is 0 if every defect is killed or explained by a
`!`, and 1 otherwise.

Each job works in a copy of the tree with a build folder of its own, so that a defect costs one compilation and the linking
of the tests that run.

--claims: of the defects that name an experiment, one after the other, which test of make check and which claims of `make verify
E=EXPERIMENT`, with all simulations, notice it. A claim does if it holds without the defect and fails with it, by its value: not one
that is not measured because a test failed. The exit status is 0 if a test and a claim notice every defect.
"""

import argparse
import concurrent.futures
import contextlib
import fcntl
import glob
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time

# What a test may take before it counts as one that noticed: seconds of computing of each of its processes, which a busy
# machine hardly changes, and, for tests that wait for something that never comes, seconds that pass.
COMPUTING = 360
PATIENCE = 1800
TREES, TREE_OF_CLAIMS = "build/mutants", "build/defects"
SKIPPED = {"build", "results", "paper-figures", ".git"}
HEAD = re.compile(r"\[(\S+)\] (.+?) @ (.+)$")
FAILED = re.compile(r"not ok \d+ - (\S+) \(.*\[(.*)\]$")  # a claim; one that is known not to hold ends with # TODO


class Mutant:
    def __init__(self, place, file, what, words):
        self.place, self.file, self.what, self.words = place, f"src/{file}", what, words.split()
        self.old, self.new, self.excuse, self.experiments = [], [], [], []

    @property
    def experiment(self):
        return self.experiments[0] if self.experiments else None

    def edited(self, text):
        return text.replace("\n".join(self.old), "\n".join(self.new))


def read_tables():
    mutants = []
    for path in sorted(glob.glob("tests/mutants/*.txt")):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                line, place = line.rstrip("\n"), f"{path}:{number}"
                head = HEAD.match(line)
                if head:
                    mutants.append(Mutant(place, *head.groups()))
                elif line[:1] in ("-", "+", "!", "%") and line[1:2] in (" ", "") and mutants:
                    last = mutants[-1]
                    {"-": last.old, "+": last.new, "!": last.excuse, "%": last.experiments}[line[0]].append(line[2:])
                elif line and not line.startswith("#"):
                    sys.exit(f"{place}: neither '[file] what @ tests' nor '-', '+', '!', '%' and a text")
    return mutants


def fault_of(m, tests):
    """Why the defect cannot be planted, or None: a table that went stale is an error."""
    try:
        with open(m.file, encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return f"{m.place}: there is no {m.file}"
    times = text.count("\n".join(m.old)) if m.old else 0
    if times != 1:
        return f"{m.place}: the text stands {times} times in {m.file}, not once: {m.what}"
    idle = [word for word in m.words if not named(tests, [word])]
    return f"{m.place}: no test has '{idle[0]}' in its name: {m.what}" if idle else None


def all_tests():
    """Unit tests by their programs, then shell tests by their scripts."""
    units = [f"build/tests/{os.path.basename(p)[:-2]}.t" for p in sorted(glob.glob("tests/unit/test_*.c"))]
    return units + sorted(glob.glob("tests/cli/test_*.sh"))


def named(tests, words):
    return [t for t in tests if any(w in os.path.basename(t) for w in words)]


def environment(root):
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    build = os.path.join(root, "build")
    env.update(BUILD=build, PATH=f"{build}:{env['PATH']}", OMP_WAIT_POLICY="passive", NO_INSTALL="1", LC_ALL="C")
    return env


def make(root, targets, jobs=("-j1",)):
    return subprocess.run(["make", *jobs, "--no-print-directory", *targets], cwd=root, env=environment(root),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def programs(root):
    return [f"build/ms-{os.path.basename(p)[:-2].replace('_', '-')}" for p in glob.glob(f"{root}/src/stages/*.c")]


def first_failure(root, test):
    """The first line of the test that says `not ok`, or what else is wrong with it; None if it passes."""
    process = subprocess.Popen(["prlimit", f"--cpu={COMPUTING}:", os.path.join(root, test)], cwd=root, env=environment(root),
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True)
    late = threading.Timer(PATIENCE, lambda: os.killpg(process.pid, 9))
    late.start()
    planned = failure = None
    seen = 0
    for line in process.stdout:
        if line.startswith("not ok") and "# TODO" not in line:
            failure = line.strip()
            break
        seen += line.startswith("ok ")
        planned = int(line[3:]) if re.match(r"1\.\.\d+$", line) else planned
    if failure:
        os.killpg(process.pid, 9)
    status = process.wait()
    late.cancel()
    if failure:
        return failure
    return None if status == 0 and seen == planned else f"status {status} after {seen} of {planned} tests"


class Baseline:
    """Whether a test passes without a defect; asked once for each."""

    def __init__(self):
        self.known, self.lock = {}, threading.Lock()

    def passes(self, test):
        with self.lock:
            if test not in self.known:
                self.known[test] = first_failure(os.getcwd(), test)
            return self.known[test] is None


@contextlib.contextmanager
def alone(folder):
    """While the body runs, nobody else has copies of the tree in that folder, which is gone at the end."""
    with open(f"{folder}.lock", "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"{folder}: another {os.path.basename(sys.argv[0])} is at work there; wait for its end")
        yield
        shutil.rmtree(folder, ignore_errors=True)


def copy_tree(root):
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root)
    entries = [e for e in os.listdir(".") if e not in SKIPPED]
    subprocess.run(["cp", "-a", *entries, root], check=True)
    os.makedirs(f"{root}/build")
    others = [e for e in os.listdir("build") if os.path.exists(f"build/{e}/flags")]  # folders of other flavours
    built = [f"build/{e}" for e in os.listdir("build") if not e.startswith(("mutants", "defects", "stages")) and e not in others]
    subprocess.run(["cp", "-a", *built, f"{root}/build"], check=True)


@contextlib.contextmanager
def planted(root, m):
    """While the body runs, the defect is in the copy of the tree."""
    path = f"{root}/{m.file}"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(m.edited(text))
    try:
        yield
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def judge(root, m, tests, only_first, baseline):
    """(verdict, detail): killed, survived, or a fault of the table."""
    with planted(root, m):
        first = named(tests, m.words)
        for some in (first, [] if only_first else [t for t in tests if t not in first]):
            made = make(root, [t for t in some if t.endswith(".t")] + programs(root))
            if made.returncode:
                return "fault", "does not compile:\n" + made.stdout[-2000:]
            for test in some:
                failure = first_failure(root, test)
                if failure and not baseline.passes(test):
                    return "fault", f"{test} fails without a defect: {baseline.known[test]}"
                if failure:
                    return "killed", f"{os.path.basename(test)}: {failure}"
        return "survived", ""


def report(done, of, m, verdict, detail, seconds):
    excused = " (explained)" if verdict == "survived" and m.excuse else ""
    detail = detail if verdict == "fault" else detail[:90]
    print(f"{done:3}/{of} {verdict:8}{excused} {m.file[4:]}: {m.what} [{seconds:.0f} s] {detail}", flush=True)


def build(tests):
    made = make(".", [t for t in tests if t.endswith(".t")] + ["all"])
    if made.returncode:
        sys.exit(f"the tree does not build:\n{made.stdout[-2000:]}")


def run(mutants, jobs, only_first):
    tests, baseline, results = all_tests(), Baseline(), {}
    trees = queue.Queue()
    for k in range(max(1, min(jobs, len(mutants)))):
        copy_tree(f"{TREES}/{k}")
        trees.put(os.path.abspath(f"{TREES}/{k}"))

    def one(m):
        root, begun = trees.get(), time.time()
        try:
            verdict, detail = judge(root, m, tests, only_first, baseline)
        finally:
            trees.put(root)
        results[m] = verdict
        report(len(results), len(mutants), m, verdict, detail, time.time() - begun)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(one, m) for m in mutants]:
            future.result()
    return results


def conclude(results, stale):
    of = {v: [m for m, verdict in results.items() if verdict == v] for v in ("killed", "survived", "fault")}
    print(f"\n{len(results) + len(stale)} defects: {len(of['killed'])} killed, {len(of['survived'])} survived, "
          f"{len(of['fault']) + len(stale)} faults of the table")
    for fault in stale:
        print(f"  {fault}")
    for m in of["survived"]:
        print(f"  survived  {m.file[4:]}: {m.what}" + (f": {' '.join(m.excuse)}" if m.excuse else ""))
    for m in of["killed"]:
        if m.excuse:
            print(f"  killed, though said to survive: {m.place}: {m.what}")
    return 1 if stale or of["fault"] or any(not m.excuse for m in of["survived"]) else 0


# ---- claims ------------------------------------------------------------------------------------

def failing(root, experiment):
    """The claims that fail in make verify, {id: 'value threshold'}, and the end of what it prints."""
    made = make(root, ["-k", "verify", f"E={experiment}"], ())  # as many jobs as the Makefile says
    lines = made.stdout.splitlines()
    found = [match for match in map(FAILED.match, lines) if match]
    return {match[1]: match[2] for match in found if not match[2].startswith("nothing ")}, " / ".join(lines[-3:])


def tried(root, m, tests, baseline, undisturbed):
    """(whether a test and a claim notice it, lines of the table); undisturbed: the claims of each experiment that fail anyway."""
    verdict, detail = judge(root, m, tests, True, baseline)
    if m.experiment not in undisturbed:
        undisturbed[m.experiment] = failing(root, m.experiment)[0]
    with planted(root, m):
        claims, end = failing(root, m.experiment)
    noticing = [f"{name} [{value}]" for name, value in claims.items() if name not in undisturbed[m.experiment]]
    return verdict == "killed" and bool(noticing), [
        f"{m.file[4:]}: {m.what}",
        f"  make check   {detail if verdict == 'killed' else f'{verdict} {detail}'.strip()}",
        *(f"  make verify  {m.experiment}: {claim}" for claim in noticing or [f"no claim; {end}"])]


def claims_tried(mutants):
    """Plants them in a copy of the tree with all that make verify needs, and no results."""
    tests, baseline, undisturbed, noticed = all_tests(), Baseline(), {}, 0
    root = os.path.abspath(TREE_OF_CLAIMS)
    copy_tree(root)
    os.makedirs(f"{root}/results")
    shutil.copytree("results/reference", f"{root}/results/reference")
    shutil.copytree("paper-figures/preview", f"{root}/paper-figures/preview")
    for m in mutants:
        both, lines = tried(root, m, tests, baseline, undisturbed)
        noticed += both
        print("\n".join(lines), flush=True)
    print(f"\n{len(mutants)} defects: {noticed} noticed by a test and by a claim")
    return 0 if noticed == len(mutants) else 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split(":", 2)[1].split(":")[0].strip())
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--claims", action="store_true")
    parser.add_argument("word", nargs="*")
    args = parser.parse_args()
    chosen = [m for m in read_tables() if (m.experiment or not args.claims) and (not args.word or any(w in m.file or w in m.what for w in args.word))]
    if not chosen:
        sys.exit("no defect has that word")
    if args.every < 1:
        sys.exit("--every takes a whole number, 1 or more")
    chosen = sorted(chosen, key=lambda m: m.file)[::args.every]
    tests = all_tests()
    fault = {m: fault_of(m, tests) for m in chosen}
    if args.list:
        for m in chosen:
            print(fault[m] or f"{m.file[4:]}: {m.what}")
        return 1 if any(fault.values()) else 0
    if args.claims and any(fault.values()):
        sys.exit("\n".join(filter(None, fault.values())))
    build(tests)
    if args.claims:
        with alone(TREE_OF_CLAIMS):
            return claims_tried(chosen)
    with alone(TREES):
        return conclude(run([m for m in chosen if not fault[m]], args.jobs, args.first), [f for f in fault.values() if f])


if __name__ == "__main__":
    sys.exit(main())
