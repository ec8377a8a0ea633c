"""usage: make -n --trace ... | plan.py BUILD SCALE RESULTS EXPERIMENT ...: what would run, why, how long it took.

Reads make's own trace, and compares contents where times alone say that something is to be redone. Nothing is built: a
program whose sources are newer counts as changed, and so do all its results. Times are given for simulations only, because
everything else takes seconds.
"""

import os
import re
import signal
import subprocess
import sys

from arithmetic import Fault
from experiment import Experiment
from progress import modified, seconds_last

TRACE = re.compile(r"^\S+: (?:update target '(?P<newer>[^']+)' due to: (?P<because>.*)|target '(?P<gone>[^']+)' does not exist)$")


def run_quietly(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


class Plan:
    def __init__(self, build, scale, results, targets):
        self.build, self.scale, self.results, self.targets = build, scale, results, targets

    def stale(self, program):
        """Whether a program has to be built again."""
        path = os.path.join(self.build, program)
        return f"{path}.stamp" in self.targets or not os.path.exists(path)

    def due(self, *parts):
        return "/".join((self.results, *parts)) + ".stamp" in self.targets

    # ---- one run -----------------------------------------------------------------------------

    def configurations(self, experiment, run):
        """(of the run as it was made, of the run as it would be made now, what is wrong with the latter); None: there is none."""
        files, settings = experiment.layers(run, self.scale)
        words = [word for file in files for word in ("--config", file)] + [word for s in settings for word in ("--set", s)]
        found = run_quietly(os.path.join(self.build, "ms-sample"), "--effective", *words)
        try:
            with open(os.path.join(self.results, experiment.name, run.name, "config.yaml"), "rb") as file:
                was = file.read()
        except OSError:
            was = None
        return was, found.stdout if found.returncode == 0 else None, found.stderr.decode(errors="replace").strip()

    def other_configuration(self, experiment, run):
        """Whether the configuration of a run has other contents, which is looked at only if the times say so."""
        if not self.due(experiment.name, run.name, "config.yaml"):
            return False
        was, now, _ = self.configurations(experiment, run)
        return was is None or was != now

    def why(self, experiment, run):
        """Why a run would be simulated; None if it would not."""
        folder = os.path.join(self.results, experiment.name, run.name)
        if not os.path.exists(os.path.join(folder, "frames.sha256")):
            if os.path.isdir(os.path.join(folder, "frames")):
                return "continues from its last frame, if nothing else changed"
            return "never run" if seconds_last(folder) is None else "its frames are gone"
        for program in ("ms-sample", "ms-simulate"):
            if self.stale(program):
                return f"{program} must be rebuilt"
        if self.other_configuration(experiment, run):
            return "its configuration changed"
        if self.due(experiment.name, run.name, "initial.hdf"):
            newer = modified(os.path.join(self.build, "ms-sample")) > modified(os.path.join(folder, "initial.hdf.stamp"))
            return "ms-sample changed" if newer else "a file that its bodies are made of changed"
        if not self.due(experiment.name, run.name, "frames.sha256"):
            return None
        program = os.path.join(self.build, "ms-simulate")
        if modified(program) > modified(os.path.join(folder, "frames.key")):
            return "ms-simulate changed"
        current = run_quietly("scripts/steps/simulate", "--current", self.build, folder).returncode == 0
        return None if current else "its initial state, the program or the recipe changed"

    def view_due(self, experiment, run, file, arguments):
        path = os.path.join(self.results, experiment.name, run.name, file)
        if not self.due(experiment.name, run.name, file):
            return False
        return self.stale("ms-render-prep") or not os.path.exists(path) or run_quietly(
            "scripts/steps/view", "--current", self.build, os.path.dirname(path), path, "draft", *arguments).returncode != 0

    # ---- one experiment ----------------------------------------------------------------------

    def of(self, experiment):
        """(kind, name, reason) of all that is to be done."""
        found = []
        for run in experiment.runs:
            name = f"{experiment.name}/{run.name}"
            because = self.why(experiment, run)
            if because:
                found.append(("simulate", name, because))
            found += [("render", f"{name}/{file}", "") for file, _, arguments in experiment.views_of(run.name)
                      if because or self.view_due(experiment, run, file, arguments)]
        found += [("measure", f"{experiment.name}/{test}", "") for test in experiment.tests
                  if self.due(experiment.name, f"{test}.tap") or self.stale(f"tests/test_{test}.t")]
        if found or self.due(experiment.name, "drawn"):
            found.append(("draw", experiment.name, ""))
        if found or self.due(experiment.name, "claims.json"):
            found.append(("verify", experiment.name, ""))
        return found


def trace_read(lines):
    """Targets that make would remake, each with the prerequisites that are the reason; make's own errors are told."""
    targets = {}
    for line in lines:
        match = TRACE.match(line.rstrip())
        if match:
            targets[match["newer"] or match["gone"]] = (match["because"] or "").split()
        elif "***" in line and "not remade" not in line:
            print(line.rstrip(), file=sys.stderr)
    return targets


def main():
    build, scale, results, experiments = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    plan = Plan(build, scale, results, trace_read(sys.stdin))
    found = []
    for name in experiments:
        try:
            found += plan.of(Experiment(os.path.join("experiments", name)))
        except (Fault, OSError) as fault:
            found.append(("broken", name, str(fault)))
    total, unknown = 0.0, 0
    order = ("broken", "simulate", "measure", "render", "draw", "verify")
    for kind, name, because in sorted(found, key=lambda item: order.index(item[0])):
        last = seconds_last(os.path.join(results, name)) if kind == "simulate" else None
        total, unknown = total + (last or 0.0), unknown + (kind == "simulate" and last is None)
        time = "-" if last is None else f"{last:.1f} s"
        print(f"{kind:9s} {name:52s} {time if kind == 'simulate' else '':>8s}  {because}".rstrip())
    runs = sum(kind == "simulate" for kind, _, _ in found)
    if not found:
        print(f"nothing to do: {', '.join(experiments) or 'there are no experiments'}")
    else:
        print(f"{runs} simulations, {total:.0f} s one after the other when last run" + (f", {unknown} never timed" if unknown else ""))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `make plan | head` ends quietly
    main()
