"""usage: points.py RUN POINTS.json: the particles of a run, all its frames in a few hundred kB, as the page's frames.js shows them.

Coordinates are rounded to a sixteenth of the smallest radius, which is less than a pixel of a particle sixteen pixels wide. What
is stored of a coordinate is its change since the frame before, less that of the particle before: neighbors move alike, so most
of these are small. All values of one kind stand together, and zlib makes them short.

    particles, quantum (m), center (m), size (m, of what is to be seen), times (s), bodies, radii (m, of bodies)
    fields    what else there is of every particle in every frame, besides its place
    data      base64 of zlib of: the low bytes of all coordinates [frame][axis][particle], their high bytes (16 bits, folded: 0, -1,
              1, -2 ... are 0, 1, 2, 3 ...; of sums, which are coordinates in quanta, -32768 is that of a particle that is not
              there), the body of every particle, and of each field a byte for every particle in every frame, 255 for 1
"""

import base64
import json
import os
import sys
import zlib

import numpy as np

from mergesplit import Fault, Run

FRAMES = 32  # a longer run is shown by this many frames at equal distances
PARTS = 16  # coordinates are rounded to this part of the smallest radius
ABSENT = -32768
FIELDS = ("penetrated", "damage")  # from 0 to 1


def places(position, here, quantum):
    """Coordinates in quanta, by axis; ABSENT for particles that are upstream of an inlet, gone, lost, or farther away than that counts."""
    quanta = np.rint(np.where(np.isfinite(position), position, np.inf) / quantum).T
    seen = here & (np.abs(quanta) < -ABSENT).all(axis=0)
    return np.where(seen, quanta, ABSENT).astype(np.int64)


def folded(places_of_frames):
    """Packs places [frame][axis][particle] modulo 2^16: the change since the frame before, less that of the particle before, as 0, 1, 2 ...
    for 0, -1, 1 ...; first all low bytes, then all high bytes."""
    change = np.diff(places_of_frames, axis=0, prepend=0)
    change = np.diff(change, axis=2, prepend=0).astype(np.int16).astype(np.int32)
    positive = (change << 1 ^ change >> 15) & 0xFFFF
    return (positive & 0xFF).astype(np.uint8).tobytes() + (positive >> 8).astype(np.uint8).tobytes()


def seen_box(places_of_frames):
    """Middle and half the diagonal, in quanta, of a box around all but the outermost hundredth on each side."""
    axes = places_of_frames.transpose(1, 0, 2).reshape(3, -1)
    axes = axes[:, axes[0] != ABSENT]
    if not axes.size:
        return np.zeros(3), 1.0
    low, high = np.percentile(axes, 1, axis=1), np.percentile(axes, 99, axis=1)
    return (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1.0)


def packed(times, positions, here, body, bodies, radius, fields):
    """The object that the head of this file describes. positions: (frames, particles, 3), m; here: (frames, particles); fields: name -> (frames, particles), 0 to 1."""
    quantum = float(np.min(radius, initial=np.inf)) / PARTS
    if not np.isfinite(quantum) or len(bodies) > 255:
        raise Fault("no particles to show" if len(bodies) <= 255 else f"{len(bodies)} bodies; 255 can be shown")
    frames = np.array([places(p, h, quantum) for p, h in zip(positions, here)])
    center, size = seen_box(frames)
    shown = {name: np.rint(255 * np.clip(values, 0, 1)).astype(np.uint8) for name, values in fields.items() if np.any(values)}
    data = folded(frames) + body.astype(np.uint8).tobytes() + b"".join(values.tobytes() for values in shown.values())
    return {"particles": len(body), "quantum": quantum, "center": (center * quantum).round(6).tolist(), "size": round(size * quantum, 6),
            "times": [round(float(t), 9) for t in times], "bodies": list(bodies),
            "radii": [float(np.max(radius[body == b], initial=0.0)) for b in range(len(bodies))], "fields": list(shown),
            "data": base64.b64encode(zlib.compress(data, 9)).decode()}


def points_of(folder):
    frames = Run(folder, tables="numpy").frames  # pandas takes as long to start as all else
    if not len(frames):
        raise Fault(f"{folder}: has no frames")
    count = min(FRAMES, len(frames))
    chosen = [frames[round(k * (len(frames) - 1) / max(count - 1, 1))] for k in range(count)]
    ids = np.unique(np.concatenate([frame["id"] for frame in chosen]))
    place = [np.searchsorted(ids, frame["id"]) for frame in chosen]

    def of_all(values, empty):
        """The values as an array (frames, particles, ...); particles that a frame does not have get `empty`."""
        made = np.full((count, len(ids), *values[0].shape[1:]), empty, dtype=np.result_type(values[0], type(empty)))
        for row, at, value in zip(made, place, values):
            row[at] = value
        return made

    fields = {name: of_all([np.nan_to_num(f[name].astype(float)) if name in f.fields else np.zeros(len(f)) for f in chosen], 0.0) for name in FIELDS}
    return packed([f.time for f in chosen], of_all([f["position"] for f in chosen], np.nan), of_all([f.here for f in chosen], False),
                  of_all([f["body"] for f in chosen], 0).max(axis=0), chosen[0].bodies, of_all([f["radius"] for f in chosen], 0.0).max(axis=0), fields)


def main(folder, output):
    try:
        made = points_of(folder)
    except Fault as fault:
        sys.exit(f"points: {folder if folder not in str(fault) else ''}{fault}")
    with open(output, "w", encoding="utf-8") as file:
        json.dump(made, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main(*(os.path.normpath(word) for word in sys.argv[1:]))
