#!/bin/sh
# make sweep: all combinations of a file's axes and seeds, in one table; what is there already is not run again.
. "$(dirname "$0")/toy.sh"
mkdir sweeps
cat >sweeps/toy.yaml <<'END'
scene: experiments/fig99-toy/scene.yaml
set: {velocity: [0, 0, -1]}
axes:
  k: {key: stiffness, values: [1e3, 10]} # as they are written
  method:
    values:
      weak: {layer: configs/methods/penalty.yaml, name: weak}
      merging: {layer: [configs/methods/merging.yaml]}
seeds: [2, 4, 9]
metrics:
  penetrated: max metrics penetrated
  drawn: summary seed
  height: last bodies height ball
END
table=results/small/sweep-toy/sweep.csv

# swept WORD...: how many simulations make sweep starts
swept() { simulations sweep S=sweeps/toy.yaml "$@"; }

ok 'every combination is run once' is "$(swept)" 12
ok '  in one table: a row for each, means of all seeds and their 95 % confidence (t = 4.3027 for three)' is "$(head -n 3 $table)" \
'k,method,runs,failed,penetrated,penetrated_ci,drawn,drawn_ci,height,height_ci
1e3,weak,3,0,1.0,0.0,5.0,8.956685895029592,1.0,0.0
1e3,merging,3,0,0.0,0.0,5.0,8.956685895029592,1.0,0.0'
ok '  values are those of the file' is "$(cat results/small/sweep-toy/k-1e3_method-weak_seed-4/config.yaml)" 'a: 1
m: penalty
velocity: [0, 0, -1]
stiffness: 1e3
name: weak
seed: 4'
ok '  every run in another' is "$(sed -n '1p;3p' results/small/sweep-toy/runs.csv)" 'k,method,seed,penetrated,drawn,height
1e3,weak,4,1.0,4.0,1.0'
ok '  none failed' quiet test ! -e results/small/sweep-toy/failed.csv
ok '  and all of it in HDF5' is "$("$PYTHON" -c 'import h5py, sys
file = h5py.File(sys.argv[1])
print(list(file), file["sweep/k"][:], file["sweep/method"][1], file["sweep/drawn"][0], file["sweep/drawn"].attrs["description"], file["runs/seed"][:3])' \
    results/small/sweep-toy/sweep.hdf)" "['runs', 'sweep'] [1000. 1000.   10.   10.] b'merging' 5.0 summary seed [2 4 9]"
cp results/small/sweep-toy/sweep.hdf first.hdf
ok 'the second time nothing is run' is "$(swept)" 0
ok '  and the tables have the same bytes' quiet cmp results/small/sweep-toy/sweep.hdf first.hdf
touch sweeps/toy.yaml experiments/fig99-toy/scene.yaml
ok 'touching files runs nothing' is "$(swept)" 0
sed -i 's/1e3, 10/1e3, 10, 20/' sweeps/toy.yaml
ok 'a further value runs only what is new' is "$(swept)" 6
sed -i 's/, 20\]/]/' sweeps/toy.yaml
ok 'without it the table is as before' is "$(swept; cmp results/small/sweep-toy/sweep.hdf first.hdf)" 0
echo 'm: other' >configs/methods/penalty.yaml
ok 'a changed layer runs what uses it' is "$(swept)" 6
rm results/small/sweep-toy/k-1e3_method-weak_seed-4/summary.json
ok 'a table that is gone is made again, of the frames that there are' is "$(swept; test -e results/small/sweep-toy/k-1e3_method-weak_seed-4/summary.json || echo gone)" 0
rm -r results/small/sweep-toy/k-1e3_method-weak_seed-4
ok 'a run that is gone is run again' is "$(swept)" 1
echo 'a: 9' >experiments/fig99-toy/scene.paper.yaml
sed 's/1e3, 10/1e3/; s/^seeds:.*/seeds: [4]/' sweeps/toy.yaml >sweeps/one.yaml
make -s sweep SCALE=paper S=sweeps/one.yaml >make.log 2>&1
ok 'SCALE=paper: with the overlay of the scene' is "$(sed -n 2p results/paper/sweep-one/k-1e3_method-weak_seed-4/config.yaml)" 'a: 9'

# runs that fail
sed -i 's/      merging: .*/      bad: {name: broken}/' sweeps/toy.yaml
ok 'runs that fail: the others are in the table' is "$(swept >/dev/null; sed -n 2,3p $table)" '1e3,weak,3,0,1.0,0.0,5.0,8.956685895029592,1.0,0.0
1e3,bad,0,3,,,,,,'
ok '  they are in one of their own, with the reason' is "$(sed -n 1,2p results/small/sweep-toy/failed.csv)" 'k,method,seed,run,reason
1e3,bad,2,k-1e3_method-bad_seed-2,status 1'
ok '  which make says' has make.log '6 of 12 runs; why 6 failed is in failed.csv, and RETRY=1 tries them again'
ok '  they are not tried again' is "$(swept)" 0
ok '  unless on request' is "$(swept RETRY=1)" 6
ok '  or if what they are made of changed' is "$(sed -i 's/broken/fine/' sweeps/toy.yaml; swept)" 6
ok '  and then none is left' quiet test ! -e results/small/sweep-toy/failed.csv

# A sweep of 15 runs, killed half-way
{
    echo 'scene: experiments/fig99-toy/scene.yaml'
    echo "axes: {k: {key: stiffness, values: [$(seq -s ', ' 3)]}}"
    echo 'seeds: 5'
    echo 'metrics: {drawn: summary seed}'
} >sweeps/many.yaml
: >ran.log
setsid make JOBS=2 sweep S=sweeps/many.yaml >make.log 2>&1 &
group=$!
await lines ran.log 7
kill -KILL "-$group"
wait "$group" 2>/dev/null
(cd results/small/sweep-many && ls -- */done | cut -d/ -f1) >done.log
number=$(wc -l <done.log)
ok "killed after $number of 15 runs there is no table" quiet test "$number" -ge 3 -a "$number" -lt 15 -a ! -e results/small/sweep-many/sweep.csv
mv ran.log before.log
simulations sweep S=sweeps/many.yaml >started.log
ok "  the next make starts the missing ones: $(cat started.log)" quiet test "$(cat started.log)" -le $((15 - number))
sed 's|.*/||' ran.log | sort >again.log
ok '  none of those that were done' is "$(sort done.log | comm -12 - again.log)" ''
ok '  none twice' is "$(uniq -d again.log)" ''
ok '  and all together are 15' is "$(cat before.log ran.log | sed 's|.*/||' | sort -u | wc -l)" 15
ok '  and the table is that of all' is "$(wc -l <results/small/sweep-many/runs.csv) $(sed -n 4p results/small/sweep-many/sweep.csv)" '16 3,5,0,3.0,1.9632431614775572'

: >ran.log
sed '1s/scene/scenes/' sweeps/toy.yaml >sweeps/wrong.yaml
make sweep S=sweeps/wrong.yaml >make.log 2>&1
ok 'a wrong file: status 2' is "$? $(wc -l <ran.log)" '2 0'
ok '  and where' has make.log "sweeps/wrong.yaml:1:9: a sweep has no 'scenes'"
# wrong SED-SCRIPT MESSAGE: a sweep with that change is refused, by what make asks before it runs anything; all of them in one process
number=0
wrong() {
    number=$((number + 1))
    sed "$1" sweeps/toy.yaml >sweeps/wrong-$number.yaml
    echo "$2" >sweeps/wrong-$number.message
}
wrong '1s/scene/scenes/' "1:9: a sweep has no 'scenes'; there are scene, set, axes, seeds, metrics"
wrong '1s/scene.yaml/nowhere.yaml/' '1:8: there is no experiments/fig99-toy/nowhere.yaml'
wrong '4s/key: stiffness, //' '4:6: axis k has no key; write {key: KEY, values: [...]}'
wrong '4s/10\]/1e3]/' "4:37: axis k has '1e3' twice"
wrong '4s/10\]/[1, 2]]/' "4:37: '[1, 2]' cannot be part of a run's name"
wrong '4s/\[1e3, 10\]/[]/' '4:31: axis k is empty'
wrong '9s/9/9, 2/' "9:8: '2' is no number of seeds or list of different seeds"
wrong 's/max metrics/most metrics/' "11:15: 'most metrics penetrated' is no metric; write 'summary KEY' or"
wrong 's/  drawn:/  k:/' "1:1: two columns of the results would be named 'k'"
wrong '2s/}/}}/' '2:'
wrong 'd' '1:1: is empty'
wrong '9s/.*/seeds: [2, 4.5]/' "9:8: '4.5' is no number of seeds"
wrong '4s/key: stiffness/key: \&a stiffness/; 11s/:.*/: *a/' '11:15: an alias; write the value itself'
wrong "2s/\[.*\]/$(printf '[%.0s' $(seq 50))$(printf ']%.0s' $(seq 50))/" '2:27: more than 12 levels'
wrong "4s/1e3, 10/$(seq -s , 1 600)/; 9s/.*/seeds: 100/" '1:1: 120000 runs; write several sweeps of at most 100000'
wrong '1s|experiments/fig99-toy|../$(touch here)|' "1:8: '../\$(touch here)/scene.yaml' is not a path for a layer"
wrong '2s/velocity/"velo\\ncity"/' '2:7: a key of set has a line break'
wrong "2s/-1/$(printf 'x%.0s' $(seq 20))\xff/" '1:1: '
"$PYTHON" -B - $number <<'END'
import contextlib, sys
sys.path.insert(0, "scripts")
import sweep
for number in range(1, int(sys.argv[1]) + 1):
    sys.argv = ["sweep.py", "check", f"sweeps/wrong-{number}.yaml", "small", "build"]
    with open(f"sweeps/wrong-{number}.status", "w") as status, open(f"sweeps/wrong-{number}.log", "w") as log:
        with contextlib.redirect_stderr(log):
            try:
                sweep.main()
                print(0, file=status)
            except SystemExit as end:
                print(end.code, file=status)
END
for k in $(seq $number); do
    read -r message <sweeps/wrong-$k.message
    ok "$message: status 2" is "$(cat sweeps/wrong-$k.status)" 2
    ok '  and where' has sweeps/wrong-$k.log "sweeps/wrong-$k.yaml:$message"
done
make sweep >make.log 2>&1
ok 'no file: status 2' is $? 2
ok '  and what to write' has make.log 'write make sweep S=configs/sweeps/bounce.yaml'
make sweep S=sweeps/toy.yaml ENGINE=steam >make.log 2>&1
ok 'another engine: status 2' is $? 2
ok '  and which there are' has make.log 'write ENGINE=make or ENGINE=slurm'

# threads: one for each of many runs, several for each of few; as the program that starts each of them sees it
printf '#!/bin/sh\necho "$OMP_NUM_THREADS" >>%s/threads.log\nexec "$@"\n' "$PWD" >record
chmod +x record
rm -r results/small/sweep-toy/k-10_*
make -s sweep S=sweeps/toy.yaml JOBS=16 RUN=./record >make.log 2>&1
ok 'six runs on 16 cores: two threads each' is "$(sort threads.log | uniq -c | tr -s ' ')" ' 6 2'
rm -r results/small/sweep-toy/k-10_* threads.log
make -s sweep S=sweeps/toy.yaml JOBS=4 RUN=./record >make.log 2>&1
ok 'on four: one' is "$(sort threads.log | uniq -c | tr -s ' ')" ' 6 1'

# tests/verify/test_slurm.sh submits jobs
mkdir fake
printf '#!/bin/sh\necho "slurm_load_ctl_conf error: Unable to contact slurm controller" >&2\nexit 1\n' >fake/scontrol
chmod +x fake/scontrol
PATH=$PWD/fake:$PATH make sweep S=sweeps/toy.yaml ENGINE=slurm RETRY=1 >make.log 2>&1
ok 'a Slurm that does not answer: status 2' is $? 2
ok '  and where to look' has make.log 'Unable to contact slurm controller; is Slurm running? `scontrol ping` tells'
finish
