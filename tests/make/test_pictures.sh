#!/bin/sh
# Pictures as they are printed: as wide as a column or a page, type of 6.5 points or more, curves that are told apart without
# colors, captions for all pictures of figures and tables; and that each of these is noticed if it is not so.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
cp -r "$project/scripts" .
cp -r "$project/experiments" .
unset STRICT
check() { run "$PYTHON" -B "$project/tests/make/pictures_check.py" "$@"; }

# drawn WIDTH CODE: the panels a and b of a sheet of that width, after that code; style.save's status
drawn() {
    printf 'import panels\nimport style\nfigure, axes = panels.sheet(1, 2, 2, %s)\nfor ax in axes:\n    ax.plot([1, 1e6], [1, 1e6], label="a curve")\n    ax.set(xlabel="number", ylabel="number")\n%s\nstyle.save(figure, ".", "drawn")\n' \
        "$1" "$2" >draw.py
    run env PYTHONPATH=scripts "$PYTHON" -B draw.py
}
# printed: width and least type, without the file's name
printed() { cut -d' ' -f2- .run/out; }

drawn panels.PAGE 'ax.set_yscale("log")
ax.set_title("a title that is far too long for its panel, so that it needs another line or even two of them")
ax.set_ylabel("a label that is longer than its panel is high, below and above it")
panels.legend_below(ax)'
ok "a picture of a page" status 0
ok "... nothing is beyond its sides" same .run/err /dev/null
check pdf drawn.pdf
printed >page
echo "7.1600 7" >wanted
ok "... is as wide as that, and powers of ten have type of 7 points" same page wanted
if command -v pdftotext >/dev/null; then
    pdftotext drawn.pdf words.txt
    tr -s ' \n' '  ' <words.txt >words
    for words in 'is far too' 'or even two' 'below and above' 'a curve' '1e6'; do
        ok "... and shows '$words'" grep -q "$words" words
    done
    ok "... and the letters of its panels" sh -c 'grep -qw a words && grep -qw b words'
else
    lacking "there is no pdftotext" "... and shows all of it"
fi
run env PYTHONPATH=scripts "$PYTHON" -B -c '
import panels, style
figure, axes = panels.sheet(1, 2, 2)
for ax, name in zip(axes, ("a name that is longer than its axis is high, below and above it", "short")):
    ax.plot([1, 2])
    ax.set(xlabel=name, ylabel=name)
style.save(figure, ".", "drawn")
for ax in axes:
    box, x, y = (part.get_window_extent() for part in (ax, ax.xaxis.label, ax.yaxis.label))
    print("\n" in ax.yaxis.label.get_text(), x.width < 1.02 * box.width, y.height < 1.02 * box.height)'
ok "names of axes longer than these go on in another line, others do not" out_is "True True True
False True True"
for shake in 0 1e-13; do
    run env PYTHONPATH=scripts "$PYTHON" -B -c '
import random, sys
import panels, style
shake, plain = float(sys.argv[1]), panels.ConstrainedLayoutEngine.execute
def shaken(points):
    return points + [[shake * random.uniform(-1, 1) for _ in "xy"] for _ in "01"]
def execute(self, figure):
    plain(self, figure)
    for part in figure.subfigs:
        part.bbox_relative.set_points(shaken(part.bbox_relative.get_points()))
    for axes in figure.axes:
        axes.set_position(panels.Bbox(shaken(axes.get_position(original=True).get_points())))
        axes.set_in_layout(True)
panels.ConstrainedLayoutEngine.execute = execute
figure = panels.empty(3)
upper, lower = figure.subfigures(2, 1)
points = upper.subplots(1, 3)[1].scatter(range(300), range(300), c=range(300))
upper.colorbar(points)
lower.subplots(1, 2)[0].plot([1, 3, 2], label="a curve")
style.save(figure, ".", "shaken" + sys.argv[1])' "$shake"
done
ok "where panels are does not depend on the last digits of their layout" same shaken0.pdf shaken1e-13.pdf
ok "... and all drawings have that layout" test -z "$(grep -l constrained experiments/*/*.py)"
run env PYTHONPATH=scripts "$PYTHON" -B -c '
import panels, style
figure, ax = panels.sheet(1, 1, 2)
texts = [ax.text(0, 0.1 * k, "text", color=color) for k, color in enumerate((*style.drawing.PALETTE, "white"))]
style.save(figure, ".", "drawn")
print(min(panels.contrast(text.get_color(), "white") for text in texts[:-1]) >= 4.5, panels.to_rgb(texts[5].get_color()) == panels.to_rgb(style.BLUE), texts[-1].get_color())'
ok "text in a pale color is darkened until it can be read, other text is not" out_is "True True white"
run env PYTHONPATH=scripts "$PYTHON" -B -c '
import panels, style
figure, axes = panels.sheet(1, 2, 2)
for end in (1, 2, 2):
    style.method_curve(axes[0], style.np.array([0.0, end / 2, end]), [0, 5, 20], "impulse", "impulse", "red", "-")
axes[0].set_yscale("symlog", linthresh=3)
axes[0].set_xlabel("time, s")
axes[1].plot([0, 1])
style.save(figure, ".", "drawn")
print([line.get_xydata().tolist() for line in axes[0].lines if line.get_marker() == "x"], axes[0].get_xlabel())
print([(text.get_text(), text.xy) for text in axes[0].texts if text.get_text() == "linear"], [text.get_text() for text in axes[1].texts])'
ok "a run that ends before others is marked, and the linear part of an axis named; on other axes there is neither" out_is "[[[1.0, 20.0]]] time, s (×: run ended)
[('linear', (1, 3))] ['b']"
run env PYTHONPATH=scripts "$PYTHON" -B -c '
import numpy as np, outlines
side = np.array([0.0, 2, 4])
u, v = (x.ravel() for x in np.meshgrid(side, side))
x, y, field = outlines.distances(np.append(u, 9), np.append(v, 0), np.ones(10), (-2, 11, -2, 6))
def at(a, b): return field[np.argmin(abs(y - b)), np.argmin(abs(x - a))]
print(f"{abs(np.count_nonzero(field < 0) / 9 / (32 + 2 * np.pi) - 1) < 0.02} {at(2, 2):.2f} {at(1, 1) < 0} {at(6.5, 0) > 0} {at(9, 0):.2f}")'
ok "the outline of a lattice is a square with round corners, without holes, and a loose particle stays one" out_is "True -1.00 True True -1.00"
cat >camera.pov <<'POV'
camera {
  orthographic
  location <1, 0, 0> + 6 * vnormalize(<0, -1, 1>)
  up y * 2.5
  look_at <1, 0, 0>
}
POV
run env PYTHONPATH=scripts "$PYTHON" -B -c '
import numpy as np, camera
seen = camera.Camera("camera.pov")
(low, high), = camera.boxes({"walls.tank.shape.box.size": [2, 4, 2], "walls.tank.position": [1, 0, 1], "walls.tank.keep": "inside",
                             "walls.floor.shape.box.size": [1, 1, 1], "walls.floor.keep": "outside"})
edges = seen.far_edges(low, high)
print(seen.height, low, high, np.round(seen.seen(np.array([[0, 0, 0], [1, 1, 1]])) * 2 ** 0.5, 9).tolist(), len(edges))
front = seen.seen(np.array([[0, -2, 2], [2, -2, 2]]))
print(any(np.allclose(edge, front) for edge in edges))'
ok "the walls of a tank are where the camera sees them, without the edge in front" out_is "2.5 [ 0. -2.  0.] [2. 2. 2.] [[-1.414213562, 0.0], [0.0, 2.0]] 7
False"
drawn panels.COLUMN ''
check pdf drawn.pdf
printed >column
ok "a picture of a column is as wide as that" grep -q '^3.5000 ' column
drawn panels.PAGE 'ax.text(0, 0, "tiny", fontsize=6)'
ok "smaller type is refused" status 1
ok "... with what it says and how small it is" err_has "drawn: 'tiny' has type of 6 pt; 6.5 pt is the least that can be read in print"
drawn panels.PAGE 'ax.annotate("far away", (1.5, 0.5), xycoords="axes fraction").set_in_layout(False)'
ok "what is beyond the side is told" err_has "in are cut off at the right"

cd "$scratch" || exit 1
check curves
ok "curves of all methods are told apart in grey and with deuteranopia" same .run/out /dev/null
sed -i 's/"penalty": "P", "sph": "o", //' scripts/style.py
check curves
ok "... without marks they were not" out_has "penalty-strong and sph-strong are alike in grey"
check captions
ok "every picture of a figure or table has a caption and a text for those who do not see it" same .run/out /dev/null
sed -i 's/^## fig07-curves/## fig07-curve/; s/^Alt: Four panels/Four panels/' experiments/fig07-mass-ratio/captions.md
check captions
ok "... one that is missing is noticed" out_has "no caption of fig07-curves"
ok "... one of no picture" out_has "a caption of fig07-curve, which draw.py does not save"
ok "... one without that text" out_has "fig07-cross-sections: no paragraph that begins with 'Alt:'"

# what every picture must have (picture_rules.py): a good one, and one with each defect
mkdir experiments/toy
cat >experiments/toy/captions.md <<'END'
## good

Sliding contact (a, dotted) and merging-and-splitting (b, green) against time, and at 0.4 s (c). Filled: 16 balls, placed by purple noise.

Alt: Two diagrams with two curves each, and a picture.

## said

A barrier (d), merging-and-splitting (purple, dashed) at 0.7 s, at three instants; hollow marks are bad.

Alt: Four diagrams with three curves each.
END
cat >experiments/toy/draw.py <<'END'
import sys
import numpy as np
import panels
import style
x = np.linspace(0, 0.5)

def figure(name, change=lambda figure, a, b, c: None):
    figure, axes = panels.sheet(1, 3, 2)
    for ax in axes[:2]:
        ax.plot(x, x, ":", color=style.BLACK, label="sliding meta-particles")
        ax.plot(x, np.sin(9 * x), color=style.GREEN, label="merging-and-splitting")
        ax.set(xlabel="time, s", ylabel="height, m")
    axes[0].legend()
    u, v = (part.ravel() for part in np.mgrid[0:4, 0:4])
    style.circles(axes[2], u, v, np.full(16, 0.5), [style.BLUE] * 16)
    axes[2].set(title="0.4 s, 16 balls", xlim=(-0.5, 3.5), ylim=(-0.5, 3.5))
    change(figure, *axes)
    style.save(figure, ".", name)

figure("good")
def spoil(f, a, b, c):
    a.set(xlabel="time in s", ylabel="height")
    a.plot(x, x, color=style.RED, label="above")
    a.text(0.2, 0, "faint", color="#aaaaaa")
    b.set_xlabel("")
    a.get_legend().remove()
    c.text(1, 1, "on", ha="center", va="center")
    c.set(xlim=(-9, 13), ylim=(-9, 13))

figure("wrong", spoil)
figure("said")
END
PYTHONPATH=scripts run "$PYTHON" -B experiments/toy/draw.py nowhere
ok "pictures are drawn with their defects" status 0
ok "... a good one has none" sh -c '! grep "good:" .run/err'
for told in "labels: the x axis of panel 2 has no name" "labels: panel 2 has 2 kinds of curves and no legend" \
    "units: 'time in s'; write 'quantity, unit'" "units: 'height' has a unit; write 'height, unit'" \
    "hidden: panel 1: 'sliding meta-particles' lies under 'above'" "contrast: 'faint' has 2.3:1" "contrast: 'on' has 4." "white: 95 % of its pictures" \
    "said: caption: 'Four diagrams with three curves each: 4 panels', but there are 3" \
    "said: caption: '(d)', but its panels are a, b, c" "said: caption: 'diagrams with three curves', but they have 2, 2" \
    "said: caption: 'barrier', but it names merging, sliding" "said: caption: 'purple', but nothing in it is" "said: caption: 'dashed', but no line in it is" \
    "said: caption: 'at 0.7 s', but the picture has 0.4 s" "said: caption: 'three instants', but there are 1" "said: caption: 'hollow', but no mark in it is"; do
    ok "told: $told" err_has "$told"
done
STRICT=1 PYTHONPATH=scripts run "$PYTHON" -B experiments/toy/draw.py nowhere
ok "with STRICT=1 a picture with a defect is refused" status 1
ok "... with what it is" err_has "wrong: labels: the x axis of panel 2 has no name"

# the pictures that were drawn here, if any: of figures
found=$(ls "$project"/paper-figures/fig*.pdf 2>/dev/null)
if [ -n "$found" ]; then
    # shellcheck disable=SC2086 # names without blanks
    check pdf $found
    awk '$2 != "7.1600" && $2 != "3.5000" || $3 < 6.5' .run/out >wrong
    ok "all pictures of figures that were drawn here" same wrong /dev/null
    sed 's/^/#   /' wrong
else
    skip "none was drawn here" "all pictures of figures that were drawn here"
fi
finish
