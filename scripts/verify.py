"""usage: verify.py evaluate EXPERIMENT_FOLDER RESULTS OUTPUT.json    measure the claims of one experiment
          verify.py print RESULTS EXPERIMENT ...                     all of them, as TAP
          verify.py keep RESULTS EXPERIMENT ...                      their values, in results/reference/

The kept values are of one machine; a value that is another here is told, and that is no failure.

An expression is Python over these functions; a run is named as in experiments/<name>/runs, and a
pattern (*, ?, [...]) stands for all runs it matches. What is missing is an error, never a pass.

    column(runs, name)      every value of a column of metrics.csv, of all runs
    peak(runs, name)        the largest of each run          last(runs, name)   the last of each run
    summary(runs, key)      of each run, from summary.json ('a.b' for a value inside)
    body(runs, body, name)  every value of a column of bodies.csv for a body, of all runs; with
                            start=S or end=S only of frames from or up to S seconds
    spectrum(runs, sheet, name)   the same of spectrum.csv
    layers(runs, body, name)      the same of layers.csv
    fragments(runs, body, name)   the same of fragments.csv
    data(file, column)      a column of a CSV file in the experiment's folder: published values
    at(x, xs, ys)           where the line through the points (xs, ys), xs ascending, is at x
    distance(name, column)  every value of a column of a comparison of two runs
    measured(name)          the value that a test measured (tests/tap.h); several for a pattern
"""

import csv
import fnmatch
import json
import math
import operator
import os
import sys

from experiment import Experiment, Fault, claims_read, fail, measured_read

HOLDS = {"==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge,
         "<": operator.lt, ">": operator.gt}


def cell_value(cell):
    """A number, nan for nothing, or the name of a thing."""
    try:
        return float(cell) if cell.strip() else math.nan
    except ValueError:
        return cell


def table_read(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        names = [name.strip() for name in next(rows)]
        values = [[cell_value(cell) for cell in row] for row in rows if row]
    return {name: [row[i] for row in values] for i, name in enumerate(names)}


class Measurements:
    """The functions of a claim's expression."""

    def __init__(self, experiment, results):
        self.experiment, self.results = experiment, results
        self.names = [run.name for run in experiment.runs]
        self.folder = os.path.join(results, experiment.name)
        self.tables, self.tested = {}, None

    def matching(self, pattern):
        names = [name for name in self.names if fnmatch.fnmatchcase(name, pattern)]
        if not names:
            raise Fault(f"no run is named '{pattern}'; the runs are {', '.join(self.names)}")
        return names

    def table(self, path):
        if path not in self.tables:
            self.tables[path] = table_read(os.path.join(self.folder, path))
        return self.tables[path]

    def values(self, path, name):
        table = self.table(path)
        if name not in table:
            raise Fault(f"{path} has no column '{name}'; the columns are {', '.join(table)}")
        if not table[name]:
            raise Fault(f"{path} has no rows")
        return table[name]

    def columns(self, runs, name):
        return [self.values(f"{run}/metrics.csv", name) for run in self.matching(runs)]

    def column(self, runs, name):
        return [value for values in self.columns(runs, name) for value in values]

    def peak(self, runs, name):
        # a value that is not a number is larger than every number, not smaller
        return [math.nan if any(map(math.isnan, v)) else max(v) for v in self.columns(runs, name)]

    def last(self, runs, name):
        return [values[-1] for values in self.columns(runs, name)]

    def summary(self, runs, key):
        found = []
        for run in self.matching(runs):
            with open(os.path.join(self.folder, run, "summary.json"), encoding="utf-8") as file:
                value = json.load(file)
            for part in key.split("."):
                if not isinstance(value, dict) or part not in value:
                    raise Fault(f"{run}/summary.json has no '{key}'")
                value = value[part]
            # null has no meaning here, "nan", "inf" and "-inf" are numbers (src/store/json.h)
            found.append(math.nan if value is None else
                         float(value) if value in ("nan", "inf", "-inf") else value)
        return found

    def of_thing(self, path, thing, name, start, end):
        """A column of a table with a row per time and thing (the first column): its rows from start to end."""
        table = self.table(path)
        values, things, times = self.values(path, name), next(iter(table.values())), table["time"]
        if thing not in things:
            raise Fault(f"{path} has no '{thing}'; there are {', '.join(dict.fromkeys(things))}")
        found = [v for v, t, s in zip(values, things, times) if t == thing and start <= s <= end]
        if not found:
            raise Fault(f"{path} has no '{thing}' from {start} s to {end} s")
        return found

    def body(self, runs, body, name, start=-math.inf, end=math.inf):
        return [value for run in self.matching(runs)
                for value in self.of_thing(f"{run}/bodies.csv", body, name, start, end)]

    def spectrum(self, runs, sheet, name, start=-math.inf, end=math.inf):
        return [value for run in self.matching(runs)
                for value in self.of_thing(f"{run}/spectrum.csv", sheet, name, start, end)]

    def layers(self, runs, body, name, start=-math.inf, end=math.inf):
        return [value for run in self.matching(runs)
                for value in self.of_thing(f"{run}/layers.csv", body, name, start, end)]

    def fragments(self, runs, body, name, start=-math.inf, end=math.inf):
        return [value for run in self.matching(runs)
                for value in self.of_thing(f"{run}/fragments.csv", body, name, start, end)]

    def data(self, file, name):
        table = table_read(os.path.join(self.experiment.folder, file))
        if name not in table:
            raise Fault(f"{file} has no column '{name}'; the columns are {', '.join(table)}")
        return table[name]

    def distance(self, name, column):
        return self.values(f"{name}.csv", column)

    def measured(self, pattern):
        if self.tested is None:
            self.tested = measured_read(self.results, self.experiment)
        names = fnmatch.filter(self.tested, pattern)
        if not names:
            raise Fault(f"no test measured '{pattern}'; measured are {', '.join(self.tested) or 'none'}")
        return self.tested[pattern] if pattern in self.tested else [self.tested[name] for name in names]


def strictly(function):
    """min and max that do not lose a value that is not a number."""
    def checked(*arguments):
        values = list(arguments[0]) if len(arguments) == 1 else arguments
        return math.nan if any(isinstance(v, float) and math.isnan(v) for v in values) else function(values)
    return checked


def at(x, xs, ys):
    """Linear interpolation; a place outside the points is an error."""
    points = list(zip(xs, ys))
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y0
    raise Fault(f"{x:g} is not within the points from {points[0][0]:g} to {points[-1][0]:g}")


def measure(claim, measurements):
    """The value of a claim, and whether it holds; or the error that kept it from being known."""
    functions = {name: getattr(measurements, name)
                 for name in ("column", "peak", "last", "summary", "body", "spectrum", "layers", "fragments",
                              "data", "distance", "measured")}
    functions.update(max=strictly(max), min=strictly(min), sum=sum, len=len, abs=abs, all=all, any=any,
                     zip=zip, at=at, sorted=sorted, range=range, nan=math.nan, log10=math.log10)
    try:
        value = float(eval(compile(claim.expression, claim.where, "eval"),  # the project's own file
                           {"__builtins__": {}, **functions}))
    except Exception as error:  # whatever it is, the claim is not tested
        return {"value": None, "holds": False, "error": f"{type(error).__name__}: {error}"}
    return judge(claim, value)


def judge(claim, value):
    holds = not math.isnan(value) and HOLDS[claim.comparison](value, claim.number)
    return {"value": value if math.isfinite(value) else str(value), "holds": holds, "error": None}


def described(claim):
    return {"id": claim.id, "expression": claim.expression, "threshold": f"{claim.comparison} {claim.number:g}",
            "statement": claim.statement, "known": claim.known}


def evaluate(folder, results, output):
    experiment = Experiment(folder)
    measurements = Measurements(experiment, results)
    report = [{**described(claim), **measure(claim, measurements)}
              for claim in claims_read(os.path.join(folder, "claims"))]
    with open(output, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")


def number_text(value):
    return value if isinstance(value, str) else "nothing" if value is None else f"{value:.6g}"


def tap_line(number, experiment, claim):
    line = (f"{'ok' if claim['holds'] else 'not ok'} {number} - {claim['id']} {experiment}: "
            f"{claim['statement']} [{number_text(claim['value'])} {claim['threshold']}]")
    line = line.replace("#", "no.")
    if claim["known"] and not claim["error"]:
        line += f" # TODO {claim['known']}"
    if claim["error"]:
        line += f"\n# {claim['error']}\n# {claim['expression']}"
    elif not claim["holds"]:
        line += f"\n# {claim['expression']}"
    return line


def claims_of(results, experiments):
    claims = []
    for experiment in experiments:
        with open(os.path.join(results, experiment, "claims.json"), encoding="utf-8") as file:
            claims += [(experiment, claim) for claim in json.load(file)]
    return claims


def reference_path(results):
    return os.path.join("results", "reference", os.path.basename(results) + ".csv")


def reference_key(experiment, claim):
    return experiment, claim["id"], claim["statement"], claim["threshold"]


def keep(results, experiments):
    path = reference_path(results)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["experiment", "id", "statement", "threshold", "value"])
        for experiment, claim in claims_of(results, experiments):
            rows.writerow([*reference_key(experiment, claim), claim["value"]])


def kept_claims(results, name):
    """The claims of an experiment with the values that were kept; none if one was not."""
    reference, claims = reference_read(results), []
    for claim in claims_read(os.path.join("experiments", name, "claims")):
        value = reference.get(reference_key(name, described(claim)))
        if value is None or value == "":
            return []
        claims.append({**described(claim), **judge(claim, float(value))})
    return claims


def reference_read(results):
    try:
        with open(reference_path(results), encoding="utf-8", newline="") as file:
            return {tuple(row[:4]): row[4] for row in list(csv.reader(file))[1:]}
    except FileNotFoundError:
        return {}


def print_all(results, experiments):
    claims, reference = claims_of(results, experiments), reference_read(results)
    print(f"1..{len(claims)}")
    for number, (experiment, claim) in enumerate(claims, 1):
        print(tap_line(number, experiment, claim))
        kept = reference.get(reference_key(experiment, claim))
        if kept is not None and kept != str(claim["value"]):
            print(f"# another value than in {reference_path(results)}: {kept}")
    failed = [c for _, c in claims if c["error"] or not (c["holds"] or c["known"])]
    known = [c for _, c in claims if c["known"] and not c["holds"] and not c["error"]]
    better = [c for _, c in claims if c["known"] and c["holds"]]
    print(f"# {len(claims)} claims: {len(claims) - len(failed) - len(known)} hold, {len(known)} known not to hold"
          + (f" ({len(better)} now do: remove their mark)" if better else "") + f", {len(failed)} failed")
    return 1 if failed or not claims else 0


def main():
    try:
        if len(sys.argv) == 5 and sys.argv[1] == "evaluate":
            evaluate(*sys.argv[2:])
        elif len(sys.argv) >= 3 and sys.argv[1] == "print":
            sys.exit(print_all(sys.argv[2], sys.argv[3:]))
        elif len(sys.argv) >= 3 and sys.argv[1] == "keep":
            keep(sys.argv[2], sys.argv[3:])
        else:
            fail(__doc__)
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
