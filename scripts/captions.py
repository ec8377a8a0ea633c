"""The captions of an experiment's pictures.

experiments/<name>/captions.md has a part for each picture, in the order in which they are shown:

    ## fig03-cross-sections

    What is to be seen, as printed below the picture; numbers of results carry their expression.

    Alt: what somebody who cannot see the picture needs to know.
"""

import os
import re

from written import without_expressions

CAPTIONS = "captions.md"


class Caption:
    def __init__(self, text):
        paragraphs = [p.strip() for p in text.strip().split("\n\n")]
        self.text = "\n\n".join(p for p in paragraphs if not p.startswith("Alt:"))
        self.alt = " ".join(without_expressions(p[len("Alt:"):]) for p in paragraphs if p.startswith("Alt:")).strip()


def captions_of(name):
    """By stem, in order; none without a file."""
    try:
        with open(os.path.join("experiments", name, CAPTIONS), encoding="utf-8") as file:
            parts = re.split(r"^## (.*)\n", file.read(), flags=re.MULTILINE)
    except FileNotFoundError:
        return {}
    return {stem.strip(): Caption(text) for stem, text in zip(parts[1::2], parts[2::2])}
