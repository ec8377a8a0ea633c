"""The programs, driven from Python. What a program says is wrong becomes a ProgramError with its words.

A scene is the path of a configuration, or a mapping as Python has it, or a frame of a run, which the new one goes on from, or a list of such
layers, each overriding those before it, a frame first. Settings override them all: `time__end=0.1` or `**{"time.end": 0.1}` is --set time.end=0.1.
"""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import warnings

from .faults import Fault, ProgramError
from .frames import Frame
from .runs import Run


def program_path(name):
    """The path of a program: in $MERGESPLIT_PROGRAMS, in build/ of the checkout or bin/ of the installation that this file is part of, or on the PATH."""
    folder, places = os.path.dirname(os.path.abspath(__file__)), []
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        places += [os.path.join(folder, "build", name), os.path.join(folder, "bin", name)]
    if os.environ.get("MERGESPLIT_PROGRAMS"):
        places.insert(0, os.path.join(os.environ["MERGESPLIT_PROGRAMS"], name))
    for place in places + [shutil.which(name) or ""]:
        if os.access(place, os.X_OK):
            return place
    raise Fault(f"{name} is not found; build it with make, or give its folder as MERGESPLIT_PROGRAMS")


def call(name, *words, threads=None):
    """Runs a program and returns its standard output. What the program warns of becomes a warning of Python."""
    surroundings = dict(os.environ)
    if threads is not None:
        surroundings["OMP_NUM_THREADS"] = str(threads)
    ended = subprocess.run([program_path(name), *map(os.fspath, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, env=surroundings, check=False)
    said = [line[len(name) + 2:] for line in ended.stderr.splitlines() if line.startswith(f"{name}: ")]
    if ended.returncode != 0:
        faults = said if name != "ms-simulate" else said[-1:]
        raise ProgramError("\n".join(faults) or f"{name} ended with status {ended.returncode}", name, ended.returncode)
    for line in said:
        if line.startswith("warning: "):
            warnings.warn(f"{name}: {line[9:]}", stacklevel=3)
    return ended.stdout


def path_word(path):
    """A path as an argument that is no option, whatever it begins with."""
    path = os.fspath(path)
    return os.path.join(".", path) if path.startswith("-") else path


def number_text(value):
    """A value as JSON, which is YAML."""
    return value if isinstance(value, str) else json.dumps(value)


def layers_of(scene, folder):
    """Options of ms-sample for the layers; those that are mappings are written to the folder first."""
    layers = scene if isinstance(scene, (list, tuple)) else [scene]
    for number, layer in enumerate(layers):
        if isinstance(layer, dict):
            path = os.path.join(folder, f"layer-{number}.yaml")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(layer, file, indent=2)
            yield from ("--config", path)
        elif isinstance(layer, Frame):
            yield from ("--from", layer.path)
        else:
            yield from ("--config", os.fspath(layer))


def sample(scene, folder, **settings):
    """Writes FOLDER/initial.hdf and returns its path."""
    os.makedirs(folder, exist_ok=True)
    initial = os.path.join(folder, "initial.hdf")
    with tempfile.TemporaryDirectory() as scratch:
        words = list(layers_of(scene, scratch))
        for key, value in settings.items():
            words += ["--set", f"{key.replace('__', '.')}={number_text(value)}"]
        call("ms-sample", *words, "--quiet", "--output", initial)
    return initial


def simulate(folder, initial=None, resume=False, until=None, threads=None):
    """Simulates FOLDER/initial.hdf, or another initial state, into the folder. Returns the Run."""
    words = [path_word(initial or os.path.join(folder, "initial.hdf")), "--output", folder]
    if resume:
        words.append("--resume")
    if until is not None:
        words += ["--until", repr(float(until))]
    call("ms-simulate", *words, threads=threads)
    return Run(folder)


def analyze(folder):
    """Writes the tables and the summary of a run. Returns the Run."""
    folder = folder.folder if isinstance(folder, Run) else folder
    call("ms-analyze", path_word(folder), "--output", folder)
    return Run(folder)


def forget(folder):
    """Removes what ms-simulate wrote into the folder of a run."""
    shutil.rmtree(os.path.join(folder, "frames"), ignore_errors=True)
    for name in ("frames.xmf", "timing.csv", "memory.csv", "end.json", "checkpoint.hdf"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(folder, name))


def run(scene, folder, threads=None, replace=False, **settings):
    """All three: from a scene to a Run with its tables. replace: in place of an earlier run in that folder."""
    sample(scene, folder, **settings)
    if replace:
        forget(folder)
    simulate(folder, threads=threads)
    return analyze(folder)
