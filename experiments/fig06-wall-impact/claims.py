"""Figure 6: claims."""

from claims import claim, ledger_closes

END = 0.008  # s, the last frame
QUARTER = "a quarter of a radius: at this speed the ball moves more in three steps, and contact is seen only where it ends"


def plates(m):
    """Shares of the wall, ascending."""
    masses = m.fragments("impact", "wall", "mass", start=END)
    return [mass / sum(masses) for mass in sorted(masses)]


@claim("M24-impact-stable", kind="paper",
       states="merging-and-splitting is stable at high impact, with the defaults of everywhere",
       holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return m.summary("impact", "unstable")[0]


def speed(m):
    """Of the fastest particle."""
    return m.summary("impact", "speed_max")[0] / m.summary("impact", "impact_speed")[0]


@claim("M24-impact-speed", kind="paper",
       states="99.9th percentile of speed over the impact speed",
       holds="< 3", because="three times the impact: a light particle that a heavy one hits leaves with at most twice its speed, "
                            "and a thousandth of all particles may be hit again; the fastest of all: ablation-roundings")
def speed_most(m):
    return m.summary("impact", "speed_ratio")[0]



def depth(m):
    """Of this one run; an extreme of a chaotic scene is judged over ten (ablation-roundings)."""
    return m.summary("impact", "depth_before")[0]


@claim("M24-impact-centers", kind="paper",
       states="no center comes to lie inside another particle",
       holds="== 0", because="a count of pairs: none may")
def centers_inside(m):
    return max(m.column("impact", "overlap_half"))


@claim("M24-impact-overlap-mean", kind="paper",
       states="the mean overlap of touching pairs, in radii, at any time",
       holds="< 0.25", because=QUARTER)
def overlap_mean(m):
    return 2 * max(m.column("impact", "overlap_mean"))


@claim("M24-impact-through", kind="paper",
       states="the ball goes through the wall: its center at the end, in m, beyond the back face",
       holds="> 0.04", because="where the back face was")
def ball_place(m):
    return m.body("impact", "ball", "x", start=END)[0]


@claim("M24-impact-plates", kind="paper",
       states="the wall breaks into large plates: share of the second largest fragment",
       holds="> 0.1", because="a fragment that people see as a plate, not as a splinter")
def second_plate(m):
    return plates(m)[-2]


@claim("M24-impact-debris", kind="paper",
       states="... and debris: share of dust",
       holds="> 0.1", because="of the size of a plate")
def dust(m):
    return m.summary("impact", "dust_share")[0]


ledger_closes("fig06")
