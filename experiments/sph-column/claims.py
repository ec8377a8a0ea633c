"""A standing column of water: claims."""

from claims import claim, ledger_closes

QUIET = 1.3  # s, when the sound waves of the fall have died down


def hydrostatic(m, height):
    """The pressure at this height above the floor, Pa: the weight of the column as it was put there above it."""
    weight = -m.setting("standing", "bodies.water.density")[0] * m.setting("standing", "gravity")[0][2]
    middle = m.setting("standing", "bodies.water.position")[0][2]
    return weight * (middle + m.setting("standing", "bodies.water.shape.box.size")[0][2] / 2 - height)


@claim("SPH-hydrostatic", kind="physics",
       states="the column at rest has hydrostatic pressure: largest relative error of a layer in any frame, at least two layers "
              "from floor and surface",
       holds="< 0.05", because="what remains of the initial disorder of the particles, and of sound waves")
def pressure_error(m):
    layers = zip(m.layers("standing", "water", "pressure", start=QUIET), m.layers("standing", "water", "height", start=QUIET))
    return max(abs(p / hydrostatic(m, z) - 1) for p, z in layers if 0.08 < z < 0.4)


claim("DENSITY-column-densest", kind="physics",
      states="the densest particle of the column at rest is close to the rest density: relative error",
      holds="< 0.02", because="the speed of sound is chosen for a hundredth; a single particle may have twice that",
      value=lambda m: max(m.column("standing", "density_error_max")[-100:]))
claim("DENSITY-column-mean", kind="physics",
      states="the mean density of the column at rest is close to the rest density: relative error",
      holds="< 0.01", because="the speed of sound is chosen for a hundredth",
      value=lambda m: max(m.column("standing", "density_error_mean")[-100:]))
ledger_closes()
claim("MOMENTUM-column", kind="physics",
      states="the ledger accounts for the momentum exchanged with walls: largest drift",
      holds="< 1e-9", because="rounding",
      value=lambda m: max(m.column("standing", "momentum_drift")))
