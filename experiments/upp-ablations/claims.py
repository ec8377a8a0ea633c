"""Averages and over-relaxation of corrections of positions, their order, and the margin of the search: claims about values that tests measured."""

from claims import claim, measured

SCENES = ("cloth", "stack", "pile")

measured("U13-blocks", "UPP.drift.grains.averaged UPP.drift.shapes.averaged", kind="unified",
         states="averages need not conserve momentum where particles have different numbers of constraints: its change over that of the body that moves, two blocks of "
                "grains and two rigid blocks that collide, the larger",
         holds="> 0.01", because="clearly above rounding")
measured("U13-two", "UPP.drift.two.averaged", kind="unified",
         states="... and do for two particles: the same", holds="< 1e-13", because="rounding of one correction")
measured("SPLITTING-grains", "UPP.drift.grains.split", kind="physics",
         states="masses that are split among constraints keep momentum: the same, of grains", holds="< 1e-12", because="rounding")
measured("SPLITTING-shapes", "UPP.drift.shapes.split", kind="physics",
         states="... of rigid blocks", holds="< 1e-10", because="places are written anew in each iteration; their rounding over the step is a velocity")


@claim("U17-sooner", kind="unified",
       states="averages alone can be too cautious: what is left of the constraints with eight iterations at a factor of 1.5, over that at 1, hanging cloth, stack of ten and "
              "grains in a box, the largest",
       holds="< 1", because="less is left in each")
def sooner(m):
    return max(m.measured(f"UPP.omega.{scene}-1.5") / m.measured(f"UPP.omega.{scene}-1") for scene in SCENES)


@claim("U17-order", kind="unified",
       states="... and the less the larger the factor: the largest ratio of that for 1, 1.25, 1.5 and 2, each over the one before", holds="< 1", because="each is less")
def order(m):
    return max(m.measured(f"UPP.omega.{scene}-{b}") / m.measured(f"UPP.omega.{scene}-{a}")
               for scene in SCENES for a, b in (("1", "1.25"), ("1.25", "1.5"), ("1.5", "2")))


measured("U18-stable", "UPP.omega.speed-above", kind="unified",
         states="factors from 1 to 2 are stable: the largest speed in these scenes over that of a fall from their height, factors of 1.25, 1.5 and 2",
         holds="< 3", because="more than chance leaves room for; what is unstable has no limit")
measured("U19-one", "UPP.omega.speed-1", kind="unified",
         states="no factor below 1 is needed: the same with a factor of 1", holds="< 3", because="likewise")


measured("U97-missed", "UPP.margin.missed-0", kind="unified",
         states="contacts that arise while positions are corrected are missed: pairs in touch at the end of steps that were not looked at, over all of these, 216 grains that "
                "fall into a box, eight iterations, without a margin",
         holds="> 0.01", because="clearly more than the rounding of grains exactly in touch")


@claim("U97-margin", kind="unified",
       states="... and a larger radius of the search helps: the same with a margin of a tenth of the radius over that without", holds="< 0.1", because="a tenth")
def margin_helps(m):
    return m.measured("UPP.margin.missed-0.1") / m.measured("UPP.margin.missed-0")


measured("MARGIN-ours", "UPP.margin.missed-0.2", kind="finding",
         states="the margin that we have, a fifth of the radius, is enough: the same with it", holds="< 0.01", because="what a hundredth of contacts lack is made good in the next step")


@claim("U98-pairs", kind="unified",
       states="the margin should be small, since more pairs are processed: pairs of a particle with a margin of half the radius over those with a tenth", holds="> 1.1",
       because="a tenth more is a cost that one sees")
def margin_costs(m):
    return m.measured("UPP.margin.pairs-0.5") / m.measured("UPP.margin.pairs-0.1")


# ---- Section 4.3: groups ----


@claim("U20-sooner", kind="unified",
       states="groups solved one after the other converge faster than all at once: what is left of all constraints after eight iterations, over that with all groups' constraints "
              "averaged at once, or with the averages of groups added up; a cloth that falls on grains, and a cube that falls on a cloth on water, the largest",
       holds="< 1", because="less is left in each")
def groups_sooner(m):
    return max(m.measured(f"UPP.groups.{scene}.in_turn") / m.measured(f"UPP.groups.{scene}.{way}") for scene in ("pile", "everything") for way in ("averaged", "summed"))


measured("U21-last", "UPP.last.contacts UPP.last.density UPP.last.cloth", kind="unified",
         states="a later group takes precedence: what is left of a group after eight iterations if it is the last, over that if another follows: contacts and density, density and "
                "contacts (a cube that falls on a cloth on water), distances and contacts (a cloth that falls on grains), the largest",
         holds="< 1", because="less is left in each")


# ---- Section 5.2: masses that are scaled in the last iteration alone ----


@claim("U51-between", kind="unified",
       states="scaling masses in the last iteration alone would also do: compression of a stack of ten with it between those without and with scaling in all (k = 3 1/m, four "
              "iterations): 0 if it is as without, 1 if it is as with all",
       holds="> 0.2", because="a fifth of the gain is one that can be used; 0 would be none")
def scaled_last(m):
    none, full, last = (m.measured(f"UPP.scaled.{way}.compression") for way in ("no", "all", "last"))
    return (none - last) / (none - full)


@claim("U51-feels", kind="unified",
       states="... and the lowest body then responds to what falls on the highest, as it does not with scaling in all (k = 20 1/m): how far it gives way, over that without scaling",
       holds="> 0.1", because="a tenth can be seen, where scaling in all leaves a ten thousandth")
def feels(m):
    return m.measured("UPP.scaled.last.response") / m.measured("UPP.scaled.no.response")


# ---- Section 7.1.1: the denominator of density ----

measured("U70-smallest", "UPP.denominator.smallest", kind="unified",
         states="the smallest mass in the denominator keeps corrections of fluids conservative: largest kinetic energy in two seconds of a fluid on one of a quarter of its density, "
                "over what they set free when they change places",
         holds="< 1", because="more would come from nothing")
measured("U70-larger", "UPP.denominator.mean UPP.denominator.largest", kind="unified",
         states="... and larger ones do not: the same with the mean and with the largest mass, the larger", holds="> 1", because="as above")


# ---- Section 9: floors ----

measured("U102-rough", "UPP.floor.particles.range", kind="unified",
         states="a floor of particles is rough: range of the height of a grain that slides over it along a row, radii",
         holds="> 0.1", because="a plane has 0; on top of a particle it is 2 radii high, between two the root of 3, 0.27 less")
measured("U102-plane", "UPP.floor.plane.range", kind="unified", states="... and a plane is not: the same", holds="< 1e-9", because="rounding")
measured("U102-stops", "UPP.floor.particles.left", kind="unified",
         states="... so that a grain is stopped without any friction: what is left after half a second of 1 m/s", holds="< 0.5", because="on the plane all is left")


@claim("U102-dear", kind="unified",
       states="... and it is dearer: pairs that a layer of 64 grains at rest looks at, over those on a plane, without the floor's own particles",
       holds="> 1", because="the statement")
def dear(m):
    return m.measured("UPP.floor.particles.pairs") / m.measured("UPP.floor.plane.pairs")
