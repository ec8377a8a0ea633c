"""The README of an experiment in the parts that the page shows: title, setup, what the paper says, result, limits.

A part begins with a paragraph that begins with its name in bold, such as **Setup.** or **The paper** (Section 6.2).
"""

import functools
import os
import re

import markdown

from publish import SHOWN
from written import without_expressions

INTRODUCED = re.compile(r"(?:^([^\n]+):\n\n)?" + SHOWN.pattern, re.MULTILINE)  # a picture, and the sentence that leads to it
PARTS = {"Setup": "setup", "The paper": "paper", "Result": "result", "Limits": "limits"}
BEGINS = re.compile(r"^(?=\*\*(" + "|".join(PARTS) + r")\b)", re.MULTILINE)
BARE = re.compile(r"\A\*\*(?:" + "|".join(PARTS) + r")\.\*\*\s*")  # a name that says no more than the page's heading does
LED = re.compile(r"\A\*\*(?:" + "|".join(PARTS) + r")\. (?=\S)")  # one that stands before the first sentence in bold
PLACED = re.compile(r"\A\*\*(?:" + "|".join(PARTS) + r")\*\* \(([^)]*)\)\.\s*")  # a name with a place, such as **The paper** (Section 6.2).
NUMBERED = re.compile(r"((Figure|Table)s? (\d+)(?: and \d+)?): (.*)")
CODE = re.compile(r"<code>([\w-]+)</code>")


def address(name):
    """The page of an experiment, beside the others."""
    return f"{name}.html"


def linked(code):
    """A match of CODE, as a link to the experiment of that name, if there is one."""
    there = os.path.exists(os.path.join("experiments", code[1], "runs"))
    return f'<a href="{address(code[1])}">{code[0]}</a>' if there else code[0]


def html_of(text):
    """Markdown as HTML, with tables that scroll by themselves where the window is narrow, and links to other experiments."""
    html = markdown.markdown(without_expressions(text).strip(), extensions=["tables"])
    html = CODE.sub(linked, html)
    return html.replace("<table>", '<div class="wide" tabindex="0" role="group" aria-label="table"><table>').replace("</table>", "</table></div>")


class Readme:
    def __init__(self, name):
        with open(os.path.join("experiments", name, "README.md"), encoding="utf-8") as file:
            title, _, body = file.read().partition("\n")
        self.title = title.lstrip("# ")
        self.previews = SHOWN.findall(body)
        self.introductions = {picture: sentence + "." for sentence, picture in INTRODUCED.findall(body) if sentence}
        self._found = BEGINS.split(INTRODUCED.sub("", body))

    @functools.cached_property
    def opening(self):
        return html_of(self._found[0])

    @functools.cached_property
    def parts(self):
        parts = {part: "" for part in PARTS.values()}
        for heading, text in zip(self._found[1::2], self._found[2::2]):
            parts[PARTS[heading]] += html_of(PLACED.sub(r"\1: ", LED.sub("**", BARE.sub("", text))))
        return parts

    @property
    def short(self):
        """The title without 'Figure 8: '."""
        match = NUMBERED.match(self.title)
        return match[4][0].upper() + match[4][1:] if match else self.title

    @property
    def label(self):
        """'Figure 8' or 'Figures 1 and 2'; nothing for our own experiments."""
        match = NUMBERED.match(self.title)
        return match[1] if match else ""

    @property
    def order(self):
        """A key to sort by: the paper's figures come first, then its tables, then our own experiments."""
        match = NUMBERED.match(self.title)
        return (0 if match[2] == "Figure" else 1, int(match[3])) if match else (2, 0)
