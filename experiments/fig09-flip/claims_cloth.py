"""Figure 9, top: claims."""

from claims import claim, ledger_closes, stays_stable

CLOTH_RUN = "flip-cloth"
FULL = 0.3  # s, when the cloth carries most of the water, and none of it has reached the tank


def momentum(m, body, time):
    """Vertical momentum of the free particles of a body at the frame of this time, kg m/s."""
    at = dict(start=time - 1e-6, end=time + 1e-6)
    return m.body(CLOTH_RUN, body, "mass", **at)[0] * m.body(CLOTH_RUN, body, "velocity_z", **at)[0]


def until(m, column, time):
    """A column of the ledger, summed up to a time."""
    return sum(value for value, now in zip(m.column(CLOTH_RUN, column), m.column(CLOTH_RUN, "time")) if now < time + 1e-6)


def fall(m):
    """The momentum that the water would have in free fall, kg m/s."""
    mass = m.body(CLOTH_RUN, "water", "mass")[0]
    return mass * (m.setting(CLOTH_RUN, "bodies.water.velocity")[0][2] + FULL * m.setting(CLOTH_RUN, "gravity")[0][2])


def taken(m):
    """What the cloth has taken from the water, as a fraction of its momentum in free fall."""
    return 1 - momentum(m, "water", FULL) / fall(m)


@claim("M30-cloth-leaks", kind="paper",
       states="no water passes the single-layer cloth, as with SPH: most particles through at any step",
       holds="== 0", because="a count of particles: none is allowed")
def leaks(m):
    return max(m.column(CLOTH_RUN, "penetrated"))


@claim("M30-cloth-momentum", kind="paper",
       states="the cloth feels the water: part of the momentum of free fall that it has taken after 0.3 s",
       holds="> 0.5", because="clearly nonzero: more than half")
def momentum_taken(m):
    return taken(m)


@claim("FLIP-cloth-adds-up", kind="physics",
       states="what the water loses, cloth and supports get: what is left of the change of momentum of both bodies less gravity "
              "and the impulse of supports, over the momentum of free fall, after 0.3 s",
       holds="< 1e-5", because="the tolerance of the cloth's solver; the scheme itself loses nothing")
def adds_up(m):
    change = sum(momentum(m, body, FULL) - momentum(m, body, 0) for body in ("water", "cloth"))
    return abs(change - until(m, "gravity_impulse_z", FULL) - until(m, "support_impulse_z", FULL)) / abs(fall(m))


@claim("FLIP-cloth-crowding", kind="finding",
       states="water hardly crowds above the cloth: most that cells of fluid hold beyond their volume, mean over cells",
       holds="< 0.1", because="a tenth, of which the free fall of columns explains most")
def cloth_crowding_mean(m):
    return max(m.column(CLOTH_RUN, "density_error_mean"))


@claim("FLIP-cloth-densest", kind="finding",
       states="no cell holds twice as much as fits into it; the fullest are where the water hits the cloth and where thin sheets of it "
              "meet: most beyond its volume",
       holds="< 1", because="twice: the water of two cells in one")
def crowding_max(m):
    return max(m.column(CLOTH_RUN, "density_error_max"))


@claim("FLIP-cloth-strain", kind="finding",
       states="the cloth has no holes: largest strain of its springs",
       holds="< 0.41", because="beyond that a particle fits between four others (docs/measures.md)")
def strain(m):
    return m.summary(CLOTH_RUN, "strain_max")[0]


stays_stable()
ledger_closes()
