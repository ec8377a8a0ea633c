"""Figure 7: claims."""

from claims import claim, ledger_closes


@claim("M26-penetrated", kind="paper",
       states="no particle ever penetrates, at any mass ratio: number of particles",
       holds="== 0", because="a count of particles: none is allowed")
def penetrated(m):
    return max(m.column("*", "penetrated"))


@claim("M26-stable", kind="paper",
       states="every run is stable, at any mass ratio",
       holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


@claim("M26-energy", kind="paper",
       states="no energy is created, at any mass ratio: largest gain over the available energy",
       holds="< 1e-9", because="rounding, as in the ledger: backward Euler takes energy and adds none")
def energy_gain(m):
    return max(m.summary("*", "energy_gain"))


ledger_closes()
