#!/bin/sh
# The report page in headless Chromium: of a toy with results, and of this checkout, whose values are those that the repository
# keeps, and those of results/small where there are some. Each check is shown to notice what it is for.
. "$(dirname "$0")/../make/toy.sh"
for browser in chromium chromium-browser google-chrome none; do
    command -v $browser >/dev/null && break
done
[ $browser != none ] || skip_all "there is no chromium"
axe=${AXE:-/usr/share/nodejs/axe-core/axe.min.js}
[ -f "$axe" ] || { axe=; echo "# no axe-core: AXE=.../axe.min.js (npm install axe-core) adds its checks"; }

# checked PAGE: what is wrong with it, in found
checked() {
    # shellcheck disable=SC2086 # $axe may be nothing
    /usr/bin/python3 -B "$project/tests/make/page_check.py" "$1" $axe >found 2>&1
    status=$?
    sed -n 's/^looked/# looked/p' found
    [ $status = 0 ] && ! grep -v '^looked' found
}

cat >experiments/fig99-toy/captions.md <<'END'
## fig99-toy

How many got through, in 6<!--= m.count() --> runs.

Alt: A curve that stays at zero.
END
make -s figures ablations >/dev/null 2>&1
page=paper-figures/index.html
ok "the page of a toy" checked $page
ok "... has the caption, without its expression" has $page "<p>How many got through, in 6 runs.</p>"
ok "... and the text for those who do not see the picture" has $page 'alt="A curve that stays at zero."'
ok "... and curves" has found "1 drawings of curves"

# a page with a defect for each check
sed -e 's|href="#matrix"|href="#nowhere"|; s|href="fig99-toy.pdf"|href="fig98.pdf"|; s|id="matrix"|id="lead"|; s|src="fig99-toy.png"|src="fig98.png"|' \
    -e 's|alt="A curve[^"]*"|alt=""|; s|<footer>|<footer><p style="width:50rem;color:#bbb;background:#ccc">wide and grey</p>|' \
    -e 's|"use strict";|fetch("https://example.org/").catch(() => missing());|; s|event.preventDefault();|return;|' $page >paper-figures/planted.html
checked paper-figures/planted.html >/dev/null
ok "noticed: a place that there is not" has found 'links: nothing has the id nowhere'
ok "... a file that there is not" has found 'links: there is no fig98.pdf'
ok "... an id that is there twice" has found 'links: the id lead is there twice'
ok "... a picture without a file" has found 'pictures: fig98.png is not shown'
ok "... a picture without a text" has found 'pictures: fig98.png has no text'
ok "... a page that scrolls sideways" has found 'narrow: the page scrolls sideways'
ok "... curves that the keyboard does not read" has found 'the arrow key reads'
ok "... an exception" has found 'console: Uncaught'
ok "... the network" has found 'console: asks for https://example.org/'
if [ -n "$axe" ]; then
    ok "... grey on grey" has found 'axe: light: color-contrast'
else
    skip "there is no axe-core" "... grey on grey"
fi

cd "$project" || exit 1
mkdir "$work/kept"
cp -r paper-figures/preview "$work/kept"
/usr/bin/python3 -B scripts/report.py small "$work/nothing/small" "$work/kept" >/dev/null
cd "$work" || exit 1
ok "the page of this checkout, without results" checked kept/index.html
if [ -d "$project/results/small" ] && [ -d "$project/paper-figures" ]; then
    cp -r "$project/paper-figures" all
    (cd "$project" && /usr/bin/python3 -B scripts/report.py small results/small "$work/all" >/dev/null)
    ok "... and with its results" checked all/index.html
else
    skip "there are no results" "... and with its results"
fi
finish
