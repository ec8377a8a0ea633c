"""Bodies that know how deep their particles lie in them: claims."""

from arithmetic import max, min, sum
from claims import claim, ledger_closes, measured
from locked import locked_pairs

ROUNDING = "rounding: a few units in the last place"
PERCENT = (0, 10, 20, 30)
LAST = {"hooks": 25, "heap": 60, "smooth": 60}  # frames


def locked(m, run):
    """Pairs of bodies in each other at the end."""
    return len(locked_pairs(*(m.field(run, LAST[run.split("-")[0]], name) for name in ("position", "body", "radius"))))


# ---- Figure 6 -------------------------------------------------------------------------------------------


@claim("U36-locked", kind="unified",
       states="two L-shapes that tunnel lock into each other if contacts know nothing of depth: pairs of bodies with a particle's center inside the other at the end",
       holds="> 0", because="a count")
def hooks_lock(m):
    return locked(m, "hooks-none")


@claim("U36-free", kind="unified", states="... and part with the field, by its depth alone and with one-sided normals: the same", holds="== 0", because="a count")
def hooks_part(m):
    return max(locked(m, f"hooks-{field}") for field in ("depth", "one-sided"))


@claim("U36-heap", kind="unified", states="a heap of 100 such bodies that was squeezed and let go: pairs of bodies in each other without the field, the least of the seeds",
       holds="> 0", because="a count", scatter="dozens above the bound")
def heap_locks(m):
    return min(locked(m, f"heap-none-{seed}") for seed in m.axis("seed"))


@claim("U36-heap-free", kind="unified", states="... and with one-sided normals, the most of the seeds", holds="== 0", because="a count",
       known="friction, whose bound grows with depth, holds some of them: without it hardly any stay (HEAP-smooth)")
def heap_parts(m):
    return max(locked(m, f"heap-one-sided-{seed}") for seed in m.axis("seed"))


def stay(m, setting):
    """Pairs of all seeds."""
    return sum(locked(m, f"{setting}-{seed}") for seed in m.axis("seed"))


@claim("HEAP-fewer", kind="finding", states="fewer pairs stay than without the field: sum of the seeds over that without", holds="< 1", because="less is the statement")
def fewer(m):
    return stay(m, "heap-one-sided") / stay(m, "heap-none")


@claim("HEAP-smooth", kind="finding", states="friction is what holds those that stay: pairs after 6 s without friction over that with it, sums of the seeds", holds="< 1",
       because="less is the statement")
def smooth(m):
    return stay(m, "smooth") / stay(m, "heap-one-sided")


# ---- Figures 7 and 8 ------------------------------------------------------------------------------------


@claim("U37-depth", kind="unified", states="particles know their depth: largest difference from closed forms in a cube, a box and a ball, spacings", holds="< 0.5",
       because="the field is sampled at particles, so that half a spacing is its resolution; ours is exact there")
def depth(m):
    return max(m.measured(f"UPP.field.{body}") for body in ("cube", "box", "ball"))


measured("U38-left", "UPP.field.left", kind="unified",
         states="overlap is resolved along the shorter way out: what is left of 1.2 m of two particles after an iteration, m", holds="< 1e-12", because=ROUNDING)
measured("U38-momentum", "UPP.field.momentum", kind="unified", states="... shared by inverse mass: sum of mass times correction, kg m", holds="< 1e-12", because=ROUNDING)


@claim("U39-jumps", kind="unified",
       states="beside the surface the raw field gives depths that jump, and spheres there do not: root mean square of a dragged block's changes of height from step to step, with one-sided "
              "normals over that by depth alone",
       holds="< 1", because="less is the statement")
def jumps(m):
    return m.measured("UPP.bumps.jump.one-sided") / m.measured("UPP.bumps.jump.depth")


measured("U40-outward", "UPP.field.outward", kind="unified",
         states="particles at the surface push outward only: least part of the normal along the field, 100 000 random pairs", holds=">= 0", because="algebra")


def ratios(m, field):
    rms = [m.measured(f"UPP.bumps.rms.{field}.{percent}") for percent in PERCENT]
    return max(after / before for before, after in zip(rms, rms[1:]))


@claim("U41-plain", kind="unified",
       states="bumps are the lower the more particles overlap at rest: a block that is dragged over another one, root mean square of its height, the largest ratio of that at 10, 20 and 30 % to "
              "the one before",
       holds="< 1", because="each is less")
def lower(m):
    return ratios(m, "none")


@claim("U41-one-sided", kind="unified", states="... and with one-sided normals", holds="< 1", because="each is less")
def lower_one_sided(m):
    return ratios(m, "one-sided")


@claim("U112-rough", kind="unified", states="particles do not represent flat surfaces: that height without overlap at rest, radii", holds="> 0.02",
       because="a fiftieth of a radius can be seen; on a plane a block goes neither up nor down")
def rough(m):
    return m.measured("UPP.bumps.rms.none.0") / 0.05


@claim("U113-coarse", kind="unified",
       states="normals by fields are poor at coarse shapes: mean angle between a ball's surface and the field of the particle that is touched there, 4 particles across, degrees", holds="> 20",
       because="the statement gives no number; a fifth of a right angle can be seen",
       known="16 degrees: the gradient of an exact distance is off by the way from the place that is touched to the particle's center alone")
def coarse(m):
    return m.measured("UPP.shapes.angle.field.04")


@claim("U113-falls", kind="unified", states="... which falls with particles across: the largest ratio of that at 8, 16 and 32 to the one before", holds="< 1", because="each is less")
def finer(m):
    return max(m.measured(f"UPP.shapes.angle.field.{n:02d}") / m.measured(f"UPP.shapes.angle.field.{n // 2:02d}") for n in (8, 16, 32))


# ---- Figure 3 ---

@claim("U33-filled", kind="unified", states="particles of a filled body grow as 1 / r^3: exponent of those of a ring, six radii, difference from 3", holds="< 0.15",
       because="particles at the surface are of lower order: a fifth at the largest radius")
def filled(m):
    return abs(m.measured("UPP.shapes.filled") - 3)


@claim("U33-layer", kind="unified", states="... and those of a layer at its surface as 1 / r^2: difference from 2", holds="< 0.15",
       because="the layer is thick, its inner surface the smaller the larger the radius is, and a lattice fills it unevenly")
def layer(m):
    return abs(m.measured("UPP.shapes.hollow") - 2)


@claim("U34-ratio", kind="unified",
       states="features may differ in size by up to 1:10: the largest ratio, of 2, 4 and 6, at which four cubes of 2 x 2 x 2 carry a large one, with 4 iterations in steps of 1/120 s",
       holds=">= 6", because="the paper says up to 10",
       known="one whose weight is 54 times that of each of the four presses them flat; with 64 iterations they carry one of ten times their size (SHAPES-many)")
def ratio(m):
    return max(n for n in (2, 4, 6) if m.measured(f"UPP.shapes.sunk.{n:02d}") < 2)


@claim("SHAPES-many", kind="finding", states="... and with 64 iterations at a ratio of 10: how far it sinks, radii", holds="< 1",
       because="the cubes are 4 radii high, and are flat if they do not carry it")
def carries(m):
    return m.measured("UPP.shapes.sunk.10.many")


@claim("U35-hollow", kind="unified",
       states="hollow bodies need shorter steps: the shortest way in a step, in spacings, with which two cubes that meet stay in each other, of one layer over that of filled ones that have a field",
       holds="< 1", because="shorter is the statement")
def hollow(m):
    return m.measured("UPP.shapes.locks.hollow") / m.measured("UPP.shapes.locks.field")


@claim("SHAPES-plain", kind="finding", states="... and without fields filled ones do no better: the same over that of filled ones", holds=">= 0.75",
       because="ways are multiples of a quarter of a spacing, and both are near one")
def no_better(m):
    return m.measured("UPP.shapes.locks.hollow") / m.measured("UPP.shapes.locks.filled")


# ---- Section 5.3 ----------------------------------------------------------------------------------------

STIFFNESS, YIELD, LIMIT = (1, 0.5, 0.25), (1000, 0.3, 0.1, 0.03), (1000, 0.3, 0.1, 0)


def rises(values):
    """The least rise from one to the next."""
    return min(after - before for before, after in zip(values, values[1:]))


@claim("U52-gives", kind="unified",
       states="stiffness gives small elastic deformation: the largest change of a distance in a cube that falls on its edge, spacings, least rise from 1 to a half and to a quarter of it",
       holds="> 0", because="each is more")
def gives(m):
    return rises([m.measured(f"UPP.elastic.most.{stiffness}") for stiffness in STIFFNESS])


@claim("U52-returns", kind="unified", states="... and it returns: what is left at rest over that, at most", holds="< 0.1",
       because="an impact at v deforms by v dt, and the weight that is left by g dt^2: 0.016 of it")
def returns(m):
    return max(m.measured(f"UPP.elastic.left.{stiffness}") / m.measured(f"UPP.elastic.most.{stiffness}") for stiffness in STIFFNESS[1:])


measured("U53-below", "UPP.plastic.lasting.1000", kind="unified", states="below the yield nothing lasts: the largest change of a distance after the fall, spacings", holds="< 1e-12",
         because=ROUNDING)


@claim("U53-beyond", kind="unified", states="... and beyond it deformation creeps into the places at rest: the same, least rise from no yield to 0.3, 0.1 and 0.03 radii", holds="> 0",
       because="each is more")
def creeps(m):
    return rises([m.measured(f"UPP.plastic.lasting.{limit}") for limit in YIELD])


@claim("U54-spheres", kind="unified",
       states="particles deformed too far lose their field: their number, least rise from no limit to 0.3, 0.1 and 0 radii, and 0 without one", holds="> 0", because="each is more")
def lose(m):
    lost = [m.measured(f"UPP.plastic.lost.{limit}") for limit in LIMIT]
    return rises(lost) if lost[0] == 0 else -1


@claim("U55-bends", kind="unified",
       states="one shape limits deformation, and several allow more: how far a bar that lies on two piers sags, spacings, least rise from 1 shape to 2, 4 and 8", holds="> 0", because="each is more")
def sags(m):
    return rises([m.measured(f"UPP.shapes.sag.{shapes}") for shapes in (1, 2, 4, 8)])


ledger_closes()
