"""Sliding meta-particles in the scenes of the figures, beside the paper's: claims."""

from arithmetic import max, mean, sum
from claims import claim, nothing_passes, stays_stable

CLOTHS = ("fig03", "fig03-high", "fig07", "fig04", "fig10")
STEPS = ("1e-4", "5e-5", "2.5e-5")  # s
FRICTIONLESS = "contact along the normal is the same; a tenth is just visible side by side in a figure"


def runs(m, scene, method):
    """The samples of a scene with a cloth."""
    sample = "seed" if scene in ("fig04", "fig10") else "ball"
    return m.sweep(f"figures-{scene}-{{kind}}-{{{sample}}}", kind=method)


def walls(m, step, method):
    return m.sweep("figures-fig05-{kind}-{short}-{wall}", kind=method, short=step)


def value(m, some, key):
    """Mean over samples."""
    return mean(m.summary(run, key)[0] for run in some)


def ratio(m, scene, key):
    """With sliding meta-particles over that with the paper's, means of three samples."""
    return value(m, runs(m, scene, "sliding"), key) / value(m, runs(m, scene, "merging"), key)


def wall_ratio(m, step, key):
    return value(m, walls(m, step, "sliding"), key) / value(m, walls(m, step, "merging"), key)


def deepest(m, method):
    """The largest overlap on a cloth, radii: mean of three samples, largest of the scenes with cloths."""
    return max(value(m, runs(m, scene, method), "overlap_depth_max") for scene in CLOTHS)


def iterations(m, some):
    """Iterations of the solver, all stages and steps, mean over samples."""
    return mean(sum(m.column(run, "iterations_first")) + sum(m.column(run, "iterations_later")) for run in some)


def work(m, scene):
    """Iterations over those with the paper's meta-particles."""
    return iterations(m, runs(m, scene, "sliding")) / iterations(m, runs(m, scene, "merging"))


def block(m, run):
    return m.summary(f"figures-{run}", "deflection_max")[0]


nothing_passes("OURS-figures-leaks", kind="finding", runs="figures-*-sliding-*",
               states="no particle gets through any cloth with sliding meta-particles, scenes of Figures 3, 4, 7, 10 and 11: number of particles")


@claim("OURS-figures-deflection", kind="finding",
       states="where contact is along the normal, sliding changes little: deflection of the cloth of Figures 3, 4, 7 and 10, largest relative "
              "difference from that with the paper's meta-particles, means of three samples",
       holds="< 0.1", because=FRICTIONLESS)
def deflection(m):
    return max(abs(ratio(m, scene, "deflection_max") - 1) for scene in CLOTHS)


@claim("OURS-figures-overlap", kind="finding",
       states="particles overlap no deeper: largest overlap on a cloth over that with the paper's meta-particles, means of three samples",
       holds="< 1.1", because="a tenth; samples of one scene differ by as much")
def overlap(m):
    return deepest(m, "sliding") / deepest(m, "merging")


@claim("OURS-figures-fracture", kind="finding",
       states="a wall breaks alike: bonds broken at Figure 5's impact over those with the paper's meta-particles, three time steps, largest "
              "relative difference, means of three samples",
       holds="< 0.2", because="samples of one method differ by a tenth")
def fracture(m):
    return max(abs(wall_ratio(m, step, "broken_bonds") - 1) for step in STEPS)


claim("OURS-figures-fracture-overlap", kind="finding",
      states="and the ball enters the wall no deeper before it breaks: overlap in radii, three time steps, largest mean of three samples",
      holds="< 0.25", because="the limit of Figure 5",
      value=lambda m: max(value(m, walls(m, step, "sliding"), "depth_before") for step in STEPS))


@claim("OURS-figures-freeze", kind="finding",
       states="a whole layer of fluid on a cloth does not freeze it, although nothing limits the contacts that are solved at once: deflection "
              "at the scene's step over that at a fifth of it, less 1, absolute",
       holds="< 0.05", because="a twentieth; unlimited meta-particles of the paper's kind take half of the deflection (Figure 11)")
def freeze(m):
    return abs(block(m, "fig11-sliding-parallel") / block(m, "fig11-fine") - 1)


@claim("OURS-figures-lattice", kind="finding",
       states="and it does not matter how the lattices lie: relative difference of the deflections with the fluid's lattice parallel to that of "
              "the cloth and turned",
       holds="< 0.05", because="as above")
def lattice(m):
    return abs(block(m, "fig11-sliding-parallel") / block(m, "fig11-sliding-turned") - 1)


claim("OURS-figures-settled", kind="finding",
      states="contacts settle within eight stages: steps in which they did not, over all runs",
      holds="== 0", because="the method is not finished in such a step",
      value=lambda m: sum(1 for count in m.column("figures-*-sliding-*", "unresolved") if count > 0))


@claim("OURS-figures-stages", kind="finding",
       states="and in few stages: largest mean over the steps of a run",
       holds="<= 2.5", because="the trial of the design had 2.3 at most")
def few_stages(m):
    return max(m.summary("figures-*-sliding-*", "stages_mean"))


@claim("OURS-figures-work", kind="finding",
       states="it needs no more work: iterations of the solver over those with the paper's meta-particles, scenes of Figures 3, 4, 7 and 10, "
              "largest ratio",
       holds="< 1.5", because="half as much again would not be noticed")
def iterations_needed(m):
    return max(work(m, scene) for scene in CLOTHS)


stays_stable("figures-*-sliding-*")
