"""FLIP alone: claims."""

import math

from arithmetic import mean
from claims import claim

REST = "flip-rest-1e-3"
SURFACE = 0.22  # slope of the surface at rest, sin / cos of the tilt of gravity


def weight_carried(m):
    """The impulse of the walls over that of the weight, both vertical, while the tank is at rest from 1 s on."""
    rows = [k for k, time in enumerate(m.column(REST, "time")) if time > 1]
    carried, weight = m.column(REST, "support_impulse_z"), m.column(REST, "gravity_impulse_z")
    return sum(carried[k] for k in rows) / -sum(weight[k] for k in rows)


def heights(m, run):
    return m.body(run, "water", "height")


def depth(m):
    return m.setting("flip-sloshing", "bodies.water.shape.box.size")[0][2]


def length(m):
    return m.setting("flip-sloshing", "bodies.water.shape.box.size")[0][0]


def swelling(m):
    """By how much the tank at rest is higher at the end than at the start."""
    return heights(m, REST)[-1] / heights(m, REST)[0] - 1


def drift(m):
    """By how much the sloshing water is higher at the end, over whole periods, than its volume and its mean surface explain."""
    # A surface of slope s raises the center by (s L)^2 / (24 H); it swings between 0 and twice its slope at rest, s^2 = 1.5 of that
    low = depth(m) / 2 + 1.5 * (SURFACE * length(m)) ** 2 / 24 / depth(m)
    return mean(m.body("flip-sloshing", "water", "z", start=10 - 2 * period_expected(m), end=10)) / low - 1


def speed(m, run):
    """Root of the mean square of speeds at the end, m/s."""
    return math.sqrt(2 * m.body(run, "water", "kinetic")[-1] / m.body(run, "water", "mass")[-1])


def period_expected(m):
    """Of the first mode of linear waves, s: T = 2 pi / sqrt(g k tanh kH)."""
    k = math.pi / length(m)
    gravity = math.hypot(*m.setting("flip-sloshing", "gravity")[0])
    return 2 * math.pi / math.sqrt(gravity * k * math.tanh(k * depth(m)))


def period(m):
    """The mean time between upward passages of the horizontal velocity through zero, s."""
    times, values = m.column("flip-sloshing", "time"), m.column("flip-sloshing", "momentum_x")
    passed = [times[k - 1] + (times[k] - times[k - 1]) * values[k - 1] / (values[k - 1] - values[k])
              for k in range(1, len(times)) if values[k - 1] < 0 <= values[k] and times[k] > 0.5]
    return (passed[3] - passed[0]) / 3


def spin_left(m, run):
    """The part of a drop's angular momentum that is left."""
    values = m.column(run, "angular_z")
    return values[-1] / spin_first(m)


def spin_first(m):
    """That of the drop before the first step, kg m2/s: pure FLIP keeps it in its first step to a thousandth of a percent."""
    return m.column("flip-drop-flip-1", "angular_z")[0]


@claim("FLIP-rest-weight", kind="physics",
       states="walls carry the weight of a tank at rest, from 1 s on: relative difference",
       holds="< 1e-4", because="what the motion that is left exchanges, below a hundredth of the speed of a fall through the tank")
def rest_weight(m):
    return abs(weight_carried(m) - 1)


claim("FLIP-rest-speed", kind="finding",
      states="a tank at rest hardly moves: root of the mean square of speeds after 10 s, m/s",
      holds="< 0.03", because="a thirtieth of a millimeter per step",
      value=lambda m: speed(m, REST))
claim("FLIP-rest-boils", kind="finding",
      states="it boils when steps are longer: speed with 4 ms over that with 1 ms",
      holds="> 2", because="clearly more",
      value=lambda m: speed(m, "flip-rest-4e-3") / speed(m, REST))
claim("FLIP-rest-volume", kind="physics",
      states="a tank at rest keeps its volume for 10 s: relative change of the height of its center",
      holds="< 0.05", because="less than half of a cell, of eight",
      value=lambda m: abs(swelling(m)))
claim("FLIP-sloshing-period", kind="physics",
      states="a tank sloshes with the period of linear waves: relative difference, over three periods",
      holds="< 0.04", because="waves of 3.5 cells on a grid; and not quite linear ones",
      value=lambda m: abs(period(m) / period_expected(m) - 1))
claim("FLIP-sloshing-volume", kind="physics",
      states="a tank that sloshes for 10 s keeps its volume: relative change of the height of its center, over two periods",
      holds="< 0.05", because="as at rest",
      value=lambda m: abs(drift(m)))
claim("FLIP-drop-flip", kind="physics",
      states="a drop keeps its spin with FLIP, blend 1: part that is lost in 1.5 rad",
      holds="< 0.01", because="nothing acts on it; a hundredth for 150 transfers",
      value=lambda m: abs(spin_left(m, "flip-drop-flip-1") - 1))
claim("FLIP-drop-blend", kind="finding",
      states="3 % of PIC in each step cost little of it: part that is lost in 1.5 rad",
      holds="< 0.1", because="a tenth; over 150 steps they blend in more than four times the velocity of PIC",
      value=lambda m: 1 - spin_left(m, "flip-drop-flip"))
claim("FLIP-drop-pic", kind="finding",
      states="PIC loses it: part that is lost in 1.5 rad",
      holds="> 0.25", because="known of PIC; the reason for FLIP",
      value=lambda m: 1 - spin_left(m, "flip-drop-pic"))
claim("MOMENTUM-flip-alone", kind="physics",
      states="the ledger accounts for the momentum exchanged with walls: largest drift",
      holds="< 1e-9", because="rounding",
      value=lambda m: max(m.column("flip-*", "momentum_drift")))
