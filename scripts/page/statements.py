"""What a paper says, line by line (scripts/papers.py), and whether it holds here.

The verdict on a line is that of its claims: it holds if all of them do, in part if at least half of them do, and does not hold
otherwise. Claims that were not run or not measured do not count; with no other claims the line is open.
"""

from claims import paper_lines
from page.shown import state
from papers import line_of

VERDICTS = {"holds": "holds in every test", "part": "holds in part, or under conditions", "not": "does not hold here", "open": "not run here",
            "untested": "no claim tests it"}


class Statement:
    """A line of the paper with (experiment, claim) of all claims about it."""

    def __init__(self, number, row):
        self.number, self.where, self.says, self.claims = number, row["where"], row["statement"], []

    def _of(self, *states):
        return [(experiment, claim) for experiment, claim in self.claims if state(claim) in states]

    @property
    def holding(self):
        return self._of("holds")

    @property
    def against(self):
        return self._of("known", "fails", "error")

    @property
    def judged(self):
        return len(self.holding) + len(self.against)

    @property
    def verdict(self):
        if not self.claims:
            return "untested"
        if not self.judged:
            return "open"
        return "holds" if not self.against else "part" if 2 * len(self.holding) >= self.judged else "not"

    @property
    def reasons(self):
        """(what was found, [(experiment, claim)]): claims with the same reason together, in order."""
        found = {}
        for experiment, claim in self.against:
            reason = claim["known"] or claim["error"] or f"in this run, unexpectedly, {claim['value']:.3g}, where {claim['threshold']} is required"
            found.setdefault(reason, []).append((experiment, claim))
        return list(found.items())


def statements(claims, paper):
    """The lines of a paper, in its order, with those of all (experiment, claim) that are about them; paper: the kind of claims about it."""
    lines = {number: Statement(number, row) for number, row in paper_lines(paper).items()}
    for experiment, claim in claims:
        if claim["kind"] == paper:
            for line in claim.get("lines") or [line_of(claim["id"])]:
                lines[line].claims.append((experiment, claim))
    return list(lines.values())


def together(lines):
    """Lines that do not hold for one and the same reason, together, in the order of the first of each."""
    found = {}
    for line in lines:
        reasons = [reason for reason, _ in line.reasons]
        found.setdefault(reasons[0] if len(reasons) == 1 else line.number, []).append(line)
    return list(found.values())


def by_verdict(lines):
    return {verdict: [line for line in lines if line.verdict == verdict] for verdict in VERDICTS}


def others(claims, kind):
    """(experiment, claim) of physics or of our own that do not hold."""
    return [(experiment, claim) for experiment, claim in claims if claim["kind"] == kind and state(claim) in ("known", "fails", "error")]
