"""Columns of ledger and measures at the end of each frame of a run, for runs with too many steps to read all rows."""

import glob
import os

from arithmetic import Fault
from mergesplit.frames import Frame


def last_row(frame):
    """{column: value} of the step that the frame follows."""
    return {name: float(value) for table in ("ledger", "measure") for name, value in zip(frame.columns(table), frame[table][-1])}


def frame_ends(folder):
    """{column: [a value per frame but the first, which no step precedes]}."""
    paths = sorted(glob.glob(os.path.join(folder, "*.hdf")))[1:]
    if not paths:
        raise Fault(f"{folder} has no frames that steps precede")
    rows = [last_row(Frame(path)) for path in paths]
    return {name: [row[name] for row in rows] for name in rows[0]}
