"""usage: rules.py EXPERIMENT_FOLDER SCALE OUTPUT.mk: runs and tests of an experiment as facts for make.

These are only facts (which runs, from which files, with which arguments); the rules are in the Makefile. For an experiment
that has a fault the only fact is that it is broken. OUTPUT.fault says why, for a goal that needs the experiment.
"""

import os
import re
import sys

from arithmetic import Fault
import experiment as experiments
from experiment import Experiment


def quoted(text):
    """A word quoted for the shell, inside a make variable."""
    return "'" + text.replace("'", "'\\''").replace("$", "$$").replace("#", "\\#") + "'"


def inputs(files):
    """Other files that the layers name: meshes, relative to the layer's folder."""
    for path in files:
        with open(path, encoding="utf-8") as file:
            for name in re.findall(r"^[^#\n]*\bfile:\s*([^\s#,}]+)", file.read(), re.MULTILINE):
                yield os.path.normpath(os.path.join(os.path.dirname(path), name.strip("'\"")))


def rules(experiment, scale):
    yield "# Written by scripts/rules.py."
    names = [f"{experiment.name}/{run.name}" for run in experiment.runs]
    yield "runs += " + " ".join(names)
    yield f"runs_{experiment.name} := " + " ".join(names)
    for run, name in zip(experiment.runs, names):
        files, settings = experiment.layers(run, scale)
        for path in files:
            if not os.path.exists(path):
                raise Fault(f"{experiment.folder}/runs: run {run.name} needs {path}, which does not exist")
        arguments = [f"--config {f}" for f in files] + [f"--set {quoted(s)}" for s in settings]
        yield f"arguments_{name} := " + " ".join(arguments)
        yield f"layers_{name} := " + " ".join(files)
        yield f"inputs_{name} := " + " ".join(sorted(set(inputs(files))))
        for file, arguments in experiment.sections:
            yield f"sections += {name}/{file}"
            yield f"sections_{experiment.name} += {name}/{file}"
            yield f"arguments_{name}/{file} := {arguments}"
        for file, scene, arguments in experiment.views_of(run.name):
            yield f"views += {name}/{file}"
            yield f"views_{experiment.name} += {name}/{file}"
            yield f"scene_{name}/{file} := {scene}"
            yield f"arguments_{name}/{file} := {arguments}"
    points = " ".join(f"{experiment.name}/{run}/points.json" for run in experiment.points)
    yield f"points += {points}"
    yield f"points_{experiment.name} := {points}"
    if experiment.steps:
        timed = " ".join(f"{name}/steps.csv" for name in names)
        yield f"timed += {timed}"
        yield f"timed_{experiment.name} := {timed}"
        yield f"steps_{experiment.name} := {experiment.steps}"
    benches = [f"{experiment.name}/{name}.bench" for name, _, _ in experiment.benches]
    yield "benches += " + " ".join(benches)
    yield f"benches_{experiment.name} := " + " ".join(benches)
    for target, (_, program, arguments) in zip(benches, experiment.benches):
        yield f"program_{target} := {program}.t"
        yield f"arguments_{target} := {arguments}"
    if experiment.rows:
        yield f"rows_{experiment.name} := {experiment.rows}"
    for name, a, b, body in experiment.compares:
        target = f"{experiment.name}/{name}.csv"
        yield f"distances += {target}"
        yield f"distances_{experiment.name} += {target}"
        yield f"arguments_{target} := {a} {b} {body}"
        yield f"between_{target} := {experiment.name}/{a} {experiment.name}/{b}"
    taps = [f"{experiment.name}/{name}.tap" for name in experiment.tests]
    yield "taps += " + " ".join(taps)
    yield f"taps_{experiment.name} := " + " ".join(taps)
    for name, target in zip(experiment.tests, taps):
        yield f"program_{target} := test_{name}.t"


def main():
    folder, scale, output = sys.argv[1:]
    message = os.path.splitext(output)[0] + ".fault"
    try:
        replace(output, "\n".join(rules(Experiment(folder), scale)) + "\n")
        scenes = os.path.join(os.path.dirname(os.path.dirname(output)), "scenes")
        follow_clock(output, f"{folder}/runs", __file__, experiments.__file__, scenes)
        if os.path.exists(message):
            os.remove(message)
    except (Fault, OSError) as fault:
        replace(message, f"{fault}\n")
        replace(output, f"# Written by scripts/rules.py.\nbroken += {os.path.basename(folder)}\n")
        os.utime(output, (1, 1))  # so old that it is looked at again every time, whatever puts it right


def follow_clock(output, *inputs):
    """If a clock was ahead, an input may be from the future: then the output is, too, or make would write and read it for ever."""
    newest = max(os.path.getmtime(path) for path in inputs)
    if newest > os.path.getmtime(output):
        os.utime(output, (newest, newest))


def replace(path, text):
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)


if __name__ == "__main__":
    main()
