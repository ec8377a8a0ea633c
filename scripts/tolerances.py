"""How far results of another compiler, library or processor may be from ours before they are called different.

Such results differ in roundings: 1e-16 of a value, each time. As long as nothing amplifies them, they stay far below 1e-6 of the
largest value of a quantity; collisions and fracture amplify them until two runs have nothing but their statistics in common.
There is little in between, so that the exact limit hardly matters: what is beyond has left the path, and only claims, with what
is known of their chance (scripts/chance.py), can then be compared.
"""

import fnmatch
import math

OF_LARGEST = 1e-6  # of the largest value in a column
# Remainders are made of nothing but roundings. They are fractions of what should balance, and claims allow them 1e-9.
REMAINDERS = ("*_drift", "*remainder*", "*imbalance*")
REMAINDER = 1e-9
# How much a pixel may change at the edge of a letter or a curve, of 255, and how many in a thousand may change more.
PIXEL, PIXELS = 16, 1.0


def numbers(value):
    """The numbers of a column or an array, or of one text; None if it is no number."""
    try:
        if isinstance(value, str):
            return [float(value)]
        if hasattr(value, "values"):
            return [float(x) for x in value.values.ravel()]
        return [float(x) if x.strip() else math.nan for x in value]
    except ValueError:
        return None


def distance(name, old, new):
    """How many times the tolerance two values of one name are apart; infinite if they are no numbers, or not as many."""
    old, new = numbers(old), numbers(new)
    if old is None or new is None or len(old) != len(new):
        return math.inf
    last = name.rpartition(".")[2]
    limit = REMAINDER if any(fnmatch.fnmatch(last, pattern) for pattern in REMAINDERS) else OF_LARGEST * max((abs(x) for x in old if math.isfinite(x)), default=0)
    worst = 0.0
    for a, b in zip(old, new):
        if a == b or math.isnan(a) and math.isnan(b):
            continue
        apart = abs(a - b)
        worst = max(worst, apart / limit if limit > 0 and math.isfinite(apart) else math.inf)
    return worst


def stated():
    return (f"tolerances: {OF_LARGEST:g} of the largest value of a column, {REMAINDER:g} for {', '.join(REMAINDERS)}; of pictures, {PIXELS:g} "
            f"of 1000 pixels that change by more than {PIXEL} of 255; of claims, what make chance knows of them")
