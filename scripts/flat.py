"""The contents of a result file as one table: name -> value, in no order, so that two files can be compared by names.

A value is a text, or the bytes of an array with its shape and type, or a list of texts (a column of a CSV file). What only
explains (units, sentences, the list of fields, the version of a format) and what differs between two runs of one program
(times, host names) is left out. `fits` says whether a file has results at all.
"""

import csv
import json
import os
import re

import h5py
import numpy

TIMES = ("timing.csv", "memory.csv", "steps.csv", "steps.json", "manifest.json")
EXPLAIN = ("format", "version", "fields")


def fits(name):
    """Whether a file of this name has results that can be read by names."""
    return name.endswith((".hdf", ".csv", ".json", ".tap", "config.yaml")) and name not in TIMES and name != "checkpoint.hdf"


class Array:
    """The bits of an array; equal only to the same bits in the same shape."""

    def __init__(self, values):
        self.values = numpy.ascontiguousarray(values)

    def __eq__(self, other):
        return (isinstance(other, Array) and self.values.dtype == other.values.dtype and self.values.shape == other.values.shape
                and self.values.tobytes() == other.values.tobytes())

    def __iter__(self):
        """Rows as texts with all their digits."""
        return (" ".join(repr(x) for x in numpy.atleast_1d(row).ravel().tolist()) for row in numpy.atleast_1d(self.values))

    def __str__(self):
        return f"{self.values.dtype}{list(self.values.shape)}"


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def of_configuration(lines):
    """Names of keys joined by points; what is no `key: value` stands for itself."""
    table, above = {}, []
    for line in lines.splitlines():
        key = re.match(r"( *)([\w.+-]+):(?: (.*))?$", line)
        if not key:
            table[line.strip()] = ""
            continue
        above = above[:len(key[1]) // 2] + [key[2]]
        if key[3] is not None:
            table[".".join(above)] = key[3]
    return table


def of_json(value, name=""):
    """Names of keys joined by points; members of a list are counted, or named by their `id`."""
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = ((item.get("id", i) if isinstance(item, dict) else i, item) for i, item in enumerate(value))
    else:
        return {name: repr(value) if isinstance(value, float) else text(value)}
    return {key: leaf for part, item in members for key, leaf in of_json(item, f"{name}.{part}" if name else str(part)).items()}


def of_claims(claims):
    """The values of claims; neither their sentences nor times are results."""
    return of_json([{key: claim[key] for key in (("id",) if claim.get("times") else ("id", "value", "holds"))} for claim in claims])


def of_dataset(name, data):
    """One entry, or one for each column of a table that names its columns."""
    if "columns" in data.attrs:
        rows = data[()]
        return {f"{name}.{text(column)}": Array(rows[:, k]) for k, column in enumerate(data.attrs["columns"])}
    if data.dtype.kind in "SO":
        texts = [text(value) for value in numpy.atleast_1d(data[()]).tolist()]
        if name == "config":
            return {f"{name}.{key}": value for key, value in of_configuration(texts[0]).items()}
        return {name: texts}
    return {name: Array(data[()])}


def of_frame(path):
    table = {}
    with h5py.File(path, "r") as file:
        for key, value in file.attrs.items():
            if key not in EXPLAIN:
                table[f"attribute.{key}"] = text(value)
        for name, item in file.items():
            if isinstance(item, h5py.Dataset):  # the group beside them is the same fields once more, for ParaView
                table.update(of_dataset(name, item))
    return table


def of_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        try:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        except csv.Error as error:
            raise ValueError(error) from error
    head = rows[0] if rows else []
    for number, row in enumerate(rows[1:], 1):
        if len(row) < len(head):
            raise ValueError(f"row {number} has {len(row)} cells, and the table {len(head)} columns")
    return {name: [row[k] for row in rows[1:]] for k, name in enumerate(head)}


def contents(path):
    name = os.path.basename(path)
    if name.endswith(".hdf"):
        return of_frame(path)
    if name.endswith(".csv"):
        return of_csv(path)
    with open(path, encoding="utf-8") as file:
        if name == "claims.json":
            return of_claims(json.load(file))
        if name.endswith(".json"):
            return of_json(json.load(file))
        if name.endswith(".tap"):
            return dict(re.findall(r"^# measured (\S+) (\S+)$", file.read(), re.MULTILINE))
        return of_configuration(file.read())
