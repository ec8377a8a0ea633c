#!/bin/sh
# The site of documents and headers (make site): whole, with formulas, and without a link that leads nowhere.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS
command -v doxygen >/dev/null && [ -d /usr/share/javascript/mathjax ] || lacking_all 'there is no doxygen or MathJax'
mkdir paper-figures
cp -r "$project/scripts" "$project/src" "$project/docs" "$project/experiments" "$project"/*.md .
cp -r "$project/paper-figures/preview" paper-figures
sed -i '1s|^/[*]|/* Is @unknown{x} \\\\or <this>. It is |' src/base/vec3.h
run "$PYTHON" -B scripts/site.py .
ok 'the site is made' status 0
ok '... in which words of Doxygen are text' grep -q 'Is @unknown{x} \\\\or &lt;this&gt;\.' site/vec3_8h.html

# links: of every page to files of the site and to places in them, each that there is not
links() {
    "$PYTHON" -B - <<'END'
import glob, os, re, urllib.parse
pages = {os.path.basename(path): open(path, encoding="utf-8").read() for path in glob.glob("site/*.html")}
places = {name: set(re.findall(r'(?:id|name)="([^"]*)"', text)) for name, text in pages.items()}
for name, text in sorted(pages.items()):
    for link in re.findall(r'(?:href|src)="([^"]*)"', text):
        there, _, place = urllib.parse.unquote(link.replace("&amp;", "&")).partition("#")
        if re.match("(https?:|mailto:|javascript:|data:)", there):
            continue
        there = there or name
        if not os.path.exists(f"site/{there}") or place and there in places and place not in places[there]:
            print(f"{name}: {link}")
END
}
links >missing
sed 's/^/# /' missing
ok '... every link of it leads somewhere' same missing /dev/null
ok "... and nothing is fetched from elsewhere" [ -z "$(cat site/*.html | grep -o '\(src="\|<link[^>]*href="\)http[^"]*' | sort -u)" ]
ls "$project"/experiments/*/README.md | wc -l >there
ls site/experiments-*.html | wc -l >shown
ok '... with a page for each experiment' same shown there
find src -name '*.h' ! -name '*_parts.h' | while read -r header; do
    page=site/$(basename "$header" .h | sed 's/_/__/g')_8h.html
    [ -f "$page" ] || page=$(ls site/*"$(basename "$header" .h | sed 's/_/__/g')_8h.html" 2>/dev/null | head -n 1)
    sed '/<h2 class="groupheader">Detailed Description/,$d' "$page" | grep -q '<p>[^ ]' || echo "$header"
done >silent
sed 's/^/# /' silent
ok '... and for each header, which says what it is for' same silent /dev/null
ok '... with the unit of a member' grep -q 'dissipated by damping, J' site/structwork__report.html
ok '... and what a function does on errors' grep -q 'STATUS_INVALID with' site/mesh__file_8h.html
# as many as the document has, inline and set off
grep -o '\$[^$`]*\$\|```math' docs/measures.md | wc -l >there
grep -o '\\(\|\\\[' site/docs-measures.html | wc -l >shown
ok 'the formulas of docs/measures.md are formulas' same shown there
ok '... of which there are many' [ "$(cat there)" -gt 100 ]
if command -v chromium >/dev/null; then
    PYTHONPATH=$project/tests/make "$PYTHON" -B - >drawn 2>&1 <<'END'
import time
from browser import Browser
with Browser() as browser:
    browser.open("site/docs-measures.html")
    for _ in range(600):
        if browser.evaluate("window.MathJax && MathJax.isReady && MathJax.Hub.queue.pending === 0 && MathJax.Hub.queue.running === 0 && MathJax.Hub.getAllJax().length > 0"):
            break
        time.sleep(0.05)
    print(browser.evaluate("[document.querySelectorAll('.MathJax_SVG').length, MathJax.Hub.getAllJax().filter(formula => formula.texError).length].join(' ')"))
END
    ok '... and drawn' [ "$(cat drawn)" = "$(cat there) 0" ]
else
    skip 'there is no chromium' '... and drawn'
fi


# what must be noticed
rm site/docs-make.html
links >missing
ok 'a page that there is not is noticed' grep -q docs-make.html missing
sed -i 's|(docs/make.md)|(docs/absent.md)|' README.md
run "$PYTHON" -B scripts/site.py .
ok 'a link of a document that leads nowhere' status 2
ok '... is named' err_has 'README.md: a link leads to docs/absent.md, which there is not'
mkdir bin
ln -s "$PYTHON" bin/
run env PATH="$PWD/bin" "$PYTHON" -B scripts/site.py .
ok 'without Doxygen' status 2
ok '... the packages are named' err_has 'apt-get install doxygen libjs-mathjax'
finish
