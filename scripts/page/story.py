"""The story that the first page tells: docs/story.md, with its pictures, films and links to experiments.

A paragraph that is a picture, as in a README, is shown as its experiment shows it, with the caption; a comment <!-- film EXPERIMENT -->
is the film, where `make film` has made one, and <!-- tally --> the table of how many statements hold.
"""

import re

from page.readme import html_of
from publish import SHOWN

TEXT = "docs/story.md"
FILM = re.compile(r"<!-- film ([\w-]+) -->")
TALLY = "<!-- tally -->"


class Part:
    """html of paragraphs; or a picture or a film, and its section; or the tally."""

    def __init__(self, html="", picture=None, film=False, tally=False, section=None):
        self.html, self.picture, self.film, self.tally, self.section = html, picture, film, tally, section


class Story:
    def __init__(self, sections):
        with open(TEXT, encoding="utf-8") as file:
            title, _, text = file.read().partition("\n")
        self.title = title.lstrip("# ")
        self.parts = [part for paragraphs in re.split(r"^(!\[.*\)\n|<!-- (?:film|tally) .*\n)", text, flags=re.MULTILINE) for part in self._parts(paragraphs, sections)]

    @staticmethod
    def _parts(paragraphs, sections):
        film, shown = FILM.match(paragraphs), SHOWN.match(paragraphs)
        if film:
            yield from (Part(film=True, section=section) for section in sections if section.name == film[1] and section.film)
        elif shown:
            yield from (Part(picture=picture, section=section) for section in sections for picture in section.pictures if picture.name == shown[1])
        elif paragraphs.strip() == TALLY:
            yield Part(tally=True)
        elif paragraphs.strip():
            yield Part(html_of(paragraphs))
