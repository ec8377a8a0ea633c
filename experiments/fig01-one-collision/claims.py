"""One collision, step by step: the time step of the programs against the formulas."""

from claims import claim


claim("ONE-step", kind="physics",
      states="one time step of two loose particles that collide merges, integrates and splits them by MS 1-14: largest difference "
             "of a place or a velocity, in radii and radii per second",
      holds="< 1e-14", because="rounding: the formulas are evaluated by hand in the same precision",
      value=lambda m: m.measured("ONE.step-error"))
