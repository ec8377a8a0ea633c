"""Columns, heaps and castles of sand with friction of positions: claims."""

import math

from arithmetic import max, mean, min, sum, surely
from claims import claim
from heaps import LAYER, slope_of

CASTLE = "5000 grains; columns of 1200 with three seeds scatter by less than 0.02 of their height"


def height(m, run):
    """That of the center of mass over a layer on the floor, at the end over that at the start."""
    z = m.body(run, "sand", "z")
    return (z[-1] - LAYER) / (z[0] - LAYER)


def heights(m, pattern):
    return [height(m, f"{pattern}-{seed}") for seed in m.axis("seed")]


def slope(m, run):
    """The angle of a heap at its end, degrees."""
    return slope_of(*(m.section(run, 10, name) for name in ("u", "v", "depth")))


def heap_slopes(m, friction, rough):
    return [slope(m, f"heap-{friction}-{rough}-{seed}") for seed in m.axis("seed")]


@claim("U56-higher", kind="unified",
       states="after 300 frames the castle is higher than with friction of velocities: height of the center of mass with the paper's friction over that with friction of velocities",
       holds=">= 1.5", because="far above, says the picture; what is less is not seen beside it",
       scatter=CASTLE)
def higher(m):
    return height(m, "castle-position") / height(m, "castle-velocity")


@claim("U56-columns", kind="unified",
       states="the same of columns of 1200 grains, three seeds: with 95 % confidence more than this",
       holds=">= 1.5", because="as of the castle")
def columns(m):
    return surely(a / b for a, b in zip(heights(m, "column-position"), heights(m, "column-velocity")))


@claim("U56-steep", kind="unified",
       states="the castle is still a steep pile: height of its center of mass after 300 frames over that at the start",
       holds=">= 0.5", because="what has lost half of its height is no castle",
       known="with the paper's friction and its 2 x 12 iterations grains creep, as blocks do, and the castle spreads as long as one looks at it",
       scatter=CASTLE)
def steep(m):
    return height(m, "castle-position")


def made(m, run, axes):
    """The impulse that averages of corrections make from nothing in a run, over that of its weight."""
    return math.hypot(*(sum(m.column(run, f"unbalanced_impulse_{axis}")) for axis in axes)) / abs(sum(m.column(run, "gravity_impulse_z")))


@claim("U14-sideways", kind="unified",
       states="what averages make of momentum is hardly visible: the impulse along the floor that they make from nothing in the castle with the paper's friction, over that of its weight",
       holds="< 1e-3", because="a thousandth of the weight moves what friction of 0.6 holds by nothing",
       scatter="a tenth of the bound")
def sideways(m):
    return made(m, "castle-position", "xy")


@claim("U14-weight", kind="unified",
       states="... and the same upwards", holds="< 0.01", because="a hundredth of the weight is not felt",
       known="it is not seen and large: the floor bears 0.85 of the castle's weight, since grains on it have more contacts than those that they push up, and take smaller shares",
       scatter="0.152 in the castle and 0.153 in a column of 1200 grains")
def weight(m):
    return made(m, "castle-position", "z")


@claim("U57-collapses", kind="unified",
       states="with friction of velocities it has collapsed nearly completely: its height less that without friction, over that at the start",
       holds="< 0.2", because="a fifth of the height is the least that would be seen as something left",
       scatter=CASTLE)
def collapses(m):
    return height(m, "castle-velocity") - height(m, "castle-none")


@claim("KEPT-castle", kind="finding",
       states="with kept friction the castle keeps its shape: height of its center of mass after 300 frames over that at the start",
       holds="> 0.75", because="its walls and towers still stand; towers of grains that cannot roll settle into each other at first",
       scatter=CASTLE)
def keeps(m):
    return height(m, "castle-kept")


@claim("KEPT-order", kind="finding",
       states="heights are in the order none, velocity, position, kept, in the castle and in columns, three seeds: smallest difference of neighbors over the height at the start",
       holds="> 0.02", because="far above the scatter of three seeds, 0.002")
def order(m):
    rows = [[height(m, f"castle-{way}") for way in m.axis("way")], *zip(*(heights(m, f"column-{way}") for way in m.axis("way")))]
    return min(b - a for row in rows for a, b in zip(row, row[1:]))


@claim("KEPT-short", kind="finding",
       states="24 steps of one iteration for a frame, kept friction: columns keep their height, three seeds: smallest",
       holds=">= 0.9", because="grains that cannot roll and stand on each other have nowhere to go")
def short(m):
    return min(heights(m, "short-kept"))


@claim("U61-rises", kind="unified",
       states="angles of repose rise with the coefficient of friction, 0.2, 0.4, 0.7, three seeds each: smallest rise of the mean, degrees",
       holds="> 0", because="monotonic")
def rises(m):
    means = [mean(heap_slopes(m, "position", rough)) for rough in m.axis("rough")]
    return min(b - a for a, b in zip(means, means[1:]))


@claim("U61-high", kind="unified",
       states="angles of repose are high: heaps with the paper's friction of 0.7, 2 x 12 iterations, mean of three seeds, degrees",
       holds=">= 25", because="atan 0.7 is 35 degrees",
       known="the heap creeps, and has no angle of repose: it is flatter the longer one waits")
def high(m):
    return mean(heap_slopes(m, "position", "0.7"))


@claim("U61-short", kind="unified",
       states="... with 24 steps of one iteration",
       holds=">= 25", because="as above",
       known="short steps do not help here: what an iteration leaves of the slip in a contact becomes velocity in each of them")
def high_short(m):
    return mean(slope(m, f"shorter-0.7-{seed}") for seed in m.axis("seed"))


@claim("KEPT-heap", kind="finding",
       states="with kept friction, 2 x 12 iterations, it is at least the friction angle: smallest of three seeds, coefficients 0.2, 0.4, 0.7: angle less atan mu, degrees",
       holds="> -6", because="grains that cannot roll stand at least as steep as a block")
def kept_heap(m):
    return min(angle - math.degrees(math.atan(float(rough))) for rough in m.axis("rough") for angle in heap_slopes(m, "kept", rough))


@claim("KEPT-still", kind="finding",
       states="and heaps come to rest: their mean speed at the end, over what gravity gives in a step, largest of all",
       holds="< 1", because="a falling grain is stopped in the next step")
def still(m):
    runs = [f"heap-kept-{rough}-{seed}" for rough in m.axis("rough") for seed in m.axis("seed")]
    return max(math.sqrt(2 * m.last(run, "kinetic")[0] / m.body(run, "sand", "mass")[0]) for run in runs) / (9.81 * 8e-3)
