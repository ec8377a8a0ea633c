"""A plate that is towed through water along which it slips: claims."""

import math

from arithmetic import max, sum
from claims import claim

AWAY = 0.14  # s, from which on the plate moves evenly


def force(m, run, axis):
    """Of the fluid on the plate, mean from then on, N."""
    time, dt, impulse = (m.column(run, name) for name in ("time", "dt", f"fluid_impulse_{axis}"))
    late = [k for k, t in enumerate(time) if t > AWAY]
    return sum(impulse[k] for k in late) / sum(dt[k] for k in late)


def across(m, run):
    """... across the plate, less its buoyancy."""
    particles = m.summary(run, "particles")[0] - m.body(run, "water", "particles")[0]
    volume = particles * (2 * m.setting(run, "bodies.water.radius")[0])**3
    return force(m, run, "z") + volume * m.setting(run, "bodies.water.density")[0] * m.setting(run, "gravity")[0][2]


def along(m, run):
    """... along the plate, against its motion."""
    return -force(m, run, "x")


def lift_over_drag(m, angle):
    """Over the cotangent of the angle."""
    n, t, slope = across(m, f"plate-{angle}"), along(m, f"plate-{angle}"), math.tan(math.radians(float(angle)))
    return (n - t * slope) / (n + t / slope)


@claim("VISCOSITY-plate", kind="physics",
       states="lift over drag of a plate that slips, towed at 30 and 45 degrees, is the cotangent of the angle: largest relative error",
       holds="< 0.05", because="pressure on the faces of a plate is across it, and edges are a sixteenth of the chord thick",
       known="edges brake it along itself, more so at the smaller angle: towed along itself a plate feels nearly as much with half the chord, so that it would have to be some "
       "57 spacings long for 0.05")
def slides(m):
    return max(abs(lift_over_drag(m, angle) - 1) for angle in m.axis("angle"))


def of_edges(m):
    return along(m, "along-8") / along(m, "along-16")


@claim("VISCOSITY-plate-edges", kind="finding",
       states="what brakes a plate that is towed along itself is its edges: force with half the chord over that with the whole",
       holds="> 0.7", because="friction along the faces would be half, edges alone the whole; 0.7 is nearer to the whole than the scatter of 0.1 of a mean over "
       "0.06 s can bring half")
def edges(m):
    return of_edges(m)
