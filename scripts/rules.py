"""usage: rules.py EXPERIMENT_FOLDER SCALE OUTPUT.mk: runs and tests of an experiment as facts for make.

These are only facts (which runs, from which files, with which arguments); the rules are in the Makefile. For an experiment
that has a fault the only fact is that it is broken. OUTPUT.fault says why, for a goal that needs the experiment.
"""

import os
import re
import sys

from arithmetic import Fault
import experiment as experiments
from experiment import Experiment, plain

HEAD = "# Written by scripts/rules.py.\nhash := \\#"
MESHES = (".obj", ".ply", ".stl")  # as src/shape/mesh_file.c has it
LARGEST = 10_000_000  # characters of a layer


def quoted(text):
    """A word quoted for the shell, inside a make variable."""
    return "'" + text.replace("'", "'\\''").replace("$", "$$").replace("#", "$(hash)") + "'"


def command(words):
    """Arguments of a recipe, which may be any text."""
    return " ".join(map(quoted, words))


def layer_lines(path):
    """The lines of a layer, without comments."""
    if not os.path.isfile(path):
        raise Fault(f"{path}: is not there, or no file; write a layer of the configuration there")
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(LARGEST + 1)
    except UnicodeDecodeError as error:
        raise Fault(f"{path}:1: {error}; write a layer in UTF-8") from error
    if len(text) > LARGEST:
        raise Fault(f"{path}:1: has more than {LARGEST} characters; a layer is a text")
    return [re.sub(r"(^|\s)#.*", "", line) for line in text.split("\n")]


def inputs(files):
    """Other files that the layers name: meshes, relative to the layer's folder. Their names become prerequisites of make, which
    has no quotes for names; and one that is not called a mesh could be that of a target."""
    for path in files:
        for number, line in enumerate(layer_lines(path), 1):
            for name in re.findall(r"""\bfile["']?\s*:\s+("[^"]*"|'[^']*'|[^,}]+)""", line):
                name = plain(f"{path}:{number}", name.strip().strip("'\""), "mesh")
                if not name.lower().endswith(MESHES):
                    raise Fault(f"{path}:{number}: '{name}' is not called a mesh; a name ending in {', '.join(MESHES[:-1])} or {MESHES[-1]} would be right")
                yield os.path.normpath(os.path.join(os.path.dirname(path), name))


def rules(experiment, scale):
    plain(experiment.folder, experiment.folder, "folder of an experiment")
    yield HEAD
    names = [f"{experiment.name}/{run.name}" for run in experiment.runs]
    yield "runs += " + " ".join(names)
    yield f"runs_{experiment.name} := " + " ".join(names)
    for run, name in zip(experiment.runs, names):
        files, settings = experiment.layers(run, scale)
        for path in files:
            if not os.path.exists(plain(f"{experiment.folder}/runs: run {run.name}", path, "layer")):
                raise Fault(f"{experiment.folder}/runs: run {run.name} needs {path}, which does not exist")
        arguments = [word for path in files for word in ("--config", path)] + [word for setting in settings for word in ("--set", setting)]
        yield f"arguments_{name} := {command(arguments)}"
        yield f"layers_{name} := " + " ".join(files)
        yield f"inputs_{name} := " + " ".join(sorted(set(inputs(files))))
        for file, arguments in experiment.sections_of(run.name):
            yield f"sections += {name}/{file}"
            yield f"sections_{experiment.name} += {name}/{file}"
            yield f"arguments_{name}/{file} := {command(arguments)}"
        for file, scene, arguments in experiment.views_of(run.name):
            yield f"views += {name}/{file}"
            yield f"views_{experiment.name} += {name}/{file}"
            yield f"scene_{name}/{file} := {scene}"
            yield f"arguments_{name}/{file} := {command(arguments)}"
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
        yield f"arguments_{target} := {command(arguments)}"
    if experiment.rows:
        yield f"rows_{experiment.name} := {experiment.rows}"
    for name, a, b, body in experiment.compares:
        target = f"{experiment.name}/{name}.csv"
        yield f"distances += {target}"
        yield f"distances_{experiment.name} += {target}"
        yield f"arguments_{target} := {command((a, b, body))}"
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
        replace(output, f"{HEAD}\nbroken += {os.path.basename(folder)}\n")
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
