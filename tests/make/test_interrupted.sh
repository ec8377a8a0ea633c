#!/bin/sh
# What a kill, a failure or a wrong file leaves behind.
. "$(dirname "$0")/toy.sh"
make -s all >/dev/null 2>&1

TOY_HANG=8 setsid make -j2 figures >/dev/null 2>&1 &
group=$!
for _ in $(seq 100); do
    [ "$(ls results/small/fig99-toy/*/frames/000000.hdf 2>/dev/null | wc -l)" -ge 2 ] && break
    sleep 0.1
done
kill -KILL "-$group"
wait "$group" 2>/dev/null
ok "a killed make leaves no finished run" is "$(ls results/small/fig99-toy/*/frames.sha256 2>/dev/null)" ""
make plan >plan.log 2>&1
ok "make plan says what goes on from where it was" has plan.log "goes on from its last frame"
: >ran.log
make figures >make.log 2>&1
ok "the next make goes on with both" is "$(grep -c resumed ran.log)" 2
ok "... and runs the other four from the start" is "$(grep -c ran ran.log)" 4
ok "... to the end" is "$(simulations figures)" 0

sed -i 's/-2\]/broken]/' experiments/fig99-toy/runs
make -k figures >make.log 2>&1
ok "a failed simulation fails make" is "$?" 2
ok "... and leaves no stamp" is "$(ls results/small/fig99-toy/high-*/frames.sha256.stamp 2>/dev/null)" ""
sed -i 's/broken]/-2]/' experiments/fig99-toy/runs
ok "put right, it starts anew: nothing resumed" is "$(simulations -k figures; grep -c resumed ran.log)" "3
0"

make -s ablations >/dev/null
make plan >plan.log 2>&1
ok "make plan knows when there is nothing to do" has plan.log "nothing to do"
sed -i 's/-2\]/-5]/' experiments/fig99-toy/runs
make plan >plan.log 2>&1
ok "make plan names what would run" is "$(grep -c '^simulate *fig99-toy/high' plan.log)" 3
ok "... why" has plan.log "the initial state changed"
ok "... and how long it took" is "$(grep -c 'high.*[0-9] s ' plan.log)" 3
ok "... and did not run it" is "$(simulations figures)" 3

printf '#!/bin/sh\necho "$1" >>srun.log\nshift\nexec "$@"\n' >srun
chmod +x srun
sed -i 's/-5\]/-6]/' experiments/fig99-toy/runs
ok "RUN stands in front of each simulation" is "$(simulations figures RUN='./srun -n1'; sort srun.log | uniq -c | tr -d ' ')" "3
3-n1"

echo 'nonsense here' >>experiments/fig99-toy/runs
make figures >make.log 2>&1
ok "a wrong table of runs stops make" is "$?" 2
ok "... with its line" has make.log "experiments/fig99-toy/runs:9: 'nonsense here' is no statement"
finish
