"""Integration stages: claims."""

from claims import claim, ledger_closes, nothing_passes
from arithmetic import ratios


claim("M09-one", kind="paper",
      states="one stage is not enough: number of particles through",
      holds="> 0", because="a count of particles: one is enough",
      value=lambda m: max(m.summary("stages-1-*", "penetrated_max")))
nothing_passes("M09-two", kind="paper", runs="stages-2-*",
               states="two stages are enough: number of particles through")
nothing_passes("M09-more", kind="paper", runs="stages-[34]-*",
               states="three and four stages are enough: number of particles through")
claim("M09-no-effect", kind="paper",
      states="more than two stages have no practical effect: relative difference of the deflection with four stages from that "
             "with two",
      holds="< 0.02", because="a fiftieth of the deflection would not be visible",
      value=lambda m: max(abs(ratio - 1) for ratio in ratios(m.summary("stages-4-*", "deflection_max"), m.summary("stages-2-*", "deflection_max"))))


@claim("M03-parting", kind="paper",
       states="split particles do not approach each other, so that most pairs in touch do not approach at the start of the next step: "
              "pairs that do, over all in touch, of all steps of a run; the largest of any run",
       holds="< 0.75", because="nearly all would if splitting made them approach; about half are pushed together by what is behind them")
def approaching(m):
    touching = [sum(m.column(run, "contacts")) for run in m.sweep("stages-{stages}-speed-{speed}")]
    return max(sum(m.column(run, "approaching")) / n for run, n in zip(m.sweep("stages-{stages}-speed-{speed}"), touching))


@claim("DETECTION-stages", kind="physics",
       states="no pair in touch is missed: difference of the mean overlap from that of all pairs of a frame, over the latter; the "
              "largest of some frames of all runs, while the ball is on the cloth",
       holds="< 1e-9", because="rounding, since frames hold positions to the last bit; one pair of a hundred would change it by a hundredth")
def missed(m):
    found = [m.overlaps(run, frame) for run in m.sweep("stages-{stages}-speed-{speed}") for frame in (3, 6, 9)]
    return max(abs(ours - right) / right if right > 0 else ours for right, ours in found)


ledger_closes()


def lost_of_both(m, run):
    """What was lost of elastic energy over what was lost of kinetic energy, up to the instant of most elastic energy."""
    elastic = m.column(run, "elastic")
    rows = elastic.index(max(elastic)) + 1
    return -sum(m.column(run, "linearization")[:rows]) / sum(m.column(run, "numerical_dissipation")[:rows])


claim("LINEARIZATION-stages", kind="physics",
      states="backward Euler takes as much from elastic energy, which the ledger has in linearization, as from kinetic energy "
             "(numerical_dissipation): their ratio up to the instant of most elastic energy, less 1, the largest of any run",
      holds="< 0.5",
      because="they are equal in every vibration, but not in an impact within a step; an elastic energy a tenth too large for its forces "
              "makes the largest 1.7",
      scatter="runs with three and with four stages at the same speed are repeats but for chance: their ratios differ by 0.001",
      value=lambda m: max(abs(lost_of_both(m, f"stages-{stages}-speed-{speed}") - 1) for stages in m.axis("stages") for speed in m.axis("speed")))
