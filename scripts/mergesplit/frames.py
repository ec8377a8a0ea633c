"""Frames: all particles at one instant, from one HDF5 file."""

import collections
import hashlib
import os

import numpy as np

from .configuration import config_read
from .faults import Fault, reading

Field = collections.namedtuple("Field", "name unit meaning")
RIGHT = "ms-sample and ms-simulate write frames"
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
        with reading(path, RIGHT), open(path, "rb") as file:
            head, rest = file.read(HEAD), file.read()
    except FileNotFoundError as error:
        raise Fault(f"{path}: cannot be read: {error.strerror}") from None
    if not head.startswith(WORD):
        raise Fault(f"{path}: is no frame of mergesplit; ms-sample and ms-simulate write them")
    if hashlib.sha256(rest).hexdigest().encode() not in head:
        raise Fault(f"{path}: is damaged or was cut off: its checksum does not fit; ms-simulate --resume makes it again")


def item(file, name):
    """A dataset or group that lies in its own file; external links, external storage and virtual datasets name others, or pipes."""
    if type(file.get(name, getlink=True)).__name__ != "HardLink":
        raise Fault(f"{file.filename}: {name} is a link; a frame has all its data itself")
    data = file[name]
    if getattr(data, "external", None) or getattr(data, "is_virtual", False):
        raise Fault(f"{file.filename}: {name} lies in another file; a frame has all its data itself")
    return data


class Frame:
    """frame["position"] is an array in SI units; frame.fields says which fields there are, in which unit."""

    def __init__(self, path):
        self.path = os.fspath(path)
        h5py = h5py_module()
        check_whole(self.path)
        with reading(self.path, RIGHT), h5py.File(self.path, "r") as file:
            self.number, self.step, self.time = int(file.attrs["number"]), int(file.attrs["step"]), float(file.attrs["time"])
            own = {name: item(file, name) for name in file}
            self.fields = {name: Field(name, text(data.attrs["unit"]), text(data.attrs["description"]))
                           for name, data in own.items() if isinstance(data, h5py.Dataset)}
            self.bodies = [text(name) for name in np.atleast_1d(own["body_name"][()]).tolist()]
            self._config = text(np.atleast_1d(own["config"][()]).tolist()[0])

    def __repr__(self):
        return f"Frame({self.path!r}: t = {self.time:g} s, {len(self)} particles)"

    def __len__(self):
        return len(self["id"])

    def __getitem__(self, name):
        self._require(name)
        with reading(self.path, RIGHT), h5py_module().File(self.path, "r") as file:
            return item(file, name)[()]

    def unit(self, name):
        self._require(name)
        return self.fields[name].unit

    def _require(self, name):
        if name not in self.fields:
            raise Fault(f"{self.path}: has no field '{name}'; there are {', '.join(self.fields)}")

    @property
    def config(self):
        """The effective configuration: 'time.max_step' -> 0.001."""
        with reading(self.path, RIGHT):
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
        with reading(self.path, RIGHT), h5py_module().File(self.path, "r") as file:
            data = item(file, name).attrs
            return {text(column): text(unit) for column, unit in zip(data["columns"], data["units"])}
