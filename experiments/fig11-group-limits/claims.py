"""Figure 11: claims."""

from claims import claim, ledger_closes, stays_stable
from arithmetic import mean

LATE = 0.05  # s, from which on the fluid lies on the cloth
HALF = "half: a qualitative change, well beyond the scatter of seeds"


def bending_ratio(m, column):
    """How much a frozen cloth bends over how much it does with the limit that bends it least, means over seeds and time."""
    limited = min(mean(m.spectrum(runs, "cloth", column, start=LATE)) for runs in ["64-seed-*", "8-64-seed-*", "8-seed-*", "4-seed-*"])
    return mean(m.spectrum("unlimited-*", "cloth", column, start=LATE)) / limited


claim("M11-frozen-deflection", kind="paper",
      states="unlimited meta-particles freeze the cloth: largest deflection over the least with a limit",
      holds="< 0.5", because=HALF,
      value=lambda m: max(m.summary("unlimited-*", "deflection_max")) / min(m.summary("[!u]*", "deflection_max")))
claim("M11-frozen-bending", kind="paper",
      states="the cloth stays frozen: rms displacement out of plane from 0.05 s on, over that with a limit, means over seeds and time",
      holds="< 0.5", because=HALF,
      value=lambda m: bending_ratio(m, "rms"))
claim("M11-frozen-long-waves", kind="paper",
      states="the cloth stays frozen: the same for waves of 2 to 4 half-waves",
      holds="< 0.5", because=HALF,
      value=lambda m: bending_ratio(m, "rms_2"))
claim("M11-frozen-short-waves", kind="paper",
      states="the cloth stays frozen: the same for all shorter waves",
      holds="< 0.5", because=HALF,
      known="short waves remain: a frozen cloth keeps the dents that the impact made before it froze",
      value=lambda m: bending_ratio(m, "bending"))
claim("M11-similar-8", kind="paper",
      states="limits of 64 and 8 give similar results: deflection with 8 over that with 64, means over seeds, minus 1",
      holds="< 0.1", because="a tenth, about what seeds differ by",
      known="a fixed limit of 64 costs a seventh of the deflection; see the next claim",
      value=lambda m: mean(m.summary("8-seed-*", "deflection_max")) / mean(m.summary("64-*", "deflection_max")) - 1)
claim("M11-similar-random", kind="paper",
      states="limits of 64 and of 8 to 64 give similar results: overlap of the ranges of the deflection over four seeds, m",
      holds=">= 0", because="the ranges overlap",
      known="the deflection is a little smaller with a fixed limit of 64, which makes the same meta-particles step after step, "
            "each a rigid part of the cloth",
      value=lambda m: max(m.summary("64-*", "deflection_max")) - min(m.summary("8-64-*", "deflection_max")))
claim("M11-leak-4", kind="paper",
      states="a limit of 4 leaks more than any other: least number of particles through, minus the most with other limits",
      holds="> 0", because="more is the statement, for every seed",
      value=lambda m: min(m.summary("4-*", "penetrated_max")) - max(m.summary("[!4]*", "penetrated_max")))
claim("M11-leak-random", kind="paper",
      states="random limits of 8 to 64 hardly leak: fraction of the fluid that gets through",
      holds="< 1e-3", because="nine of nine thousand particles; with a limit of 4 seven times as many get through",
      value=lambda m: max(m.summary("8-64-*", "penetrated_mass_max")) / m.body("8-64-seed-*", "fluid", "mass")[0])


def deep_fraction(m, runs):
    """Of all pairs in contact, summed over steps, those deeper than half of the contact distance."""
    return sum(m.column(runs, "overlap_half")) / sum(m.column(runs, "contacts"))


CENTERS = ("at one half the center of each lies in the other particle, and nothing tells any more from which side they came; the time "
           "step lets two that meet get no deeper than a radius")


claim("M21-block-overlap", kind="paper",
      states="without a limit fluid and cloth stay apart: fraction of the pairs in contact, summed over steps, that overlap by more "
             "than half of the contact distance",
      holds="< 1e-3", because=f"one in a thousand: {CENTERS}",
      value=lambda m: deep_fraction(m, "unlimited-*"))


@claim("M21-block-overlap-limits", kind="paper",
       states="limits of 8 to 64 keep them apart, too: largest overlap at any time, of the contact distance",
       holds="< 0.5", because=CENTERS,
       known="a few pairs sink deep into each other: in step after step they are deferred, or late after the last stage, and some of "
             "them get through")
def overlap_limits(m):
    return max(max(m.summary(runs, "overlap_max")) for runs in ["64-seed-*", "8-64-seed-*", "8-seed-*"])


@claim("OVERLAP-block-few", kind="finding",
       states="these pairs are few: the same fraction, the most of limits from 8 to 64",
       holds="< 0.01", because="a hundredth, too few to change how the cloth bends")
def deep_limits(m):
    return max(deep_fraction(m, runs) for runs in ["64-seed-*", "8-64-seed-*", "8-seed-*"])


@claim("OVERLAP-block-mean", kind="finding",
       states="all others lie side by side: mean overlap of touching pairs, the largest of any step and limit from 8 on, of the contact "
              "distance",
       holds="< 0.125", because="a quarter of a radius, the limit of single pairs in Figures 4 to 6")
def overlap_mean(m):
    return max(m.summary("[!4]*", "overlap_mean_max"))


claim("M12-few", kind="paper",
      states="limits of 8 to 64 defer few collisions: fraction of all pairs that a step should merge",
      holds="< 0.1", because="few: less than a tenth",
      value=lambda m: max(m.summary("8-64-*", "deferred_fraction")))
claim("M12-next-step", kind="paper",
      states="deferred pairs are likely to be considered in the next time step: fraction of them that are deferred again",
      holds="< 0.5", because="likely: more than half are considered",
      value=lambda m: max(m.summary("8-64-*", "deferred_again_fraction")))
claim("M12-chance", kind="paper",
      states="randomness is the reason: most consecutive steps in which a pair is deferred, with a fixed limit of 64 minus that "
             "with random limits, means over seeds",
      holds="> 0", because="more is the statement",
      value=lambda m: mean(m.summary("64-*", "deferred_longest")) - mean(m.summary("8-64-*", "deferred_longest")))
stays_stable()
ledger_closes()
