"""usage: progress.py start BUILD RESULTS EXPERIMENT ...    before make simulates: notes which runs may have to be simulated, and
                                                         prints the experiments that have some
          progress.py done BUILD RUN SECONDS                after one of them: prints how many are done, and how long the rest may take

A run is expected to take as long as last time or, if it was never run, as long as the mean of those that are done. How many
run at the same time follows from the times of those that are done.
"""

import json
import os
import sys
import time

from arithmetic import Fault
from experiment import Experiment


def modified(path):
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def seconds_last(run):
    try:
        with open(os.path.join(run, "seconds"), encoding="utf-8") as file:
            return float(file.read())
    except (OSError, ValueError):
        return None


def start(build, results, experiments):
    runs = {}
    for name in experiments:
        try:
            names = [run.name for run in Experiment(os.path.join("experiments", name)).runs]
        except (Fault, OSError):
            continue  # it is broken, and is told elsewhere
        for run in (os.path.join(results, name, run) for run in names):
            stamp = modified(os.path.join(run, "frames.sha256.stamp"))
            newest = max(map(modified, (os.path.join(run, "initial.hdf"), os.path.join(build, "ms-simulate"),
                                        os.path.join(build, "content/scripts/steps/simulate"))))
            if stamp < newest or not os.path.exists(os.path.join(run, "frames.sha256")):
                runs[run] = seconds_last(run)
    begin(build, runs)
    print(*dict.fromkeys(os.path.basename(os.path.dirname(run)) for run in runs))


def begin(build, runs):
    """runs: {folder: how many seconds it took last time, or None}."""
    temporary = os.path.join(build, f"progress.{os.getpid()}")
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump({"began": time.time(), "runs": runs}, file)
    os.replace(temporary, os.path.join(build, "progress"))
    with open(os.path.join(build, "progress.done"), "w", encoding="utf-8"):
        pass


def told(build, run):
    """The runs that told that they are done, this one included; several may tell at once."""
    with open(os.path.join(build, "progress.done"), "a+", encoding="utf-8") as file:
        file.write(f"{run}\n")
        file.flush()
        file.seek(0)
        return set(file.read().split("\n"))


def left(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def done(build, run, seconds):
    try:
        with open(os.path.join(build, "progress"), encoding="utf-8") as file:
            progress = json.load(file)
    except OSError:
        return ""
    runs, began = progress["runs"], progress["began"]
    if run not in runs:
        return ""
    others = told(build, run)
    ready = [name for name in runs if name in others or modified(os.path.join(name, "frames.sha256.stamp")) >= began]
    took = {name: seconds if name == run else seconds_last(name) or 0.0 for name in ready}
    mean = sum(took.values()) / len(took)
    rest = sum(mean if last is None else last for name, last in runs.items() if name not in took)
    at_once = max(1.0, sum(took.values()) / max(time.time() - began, 1e-3))
    return f" ({len(ready)} of {len(runs)}" + (f", some {left(rest / at_once)} left)" if len(ready) < len(runs) else ")")


def main():
    if sys.argv[1] == "start":
        start(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        print(done(sys.argv[2], sys.argv[3], float(sys.argv[4])))


if __name__ == "__main__":
    main()
