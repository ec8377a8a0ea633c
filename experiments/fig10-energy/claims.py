"""Figure 10: claims."""

from arithmetic import differences, mean, pairs, spread, surely
from claims import claim, ledger_closes

INTEGRATORS = ["euler", "newmark"]
MORE = "more, with 95 % confidence: pairs of the same seed"


def gain(m, key, more, less):
    """What the mean of the runs of more is above that of less, at least; pairs of the same seed."""
    return surely(differences(m.summary(more, key), m.summary(less, key)))


def returned(m, more, less):
    return gain(m, "bodies.fluid.energy_returned", more, less)


def jumps(m, runs):
    """Highest center of mass of the fluid after the fall, m."""
    return [low + up for low, up in pairs(m.summary(runs, "bodies.fluid.lowest_height"), m.summary(runs, "bodies.fluid.rebound_height"))]


def jump(m, runs):
    return mean(jumps(m, runs))


def share(m, choice):
    """Of its energy that returns to the fluid, mean of three seeds."""
    return mean(m.summary(f"{choice}-*", "bodies.fluid.energy_returned"))


def share_spread(m, choice):
    return spread(m.summary(f"{choice}-*", "bodies.fluid.energy_returned"))


def jump_spread(m, runs):
    """In mm."""
    return 1e3 * spread(jumps(m, runs))


@claim("M34-alpha-energy", kind="paper",
       states="alpha 0 to 1: a larger share of the fluid's energy returns to it, at least", holds="> 0", because=MORE,
       known="no clear difference: what splitting returns, backward Euler takes")
def alpha_energy(m):
    return returned(m, "euler-a1-b0-*", "euler-a0-b0-*")


@claim("M34-beta-energy", kind="paper", states="beta 0 to 1: and a larger one still", holds="> 0", because=MORE,
       known="no clear difference, for the same reason")
def beta_energy(m):
    return returned(m, "euler-a1-b1-*", "euler-a1-b0-*")


@claim("M34-alpha-energy-newmark", kind="paper", states="alpha 0 to 1 with Newmark's integrator", holds="> 0", because=MORE)
def alpha_energy_newmark(m):
    return returned(m, "newmark-a1-b0-*", "newmark-a0-b0-*")


@claim("M34-beta-energy-newmark", kind="paper", states="beta 0 to 1 with Newmark's integrator", holds="> 0", because=MORE)
def beta_energy_newmark(m):
    return returned(m, "newmark-a1-b1-*", "newmark-a1-b0-*")


@claim("M34-alpha-kept", kind="paper",
       states="alpha 0 to 1: more mechanical energy of fluid and cloth together is kept, over the kinetic energy at impact",
       holds="> 0", because=MORE)
def alpha_kept(m):
    return gain(m, "energy_kept", "*-a1-b0-*", "*-a0-b0-*")


@claim("M34-beta-kept", kind="paper", states="beta 0 to 1: and more still", holds="> 0", because=MORE,
       known="with Newmark's integrator, not with backward Euler")
def beta_kept(m):
    return gain(m, "energy_kept", "*-a1-b1-*", "*-a1-b0-*")


@claim("M34-alpha-jump", kind="paper",
       states="alpha 0 to 1: the fluid jumps higher, m, whatever the integrator, at least", holds="> 0", because=MORE)
def alpha_jump(m):
    return min(surely(differences(jumps(m, f"{i}-a1-b0-*"), jumps(m, f"{i}-a0-b0-*"))) for i in INTEGRATORS)


@claim("M34-beta-jump-newmark", kind="paper",
       states="beta 0 to 1: and higher still with Newmark's integrator, m, at least", holds="> 0", because=MORE,
       known="two millimeters on average, which three seeds do not make sure")
def beta_jump_newmark(m):
    return surely(differences(jumps(m, "newmark-a1-b1-*"), jumps(m, "newmark-a1-b0-*")))


@claim("M34-beta-jump-euler", kind="paper",
       states="... with backward Euler, m", holds="> 0", because=MORE,
       known="no clear difference: the seeds of one choice are further apart")
def beta_jump_euler(m):
    return surely(differences(jumps(m, "euler-a1-b1-*"), jumps(m, "euler-a1-b0-*")))


@claim("M34-slightly", kind="paper",
       states="... slightly: the whole jump, from the lowest point to the highest, with everything returned over that with nothing",
       holds="< 0.25", because="a quarter, as large as \"slightly\" may be read")
def jump_ratio(m):
    def rebound(runs):
        return sum(m.summary(runs, "bodies.fluid.rebound_height"))
    return max(rebound(f"{i}-a1-b1-*") / rebound(f"{i}-a0-b0-*") - 1 for i in INTEGRATORS)


@claim("M35-lost", kind="paper",
       states="alpha = beta = 1: energy that virtual bonds keep back, J",
       holds="== 0", because="a sum of terms that are all 0, (1 - alpha) and (1 - beta) times something")
def energy_lost(m):
    return max(m.summary("*-a1-b1-*", "bond_lost")) + max(m.summary("*-a1-b1-*", "sync_lost"))


@claim("M35-returned", kind="paper",
       states="... the kinetic energy that splitting added, measured from the velocities, is what merging and synchronizing took, relative",
       holds="< 1e-12", because="rounding of sums")
def energy_not_returned(m):
    runs = "*-a1-b1-*"
    return max(abs(bond + sync - out) / out for bond, sync, out in
               zip(m.summary(runs, "bond_in"), m.summary(runs, "sync_in"), m.summary(runs, "bond_out")))


@claim("M35-nothing", kind="paper",
       states="alpha = beta = 0: kinetic energy that splitting adds, measured from the velocities, J", holds="== 0", because="a sum of terms that are all 0")
def energy_returned(m):
    return max(abs(out) for out in m.summary("*-a0-b0-*", "bond_out"))


@claim("COUPLING-column", kind="physics",
       states="momentum that Eq. 17, with every system moving its own members, takes from fluid and cloth, any alpha and beta",
       holds="== 0", because="the column is a sum of terms that are all 0")
def withheld(m):
    return max(m.summary("*", "coupling_drift"))


@claim("COUPLING-column-rest", kind="physics",
       states="... momentum is that of gravity, the rim and the solver's residual",
       holds="< 1e-11", because="rounding, over some thousand steps")
def momentum_rest(m):
    return max(m.summary("*", "momentum_rest"))


@claim("M21-column-wrong-side", kind="paper",
       states="no particle on the wrong side of the cloth at any step", holds="== 0", because="a count of particles: none may")
def wrong_side(m):
    return max(m.column("*", "wrong_side"))


ledger_closes("fig10")
