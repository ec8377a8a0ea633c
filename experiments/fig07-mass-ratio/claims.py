"""Figure 7: claims."""

from claims import claim, ledger_closes, none_unstable, nothing_passes


nothing_passes("M26-penetrated", kind="paper",
               states="no particle ever penetrates, at any mass ratio: number of particles")
none_unstable("M26-stable", kind="paper",
              states="every run is stable, at any mass ratio")
claim("M26-energy", kind="paper",
      states="no energy is created, at any mass ratio: largest gain over the available energy",
      holds="< 1e-9", because="rounding, as in the ledger: backward Euler takes energy and adds none",
      value=lambda m: max(m.summary("*", "energy_gain")))
ledger_closes()
