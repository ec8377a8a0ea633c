#!/bin/sh
# Captions as LaTeX (scripts/latex.py): special characters, marks of Markdown, numbers without their expressions; figures that
# compile, as wide as they are printed.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
cp -r "$project/scripts" .
export PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1
# latex TEXT: what becomes of it
latex() { run "$PYTHON" -c 'import sys, latex; print(latex.latex(sys.argv[1]))' "$1"; }

latex '5 % of {a_b} & #1 ~ $x^2$ \ <b>'
ok 'special characters are only characters' out_is '5 \% of \{a\_b\} \& \#1 \textasciitilde{} \$x\textasciicircum{}2\$ \textbackslash{} \textless{}b\textgreater{}'
latex 'the limit α = 0.5 m², "so" they say'
ok '... and Greek letters, powers, quotation marks' out_is "the limit \$\\alpha\$ = 0.5 m\\textsuperscript{2}, \`\`so'' they say"
latex 'the key `contact.stiffness_k`, **bold** and *emphasis*, [text](https://example.org/a_b)'
ok '... and marks' out_is 'the key \texttt{contact.stiffness\_k}, \textbf{bold} and \emph{emphasis}, {text}'
latex 'in 6<!--= m.count("a_b") --> runs'
ok 'numbers come without their expressions' out_is 'in 6 runs'
latex 'a snowman ☃'
ok 'a character without LaTeX is refused' status 1
ok '... with its place' err_has "no LaTeX is known for ☃, in 'a snowman ☃'"

mkdir -p experiments/toy pictures
cat >experiments/toy/captions.md <<'END'
## toy-narrow

At most 5 % of α_max, in `runs_of`.

A second paragraph.

Alt: A curve, [straight] & {rising}.

## toy-wide

Two panels, 3<!--= 1 + 2 --> curves.

Alt: Two curves.
END
cat >draw.py <<'END'
import types, panels, style
from captions import captions_of
from page.pictures import Picture
import latex
pictures = []
for name, width in (("toy-narrow", panels.COLUMN), ("toy-wide", panels.PAGE)):
    figure, axes = panels.sheet(1, 1, 2, width)
    axes.plot([1, 2], [1, 2])
    axes.set(xlabel="time, s", ylabel="height, m")
    style.save(figure, "pictures", name)
    pictures.append(Picture(name, ["pdf", "png"], captions_of("toy")[name], "A toy", True))
pictures.append(Picture("toy-table", ["pdf", "png", "tex"], captions_of("toy")["toy-wide"], "A table", True))
pictures.append(Picture("preview/other", ["png"], captions_of("toy")["toy-wide"], "A preview", False))
for name, text in latex.figures([types.SimpleNamespace(pictures=pictures)], "pictures").items():
    open(f"pictures/{name}", "w", encoding="utf-8").write(text)
END
run "$PYTHON" -B draw.py
ok 'figures are written' status 0
ok '... of all pictures drawn here, and no others, nor over a table that is LaTeX' [ "$(cd pictures && echo *.tex)" = "captions.tex toy-narrow.tex toy-wide.tex" ]
ok '... of one column' grep -qxF '\begin{figure}' pictures/toy-narrow.tex
ok '... and of both' grep -qxF '\begin{figure*}' pictures/toy-wide.tex
ok '... with the text for those who do not see them' grep -qF '[alt={A curve, [straight] \& \{rising\}.}]{toy-narrow.pdf}' pictures/toy-narrow.tex
ok '... and a label' grep -qF '\label{fig:toy-wide}' pictures/toy-wide.tex
if command -v pdflatex >/dev/null; then
    (cd pictures && pdflatex -interaction=nonstopmode -halt-on-error captions.tex) >log 2>&1
    ok 'they compile' [ $? = 0 ]
    grep '^!' -A 3 log | sed 's/^/# /'
    ok '... without a picture beyond its column' sh -c '! grep -E "Overfull|undefined" log'
    if command -v pdfinfo >/dev/null; then
        ok '... two pages' sh -c "pdfinfo pictures/captions.pdf | grep -q '^Pages: *2$'"
    fi
else
    lacking 'there is no pdflatex (Debian: texlive-latex-base)' 'they compile'
fi

run "$PYTHON" -B -c 'from PIL import Image; import latex; Image.new("L", (4, 1)).save("plain.png"); latex.width_of("plain.png")'
ok 'a picture that does not say how wide it is printed is refused' status 1
ok '... with its name' err_has 'Fault: plain.png does not say how wide it is printed'

# every caption that there is
cp -r "$project/experiments" .
run "$PYTHON" -B - <<'END'
import glob, os, latex
from captions import captions_of
for path in sorted(glob.glob("experiments/*/captions.md")):
    for stem, caption in captions_of(os.path.basename(os.path.dirname(path))).items():
        latex.figure(stem, caption, 7.16)
END
ok 'all captions are known to LaTeX' err_is ''
finish
