#!/bin/sh
# verify.py moved, which make verify-short fails by: a claim has another value than the one that is kept.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
mkdir -p finished results/small/toy results/reference experiments/toy
touch finished/toy

# measured VALUE [THRESHOLD]: what make verify found
measured() {
    printf '[{"id": "T-one", "kind": "finding", "states": "one", "threshold": "%s", "value": %s, "holds": true, "known": null, "error": null, "where": "here"}]\n' \
        "${2:-> 0}" "$1" >results/small/toy/claims.json
}
# kept VALUE [THRESHOLD]
kept() { printf 'experiment,id,kind,statement,threshold,value\ntoy,T-one,finding,one,%s,%s\n' "${2:-> 0}" "$1" >results/reference/small.csv; }
moved() { run "$PYTHON" -B "$project/scripts/verify.py" moved finished results/small toy; }

kept 1.5
measured 1.5
moved
ok 'a value that is the one kept' status 0
ok '  is counted' out_has '1 of 1 values are those of results/reference/'
measured 1.5000001
moved
ok 'roundings are not told' status 0
measured 1.6
moved
ok 'another value is a failure' status 1
ok '  with both' out_has 'moved: T-one (toy): 1.6, not 1.5'
printf 'experiment,id,threshold,samples,mean,deviation\ntoy,T-one,> 0,5,1.5,0.05\n' >results/reference/small-chance.csv
moved
ok '  unless chance explains it' status 0
measured 2.5
moved
ok '  and it does not explain everything' status 1
rm results/reference/small-chance.csv

kept 1e-13 '< 1e-09'
measured 3e-12 '< 1e-09'
moved
ok 'remainders of roundings may be any below their threshold' status 0
measured 3e-9 '< 1e-09'
moved
ok '  and not above it' status 1
kept 1.5 '> 1'
measured 1.5
moved
ok 'a claim of which nothing is kept is a failure' status 1
ok '  that says how to keep it' out_has 'no value is kept; make reference keeps it'
kept 1.5
measured null
moved
ok 'so is one that could not be measured' status 1
rm finished/toy
moved
ok 'and an experiment that was not made' status 1
ok '  by its name' out_has 'not measured: toy'
finish
