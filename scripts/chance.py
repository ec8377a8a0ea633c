"""How much of a claim's value is chance, results/reference/<scale>-chance.csv: from runs that differ by displacements as small
as rounding (the key `nudge`), which `make chance` makes. Another machine, compiler or order of sums changes as little."""

import csv
import json
import math
import os

from arithmetic import Fault, deviation, mean
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
