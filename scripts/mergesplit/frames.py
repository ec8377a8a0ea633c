"""Frames: all particles at one instant, from one HDF5 file."""

import collections
import hashlib
import os

import numpy as np

from .configuration import config_read
from .faults import Fault

Field = collections.namedtuple("Field", "name unit meaning")
HEAD, WORD = 512, b"mergesplit frame\n"  # src/store/frame_digest.h
FREE, FIXED, PRESCRIBED, GONE = range(4)  # the field `state`


def h5py_module():
    try:
        import h5py
        return h5py
    except ImportError:
        raise Fault("h5py is not installed (Debian: python3-h5py); frames cannot be read without it") from None


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def check_whole(path):
    """A frame begins with the sha256 of all its other bytes."""
    try:
        with open(path, "rb") as file:
            head, rest = file.read(HEAD), file.read()
    except OSError as error:
        raise Fault(f"{path}: cannot be read: {error.strerror}") from None
    if not head.startswith(WORD):
        raise Fault(f"{path}: is no frame of mergesplit; ms-sample and ms-simulate write them")
    if hashlib.sha256(rest).hexdigest().encode() not in head:
        raise Fault(f"{path}: is damaged or was cut off: its checksum does not fit; ms-simulate --resume makes it again")


class Frame:
    """frame["position"] is an array in SI units; frame.fields says which fields there are, in which unit."""

    def __init__(self, path):
        self.path = os.fspath(path)
        h5py = h5py_module()
        check_whole(self.path)
        try:
            with h5py.File(self.path, "r") as file:
                self.number, self.step, self.time = int(file.attrs["number"]), int(file.attrs["step"]), float(file.attrs["time"])
                self.fields = {name: Field(name, text(data.attrs["unit"]), text(data.attrs["description"]))
                               for name, data in file.items() if isinstance(data, h5py.Dataset)}
                self.bodies = [text(name) for name in np.atleast_1d(file["body_name"][()]).tolist()]
                self._config = text(np.atleast_1d(file["config"][()]).tolist()[0])
        except (OSError, KeyError) as error:
            raise Fault(f"{self.path}: is no frame that this module can read: {error}") from None

    def __repr__(self):
        return f"Frame({self.path!r}: t = {self.time:g} s, {len(self)} particles)"

    def __len__(self):
        return len(self["id"])

    def __getitem__(self, name):
        self._require(name)
        with h5py_module().File(self.path, "r") as file:
            return file[name][()]

    def unit(self, name):
        self._require(name)
        return self.fields[name].unit

    def _require(self, name):
        if name not in self.fields:
            raise Fault(f"{self.path}: has no field '{name}'; there are {', '.join(self.fields)}")

    @property
    def config(self):
        """The effective configuration: 'time.max_step' -> 0.001."""
        return config_read(self._config, f"{self.path}: config")

    def of(self, body):
        """Marks the particles of a body."""
        if body not in self.bodies:
            raise Fault(f"{self.path}: has no body '{body}'; there are {', '.join(self.bodies)}")
        return self["body"] == self.bodies.index(body)

    @property
    def here(self):
        """Marks the particles that take part: neither upstream of an inlet nor gone through an outlet."""
        return self["state"] < PRESCRIBED

    def columns(self, name):
        """The units of the columns of `ledger` or `measure`, whose rows are the steps since the frame before."""
        self._require(name)
        with h5py_module().File(self.path, "r") as file:
            data = file[name].attrs
            return {text(column): text(unit) for column, unit in zip(data["columns"], data["units"])}
