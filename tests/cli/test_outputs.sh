#!/bin/sh
# No program writes over what it reads; a second program keeps out of a run that is being written; a
# limit on the size of files is a failed write.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END'
name: test
time: {end: 0.02, frame_interval: 0.01}
materials:
  rubber: {model: peridynamics, stiffness: 100}
bodies:
  a: {material: rubber, radius: 0.01, density: 1000, shape: {ball: {radius: 0.05}}}
  b: {material: rubber, radius: 0.01, density: 1000, position: [0, 0, 0.08], velocity: [0, 0, -5], shape: {mesh: {file: box.obj, scale: 0.1}}}
END
cat >box.obj <<'END'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
END
ms-sample -q -c scene.yaml -o initial.hdf || exit 1
ms-simulate initial.hdf -o run -q || exit 1
cp initial.hdf run

# kept WHAT COMMAND...: refused with status 2 and one line, and nothing has changed
kept() {
    what=$1
    shift
    find . -path ./.run -prune -o -type f -print0 | sort -z | xargs -0 sha256sum >.run/before
    run "$@"
    ok "$what: status 2" status 2
    ok '  one line' err_lines 1
    ok '  says why' err_has 'which would be overwritten; write elsewhere'
    find . -path ./.run -prune -o -type f -print0 | sort -z | xargs -0 sha256sum >.run/after
    ok '  nothing was written' same .run/before .run/after
}

kept 'a state over its configuration' ms-sample -q -c scene.yaml -o scene.yaml
ok '  the whole line' err_is \
    'ms-sample: scene.yaml: is the input scene.yaml itself, which would be overwritten; write elsewhere'
kept '  by another path' ms-sample -q -c scene.yaml -o ./run/../scene.yaml
ln -s scene.yaml soft.yaml
kept '  through a symbolic link' ms-sample -q -c scene.yaml -o soft.yaml
kept '  that is the input' ms-sample -q -c soft.yaml -o scene.yaml
ln scene.yaml hard.yaml
kept '  through a hard link' ms-sample -q -c scene.yaml -o hard.yaml
echo 'seed: 3' >layer.yaml
kept '  over the second of two' ms-sample -q -c scene.yaml -c layer.yaml -o layer.yaml
kept 'a state over its mesh' ms-sample -q -c scene.yaml -o box.obj
kept 'the effective configuration behind the configuration' sh -c 'ms-sample -c scene.yaml --effective >>scene.yaml'
kept '  behind the mesh' sh -c 'ms-sample -c scene.yaml --effective >>box.obj'
kept 'a report behind the configuration' sh -c 'ms-sample -c scene.yaml --check >>scene.yaml'
rm soft.yaml hard.yaml

frame=run/frames/000001.hdf
kept 'a section over its frame' ms-render-prep $frame --section 0,1,0,0 --thickness 1 -o $frame
kept '  over the initial frame' ms-render-prep $frame --section 0,1,0,0 --thickness 1 --initial initial.hdf -o initial.hdf
kept '  behind its frame' sh -c "ms-render-prep $frame --section 0,1,0,0 --thickness 1 >>$frame"
kept 'a scene over its frame' ms-render-prep $frame --pov -o $frame

mkdir results
ln -s ../$frame results/metrics.csv
kept 'results over a frame' ms-analyze run -o results
rm results/metrics.csv
ln run/end.json results/summary.json
kept '  over the end of the run' ms-analyze run -o results
rm results/summary.json
ln run/initial.hdf run/layers.csv
kept '  in the folder of the run' ms-analyze run
rm run/layers.csv
kept 'a comparison behind a frame' sh -c "ms-analyze --compare $frame initial.hdf >>$frame"
kept '  behind a frame of a run' sh -c "ms-analyze --compare run run >>$frame"
kept 'distances behind a frame' sh -c "ms-analyze --shape-distance run run --body a >>$frame"

mkdir -p other/frames
for name in checkpoint.hdf end.json manifest.json memory.csv timing.csv steps.csv frames.xmf lock frames/000001.hdf frames/7.hdf; do
    cp initial.hdf other/$name
    kept "a run over its initial frame $name" ms-simulate other/$name -o other -q
    rm other/$name
done
ln initial.hdf other/checkpoint.hdf
kept '  through a link' ms-simulate initial.hdf -o other -q
rm -r other

# ---- one at a time ----

ms-sample -q -c scene.yaml -s time.end=600 -o long.hdf || exit 1
ms-simulate long.hdf -o long -q 2>.run/first &
process=$!
await test -e long/frames/000001.hdf
run ms-simulate long.hdf -o long -q --resume
ok 'a second program in the folder of a run: status 1' status 1
ok '  and one line' err_is \
    'ms-simulate: long/lock: another process holds this lock; wait for its end, or use another folder'
kill -KILL $process
wait $process 2>/dev/null
ok 'a killed program leaves its lock' test -e long/lock
: >long/frames/000001.hdf.tmp-1-0
: >long/manifest.json.tmp-1-0
interrupt long ms-simulate long.hdf -o long -q --resume
ok '  which keeps nobody out' err_has 'go on with: ms-simulate long.hdf -o long --resume'
ok '  and is gone with the next one' test ! -e long/lock
ok '  as are half files' test -z "$(find long -name '*.tmp-*' ! -name 000001.hdf.tmp-1-0)"
rm -r long
: >run/checkpoint.hdf.tmp-1-0
run ms-simulate initial.hdf -o run -q --resume
ok 'half a checkpoint is gone, though no other is written' test ! -e run/checkpoint.hdf.tmp-1-0

# ---- a file that may not grow ----

limited() { uncounted sh -c 'ulimit -f 1; exec "$@"' sh "$@"; }
run limited ms-sample -q -c scene.yaml -o limited.hdf
ok 'a file beyond its limit: status 1' status 1
ok '  and one line' err_has 'File too large'
ok '  alone' err_lines 1
ok '  and no file' test -z "$(ls | grep limited)"
run limited ms-simulate initial.hdf -o limited -q
ok 'a frame beyond its limit: status 1' status 1
ok '  and one line' err_lines 1
rm -r limited
run limited ms-render-prep $frame --pov -o limited.pov
ok 'a scene beyond its limit: status 1' status 1
ok '  and one line' err_is 'ms-render-prep: limited.pov: writing failed: File too large'
run limited ms-analyze run -o limited
ok 'results beyond their limit: status 1' status 1
ok '  and one line' err_is 'ms-analyze: limited/metrics.csv: writing failed: File too large'
run limited sh -c 'exec ms-sample --help-config >limited.txt'
ok 'standard output beyond its limit: status 1' status 1
ok '  and one line' err_is 'ms-sample: standard output: File too large'

finish
