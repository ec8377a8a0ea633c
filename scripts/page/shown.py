"""The claims of an experiment as the page shows them: measured here, or with values that the repository keeps, or not run.

A shown claim is what claims.json has, and `origin`: "here", "kept" (results/reference/) or "" (no value yet).
"""

import ast
import functools
import json
import os
import textwrap

from arithmetic import Fault
from claims import claims_read, described, judged
from reference import reference_key, reference_read
from verify import state as judged_state

# state -> (symbol, words); the symbol alone tells states apart where colors do not
STATES = {
    "holds": ("✓", "holds"),
    "known": ("✗", "does not hold"),
    "fails": ("‼", "fails unexpectedly"),
    "error": ("?", "could not be tested"),
    "skipped": ("~", "not measured"),
    "unrun": ("–", "not run"),
}


def state(claim):
    return "unrun" if claim["value"] is None and not claim["error"] and not claim.get("skipped") else judged_state(claim)


def _measured(results, name):
    """The claims as measured here; None if they were not, or by another version of this project."""
    try:
        with open(os.path.join(results, name, "claims.json"), encoding="utf-8") as file:
            claims = json.load(file)
    except FileNotFoundError:
        return None
    return claims if all("states" in claim for claim in claims) else None


def _kept(results, name):
    """Yields the claims, each with the value that was kept of it, if one was."""
    reference = reference_read(results)
    for claim in claims_read(os.path.join("experiments", name)):
        value = reference.get(reference_key(name, described(claim))) or None
        verdict = judged(claim, float(value)) if value else {"value": None, "holds": False}
        yield {**described(claim), **verdict, "error": None, "origin": "kept" if value else ""}


def claims_shown(results, name):
    measured = _measured(results, name)
    if measured is not None:
        return [{**claim, "origin": "here"} for claim in measured]
    try:
        return list(_kept(results, name))
    except (Fault, OSError):
        return []  # make says what is wrong with it


# ---- the expression of a claim ---------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def _parsed(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return text, [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.Expr))]


def _first_line(node):
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def expression(claim):
    """The source of what measures it: the body of its function, or the line that names a claim of many experiments."""
    path, _, line = claim["where"].rpartition(":")
    try:
        text, nodes = _parsed(path)
    except (OSError, SyntaxError):
        return ""
    around = [node for node in nodes if _first_line(node) <= int(line) <= node.end_lineno]
    if not around:
        return ""
    node = max(around, key=_first_line)
    first = node.body[0].lineno if isinstance(node, ast.FunctionDef) else node.lineno
    return textwrap.dedent("\n".join(text.split("\n")[first - 1:node.end_lineno]))
