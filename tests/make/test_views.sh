#!/bin/sh
# Views are rendered frames. Here a stand-in for POV-Ray makes a picture of one pixel from its input.
. "$(dirname "$0")/toy.sh"
mkdir fake
cat >fake/povray <<'END'
#!/bin/sh
echo "rendered $*" >>"$TOY_RENDERED"
case $(cat scene.pov) in
*broken*) echo 'Parse Error: broken scene' >&2; exit 1 ;;
*endless*) sleep 60 ;;
esac
printf 'P6\n# %s\n1 1\n255\n%.3s' $$ "$(sed 's|//.*||' particles.inc scene.pov | cksum)" >view.ppm
END
chmod +x fake/povray
PATH=$work/fake:$PATH
export TOY_RENDERED="$work/rendered.log"
echo '// a comment
sphere { 0, 1 }' >experiments/fig99-toy/side.pov
cat >>experiments/fig99-toy/runs <<'END'
view side damage+pool whole 16x12 1
view side body 0,1,0,0 16x12 0 1 : low-merging
face front 1,0,0,0 0.02 1
END
cp experiments/fig99-toy/draw.py quick.py
real_drawing
cat >>experiments/fig99-toy/draw.py <<'END'
figure, axes = style.plt.subplots()
style.view(axes, sys.argv[1], "low-merging", "side", "body", 0)
style.save(figure, sys.argv[2], "fig99-view")
END

# How many pictures `make $@` renders.
renders() {
    : >rendered.log
    make "$@" >make.log 2>&1 || { cat make.log >&2; echo failed; return; }
    wc -l <rendered.log | tr -d ' '
}
results=results/small/fig99-toy
view=$results/low-merging/view-side-body-0.png

ok "every view of every run, and of one run alone" is "$(renders figures)" 8
ok "... drawn" quiet test -s paper-figures/fig99-view.png
cp experiments/fig99-toy/draw.py real.py
cp quick.py experiments/fig99-toy/draw.py
make -s figures >make.log 2>&1
ok "... as PNG without a date" is "$(grep -c tIME $view; head -c 4 $view | tail -c 3)" "0
PNG"
ok "... and tables of faces" is "$(ls $results/*/face-front-1.csv | wc -l)" 6
ok "the second make renders nothing" is "$(renders figures)" 0
ok "... and says nothing" is "$(cat make.log)" ""
sed -i 's/a comment/another/' experiments/fig99-toy/side.pov
echo '# a comment' >>scripts/steps/view
ok "a comment renders nothing" is "$(renders figures)" 0
find Makefile src scripts experiments configs -type f -exec touch {} +
ok "touching every file renders nothing" is "$(renders figures ablations)" 0
make plan >plan.log 2>&1
ok "make plan: nothing to do" has plan.log "nothing to do"
cp $view first.png
rm $view
ok "a removed view is rendered again" is "$(renders figures)" 1
ok "... to the same bytes" quiet cmp $view first.png
sed -i 's/^view side damage.*/& : low-merging high-k1e3/' experiments/fig99-toy/runs
ok "views of fewer runs: nothing is rendered" is "$(renders figures)" 0
sed -i 's/0, 1 }/0, 2 }/' experiments/fig99-toy/side.pov
make plan >plan.log 2>&1
ok "make plan: a changed scene" is "$(grep -c '^render *fig99-toy/' plan.log)" 4
ok "... and what is drawn of it" has plan.log "draw      fig99-toy"
: >ran.log
ok "a changed scene renders all its views" is "$(renders figures)" 4
ok "... simulates nothing" is "$(cat ran.log)" ""
ok "... and draws" is "$(grep -c drew make.log)" 1
sed -i 's/body 0,1,0,0 16x12/body 0,1,0,0 16x13/' experiments/fig99-toy/runs
ok "a changed statement renders its views" is "$(renders figures)" 2
sed -i 's/-2\]/-3]/' experiments/fig99-toy/runs
ok "a changed run with the same frames renders nothing" is "$(renders figures)" 0
sed -i 's/1,2/1,3/' src/stages/render_prep.c
ok "other spheres are rendered" is "$(renders figures)" 4

cp $view draft.png
: >ran.log
real_page
cp real.py experiments/fig99-toy/draw.py
ok "QUALITY=print renders all views" is "$(renders QUALITY=print figures)" 4
ok "... at twice the size" is "$(grep -c '+W32 +H26 ' rendered.log; grep -c '+W32 +H24 ' rendered.log)" "2
2"
ok "... simulates nothing" is "$(cat ran.log)" ""
ok "... draws in a folder of its own" quiet test -s results/small/print/figures/fig99-view.pdf
ok "... with a page that says how" has results/small/print/figures/fig99-toy.html 'make fig99-toy QUALITY=print'
ok "... once" is "$(renders QUALITY=print figures)" 0
toy_page
cp quick.py experiments/fig99-toy/draw.py
ok "... and leaves the drafts, but for what another draw.py draws" is "$(renders figures; cmp $view draft.png && cat make.log)" "0
  drew      fig99-toy"
make QUALITY=best figures >make.log 2>&1
ok "another quality is refused" has make.log "there is no QUALITY=best; write QUALITY=draft or QUALITY=print"
make QUALITY=print plan >make.log 2>&1
ok "what does not draw has none" has make.log "QUALITY=print is for what draws experiments, such as figures or fig05"

sed -i 's/0, 2 }/0, 2 } endless/' experiments/fig99-toy/side.pov
: >rendered.log
setsid make -j1 figures >/dev/null 2>&1 &
group=$!
await test -s rendered.log
kill -KILL "-$group"
wait "$group" 2>/dev/null
sed -i 's/ endless//; s/0, 2 }/0, 3 }/' experiments/fig99-toy/side.pov
ok "a killed make leaves no finished view" is "$(renders figures)" 4
sed -i 's/0, 3 }/broken/' experiments/fig99-toy/side.pov
make figures >make.log 2>&1
ok "a scene that POV-Ray refuses stops make" is "$?" 2
ok "... with its message" has make.log "Parse Error: broken scene"
sed -i 's/broken/0, 3 }/' experiments/fig99-toy/side.pov
ok "once corrected, the old views are still good" is "$(renders figures; grep -c drew make.log)" "0
0"

# Without POV-Ray: claims and what shows no view.
mkdir bin
ln -s /usr/bin/* bin/ 2>/dev/null
rm -f bin/povray build/setup.mk $view results/small/*/claims.json
PATH=$work/bin make figures ablations >make.log 2>&1
ok "without POV-Ray make fails" is "$?" 2
ok "... and says once what is missing" is "$(grep -c 'povray is missing: nothing is rendered' make.log)" 1
ok "... and which views" has make.log "small/fig99-toy/low-merging/view-side-body-0.png: is not rendered: povray is missing"
# there FILE: make has made it; otherwise what make said
there() { [ -s "$1" ] || { echo "# no $1:"; sed 's/^/#   /' make.log; return 1; }; }
ok "... the claims are made" there results/small/fig99-toy/claims.json
ok "... other experiments, too" quiet test -s results/small/ablation-other/claims.json -a -s paper-figures/ablation-other.png
ok "... and what is unfinished is named" has make.log 'fig99-toy: not finished'
ok "with POV-Ray the rest is made" is "$(renders figures)" 1

wrong_runs 'view top body whole 16x12 1' ":12: there is no experiments/fig99-toy/top.pov"
wrong_runs 'view side speed whole 16x12 1' ":12: 'speed' is not a coloring; there are body, fragment, damage"
wrong_runs 'view side body+ whole 16x12 1' ":12: 'body+' names no fluids; write body+WATER,..."
wrong_runs 'view side body whole 16 1' ":12: '16' is not a picture size"
wrong_runs 'view side body whole 16x12 one' ":12: 'one' is not a frame number"
wrong_runs 'view side body whole 16x12 : low-merging' ":12: a view of no frame"
wrong_runs 'view side body whole 16x12 1 : nobody' ": view of 'nobody', which is not a run"
wrong_runs 'face a/b 1,0,0,0 0.1 1' ":12: 'a/b' is not a name for a face"
wrong_runs 'section 1,0,0,0 0.1 1 : no*' ": section of 'no*', which is not a run"
wrong_runs 'section 1,0,0,0 0.1 x' ":12: 'x' is not a frame number"
echo 'section 1,0,0,0 0.1 2 : low-m*' >>experiments/fig99-toy/runs
"$PYTHON" -B scripts/rules.py experiments/fig99-toy small build/rules/small/facts.mk
ok "a section of one run alone" is "$(grep '^sections += .*section-2' build/rules/small/facts.mk)" 'sections += fig99-toy/low-merging/section-2.csv'
finish
