"""One experiment on the page."""

import os

from arithmetic import Fault
from experiment import Experiment
from page.curves import curves_of
from page.films import could_be_filmed, film_of
from page.frames import frames_of
from page.maps import map_of
from page.pictures import pictures_of
from page.provenance import Provenance, manifests_of
from page.readme import Readme
from page.shown import claims_shown, state
from claims import paper_lines
from papers import PAPERS, line_of, paper_of

# group -> (its heading, and that in the contents): the first paper's figures, our own experiments, those about other papers
FIRST = "paper"
GROUPS = {FIRST: PAPERS[FIRST].section, "own": ("Our own experiments", "Our own"), **{kind: paper.section for kind, paper in PAPERS.items() if kind != FIRST}}


class Section:
    def __init__(self, name, scale, results, pictures, drawn):
        self.name = name
        self.readme = Readme(name)
        self.title, self.label, self.order = self.readme.title, self.readme.label, (*self.readme.order, name)
        self.claims = claims_shown(results, name)
        self.pictures = pictures_of(drawn, pictures, name, self.readme)
        self.manifests = manifests_of(results, name)
        self.provenance = Provenance(self.manifests)
        self.folder = os.path.join(results, name)
        self.command = f"make {name}" + ("" if scale == "small" else f" SCALE={scale}") + ("" if drawn == results else " QUALITY=print")
        try:
            experiment = Experiment(os.path.join("experiments", name))
        except (Fault, OSError):
            experiment = None  # make says what is wrong with it
        self.runs = [run.name for run in experiment.runs] if experiment else []
        self.curves = curves_of(results, name, self.runs)
        self.frames = frames_of(results, name, experiment.points) if experiment else ""
        self.map = map_of(results, experiment) if experiment else ""
        filmed = experiment.filmed if experiment else []
        self.film, self.filmed = film_of(pictures, name), could_be_filmed(filmed or self.runs)

    @property
    def group(self):
        return paper_of(self.name) or "own"

    @property
    def lines(self):
        """The statements of papers that its own claims are about, with their places."""
        numbers = dict.fromkeys((line_of(c["id"]), c["kind"]) for c in self.claims if c["kind"] in PAPERS and not c.get("shared"))
        return [(number, paper_lines(kind)[number]["where"], paper_lines(kind)[number]["statement"]) for number, kind in numbers]

    def count(self, *states):
        return sum(state(claim) in states for claim in self.claims)

    @property
    def origin(self):
        """Where its values come from: here, kept, or both."""
        origins = {claim["origin"] for claim in self.claims}
        return "here" if "here" in origins else "kept" if "kept" in origins else ""


def sections(scale, results, pictures, drawn=None):
    """The sections of all experiments, group by group, and the figures in the paper's order."""
    names = [name for name in os.listdir("experiments") if os.path.exists(os.path.join("experiments", name, "runs"))]
    return sorted((Section(name, scale, results, pictures, drawn or results) for name in names), key=lambda section: (list(GROUPS).index(section.group), section.order))
