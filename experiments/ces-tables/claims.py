"""Tables 1 and 2 of corotated SPH: claims. Times are those of the elastic solve (the first stage of a step), medians over
twenty steps, and compared with those of the same measurement. A measurement that other programs disturbed is skipped."""

import math
import statistics

from arithmetic import max, min
from claims import claim, ledger_closes, stays_stable


def step_time(m, run):
    return m.times(run)[0].median("stage 1")


def iterations(m, run):
    """A step's, as a mean."""
    return statistics.fmean(m.column(run, "iterations_first"))


def ratio(m, setting, rival="whole"):
    """Times of a rival over those of the factor."""
    return step_time(m, f"{setting}-{rival}") / step_time(m, f"{setting}-prefactored")


def settings(m, axis):
    return [f"{axis}-{value}" for value in m.axis(axis)]


def everything(m):
    return [setting for axis in ("size", "young", "step") for setting in settings(m, axis)]


# ---- Table 1 -------------------------------------------------------------------------------------

claim("C15-faster", kind="corotated",
      states="the solve with a factor is faster than that of the whole system by conjugate gradients: whole over factored, geometric "
             "mean of all settings",
      holds="> 1.25", because="times of one setting differ by up to half from measurement to measurement, the mean of fifteen of them "
                              "by a tenth: 1 and twice that, and a little more. Equal forces, threads, lanes and tolerance",
      value=lambda m: statistics.geometric_mean(ratio(m, setting) for setting in everything(m)))
claim("C35-falls", kind="corotated",
      states="fill-in makes the advantage fall with size: whole over factored, at 63 000 particles over at 4000",
      holds="< 1", because="20.9 falls to 11.8 in the paper",
      known="not on every computer: with nested dissection there is less fill-in; the advantage fell from 2.7 to 2.4 on one, and "
            "rises from 1.7 to 3.4 on two cores of another (Zen 4)",
      value=lambda m: ratio(m, "size-63k") / ratio(m, "size-4k"))


# The paper's tables, line by line: our setting, and how many times as fast the factor is there
SPEEDUPS = {"C28": ("size-4k", 20.9), "C29": ("size-8k", 18.9), "C30": ("size-16k", 14.9), "C31": ("size-32k", 11.7), "C32": ("size-63k", 11.8),
            "C41": ("young-0.1", 6.5), "C42": ("young-0.5", 10.2), "C43": ("young-1", 11.7), "C44": ("young-5", 15.2), "C45": ("young-10", 14.6),
            "C47": ("step-1", 8.6), "C48": ("step-2", 11.7), "C49": ("step-5", 15.4), "C50": ("step-10", 18.2), "C51": ("step-15", 29.8)}


@claim("C36-speedups", kind="corotated", also=f"{' '.join(SPEEDUPS)} C73",
       states="the factor is 6.5 to 29.8 times as fast as the whole system, more than an order of magnitude in most settings and 11.8 times at 64 000 particles: "
              "whole over factored, ours over the paper's, geometric mean of the fifteen settings of Tables 1 and 2",
       holds="> 0.5", because="half of the paper's leaves room for another body and machine",
       known="it is far less in every setting: both solvers spend most of their time in the same forces, and the solve for volume needs about as many iterations "
             "as the whole system does; in SPlisHSPlasH, their authors' own program, the factor 12 of Table 1's fourth line is 1.6 today")
def speedups(m):
    return statistics.geometric_mean(ratio(m, setting) / published for setting, published in SPEEDUPS.values())


claim("C13-entries", kind="corotated",
      states="the control adds no entries to the factor: entries with it over those without, beam of 8450 particles",
      holds="== 1", because="it couples the particles of a neighborhood, which are coupled by shape",
      value=lambda m: m.measured("C13.factor"))


@claim("C34-memory", kind="corotated",
       states="the factor fits into memory: MiB of the largest body over the paper's 2174",
       holds="< 1", because="one copy in single precision, and fewer entries by nested dissection")
def memory(m):
    largest = m.axis("size")[-1]
    return m.measured("FACTOR.bytes") * m.measured(f"FACTOR.entries.{largest}") / 2 ** 20 / m.data("kugelstadt-2021-table1.csv", "memory_mb")[-1]


claim("C74-superlinear", kind="corotated",
      states="beyond some size memory becomes prohibitive: exponent of entries against particles, from 63 000 to 131 000",
      holds="> 1.3", because="4/3 for nested dissection in space, so that each doubling takes two and a half times the memory",
      value=lambda m: m.measured("C74.exponent"))


@claim("C33-superlinear", kind="corotated",
       states="entries of the factor grow more than in proportion to the particles: exponent",
       holds="> 1", because="nested dissection in space gives 4/3 or more; 1.74 in the paper")
def superlinear(m):
    return m.measured("FACTOR.exponent")


@claim("CES-nested", kind="finding",
       states="nested dissection leaves fewer entries than the paper has for as many particles: ours over theirs, largest of five sizes",
       holds="< 1", because="the exponent 1.74 is that of a band; beams are also longer and thinner than a bunny")
def nested(m):
    theirs = m.data("kugelstadt-2021-table1.csv", "nnz_millions")
    return max(m.measured(f"FACTOR.entries.{size}") / 1e6 / entries for size, entries in zip(m.axis("size"), theirs))


@claim("CES-bytes", kind="finding",
       states="an entry of the factor takes half the memory that it takes in the paper: bytes, largest of five sizes",
       holds="< 4.5", because="the paper keeps the factor and its transpose, 8 bytes an entry; panels of one number each have some zeros")
def entry_bytes(m):
    return m.measured("FACTOR.bytes")


# ---- Table 2 -------------------------------------------------------------------------------------

def rising(values):
    """Smallest ratio of a value to the one before."""
    return min(after / before for before, after in zip(values, values[1:]))


@claim("C46-stiffness", kind="corotated",
       states="the advantage grows with stiffness: whole over factored at 10 MPa, over that at 0.1 MPa",
       holds="> 1", because="6.5 and 14.6 in the paper")
def stiffness(m):
    return ratio(m, "young-10") / ratio(m, "young-0.1")


@claim("C51-step", kind="corotated",
       states="the advantage grows with the time step: whole over factored at 15 ms, over that at 1 ms",
       holds="> 1", because="8.6 and 29.8 in the paper")
def step(m):
    return ratio(m, "step-15") / ratio(m, "step-1")


claim("C52-iterations", kind="corotated",
      states="stiffer materials need more iterations without a factor: smallest ratio of one setting to the one before",
      holds="> 1", because="the condition of the matrix",
      value=lambda m: rising([iterations(m, f"{setting}-whole") for setting in settings(m, "young")]))
claim("C52-step-iterations", kind="corotated",
      states="longer steps need more iterations without a factor: smallest ratio of one setting to the one before",
      holds="> 1", because="the condition of the matrix, and a worse guess",
      value=lambda m: rising([iterations(m, f"{setting}-whole") for setting in settings(m, "step")]))


@claim("C53-consistent", kind="corotated",
       states="the time of a step depends little on stiffness and time step: slowest over fastest setting of Table 2, with a factor, "
              "over what the paper's own Table 2 has, at least 2.7",
       holds="< 1", because="times of one setting differ by up to half from measurement to measurement, and with them the ratio: what "
                            "the paper calls very consistent is 2.7 in one half of its table and 3.6 in the other")
def consistent(m):
    times = [step_time(m, f"{setting}-prefactored") for axis in ("young", "step") for setting in settings(m, axis)]
    return max(times) / min(times) / 2.7


claim("CES-assembled", kind="finding",
      states="conjugate gradients with the constant matrix, which the paper does not compare with, keep up with the factor where solids are soft "
             "and steps short: assembled over factored at 0.1 MPa and 2 ms",
      holds="< 2", because="a few iterations of 33 entries a row cost no more than two passes over the factor; times of one setting "
                           "differ by up to half from measurement to measurement, so that less than twice is hardly slower, if at all",
      value=lambda m: ratio(m, "young-0.1", "assembled"))
claim("CES-factor-pays", kind="finding",
      states="the factor pays where they are stiff: assembled over factored at 10 MPa and 2 ms",
      holds="> 1", because="iterations grow with the square root of the stiffness; the factor's work is the same",
      value=lambda m: ratio(m, "young-10", "assembled"))
claim("CES-newton-cost", kind="finding",
      states="exact steps, by Newton's method, cost several times those with lagging rotations: newton over factored, largest of all "
             "settings",
      holds="> 3", because="a product of all forces takes several times as long as one of volume, which reads a vector of each pair; "
                           "times of one setting differ by half from measurement to measurement, so that less than three times might be "
                           "less than two",
      value=lambda m: max(ratio(m, setting, "newton") for setting in everything(m)))


@claim("CES-exponent", kind="finding",
       states="the time of a step with a factor grows less steeply with the particles than in the paper: exponent over Table 1's sizes",
       holds="< 1.58", because="1.58 is that of the paper's column; the factor has fewer entries")
def exponent(m):
    sizes = [m.times(f"{setting}-prefactored")[0].record["particles"] for setting in settings(m, "size")]
    times = [step_time(m, f"{setting}-prefactored") for setting in settings(m, "size")]
    return math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])


# ---- parts ---------------------------------------------------------------------------------------

SIZES = ("4k", "8k", "16k", "32k", "63k")


@claim("C14-linear", kind="corotated",
       states="the time of a solution is linear in the non-zeros of the factor: time per entry, largest over smallest of Table 1's sizes",
       holds="< 2", because="it reads the factor twice; small ones from a cache, which is up to twice as fast",
       known="1.9 on one computer (Zen 3), which holds, but 2.6 and 2.8 on another (Zen 4), whose cache is nearly three times as fast as its memory")
def linear(m):
    each = [m.bench(f"factor-{size}", "solve") / m.bench(f"factor-{size}", "entries") for size in SIZES]
    return max(each) / min(each)


claim("C26-skin", kind="corotated",
      states="skinning is evaluated very fast: the time of a frame, of a mesh that follows 32 768 particles, over that of an elastic step of 32 000",
      holds="< 0.2", because="a frame takes a sum over the neighbors of each particle and of each vertex, a step takes dozens of them",
      value=lambda m: m.bench("skin", "follow") / step_time(m, "size-32k-prefactored"))
claim("C56-scattered", kind="corotated",
      states="the elasticity solve of Figure 3's scene, 50 000 scattered particles: s of all cores per step, in the first steps",
      holds="< 0.607", because="75.9 ms in the paper, on eight cores; machines differ by a factor of two, more than wall times may",
      value=lambda m: m.times("scattered")[0].record["threads"] * step_time(m, "scattered"))


@claim("CES-bandwidth", kind="finding",
       states="a solution reads the factor at half the speed of memory or more: bytes per second over those of a copy, smallest of 16 "
              "000 to 63 000 particles",
       holds="> 0.33", because="its arithmetic takes about as long as reading does, so that a half is left where one waits for the "
                               "other; and a copy takes half as long again in one process as in another")
def bandwidth(m):
    return min(m.bench(f"factor-{size}", "stream") / m.bench(f"factor-{size}", "copy") for size in SIZES[2:])


# ---- beside SPlisHSPlasH --------------------------------------------------------------------------

def beside(m, column):
    """(size, value) of SPlisHSPlasH."""
    return zip(m.data("splishsplash.csv", "size"), m.data("splishsplash.csv", column))


claim("CES-peer-step", kind="finding",
      states="an elastic step of bodies that no second cache holds takes less than in SPlisHSPlasH, the authors' own program: ours over "
             "theirs, larger of 16 000 and 32 000 particles",
      holds="< 1", because="fewer entries by nested dissection, one pass over pairs and few iterations; theirs is of two cores of another "
                           "machine, and the time of smaller bodies is a matter of caches",
      value=lambda m: max(1e3 * step_time(m, f"size-{size}-prefactored") / theirs for size, theirs in beside(m, "step_ms") if size in ("16k", "32k")))
claim("CES-peer-factor", kind="finding",
      states="making the factor takes less: seconds, from positions to panels, ours over theirs, largest of the same",
      holds="< 0.5", because="nested dissection, fronts instead of triplets, and two threads",
      value=lambda m: max(m.bench(f"factor-{size}", "set_up") / theirs for size, theirs in beside(m, "factor_s")))


@claim("CES-peer-memory", kind="finding",
       states="and less memory: the largest amount that the program had while it simulated, ours over theirs, largest of the same",
       holds="< 0.4", because="one factor in single precision, without indices")
def peer_memory(m):
    return max(m.times(f"size-{size}-prefactored")[0].record["peak_memory_bytes"] / 2 ** 20 / theirs for size, theirs in beside(m, "memory_mib"))


stays_stable()
ledger_closes()
