"""The pictures of an experiment: drawn here, or the previews that the repository keeps; with captions."""

import os

from captions import captions_of
from page.readme import html_of
from sizes import COLUMN

DOTS = 200  # per inch, of pictures as style.py saves them


class Picture:
    """stem: its path without ending, below the page; formats: of the files there are; drawn: here, or a preview; introduction: the
    sentence that leads to it in the README, or nothing; column: whether it is as narrow as a column."""

    def __init__(self, stem, formats, caption, title, drawn, introduction="", column=False):
        self.stem, self.formats, self.drawn = stem, formats, drawn
        self.name, self.column = os.path.basename(stem), column
        self.captioned = caption
        self.caption = html_of(introduction) + (html_of(caption.text) if caption else "")
        self.alt = caption.alt if caption and caption.alt else title
        self.png = f"{stem}.png"
        self.largest = f"{stem}.pdf" if "pdf" in formats else self.png


def _is_column(path):
    """Whether a PNG is as narrow as a column of print, by its header: its type is then as large as that of a picture of a page which is
    shown twice as wide."""
    with open(path, "rb") as file:
        return int.from_bytes(file.read(20)[16:20], "big") <= COLUMN * DOTS


def _drawn(lists, pictures, name):
    """The files that draw.py wrote."""
    try:
        with open(os.path.join(lists, name, "drawn.txt"), encoding="utf-8") as file:
            return [p for p in file.read().split() if os.path.exists(os.path.join(pictures, p))]
    except FileNotFoundError:
        return []


def pictures_of(lists, pictures, name, readme):
    """The pictures in the order of the captions, then of the README, then by name; previews of what was not drawn, and of pictures at
    another scale."""
    files, captions = _drawn(lists, pictures, name), captions_of(name)
    formats = {}
    for file in files:
        stem, ending = os.path.splitext(file)
        formats.setdefault(stem, []).append(ending[1:])
    previews = [p for p in readme.previews if p not in formats and os.path.exists(os.path.join(pictures, "preview", f"{p}.png"))]
    if formats:  # drawn here: only previews at another scale add to them
        previews = [p for p in previews if "." in p]
    stems = sorted(stem for stem in formats if "png" in formats[stem])
    order = {stem: k for k, stem in enumerate(dict.fromkeys([*captions, *readme.previews]))}
    shown = [(stem, True) for stem in sorted(stems, key=lambda stem: order.get(stem, len(order)))] + [(p, False) for p in previews]
    def picture(name, drawn):
        stem = name if drawn else f"preview/{name}"
        return Picture(stem, sorted(formats[name]) if drawn else ["png"], captions.get(name.partition(".")[0]), f"{readme.title} ({name})", drawn,
                       readme.introductions.get(name, ""), _is_column(os.path.join(pictures, f"{stem}.png")))
    return [picture(name, drawn) for name, drawn in shown]
