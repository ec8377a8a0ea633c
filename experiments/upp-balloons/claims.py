"""Inflatables and water balloons: volumes that closed surfaces keep, tears, and the recoil of a balloon that bursts."""

import math

from arithmetic import max, min, sum
from claims import claim, ledger_closes

AWAY = 0.17  # m: above the top of the skin, 0.144 m, by a contact distance and what the balloon moves
AFTER, LAST = 6, 30  # frames: the patch has gone half a meter; the end


# ---- volumes ----

@claim("U96-free", kind="unified",
       states="a volume constraint makes inflatables: largest relative difference of the volume of a free balloon from 0.5, 1, 1.5 and 2 times that at rest, "
              "with rigid bonds and with springs, 4 iterations",
       holds="< 0.05", because="5 %; bonds and volume cannot both be met, and the volume is the later group")
def free(m):
    return m.measured("UPP.inflated.free")


@claim("U96-loaded", kind="unified", states="... the same of a heavy one that lies on a floor, of two weights, with 1.3 times its volume at rest", holds="< 0.05",
       because="5 %")
def loaded(m):
    return m.measured("UPP.inflated.loaded")


@claim("U96-load", kind="unified", states="... and its pressure times the area on which it lies is its weight: largest relative difference", holds="< 0.05",
       because="362 particles; the area is that of a circle at whose rim the skin leaves the floor, from its height nearby, and an edge is a third of its radius")
def load(m):
    return m.measured("UPP.inflated.load")


# ---- tears ----

BELOW, ABOVE = ("rest", "pull-0.01", "pull-0.02"), ("pull-0.08", "pull-0.16")


def broken(m, run):
    return m.last(run, "broken_bonds")[0]


@claim("U109-below", kind="unified",
       states="constraints pulled too far are removed: springs that break in a balloon at rest, and in those that are pulled by 1 and 2 cm", holds="== 0",
       because="below the limit")
def below(m):
    return sum(broken(m, run) for run in BELOW)


@claim("UPP-balloons-strain", kind="physics", states="... in which the largest strain is below the limit", holds="< 0.6", because="the material's critical_stretch")
def strain(m):
    return max(m.peak(run, "strain")[0] for run in BELOW)


@claim("U109-above", kind="unified", states="... and in those that are pulled by 8 and 16 cm: fewest", holds="> 0", because="above the limit")
def above(m):
    return min(broken(m, run) for run in ABOVE)


@claim("UPP-balloons-intact", kind="physics", states="a balloon that nobody pulls holds its water: particles of water that pass a triangle of its skin in 0.6 s", holds="== 0",
       because="holes between three particles are narrower than a contact up to a strain of 0.73")
def intact(m):
    return m.peak("rest", "penetrated")[0]


# ---- the jet ----

def momentum(frame, chosen):
    """Of the chosen particles, kg m/s."""
    return [sum(frame["mass"][i] * frame["velocity"][i][axis] for i in chosen) for axis in range(3)]


def recoil(m, run):
    """What the jet and the balloon with the rest of its water gain between two frames, kg m/s. Bits of skin that fly off with the patch are neither."""
    first, last = ({name: m.field(run, number, name) for name in ("position", "velocity", "mass", "body", "state")} for number in (AFTER, LAST))
    free_ones = [i for i, state in enumerate(last["state"]) if state == 0]
    away = [i for i in free_ones if last["position"][i][2] > AWAY and last["body"][i] == 1]
    held = [i for i in free_ones if last["position"][i][2] <= AWAY]
    return [[after - before for after, before in zip(momentum(last, part), momentum(first, part))] for part in (away, held)]


def unequal(m, run):
    jet, balloon = recoil(m, run)
    return math.sqrt(sum((a + b)**2 for a, b in zip(jet, balloon)) / sum(a**2 for a in jet))


@claim("U110-opposite", kind="unified",
       states="the escaping fluid pushes the balloon back: difference of the momentum that the jet gains in 0.48 s from what the balloon loses, over the former, "
              "masses split",
       holds="< 0.05", because="5 %; nothing else pushes after the patch is off")
def opposite(m):
    return unequal(m, "burst-splitting")


@claim("U110-back", kind="unified", states="... and the balloon goes back: what it gains along the jet, over what the jet gains", holds="< 0", because="stated")
def back(m):
    jet, balloon = recoil(m, "burst-splitting")
    return balloon[2] / jet[2]


@claim("UPP-balloons-averages", kind="finding",
       states="under the paper's averages they are not opposite: the same difference",
       holds="> 0.05", because="averages of corrections of particles that have different numbers of constraints do not keep momentum")
def averages(m):
    return unequal(m, "burst-particle")


@claim("UPP-balloons-water", kind="physics", states="water is outside of a balloon that was pulled off: share of it beyond the hole at the end", holds="> 0.1",
       because="a count; a tenth is more than what stands in the hole")
def water(m):
    state, body = (m.field("burst-splitting", LAST, name) for name in ("position", "body"))
    wet = [x for x, b in zip(state, body) if b == 1]
    return sum(x[2] > AWAY for x in wet) / len(wet)


ledger_closes()
