"""A solid with thin parts under its own weight, on a lattice and relaxed: claims. With MESHES of make there are two shapes."""

import functools
import itertools
import math
from collections import defaultdict

from arithmetic import max, min
from claims import claim, ledger_closes, with_meshes

NEAR = 1.5  # spacings within which particles are neighbors


def places(m, run, frame):
    return dict(zip(m.section(run, frame, "id"), zip(*(m.section(run, frame, name) for name in ("u", "v", "depth")))))


@functools.lru_cache(maxsize=None)
def stretches(m, run):
    """Of each pair of neighbors at the start: distance at the end over that at the start, in order; nan without any."""
    before, after = places(m, run, "0"), places(m, run, "3")
    before = {i: x for i, x in before.items() if i in after}
    reach = NEAR * 2 * m.setting(run, "bodies.solid.radius")[0]
    cells, found = defaultdict(list), []
    for i, x in before.items():
        cells[tuple(math.floor(c / reach) for c in x)].append(i)
    for cell, own in cells.items():
        around = [j for step in itertools.product((-1, 0, 1), repeat=3) for j in cells.get(tuple(map(sum, zip(cell, step))), ())]
        for i, j in itertools.product(own, around):
            if i < j and math.dist(before[i], before[j]) < reach:
                found.append(math.dist(after[i], after[j]) / math.dist(before[i], before[j]))
    return sorted(found) or [math.nan]


def largest(m, way):
    return [stretches(m, run)[-1] for run in m.sweep("bent-{sampling}-{size}", sampling=way)]


def upper(m, way):
    """The 99.9th percentile."""
    return [stretches(m, run)[int(0.999 * len(stretches(m, run)))] for run in m.sweep("bent-{sampling}-{size}", sampling=way)]


def number(m, way, column):
    return sum(m.table(f"bent-*{way}-*", "sampling.csv", column))


@claim("C63-lattice", kind="corotated",
       states="on a lattice thin parts are torn out of shape: largest stretch of two neighbors, smallest of three radii",
       holds="> 1.3", because="the body bends by a few percent")
def lattice_bent(m):
    return min(largest(m, "lattice"))


@claim("C63-relaxed", kind="corotated",
       states="relaxed they are not: largest stretch of two neighbors with the smallest particles",
       holds="< 1.3", because="the body bends by a few percent")
def relaxed_bent(m):
    return largest(m, "relaxed")[-1]


@claim("C63-coarse", kind="corotated",
       states="nor at lower resolution: the same, larger of the two larger radii",
       holds="< 1.3", because="the body bends by a few percent",
       known="in fins of hardly more than one layer kernel corrections are not singular any more, but so large that they take bending for stretch")
def coarse(m):
    return max(largest(m, "relaxed")[:-1])


claim("C63-singular", kind="corotated",
      states="no relaxed particle has a singular kernel correction: number of them at three radii",
      holds="== 0", because="what the paper says of its models",
      known=with_meshes("the armadillo has one at each of the three radii; the paper, too, says that there is no guarantee"),
      value=lambda m: number(m, "relaxed", "singular"))
ledger_closes("bent-*")
