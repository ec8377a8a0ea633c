"""Whether it matters where a scene is and how it is turned: claims."""

from claims import claim, none_unstable, nothing_passes
from arithmetic import mean

PLACED = ("turned-x", "turned-y", "turned-z", "mirrored", "far")


def placed_deflection(m, run):
    return m.summary(run, "deflection_max")[0]


def usual(m, scene):
    """The deflection where the scene is in the figures, and displaced by micrometers: six values."""
    return [placed_deflection(m, f"placed-{scene}-plain"), *m.summary(f"placed-{scene}-shift-*", "deflection_max")]


def farthest(m, scene):
    """The largest difference of the deflection of the scene elsewhere from the mean of these, relative."""
    base = mean(usual(m, scene))
    return max(abs(placed_deflection(m, f"placed-{scene}-{place}") / base - 1) for place in PLACED)


def scatter(m, scene):
    """The largest difference of one of these from their mean, relative."""
    base = mean(usual(m, scene))
    return max(abs(value / base - 1) for value in usual(m, scene))


claim("M53-ball", kind="paper",
      states="ball on cloth, turned by 37 degrees about three axes, mirrored, or 1.7 km away: largest difference of the deflection from the "
             "mean of six runs displaced by micrometers, relative",
      holds="< 0.02", because="a fiftieth of the deflection is a tenth of a radius, and a quarter with the jet: not to be seen",
      value=lambda m: farthest(m, "ball"))
claim("M53-jet", kind="paper",
      states="the same for the jet on a cloth",
      holds="< 0.02", because="as for the ball",
      value=lambda m: farthest(m, "jet"))
nothing_passes("M53-held", kind="paper", runs="placed-*",
               states="no particle gets through the cloth, however it is placed: number of particles")
none_unstable("M53-stable", kind="paper", runs="placed-*",
              states="every run is stable, however the scene is placed")
