"""Averages and over-relaxation of corrections of positions, and the margin of the search: claims about values that tests measured."""

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
