"""How much of a claim's value is chance.

By nudges, results/reference/<scale>-chance.csv: from runs that differ by displacements as small as rounding (the key `nudge`), which
`make chance` makes. Another machine, compiler or order of sums changes as little.

By samples, `scatter` in results/reference/<scale>.csv: where an experiment has several samples of its runs (the statement `samples`,
scripts/experiment.py), the standard deviation of a value that is computed of all of them, by the jackknife: from the values
without one sample after the other.
"""

import csv
import json
import math
import os

from arithmetic import Fault, deviation, mean, min, sum  # noqa: A004
from reference import reference_key, replace_rows

COLUMNS = ["experiment", "id", "threshold", "samples", "mean", "deviation"]

# Two-sided 99.9 % quantiles of Student's t, for 1 to 9 degrees of freedom: of a thousand values one seems to have changed
# that has not.
STUDENT = (636.62, 31.599, 12.924, 8.610, 6.869, 5.959, 5.408, 5.041, 4.781)


def chance_path(results):
    return os.path.join("results", "reference", os.path.basename(results) + "-chance.csv")


def chance_read(results):
    """(number of values, mean, standard deviation) by key."""
    try:
        with open(chance_path(results), encoding="utf-8", newline="") as file:
            return {(row["experiment"], row["id"], row["threshold"]): (int(row["samples"]), float(row["mean"]), float(row["deviation"]))
                    for row in csv.DictReader(file)}
    except FileNotFoundError:
        return {}


def chance_keep(results, experiments, values):
    """Keeps the values that the claims of these experiments had, {key: [value, ...]}; what was kept of others stays."""
    rows = [[*key, len(of_key), mean(of_key), deviation(of_key)] for key, of_key in values.items()
            if len(of_key) > 1 and all(math.isfinite(value) for value in of_key)]
    replace_rows(chance_path(results), COLUMNS, experiments, rows)


def scatter(claim, measurements):
    """The standard deviation of a claim's value by the samples of its runs; None if it has none, or names them one by one."""
    variances = []
    for axis in measurements.experiment.samples:
        fewer = [measurements.without(axis, value) for value in measurements.experiment.axis(axis)]
        try:
            values = [float(claim.function(some)) for some in fewer]
        except Exception:  # the claim was not made for fewer samples
            return None
        if any(_sampled(some, axis) for some in fewer):
            variances.append((len(values) - 1) ** 2 / len(values) * deviation(values) ** 2)
    return math.sqrt(sum(variances)) if variances else None


def _sampled(measurements, axis):
    """Whether runs with this axis were asked for since the measurements were made."""
    asked = measurements.taken()
    return any(axis in run.place for run in measurements.experiment.runs if run.name in asked)


def distance(value, number, chance, of_samples):
    """How far a value is from a threshold, in standard deviations by nudges (then it is their mean that counts) or else by samples;
    None if neither is known, inf if they are 0. Of positive numbers it is the ratio that counts."""
    if chance:
        value, spread = chance[1:]
    elif of_samples is None:
        return None
    else:
        spread = of_samples
    if spread == 0:
        return math.inf
    return abs(math.log(value / number)) * value / spread if min(value, number) > 0 else abs(value - number) / spread


def reach(chance):
    """How far from the mean a further value can be: the half width of its prediction interval."""
    samples, _, spread = chance
    if not 2 <= samples <= len(STUDENT) + 1:
        raise Fault(f"{samples} values of a claim; Student's t is tabulated for 2 to {len(STUDENT) + 1}")
    return STUDENT[samples - 2] * spread * math.sqrt(1 + 1 / samples)


def is_chance(value, chance):
    """Whether chance explains a value; None if its chance is not known."""
    return None if chance is None else abs(value - chance[1]) <= reach(chance)


def values_of(trees, experiments):
    """The values of claims in several trees of results: {key: [value, ...]}; a claim without a value in one of them has none."""
    values = {}
    for tree in trees:
        for name in experiments:
            with open(os.path.join(tree, name, "claims.json"), encoding="utf-8") as file:
                for claim in json.load(file):
                    if claim["value"] is not None:
                        values.setdefault(reference_key(name, claim), []).append(float(claim["value"]))
    return {key: of_key for key, of_key in values.items() if len(of_key) == len(trees)}
