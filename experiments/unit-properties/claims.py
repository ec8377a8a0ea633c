"""What merging and splitting keep, and what rests: claims about values that tests measured."""

from claims import claim

ROUNDING = "rounding: a few units in the last place, of groups with mass ratios up to a million"
SINKS = "rest is rest to the bit: nothing may move"
LOCAL_MINIMUM = "what the numerical minimization is good for"


def measured(id, name, **fields):
    """A claim about one value, or the largest of several."""
    def value(m):
        found = [m.measured(n) for n in name.split()]
        return max(v for part in found for v in (part if isinstance(part, list) else [part]))
    claim(id, **fields)(value)


measured("M01-momentum", "M01.momentum", kind="paper",
         states="merging conserves momentum: largest relative error over 3000 random groups", holds="< 1e-12", because=ROUNDING)
measured("M01-energy", "M01.energy", kind="paper",
         states="... and stores the kinetic energy it takes: largest relative error", holds="< 1e-12", because=ROUNDING)
measured("M01-never-negative", "M01.least-stored", kind="paper",
         states="... which is never negative: least energy of a virtual bond over that of its group", holds=">= 0",
         because="the sign is the statement")
measured("M02-momentum", "M02.momentum", kind="paper",
         states="splitting conserves momentum, whatever the integration did: largest relative error", holds="< 1e-12", because=ROUNDING)
measured("M02-energy", "M02.energy M02.held.energy", kind="paper",
         states="... and returns alpha times the stored energy, also to groups held by a fixed particle: largest relative error",
         holds="< 1e-12", because=ROUNDING)


@claim("M02-both", kind="paper",
       states="... both with and without a real root of Eq. 13: splits tried, of the rarer kind", holds="> 5000",
       because="enough that a mistake in one in a thousand is met")
def rarer_kind(m):
    return min(m.measured("M02.roots"), m.measured("M02.rootless"))


measured("M03-apart", "M03.approach M03.held.approach", kind="paper",
         states="split particles never approach each other along the line of centers: largest approach over speeds",
         holds="< 1e-13", because="rounding of one projection")
measured("M04-place", "M04.place", kind="paper",
         states="without a real root: the velocity is where a numerical minimization finds the smallest orthogonal part, over the speeds",
         holds="< 1e-9", because=LOCAL_MINIMUM)
measured("M04-smallest", "M04.orthogonal", kind="paper",
         states="... and that part is no larger than the minimization's", holds="< 1e-9", because=LOCAL_MINIMUM)
measured("M04-along", "M04.along", kind="paper",
         states="... and perpendicular to n: what else changes is along n, Eq. 15", holds="< 1e-12", because=ROUNDING)
measured("M07-momentum", "M07.momentum M07.returned.momentum", kind="paper",
         states="two integrators, one velocity (Eq. 17) for a meta-particle: momentum of the two systems, of the meta-particle and of "
                "the particles after splitting, largest relative difference",
         holds="< 1e-12", because=ROUNDING)
measured("M07-energy", "M07.energy M07.returned.energy", kind="paper",
         states="... and the energy this loses (Eq. 19) goes through the bond to the particles (Eq. 20): largest relative error",
         holds="< 1e-12", because=ROUNDING)
measured("COUPLING-closure", "COUPLING.closure", kind="physics",
         states="in a time step of three systems (a solid, two fluids) the ledger adds up: largest closure of a step, relative",
         holds="< 1e-12", because=ROUNDING)
measured("COUPLING-momentum-shares", "COUPLING.shares.momentum", kind="physics",
         states="... and momentum is kept, with Eq. 17 over systems that each moved their own members: largest drift",
         holds="< 1e-12", because=ROUNDING)
measured("COUPLING-momentum-in-turn", "COUPLING.in-turn.momentum", kind="physics",
         states="... with systems in turn", holds="< 1e-12", because=ROUNDING)
measured("COUPLING-momentum-average", "COUPLING.momentum", kind="physics",
         states="... with Eq. 17 over systems that each moved the whole, but for what the ledger says is withheld",
         holds="< 1e-12", because=ROUNDING)
measured("M33-iterations", "M33.iterations", kind="paper",
         states="a second stage that begins with the first one's solution takes fewer iterations: two particles merge at the end of a "
                "bar, tolerances from 1e-2 to 1e-7, over those of solving it anew", holds="< 1", because="fewer is the statement")
measured("M33-touched", "M33.touched", kind="paper",
         states="... and only where the solver's vectors have come to: share of the particles computed, at most", holds="< 0.9",
         because="a bar is short and waves reach its other end: even there some are left alone")
measured("M35-bonds", "COUPLING.lost", kind="paper",
         states="alpha = beta = 1: energy that virtual bonds are told to keep back, J", holds="== 0", because="a sum of terms that are all 0")
measured("M35-measured", "COUPLING.returned", kind="paper",
         states="... and the kinetic energy that splitting adds, measured from the velocities, is what merging and synchronizing took: "
                "largest difference of a step, relative", holds="< 1e-12", because=ROUNDING)
measured("M08-head-on", "M08.head-on", kind="paper",
         states="head-on collisions missed at the limit of the time step, of 2000", holds="== 0", because="a count: the paper says none")
measured("M08-grazing", "M08.grazing-1.7", kind="paper",
         states="grazing ones can be missed: share at an impact parameter of 1.7 r", holds="> 0", because="they can be: one will do")
measured("M08-half-step", "M08.grazing-1.7.half-step", kind="paper",
         states="... but none with half the time step", holds="== 0", because="a count")
measured("M09-sinks", "M09.pair-1.stages-1", kind="paper",
         states="one stage is not enough for rest: a particle sinks into a fixed one, radii per step of 1 ms", holds="> 0",
         because="the sign is the statement")
measured("M09-rests", "M09.pair-1.stages-[234]", kind="paper", states="two are, and three and four", holds="== 0", because=SINKS)
measured("M36-pairs", "M36.pair M36.two-pairs", kind="paper",
         states="two resting particles keep their relative position: radii moved in 1e5 steps", holds="== 0", because=SINKS)
measured("M36-column-2", "M36.column-2.stages-2", kind="paper",
         states="two loose particles rest on a fixed one, with two stages: radii sunk per step of 1 ms", holds="== 0", because=SINKS,
         known="loose particles one above the other sink: the second stage finds the lower contact, and there is no third for the upper one")
measured("M36-columns", "M36.column-[345].stages-2", kind="paper",
         states="a column of three to five loose particles rests, with two stages: radii sunk per step of 1 ms", holds="== 0", because=SINKS,
         known="as two do; the contacts of n loose particles need n + 1 stages")
measured("REST-columns", "M36.column-2.stages-3 M36.column-3.stages-4 M36.column-4.stages-5 M36.column-5.stages-6", kind="finding",
         states="a column of n loose particles rests with n + 1 stages: radii sunk per step of 1 ms", holds="== 0", because=SINKS)
measured("REST-long", "M36.column-2.stages-3.long", kind="finding",
         states="... for long: radii moved in 1e5 steps, two particles", holds="== 0", because=SINKS)
measured("M36-pile", "M36.pile-3.stages-2", kind="paper",
         states="a pile of three elastic blocks rests, with two stages: radii moved in a second", holds="< 1e-3",
         because="elastic blocks settle under their weight; a thousandth of a radius is not seen")
measured("FREE-momentum", "FREE.momentum", kind="physics",
         states="free cluster of colliding bodies, 2000 steps: drift of momentum", holds="< 1e-12", because="rounding of 2000 steps")
measured("FREE-closure", "FREE.closure", kind="physics", states="... the energy ledger adds up", holds="< 1e-9", because="rounding of 2000 steps")
measured("FREE-energy", "FREE.energy", kind="physics",
         states="... energy at the end over that at the start: implicit integration and damping take, nothing gives", holds="<= 1",
         because="the sign is the statement")
measured("FREE-angular", "FREE.angular", kind="physics",
         states="... angular momentum: drift over the sum of m x v of the start", holds="< 1e-12", because="as momentum",
         known="merging-and-splitting does not conserve it, and the paper does not say it would: during a time step all particles of a "
               "group move with one velocity, whatever spin they had")
measured("BAR-wave", "BAR.wave.*", kind="physics",
         states="a wave along bars of peridynamic bonds travels at sqrt(E / rho), E in closed form from the bonds: largest relative error",
         holds="< 0.05", because="the wave is ten spacings long, and dispersion goes as the square of their ratio")
measured("BAR-sag-strip", "BAR.sag.strip-32", kind="physics",
         states="a cantilever of 32 rows sags as beam theory says, with Young's modulus of the network: relative error",
         holds="< 0.1", because="the skin that lacks bonds is a tenth of its height on each side")


@claim("BAR-sag-halves", kind="physics",
       states="... which halves with the spacing: largest ratio of errors", holds="< 0.6", because="a half, and what is of second order")
def sag_halves(m):
    sag = [m.measured(f"BAR.sag.strip-{rows}") for rows in (8, 16, 32)]
    return max(sag[2] / sag[1], sag[1] / sag[0])


measured("BAR-sag-square", "BAR.sag.bar-12", kind="physics",
         states="... of 12 x 12 rows as well: relative error", holds="< 0.1", because="as for the strip",
         known="particles within a horizon of the surface lack bonds; the skin is 3 of 12 rows and makes the bar softer")
measured("BAR-own-sag", "BAR.own-sag.*", kind="physics",
         states="... with the stiffness of their own bonds, surface included, coarse and fine ones do: largest relative error",
         holds="< 0.1", because="as for the strip; the thinnest bar is thinner than a horizon")
measured("BAR-break", "BAR.break.*", kind="physics",
         states="bars pulled apart break where they were made weak: slices between that section and the crack, six bars",
         holds="== 0", because="in that slice, not beside it")
