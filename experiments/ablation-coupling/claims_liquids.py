"""Figures 4, 10 and 11 of the first paper with SPH, incompressible SPH and FLIP: claims. Those about CPU times are skipped if the
machine was busy."""

from arithmetic import max, mean
from claims import claim, momentum_closes, nothing_passes

LATE = 0.05  # s, when the first impact is over


def compression(m, run):
    """Mean excess of density, in time, after the first impact; for FLIP the excess of what cells hold."""
    return mean(value for value, time in zip(m.column(run, "density_error_mean"), m.column(run, "time")) if time > LATE)


def step(m, run):
    """Mean length of a step, s."""
    return m.column(run, "time")[-1] / len(m.column(run, "time"))


def overlap(m, run):
    """The deepest of all pairs, mean over time: that of a whole run is one pair's, which a rounding error makes half or twice as deep."""
    return mean(m.column(run, "overlap_depth"))


nothing_passes("LIQUID-leaks", kind="finding", runs="liquid-[jd]*",
               states="no fluid of a jet or a falling column passes the cloth, with SPH of any stiffness, incompressible SPH and FLIP at any step: "
                      "most particles through")


@claim("LIQUID-block-leaks", kind="finding",
       states="of a block that covers the cloth hardly any of an incompressible fluid is on the wrong side at any time: most particles, over those of the block",
       holds="< 1e-3", because="nine of 9000: rounding decides on a few at the edge of the cloth, and a leak would let ever more pass")
def block_leaks(m):
    return max(max(m.column(run, "penetrated")) / m.body(run, "fluid", "particles")[0] for run in ("liquid-block-dfsph", "liquid-block-flip"))


@claim("LIQUID-step", kind="finding",
       states="incompressible SPH takes longer steps than stiff SPH with as much compression: ratio of their lengths in the jet",
       holds="> 2", because="twice: what a step with two solves costs at least, so that less would gain nothing")
def longer_steps(m):
    return step(m, "liquid-jet-dfsph-5e-4") / step(m, "liquid-jet-sph-1.25e6")


@claim("LIQUID-as-dense", kind="finding",
       states="... which is as little: mean compression of incompressible SPH over that of stiff SPH in the jet",
       holds="< 1.5", because="half as much again: the same order")
def as_dense(m):
    return compression(m, "liquid-jet-dfsph-5e-4") / compression(m, "liquid-jet-sph-1.25e6")


@claim("LIQUID-block", kind="finding",
       states="at steps as long as the paper's, for which SPH has to be soft, a block keeps its volume with incompressible SPH: mean compression "
              "over that of soft SPH",
       holds="< 0.2", because="a fifth: a change of the picture")
def block(m):
    return compression(m, "liquid-block-dfsph") / compression(m, "liquid-block-sph-4000")


@claim("LIQUID-overlap", kind="finding",
       states="overlap is a matter of the step: deepest overlap of incompressible SPH in the jet, mean over time, at half the step, over that at the whole one",
       holds="< 0.6", because="first order in the step is a half")
def overlap_falls(m):
    return overlap(m, "liquid-jet-dfsph-5e-4") / overlap(m, "liquid-jet-dfsph-1e-3")


@claim("LIQUID-equal-cost", kind="physics",
       states="longer steps pay for the solves of incompressible SPH: CPU time in the jet over that of SPH with as much compression",
       holds="< 1", because="the statement",
       known="in a jet no pressure has far to go, and an equation of state finds it in one pass: incompressible SPH takes 1.3 times as long")
def equal_cost(m):
    return m.cpu("liquid-jet-dfsph-5e-4")[0] / m.cpu("liquid-jet-sph-1.25e6")[0]


momentum_closes("MOMENTUM-liquids", "gravity, supports, coupling", runs="liquid-*")
