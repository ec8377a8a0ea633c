"""Group limits: claims."""

from arithmetic import max, min, sum
from claims import claim, ledger_closes, nothing_passes, stays_stable

HALF = "half: a qualitative change, well beyond the scatter of seeds"
SIMILAR = "within a fifth is similar, where freezing takes away most of the deflection"


def deflection_ratio(m, runs, reference):
    """Ratio of the mean deflections; both runs have the same number of seeds."""
    return sum(m.summary(runs, "deflection_max")) / sum(m.summary(reference, "deflection_max"))


def approaching_fraction(m, runs):
    return sum(m.column(runs, "approaching")) / sum(m.column(runs, "contacts"))


claim("M11-map-leak-2", kind="paper",
      states="limits that are too small leak: least number of particles through with 2, minus the most with 4",
      holds="> 0", because="more is the statement, for every seed",
      value=lambda m: min(m.summary("index-limit-2-*", "penetrated_max")) - max(m.summary("index-limit-4-*", "penetrated_max")))
claim("M11-map-leak-4", kind="paper",
      states="limits that are too small leak: least number of particles through with 4, minus the most with any larger limit",
      holds="> 0", because="more is the statement, for every seed",
      known="on this small cloth a limit of 4 leaks as little as larger ones, two particles at most; on that of Figure 11 it leaks",
      value=lambda m: (min(m.summary("index-limit-4-*", "penetrated_max"))
                       - max(max(m.summary(f"index-limit-{limit}-*", "penetrated_max")) for limit in m.axis("limit")[2:])))
claim("M11-map-leak-random", kind="paper",
      states="random limits of 8 to 64 hardly leak: fraction of the fluid that gets through",
      holds="< 1e-3", because="four of four thousand particles; with a limit of 4 ten get through",
      value=lambda m: max(m.summary("index-limit-8-64-*", "penetrated_mass_max")) / m.body("index-limit-8-64-seed-*", "fluid", "mass")[0])


@claim("M11-map-frozen", kind="paper",
       states="unlimited meta-particles freeze the cloth: deflection over that with a limit of 8, means over seeds",
       holds="< 0.5", because=HALF)
def frozen(m):
    return deflection_ratio(m, "index-limit-unlimited-*", "index-limit-8-seed-*")


@claim("M11-map-similar-64", kind="paper",
       states="limits of 8 and 64 give similar results: deflection with 64 over that with 8, means over seeds",
       holds="> 0.8", because=SIMILAR,
       known="the cloth becomes stiffer as the limit grows; there is no plateau from 8 to 64 (README)")
def similar_64(m):
    return deflection_ratio(m, "index-limit-64-*", "index-limit-8-seed-*")


@claim("M11-map-similar-random", kind="paper",
       states="limits of 8 and of 8 to 64 give similar results: deflection with 8 to 64 over that with 8, means over seeds",
       holds="> 0.8", because=SIMILAR)
def similar_random(m):
    return deflection_ratio(m, "index-limit-8-64-*", "index-limit-8-seed-*")


@claim("FREEZE-short-steps", kind="finding",
       states="in steps a tenth as long unlimited meta-particles do not freeze the cloth: deflection over that with a limit of 8, "
              "means over seeds",
       holds="> 0.8", because=SIMILAR)
def short_steps(m):
    return deflection_ratio(m, "step-0.05-limit-unlimited-*", "step-0.05-limit-8-seed-*")


nothing_passes("FREEZE-short-steps-leak", kind="finding", runs="step-0.05-limit-*",
               states="in steps a tenth as long no limit from 4 on leaks: number of particles through")


@claim("M11-map-turned", kind="paper",
       states="unlimited meta-particles also freeze the cloth if the lattice of the fluid is turned: deflection over that with a "
              "limit of 8, means over seeds",
       holds="< 0.5", because=HALF,
       known="they do not; chains of contacts spread over the whole cloth only where the lattices match")
def turned(m):
    return deflection_ratio(m, "turned-limit-unlimited-*", "turned-limit-8-seed-*")


claim("M06-map-order", kind="paper",
      states="the order of merging does not change the outcome: deflection without a limit, shuffled order over index order, "
             "minus 1",
      holds="< 0.1", because="a tenth, the scatter of seeds",
      known="the order decides; the next claim shows why",
      value=lambda m: deflection_ratio(m, "shuffled-limit-unlimited-*", "index-limit-unlimited-*") - 1)
claim("FREEZE-order", kind="finding",
      states="in index order more pairs in contact approach again right after they are split: fraction of such pairs, minus that "
             "with shuffled order",
      holds="> 0.5", because="most pairs against few",
      value=lambda m: approaching_fraction(m, "index-limit-unlimited-*") - approaching_fraction(m, "shuffled-limit-unlimited-*"))
claim("FREEZE-energy", kind="finding",
      states="the energy that splitting returns keeps meta-particles together: members of the largest one at the end, minus those "
             "with alpha = 0",
      holds="> 0", because="more is the statement, for every seed",
      value=lambda m: min(m.last("index-limit-unlimited-*", "largest_group")) - max(m.last("inelastic-*", "largest_group")))


@claim("M12-map-few", kind="paper",
       states="limits of 8 to 64 defer few collisions: fraction of all pairs that a step should merge",
       holds="< 0.1", because="few: less than a tenth")
def deferred(m):
    return max(m.summary("index-limit-8-64-*", "deferred_fraction"))


claim("M12-map-next-step", kind="paper",
      states="with limits of 8 to 64 deferral is not persistent: fraction of the deferred pairs that are deferred again in the "
             "next step",
      holds="< 0.5", because="less than half are",
      value=lambda m: max(m.summary("index-limit-8-64-*", "deferred_again_fraction")))
claim("M12-map-chance", kind="paper",
      states="randomness is the reason: most consecutive steps in which a pair is deferred, with a fixed limit of 64 over that "
             "with random limits, means over seeds",
      holds="> 1", because="more is the statement",
      value=lambda m: sum(m.summary("index-limit-64-*", "deferred_longest")) / sum(m.summary("index-limit-8-64-*", "deferred_longest")))
stays_stable()
ledger_closes()
