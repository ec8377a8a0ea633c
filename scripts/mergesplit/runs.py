"""A run: a folder with an initial state, frames, and the tables that ms-analyze computes from them."""

import json
import math
import os
import re
from collections.abc import Sequence

from .faults import Fault, reading
from .frames import Frame
from .tables import pandas_or_none, rows_of, table_read


# What ms-analyze derives from the columns of frames (src/analysis/derived.h).
DERIVED = {"energy": "J", **dict.fromkeys(("momentum_drift", "coupling_drift", "solver_drift", "momentum_remainder", "angular_drift",
                                           "energy_imbalance_relative"), "1")}


def names_in(folder):
    try:
        return os.listdir(folder)
    except OSError as error:
        raise Fault(f"{folder}: cannot be read: {error.strerror}; a run is a folder that you may read") from None


class Frames(Sequence):
    """The frames of a run, in the order of time; each is read when it is asked for."""

    def __init__(self, folder):
        self.folder = folder
        names = names_in(folder) if os.path.isdir(folder) else []
        self.paths = [os.path.join(folder, name) for name in sorted(names) if re.fullmatch(r"\d{6,}\.hdf", name)]

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, number):
        if isinstance(number, slice):
            return [Frame(path) for path in self.paths[number]]
        if not -len(self) <= number < len(self):
            raise IndexError(f"{self.folder}: has no frame {number}; there are {len(self)}")
        return Frame(self.paths[number])


def numbers_in(value):
    """The values of summary.json, in which "nan", "inf" and "-inf" are numbers (src/base/json.h)."""
    if isinstance(value, dict):
        return {key: numbers_in(part) for key, part in value.items()}
    if isinstance(value, list):
        return [numbers_in(part) for part in value]
    return float(value) if value in ("nan", "inf", "-inf") else value


class Run:
    """Run(folder, tables="auto"): tables are "pandas" or "numpy"; auto: pandas if it is installed."""

    def __init__(self, folder, tables="auto"):
        self.folder, self._form = os.fspath(folder), tables
        pandas_or_none(tables)
        if not os.path.isdir(self.folder):
            raise Fault(f"{self.folder}: there is no such folder; mergesplit.run and make figures make runs")
        self.frames = Frames(os.path.join(self.folder, "frames"))
        if not len(self.frames) and not os.path.exists(self._path("initial.hdf")):
            raise Fault(f"{self.folder}: is no run: it has neither initial.hdf nor frames")

    def __repr__(self):
        return f"Run({self.folder!r}: {len(self.frames)} frames)"

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _json(self, name, maker):
        try:
            with reading(self._path(name), f"{maker} writes it again"), open(self._path(name), encoding="utf-8") as file:
                return numbers_in(json.load(file))
        except FileNotFoundError:
            raise Fault(f"{self.folder}: has no {name}; {maker} writes it") from None

    # ---- what ms-analyze wrote -------------------------------------------------------------------

    def table(self, name):
        """A table by the name of its file, without '.csv': 'fragments', 'layers', 'steps'..."""
        path = self._path(f"{name}.csv")
        if not os.path.exists(path):
            there = sorted(file[:-4] for file in names_in(self.folder) if file.endswith(".csv"))
            raise Fault(f"{self.folder}: has no table '{name}'; there are {', '.join(there) or 'none'}; "
                        "mergesplit.analyze writes those of ms-analyze --tables")
        return table_read(path, self._form)

    @property
    def metrics(self):
        """A row per time step."""
        return self.table("metrics")

    @property
    def bodies(self):
        """A row per frame and body: how each moved."""
        return self.table("bodies")

    def body(self, name):
        """The rows of one body."""
        return rows_of(self.bodies, "body", name, "bodies.csv")

    @property
    def units(self):
        """The unit of each column of metrics: 'kinetic' -> 'J'."""
        if len(self.frames) < 2:
            raise Fault(f"{self.folder}: has no frame after a step, and so no columns with units")
        frame = self.frames[1]
        return {**frame.columns("measure"), **frame.columns("ledger"), **DERIVED}

    @property
    def summary(self):
        return self._json("summary.json", "mergesplit.analyze")

    # ---- how it was made -------------------------------------------------------------------------

    @property
    def initial(self):
        return Frame(self._path("initial.hdf"))

    @property
    def config(self):
        """The effective configuration: 'time.max_step' -> 0.001."""
        return (self.initial if os.path.exists(self._path("initial.hdf")) else self.frames[0]).config

    @property
    def manifest(self):
        """Program, commit, compiler, machine and times."""
        return self._json("manifest.json", "ms-simulate")

    @property
    def end(self):
        """Why, when and after which step the run ended; without it the run is not complete."""
        return self._json("end.json", "a run that is complete")

    # ---- pictures and instants -------------------------------------------------------------------

    @property
    def sections(self):
        """Numbers of the frames whose cross-section the experiment asks for."""
        names = (re.fullmatch(r"section-(\d+)\.csv", name) for name in names_in(self.folder))
        return sorted(int(name[1]) for name in names if name)

    def section(self, number):
        """The cross-section of a frame, a row per particle."""
        if number not in self.sections:
            raise Fault(f"{self.folder}: has no cross-section of frame {number}; there are {self.sections or 'none'}")
        return self.table(f"section-{number}")

    def at(self, time):
        """The frame that is nearest to a time, s."""
        if not len(self.frames):
            raise Fault(f"{self.folder}: has no frames")
        with reading(self.frames.paths[0], "ms-simulate writes frames"):
            number = round(time / self.config["time.frame_interval"]) if math.isfinite(time) else 0
        return self.frames[min(max(number, 0), len(self.frames) - 1)]
