#!/bin/sh
# Of every claim about runs it is known how much of its value is chance, by samples or by nudges (scripts/chance.py).
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"

{ "$BUILD/ms-analyze" --fields; "$BUILD/ms-sample" --help-config; } >fields
cp -r "$project/scripts" "$project/docs" "$project/experiments" "$project/configs" "$project/results" .
mkdir -p tests src/analysis src/store
cp -r "$project/tests/unit" "$project/tests/bench" tests
cp "$project/src/analysis/section.c" src/analysis
cp "$project/src/store/record_file.c" src/store

# unscattered EXPERIMENT...
unscattered() { run "$PYTHON" -B scripts/unscattered.py fields small "$@"; }
# shellcheck disable=SC2046 # names without blanks
unscattered $(ls experiments/*/runs | cut -d/ -f2)
ok "no claim is without a scatter; put right by: make chance E=NAME, four times the cost of the experiment" status 0
ok "..." same .run/out /dev/null

sed -i /^samples/d experiments/fig06-wall-impact/runs
unscattered fig06-wall-impact
ok "without the samples of an experiment there are more" out_has "fig06-wall-impact ROUNDING-debris"
sed -i /^sph-column/d results/reference/small-chance.csv
unscattered sph-column
ok "... and without its nudges" out_has "sph-column SPH-hydrostatic"
finish
