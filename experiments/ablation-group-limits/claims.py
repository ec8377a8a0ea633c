"""Group limits: claims."""

from claims import claim, ledger_closes

LARGER = ["8", "16", "32", "64", "128", "256", "unlimited", "8-64"]
HALF = "half: a change of kind, not the scatter of seeds"
SIMILAR = "a fifth: similar, where freezing takes most of it"


def sag_ratio(m, runs, reference):
    """Sums over the same number of seeds."""
    return sum(m.summary(runs, "sag_max")) / sum(m.summary(reference, "sag_max"))


def approach_share(m, runs):
    return sum(m.column(runs, "approaching")) / sum(m.column(runs, "contacts"))


@claim("M11-map-leak-2", kind="paper", states="too small limits leak: 2 more than 4, particles", holds="> 0",
       because="more is the statement, for every seed")
def leak_2(m):
    return min(m.summary("index-limit-2-*", "wrong_side_max")) - max(m.summary("index-limit-4-*", "wrong_side_max"))


@claim("M11-map-leak-4", kind="paper", states="... and 4 more than any larger one", holds="> 0",
       because="more is the statement, for every seed",
       known="on this small cloth 4 leaks as little as larger limits, two particles at most; on that of Figure 11 it leaks")
def leak_4(m):
    return (min(m.summary("index-limit-4-*", "wrong_side_max"))
            - max(max(m.summary(f"index-limit-{limit}-*", "wrong_side_max")) for limit in LARGER))


@claim("M11-map-leak-random", kind="paper",
       states="... limits of 8 to 64 let hardly anybody through: share of the fluid",
       holds="< 1e-3", because="four of four thousand particles; a limit of 4 lets ten through")
def leak_random(m):
    return max(m.summary("index-limit-8-64-*", "wrong_side_mass_max")) / m.body("index-limit-8-64-seed-1", "fluid", "mass")[0]


@claim("M11-map-frozen", kind="paper",
       states="unlimited meta-particles freeze the cloth: sag over that with a limit of 8, means over seeds", holds="< 0.5", because=HALF)
def frozen(m):
    return sag_ratio(m, "index-limit-unlimited-*", "index-limit-8-seed-*")


@claim("M11-map-similar-64", kind="paper",
       states="limits of 8 and 64 give similar results: sag with 64 over that with 8, means over seeds",
       holds="> 0.8", because=SIMILAR,
       known="rigidity grows with the limit, there is no plateau from 8 to 64 (README)")
def similar_64(m):
    return sag_ratio(m, "index-limit-64-*", "index-limit-8-seed-*")


@claim("M11-map-similar-random", kind="paper", states="... random limits from 8 to 64 over 8", holds="> 0.8", because=SIMILAR)
def similar_random(m):
    return sag_ratio(m, "index-limit-8-64-*", "index-limit-8-seed-*")


@claim("FREEZE-short-steps", kind="finding",
       states="in steps of a tenth of that unlimited groups freeze nothing: sag over that with a limit of 8", holds="> 0.8", because=SIMILAR)
def short_steps(m):
    return sag_ratio(m, "step-0.05-limit-unlimited-*", "step-0.05-limit-8-seed-*")


@claim("FREEZE-short-steps-leak", kind="finding", states="... and no limit from 4 on leaks", holds="== 0",
       because="a count of particles: none may")
def short_steps_leak(m):
    return max(m.summary("step-0.05-limit-*", "wrong_side_max"))


@claim("M11-map-turned", kind="paper",
       states="unlimited groups freeze the cloth with the lattice of the fluid turned, too", holds="< 0.5", because=HALF,
       known="they do not; chains of contacts spread over the whole cloth only where the lattices fit")
def turned(m):
    return sag_ratio(m, "turned-limit-unlimited-*", "turned-limit-8-seed-*")


@claim("M06-map-order", kind="paper",
       states="the order of merging does not change the outcome: sag without limit, order shuffled in every step, over that in "
              "the order of indices, less 1",
       holds="< 0.1", because="a tenth, the scatter of seeds", known="it decides, see the next claim")
def order(m):
    return sag_ratio(m, "shuffled-limit-unlimited-*", "index-limit-unlimited-*") - 1


@claim("FREEZE-order", kind="finding",
       states="... why: share of the pairs in contact that approach again as a step begins, in the order of indices less shuffled",
       holds="> 0.5", because="most pairs against few")
def approach_difference(m):
    return approach_share(m, "index-limit-unlimited-*") - approach_share(m, "shuffled-limit-unlimited-*")


@claim("FREEZE-energy", kind="finding",
       states="what keeps groups together is the energy that splitting returns: members of the largest at the end, less those "
              "with alpha = 0",
       holds="> 0", because="more is the statement, for every seed")
def largest_difference(m):
    return min(m.last("index-limit-unlimited-*", "largest_group")) - max(m.last("inelastic-*", "largest_group"))


@claim("M12-map-few", kind="paper",
       states="collisions that limits of 8 to 64 ignore are few: share of all that a step is to merge",
       holds="< 0.1", because="few: less than a tenth")
def skipped(m):
    return max(m.summary("index-limit-8-64-*", "skipped_share"))


@claim("M12-map-next-step", kind="paper",
       states="... and not persistent: share of them ignored in the next step, too", holds="< 0.5", because="less than half are")
def skipped_again(m):
    return max(m.summary("index-limit-8-64-*", "skipped_again_share"))


@claim("M12-map-chance", kind="paper",
       states="... which is the work of chance: most steps in a row that a pair is ignored, with a fixed limit of 64 over with "
              "random ones, means over seeds",
       holds="> 1", because="more is the statement")
def skipped_longest(m):
    return sum(m.summary("index-limit-64-*", "skipped_longest")) / sum(m.summary("index-limit-8-64-*", "skipped_longest"))


@claim("STABLE-group-limits", kind="finding", states="every run is stable", holds="== 0",
       because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


ledger_closes("group-limits")
