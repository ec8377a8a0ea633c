"""Tables that programs and we ourselves wrote, as columns: the one reader of claims, drawings and the page.

What users get, with faults told line by line, is scripts/mergesplit/tables.py.
"""

import csv
import math

LONG = 1000  # lines of a table that are read at once


def cell_value(cell):
    """A number, nan for nothing, or the name of a thing."""
    try:
        return float(cell) if cell.strip() else math.nan
    except ValueError:
        return cell


def numbers_read(lines, places):
    """Columns of nothing but numbers, at once; None of others, or if lines have not so many."""
    import numpy as np  # here: most claims need no module that takes longer to start than to read a small table
    try:
        return np.loadtxt(lines, delimiter=",", usecols=places, ndmin=2).T.tolist()
    except ValueError:
        return None


def columns_read(path, only=None):
    """{name: values} of a CSV file without its comments; of all columns, or of those in `only` that there are."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#") and line.strip()]
    names = [name.strip() for name in next(csv.reader(lines))]
    places = [place for place, name in enumerate(names) if only is None or name in only]
    columns = numbers_read(lines[1:], places) if len(lines) > LONG else None
    if columns is None:
        rows = list(csv.reader(lines[1:]))
        columns = [[cell_value(row[place]) for row in rows] for place in places]
    return {names[place]: values for place, values in zip(places, columns)}
