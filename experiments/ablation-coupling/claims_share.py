"""How systems share a meta-particle: claims."""

from arithmetic import mean
from claims import claim, momentum_closes

EXACT = ["own-members", "sum", "sequential"]  # the schemes that conserve momentum
WEIGHT = "half a percent: a tenth of the error of `average`, and what the remaining motion of the water accounts for"
NO_GAIN = ("a thousandth: there is no gravity, and the initial pressure at the surface of the fluid, which is not mechanical "
           "energy, accounts for half of that with every scheme")


def share_misfit(m, run):
    """Relative difference between the vertical impulse of rim and walls and that of the weight."""
    return abs(sum(m.column(run, "support_impulse_z")) / -sum(m.column(run, "gravity_impulse_z")) - 1)


def misfit_of(m, way):
    return max(share_misfit(m, f"{way}-a{alpha}-{step}") for alpha in m.axis("alpha") for step in m.axis("step"))


def gain(m, way):
    """The largest gain over all mass ratios, and on a cloth of smaller particles."""
    return max(m.summary(f"jet-{way}-*", "energy_gain") + m.summary(f"half-{way}", "energy_gain"))


@claim("SYNC-own-members-weight", kind="physics",
       states="own members: rim and walls carry exactly the weight of cloth and water: largest relative difference",
       holds="< 2e-4", because="ten times what the remaining motion of the water accounts for")
def misfit_own_members(m):
    return misfit_of(m, "own-members")


@claim("SYNC-average-weight", kind="physics",
       states="average: rim and walls carry the weight: largest relative difference",
       holds="< 0.005", because=WEIGHT,
       known="they carry more. Of the force of the cloth and of the pressure of the water on the same meta-particle only fractions "
             "arrive, and these differ")
def misfit_average(m):
    return misfit_of(m, "average")


@claim("SYNC-sum-weight", kind="physics",
       states="sum: rim and walls carry the weight: largest relative difference",
       holds="< 2e-4", because="ten times what the remaining motion of the water accounts for")
def misfit_sum(m):
    return misfit_of(m, "sum")


@claim("SYNC-sequential-weight", kind="physics",
       states="sequential: rim and walls carry the weight: largest relative difference",
       holds="< 2e-4", because="ten times what the remaining motion of the water accounts for")
def misfit_sequential(m):
    return misfit_of(m, "sequential")


@claim("SYNC-penalty-weight", kind="physics",
       states="penalty forces: rim and walls carry the weight: largest relative difference",
       holds="< 0.005", because=WEIGHT)
def misfit_penalty(m):
    return max(share_misfit(m, f"penalty-{step}") for step in m.axis("step"))


@claim("SYNC-withheld", kind="physics",
       states="own members, sum and sequential: the coupling adds or withholds no momentum, at any mass ratio",
       holds="== 0", because="the column is a sum of terms that are all 0, not of terms that cancel")
def withheld(m):
    return max(value for way in EXACT for value in
               m.summary(f"{way}-a*", "coupling_drift") + m.summary(f"jet-{way}-*", "coupling_drift"))


momentum_closes("SYNC-momentum", "gravity, supports, coupling", runs="[!f]*")


@claim("SYNC-average-momentum", kind="physics",
       states="average: the coupling conserves momentum: what it adds or withholds over the jet's own momentum scale, all mass "
              "ratios",
       holds="< 0.01", because="an error that one would tolerate in a coupling; exact would be 0",
       known="hardly any error for heavy cloths, several times the momentum of the jet for light ones")
def average_momentum(m):
    return max(m.summary("jet-average-*", "coupling_drift"))


@claim("SYNC-sequential-gain", kind="physics",
       states="sequential: no energy is created, at any mass ratio: largest gain over the impact energy",
       holds="< 1e-3", because=NO_GAIN)
def gain_sequential(m):
    return gain(m, "sequential")


@claim("SYNC-sum-gain", kind="physics",
       states="sum: no energy is created, at any mass ratio: largest gain over the impact energy",
       holds="< 1e-3", because=NO_GAIN)
def gain_sum(m):
    return gain(m, "sum")


@claim("SYNC-own-members-gain", kind="physics",
       states="own members: no energy is created, at any mass ratio: largest gain over the impact energy",
       holds="< 1e-3", because=NO_GAIN,
       known="the lightest cloth gains energy. The implicit system responds with its own light members to an impulse on the whole "
             "meta-particle, so that it computes its forces at positions that it never reaches")
def gain_own_members(m):
    return gain(m, "own-members")


@claim("SYNC-own-members-gain-8", kind="physics",
       states="own members: no energy is created, up to a mass ratio of 8: largest gain over the impact energy",
       holds="< 1e-3", because=NO_GAIN)
def gain_own_members_8(m):
    return max(value for ratio in m.axis("ratio")[:-1] for value in m.summary(f"jet-own-members-{ratio}", "energy_gain"))


@claim("SYNC-average-gain", kind="physics",
       states="average: no energy is created, at any mass ratio: largest gain over the impact energy",
       holds="< 1e-3", because=NO_GAIN,
       known="light cloths gain many times the impact energy")
def gain_average(m):
    return gain(m, "average")


@claim("SYNC-sequential-newton", kind="physics",
       states="sequential: a fluid particle compresses a spring as Newton's law says, at three steps and three mass ratios: "
              "largest relative difference",
       holds="< 1e-7", because="the tolerances of the solver and of the rest that is reached")
def newton_sequential(m):
    return m.measured("COUPLING.newton.sequential")


@claim("SYNC-sum-newton", kind="physics",
       states="sum: a fluid particle compresses a spring as Newton's law says: largest relative difference",
       holds="< 1e-7", because="as for sequential coupling")
def newton_sum(m):
    return m.measured("COUPLING.newton.sum")


@claim("SYNC-own-members-newton", kind="physics",
       states="own members: a fluid particle compresses a spring as Newton's law says: largest relative difference",
       holds="< 0.01", because="a hundredth would be invisible",
       known="the spring is shorter by (tau + dt) (m2 / m1) g dt, with tau its damping time: see the next claim")
def newton_own_members(m):
    return m.measured("COUPLING.newton.own-members")


@claim("SYNC-own-members-formula", kind="physics",
       states="own members: the spring is shorter by (tau + dt) (m2 / m1) g dt, whatever its stiffness: largest relative error of "
              "the whole compression",
       holds="< 1e-6", because="the accuracy of the rest that is reached in 4000 steps")
def formula_own_members(m):
    return m.measured("COUPLING.deflection.own-members")


@claim("SYNC-average-newton", kind="physics",
       states="average: a fluid particle compresses a spring no more than Newton's law says: least ratio over three masses and two "
              "steps",
       holds="< 1.01", because="a hundredth would be invisible",
       known="only a fraction w of the spring's force arrives, the solid's fraction of the mass, and damping responds to a "
             "velocity with which nothing moves: the compression is m g / (w kappa) + (tau + dt) (1/w - 1) g dt")
def newton_average(m):
    return m.measured("COUPLING.deflection.least")


@claim("SYNC-average-formula", kind="physics",
       states="average: the compression is m g / (w kappa) + (tau + dt) (1/w - 1) g dt: largest relative error",
       holds="< 1e-6", because="the accuracy of the rest that is reached in 4000 steps")
def formula_average(m):
    return m.measured("COUPLING.deflection.average")


@claim("SYNC-deflection-steps", kind="finding",
       states="sequential: the deflection of the cloth under the water is the same for both time steps and both alpha, means of "
              "the last half second: largest over smallest, minus 1",
       holds="< 0.05",
       because="a twentieth of the deflection is less than a millimeter, a twentieth of a spacing, and the water still oscillates "
               "by some of it")
def deflection_spread(m):
    deflections = [mean([s for t, s in zip(m.column(run, "time"), m.column(run, "deflection")) if t > 2.0])
            for run in (f"sequential-a{alpha}-{step}" for alpha in m.axis("alpha") for step in m.axis("step"))]
    return max(deflections) / min(deflections) - 1


@claim("SYNC-leaks", kind="finding",
       states="no particle gets through, with any scheme, at any mass ratio: number of particles",
       holds="== 0", because="a count of particles; the schemes can be compared only if none is lost")
def leaks(m):
    return max(m.summary("[!fl]*", "penetrated_max"))
