"""The results of an experiment, as claims, texts and drawings read them. What is missing is an error, never a pass.

A run is named as in experiments/<name>/runs, and a pattern (*, ?, [...]) stands for all runs it matches.

    m.column(runs, name)      every value of a column of metrics.csv, of all runs
    m.peak(runs, name)        the largest of each run          m.last(runs, name)   the last of each run
                              (not column and peak, where `runs` says `rows N`: steps would be missing)
    m.summary(runs, key)      of each run, from summary.json ('a.b' for a value inside)
    m.body(runs, body, name)  every value of a column of bodies.csv for a body, of all runs; with
                              start=S or end=S only of frames from or up to S seconds
    m.spectrum(runs, sheet, name)   the same of spectrum.csv
    m.layers(runs, body, name)      the same of layers.csv
    m.fragments(runs, body, name)   the same of fragments.csv
    m.rows(runs, file, thing, name) the same of any table with rows of things (ms-analyze --tables)
    m.table(runs, file, name) every value of a column of any table, of all rows
    m.section(runs, frame, name)    every value of a column of the cross-section of a frame that experiments/<name>/runs asks for
    m.ends(run, name)         a column of metrics.csv in the last step of each frame: for runs of very many steps
    m.field(run, number, name)      a field of a frame, a row per particle (scripts/mergesplit/frames.py)
    m.overlaps(run, number)   the mean overlap of bodies in a frame: of all pairs of its particles, and of metrics.csv
    m.data(file, column)      a column of a CSV file in the experiment's folder: published values
    m.distance(name, column)  every value of a column of a comparison of two runs
    m.measured(name)          the value that a test measured (tests/tap.h); several for a pattern
    m.times(runs)             of each run, the times of steps (scripts/timings.py); a claim about times of a busy machine is skipped
    m.cpu(runs, phase, ...)   of each run, the CPU time that its steps took, s, or these phases of them (src/schemes/timing.h); likewise
    m.bench(name, value)      a value that a program of tests/bench printed; likewise
    m.setting(runs, key)      of each run, a value of its effective configuration ('time.max_step'), as summary.json has it
    m.axis(name)              the values of an axis of experiments/<name>/runs, as they are written in the names of runs
    m.sweep(pattern, axis=v)  the runs of the statement 'run PATTERN'; with axis=value only those at this value
    m.count(runs)             how many runs there are of these names
    m.methods(runs)           how many ways to handle collisions they have between them
"""

import fnmatch
import json
import math
import os
import re

from arithmetic import Fault, NotMeasured, max  # noqa: A004
from columns import columns_read
from timings import Bench, kept_from_cores, spent_read, timing_read


class Tested:
    """What the tests of an experiment measured, by name: lines '# measured NAME VALUE' of their TAP."""

    def __init__(self, results, experiment):
        self.values = {}
        self.doubts = {}  # name -> why its value shows nothing: not every test of the program that measured it passed
        for test in experiment.tests:
            self._read(os.path.join(results, experiment.name, f"{test}.tap"), test)

    def _read(self, path, test):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        plan = [line for line in lines if re.fullmatch(r"1\.\.[1-9]\d*", line)]
        passed = [line for line in lines if re.match(r"ok \d", line) and "# SKIP" not in line]
        whole = len(plan) == 1 and len(passed) == int(plan[0][3:])
        for words in (line.split() for line in lines if line.startswith("# measured ")):
            if len(words) != 4 or words[2] in self.values:
                raise Fault(f"{path}: '{' '.join(words)}' is no '# measured NAME VALUE' of a new name")
            self.values[words[2]] = float(words[3])
            if not whole:
                self.doubts[words[2]] = f"{path}: not every test passed; see make check TESTS=test_{test}"


def measured_read(results, experiment):
    """The values that the tests of an experiment measured, all of which passed."""
    tested = Tested(results, experiment)
    if tested.doubts:
        raise Fault(next(iter(tested.doubts.values())))
    return tested.values


class Measurements:
    def __init__(self, experiment, results):
        self.experiment, self.results = experiment, results
        self.folder = os.path.join(results, experiment.name)
        self._tables, self._summaries, self._tested = {}, {}, None
        self._asked = set()  # the runs and tests that were asked for since taken() was called
        self._timed = False  # whether times were, since about_times() was
        self._doubt = None  # of a value that was asked for since doubt() was

    # ---- where values come from ------------------------------------------------------------------

    def _matching(self, pattern):
        names = [run.name for run in self.experiment.runs]
        found = [name for name in names if fnmatch.fnmatchcase(name, pattern)]
        if not found:
            raise Fault(f"no run is named '{pattern}'; the runs are {', '.join(names)}")
        self._asked.update(found)
        return found

    def taken(self):
        """The runs and tests whose values were asked for since the last call, in order."""
        asked, self._asked = self._asked, set()
        return [name for name in [*(run.name for run in self.experiment.runs), *self.experiment.tests] if name in asked]

    def about_times(self):
        """Whether times were asked for since the last call."""
        timed, self._timed = self._timed, False
        return timed

    def without(self, axis, value):
        """The same without the runs at this value of an axis."""
        fewer = type(self)(self.experiment.without(axis, value), self.results)
        fewer._tables, fewer._summaries = self._tables, self._summaries
        return fewer

    def doubt(self):
        """Why a value that was asked for since the last call cannot show that a claim holds, or None."""
        doubt, self._doubt = self._doubt, None
        return doubt

    def _table(self, path):
        if path not in self._tables:
            self._tables[path] = columns_read(os.path.join(self.folder, path))
        return self._tables[path]

    def _values(self, path, name):
        table = self._table(path)
        if name not in table:
            raise Fault(f"{path} has no column '{name}'; the columns are {', '.join(table)}")
        if not table[name]:
            raise Fault(f"{path} has no rows")
        return table[name]

    def _summary(self, run, key):
        if run not in self._summaries:
            with open(os.path.join(self.folder, run, "summary.json"), encoding="utf-8") as file:
                self._summaries[run] = json.load(file)
        value = self._summaries[run]
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                raise Fault(f"{run}/summary.json has no '{key}'")
            value = value[part]
        # null has no meaning here, "nan", "inf" and "-inf" are numbers (src/base/json.h)
        return math.nan if value is None else float(value) if value in ("nan", "inf", "-inf") else value

    def _setting(self, run, key):
        config = self._summary(run, "config")
        if key not in config:
            raise Fault(f"{run}/summary.json has no '{key}' in its configuration")
        return config[key]

    def _of_thing(self, path, thing, name, start, end):
        """A column of a table with a row per time and thing (the first column): its rows from start to end."""
        table = self._table(path)
        values, things, times = self._values(path, name), next(iter(table.values())), table["time"]
        if thing not in things:
            raise Fault(f"{path} has no '{thing}'; there are {', '.join(dict.fromkeys(things))}")
        found = [v for v, t, s in zip(values, things, times) if t == thing and start <= s <= end]
        if not found:
            raise Fault(f"{path} has no '{thing}' from {start} s to {end} s")
        return found

    def _measured_values(self):
        self._asked.update(self.experiment.tests)
        if self._tested is None:
            self._tested = Tested(self.results, self.experiment)
        return self._tested

    # ---- what claims ask for ---------------------------------------------------------------------

    def _every_step(self, run, name):
        """A column of metrics.csv with a value for every step: an extreme of every hundredth would be no extreme."""
        if self.experiment.rows:
            raise Fault(f"metrics.csv of {self.experiment.name} has a row for every {self.experiment.rows} steps only; "
                        "take what summary.json has of all steps, or m.ends()")
        return self._values(f"{run}/metrics.csv", name)

    def column(self, runs, name):
        return [value for run in self._matching(runs) for value in self._every_step(run, name)]

    def peak(self, runs, name):
        return [max(self._every_step(run, name)) for run in self._matching(runs)]

    def last(self, runs, name):
        return [self._values(f"{run}/metrics.csv", name)[-1] for run in self._matching(runs)]

    def summary(self, runs, key):
        return [self._summary(run, key) for run in self._matching(runs)]

    def rows(self, runs, file, thing, name, start=-math.inf, end=math.inf):
        return [value for run in self._matching(runs)
                for value in self._of_thing(f"{run}/{file}", thing, name, start, end)]

    def table(self, runs, file, name):
        return [value for run in self._matching(runs) for value in self._values(f"{run}/{file}", name)]

    def setting(self, runs, key):
        return [self._setting(run, key) for run in self._matching(runs)]

    def axis(self, name):
        return self.experiment.axis(name)

    def sweep(self, pattern, **place):
        return self.experiment.sweep(pattern, **place)

    def body(self, runs, body, name, start=-math.inf, end=math.inf):
        return self.rows(runs, "bodies.csv", body, name, start, end)

    def spectrum(self, runs, sheet, name, start=-math.inf, end=math.inf):
        return self.rows(runs, "spectrum.csv", sheet, name, start, end)

    def layers(self, runs, body, name, start=-math.inf, end=math.inf):
        return self.rows(runs, "layers.csv", body, name, start, end)

    def fragments(self, runs, body, name, start=-math.inf, end=math.inf):
        return self.rows(runs, "fragments.csv", body, name, start, end)

    def section(self, runs, frame, name):
        """A column of a cross-section, a row per particle."""
        return self._particles(runs, f"section-{frame}.csv", name)

    def face(self, runs, face, frame, name):
        """The same of a face."""
        return self._particles(runs, f"face-{face}-{frame}.csv", name)

    def _particles(self, runs, file, name):
        for run in self._matching(runs):
            if file not in [section for section, _ in self.experiment.sections_of(run)]:
                raise Fault(f"{self.experiment.folder}/runs has no {file} of {run}")
        return [value for run in self._matching(runs) for value in self._values(f"{run}/{file}", name)]

    def ends(self, run, name):
        from frame_ends import frame_ends
        path = os.path.join(*self._matching(run), "frames")
        if path not in self._tables:
            self._tables[path] = frame_ends(os.path.join(self.folder, path))
        return self._values(path, name)

    def field(self, run, number, name):
        from mergesplit.frames import Frame
        path = os.path.join(*self._matching(run), "frames", f"{int(number):06}.hdf")
        return Frame(os.path.join(self.folder, path))[name].tolist()

    def overlaps(self, run, number):
        from all_pairs import mean_overlap
        from frame_ends import last_row
        from mergesplit.frames import Frame
        frame = Frame(os.path.join(self.folder, *self._matching(run), "frames", f"{number:06}.hdf"))
        return mean_overlap(frame), last_row(frame)["overlap_mean"]

    def data(self, file, name):
        table = columns_read(os.path.join(self.experiment.folder, file))
        if name not in table:
            raise Fault(f"{file} has no column '{name}'; the columns are {', '.join(table)}")
        return table[name]

    def distance(self, name, column):
        if name not in [compare[0] for compare in self.experiment.compares]:
            raise Fault(f"{self.experiment.folder}/runs has no 'compare {name}'")
        self._asked.update(run for compare in self.experiment.compares if compare[0] == name for run in compare[1:3])
        return self._values(f"{name}.csv", column)

    def times(self, runs):
        self._timed = True
        found = [timing_read(os.path.join(self.folder, run)) for run in self._matching(runs)]
        for run, timing in zip(self._matching(runs), found):
            if timing.disturbed():
                raise NotMeasured(f"{run} was timed on a busy machine: {timing.disturbed()}")
        return found

    def cpu(self, runs, *phases):
        self._timed = True
        found = {run: spent_read(os.path.join(self.folder, run)) for run in self._matching(runs)}
        for run, spent in found.items():
            if spent.unknown():
                raise NotMeasured(f"{run} {spent.unknown()}")
        if kept_from_cores(found.values()):
            raise NotMeasured(f"{runs}: {kept_from_cores(found.values())}")
        return [spent.phases(*phases) if phases else spent.steps() for spent in found.values()]

    def _benched(self, name):
        return Bench.read(os.path.join(self.folder, f"{name}.bench"))

    def bench(self, name, value):
        if name not in [bench[0] for bench in self.experiment.benches]:
            raise Fault(f"{self.experiment.folder}/runs has no 'bench {name}'")
        self._timed = True
        found = self._benched(name)
        if found.disturbed():
            raise NotMeasured(f"{name} was timed on a busy machine: {found.disturbed()}")
        if value not in found.value:
            raise Fault(f"{name} did not measure '{value}'; it measured {', '.join(found.value)}")
        return found.value[value]

    def measured(self, pattern):
        found = self._measured_values()
        tested = found.values
        names = fnmatch.filter(tested, pattern)
        if not names:
            raise Fault(f"no test measured '{pattern}'; measured are {', '.join(tested) or 'none'}")
        self._doubt = next((found.doubts[name] for name in names if name in found.doubts), self._doubt)
        return tested[pattern] if pattern in tested else [tested[name] for name in names]

    def count(self, runs="*"):
        return len(self._matching(runs)) if self.experiment.runs else 0

    def methods(self, runs="*"):
        """Two runs have the same way if they have the same method and the same settings of contact.*."""
        chosen = self._matching(runs)
        return len({tuple(t for t in run.tokens if "=" not in t and not t.endswith(".yaml") or t.startswith("contact."))
                    for run in self.experiment.runs if run.name in chosen})
