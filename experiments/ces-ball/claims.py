"""Corotated balls with merging-and-splitting: claims."""

from arithmetic import max
from claims import claim, ledger_closes, momentum_closes, stays_stable


@claim("CES-through", kind="finding",
       states="no particle of a corotated ball gets through the cloth of Figure 3, from 0.2 m and from 10 m: particles",
       holds="== 0", because="merging-and-splitting lets no particle through with other solids either")
def through(m):
    return max(m.summary("low", "penetrated_max") + m.summary("high", "penetrated_max"))


@claim("CES-mass-ratio", kind="finding",
       states="nor through that of Figure 7, with balls as heavy as the cloth's particles and 100 times heavier: particles",
       holds="== 0", because="as above")
def mass_ratio(m):
    return max(m.summary("ratio-*", "penetrated_max"))


@claim("CES-wall", kind="finding",
       states="a corotated ball breaks the wall of Figure 5 without entering it before it cracks through: largest overlap, radii",
       holds="< 0.25", because="that figure's limit for merging-and-splitting")
def before_cracks(m):
    return m.summary("wall", "depth_before")[0]


@claim("CES-fragments", kind="finding",
       states="that wall falls apart: its fragments larger than debris",
       holds="> 2", because="with 2 it would be cracked through once")
def fragments(m):
    return m.summary("wall", "chunks")[0]


@claim("CES-rest", kind="finding",
       states="ten balls in a bowl come to rest: kinetic energy at the end over the largest",
       holds="< 1e-4", because="speeds below a hundredth of those of the fall")
def rest(m):
    kinetic = m.column("pile", "kinetic")
    return kinetic[-1] / max(kinetic)


claim("CES-pile", kind="finding",
      states="none of them enters another one or the bowl: largest depth, (r1 + r2 - d) / r",
      holds="< 1", because="at 1 a particle is half-way into another one",
      value=lambda m: max(m.summary("pile", "overlap_depth_max")))


@claim("CES-overlap", kind="finding",
       states="two corotated balls do not enter each other: largest depth, (r1 + r2 - d) / r",
       holds="< 1", because="at 1 a particle is half-way into another one")
def overlap(m):
    return max(m.summary("pair", "overlap_depth_max"))


stays_stable()
ledger_closes()
momentum_closes("CES-momentum", "gravity and the rim of the cloth")
