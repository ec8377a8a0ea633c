"""Figure 11: claims."""

from claims import claim, ledger_closes
from arithmetic import mean

LATE = 0.05  # s, from which on the fluid lies on the cloth
HALF = "half: a change of kind, not the scatter of seeds"


def bending_ratio(m, column):
    """The most that a frozen cloth bends over the mean of the limit that bends it least."""
    limited = min(mean(m.spectrum(runs, "cloth", column, start=LATE)) for runs in ["64-seed-*", "8-64-seed-*", "8-seed-*", "4-seed-*"])
    return max(m.spectrum("unlimited-*", "cloth", column, start=LATE)) / limited


@claim("M11-frozen-sag", kind="paper",
       states="unlimited meta-particles freeze the cloth: its deepest sag over the least with a limit", holds="< 0.5", because=HALF)
def frozen_sag(m):
    return max(m.summary("unlimited-*", "sag_max")) / min(m.summary("[!u]*", "sag_max"))


@claim("M11-frozen-bending", kind="paper",
       states="... and it stays so: the most it bends from 0.05 s to the end over the mean with a limit, rms out of plane",
       holds="< 0.5", because=HALF)
def frozen_bending(m):
    return bending_ratio(m, "rms")


@claim("M11-frozen-long-waves", kind="paper",
       states="... the same of the waves of 2 to 4 half-waves", holds="< 0.5", because=HALF)
def frozen_long_waves(m):
    return bending_ratio(m, "rms_2")


@claim("M11-frozen-short-waves", kind="paper",
       states="... the same of all shorter waves", holds="< 0.5", because=HALF,
       known="these are not lost; a frozen cloth keeps the dents that the impact made before it froze, as they are")
def frozen_short_waves(m):
    return bending_ratio(m, "bending")


@claim("M11-similar-8", kind="paper",
       states="limits of 64 and 8 give similar results: sag with 8 over that with 64, means over seeds, less 1",
       holds="< 0.1", because="a tenth, about what seeds differ by",
       known="a fixed 64 costs a fifth of the sag; see the next line")
def sag_8_over_64(m):
    return mean(m.summary("8-seed-*", "sag_max")) / mean(m.summary("64-*", "sag_max")) - 1


@claim("M11-similar-random", kind="paper",
       states="limits of 64 and of 8 to 64 agree within their spread: overlap of the sags over four seeds, m",
       holds=">= 0", because="ranges that overlap",
       known="a fixed 64 dents the cloth a little less; it forms the same groups in step after step, and each is a stiff patch")
def sag_ranges(m):
    return max(m.summary("64-*", "sag_max")) - min(m.summary("8-64-*", "sag_max"))


@claim("M11-leak-4", kind="paper",
       states="a limit of 4 leaks more than any other, particles", holds="> 0", because="more is the statement, for every seed")
def leak_4(m):
    return min(m.summary("4-*", "wrong_side_max")) - max(m.summary("[!4]*", "wrong_side_max"))


@claim("M11-leak-random", kind="paper",
       states="limits of 8 to 64 let hardly anybody through: share of the fluid",
       holds="< 1e-3", because="nine of nine thousand particles; a limit of 4 lets seven times as many through")
def leak_random(m):
    return max(m.summary("8-64-*", "wrong_side_mass_max")) / m.body("8-64-seed-1", "fluid", "mass")[0]


@claim("M12-few", kind="paper",
       states="collisions that limits of 8 to 64 ignore are few: share of all that a step is to merge",
       holds="< 0.1", because="few: less than a tenth")
def skipped(m):
    return max(m.summary("8-64-*", "skipped_share"))


@claim("M12-next-step", kind="paper",
       states="... and likely to be considered in the next time step: share of those skipped twice in a row",
       holds="< 0.5", because="likely: more than half are considered")
def skipped_again(m):
    return max(m.summary("8-64-*", "skipped_again_share"))


@claim("M12-chance", kind="paper",
       states="... which is the work of chance: most steps in a row that a pair is skipped, with a fixed limit of 64 less "
              "with random ones, means over seeds",
       holds="> 0", because="more is the statement")
def skipped_longest(m):
    return mean(m.summary("64-*", "skipped_longest")) - mean(m.summary("8-64-*", "skipped_longest"))


@claim("STABLE-fig11", kind="finding", states="every run is stable", holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


ledger_closes("fig11")
