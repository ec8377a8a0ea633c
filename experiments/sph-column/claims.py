"""A standing column of water: claims."""

from claims import claim, ledger_closes

WEIGHT = 9810  # N/m3
SURFACE = 0.48  # m above the floor, at rest
QUIET = 1.3  # s, when the sound of the fall has died down


@claim("SPH-hydrostatic", kind="physics",
       states="pressure of the column at rest against hydrostatic pressure: largest error of a layer, in every frame, away from "
              "the floor and the surface by two layers",
       holds="< 0.05", because="what the disorder of particles thrown together at random leaves, and sound")
def pressure_error(m):
    layers = zip(m.layers("standing", "water", "pressure", start=QUIET), m.layers("standing", "water", "height", start=QUIET))
    return max(abs(p / (WEIGHT * (SURFACE - z)) - 1) for p, z in layers if 0.08 < z < 0.4)


@claim("DENSITY-column-densest", kind="physics",
       states="the densest particle of the column at rest, over the density at rest", holds="< 0.02",
       because="the speed of sound is chosen for a hundredth; a single particle may have twice that")
def densest(m):
    return max(m.column("standing", "density_error_max")[-100:])


@claim("DENSITY-column-mean", kind="physics",
       states="the column at rest is as dense as the water's weight makes it", holds="< 0.01",
       because="the speed of sound is chosen for a hundredth")
def density_mean(m):
    return max(m.column("standing", "density_error_mean")[-100:])


ledger_closes("sph-column")


@claim("MOMENTUM-column", kind="physics", states="what walls give to momentum is in the ledger", holds="< 1e-9", because="rounding")
def momentum(m):
    return max(m.column("standing", "momentum_drift"))
