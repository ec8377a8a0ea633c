"""Claims: experiments/<name>/claims.py, and one more file for each further subject, claims_SUBJECT.py. A claim is a function that measures one
value, with a statement of what must hold for it:

    @claim("M26-stable", kind="paper",
           states="stable at every mass ratio",
           holds="== 0", because="a verdict of 0 or 1: no run may be unstable")
    def unstable(m):
        return max(m.summary("*", "unstable"))

or, where nothing else needs the function, claim(..., value=lambda m: max(m.summary("*", "unstable"))).

id       unique among the claims of all experiments; the id of a claim of a paper begins with its line in the file of that paper
         (scripts/papers.py), such as M26 in docs/paper.csv; no other id begins with such a letter and two digits
kind     that of a paper, for what it says or shows: `paper`, `corotated` for that on corotated SPH, `unified` for that on unified particle
         physics; `physics`: what holds for any correct program (conservation, closed forms, measured fluids); `finding`: our own result
states   the statement, then after a colon what is measured, and its unit
holds    a comparison and a number; no comparison holds for nan
because  the reason for this number
known    only if a statement of a paper or of physics does not hold here: what we found instead, without the number, which is
         printed beside it. Such a claim is not a failure. A finding of ours states what was found
scatter  only if neither nudges nor samples can tell how much of the value is chance (scripts/chance.py), but the value itself
         or its threshold allows for it: how, as "a bound with 95 % confidence"
also     other lines of the same paper that say the same: "C28 C29"
shared   only for a statement about every experiment: its subject, such as LEDGER; the id is the subject and the experiment. make verify
         says it once, and results/reference/ has these statements in a table of their own (scripts/reference.py)

experiments/claims.py has claims that all experiments make.

A claim about times that were measured on a busy machine is skipped: m.times and m.cpu raise NotMeasured.

`m` holds the results of the experiment (scripts/measurements.py). Functions to compute with are in
scripts/arithmetic.py; its max, min and sum need no import and replace those of Python: these lose nan, and sums depend on its version.
"""

import csv
import functools
import inspect
import math
import operator
import os
import re

import arithmetic
from arithmetic import Fault, max  # noqa: A004
from experiment import Experiment
from papers import PAPERS, line_of

KINDS = {**{kind: paper.words for kind, paper in PAPERS.items()}, "physics": "physics", "finding": "our own"}
HOLDS = {"==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge,
         "<": operator.lt, ">": operator.gt}
ROOT = os.path.join(os.path.dirname(__file__), "..")

_read = []  # the claims of the files that names_read() reads
_folder = []  # that of their experiment
FILE = re.compile(r"claims(_[a-z0-9_]+)?\.py")  # of claims, in the folder of an experiment


class Claim:
    def __init__(self, function, where, **fields):
        self.function, self.where = function, where
        self.id, self.kind, self.states = fields["id"], fields["kind"], fields["states"]
        self.because, self.known = fields["because"], fields["known"]
        self.scatter, self.also, self.shared = fields["scatter"], (fields["also"] or "").split(), fields["shared"]
        words = fields["holds"].split()
        try:
            self.comparison, self.number = words[0], float(words[1])
        except (IndexError, ValueError):
            raise Fault(f"{where}: '{fields['holds']}' is not a threshold; write a comparison and a number, as '< 0.5'") from None
        if len(words) != 2 or self.comparison not in HOLDS:
            raise Fault(f"{where}: '{self.comparison}' is not a comparison; there are {' '.join(HOLDS)}")
        self._check()

    def _check(self):
        if not re.fullmatch(r"[A-Z]\w*(-[\w.+]+)+", self.id):
            raise Fault(f"{self.where}: '{self.id}' is not an id; write a subject in capitals and a name, as 'M26-stable'")
        if self.kind not in KINDS:
            raise Fault(f"{self.where}: '{self.kind}' is not a kind of claim; there are {', '.join(KINDS)}")
        self._check_line()
        for name in ("states", "because"):
            if not getattr(self, name).strip():
                raise Fault(f"{self.where}: claim {self.id} has no text for '{name}'")
        if self.known is not None and not self.known.strip():
            raise Fault(f"{self.where}: claim {self.id}: known=\"\" says nothing; write what was found, or leave it out")
        if self.known is not None and self.kind == "finding":
            raise Fault(f"{self.where}: claim {self.id} is a finding of ours, and `known` is for statements of papers and of physics; "
                        "state what was found instead")
        if self.scatter is not None and not self.scatter.strip():
            raise Fault(f"{self.where}: claim {self.id}: scatter=\"\" says nothing; write how the claim allows for chance, or leave it out")

    def _check_line(self):
        """The id begins with a line of the paper that the claim is of, and with none otherwise."""
        for kind, paper in PAPERS.items():
            number = re.match(paper.letter + r"\d\d+-", self.id)
            if (self.kind == kind) != bool(number):
                raise Fault(f"{self.where}: '{self.id}' is a claim of kind '{self.kind}'; "
                            f"ids that begin with {paper.letter} and two digits are for lines of {paper.words}, and for those alone")
            for line in [line_of(self.id), *self.also] if number else ():
                if line not in paper_lines(kind):
                    raise Fault(f"{self.where}: {paper.words} has no line {line} ({paper.file})")
        if self.also and self.kind not in PAPERS:
            raise Fault(f"{self.where}: claim {self.id} is of no paper; `also` names other lines of a paper")

    @property
    def lines(self):
        """The lines of its paper that it is about."""
        return [line_of(self.id), *self.also] if self.kind in PAPERS else []

    @property
    def threshold(self):
        return f"{self.comparison} {self.number:g}"

    def holds_for(self, value):
        return value == value and HOLDS[self.comparison](value, self.number)


def claim(id, *, kind, states, holds, because, known=None, scatter=None, also=None, shared=None, value=None):  # noqa: A002
    """The decorator of a function that measures the value of a claim; or `value` is that function."""
    def register(function):
        _read.append(Claim(function, _place(), id=id, kind=kind, states=states, holds=holds, because=because, known=known, scatter=scatter, also=also,
                           shared=shared))
        return function
    return register(value) if value else register


def shared_claim(subject, **fields):
    """The same of a statement about every experiment that makes it."""
    return claim(f"{subject}-{this_experiment().name}", shared=subject, **fields)


def with_meshes(found):
    """For `known`: what was found of shapes that there are with MESHES of make alone."""
    return found if os.environ.get("MESHES") else None


# ---- claims of many experiments; runs: of which runs -----------------------------------------------

def ledger_closes(runs="*"):
    """The claim that every experiment with runs makes."""
    shared_claim("LEDGER", kind="physics",
                 states="the energy ledger balances in every run: largest relative imbalance",
                 holds="< 1e-9", because="rounding of some ten thousand steps; any error in a term would be larger by orders of magnitude",
                 value=lambda m: max(m.summary(runs, "energy_imbalance_relative")))


def momentum_closes(id, givers, runs="*"):  # noqa: A002
    """The claim that nothing but the givers, such as "gravity, the rim", and the solver's residual changes momentum."""
    claim(id, kind="physics",
          states=f"momentum changes only by {givers} and the solver's residual: what remains, relative",
          holds="< 1e-11", because="rounding, over some thousand steps",
          value=lambda m: max(m.summary(runs, "momentum_remainder")))


def measured(id, name, **fields):  # noqa: A002
    """The claim about one value that a test measured, or the largest of several."""
    def value(m):
        found = [m.measured(n) for n in name.split()]
        return max(v for part in found for v in (part if isinstance(part, list) else [part]))
    claim(id, **fields, value=value)


def nothing_passes(id, *, kind, states, runs="*"):  # noqa: A002
    """The claim that no particle gets through the sheet, at any step."""
    claim(id, kind=kind, states=states, holds="== 0", because="a count of particles: none is allowed",
          value=lambda m: max(m.summary(runs, "penetrated_max")))


def none_unstable(id, *, kind, states, runs="*"):  # noqa: A002
    """The claim that none of these runs is unstable, with an id and a statement of its own."""
    claim(id, kind=kind, states=states, holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)",
          value=lambda m: max(m.summary(runs, "unstable")))


def stays_stable(runs="*"):
    """The claim that no run is unstable."""
    shared_claim("STABLE", kind="finding", states="every run is stable", holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)",
                 value=lambda m: max(m.summary(runs, "unstable")))


def _place():
    """Where in the outermost file of claims we are: file:line."""
    place, frame = "?", inspect.currentframe()  # inspect.stack() would read every source on the way
    while frame:
        path = frame.f_code.co_filename
        if FILE.fullmatch(os.path.basename(path)) and path != __file__:
            place = f"{os.path.relpath(path)}:{frame.f_lineno}"
        frame = frame.f_back
    return place


@functools.lru_cache(maxsize=None)
def paper_lines(kind):
    """The lines of a paper by number."""
    with open(os.path.join(ROOT, PAPERS[kind].file), encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["id"]: row for row in rows}


def names_read(folder):
    """What the files of claims of an experiment define: its claims, in order, and all its names, which are those of `numbers` and therefore
    unique; after its claims, those that all experiments make."""
    if os.path.exists(os.path.join(folder, "claims")):
        raise Fault(f"{folder}/claims: a table of claims is not read any more; write functions in {folder}/claims.py (scripts/claims.py)")
    _read.clear()
    _folder[:] = [folder]
    names = {}
    for file in sorted(filter(FILE.fullmatch, os.listdir(folder))) or ["claims.py"]:
        found = _names_of(os.path.join(folder, file))
        twice = [name for name in found if name in names and not name.startswith("__") and found[name] != names[name]]
        if twice:
            raise Fault(f"{folder}/{file}: '{twice[0]}' is another one in another file of claims there; give it a name of its own")
        names.update(found)
    if not _read:
        raise Fault(f"{folder}/claims.py: no claims; state at least one")
    shared = os.path.join(os.path.dirname(os.path.normpath(folder)), "claims.py")
    if os.path.exists(shared):
        _names_of(shared)
    claims = list(_read)
    refuse_twins(claims)
    return claims, names


def this_experiment():
    """The experiment whose claims are read."""
    return _experiment_read(_folder[0])


@functools.lru_cache(maxsize=1)
def _experiment_read(folder):
    return Experiment(folder)


def _names_of(path):
    """The names that a file of claims defines; its claims are appended to _read."""
    names = {"__name__": "claims_of_experiment", "__file__": path, "max": arithmetic.max, "min": arithmetic.min, "sum": arithmetic.sum}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        exec(compile(text, os.path.abspath(path), "exec"), names)  # the project's own file, as draw.py is
    except Fault:
        raise
    except SyntaxError as error:
        raise Fault(f"{path}:{error.lineno}: {error.msg}") from None
    except Exception as error:  # whatever it is, there are no claims
        raise Fault(f"{path}:{_line_of(error, path)}: {type(error).__name__}: {error}") from None
    return names


def _line_of(error, path):
    """The last line of this file that the error went through."""
    lines, trace = [0], error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == os.path.abspath(path):
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return lines[-1]


def claims_read(folder):
    return names_read(folder)[0]


def refuse_twins(claims):
    seen = {}
    for one in claims:
        if one.id in seen:
            raise Fault(f"{one.where}: claim {one.id} already exists, {seen[one.id].where}; ids are unique")
        seen[one.id] = one


def judged(claim, value):
    """A measured value, and whether the claim holds for it, as claims.json has them."""
    return {"value": value if math.isfinite(value) else str(value), "holds": claim.holds_for(value)}


def described(claim):
    """What claims.json says of a claim beside its value."""
    return {"id": claim.id, "kind": claim.kind, "states": claim.states, "threshold": claim.threshold,
            "because": claim.because, "known": claim.known, "lines": claim.lines, "where": claim.where, "shared": claim.shared}
