"""CSV files as pandas.DataFrame, or as numpy's structured arrays; either way, table["time"] is a column."""

import csv
import os

import numpy as np

from .faults import Fault, reading

FORMS = ("auto", "pandas", "numpy")


def pandas_or_none(form):
    """The module, if this form of tables needs it."""
    if form not in FORMS:
        raise Fault(f"tables: '{form}' is no form of tables; there are {', '.join(FORMS)}")
    if form == "numpy":
        return None
    try:
        import pandas
        return pandas
    except ImportError:
        if form == "auto":
            return None
        raise Fault("pandas is not installed (Debian: python3-pandas); tables='numpy' does without") from None


def rows_read(path):
    """The names of columns and rows of texts, without lines that are comments."""
    try:
        with reading(path, "ms-analyze writes tables"), open(path, encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(line for line in file if not line.startswith("#")) if row]
    except FileNotFoundError:
        raise Fault(f"{path}: there is no such table") from None
    if not rows:
        raise Fault(f"{path}: is empty; a table begins with the names of its columns")
    names = [name.strip() for name in rows[0]]
    if len(set(names)) < len(names) or not all(names):
        raise Fault(f"{path}:1: columns with the same name, or with none; write it again with ms-analyze")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            raise Fault(f"{path}:{number}: {len(row)} cells, but {len(names)} columns; write it again with ms-analyze")
    return names, rows[1:]


def column_of(cells):
    """Numbers if all are (nothing is nan), whole ones if all are, else texts."""
    try:
        numbers = np.array([float(cell) if cell.strip() else np.nan for cell in cells])
    except ValueError:
        return np.array(cells, dtype=str)
    whole = all(cell.strip().lstrip("-").isdigit() for cell in cells) and np.all(np.abs(numbers) < 2**53)
    return numbers.astype(np.int64) if len(cells) and whole else numbers


def table_read(path, form="auto"):
    pandas = pandas_or_none(form)
    names, rows = rows_read(path)
    columns = {name: column_of([row[i] for row in rows]) for i, name in enumerate(names)}
    if pandas:
        return pandas.DataFrame(columns)
    table = np.empty(len(rows), dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table


def rows_of(table, column, value, path):
    """The rows in which a column has this value."""
    found = table[table[column] == value]
    if len(found) == 0:
        there = ", ".join(dict.fromkeys(str(v) for v in table[column]))
        raise Fault(f"{os.path.basename(path)}: no row has '{value}' as {column}; there are {there or 'no rows'}")
    return found
