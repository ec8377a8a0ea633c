"""Corotated balls with merging-and-splitting: claims."""

from arithmetic import max
from claims import claim, ledger_closes, momentum_closes, stays_stable


@claim("CES-through", kind="finding",
       states="no particle of a corotated ball gets through the cloth of Figure 3, from 0.2 m and from 10 m: particles",
       holds="== 0", because="merging-and-splitting lets no particle through with other solids either")
def through(m):
    return max(m.summary("low", "penetrated_max") + m.summary("high", "penetrated_max"))


@claim("CES-overlap", kind="finding",
       states="two corotated balls do not enter each other: largest depth, (r1 + r2 - d) / r",
       holds="< 1", because="at 1 a particle is half-way into another one")
def overlap(m):
    return max(m.summary("pair", "overlap_depth_max"))


stays_stable("ces-ball")
ledger_closes("ces-ball")
momentum_closes("CES-momentum", "gravity and the rim of the cloth")
