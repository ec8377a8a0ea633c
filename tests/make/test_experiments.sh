#!/bin/sh
# An experiment is a folder. A fault in its tables is reported in one line.
. "$(dirname "$0")/toy.sh"
made
rm -r results/small/ablation-other

mkdir experiments/ablation-new
cp experiments/ablation-other/* experiments/ablation-new/
sed -i 's/ablation-other/ablation-new/' experiments/ablation-new/draw.py
real_page
ok "a new folder is a new target" is "$(simulations ablation-new)" 1
ok "... of make ablations too" is "$(simulations ablations)" 1
ok "... with a picture" quiet test -s paper-figures/ablation-new.pdf
ok "... on the page" has paper-figures/ablation-new.html 'id="ablation-new"'
mv paper-figures/ablation-new.html kept.html
rm paper-figures/*.html
"$PYTHON" -B scripts/report.py small results/small paper-figures results/small ablation-new >/dev/null
ok "... alone, it is the same" quiet cmp paper-figures/ablation-new.html kept.html
ok "... and no other page is written" is "$(cd paper-figures && ls ./*.html)" ./ablation-new.html
toy_page
make help >make.log
ok "... in make help" quiet grep -q "make ablation-new  *A toy" make.log
rm -r experiments/ablation-new
ok "without the folder there is no target" quiet sh -c '! make ablation-new'
ok "... and the others are unaffected" is "$(simulations figures ablations)" 0
echo 'a: 3' >experiments/ablation-other/variant.yaml
echo 'run second variant.yaml merging' >>experiments/ablation-other/runs
ok "a run may have a scene of its own" is "$(simulations ablations)" 1
ok "... instead of the common one" is "$(cat results/small/ablation-other/second/config.yaml)" "a: 3
m: merging"
echo 'a: 9' >experiments/ablation-other/scene.paper.yaml
make -s SCALE=paper ablations >/dev/null
ok "SCALE=paper: its overlay, in a folder of its own" is "$(cat results/paper/ablation-other/only/config.yaml)" "a: 1
a: 9
m: merging"
ok "... and the small results stay" is "$(simulations ablations)" 0
rm experiments/ablation-other/scene.paper.yaml
make -s SCALE=paper ablations >/dev/null
ok "... which may be removed again" is "$(cat results/paper/ablation-other/only/config.yaml)" "a: 1
m: merging"

wrong_runs 'run {height}-{speed}' ":9: there is no axis 'speed'; the axes are height, k"
wrong_runs 'axis speed 1 2 3' ":9: values without ':'"
wrong_runs 'jump over' ":9: 'jump over' is not a statement"
wrong_runs 'run a/b' ":9: 'a/b' is not a name for a run"
wrong_runs 'run low-merging' ": two runs are named 'low-merging'"
wrong_runs 'compare x low-merging nobody cloth' ": compare of 'nobody', which is not a run"
wrong_runs 'compare {speed}-x low-merging low-k1e3 cloth' ":9: there is no axis 'speed'"
wrong_runs 'compare {height}-x {height}-merging {height}-k1e5 cloth' ": compare of 'low-k1e5', which is not a run"
wrong_runs 'points low-merging nobody' ": points of 'nobody', which is not a run"
wrong_runs 'film none low-merging nobody' ": film of 'nobody', which is not a run"
wrong_runs 'film +gas low-merging' ":9: '+gas' names no bodies to be hidden"
wrong_runs 'rows 0' ":9: 'rows 0' is not how many steps have a row"
wrong_runs 'rows every' ":9: 'rows every' is not how many steps have a row"
wrong_runs 'run lost nowhere' ": run lost needs configs/methods/nowhere.yaml, which does not exist"
echo 'compare {height}-{k} {height}-merging {height}-k{k} cloth' >>experiments/fig99-toy/runs
make -s figures >/dev/null 2>&1
ok "a comparison for each combination of axes" is "$(cd results/small/fig99-toy && echo low-1e*.csv high-1e*.csv)" "low-1e3.csv low-1e4.csv high-1e3.csv high-1e4.csv"
sed -i '$d' experiments/fig99-toy/runs
ok "once corrected, nothing is run again" is "$(simulations figures)" 0

metrics=results/small/ablation-other/only/metrics.csv
cp $metrics every-step.csv
echo 'rows 2' >>experiments/ablation-other/runs
ok "rows of some steps only: no run is run again" is "$(simulations ablations)" 0
ok "... and its table has them" is "$(cat $metrics)" "$(sed 2d every-step.csv)"
sed -i '$d' experiments/ablation-other/runs
ok "... and of all steps again" is "$(simulations ablations)" 0
ok "... as before" quiet cmp $metrics every-step.csv
printf 'rows 2\nsteps 20\n' >>experiments/ablation-other/runs
make ablations >make.log 2>&1
ok "steps are timed where each has a row" has make.log "'steps' needs metrics.csv with a row for every step"
sed -i '/^rows\|^steps/d' experiments/ablation-other/runs

# a stand-in for the program that packs particles
printf 'import sys\nopen(sys.argv[2], "w").write("{}\\n")\n' >scripts/points.py
echo 'points low-merging' >>experiments/fig99-toy/runs
make -s figures >/dev/null 2>&1
points=results/small/fig99-toy/low-merging/points.json
ok "points of the runs that are named" is "$(echo results/small/fig99-toy/*/points.json)" $points
rm $points
make -s figures >/dev/null 2>&1
ok "... again if they are gone" quiet test -s $points
echo 'raise SystemExit("points: not again")' >scripts/points.py
make figures >make.log 2>&1
ok "another program that packs them: again" has make.log "points: not again"
ok "... which stops this experiment" has make.log "fig99-toy: not finished"
finish
