"""Integration stages: claims."""

from claims import claim, ledger_closes
from arithmetic import ratios

NOBODY = "a count of particles: none is allowed"


@claim("M09-one", kind="paper",
       states="one stage is not enough: number of particles through",
       holds="> 0", because="a count of particles: one is enough")
def one(m):
    return max(m.summary("stages-1-*", "penetrated_max"))


@claim("M09-two", kind="paper", states="two stages are enough: number of particles through", holds="== 0", because=NOBODY)
def two(m):
    return max(m.summary("stages-2-*", "penetrated_max"))


@claim("M09-more", kind="paper",
       states="three and four stages are enough: number of particles through",
       holds="== 0", because=NOBODY)
def more(m):
    return max(m.summary("stages-[34]-*", "penetrated_max"))


@claim("M09-no-effect", kind="paper",
       states="more than two stages have no practical effect: relative difference of the deflection with four stages from that "
              "with two",
       holds="< 0.02", because="a fiftieth of the deflection would not be visible")
def dent(m):
    return max(abs(ratio - 1) for ratio in ratios(m.summary("stages-4-*", "deflection_max"), m.summary("stages-2-*", "deflection_max")))


ledger_closes("stages")
