"""Figure 7: claims."""

from claims import claim, ledger_closes


@claim("M26-wrong-side", kind="paper",
       states="no particle on the wrong side at any step, at any mass ratio",
       holds="== 0", because="a count of particles: none may")
def wrong_side(m):
    return max(m.column("*", "wrong_side"))


@claim("M26-stable", kind="paper", states="stable at every mass ratio", holds="== 0",
       because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


@claim("M26-energy", kind="paper", states="largest energy gain of all mass ratios", holds="< 0.5",
       because="the limit of the verdict on stability (docs/measures.md)")
def energy_gain(m):
    return max(m.summary("*", "energy_gain"))


ledger_closes("fig07")
