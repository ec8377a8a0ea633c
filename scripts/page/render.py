"""The pages as HTML: what the templates beside this file get, and the words in which they show it."""

import hashlib
import json
import os
import re

import jinja2
from markupsafe import Markup, escape

from arithmetic import Fault
from claims import KINDS
from methods import COLORS
from page.provenance import Provenance, cited, kept_since
from page.readme import address
from page.section import GROUPS
from page.shown import STATES, expression, state
from page.statements import VERDICTS, by_verdict, others, statements, together
from page.story import Story
from papers import PAPERS

FOLDER = os.path.dirname(__file__)
OWN = ("index", "claims", "gallery")  # pages that are no experiment's
CENTRAL = ("M17", "M21", "M24", "M26", "M27")  # of the paper: no penetration, stable, without tuning, in Figures 3 to 8


def inline(text):
    """One line with `code` and *emphasis*, as claims have it."""
    html = str(escape(" ".join(text.split())))
    html = re.sub(r"`([^`]+)`", r"<code>\1</code>", html)
    return Markup(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html))


def sentence(text):
    """The first sentence, without its end. The point of "Fig. 13" ends none: a small letter or a number follows it."""
    return re.split(r"\.(?: (?=[A-Z`*])|$)", text.strip(), maxsplit=1)[0]


def number(value):
    return value if isinstance(value, str) else "–" if value is None else f"{value:.4g}"


def some(runs, of):
    """Names of runs, or how many of how many there are."""
    return "all runs" if len(runs) == len(of) > 3 else ", ".join(runs) if len(runs) <= 4 else f"{len(runs)} of {len(of)} runs: {', '.join(runs)}"


def compiled_templates():
    """Where Jinja keeps what it made of the templates, most of the time that a page takes. It knows them by their contents, but not by the
    options and filters, which are in this file."""
    with open(__file__, "rb") as file:
        key = hashlib.sha256(file.read() + jinja2.__version__.encode()).hexdigest()[:16]
    folder = os.path.join("build", "templates", key)
    os.makedirs(folder, exist_ok=True)
    return jinja2.FileSystemBytecodeCache(folder)


def environment():
    made = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), bytecode_cache=compiled_templates(), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                              undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    made.filters.update(inline=inline, number=number, sentence=sentence, together=together, state=state, expression=expression, html=Markup, page=lambda section: address(section.name),
                        symbol=lambda claim: STATES[state(claim)][0], words=lambda claim: STATES[state(claim)][1])
    made.globals.update(looks=json.dumps(COLORS, separators=(",", ":")), GROUPS=GROUPS, KINDS=KINDS, PAPERS=list(PAPERS), STATES=STATES, VERDICTS=VERDICTS, some=some,
                        file=lambda name: Markup(open(os.path.join(FOLDER, name), encoding="utf-8").read()))
    return made


def pages(shown, scale, results, only=None):
    """File name -> the page as HTML: the story, all claims, all pictures, and each of these sections; or that of one experiment alone."""
    taken = next((section.name for section in shown if section.name in OWN), None)
    if taken:
        raise Fault(f"experiments/{taken}: {address(taken)} is another page; give the experiment another name")
    templates = environment()
    templates.globals.update(scale=scale, results=results, sections=shown, kept=kept_since(results))
    made = {address(section.name): templates.get_template("experiment.html").render(section=section) for section in shown if only in (None, section.name)}
    return made if only else {**made, **_of_all(templates, shown)}


def _of_all(templates, shown):
    """The pages that are about all sections."""
    claims = [(section, claim) for section in shown for claim in section.claims]
    lines = {kind: statements(claims, kind) for kind in PAPERS}
    templates.globals.update(
        claims=claims, lines=lines, verdicts={kind: by_verdict(of_paper) for kind, of_paper in lines.items()},
        central=[line for line in lines["paper"] if line.number in CENTRAL],
        physics=others(claims, "physics"), findings=others(claims, "finding"),
        whole=Provenance([manifest for section in shown for manifest in section.manifests]), cited=cited())
    return {f"{name}.html": templates.get_template(f"{name}.html").render(story=Story(shown)) for name in OWN}
