#!/bin/sh
# Claims and texts of all experiments name runs, columns and keys that there are, without any results.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
{ "$BUILD/ms-analyze" --fields; "$BUILD/ms-sample" --help-config; } >fields
cp -r "$project/scripts" "$project/docs" "$project/experiments" "$project/configs" "$project/README.md" .
mkdir -p tests src/analysis src/store
cp -r "$project/tests/unit" "$project/tests/bench" tests
cp "$project/src/analysis/section.c" src/analysis
cp "$project/src/store/record_file.c" src/store

# shellcheck disable=SC2046
run "$PYTHON" -B scripts/dry.py fields $(ls experiments/*/runs | cut -d/ -f2)
ok "claims and texts name what there is" status 0
run "$PYTHON" -B scripts/list_experiments.py
ok "docs/experiments.md is that of the folders; put right by: scripts/list_experiments.py >docs/experiments.md" cmp .run/out docs/experiments.md
sed -i '3s/.*/![A picture](picture.png)/' experiments/sph-column/README.md
run "$PYTHON" -B scripts/list_experiments.py
ok "an experiment without a summary: told" err_has "experiments/sph-column/README.md:3: no summary"
cp "$project/experiments/sph-column/README.md" experiments/sph-column/
grep -HnE '<!--=([^>-]*[^a-z0-9_>-]|[^a-z])' experiments/*/*.md >expressions
ok "numbers in the texts of experiments have names, and their expressions are in the files numbers" same expressions /dev/null
for file in experiments/*/numbers; do
    sed -nE 's/^([a-z]\w*) = .*/\1/p' "$file" | while read -r number; do
        grep -qF "<!--=$number-->" "${file%/*}"/*.md || echo "$file: $number"
    done
done >unused
ok "each of these is in a text" same unused /dev/null
ok "README.md has at most 800 words" [ "$(wc -w <README.md)" -le 800 ]

cp -r "$project/configs/sweeps" .
for sweep in sweeps/*.yaml; do
    run "$PYTHON" -B scripts/sweep.py check "$sweep" small "$BUILD"
    ok "$sweep: its keys, values and metrics are those of the programs" status 0
done
sed 's/summary energy_kept/summary energy_cept/' sweeps/bounce.yaml >wrong.yaml
run "$PYTHON" -B scripts/sweep.py check wrong.yaml small "$BUILD"
ok "a metric that there is not: told" err_has "wrong.yaml:18:9: 'summary energy_cept': summary.json has no 'energy_cept'; ms-analyze --fields"
sed 's/bodies.ball.velocity: \[0, 0, -4\]/bodies.bal.velocity: [0, 0, -4]/' sweeps/bounce.yaml >wrong.yaml
run "$PYTHON" -B scripts/sweep.py check wrong.yaml small "$BUILD"
ok "a key that there is not: told" err_has "wrong.yaml:15:10: run contact-merging_speed-4_seed-1: "

# Three experiments and a short text are enough for faults.
some='fig07-mass-ratio sph-column unit-properties'
mv experiments all
mkdir experiments
for name in $some claims.py; do mv "all/$name" experiments; done
rm docs/*.md
echo 'Of 4<!--= fig07: m.count() --> runs' >README.md
cp README.md README.good
# shellcheck disable=SC2086
dry() { run "$PYTHON" -B scripts/dry.py fields $some; }
dry
ok "three experiments without a fault" status 0
# wrong WHAT MESSAGE: after a change, that is told
wrong() {
    dry
    ok "$1: told" status 1
    ok "... and where" err_has "$2"
    cp "$project"/experiments/fig07-mass-ratio/* experiments/fig07-mass-ratio/
    cp "$project"/experiments/unit-properties/* experiments/unit-properties/
    cp README.good README.md
}
claims=experiments/fig07-mass-ratio/claims.py
sed -i 's/"energy_gain"/"energygain"/' $claims
wrong "a key that is not in summary.json" "summary.json has no 'energygain'"
sed -i 's/m.summary("\*", "energy_gain")/m.column("*", "penetraited")/' $claims
wrong "a column that is not in metrics.csv" "metrics.csv has no column 'penetraited'"
sed -i 's/m.summary("\*", "energy_gain")/m.section("*", 9, "w")/' $claims
wrong "a column that no cross-section has" "section has no column 'w'"
sed -i 's/m.summary("\*", "energy_gain")/m.setting("*", "bodies.ball.densiti")/' $claims
wrong "a key that no configuration has" "no configuration has 'bodies.ball.densiti'"
sed -i 's/m.summary("\*", "energy_gain")/m.setting("*", "bodies.ball.shape.ball.radius") + m.sweep("ratio-{rat}")/' $claims
wrong "a sweep that there is not" "fig07-mass-ratio/runs has no 'run ratio-{rat}'; there are ratio-{ratio}"
sed -i 's/m.summary("\*", "energy_gain")/m.sweep("ratio-{ratio}", ratio="7")/' $claims
wrong "a value that an axis does not have" "axis ratio has no '7'; there are 1, 5, 20, 100"
sed -i 's/m.summary("\*"/m.summary("speed-*"/' $claims
wrong "a run that there is not" "no run is named 'speed-*'; the runs are ratio-1"
sed -i 's/m.summary/m.summery/' $claims
wrong "a function that there is not" "has no attribute 'summery'"
sed -i 's/M26-stable/M26-penetrated/' $claims
wrong "an id twice" "claim M26-penetrated already exists"
sed -i 's/"M01.least-stored"/"M01.least"/' experiments/unit-properties/claims.py
wrong "a value that no test measures" "no test measures 'M01.least'"
echo 'Of 4<!--= fig07: m.summary("*", "nothing") --> runs' >>README.md
wrong "a key in a text" "README.md:$(wc -l <README.md): m.summary(\"*\", \"nothing\"): Fault: summary.json has no 'nothing'"
echo 'Of 4<!--= m.count() --> runs' >>README.md
wrong "a number of no experiment" "'m.count()' names no experiment"
echo 'Of 4<!--=nothing--> runs' >>experiments/fig07-mass-ratio/README.md
wrong "a name that numbers does not have" "README.md:$(wc -l <experiments/fig07-mass-ratio/README.md): the file \`numbers\` of this folder has no 'nothing'"
echo 'nothing: m.count()' >>experiments/fig07-mass-ratio/numbers
wrong "a definition that is none" "numbers:$(wc -l <experiments/fig07-mass-ratio/numbers): 'nothing: m.count()' defines no number"
echo 'Of many<!--= fig07: m.count() --> runs' >>README.md
wrong "an expression behind no number" ": there is no number before <!--= fig07: m.count() -->"
finish
