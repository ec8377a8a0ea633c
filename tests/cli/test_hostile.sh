#!/bin/sh
# What comes from others can do nothing but be read: names in scenes and frames, and links, pipes and devices where the programs and the
# Python module read and write. tests/make/test_hostile.sh has make, its scripts and archives; docs/make.md lists all names.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
export OMP_NUM_THREADS=1 PYTHONPATH="$project/scripts" PYTHONDONTWRITEBYTECODE=1 MERGESPLIT_PROGRAMS="$BUILD"
escape=$(printf '\033[2J')
mkdir elsewhere
echo precious >elsewhere/file
# one_line: the last command ended with status 2 and one line, in which nothing speaks to a terminal
one_line() { [ "$run_status" = 2 ] && [ "$(wc -l <.run/err)" = 1 ] && ! LC_ALL=C grep -q '[[:cntrl:]]' .run/err; }

# ---- scenes ----

ball_on_cloth 0.01 >scene.yaml
places() {
    sed -e "s|^name: test|name: $1|; w name.yaml" -e "s|^  ball: {model|  $1: {model|; s|material: ball|material: $1|; w material.yaml" scene.yaml >/dev/null
    sed "s|^  ball: {material|  $1: {material|" scene.yaml >body.yaml
    sed "s|material: ball|material: $1|" scene.yaml >of.yaml
    { cat scene.yaml && printf 'walls: {%s: {keep: outside, shape: {ball: {radius: 0.1}}}}\n' "$1"; } >wall.yaml
    { cat scene.yaml && printf 'motions: {%s: {body: sheet}}\n' "$1"; } >motion.yaml
    { cat scene.yaml && printf 'motions: {lift: {body: %s}}\n' "$1"; } >moved.yaml
    sed "s|shape: {ball: .*|shape: {mesh: {file: $1}}}|" scene.yaml >mesh.yaml
}
for name in "a';touch PWNED;'b" '$(touch PWNED)' '`touch PWNED`' 'a b' 'a\nb' 'a\tb' '../x' '..' '/dev/zero' '-x' 'a|b' 'a\eb' '*'; do
    wrong=
    yaml="\"$(printf '%s' "$name" | sed 's/[\\&|]/\\&/g')\""
    places "$yaml"
    for scene in name material body of wall motion moved mesh; do
        run timeout 1200 ms-sample -q -c $scene.yaml -o out.hdf
        { [ "$run_status" = 2 ] && grep -q "^ms-sample: $scene.yaml:[0-9]*:[0-9]*: " .run/err && ! LC_ALL=C grep -q '[[:cntrl:]]' .run/err && [ ! -e out.hdf ]; } || wrong="$wrong $scene"
    done
    ok "$name in every place of a scene: refused, with the place" [ -z "$wrong" ]
done
for mesh in ../elsewhere/file.obj /etc/passwd pipe.obj zero.obj folder.obj; do
    case $mesh in pipe.obj) mkfifo pipe.obj ;; zero.obj) ln -s /dev/zero zero.obj ;; folder.obj) mkdir folder.obj ;; esac
    places "$mesh"
    run timeout 1200 ms-sample -q -c mesh.yaml -o out.hdf
    ok "a mesh that is $mesh: one line" one_line
done
mkdir "it's a folder"
cp scene.yaml "it's a folder/"
sed "s|shape: {ball: .*|shape: {mesh: {file: star.obj, scale: 0.1}}}|; s|position: \[0, 0, 0.055\]|position: [0, 0, 0.5]|" scene.yaml >"it's a folder/mesh.yaml"
cp "$project/configs/examples/star.obj" "it's a folder/"
run ms-sample -q -c "it's a folder/mesh.yaml" -o star.hdf
ok 'folders of this machine may have any name' status 0
ms-sample -c "it's a folder/mesh.yaml" --effective >effective.yaml
run ms-sample -q -c effective.yaml -o star2.hdf
ok '  also in the effective configuration' same star.hdf star2.hdf

# ---- frames ----

ms-sample -q -c scene.yaml -o initial.hdf
ms-simulate initial.hdf -q -o run
cp initial.hdf run
frame=run/frames/000002.hdf
"$PYTHON" -c 'import h5py' 2>/dev/null || skip_all 'there is no h5py'

# changed WHAT CODE: the newest frame, changed so and signed again: ms-simulate --resume refuses to go on from it
changed() {
    rm -rf t
    cp -r run t
    rm -f t/end.json
    edit t/frames/000002.hdf "import numpy as np
$2"
    run timeout 1200 ms-simulate initial.hdf -q -o t --resume --until 0.015
    ok "a frame with $1: one line" one_line
    ok '  and no further frame' [ ! -e t/frames/000003.hdf ]
}
# shown WHAT CODE: the same, and ms-analyze refuses it, too
shown() {
    changed "$@"
    rm -rf a
    cp -r run a
    cp t/frames/000002.hdf a/frames/
    run timeout 1200 ms-analyze a -o a
    ok '  nor does ms-analyze read it' one_line
}
attribute() { echo "file.attrs.modify('$1', np.uint64($2))"; }
rm -rf t
cp -r run t
rm -f t/end.json
edit t/frames/000002.hdf 'file.attrs["time"] = file.attrs["time"]'
run ms-simulate initial.hdf -q -o t --resume --until 0.015
ok 'a frame that was only signed again: the run goes on from it' [ -e t/frames/000003.hdf ]
shown 'another number' "$(attribute number 1)"
shown 'a later number' "$(attribute number 3)"
shown 'no step' "$(attribute step 0)"
shown 'a step less' "$(attribute step 19)"
shown 'a step more' "$(attribute step 21)"
shown 'very many steps' "$(attribute step '2**63')"
for time in 0.0 0.005 0.0100001 -1.0 'float("nan")' 'float("inf")'; do
    shown "time $time" "file.attrs['time'] = $time"
done
shown 'time and the time of its last row' 'file.attrs["time"] = 0.011; file["ledger"][-1, 0] = 0.011'
changed 'a free particle that is fixed' 'file["state"][150] = 1'
changed 'a fixed particle that is free' 'file["state"][32] = 0'
changed 'a particle before an inlet that there is not' 'file["state"][150] = 2'
changed 'a particle that no outlet took' 'file["state"][150] = 3'
changed 'a particle in another place' 'file["position"][150] = [0, 0, 5]'
changed 'a fixed particle in another place' 'file["position"][32] = [0, 0, 5]'
changed 'a particle that is a little elsewhere' 'file["position"][150, 2] += 1e-5'
changed 'another velocity' 'file["velocity"][150] = [0, 0, 5]'
changed 'a fixed particle that moves' 'file["velocity"][32] = [0, 0, 5]'
changed 'a particle beyond the cloth' 'file["penetrated"][150] = 1'
changed 'a particle beyond a sheet that there is not' 'file["penetrated"][150] = 2'
changed 'rows of no numbers' 'file["ledger"][-1] = float("nan")'
for name in '../x' '$(id)' 'a b' '\x1b[2J' 'a,b\nc'; do
    changed "a body $name" "file['body_name'][1] = b'$name'"
    shown "a column $name" "c = file['ledger'].attrs['columns']; c[3] = b'$name'; file['ledger'].attrs['columns'] = c"
done
# other files: as a link, as storage, as parts of a virtual dataset
other() {
    echo "d = file['velocity']; unit, words = d.attrs['unit'], d.attrs['description']; del file['velocity']
$1
if 'velocity' in file and isinstance(file.get('velocity', getlink=True), h5py.HardLink): file['velocity'].attrs['unit'], file['velocity'].attrs['description'] = unit, words"
}
cp $frame elsewhere/frame.hdf
mkfifo elsewhere/pipe
link=$(other "file['velocity'] = h5py.ExternalLink('$PWD/elsewhere/frame.hdf', 'velocity')")
wait=$(other "file['velocity'] = h5py.ExternalLink('$PWD/elsewhere/pipe', 'velocity')")
store=$(other "file.create_dataset('velocity', (len(file['id']), 3), dtype='<f8', external=[('$PWD/elsewhere/pipe', 0, 24 * len(file['id']))])")
virtual=$(other "v = h5py.VirtualLayout((len(file['id']), 3), dtype='<f8'); v[:] = h5py.VirtualSource('$PWD/elsewhere/frame.hdf', 'velocity', (len(file['id']), 3)); file.create_virtual_dataset('velocity', v)")
for kind in link wait store virtual; do
    eval "code=\$$kind"
    changed "data in another file ($kind)" "$code"
    cp t/frames/000002.hdf $kind.hdf
done

# ---- folders ----

for name in timing.csv memory.csv; do
    for target in elsewhere/file elsewhere/new elsewhere/pipe /dev/null; do
        rm -rf t
        cp -r run t
        rm -f t/end.json t/$name t/frames/000002.hdf
        ln -s "$(case $target in /*) ;; *) echo "$PWD/" ;; esac)$target" t/$name
        run timeout 1200 ms-simulate initial.hdf -q -o t --resume
        ok "$name that links to $target: one line" one_line
        ok '  and no frame' [ ! -e t/frames/000002.hdf ]
    done
done
ok 'nothing was written elsewhere, and nothing was run' [ "$(ls elsewhere) $(cat elsewhere/file) $(ls PWNED 2>/dev/null)" = "file
frame.hdf
pipe precious " ]

# ---- the Python module: mergesplit.Fault, one line, soon ----

mkdir damaged -- -run
cp -r run/. damaged
cp scene.yaml ./-run
cat >module.py <<'END'
import os, shutil, signal, warnings
import mergesplit as m
warnings.simplefilter('ignore')
signal.alarm(1200)
faults = 0
def refused(what, function):
    global faults
    try:
        found = function()
    except m.Fault as fault:
        if str(fault).isprintable():
            return
        found = f"{fault!r}"
    except BaseException as error:
        found = f"{type(error).__name__}: {error}"
    faults += 1
    print(f"{what}: {str(found)[:200]}")
for kind in ("link", "wait", "store", "virtual"):
    refused(kind, lambda: m.Frame(f"{kind}.hdf")["velocity"])
def in_place_of(name, put, read):
    """What the module says when this is in the place of a file of the run."""
    path = os.path.join("damaged", name)
    kept = path + ".kept"
    os.rename(path, kept)
    try:
        put(path)
        refused(f"{put.__name__} as {name}", read)
    finally:
        (shutil.rmtree if os.path.isdir(path) and not os.path.islink(path) else os.remove)(path)
        os.rename(kept, path)
def pipe(path): os.mkfifo(path)
def device(path): os.symlink("/dev/zero", path)
def folder(path): os.mkdir(path)
def bytes_of_no_text(path): open(path, "wb").write(b"\xff\xfe\x00\x1b[2J" * 9)
def deep(path): open(path, "w").write("[" * 100000)
def a_list(path): open(path, "w").write("time,time\n0\n")
def half(path):
    with open(path + ".kept", "rb") as old, open(path, "wb") as new:
        new.write(old.read()[:-40])
def run(): return m.Run("damaged")
m.analyze("damaged")
reads = {"initial.hdf": lambda: run().initial.config, "frames/000001.hdf": lambda: run().frames[1]["position"], "metrics.csv": lambda: run().metrics,
         "summary.json": lambda: run().summary, "manifest.json": lambda: run().manifest, "end.json": lambda: run().end}
for name, read in reads.items():
    for put in (pipe, device, folder, bytes_of_no_text, a_list) + (() if name.endswith(".csv") else (half, deep)):
        in_place_of(name, put, read)
in_place_of("frames", lambda path: open(path, "w").close(), lambda: run().at(0))
refused("no such run", lambda: m.Run("nowhere"))
m.sample("-run/scene.yaml", "-run")
print(len(m.simulate("-run").frames), len(m.analyze("-run").metrics), faults)
END
run "$PYTHON" module.py
ok 'the module: Faults of one line, and a folder that begins with a dash works' out_is '3 20 0'

# ---- what else ends a run, and where there are no locks ----

sed 's/end: 0.01/end: 50/' scene.yaml >long.yaml
ms-sample -q -c long.yaml -o long.hdf
# stopped SIGNAL COMMAND...: with this signal once there is a frame
stopped() {
    rm -rf long
    signal=$1
    shift
    env --default-signal=HUP,TERM "$@" ms-simulate long.hdf -q -o long >.run/out 2>.run/err &
    process=$!
    await another_frame long/frames 1
    kill -"$signal" $process
    wait $process
    run_status=$?
}
for signal in TERM HUP; do
    stopped $signal
    ok "SIG$signal: status 1" status 1
    ok '  how to go on' err_has '--resume'
    ok '  and a checkpoint' [ -e long/checkpoint.hdf ]
done
stopped TERM nohup
ok 'with nohup SIGTERM does' [ -e long/checkpoint.hdf ]
rm -rf long
nohup ms-simulate long.hdf -q -o long >.run/out 2>.run/err &
process=$!
await another_frame long/frames 1
kill -HUP $process
before=$(ls long/frames | wc -l)
await another_frame long/frames "$before"
ok '  and SIGHUP does nothing' [ ! -e long/checkpoint.hdf ]
kill -TERM $process
wait $process

sanitized || {
    printf '#include <errno.h>\nint flock(int a, int b) { (void)a, (void)b; errno = ENOLCK; return -1; }\n' >nolock.c
    ${CC:-cc} -shared -fPIC -o nolock.so nolock.c
    rm -rf out
    run env LD_PRELOAD="$PWD/nolock.so" ms-simulate initial.hdf -q -o out
    ok 'a file system without locks: the run is made' status 0
    ok '  which says so, once' err_is 'ms-simulate: out: this file system has no locks; let no other ms-simulate and no other make work there'
}
finish
