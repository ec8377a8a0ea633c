#!/bin/sh
# What comes from others (scenes, meshes, sweeps, archives, folders of results) can do nothing but be read: names from files that mean
# something to make, sh or a terminal, that lead out of a folder, and links, pipes and devices. docs/make.md lists which names there
# are; tests/cli/test_hostile.sh has what the programs and the Python module read.
. "$(dirname "$0")/toy.sh"

cp "$project/tests/make/hostile.py" "$project/tests/make/hostile_archives.py" .
"$PYTHON" -B hostile.py >names.log 2>&1
ok "names in every place of runs, sweeps and scenes: refused, or handed on as they are" has names.log 'handed on, 0 faults'
sed 's/^/# /' names.log
ok "... of both kinds many" quiet grep -qE '^[0-9]{4,} refused, [0-9]{3,} handed on' names.log

# ---- make and the scripts of its recipes -----------------------------------------------------------

mkdir sweeps elsewhere
echo precious >elsewhere/file
printf 'scene: sweeps/scene.yaml\nmetrics: {drawn: summary seed}\n' >sweeps/toy.yaml
# swept MESH MESSAGE: a sweep of a scene with that mesh
swept() {
    printf 'a: {mesh: {file: %s}}\n' "$1" >sweeps/scene.yaml
    make sweep S=sweeps/toy.yaml >make.log 2>&1
    ok "make sweep, mesh $1: status 2" is "$?" 2
    ok '  and where and why' has make.log "sweeps/scene.yaml:1: '$2"
}
make -s all >make.log 2>&1
swept "a';touch PWNED;'b.obj" "a';touch PWNED;'b.obj' is not a path for a mesh"
swept '"$(shell touch PWNED).obj"' '$(shell touch PWNED).obj'"' is not a path for a mesh"
swept ../clean "../clean' is not called a mesh"
ok 'nothing was run' quiet test ! -e PWNED -a -x build/ms-sample
echo 'e: 1' >sweeps/scene.yaml
make sweep S=sweeps/toy.yaml >make.log 2>&1
run=results/small/sweep-toy/only
ok 'a sweep without them runs' quiet test -e $run/done

# others RUN FILE: what is neither file nor folder there is refused by every recipe that writes there
others() {
    for step in "effective build $1" "sample build $1" "simulate build $1" "analyze build $1" "section build $1/section-1.csv 1 0,1,0,0 0.1" "swept build $1"; do
        timeout 1200 scripts/steps/$step >make.log 2>&1
        ok "$2, scripts/steps/${step%% *}: status 2" is "$?" 2
        ok '  and which' has make.log "$1/$2: is neither file nor folder; remove it"
    done
    rm "$1/$2"
}
ln -s "$work/elsewhere/file" $run/sample.log.x && mv $run/sample.log.x $run/sample.log && others $run sample.log
ln -s "$work/elsewhere/new" $run/seconds.x && mv $run/seconds.x $run/seconds && others $run seconds
rm $run/config.yaml && mkfifo $run/config.yaml && others $run config.yaml
ln -sf /dev/zero $run/frames/000001.hdf && others $run frames/000001.hdf
ok 'what they linked to is as it was' is "$(ls elsewhere) $(cat elsewhere/file)" 'file precious'
for name in /dev/zero ../../../elsewhere/file 'a b'; do
    printf '%064d  %s\n' 0 "$name" >$run/frames.sha256
    timeout 1200 scripts/steps/simulate build $run >make.log 2>&1
    ok "frames.sha256 that names $name: status 2" is "$?" 2
    ok '  and why' has make.log "$run/frames.sha256: is no record of frames; remove it"
    rm -f $run/frames.sha256
    printf '%064d  %s\n' 0 "$name" >$run/tables.sha256
    timeout 1200 scripts/steps/swept build $run --config sweeps/scene.yaml >make.log 2>&1
    ok "tables.sha256 that names it: it is made again" is "$? $(grep -vcE '^[0-9a-f]{64}  [a-z_.]+$' $run/tables.sha256)" '0 0'
done

# ---- archives --------------------------------------------------------------------------------------

"$PYTHON" -B hostile_archives.py >archives.log 2>&1
ok 'hostile archives and results: each is refused in one line' has archives.log ', 0 faults'
sed 's/^/# /' archives.log
ok '... and wrote nothing elsewhere' is "$(ls elsewhere) $(cat elsewhere/file)" 'file precious'
finish
