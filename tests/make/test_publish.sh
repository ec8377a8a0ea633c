#!/bin/sh
# Previews: small copies of the pictures that READMEs show. Git keeps these and ignores what make draws.
. "$(dirname "$0")/toy.sh"
real_drawing
real_page
cp "$project/.gitignore" .
git init -q . && printf '*.log\n.run\n' >.git/info/exclude && git add -A && git -c user.name=toy -c user.email=toy commit -qm toy
show='![A toy](../../paper-figures/preview/fig99-toy.png)'
clean() { [ -z "$(git status --porcelain)" ] || { git status --porcelain | sed 's/^/# /'; return 1; }; }

made
make -s figures ablations >/dev/null 2>&1
ok "what make draws leaves the checkout clean" clean
ok "no README shows a picture: there is none to publish" quiet make publish
ok "... and the list is empty" is "$(grep -c '!\[' paper-figures/preview/README.md)" 0
sed -i "1a\\
\\
$show" experiments/fig99-toy/README.md
make publish >make.log 2>&1
ok "a picture that a README shows is published" has make.log "published paper-figures/preview/fig99-toy.png"
ok "... and the list names it" has paper-figures/preview/README.md '![fig99-toy](fig99-toy.png)'
ok "... as a smaller picture" quiet sh -c 'test "$(wc -c <paper-figures/preview/fig99-toy.png)" -lt "$(wc -c <paper-figures/fig99-toy.png)"'
git add -A && git -c user.name=toy -c user.email=toy commit -qm published
ok "the repository keeps it" is "$(git ls-files paper-figures | tr '\n' ' ')" "paper-figures/preview/README.md paper-figures/preview/fig99-toy.png "
make publish >make.log 2>&1
ok "published again: nothing to say" is "$(grep -v '^make' make.log)" ""
ok "... the checkout is clean" clean
rm paper-figures/fig99-toy.*
make -s figures >/dev/null 2>&1
make -s publish
ok "drawn and published anew: the same bytes" clean
ok "the page shows the picture itself" has paper-figures/fig99-toy.html 'img src="fig99-toy.png"'
ok "... and the gallery" has paper-figures/gallery.html 'img src="fig99-toy.png"'

rm paper-figures/fig99-toy.*
make publish >make.log 2>&1
ok "a picture that was not drawn here: its preview stays" has make.log "kept      the previews of pictures that were not drawn here: fig99-toy"
ok "... untouched" clean
rm results/small/fig99-toy/drawn.txt
"$PYTHON" -B scripts/report.py small results/small paper-figures >/dev/null
ok "... and the page shows it instead" has paper-figures/fig99-toy.html 'img src="preview/fig99-toy.png"'
rm paper-figures/preview/fig99-toy.png
make publish >make.log 2>&1
ok "neither picture nor preview: status 2" is "$?" 2
ok "... and which one" has make.log "not drawn here, and no preview is kept: paper-figures/fig99-toy.png"
make -s figures publish >/dev/null 2>&1
sed -i '/preview/d' experiments/fig99-toy/README.md
make publish >make.log 2>&1
ok "a preview that no README shows is removed" quiet test ! -e paper-figures/preview/fig99-toy.png
ok "... and that is said" has make.log "removed   paper-figures/preview/fig99-toy.png"

sed -i "1a\\
\\
$show ![The same at the paper's size](../../paper-figures/preview/fig99-toy.paper.png)" experiments/fig99-toy/README.md
make publish >make.log 2>&1
ok "a picture at the paper's size that was not drawn: which one" has make.log "no preview is kept: results/paper/figures/fig99-toy.png"
mkdir -p results/paper/figures
cp paper-figures/fig99-toy.png results/paper/figures/
make publish >make.log 2>&1
ok "... drawn, it is published beside that at small scale" has make.log "published paper-figures/preview/fig99-toy.paper.png"
rm results/small/fig99-toy/drawn.txt
make -s figures >/dev/null 2>&1
ok "... and the page shows both" has paper-figures/fig99-toy.html 'img src="preview/fig99-toy.paper.png"'
ok "... of which one was drawn here" has paper-figures/fig99-toy.html 'img src="fig99-toy.png"'

cd "$project" || exit 1
size=$(cat paper-figures/preview/* | wc -c)
ok "all previews of this repository: $size bytes, below 8 MB" test "$size" -lt 8000000
finish
