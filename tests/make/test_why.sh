#!/bin/sh
# make why: the chain of changed inputs, with old and new values.
. "$(dirname "$0")/toy.sh"
real_drawing
command -v git >/dev/null || lacking_all 'there is no git'
commit() {
    git add -A && git -c user.name=toy -c user.email=toy@localhost commit -qm "$1" || exit 1
    git rev-parse HEAD | cut -c1-10
}
git init -q .
printf '/build/\n/results/\n*.log\n.run/\n' >.gitignore
first=$(commit First)
make -s figures >/dev/null 2>&1

# why TARGET: what make says, in why.log
why() {
    make why T="$1" >why.log 2>&1
}
# below TEXT CAUSE...: the line with TEXT has these lines directly below it, one level deeper each
below() {
    printf '%s\n' "$@" | awk 'NR == FNR { want[n++] = $0; next }
        { depth = match($0, /[^ ]/); text = substr($0, depth) }
        !found && index(text, want[0]) == 1 { found = 1; start = depth; k = 1; next }
        found && k < n && depth > start && text == want[k] { k++ }
        found && depth <= start { found = found == 1 ? 2 : found; if (k < n) { found = 0 } else exit }
        END { exit !(found && k == n) }' - why.log || { sed 's/^/#   /' why.log; return 1; }
}

why fig99
ok 'after a make there is nothing to explain' is "$(cat why.log)" 'fig99-toy: nothing that it is made of changed'

sed -i 's/-2\]/-3]/' experiments/fig99-toy/runs
why fig99
ok 'a setting: its old and new value, its file, and the runs' below '3 of 6 runs (high-k1e3, high-k1e4, high-merging) would be simulated again, because' \
    'its configuration changed, by experiments/fig99-toy/runs' 'velocity: [0,0,-2] became [0,0,-3]'
ok '  nothing else' is "$(grep -c because why.log)" 2
cp why.log first.log
why fig99
ok 'the same question has the same answer' quiet cmp why.log first.log
ok '  and nothing was made' is "$(simulations figures)" 3

echo 'm: other' >configs/methods/penalty.yaml
sed -i 's/"-")/"--")/' experiments/fig99-toy/draw.py
why fig99
ok 'a layer that several runs share' below '4 of 6 runs' 'its configuration changed, by configs/methods/penalty.yaml' 'm: penalty became other'
ok 'a line of a plot script' below 'its pictures would be drawn again' 'experiments/fig99-toy/draw.py changed' \
    "- axes.plot(data['time'], data['penetrated'], '-')" "+ axes.plot(data['time'], data['penetrated'], '--')"
why fig99-toy/low-merging
ok 'a run that has neither: nothing' is "$(cat why.log)" 'fig99-toy/low-merging: nothing that it is made of changed'
why fig99-toy/low-k1e3
ok 'a run that has one: no picture' is "$(grep -c drawn why.log)" 0
make -s plan >/dev/null 2>&1
why fig99
ok 'after make plan, which looks at the scripts, the old line is that of the commit' below 'its pictures' 'experiments/fig99-toy/draw.py changed' \
    "- axes.plot(data['time'], data['penetrated'], '-')" "+ axes.plot(data['time'], data['penetrated'], '--')"
git checkout -q configs experiments
make -s figures >/dev/null 2>&1

sed -i 's/-O3/-O2/' Makefile
sed -i 's/return failed;/return failed ? 3 : 0;/' src/stages/simulate.c
why fig99
ok 'flags and sources of programs, and their commit' below 'all 6 runs would be simulated again' 'ms-sample and ms-simulate must be built again' \
    "commit: $first (First) became $first (First) with changes" 'flags: -O3 became -O2' "src/stages/simulate.c: +1 -1 lines since $first"
git checkout -q Makefile
second=$(commit Second)
make -s build/ms-simulate >/dev/null 2>&1
why fig99
ok 'a program that was built meanwhile' below 'all 6 runs' 'ms-simulate is another program' "commit: $first (First) became $second (Second)" \
    "src/stages/simulate.c: +1 -1 lines since $first"
make -s figures >/dev/null 2>&1
rm results/small/fig99-toy/low-merging/summary.json
rm -r results/small/fig99-toy/low-k1e4
why fig99
ok 'a run that is gone' below 'low-k1e4 would be simulated again' 'never run'
ok 'a table that is gone' below 'low-merging would be analyzed again' 'there is no result, or a file of it is gone'

make why >why.log 2>&1
ok 'no target: status 2' is $? 2
ok '  and what to write' has why.log 'write make why T=fig05'
make why T=fig99-toy/nobody >why.log 2>&1
ok 'a run that there is not: status 2' is $? 2
ok '  and which there are' has why.log "has no run 'nobody'; the runs are low-k1e3"
finish
