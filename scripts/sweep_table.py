"""usage: sweep_table.py FILE SCALE RESULTS: the results of a sweep (scripts/sweep.py) whose runs have ended

RESULTS/NAME/sweep.csv, and the group `sweep` of sweep.hdf, have a row for each combination of the axes: their values, how many runs there are and how
many failed, and of each metric the mean over seeds and, in METRIC_ci, the half width of its 95 % confidence interval (Student's
t; nothing for a single run). runs.csv, and the group `runs` of sweep.hdf, have every run that did not fail. Those that did stand
in failed.csv alone, with what was said of them; they count in no mean.
"""

import csv
import math
import os
import statistics
import sys

import h5py
import numpy

from arithmetic import Fault
from experiment import fail
from measurements import Measurements
from sweep import Sweep

CONFIDENCE = 0.95


# ---- Student's t ---------------------------------------------------------------------------------

def within(t, freedom):
    """The probability that |T| < t, T of Student's distribution with that many degrees of freedom: Abramowitz and Stegun,
    26.7.3 (odd) and 26.7.4 (even)."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine, odd = math.cos(angle), freedom % 2
    term = total = cosine if odd else 1.0
    for k in range(3 if odd else 2, freedom - 1, 2):
        term *= cosine * cosine * ((k - 1) / k)
        total += term
    if odd:
        return 2 / math.pi * (angle + (math.sin(angle) * total if freedom > 1 else 0.0))
    return math.sin(angle) * total


def quantile(freedom):
    """t of the interval that holds CONFIDENCE, by halving."""
    low, high = 0.0, 1000.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < CONFIDENCE else (low, middle)
    return (low + high) / 2


def half_width(values):
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return math.nan
    return quantile(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))


# ---- runs ----------------------------------------------------------------------------------------

def value_of(metric, measurements, run):
    if metric.take is None:
        return float(measurements.summary(run, metric.column)[0])
    file = f"{metric.table}.csv"
    values = measurements.rows(run, file, metric.thing, metric.column) if metric.thing else measurements.table(run, file, metric.column)
    if not values or isinstance(values[0], str):
        raise Fault(f"{metric.place}: '{metric.text}': {run} has no numbers there")
    numbers = {"first": lambda: values[0], "last": lambda: values[-1], "min": lambda: min(values), "max": lambda: max(values),
               "mean": lambda: statistics.mean(values), "sum": lambda: math.fsum(values)}
    return math.nan if any(math.isnan(x) for x in values) and metric.take not in ("first", "last") else numbers[metric.take]()


class Results:
    def __init__(self, sweep, results):
        self.sweep, self.folder = sweep, os.path.join(results, sweep.name)
        measurements = Measurements(sweep, results)
        self.values, self.failed = {}, {}  # of each run: [value of each metric], or why it failed
        for run in sweep.runs:
            words = self._record(run, "failed")
            if words is not None:
                self.failed[run.name] = words.partition("\n")[2].strip()
            elif self._record(run, "done") is not None:
                self.values[run.name] = [value_of(metric, measurements, run.name) for metric in sweep.metrics]
            else:
                raise Fault(f"{self.folder}/{run.name}: has not ended; make sweep S={sweep.path} goes on")

    def _record(self, run, name):
        try:
            with open(os.path.join(self.folder, run.name, name), encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def means(self):
        """(head, rows) over seeds."""
        groups = {}
        for run in self.sweep.runs:
            groups.setdefault(tuple(run.place.values()), []).append(run.name)
        head = [*self.sweep.axes, "runs", "failed"] + [name for metric in self.sweep.metrics for name in (metric.name, f"{metric.name}_ci")]
        rows = []
        for place, names in groups.items():
            values = [self.values[name] for name in names if name in self.values]
            row = [*place, len(values), len(names) - len(values)]
            for k in range(len(self.sweep.metrics)):
                column = [of_run[k] for of_run in values]
                row += [statistics.mean(column), half_width(column)] if column else [math.nan, math.nan]
            rows.append(row)
        return head, rows

    def single(self):
        head = [*self.sweep.axes, "seed", *(metric.name for metric in self.sweep.metrics)]
        return head, [[*run.place.values(), run.seed or "", *self.values[run.name]] for run in self.sweep.runs if run.name in self.values]

    def failures(self):
        return [*self.sweep.axes, "seed", "run", "reason"], [[*run.place.values(), run.seed or "", run.name, self.failed[run.name]]
                                                             for run in self.sweep.runs if run.name in self.failed]


# ---- files ---------------------------------------------------------------------------------------

def cell(value):
    return "" if isinstance(value, float) and math.isnan(value) else repr(value) if isinstance(value, float) else str(value)


def csv_write(path, head, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(head)
        table.writerows([cell(value) for value in row] for row in rows)
        file.flush()
        os.fsync(file.fileno())


def as_array(values):
    """Whole numbers, numbers or texts, whichever all of them are."""
    for kind, dtype in ((int, "i8"), (float, "f8")):
        try:
            if kind is float or not any(isinstance(value, float) for value in values):
                return numpy.array([kind(value) for value in values], dtype)
        except (ValueError, OverflowError):
            continue
    return numpy.array([value.encode() for value in values])


def group_write(group, head, rows, explained):
    for k, name in enumerate(head):
        values = [row[k] for row in rows]
        column = group.create_dataset(name, data=as_array(values) if rows else numpy.zeros(0), track_times=False)
        if name in explained:
            column.attrs["description"] = explained[name]


def hdf_write(path, results):
    explained = {metric.name: metric.text for metric in results.sweep.metrics}
    with h5py.File(path, "w") as file:
        group_write(file.create_group("sweep"), *results.means(), explained)
        group_write(file.create_group("runs"), *results.single(), explained)
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def tables_write(results):
    """Writes each table under its final name when it is complete, and failed.csv only if a run failed."""
    folder = results.folder
    tables = {"runs.csv": results.single(), "failed.csv": results.failures(), "sweep.csv": results.means()}
    for name, (head, rows) in tables.items():
        path = os.path.join(folder, name)
        if rows or name != "failed.csv":
            csv_write(f"{path}.{os.getpid()}", head, rows)
            os.replace(f"{path}.{os.getpid()}", path)
        elif os.path.exists(path):
            os.remove(path)
    path = os.path.join(folder, "sweep.hdf")
    hdf_write(f"{path}.{os.getpid()}", results)
    os.replace(f"{path}.{os.getpid()}", path)


def main():
    if len(sys.argv) != 4:
        fail(__doc__)
    try:
        sweep = Sweep(sys.argv[1])
        results = Results(sweep, sys.argv[3])
        tables_write(results)
    except (Fault, OSError) as fault:
        fail(fault)
    number, failed = len(sweep.runs), len(results.failed)
    print(f"  wrote     {results.folder}/sweep.csv and sweep.hdf: {number - failed} of {number} runs"
          + (f"; why {failed} failed is in failed.csv, and RETRY=1 tries {'it' if failed == 1 else 'them'} again" if failed else ""))


if __name__ == "__main__":
    main()
