"""Table 1 of unified particle physics: claims. All are about times at the paper's numbers of particles, and are skipped if other programs disturbed
the measurement."""

from arithmetic import max
from claims import claim

STEPS = {"pile": 2, "castle": 2, "layers": 5, "splash": 2, "smoke": 2, "balloons": 3}  # of a frame of 16 ms

MACHINE = ("three times what the memory and the arithmetic of two cores of 2.7 GHz allow, reckoned from 28 GB/s and from the operations of an "
           "iteration, search included: what a first version may take; the paper's is a graphics processor of 192 GB/s and 3 Tflop/s")


def frame(m, row):
    """Wall time of a frame, ms."""
    return 1e-6 * STEPS[row] * m.bench(row, "step") * m.bench(row, "particles")


@claim("U02-frames", kind="unified",
       states="frames of 16 ms take less than 16 ms: longest of the pile and the castle, ms",
       holds="< 16", because="the statement",
       known="not on two cores, which have a seventh of the paper's bandwidth and a fortieth of its arithmetic: a pile or a castle of the paper's size "
             "takes several frames' time")
def real_time(m):
    return max(frame(m, row) for row in ("pile", "castle"))


@claim("U104-pile", kind="unified",
       states="44 000 particles of 1000 rigid bodies, 2 steps of 2 iterations, in 3.8 ms a frame: ours, ms", holds="< 24", because=MACHINE,
       known="25 ms on two quiet cores of one computer (Zen 4), 42 of another (Zen 3): half of it are searches for contacts, of the scheme and of the ledger")
def pile(m):
    return frame(m, "pile")


@claim("U106-castle", kind="unified",
       states="73 000 grains, 2 steps of 12 iterations, in 10.2 ms a frame: ours, ms", holds="< 90", because=MACHINE,
       known="112 ms on two quiet cores of one computer (Zen 4), 166 to 220 of another (Zen 3): some 25 to 50 ns for each particle and iteration, with 5.2 contacts "
             "that rub, where the arithmetic allows 9; searches take a third")
def castle(m):
    return frame(m, "castle")


@claim("U107-balloons", kind="unified",
       states="water balloons, 29 000 particles, 3 steps of 12 iterations, in 12.1 ms a frame: ours, 28 104 in eight balloons, ms", holds="< 210", because=MACHINE,
       known="137 ms on two quiet cores of one computer (Zen 4), which holds, but 275 to 355 of another (Zen 3): a third for density, as much for the distances of skins, a quarter for searches")
def balloons(m):
    return frame(m, "balloons")


@claim("U72-layers", kind="unified",
       states="300 000 particles of two fluids in about 150 ms a frame, here with 5 steps of 10 iterations: ours, ms", holds="< 6000", because=MACHINE)
def layers(m):
    return frame(m, "layers")


@claim("U103-splash", kind="unified",
       states="50 000 particles, here all of a fluid, and 30 000 of spray, 2 steps of 4 iterations, in 10.1 ms a frame: ours, ms", holds="< 225", because=MACHINE)
def splash(m):
    return frame(m, "splash")


@claim("U105-smoke", kind="unified",
       states="10 000 particles, here all of gas, and 100 000 of smoke, 2 steps of 6 iterations, in 5.6 ms a frame: ours, ms", holds="< 78", because=MACHINE,
       known="39 ms on two quiet cores of one computer (Zen 4), which holds, but 75 to 94 of another (Zen 3): half of it for smoke, of which a cube of gas has ten times as many particles")
def smoke(m):
    return frame(m, "smoke")


@claim("U100-atomics", kind="unified",
       states="adding up corrections with atomic operations is slower than gathering them: time of a contact between 74 088 grains, over that with a gather",
       holds="> 1", because="the statement")
@claim("U100-practical", kind="unified", states="... but practical: the same", holds="< 10", because="an order of magnitude would not be practical")
def scattered(m):
    return m.bench("scatter", "atomics") / m.bench("scatter", "gather")


@claim("U101-sorted", kind="unified",
       states="sorting particles by cell improves memory access: time of a step of the castle whose grains are in an order without places, over that in the order of their places",
       holds="> 1", because="the statement")
def sorted_by_cell(m):
    return m.bench("shuffled", "step") / m.bench("castle", "step")
