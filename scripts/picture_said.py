"""What a caption says of its picture, looked up in the picture: letters and numbers of panels, curves, instants, methods, colors and lines.

A caption (captions.md) is English; these kinds of words in it are statements about what is drawn:

    (a), (b, c), (e-h)              there are panels of these letters
    Two rows of four diagrams       at the beginning of its Alt: there are eight panels
    with five curves each           every diagram has five
    at 0.4 s, after 15 ms           an instant that is written in the picture, or that a time axis shows
    three instants                  so many are written in it
    merging-and-splitting, barrier  a method (methods.py) that is named in it or, where it names none, that runs have
    red, dotted, dashed, hollow     something in it has that look
    8, 0.25                         a number that is written in it; others come from results (texts.py), or are not known here

A statement that the picture contradicts is a problem; a number that nothing knows is only counted.
"""

import re

from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from methods import COLORS
from written import COMPUTED, NUMBER, WORDS

COUNTS = {word: k for k, word in enumerate([*WORDS, *"thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()])}
COUNT = rf"\b(?P<count>{'|'.join(COUNTS)})\b"
PANELS = re.compile(rf"(?:{COUNT} (?P<rows>rows|pairs) of )?(?:\b(?P<each>{'|'.join(COUNTS)})|(?:^|\band )(?P<single>an?)) (?:rendered |square |small |large )*"
                    r"(?:diagram|panel|picture|map|section|drawing|slice|view)s?\b", re.IGNORECASE)
CURVES = re.compile(rf"(?:with|of) {COUNT} (?:\w+ )?curves each|(?:diagrams|panels) (?:with|of) (?P<other>{'|'.join(COUNTS)}) curves\b", re.IGNORECASE)
LETTERS = re.compile(r"\(([a-z](?:(?:, | and |-)[a-z])*)(?=[),;])")
INSTANT = re.compile(r"\b(?:at|after) (?P<time>\d+(?:\.\d+)?) (?P<unit>m?s)\b")
INSTANTS = re.compile(rf"{COUNT} instants", re.IGNORECASE)
# What captions call methods -> how a picture, and contact.method, may begin to
STEMS = {"merging-and-splitting": "merging", "sliding meta-particles": "sliding", "sliding contact": "sliding", "penalty": "penalt", "penalties": "penalt", "SPH-based": "sph",
         "impulses": "impulse", "barrier": "barrier", "barriers": "barrier", "position-based": "position", "position correction": "position"}
LOOKS = {"dotted": ":", "dashed": "--"}
NAMED = re.compile(r"\b(?:Figures?|Tables?|Sections?|Algorithm|Equations?|MS|CES|UPP|Part|Lemma)\s\d+\w?(?:(?:, | and |-| to )\d+\w?)*")
FACTORS = {"s": 1, "ms": 1e-3}


class Drawn:
    """What can be said of a figure that is laid out. panels: its axes that have letters; methods: contact.method of the experiment's runs."""

    def __init__(self, figure, panels, methods):
        self.panels, self.methods = panels, set(methods)
        self.texts = [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
        self.lines = [line for line in figure.findobj(Line2D) if line.get_visible()]
        self.dashes = [artist.get_linestyle() for artist in (*self.lines, *figure.findobj(Patch))]
        self.pictured = any(axes.images for axes in figure.axes)
        whole = "\n".join(self.texts).replace("−", "-")
        self.words, self.numbers = whole.lower(), {float(number.replace(" ", "")) for number in re.findall(NUMBER, whole)}
        self.times = {round(float(number) * FACTORS[unit], 9) for number, unit in re.findall(rf"({NUMBER}) (m?s)\b", whole)}
        self.colors = {to_hex(color) for color in self._colors(figure)}

    def _colors(self, figure):
        for line in self.lines:
            face = line.get_markerfacecolor()
            yield from (line.get_color(), line.get_color() if isinstance(face, str) and face == "none" else face)
        for artist in figure.findobj(lambda artist: isinstance(artist, (Collection, Patch))):
            faces = artist.get_facecolor()
            yield from ([faces] if isinstance(artist, Patch) else [*faces, *artist.get_edgecolor()])
        yield from (text.get_color() for text in figure.findobj(Text) if text.get_text().strip())

    def has_color(self, name):
        """Of the palette, or as dark as it is for text."""
        def near(color, wanted):
            length = [max(sum(part * part for part in rgb) ** 0.5, 1e-9) for rgb in (color, wanted)]
            alike = sum(a * b for a, b in zip(color, wanted)) / length[0] / length[1] > 0.995
            return alike and max(color) - min(color) > 0.2
        if name == "black":
            return any(sum(to_rgba(color)[:3]) < 0.2 for color in self.colors)
        if name == "grey":
            return any(max(to_rgba(color)[:3]) - min(to_rgba(color)[:3]) < 0.03 and 0.2 < to_rgba(color)[0] < 0.97 for color in self.colors)
        return any(near(to_rgba(color)[:3], to_rgba(COLORS["palette"][name])[:3]) for color in self.colors)

    def curves(self, axes):
        """How many curves a diagram may be said to have: all, or those with a name."""
        long = [line for line in axes.lines if line.get_visible() and line.get_linestyle() not in ("None", " ", "") and len(line.get_xdata()) > 2]
        return {len(long), len([line for line in long if not line.get_label().startswith("_")]), len({(to_hex(line.get_color()), line.get_linestyle()) for line in long})}

    def shows_time(self, seconds):
        def within(axes):
            label, (low, high) = axes.get_xlabel(), axes.get_xlim()
            unit = re.match(r"time, (m?s)$", label)
            return unit and low <= seconds / FACTORS[unit[1]] <= high
        return any(abs(seconds - time) < 1e-6 * (1 + seconds) for time in self.times) or any(within(axes) for axes in self.panels)


def spread(letters):
    """(a, c) and (e-h) as single letters."""
    for part in re.split(r", | and ", letters):
        first, _, last = part.partition("-")
        yield from (chr(code) for code in range(ord(first), ord(last or first) + 1))


def of_panels(alt, drawn):
    """Of the first sentence of the Alt."""
    first, count = re.split(r"[.:;](?:\s|$)", alt, maxsplit=1)[0], 0
    for found in PANELS.finditer(first):
        rows = {"rows": COUNTS.get((found["count"] or "one").lower()), "pairs": 2, None: 1}[found["rows"]]
        count += rows * (1 if found["single"] else COUNTS[found["each"].lower()])
    if count:
        yield f"{first[:60]}: {count} panels", count == len(drawn.panels), f"there are {len(drawn.panels)}"


def of_counts(text, alt, drawn):
    letters = {chr(ord("a") + k) for k in range(len(drawn.panels))} if len(drawn.panels) > 1 else set()
    for found in LETTERS.finditer(text):
        yield f"({found[1]})", set(spread(found[1])) <= letters, f"its panels are {', '.join(sorted(letters)) or 'without letters'}"
    diagrams = [axes for axes in drawn.panels if drawn.curves(axes) != {0}]
    for found in CURVES.finditer(alt):
        wanted = COUNTS[(found["count"] or found["other"]).lower()]
        yield found[0], all(wanted in drawn.curves(axes) for axes in diagrams), f"they have {', '.join(str(max(drawn.curves(axes))) for axes in diagrams)}"


def of_instants(text, drawn):
    for found in INSTANT.finditer(text):
        seconds = float(found["time"]) * FACTORS[found["unit"]]
        yield found[0], drawn.shows_time(seconds), f"the picture has {', '.join(f'{time:g} s' for time in sorted(drawn.times)) or 'none'}"
    for found in INSTANTS.finditer(text):
        yield found[0], COUNTS[found["count"].lower()] == len(drawn.times), f"there are {len(drawn.times)}"


def of_looks(text, drawn):
    named = {stem for stem in STEMS.values() if stem in drawn.words}
    for name, stem in STEMS.items():
        if re.search(rf"\b{name}\b", text, re.IGNORECASE):
            known = stem in named or len(named) < 2 and any(stem in method for method in drawn.methods)
            yield name, known, f"it names {', '.join(sorted(named)) or 'no method, and no run has that'}"
    if drawn.pictured:
        return
    for name in COLORS["palette"]:
        if re.search(rf"(?<!light )\b{name}\b(?! noise)", text):
            yield name, drawn.has_color(name), "nothing in it is"
    for name, line in LOOKS.items():
        if re.search(rf"\b{name}\b", text, re.IGNORECASE):
            yield name, line in drawn.dashes or {":": "dotted", "--": "dashed"}[line] in drawn.dashes, "no line in it is"
    if re.search(r"\b(hollow|open) (marks|symbols|circles)", text, re.IGNORECASE):
        pale = [line for line in drawn.lines if line.get_marker() not in ("None", "", " ") and line.get_markerfacecolor() in ("white", "none", "w")]
        yield "hollow", bool(pale), "no mark in it is"


def of_numbers(text, drawn):
    """(statement, whether it is known) of every number: from results, or written in the picture."""
    text = NAMED.sub("", text)
    for found in COMPUTED.finditer(text):
        yield found["shown"], True
    for found in re.finditer(NUMBER, INSTANT.sub("", COMPUTED.sub("", text))):
        yield found[0], float(found[0].replace(" ", "")) in drawn.numbers


def statements(drawn, text, alt):
    """Of a caption and its Alt: [(statement, whether it is right, what is)], and [(number, whether it is known)]."""
    plain = COMPUTED.sub(lambda found: found["shown"], text)
    unknown = COMPUTED.sub("", text)  # instants from results are looked up there (texts.py)
    return ([*of_panels(alt, drawn), *of_counts(plain, alt, drawn), *of_instants(unknown, drawn), *of_looks(plain, drawn)], list(of_numbers(text, drawn)))
