"""usage: make -n --trace ... | plan.py BUILD RESULTS EXPERIMENT ...: what would run, why, how long it took.

Reads make's own trace; only simulations are timed, everything else takes seconds.
"""

import os
import signal
import re
import subprocess
import sys

from experiment import Experiment

ABOUT = {"config.yaml": "the configuration", "initial.hdf": "the initial state", "ms-simulate": "ms-simulate",
         "ms-sample": "ms-sample", "ms-analyze": "ms-analyze"}
REASON = re.compile(r"^\S+: (?:update target '(?P<t>[^']+)' due to: (?P<because>.*)"
                    r"|target '(?P<t2>[^']+)' does not exist)$")


def reason(results, run, because):
    names = [word for word in because.split() if word != "FORCE"]
    if not os.path.exists(os.path.join(results, run, "frames.sha256")):
        return "goes on from its last frame" if os.path.isdir(os.path.join(results, run, "frames")) else "never run"
    named = sorted({ABOUT.get(os.path.basename(n), os.path.basename(n)) for n in names})
    return ", ".join(named) + " changed" if named else "its frames are gone"


def current(build, results, run):
    """Times may say that a run is to be done; contents may say that it is not."""
    return subprocess.run(["scripts/steps/simulate", "--current", build, os.path.join(results, run)],
                          check=False).returncode == 0


def view_current(build, results, name):
    """The same of a view: EXPERIMENT/RUN/FILE."""
    experiment, run, file = name.split("/")
    arguments = next(words for view, _, words in Experiment(f"experiments/{experiment}").views_of(run) if view == file)
    return subprocess.run(["scripts/steps/view", "--current", build, os.path.join(results, name), *arguments.split()],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def seconds(results, run):
    try:
        with open(os.path.join(results, run, "seconds"), encoding="utf-8") as file:
            return float(file.read())
    except (OSError, ValueError):
        return None


def main():
    build, results, experiments = sys.argv[1], sys.argv[2], sys.argv[3:]
    runs, tests, views, others = {}, [], [], {}
    for line in sys.stdin:
        match = REASON.match(line.rstrip())
        if not match:
            if "***" in line:
                print(line.rstrip())
                sys.exit(2)
            continue
        target, because = match["t"] or match["t2"], match["because"] or ""
        if not target.startswith(results + "/"):
            continue
        name = target[len(results) + 1:]
        if name.endswith("/frames.sha256.stamp"):
            if not current(build, results, os.path.dirname(name)):
                runs[os.path.dirname(name)] = because
        elif name.endswith(".tap.stamp"):
            tests.append(name[:-len(".tap.stamp")])
        elif name.endswith(".png.stamp"):
            if not view_current(build, results, name[:-len(".stamp")]):
                views.append(name[:-len(".stamp")])
        elif name.endswith("/drawn.stamp"):
            others[os.path.dirname(name)] = because
    for name in [*runs, *tests, *views]:
        others.setdefault(name.split("/")[0], "")
    total, unknown = 0.0, 0
    for run in sorted(runs):
        last = seconds(results, run)
        total, unknown = total + (last or 0.0), unknown + (last is None)
        print(f"simulate  {run:52s} {'-' if last is None else f'{last:.1f} s':>8s}  {reason(results, run, runs[run])}")
    for test in sorted(tests):
        print(f"measure   {test}")
    for view in sorted(views):
        print(f"render    {view}")
    for experiment in sorted(others):
        print(f"draw      {experiment}")
    if not runs and not others:
        print(f"nothing to do: {', '.join(experiments) or 'there are no experiments'}")
    else:
        print(f"{len(runs)} simulations, {total:.0f} s one after the other when last run"
              + (f", {unknown} never timed" if unknown else ""))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `make plan | head` ends quietly
    main()
