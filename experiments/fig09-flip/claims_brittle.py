"""Figure 9, bottom: claims."""

from claims import claim

BRITTLE_RUN = "flip-brittle"
BACK = 0.04  # m, the dry face of the wall before the impact


def crack(m):
    """The time of the first through-crack, s; nan without one."""
    return m.summary(BRITTLE_RUN, "through_crack_time")[0]


def first_break(m):
    """The end of the first step in which a bond broke, s."""
    return next((time for time, broken in zip(m.column(BRITTLE_RUN, "time"), m.column(BRITTLE_RUN, "broken_bonds")) if broken > 0), float("nan"))


def dry(m):
    """The last frame before the first at which water is behind the place of the wall's dry face, s."""
    times, places = m.body(BRITTLE_RUN, "water", "time"), m.body(BRITTLE_RUN, "water", "max_x")
    return next((before for before, x in zip(times, places[1:]) if x > BACK), float("nan"))


def pieces(m):
    """The fragments of the wall at the end, as fractions of its mass, ascending."""
    masses = m.fragments(BRITTLE_RUN, "wall", "mass", start=m.setting(BRITTLE_RUN, "time.end")[0] - 1e-6)
    return [mass / sum(masses) for mass in sorted(masses)]


def carried(m):
    """The speed of the wall's free particles along the channel at the end over that of the water."""
    end = m.setting(BRITTLE_RUN, "time.end")[0] - 1e-6
    return m.body(BRITTLE_RUN, "wall", "velocity_x", start=end)[0] / m.body(BRITTLE_RUN, "water", "velocity_x", start=end)[0]


@claim("M30-brittle-breaks", kind="paper",
       states="water breaks a brittle wall, as with SPH: fragments larger than debris at the end",
       holds="> 2", because="more than the part that stays in the channel's walls and one plate")
def breaks(m):
    return m.summary(BRITTLE_RUN, "chunks")[0]


@claim("M30-brittle-impact", kind="paper",
       states="the wall breaks by the impact of the water, not by its weight afterwards: from the first contact to the first broken "
              "bond, over the time in which the water would move by the wall's thickness",
       holds="< 1", because="by then the water at the wall has been stopped")
def after_impact(m):
    speed, thickness = m.setting(BRITTLE_RUN, "bodies.water.velocity")[0][0], m.setting(BRITTLE_RUN, "bodies.wall.shape.box.size")[0][0]
    return (first_break(m) - m.summary(BRITTLE_RUN, "impact_time")[0]) * speed / thickness


@claim("M30-brittle-holds", kind="paper",
       states="the wall holds the water until it breaks: last frame without water behind its dry face, after the first broken bond, s",
       holds="> 0", because="later, whenever between two frames the water comes through")
def holds(m):
    return dry(m) - first_break(m)


claim("M30-brittle-carried", kind="paper",
      states="pieces are carried away: mean speed of what is not fixed of the wall over that of the water, at the end",
      holds="> 0.25", because="a clear part of the water's speed; some pieces hang on the parts that are held",
      value=lambda m: carried(m))
claim("FLIP-brittle-crowding", kind="finding",
      states="water hardly crowds before the wall: most that cells of fluid hold beyond their volume, mean over cells",
      holds="< 0.1", because="a tenth",
      value=lambda m: max(m.column(BRITTLE_RUN, "density_error_mean")))
