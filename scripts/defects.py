"""usage: defects.py [WORD...]: plants a defect of each kind, and says which test of make check and which claims of make verify notice it.

The defects are those of tests/mutants/*.txt (head of scripts/mutants.py) whose entry has a line

    % EXPERIMENT

with a cheap experiment. In a copy of the tree, the tests that the entry names run until one fails; then `make verify
E=EXPERIMENT` runs, with all simulations. A claim notices the defect if it holds without it and fails with it, by its value: not one
that is not measured because a test failed. WORD: only defects whose file or description contains one of the words.

The exit status is 0 if a test and a claim notice every defect, and 1 otherwise.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

from mutants import Baseline, all_tests, alone, build, copy_tree, environment, fault_of, judge, read_tables

TREE = "build/defects"
FAILED = re.compile(r"not ok \d+ - (\S+) \(.*\[(.*)\]$")  # one that is known not to hold ends with # TODO


def failing(root, experiment):
    """The claims that fail in make verify, {id: 'value threshold'}, and the end of what it prints."""
    made = subprocess.run(["make", "-k", "--no-print-directory", "verify", f"E={experiment}"], cwd=root, env=environment(root),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = made.stdout.splitlines()
    found = [match for match in map(FAILED.match, lines) if match]
    return {match[1]: match[2] for match in found if not match[2].startswith("nothing ")}, " / ".join(lines[-3:])


class Undisturbed:
    """The claims of experiments that fail without a defect; asked once for each."""

    def __init__(self, root):
        self.root, self.known = root, {}

    def failing(self, experiment):
        if experiment not in self.known:
            self.known[experiment] = failing(self.root, experiment)[0]
        return self.known[experiment]


def verified(root, m, undisturbed):
    """The claims that fail with the defect alone, {id: 'value threshold'}; or a text that says that there are none."""
    known = undisturbed.failing(m.experiment)
    with open(f"{root}/{m.file}", encoding="utf-8") as file:
        text = file.read()
    with open(f"{root}/{m.file}", "w", encoding="utf-8") as file:
        file.write(m.edited(text))
    try:
        claims, end = failing(root, m.experiment)
    finally:
        with open(f"{root}/{m.file}", "w", encoding="utf-8") as file:
            file.write(text)
    noticing = {name: value for name, value in claims.items() if name not in known}
    return noticing or f"no claim; {end}"


def tried(root, m, tests, baseline, undisturbed):
    """(whether a test and a claim notice it, lines of the table)"""
    verdict, detail = judge(root, m, tests, True, baseline)
    claims = verified(root, m, undisturbed)
    lines = [f"{m.file[4:]}: {m.what}",
             f"  make check   {detail if verdict == 'killed' else f'{verdict} {detail}'.strip()}"]
    if isinstance(claims, str):
        return False, [*lines, f"  make verify  {m.experiment}: {claims}"]
    return verdict == "killed", lines + [f"  make verify  {m.experiment}: {name} [{value}]" for name, value in claims.items()]


def copied(root):
    """A copy of the tree with all that make verify needs, and no results."""
    copy_tree(root)
    os.makedirs(f"{root}/results")
    shutil.copytree("results/reference", f"{root}/results/reference")
    shutil.copytree("paper-figures/preview", f"{root}/paper-figures/preview")


def count_noticed(chosen, tests):
    copied(TREE)
    root = os.path.abspath(TREE)
    baseline, undisturbed, noticed = Baseline(), Undisturbed(root), 0
    for m in chosen:
        both, lines = tried(root, m, tests, baseline, undisturbed)
        noticed += both
        print("\n".join(lines), flush=True)
    return noticed


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split(":", 2)[1].strip())
    parser.add_argument("word", nargs="*")
    words = parser.parse_args().word
    chosen = [m for m in read_tables() if m.experiment and (not words or any(w in m.file or w in m.what for w in words))]
    if not chosen:
        sys.exit("no defect of tests/mutants has a line with % and that word")
    tests = all_tests()
    faults = [fault for fault in (fault_of(m, tests) for m in chosen) if fault]
    if faults:
        sys.exit("\n".join(faults))
    build(tests)
    with alone(TREE):
        noticed = count_noticed(chosen, tests)
    print(f"\n{len(chosen)} defects: {noticed} noticed by a test and by a claim")
    return 0 if noticed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
