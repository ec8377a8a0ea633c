"""The captions of pictures as LaTeX, made of captions.md as those of the page are: for each picture NAME.pdf that was drawn here
a figure NAME.tex, as wide as it is printed, with the text for those who do not see it; and captions.tex, a document of all of them.

    \\input{fig03-cross-sections}        in a paper, with \\graphicspath or a copy of the PDF beside it
    pdflatex captions.tex               all pictures at the size at which they are printed
"""

import os
import re

from PIL import Image

from arithmetic import Fault
from sizes import COLUMN, PAGE
from written import without_expressions

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
           "|": r"\textbar{}", **{character: "\\" + character for character in "{}$&#%_"},
           **{letter: rf"$\{name}$" for letter, name in zip("αβγδεθλμνρσφωΔ", (
               "alpha", "beta", "gamma", "delta", "varepsilon", "theta", "lambda", "mu", "nu", "rho", "sigma", "varphi", "omega", "Delta"))},
           "²": r"\textsuperscript{2}", "³": r"\textsuperscript{3}", "µ": r"\textmu{}", "√": r"$\surd$", "−": "$-$", "×": r"$\times$",
           "·": r"$\cdot$", "°": r"\textdegree{}", "≥": r"$\geq$", "≤": r"$\leq$", "±": r"$\pm$", "–": "--", "’": "'", "é": r"\'e", "ö": r'\"o',
           "ü": r'\"u', "ä": r'\"a'}
# as Markdown has them: `code`, **bold**, *emphasis*, [text](address)
MARKED = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*|\[(?P<text>[^\]]+)\]\([^)]*\)")
PRINTED = {"code": r"\texttt", "bold": r"\textbf", "emphasis": r"\emph", "text": ""}


def plain(text):
    """Text without marks."""
    unknown = sorted({c for c in text if not c.isascii() and c not in SPECIAL})
    if unknown:
        raise Fault(f"no LaTeX is known for {', '.join(unknown)}, in '{' '.join(text.split())[:60]}'; SPECIAL in scripts/latex.py has those that are")
    text = "".join(SPECIAL.get(character, character) for character in text)
    return re.sub(r'"([^"]*)"', r"``\1''", text)


def latex(text):
    """A caption in Markdown as LaTeX, in one line for each paragraph."""
    text, parts, end = without_expressions(text), [], 0
    for match in MARKED.finditer(text):
        parts += [plain(text[end:match.start()]), f"{PRINTED[match.lastgroup]}{{{plain(match[match.lastgroup])}}}"]
        end = match.end()
    parts.append(plain(text[end:]))
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", "".join(parts).strip()))


def width_of(path):
    """The width of a picture as it is printed, in inches."""
    with Image.open(path) as picture:
        if "dpi" not in picture.info:
            raise Fault(f"{path} does not say how wide it is printed, and has no figure for LaTeX; style.save (scripts/style.py) writes how many pixels an inch has")
        return picture.width / picture.info["dpi"][0]


def figure(stem, caption, width):
    """A figure of one column, or of both."""
    kind = "figure" if width < COLUMN + 0.01 else "figure*"
    alt = f"[alt={{{latex(caption.alt)}}}]" if caption.alt else ""
    # a paragraph's end in a caption needs the short form, which lists of figures show
    text, short = latex(caption.text), ""
    if "\n\n" in text:
        text, short = text.replace("\n\n", "\\par "), f"[{text.partition(chr(10))[0]}]"
    return "\n".join([f"\\begin{{{kind}}}", r"  \centering", rf"  \includegraphics{alt}{{{stem}.pdf}}", rf"  \caption{short}{{{text}}}",
                      rf"  \label{{fig:{stem}}}", f"\\end{{{kind}}}", ""])


def document(stems):
    """All figures, in two columns as wide as a journal has them, so that each has its size."""
    gap = PAGE - 2 * COLUMN
    return "\n".join([r"\documentclass[twocolumn]{article}", rf"\usepackage[letterpaper,textwidth={PAGE}in,textheight=9.5in,columnsep={gap:.2f}in]{{geometry}}",
                      r"\usepackage{graphicx}", r"\usepackage{textcomp}", r"\pagestyle{plain}", r"\begin{document}",
                      *(rf"\input{{{stem}}}\clearpage" for stem in stems), r"\end{document}", ""])


def figures(sections, pictures):
    """File name -> text, of all pictures that were drawn here and have a caption, but tables that draw.py has written as LaTeX."""
    files = {}
    for section in sections:
        for picture in section.pictures:
            if picture.drawn and picture.captioned and "pdf" in picture.formats and "tex" not in picture.formats:
                files[f"{picture.stem}.tex"] = figure(picture.stem, picture.captioned, width_of(os.path.join(pictures, picture.png)))
    return {**files, "captions.tex": document([name[:-4] for name in files])} if files else {}
