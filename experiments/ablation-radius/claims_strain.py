"""Holes in a stretched sheet: claims."""

from arithmetic import max, min
from claims import claim


def leaks(m, strains):
    return [m.summary(f"strain-{strain}", "penetrated_max")[0] for strain in strains]


claim("M38-closed", kind="paper",
      states="no grain gets through at strains below 41 %: number of grains",
      holds="== 0", because="a count of grains: none is allowed",
      value=lambda m: max(leaks(m, ["0", "0.1", "0.2", "0.3", "0.4"])))
claim("M38-open", kind="paper",
      states="grains get through at strains of 45 % and more: least number of grains",
      holds="> 0", because="a count of grains: one is enough",
      value=lambda m: min(leaks(m, ["0.45", "0.5", "0.6", "0.7", "0.8"])))
