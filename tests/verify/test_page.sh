#!/bin/sh
# The report page in headless Chromium: of a toy with results, and of this checkout, whose values are those that the repository
# keeps, and those of results/small where there are some. Each check is shown to notice what it is for.
. "$(dirname "$0")/../make/toy.sh"
real_page
for browser in chromium chromium-browser google-chrome none; do
    command -v $browser >/dev/null && break
done
[ $browser != none ] || skip_all "there is no chromium"
axe=${AXE:-/usr/share/nodejs/axe-core/axe.min.js}
[ -f "$axe" ] || { axe=; echo "# no axe-core: AXE=.../axe.min.js (npm install axe-core) adds its checks"; }

# checked PAGE or FOLDER: what is wrong with it, in found
checked() {
    # shellcheck disable=SC2086 # $axe may be nothing
    "$PYTHON" -B "$project/tests/make/page_check.py" "$1" $axe >found 2>&1
    status=$?
    sed -n 's/^looked/# looked/p' found
    [ $status = 0 ] && ! grep -v '^looked' found
}

cat >experiments/fig99-toy/captions.md <<'END'
## fig99-toy

How many got through, in 6<!--= m.count() --> runs.

Alt: A curve that stays at zero.
END
echo 'It is unlike `ablation-other`, and nothing like `ablation-none`.' >>experiments/fig99-toy/README.md
printf '\nFrom afar (`SCALE=paper`):\n\n![From afar](../../paper-figures/preview/fig99-toy.paper.png)\n' >>experiments/fig99-toy/README.md
cp "$project/CITATION.cff" .
make -s figures ablations >/dev/null 2>&1
mkdir paper-figures/preview
cp paper-figures/fig99-toy.png paper-figures/preview/fig99-toy.paper.png
# a map, with numbers of its own
mkdir experiments/map-toy
cp experiments/ablation-other/README.md experiments/ablation-other/draw.py experiments/map-toy/
printf '%s\n' 'axis speed 1 2 5 : velocity=[0,0,-{}]' 'axis fast 1 2 5 : velocity=[0,0,-{}] step=1' 'axis k 1e3 1e4 : stiffness={}' \
    'run pushed-v{speed}-k{k} penalty' 'run merged-v{fast} merging' >experiments/map-toy/runs
claims map-toy
for speed in 1 2 5; do
    for run in pushed-v$speed-k1e3 pushed-v$speed-k1e4 merged-v$speed; do
        mkdir -p "results/small/map-toy/$run"
        echo "{\"unstable\": $([ $speed = 5 ] && echo true || echo false), \"speed_max\": $speed.123456, \"fragments\": null, \"end\": \"$run\"}" \
            >"results/small/map-toy/$run/summary.json"
    done
done
# what the methods of two runs are
for run in low-merging:merging-and-splitting high-merging:merging-and-splitting low-k1e3:penalty; do
    sed -i "s/^{/{\"config\": {\"contact.method\": \"${run#*:}\"}, /" "results/small/fig99-toy/${run%:*}/summary.json"
done
# the particles of one run: the toy has no frames to take them from
echo 'points low-merging' >>experiments/fig99-toy/runs
PYTHONPATH=scripts "$PYTHON" -B - <<'END'
import json
import numpy as np
import points
moving = np.array([[[0.1 * k, 0.01 * time, 0.02 * k * time] for k in range(20)] for time in range(12)])
body = np.arange(20) % 2
made = points.packed(np.arange(12) / 10, moving, np.arange(12)[:, None] + np.arange(20) > 3, body, ["cloth", "</script>"], np.full(20, 0.02),
                     {"damage": np.linspace(0, 1, 240).reshape(12, 20)})
json.dump(made, open("results/small/fig99-toy/low-merging/points.json", "w"))
END
if command -v ffmpeg >/dev/null; then # a film of one experiment
    ffmpeg -loglevel error -f lavfi -i testsrc=duration=8:size=320x240:rate=5 -pix_fmt yuv420p paper-figures/fig99-toy.mp4
    cp paper-figures/fig99-toy.png paper-figures/fig99-toy-film.png
fi
"$PYTHON" -B scripts/report.py small results/small paper-figures >/dev/null
page=paper-figures/fig99-toy.html
ok "the pages of a toy" checked paper-figures
ok "... has the caption, without its expression" has $page "<p>How many got through, in 6 runs.</p>"
ok "... and what leads to a picture in the README, as part of its caption" has $page "<figcaption><p>From afar (<code>SCALE=paper</code>).</p><p>How many got"
ok "... there alone" is "$(grep -c 'From afar (' $page)" 1
for author in Truong Kugelstadt; do
    ok "... and the paper of $author, whose statements are tested" has paper-figures/claims.html "($author, "
done
ok "... and the text for those who do not see the picture" has $page 'alt="A curve that stays at zero."'
ok "... and a link where it names another experiment" has $page 'unlike <a href="ablation-other.html"><code>ablation-other</code></a>, and nothing like <code>ablation-none</code>'
ok "... and curves" has found "1 drawings of curves"
ok "... and a map, with a slider for each axis" has found "1 maps, 5 places of maps"
ok "... with what an axis sets" has paper-figures/map-toy.html '"keys":["stiffness"]'
ok "... one slider for axes with the same values of the same key" has paper-figures/map-toy.html '{"name":"speed","values":["1","2","5"],"keys":["velocity"]}'
ok "... without what is the same everywhere" sh -c "! grep -q 'fragments at the end' paper-figures/map-toy.html"
ok "... and a viewer of frames" has found "1 viewers of frames"
if [ -f paper-figures/fig99-toy.mp4 ]; then
    ok "... and a film" has found "2 films"
else
    skip "there is no ffmpeg" "... and a film"
fi
ok "the story shows its picture, with what else there is of it" has paper-figures/index.html '; <a href="fig99-toy.html">its experiment</a>'
ok "... and the command that makes a film where there is none" has paper-figures/ablation-other.html "make film E=ablation-other"
PYTHONPATH=$project/tests/make "$PYTHON" -B - $page >places 2>&1 <<'END'
import sys
from browser import Browser
with Browser() as browser:
    browser.open(sys.argv[1])
    print("places", browser.evaluate("""(async () => {
        const part = document.querySelector('details.frames'), box = part.querySelector('.viewer');
        part.open = true;
        while (!box.viewer) await new Promise(done => setTimeout(done, 50));
        const {points} = box.viewer, near = (a, b) => Math.abs(a - b) <= points.run.quantum * 0.501;
        const right = [...Array(12).keys()].every(time => [...Array(20).keys()].every(k => {
            const place = points.place(time, k), there = [0.1 * k, 0.01 * time, 0.02 * k * time];
            return time + k > 3 ? place && place.every((v, axis) => near(v, there[axis])) : place === null;
        }));
        return [right, points.present(0), points.body[3], points.fields.damage[239]].join(' ');
    })()"""))
    print("colors", browser.evaluate("""(() => {
        document.querySelector('details.curves').open = true;
        return new Promise(done => setTimeout(() => done([...document.querySelectorAll('.curves label')].slice(2)
            .map(label => `${label.textContent} ${label.querySelector('path').getAttribute('stroke')}`).join('; ')), 200));
    })()"""))
END
ok "... with the particles where they were" has places "places true 16 1 255"
ok "runs have the colors that their methods have in pictures" has places "low-merging (merging-and-splitting) #009E73"
ok "... a penalty that is neither weak nor strong, too" has places "low-k1e3 (penalty) #E69F00"
ok "... and runs without a method others" has places "low-k1e4 #0072B2"

# statements of a paper that do not hold, and the first sentence of a reason
PYTHONPATH=$project/scripts "$PYTHON" -B - >together 2>&1 <<'END'
from page.render import sentence
from page.statements import Statement, together
lines = []
for number, reasons in ("L01", ["slow"]), ("L02", ["wide"]), ("L03", ["slow"]), ("L04", ["slow", "wide"]), ("L05", ["wide", "slow"]):
    line = Statement(number, {"where": "Table 1", "statement": number})
    line.claims = [("toy", {"id": f"{number}-{k}", "value": 1.0, "holds": False, "known": reason, "error": None}) for k, reason in enumerate(reasons)]
    lines.append(line)
print("together", [[line.number for line in found] for found in together(lines)], together([]))
print("first", *map(sentence, ("They sink. The rest follows.", "by Fig. 13 and 0.5 mm more.", "why? `alpha` does. `beta` does not")), sep=" | ")
END
ok "lines that fail for one reason are together, those with several reasons alone" has together "together [['L01', 'L03'], ['L02'], ['L04'], ['L05']] []"
ok "... and a sentence ends where the next one begins" has together "first | They sink | by Fig. 13 and 0.5 mm more | why? \`alpha\` does"

# a page with a defect for each check
sed -e 's|href="gallery.html"|href="gallery.html#nowhere"|; s|href="fig99-toy.pdf"|href="fig98.pdf"|; s|id="fig99-toy"|id="main"|; s|src="fig99-toy.png"|src="fig98.png"|' \
    -e 's|alt="A curve[^"]*"|alt=""|; s|<footer>|<footer><p style="width:50rem;color:#bbb;background:#ccc">wide and grey</p>|' \
    -e 's|"use strict";|fetch("https://example.org/").catch(() => missing());|; s|event.preventDefault();|return;|' $page >paper-figures/planted.html
checked paper-figures/planted.html >/dev/null
ok "noticed: a place that there is not" has found 'links: nothing has the id nowhere in gallery.html'
ok "... a file that there is not" has found 'links: there is no fig98.pdf'
ok "... an id that is there twice" has found 'links: the id main is there twice'
ok "... a picture without a file" has found 'pictures: fig98.png is not shown'
ok "... a picture without a text" has found 'pictures: fig98.png has no text'
ok "... a page that scrolls sideways" has found 'narrow: the page scrolls sideways'
ok "... curves that the keyboard does not read" has found 'the arrow key reads'
ok "... an exception" has found 'console: Uncaught'
ok "... the network" has found 'console: asks for https://example.org/'
ok "... keys that do not reach the frames" has found 'the arrow key does not turn'
if [ -n "$axe" ]; then
    ok "... grey on grey" has found 'axe: light: color-contrast'
else
    skip "there is no axe-core" "... grey on grey"
fi

if [ -f paper-figures/fig99-toy.mp4 ]; then
    cp paper-figures/fig99-toy.mp4 whole.mp4 && head -c 500 whole.mp4 >paper-figures/fig99-toy.mp4
    cp $page paper-figures/planted.html
    checked paper-figures/planted.html >/dev/null
    ok "noticed: a film that was cut off" has found 'films: fig99-toy.mp4 does not play'
    mv whole.mp4 paper-figures/fig99-toy.mp4
else
    skip "there is no ffmpeg" "noticed: a film that was cut off"
fi
sed 's/wanted(name) === value/true/' paper-figures/map-toy.html >paper-figures/planted.html
checked paper-figures/planted.html >/dev/null
ok "noticed: a map whose sliders do not choose" has found 'maps: A toy: merged-v1 is not at speed 2'
sed 's/getContext("webgl2"/getContext("nothing"/' $page >paper-figures/planted.html
checked paper-figures/planted.html >/dev/null
ok "noticed: a browser without WebGL" has found 'This browser cannot turn particles (no WebGL 2); this is a picture of them.'
ok "... which shows the plain picture" sh -c '! grep "no picture" found'
sed -i 's/<div class="still">.*/<div class="still"><\/div>/' paper-figures/planted.html
checked paper-figures/planted.html >/dev/null
ok "... and if there is none" has found '... and there is no picture'

cd "$project" || exit 1
mkdir "$work/kept"
cp -r paper-figures/preview "$work/kept"
"$PYTHON" -B scripts/report.py small "$work/nothing/small" "$work/kept" >/dev/null
cd "$work" || exit 1
ok "the pages of this checkout, without results" checked kept
if [ -d "$project/results/small" ] && [ -d "$project/paper-figures" ]; then
    cp -r "$project/paper-figures" all
    (cd "$project" && "$PYTHON" -B scripts/report.py small results/small "$work/all" >/dev/null)
    ok "... and with its results" checked all
else
    skip "there are no results" "... and with its results"
fi
finish
