"""How systems share a meta-particle: claims."""

from arithmetic import mean
from claims import claim, ledger_closes

STEPS = ["5e-4", "2.5e-4"]
RATIOS = ["1-64", "1-8", "1", "8", "64"]
EXACT = ["shares", "sum", "in-turn"]  # the ways that keep momentum
WEIGHT = "half a percent: a tenth of what the average errs by, and what the last swings of the water leave"
NO_GAIN = ("a thousandth: there is no gravity, and what the pressure at the surface of the fluid does at the start, which is "
           "no mechanical energy, comes to half of that, whichever way")


def misfit(m, run):
    """How far the vertical impulse of rim and walls is from that of the weight, relative."""
    return abs(sum(m.column(run, "support_impulse_z")) / -sum(m.column(run, "gravity_impulse_z")) - 1)


def misfit_joined(m, joining):
    return max(misfit(m, f"{joining}-a{alpha}-{step}") for alpha in (1, 0) for step in STEPS)


def gain(m, joining):
    """The largest over all ratios of mass, and over a cloth of smaller particles."""
    return max(m.summary(f"jet-{joining}-*", "energy_gain") + m.summary(f"half-{joining}", "energy_gain"))


@claim("JOIN-shares-weight", kind="physics",
       states="shares: rim and walls carry the weight of cloth and water, and no more: largest relative difference",
       holds="< 0.005", because=WEIGHT)
def misfit_shares(m):
    return misfit_joined(m, "shares")


@claim("JOIN-average-weight", kind="physics", states="average: they carry the weight", holds="< 0.005", because=WEIGHT,
       known="they carry more: of the cloth's push and of the water's pressure at the same meta-particle only "
             "shares arrive, and not the same ones")
def misfit_average(m):
    return misfit_joined(m, "average")


@claim("JOIN-sum-weight", kind="physics", states="sum: they carry the weight", holds="< 0.005", because=WEIGHT)
def misfit_sum(m):
    return misfit_joined(m, "sum")


@claim("JOIN-in-turn-weight", kind="physics", states="in turn: they carry the weight", holds="< 0.005", because=WEIGHT)
def misfit_in_turn(m):
    return misfit_joined(m, "in-turn")


@claim("JOIN-penalty-weight", kind="physics", states="penalty forces: they carry the weight", holds="< 0.005", because=WEIGHT)
def misfit_penalty(m):
    return max(misfit(m, f"penalty-{step}") for step in STEPS)


@claim("JOIN-withheld", kind="physics",
       states="shares, sum and in turn: the coupling takes no momentum, at any ratio of mass",
       holds="== 0", because="the column is a sum of terms that are all 0, not of terms that cancel")
def withheld(m):
    return max(value for joining in EXACT for value in
               m.summary(f"{joining}-a*", "coupling_drift") + m.summary(f"jet-{joining}-*", "coupling_drift"))


@claim("JOIN-momentum", kind="physics",
       states="... and momentum is that of gravity, supports and the solver's residual",
       holds="< 1e-11", because="rounding, over some thousand steps")
def momentum(m):
    return max(m.summary("*", "momentum_rest"))


@claim("JOIN-average-momentum", kind="physics",
       states="average: momentum that the coupling gives or takes, over the jet's own scale, all ratios of mass",
       holds="< 0.01", because="what one would forgive a coupling; exact is 0",
       known="next to nothing for heavy cloths, several times all that the jet had for light ones")
def average_momentum(m):
    return max(m.summary("jet-average-*", "coupling_drift"))


@claim("JOIN-in-turn-gain", kind="physics",
       states="in turn: no energy out of nothing, at any ratio of mass: largest gain over the energy at impact",
       holds="< 1e-3", because=NO_GAIN)
def gain_in_turn(m):
    return gain(m, "in-turn")


@claim("JOIN-sum-gain", kind="physics", states="sum: no energy out of nothing", holds="< 1e-3", because=NO_GAIN)
def gain_sum(m):
    return gain(m, "sum")


@claim("JOIN-shares-gain", kind="physics", states="shares: no energy out of nothing", holds="< 1e-3", because=NO_GAIN,
       known="the lightest cloth gains: the implicit system answers for its own light members to a push that the whole "
             "meta-particle takes, so that its forces are those of positions that it never reaches")
def gain_shares(m):
    return gain(m, "shares")


@claim("JOIN-shares-gain-8", kind="physics", states="... up to a ratio of 8", holds="< 1e-3", because=NO_GAIN)
def gain_shares_8(m):
    return max(value for ratio in RATIOS[:-1] for value in m.summary(f"jet-shares-{ratio}", "energy_gain"))


@claim("JOIN-average-gain", kind="physics", states="average: no energy out of nothing", holds="< 1e-3", because=NO_GAIN,
       known="light cloths gain many times the energy at impact")
def gain_average(m):
    return gain(m, "average")


@claim("JOIN-in-turn-newton", kind="physics",
       states="in turn: a spring under a fluid particle is as short as Newton says, at three steps and three ratios of mass: "
              "largest relative difference",
       holds="< 0.01", because="a hundredth, to be seen nowhere; here it is the tolerance of the solver and of the rest reached")
def newton_in_turn(m):
    return m.measured("COUPLING.newton.in-turn")


@claim("JOIN-sum-newton", kind="physics", states="sum: as Newton says", holds="< 0.01", because="as in turn")
def newton_sum(m):
    return m.measured("COUPLING.newton.sum")


@claim("JOIN-shares-newton", kind="physics", states="shares: as Newton says", holds="< 0.01", because="as in turn",
       known="shorter by (tau + dt) (m2 / m1) g dt, with tau the damping of the spring: see the next line")
def newton_shares(m):
    return m.measured("COUPLING.newton.shares")


@claim("JOIN-shares-formula", kind="physics",
       states="... shorter by (tau + dt) (m2 / m1) g dt, which does not depend on the spring: largest relative difference of the whole",
       holds="< 1e-6", because="the rest that is reached in 4000 steps")
def formula_shares(m):
    return m.measured("COUPLING.sag.shares")


@claim("JOIN-average-newton", kind="physics", states="average: as Newton says, and no more: least ratio over three masses and two steps",
       holds="< 1.01", because="as in turn",
       known="only the share w of the solid's mass arrives of the spring's force, and damping answers to a velocity that "
             "nothing moves with: the sag is m g / (w kappa) + (tau + dt) (1/w - 1) g dt")
def newton_average(m):
    return m.measured("COUPLING.sag.least")


@claim("JOIN-average-formula", kind="physics", states="... that formula: largest relative error", holds="< 1e-6",
       because="the rest that is reached in 4000 steps")
def formula_average(m):
    return m.measured("COUPLING.sag.average")


@claim("JOIN-sag-steps", kind="finding",
       states="in turn: the sag of the cloth under the water is the same for both time steps and both alpha, means of the last "
              "half second: largest over smallest, less 1",
       holds="< 0.05", because="a twentieth of the sag is less than a millimeter, a twentieth of a spacing, and the water still swings by some of it")
def sag_spread(m):
    sags = [mean([s for t, s in zip(m.column(run, "time"), m.column(run, "sag")) if t > 2.0])
            for run in (f"in-turn-a{alpha}-{step}" for alpha in (1, 0) for step in STEPS)]
    return max(sags) / min(sags) - 1


@claim("JOIN-leaks", kind="finding", states="nothing leaks, by any method, at any ratio of mass",
       holds="== 0", because="a count of particles, and the comparison is about runs in which none is lost")
def leaks(m):
    return max(m.summary("*", "wrong_side_max"))


ledger_closes("joining")
