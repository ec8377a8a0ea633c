#!/bin/sh
# `make chance` and `make reference`: what of a value is chance, and what has changed since it was kept.
. "$(dirname "$0")/toy.sh"

echo 'run low-merging merging' >experiments/fig99-toy/runs
# of the toy's run, one value depends on the nudge: 0.1, and 0.11 to 0.14
sed -i 's|0.1}|0.1%s}|; s|^ *seed);|nudge, &|' src/stages/analyze.c
claims fig99-toy G-1 '< 0.5' 'max(m.summary("*", "stability.gain"))' '' G-2 '== 0' 'sum(m.last("*", "penetrated"))' ''
make reference >make.log 2>&1
ok "nothing was kept before: nothing has changed" is "$(grep -c 'was\|changed' make.log)" 0
quiet make chance E=fig99
kept=results/reference/small-chance.csv
ok "the mean of five values and their deviation are kept" has $kept "fig99-toy,G-1,< 0.5,5,0.12"
ok "... and is that of a sample" is "$(sed -n 's/.*G-1.*,//p' $kept | cut -c 1-7)" 0.01581
ok "a value that chance leaves alone has none" has $kept "fig99-toy,G-2,== 0,5,0.0,0.0"
ok "other experiments are left out" is "$(grep -c ablation-other $kept)" 0
make verify >make.log 2>&1
ok "the kept values: nothing is said" is "$(grep -c changed make.log)" 0
sed -i 's/,0.1,$/,0.2,/' results/reference/small.csv
make verify >make.log 2>&1
ok "another value within the spread: by chance" has make.log "another value than in results/reference/small.csv: 0.2; it changed by chance"
ok "... counted" has make.log "1 value changed by chance"
sed -i 's/0.1%s}/0.3%s}/; s/"weak"/""/' src/stages/analyze.c
make reference >make.log 2>&1
ok "before values are renewed, what changed is said" has make.log "G-1 (fig99-toy): 0.3, was 0.2; it changed not by chance"
ok "... with those that chance does not explain" has make.log "2 values changed not by chance: G-1, G-2"
ok "... and where it is not known" has make.log "1 value changed by chance or not"
ok "then they are renewed" has results/reference/small.csv ",< 0.5,0.3"

# Samples of the runs: the standard error of a mean of 1, 2 and 3 is 1 / sqrt(3).
cat >experiments/fig99-toy/runs <<'END'
axis seed 1 2 3 : seed={}
run s{seed} merging
run other merging
samples seed
END
seeds='sum(float(seed) for seed in m.axis("seed")) / m.count("s*")'
claims fig99-toy G-3 '< 2.5' "$seeds" '' G-4 '< 9' "$seeds" '' G-5 '== 1' 'm.count("other")' '' G-6 '< 9' 'm.count("s1") + m.count("s*")' ''
rm -r results
make reference >make.log 2>&1
kept() { grep ",$1," results/reference/small.csv | sed 's/.*,//' | cut -c 1-6; }
ok "the scatter of a value by its samples is kept" is "$(kept G-3)" 0.5773
ok "... none of what has no samples" is "$(kept G-5)" ""
ok "... nor of what names one of them" is "$(kept G-6)" ""
make verify >make.log 2>&1
ok "what is too near to its threshold is told" has make.log "1 value is within 2 standard deviations of its threshold: G-3"
for wrong in 'samples height' 'samples seed seed' 'samples'; do
    wrong_runs "$wrong" ":5: '"
done
finish
