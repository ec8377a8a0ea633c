"""What methods of contact are called and how they look, in pictures and on pages: mergesplit/colors.json, which names of colors, bodies and
methods (name -> label, color, line as matplotlib writes it) are from."""

import json
import os

with open(os.path.join(os.path.dirname(__file__), "mergesplit", "colors.json"), encoding="utf-8") as file:
    COLORS = json.load(file)
METHODS = {name: (label, COLORS["palette"][color], line) for name, (label, color, line) in COLORS["methods"].items()}


def method_of(run, contact):
    """The method of that table which a run has, by its contact.method and, for the weak and strong kinds, its name; none if it has another."""
    kinds = [name for name in METHODS if name.startswith(f"{contact}-") and f"-{name}-" in f"-{run}-"]
    return next(iter(kinds), contact if contact in METHODS else None)
