"""Position correction on top of impulses and of penalty forces: claims."""

from arithmetic import max, min, sum
from claims import claim

METHODS = ("impulse", "penalty")
SCENES = ("cloth", "wall")
ROUNDING = "above zero by more than rounding, and than what the integrator hides of it"


def corrected(m, run, key):
    return m.summary(f"correct-{run}", key)[0]


def gain_of(m, run):
    """Energy from nothing over that of the impact."""
    return corrected(m, run, "energy_gain")


def depth_of(m, run):
    """The deepest overlap, radii."""
    return corrected(m, run, "overlap_depth_max")


def debris_of(m, run):
    """The fraction of particles in fragments of at most three."""
    return corrected(m, run, "debris_fraction")


def work_of_contact(m, run):
    """Of contact forces and impulses, the sum of the amounts of all steps, over the energy that was available."""
    return sum(abs(work) for work in m.column(f"correct-{run}", "contact_work")) / corrected(m, run, "energy_available")


claim("M49-energy", kind="paper",
      states="correcting all of the overlap injects energy: energy gain with it less that without, the least of impulses and penalty in "
             "both scenes",
      holds="> 0.01", because=ROUNDING,
      value=lambda m: min(gain_of(m, f"{scene}-{method}-corrected") - gain_of(m, f"{scene}-{method}") for scene in SCENES for method in METHODS))
claim("M49-debris", kind="paper",
      states="it shatters brittle bodies: debris of the wall with all of the overlap corrected over that without, the smaller of impulses "
             "and penalty",
      holds="> 2", because="far above what a change of method, as from impulses to penalty, makes",
      value=lambda m: min(debris_of(m, f"wall-{method}-corrected") / debris_of(m, f"wall-{method}") for method in METHODS))
claim("CORRECTION-overlap", kind="finding",
      states="it does what it is for: deepest overlap with correction over that without, the largest of both scenes and methods",
      holds="< 0.5", because="less than half",
      value=lambda m: max(depth_of(m, f"{scene}-{method}-corrected") / depth_of(m, f"{scene}-{method}") for scene in SCENES for method in METHODS))
claim("CORRECTION-partly", kind="finding",
      states="a fifth of the overlap at a time is far more harmless: energy that it injects over what correcting all of it injects, the "
             "largest of both scenes and methods",
      holds="< 0.5", because="less than half",
      value=lambda m: max((gain_of(m, f"{scene}-{method}-partly") - gain_of(m, f"{scene}-{method}"))
                          / (gain_of(m, f"{scene}-{method}-corrected") - gain_of(m, f"{scene}-{method}")) for scene in SCENES for method in METHODS))
claim("CORRECTION-merging", kind="finding",
      states="merging-and-splitting needs none: its largest energy gain in both scenes",
      holds="< 0.01", because="a hundredth of what the impact has",
      value=lambda m: max(m.summary("correct-*-merging", "energy_gain")))
