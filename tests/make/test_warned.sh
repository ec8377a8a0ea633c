#!/bin/sh
# make prints what runs warned of, when all is done.
. "$(dirname "$0")/toy.sh"

make figures >make.log 2>&1
ok "runs without warnings: nothing is said" quiet sh -c '! grep -q warned make.log'
echo '{"reason": "complete", "warnings": ["far steps: 1 : 2", "far steps: 3", "overlap: \"a: b\""]}' >end
echo 'a: 2' >experiments/fig99-toy/scene.yaml
make fig99 >make.log 2>&1
ok "warnings of runs are counted once for each run" has make.log "  warned    6 of 6 runs; in words in results/small/RUN/end.json"
ok "... by their kind, with the first runs" has make.log \
    "            far steps: fig99-toy/low-k1e3, fig99-toy/low-k1e4, fig99-toy/high-k1e3 and 3 more"
ok "... each" has make.log "            overlap: fig99-toy/low-k1e3"
ok "... at the end, after what was simulated" quiet sh -c 'sed "/warned/q" make.log | grep -c simulated | grep -qx 6'
make fig99 >make.log 2>&1
ok "and again when nothing is to be done" has make.log "  warned    6 of 6 runs"
make verify >make.log 2>&1
ok "make verify says so, too" has make.log "  warned    7 of 7 runs"
finish
