#!/bin/sh
# `make verify`: a claim holds, fails, is known not to hold, or cannot be tested.
. "$(dirname "$0")/toy.sh"

make verify >make.log 2>&1
ok "claims that hold: status 0" is "$?" 0
ok "... with id, experiment, statement, value and threshold" \
    has make.log "ok 1 - T1 fig99-toy: nothing passes [0 == 0]"
ok "... of every experiment" has make.log "ok 2 - T2 ablation-other: nothing passes [0 == 0]"
ok "... as TAP" has make.log "1..2"

# claim TEXT...: the only claims of the toy; status and output of make verify
claim() {
    printf '%s\n' "$@" >experiments/fig99-toy/claims
    status=0
    make verify >make.log 2>&1 || status=$?
}
claim 'F1 | max(column("*-k1e3", "wrong_side")) | == 0 | something passes'
ok "a claim that does not hold fails: status 2" is "$status" 2
ok "... its line too" has make.log "not ok 1 - F1 fig99-toy: something passes [1 == 0]"
claim 'F2 | max(column("*-k1e3", "wrong_side")) | == 0 | something passes | known: it does'
ok "a known one is a TODO: status 0" is "$status" 0
ok "... with the finding" has make.log "not ok 1 - F2 fig99-toy: something passes [1 == 0] # TODO it does"
claim 'F3 | max(column("*-merging", "wrong_side")) | == 0 | nothing passes | known: it does'
ok "a known one that holds is told" has make.log "1 now do: remove their mark"
claim 'F4 | max(column("nobody", "wrong_side")) | == 0 | nothing passes | known: no run'
ok "a run that is missing is a failure, known or not" is "$status" 2
ok "... with the names there are" has make.log "no run is named 'nobody'; the runs are low-k1e3"
claim 'F5 | max(column("*", "wrongside")) | == 0 | nothing passes'
ok "a column that is missing is a failure" is "$status" 2
claim 'F6 | max(peak("*", "wrong_side") + [nan]) | < 9 | not a number'
ok "a value that is not a number fails" is "$status" 2
claim 'F7 | __import__("os").getpid() | > 0 | escapes'
ok "an expression has nothing but the functions of the table" is "$status" 2
claim 'F8 | 1 | =< 2 | a wrong comparison'
ok "a comparison that is none stops make" has make.log "claims:1: '=<' is no comparison"
claim 'F9 | 1 | < 2'
ok "a claim of three fields stops make" has make.log "claims:1: a claim is"
claim '# nothing'
ok "an experiment without claims stops make" has make.log "no claims; state at least one"
claim 'G1 | min(summary("*", "stability.gain")) | < 0.5 | stable' \
    'G2 | max(distance("merging-against-k", "mean")) | <= 0.2 | near' \
    'G3 | sum(last("*", "wrong_side")) | == 4 | leaks'
ok "summaries, distances and last values" is "$status" 0
claim 'H1 | sum(body("low-*", "ball", "height")) | == 9 | bodies of all runs' \
    'S1 | max(spectrum("*", "cloth", "height")) | == 0 | sheets' \
    'H2 | max(body("low-merging", "ball", "height", start=0.5)) | == 1 | a window of time'
ok "columns of bodies and of sheets" is "$status" 0
printf '# a paper\ntime,height\n0,1\n2,3\n' >experiments/fig99-toy/data.csv
claim 'D1 | sum(data("data.csv", "height")) | == 4 | published' \
    'D2 | at(0.5, data("data.csv", "time"), data("data.csv", "height")) | == 1.5 | between' \
    'D3 | max(layers("low-merging", "ball", "height")) | == 2 | layers' \
    'D3 | sum(fragments("low-merging", "ball", "height", start=1)) | == 1 | fragments'
ok "published values, and values between" is "$status" 0
claim 'D4 | at(3, data("data.csv", "time"), data("data.csv", "height")) | == 1 | beyond'
ok "a place beyond the values is a failure" has make.log "3 is not within the points from 0 to 2"
claim 'H3 | max(body("low-merging", "bell", "height")) | == 1 | no such body'
ok "a body that is missing is a failure" has make.log "has no 'bell'; there are cloth, ball"
claim 'H4 | max(body("low-merging", "ball", "height", 2, 3)) | == 1 | no such time'
ok "a window without frames is a failure" has make.log "has no 'ball' from 2 s to 3 s"
claim 'G1 | min(summary("*", "stability.gain")) | < 0.5 | stable' \
    'G2 | max(distance("merging-against-k", "mean")) | <= 0.2 | near' \
    'G3 | sum(last("*", "wrong_side")) | == 4 | leaks'
make verify >/dev/null
ok "the page has the numbers" has paper-figures/index.html '<td class="number">&lt;= 0.2</td>'
make reference >/dev/null
make verify >make.log 2>&1
ok "the same values as those kept: nothing said" is "$(grep -c 'another value' make.log)" 0
sed -i 's/1,%%s/3,%%s/; s/0.1}}/0.2}}/' src/stages/analyze.c
make verify >make.log 2>&1
ok "another value than the one kept is told" has make.log "another value than in results/reference/small.csv: 0.1"

sed -i 's/3,%%s/1,%%s/; s/0.2}}/0.1}}/' src/stages/analyze.c
make verify >/dev/null 2>&1
cp paper-figures/index.html before.html
mv results/small results/elsewhere
/usr/bin/python3 -B scripts/report.py small results/small paper-figures >/dev/null
ok "without results the page is the same, from what was kept" quiet cmp paper-figures/index.html before.html
rm -r results/reference
/usr/bin/python3 -B scripts/report.py small results/small paper-figures >/dev/null
ok "... and without that it says so" has paper-figures/index.html "Not run yet."
finish
