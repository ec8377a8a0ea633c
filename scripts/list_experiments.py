"""usage: list_experiments.py: prints docs/experiments.md, a table of all experiments.

What an experiment shows is the first paragraph of its README; how many runs it has says its file `runs`, how many claims its claims.py
(without the statements that every experiment makes).
"""

import glob
import os
import re
import sys

from arithmetic import Fault
from claims import claims_read
from experiment import Experiment, fail
from papers import PAPERS
from written import without_expressions

GROUPS = (  # (heading, the beginning of names)
    *((paper.heading, paper.folders) for paper in PAPERS.values()),
    ("Fluids without solids", "sph-|fluids-"),
    ("Variations of these scenes, and our own methods", ""),
)
HEAD = """# Experiments

Written by `scripts/list_experiments.py >docs/experiments.md` from the folders; `tests/lint/test_names.sh` compares. `make NAME` runs an experiment, draws it
and prints its claims; `make fig03` is short for the experiment whose name begins so. Runs are those of `SCALE=small`.
A claim is a statement with a measured number and a threshold. *Not met* are statements of a paper or of physics that do not hold here; their claims say
what we found instead. [make.md](make.md) has the commands."""


def summary(path):
    """The first paragraph below the title of a README, on one line."""
    with open(path, encoding="utf-8") as file:
        parts = without_expressions(file.read()).split("\n\n")
    if len(parts) < 2 or not re.match(r"[^\W\d_]|\d", parts[1]):
        raise Fault(f"{path}:3: no summary; below the title comes a sentence that says what the experiment shows")
    return " ".join(parts[1].split()).replace("|", "\\|")


def row(name):
    folder = f"experiments/{name}"
    own = [claim for claim in claims_read(folder) if not claim.shared]
    unmet = sum(claim.known is not None for claim in own)
    return (f"| [`{name}`](../{folder}/README.md) | {summary(f'{folder}/README.md')} | {len(Experiment(folder).runs)} | {len(own)} "
            f"| {unmet or ''} |")


def listed(names):
    yield HEAD
    left = sorted(names)
    for heading, begins in GROUPS:
        here = [name for name in left if re.match(begins, name)]
        left = [name for name in left if name not in here]
        if not here:
            continue
        yield f"\n## {heading}\n\n| `make` | what it shows | runs | claims | not met |\n|---|---|---|---|---|"
        yield from map(row, sorted(here, key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]))


def main():
    if len(sys.argv) != 1:
        fail(__doc__)
    try:
        print("\n".join(listed(os.path.basename(os.path.dirname(path)) for path in glob.glob("experiments/*/runs"))))
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
