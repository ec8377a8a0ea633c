"""One experiment on the page. What costs time is found when a page shows it, so that the page of one experiment, which names all
others, does without theirs."""

import functools
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
        self.name, self._results, self._pictures, self._drawn = name, results, pictures, drawn
        self.readme = Readme(name)
        self.title, self.label, self.order = self.readme.title, self.readme.label, (*self.readme.order, name)
        self.folder = os.path.join(results, name)
        self.command = f"make {name}" + ("" if scale == "small" else f" SCALE={scale}") + ("" if drawn == results else " QUALITY=print")

    @functools.cached_property
    def _experiment(self):
        try:
            return Experiment(os.path.join("experiments", self.name))
        except (Fault, OSError):
            return None  # make says what is wrong with it

    @functools.cached_property
    def claims(self):
        return claims_shown(self._results, self.name)

    @functools.cached_property
    def pictures(self):
        return pictures_of(self._drawn, self._pictures, self.name, self.readme)

    @functools.cached_property
    def manifests(self):
        return manifests_of(self._results, self.name)

    @functools.cached_property
    def provenance(self):
        return Provenance(self.manifests)

    @property
    def runs(self):
        return [run.name for run in self._experiment.runs] if self._experiment else []

    @functools.cached_property
    def curves(self):
        return curves_of(self._results, self.name, self.runs)

    @functools.cached_property
    def frames(self):
        return frames_of(self._results, self.name, self._experiment.points) if self._experiment else ""

    @functools.cached_property
    def map(self):
        return map_of(self._results, self._experiment) if self._experiment else ""

    @functools.cached_property
    def film(self):
        return film_of(self._pictures, self.name)

    @property
    def filmed(self):
        return could_be_filmed(self._experiment.filmed if self._experiment and self._experiment.filmed else self.runs)

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
