#!/bin/sh
# One experiment at a time, one broken experiment among others, plans before anything is built.
. "$(dirname "$0")/toy.sh"
rm -r build

make plan >plan.log 2>&1
ok "make plan before anything is built: status 0" is "$?" 0
ok "... all runs" is "$(grep -c '^simulate .*never run' plan.log)" 7
ok "... nothing built" quiet test ! -e build/ms-sample -a ! -e build/ms-simulate
ok "... nothing run" quiet test ! -e results
ok "make plan E=ablation-other" is "$(make plan E=ablation-other | grep -c '^simulate')" 1
make plan E=fig98 >plan.log 2>&1
ok "an unknown experiment: status 2" is "$?" 2
ok "... with the names of all" has plan.log "no experiment is named 'fig98'; there are fig99-toy"

make fig99 >make.log 2>&1
ok "make fig99: status 0" is "$?" 0
ok "... its claims" has make.log "ok      T-1: of T-1 [0 == 0]"
ok "... counted" has make.log "1 claim of our own: 1 hold"
ok "... progress" has make.log "(6 of 6)"
ok "... and the time for the rest" quiet grep -q "([1-5] of 6, some [0-9]* s left)" make.log
ok "... nothing of others" quiet test ! -e results/small/ablation-other
ok "make plan knows what is left" is "$(make plan | grep -c '^simulate')" 1
touch src/stages/simulate.c
make plan >plan.log 2>&1
ok "make plan: a program with newer sources counts as changed" is "$(grep -c 'ms-simulate must be rebuilt' plan.log)" 6
ok "... and is not built" quiet test src/stages/simulate.c -nt build/ms-simulate
ok "... in any language of make's messages" is "$(LC_ALL=de_DE.UTF-8 make plan | grep -c '^simulate')" 7
make build/ms-simulate >/dev/null
ok "... once it is built it turns out to be the same" is "$(make plan | grep -c '^simulate')" 1
rm paper-figures/fig99-toy.png paper-figures/index.html
make -j1 figures ablations >make.log 2>&1
sed -n 's/^  \(drew\|wrote\|simulated\) .*/\1/p' make.log | uniq | head -n 3 >order
ok "what needs no run is drawn, and the page written, before the first run" is "$(paste -s -d " " order)" "drew wrote simulated"
rm -r results/small/ablation-other paper-figures
mkdir paper-figures
claims fig99-toy T-1 '== 1' 'max(m.column("*-merging", "penetrated"))' ''
make fig99 >make.log 2>&1
ok "a claim that does not hold fails make fig99" is "$?" 2
ok "... and is printed with its reason" has make.log "FAILS   T-1: of T-1 [0 == 1]"
make figures >make.log 2>&1
ok "... but not make figures" is "$?" 0
make verify E=ablation-other >make.log 2>&1
ok "make verify E=ablation-other does not look at it" is "$?" 0
ok "... nor lists it" is "$(grep -c T-1 make.log)" 0
make verify E='ablation-other fig99' >make.log 2>&1
ok "make verify E='ablation-other fig99' does" is "$?" 2
claims fig99-toy T-1 '== 0' 'max(m.column("*-merging", "penetrated"))' ''

cp -r experiments/ablation-other experiments/fig99-again
claims fig99-again T-3 '== 0' 'max(m.column("only", "penetrated"))' ''
make fig99 >make.log 2>&1
ok "two scenes of one figure: make fig99 makes the one" has make.log "ok      T-1: of T-1 [0 == 0]"
ok "... and the other" has make.log "ok      T-3: of T-3 [0 == 0]"
make verify E=fig99 >make.log 2>&1
ok "... and E=fig99 means both" is "$(grep -c '^ok .*T-[13]' make.log)" 2
claims fig99-again T-3 '== 1' 'max(m.column("only", "penetrated"))' ''
make fig99 >make.log 2>&1
ok "... and a claim of either fails make fig99" is "$?" 2
rm -r experiments/fig99-again results/small/fig99-again

# broken WHAT MESSAGE: the other experiment is made and verified all the same
broken() {
    rm -rf results/small/ablation-other
    make verify >make.log 2>&1
    ok "$1: status 2" is "$?" 2
    ok "... why" has make.log "$2"
    ok "... the claims of the others" has make.log "(our own, ablation-other): of T-2 [0 == 0]"
    ok "... and that it has none" has make.log "- fig99-toy: its claims could not be measured"
    make ablations >make.log 2>&1
    ok "... goals without it are not affected" is "$?" 0
    make plan >make.log 2>&1
    ok "... nor is make plan" is "$?" 0
    rm -r experiments/fig99-toy
    cp -r good experiments/fig99-toy
}
real_page
cp -r experiments/fig99-toy good
echo 'jump over' >>experiments/fig99-toy/runs
broken "a wrong table of runs" "experiments/fig99-toy/runs:9: 'jump over' is not a statement"
echo 'run lost nowhere' >>experiments/fig99-toy/runs
broken "a layer that is missing" "run lost needs configs/methods/nowhere.yaml"
echo 'def f(m) return' >>experiments/fig99-toy/claims.py
rm results/small/fig99-toy/claims.json
broken "a wrong file of claims" "experiments/fig99-toy/claims.py:"
echo 'import nothing_of_this_name' >>experiments/fig99-toy/draw.py
rm -f paper-figures/*.png
make verify >make.log 2>&1
ok "a script that draws nothing: of no matter to claims" is "$?" 0
make figures ablations >make.log 2>&1
ok "... but to pictures: status 2" is "$?" 2
ok "... why" has make.log "No module named 'nothing_of_this_name'"
ok "... and the others are drawn" test -s paper-figures/ablation-other.png -a ! -e paper-figures/fig99-toy.png
cp good/draw.py experiments/fig99-toy
rm experiments/fig99-toy/scene.yaml
broken "a scene that is missing" "needs experiments/fig99-toy/scene.yaml, which does not exist"
echo 'a: broken' >experiments/fig99-toy/scene.yaml
broken "a simulation that fails" "fig99-toy: its claims could not be measured"
ok "once all is corrected, make verify succeeds" quiet make verify
# The runs of fig99 wait until the other experiment is drawn, all that can run at once.
rm -rf results/small/*/
cat >patient <<'END'
#!/bin/sh
case $2 in *fig99*) for _ in $(seq 6000); do [ -e drawn ] || sleep 0.1; done ;; esac
[ -e drawn ] || echo "$2 began before any picture" >>early.log
exec "$@"
END
chmod +x patient
echo 'open("drawn", "w").close()' >>experiments/ablation-other/draw.py
quiet make -j2 RUN=./patient ablations figures
ok "an experiment is drawn while runs of others are still to come" is "$(grep -c fig99 early.log)" 0
ok "... and is on its page" has paper-figures/ablation-other.html ablation-other.png
finish
