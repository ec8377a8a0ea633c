#!/bin/sh
# make sweep ENGINE=slurm: the runs of a sweep as job arrays of a real Slurm of one node, which begins and ends with this test.
. "$(dirname "$0")/../make/toy.sh"
. "$project/tests/verify/slurm.sh"
reason=$(slurm_lacks)
[ -z "$reason" ] || skip_all "$reason"
slurm=/nowhere
trap 'slurm_stop; rm -rf "$scratch"; [ -n "$finished" ] || exit 1' EXIT
if ! slurm_start; then
    sed 's/^/# /' "$slurm"/*.log
    skip_all 'Slurm does not start here'
fi

mkdir sweeps
{
    echo 'scene: experiments/fig99-toy/scene.yaml'
    echo "axes:"
    echo "  k: {key: stiffness, values: [$(seq -s ', ' 9), 9.5]}"
    echo "  body: {values: {soft: {name: weak}, firm: {name: firm}}}"
    echo 'seeds: 5'
    echo 'metrics: {drawn: summary seed, penetrated: max metrics penetrated}'
} >sweeps/hundred.yaml
results=results/small/sweep-hundred
make -s sweep S=sweeps/hundred.yaml >make.log 2>&1
ok '100 runs by make' is "$(wc -l <ran.log)" 100
mv results by-make

# by_slurm WORD...: how many simulations make sweep starts; what it says in make.log
by_slurm() { simulations sweep S=sweeps/hundred.yaml ENGINE=slurm "$@"; }

# killed half-way: make, and with it the job
: >ran.log
setsid make sweep S=sweeps/hundred.yaml ENGINE=slurm >make.log 2>&1 &
group=$!
await lines ran.log 50
kill -KILL "-$group"
wait "$group" 2>/dev/null
scancel --name=sweep-hundred
queue_is_empty() { [ -z "$(squeue --noheader)" ]; }
await queue_is_empty
ok 'first one run is submitted alone' has make.log 'submitted 1 run as job'
ok '  then the others, with the time and memory that it took' quiet grep -E 'submitted 99 runs as job [0-9]+ of 17 tasks \(--time=2 --mem=200M\)' make.log
(cd $results && ls -- */done | cut -d/ -f1) >done.log
number=$(wc -l <done.log)
ok "killed after $number of 100 runs there is no table" quiet test "$number" -ge 40 -a "$number" -lt 100 -a ! -e $results/sweep.csv
by_slurm >started.log
ok "the next make starts the missing ones: $(cat started.log)" quiet test "$(cat started.log)" -le $((100 - number))
sed 's|.*/||' ran.log | sort >again.log
ok '  none of those that were done' is "$(sort done.log | comm -12 - again.log)" ''
for table in sweep.csv runs.csv sweep.hdf; do
    ok "  $table has the same bytes as by make" quiet cmp "by-make/small/sweep-hundred/$table" "$results/$table"
done
ok 'the second time nothing is submitted' is "$(by_slurm; grep submitted make.log)" 0

# a make that was stopped, whose job goes on
rm -r $results/k-[1-4]_*
TOY_HANG=0.5 setsid make sweep S=sweeps/hundred.yaml ENGINE=slurm >first.log 2>&1 &
group=$!
await grep -q submitted first.log
kill -KILL "-$group"
wait "$group" 2>/dev/null
: >ran.log
ok 'a job that is still at work is waited for' is "$(by_slurm >started.log; grep -c 'waiting   for job' make.log)" 1
ok '  and what it does is not done twice' is "$(sort ran.log | uniq -d)" ''
ok '  and the table is as before' quiet cmp by-make/small/sweep-hundred/sweep.hdf $results/sweep.hdf

# a run that fails, and one that Slurm ends
sed -i 's/firm: {name: firm}/firm: {name: broken}/' sweeps/hundred.yaml
ok 'runs that fail are kept apart' is "$(by_slurm >/dev/null; wc -l <$results/failed.csv)" 51
by_slurm RETRY=1 >started.log
ok '  and tried again on request' is "$(cat started.log)" 50
rm -r $results/k-1_body-soft_seed-1
TOY_HANG=100 make sweep S=sweeps/hundred.yaml ENGINE=slurm >make.log 2>&1 &
process=$!
await test -e $results/k-1_body-soft_seed-1/frames/000000.hdf
scancel --name=sweep-hundred
wait "$process"
ok 'a job that Slurm ends: make says so' is $? 2
ok '  and what to do' has make.log '1 runs did not end, sweep-hundred/k-1_body-soft_seed-1 for one'
ok '  its run has not failed' quiet test ! -e $results/k-1_body-soft_seed-1/failed
by_slurm >started.log
ok '  but goes on, with twice the time and memory' quiet grep -E 'submitted 1 run as job [0-9]+ of 1 task \(--time=[0-9]+ --mem=[0-9]+M\)' make.log
ok '  from its last frame' has ran.log "resumed $results/k-1_body-soft_seed-1"

finish
