"""Figure 4: claims."""

from claims import claim, ledger_closes, momentum_closes, none_unstable, nothing_passes

LEAKS = "a count of particles: one that gets through is a leak"
THROWN = "the limit of the stability verdict (docs/measures.md)"


@claim("M19-penalty-weak", kind="paper", states="weak penalty forces leak: number of particles through", holds="> 0", because=LEAKS)
def weak_penalty(m):
    return m.summary("penalty-weak", "penetrated_max")[0]


@claim("M19-sph-weak", kind="paper", states="weak SPH-based forces leak: number of particles through", holds="> 0", because=LEAKS)
def weak_sph(m):
    return m.summary("sph-weak", "penetrated_max")[0]


@claim("M19-penalty-strong", kind="paper",
       states="strong penalty forces throw the fluid back: 99.9th percentile of speed over what the jet and gravity allow",
       holds="> 3", because=THROWN)
def strong_penalty(m):
    return m.summary("penalty-strong", "speed_ratio")[0]


@claim("M19-sph-strong", kind="paper",
       states="strong SPH-based forces throw the fluid back: 99.9th percentile of speed over what the jet and gravity allow",
       holds="> 3", because=THROWN)
def strong_sph(m):
    return m.summary("sph-strong", "speed_ratio")[0]


claim("M19-strong-unstable", kind="paper",
      states="strong forces of both kinds are unstable",
      holds="== 1", because="a verdict of 0 or 1 (docs/measures.md)",
      value=lambda m: min(m.summary("*-strong", "unstable")))
claim("M19-tuned", kind="paper",
      states="forces tuned to this jet neither leak nor become unstable",
      holds="== 0", because="particles through, plus 1 for an unstable run: neither is allowed",
      value=lambda m: max(m.summary("*-tuned", "penetrated_max")) + max(m.summary("*-tuned", "unstable")))


@claim("M20-impulse", kind="paper", states="impulses let fluid through: number of particles", holds="> 0", because=LEAKS)
def impulse_leaks(m):
    return m.summary("impulse", "penetrated_max")[0]


claim("M20-slowly", kind="paper",
      states="they let it through slowly: number of particles through at most, over that with weak penalty forces",
      holds="< 0.1", because="an order of magnitude: weak forces hardly hold the jet back",
      value=lambda m: impulse_leaks(m) / weak_penalty(m))


@claim("M20-on", kind="paper",
       states="and go on to do so long after the impact: fraction of these that came through later than 0.2 s after the start",
       holds="> 0.25", because="a quarter: a leak of the impact alone would be over by then, when less than a third of the jet has come")
def impulse_later(m):
    before = [w for t, w in zip(m.column("impulse", "time"), m.column("impulse", "penetrated")) if t < 0.2]
    return 1 - before[-1] / impulse_leaks(m)


nothing_passes("M21-jet-penetrated", kind="paper", runs="merging-and-splitting",
               states="with merging-and-splitting no particle ever penetrates: number of particles")


@claim("M21-jet-contact", kind="paper",
       states="this holds throughout a long contact of fluid and cloth: its duration, s",
       holds=">= 0.6", because="as long as the jet lasts in the paper's figure")
def merging_contact(m):
    steps, contacts = m.column("merging-and-splitting", "dt"), m.column("merging-and-splitting", "contacts")
    return sum(dt for dt, n in zip(steps, contacts) if n > 0)


none_unstable("M21-jet-stable", kind="paper", runs="merging-and-splitting",
              states="merging-and-splitting is stable")
claim("M21-jet-overlap", kind="paper",
      states="merging-and-splitting keeps fluid and cloth apart, with MS 17 and with sequential coupling: largest overlap at any time, "
             "radii",
      holds="< 0.25", because="the limit of Figures 5 and 6; in one of its steps, which the speed of sound keeps short, a particle of the "
                              "jet moves an eighth of a radius before contact is detected",
      value=lambda m: max(m.summary("merging-and-splitting", "overlap_depth_max") + m.summary("sequential", "overlap_depth_max")))
claim("M38-jet-strain", kind="paper",
      states="a jet twice as fast opens holes in a cloth half as stiff: largest strain of its springs along the lattice",
      holds="> 0.414", because="sqrt(2) - 1: at this strain a particle fits between four others of equal size",
      value=lambda m: m.summary("fast-soft", "strain_max")[0])


@claim("M38-jet-soft", kind="paper",
       states="merging-and-splitting then leaks, too: number of particles through",
       holds="> 0", because=LEAKS)
def fast_soft(m):
    return m.summary("fast-soft", "penetrated_max")[0]


claim("M38-jet-firm-strain", kind="paper",
      states="in a cloth twice as stiff as in the figure that jet opens no holes: largest strain",
      holds="< 0.414", because="as above",
      value=lambda m: m.summary("fast-firm", "strain_max")[0])
nothing_passes("M38-jet-firm", kind="paper", runs="fast-firm",
               states="that cloth does not leak: number of particles through")
claim("M38-jet-firm-overlap", kind="paper",
      states="nor does the jet sink into it: largest overlap at any time, radii",
      holds="< 0.5", because="twice the limit of the jet that is half as fast: a particle moves twice as far before contact is detected",
      value=lambda m: m.summary("fast-firm", "overlap_depth_max")[0])
claim("SYNC-jet-sequential", kind="finding",
      states="with sequential coupling in place of MS 17 no particle penetrates either, and the run is stable",
      holds="== 0", because="particles through, plus 1 for an unstable run: neither is allowed",
      value=lambda m: max(m.column("sequential", "penetrated")) + m.summary("sequential", "unstable")[0])
claim("COUPLING-jet", kind="physics",
      states="MS 17, with each system moving its own members, adds or withholds no momentum",
      holds="== 0", because="the column is a sum of terms that are all 0",
      value=lambda m: m.summary("merging-and-splitting", "coupling_drift")[0])
momentum_closes("MOMENTUM-jet", "gravity, the rim, the inlet", runs="merging-and-splitting")
ledger_closes()
