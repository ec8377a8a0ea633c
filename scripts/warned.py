"""usage: warned.py RESULTS EXPERIMENT ...     prints what ms-simulate warned of in the runs of these experiments, a line for each kind

A run's end.json lists its warnings, "KIND: sentence"; make runs the programs without them.
"""

import json
import os
import sys

from arithmetic import Fault
from experiment import Experiment

NAMED = 3  # runs whose names stand in a line


def warnings_of(run):
    """The kinds of the warnings of a run, once each; none if the run is not there."""
    try:
        with open(os.path.join(run, "end.json"), encoding="utf-8") as file:
            return sorted({warning.partition(":")[0] for warning in json.load(file).get("warnings", [])})
    except (OSError, ValueError, AttributeError):
        return []  # what is missing or damaged is told elsewhere


def runs_of(experiments):
    for name in experiments:
        try:
            runs = Experiment(os.path.join("experiments", name)).runs
        except (Fault, OSError):
            continue  # it is broken, and is told elsewhere
        for run in runs:
            yield f"{name}/{run.name}"


def main(results, experiments):
    runs, kinds = list(runs_of(experiments)), {}
    for run in runs:
        for kind in warnings_of(os.path.join(results, run)):
            kinds.setdefault(kind, []).append(run)
    if not kinds:
        return
    print(f"  warned    {len(set().union(*kinds.values()))} of {len(runs)} runs; in words in {results}/RUN/end.json")
    for kind, warned in sorted(kinds.items(), key=lambda item: -len(item[1])):
        more = f" and {len(warned) - NAMED} more" if len(warned) > NAMED else ""
        print(f"            {kind}: {', '.join(warned[:NAMED])}{more}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
