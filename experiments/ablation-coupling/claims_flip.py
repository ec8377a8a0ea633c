"""Coupling FLIP by meta-particles: claims."""

from claims import claim, ledger_closes, momentum_closes, nothing_passes

SETTLED = 0.6  # s, from which on the water hardly swings
TENTH = "a tenth: what the sheet's own thickness does to cells that both sides share"


def flip_misfit(m, run):
    """Relative difference between the vertical impulse of rim and walls and that of the weight."""
    return abs(sum(m.column(run, "support_impulse_z")) / -sum(m.column(run, "gravity_impulse_z")) - 1)


def crowding(m, run):
    """How full the fullest cell is, over its volume, at most, from 0.6 s on."""
    return 1 + max(value for value, time in zip(m.column(run, "density_error_max"), m.column(run, "time")) if time > SETTLED)


def fall(m, run):
    """The speed of the lower slab at the end over that of free fall."""
    time = m.setting(run, "time.end")[0]
    return m.body(run, "below", "velocity_z")[-1] / (m.setting(run, "gravity")[0][2] * time)


def dragged(m, run):
    """The speed along the sheet that the upper slab has at the end, over that of the lower one at the start."""
    return m.body(run, "above", "velocity_x")[-1] / m.setting(run, "bodies.below.velocity")[0][0]


def trembles(m):
    """Motion at the end with separate sides over that with shared ones: kinetic energies."""
    return m.column("flip-between-separate", "kinetic")[-1] / m.column("flip-between-shared", "kinetic")[-1]


nothing_passes("FLIP-rest-leaks", kind="finding", runs="flip-rest",
               states="no water at rest passes the cloth: most particles through")


@claim("FLIP-rest-support", kind="physics",
       states="rim and walls carry the weight of cloth and water, from the first step on: relative difference",
       holds="< 3e-3", because="what the motion that is left at the end holds: 5 mm/s over 0.6 s of gravity would be a thousandth")
def rest_support(m):
    return flip_misfit(m, "flip-rest")


@claim("FLIP-rest-crowding", kind="finding",
       states="cells do not hold half as much again as fits into them, from 0.6 s on: most over their volume",
       holds="< 1.5", because="where crowding begins to look like lost volume")
def rest_crowding(m):
    return crowding(m, "flip-rest")


@claim("FLIP-uncrowded", kind="finding",
       states="without the term for crowding water piles up at the cloth: most that a cell holds over its volume",
       holds="> 2.5", because="two and a half times: a qualitative change")
def uncrowded(m):
    return crowding(m, "flip-rest-crowding-0")


@claim("FLIP-uncrowded-leaks", kind="finding",
       states="but it does not leak, as a sheet of particles has no gaps through which a crowd can press one: particles through, at rest "
              "and falling",
       holds="== 0", because="a count of particles")
def uncrowded_leaks(m):
    return max(max(m.column(run, "penetrated")) for run in ("flip-rest-crowding-0", "flip-fall-crowding-0"))


@claim("M30-marking", kind="paper",
       states="pressure is right if cells with particles of any system are marked: deflection of the cloth at the end over that with "
              "cells of the fluid alone marked",
       holds="> 0.9", because="a tenth: the cloth carries the water in either case",
       known="a cell that holds only particles of the cloth is to the grid a cell of water that cannot leave. It holds up the water "
             "above, which never touches the cloth: the cloth carries itself alone")
def marking(m):
    return m.summary("flip-rest-all", "deflection_final")[0] / m.summary("flip-rest", "deflection_final")[0]


@claim("FLIP-stages-1", kind="finding",
       states="one stage is not enough: particles through when water falls on the cloth with 3 m/s",
       holds="> 100", because="a clear leak, of 6400")
def stages_1(m):
    return max(m.column("flip-fall-1", "penetrated"))


@claim("FLIP-stages-2", kind="finding",
       states="two and four stages are: particles through",
       holds="== 0", because="a count of particles: none is allowed")
def stages_2(m):
    return max(max(m.column(run, "penetrated")) for run in ("flip-fall-2", "flip-fall-4"))


@claim("FLIP-stages-unresolved", kind="finding",
       states="four stages leave fewer pairs that still approach: their number over that with two, summed over steps",
       holds="< 0.5", because="less than half")
def stages_4(m):
    return sum(m.column("flip-fall-4", "unresolved")) / sum(m.column("flip-fall-2", "unresolved"))


@claim("FLIP-ways", kind="physics",
       states="with own members, and with sums, rim and walls carry the weight, too: largest relative difference",
       holds="< 3e-3", because="as with sequential coupling")
def ways(m):
    return max(flip_misfit(m, run) for run in ("flip-rest-own-members", "flip-rest-sum"))


@claim("FLIP-average", kind="physics",
       states="with averages rim and walls carry the weight: relative difference",
       holds="< 3e-3", because="as with sequential coupling",
       known="they do not: of the cloth's force and of the water's pressure on one meta-particle only fractions arrive, and these differ")
def average(m):
    return flip_misfit(m, "flip-rest-average")


@claim("FLIP-sheet-gap", kind="physics",
       states="water under a sheet falls freely if there is a cell of air between: relative difference of its speed after 0.15 s",
       holds="< 1e-9", because="rounding: no face belongs to both")
def sheet_gap(m):
    return abs(fall(m, "flip-sheet-gap") - 1)


@claim("FLIP-sheet", kind="physics",
       states="water that touches a sheet from below falls freely, though there is water above: relative difference of its speed",
       holds="< 0.1", because=TENTH,
       known="it is held back a little while both sides share faces: a grid does not know two sides")
def sheet(m):
    return abs(fall(m, "flip-sheet") - 1)


@claim("FLIP-separate-sheet", kind="physics",
       states="with cells of its own the water below the sheet falls freely, though it touches it: relative difference of its speed",
       holds="< 1e-9", because="rounding: no face belongs to both, as with a cell of air between")
def separate_sheet(m):
    return abs(fall(m, "flip-sheet-separate") - 1)


@claim("FLIP-slip", kind="physics",
       states="water that moves along a sheet leaves the water on the other side alone: the speed that this has at the end over "
              "that of the first",
       holds="< 1e-9", because="rounding: water has no viscosity here",
       known="it drags it along: both sides read one velocity per face")
def slip(m):
    return dragged(m, "flip-slip-shared")


@claim("FLIP-separate-slip", kind="physics",
       states="... and so it does with cells of its own",
       holds="< 1e-9", because="rounding: no face belongs to both")
def separate_slip(m):
    return dragged(m, "flip-slip-separate")


@claim("FLIP-separate-leaks", kind="finding",
       states="no water passes a sheet between two waters with separate sides: most particles through",
       holds="== 0", because="a count of particles: none is allowed")
def separate_leaks(m):
    return max(max(m.column(run, "penetrated")) for run in ("flip-sheet-separate", "flip-between-separate"))


@claim("FLIP-separate-support", kind="physics",
       states="rim and walls carry the weight of a cloth between two waters and of both, with shared and with separate sides: "
              "largest relative difference",
       holds="< 3e-3", because="as for water on one side")
def separate_support(m):
    return max(flip_misfit(m, run) for run in ("flip-between-shared", "flip-between-separate"))


@claim("FLIP-separate-rest", kind="finding",
       states="a cloth between two waters at rest trembles with separate sides, as all that it carries comes through meta-particles: "
              "kinetic energy after 0.6 s over that with shared sides",
       holds="> 2", because="twice: less may be chance")
def separate_rest(m):
    return trembles(m)


ledger_closes()
momentum_closes("MOMENTUM-flip-coupling", "gravity, supports, coupling", runs="flip-*")
