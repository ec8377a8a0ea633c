#!/bin/sh
# scripts/same_results.py: are two trees of results the same, up to a table of new names?
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"

cat >scene.yaml <<'END'
name: thrown
time: {end: 0.02, frame_interval: 0.01}
materials:
  rubber: {model: peridynamics, stiffness: 100}
bodies:
  a: {material: rubber, radius: 0.01, density: 1000, shape: {ball: {radius: 0.05}}}
  b: {material: rubber, radius: 0.01, density: 1000, shape: {ball: {radius: 0.05}}, position: [0, 0, 0.12], velocity: [0, 0, -5]}
END
run_folder=base/results/small/fig99/slow
mkdir -p $run_folder base/paper-figures
: >base/Makefile
ms-sample -q -c scene.yaml -o $run_folder/initial.hdf || exit 1
ms-sample -c scene.yaml --effective >$run_folder/config.yaml || exit 1
ms-simulate $run_folder/initial.hdf -o $run_folder -q || exit 1
ms-analyze $run_folder || exit 1
cp -r $run_folder base/results/small/fig99/slower
echo '[{"id": "T-1", "states": "so it is", "value": 0.5, "holds": true}]' >base/results/small/fig99/claims.json
printf 'ok 1 - a\n# measured T.first 1.5\n' >base/results/small/fig99/test.tap
echo fig99.png >base/results/small/fig99/drawn.txt
"$PYTHON" -c 'from PIL import Image; Image.new("RGB", (4, 3), "white").save("base/paper-figures/fig99.png")'

# same_results OPTION...: compares two trees
same_results() { run "$PYTHON" -B "$project/scripts/same_results.py" "$@"; }
# edited LINES...: other becomes base, but for these lines of Python: `frame` is its second frame, open, `run` the path of its run.
# What they need takes longer to load than all the rest, so that the same process compares both.
edited() {
    rm -rf other
    cp -r base other
    printf '%s\n' 'import h5py, json, os, re' 'run = "other/results/small/fig99/slow/"' 'frame = h5py.File(run + "frames/000001.hdf", "r+")' \
        'def changed(path, old, new):' '    text = open(path).read()' '    assert re.search(old, text)' \
        '    open(path, "w").write(re.sub(old, new, text))' "$@" 'frame.close()' 'import runpy, sys' 'script = sys.argv[1]' \
        'sys.argv[:] = [script, "base", "other"]' 'sys.path[0] = os.path.dirname(script)' 'runpy.run_path(script, run_name="__main__")' >edit.py
    run "$PYTHON" -B edit.py "$project/scripts/same_results.py"
}
# differs WHAT TEXT LINES...: that edit is a difference, told with TEXT
differs() {
    what=$1 text=$2
    shift 2
    edited "$@"
    ok "$what: told" status 1
    ok '  with its place' out_has "$text"
}

edited
ok 'the same results: status 0' status 0
ok '  and a line for the experiment' out_has 'fig99: 2 runs, all equal'
ok '  and its pictures' out_has '1 picture, all equal'
edited 'changed(run + "manifest.json", "commit", "comment")' 'open(run + "seconds", "w").write("99")'
ok 'times and hosts do not count' status 0
edited 'old = frame["velocity"]; values = old[()]; attributes = dict(old.attrs)' \
    'del frame["velocity"]' 'new = frame.create_dataset("velocity", data=values)' \
    'new.attrs["unit"] = "furlong/fortnight"' 'frame.attrs["version"] = 99'
ok 'other bytes of a frame with the same contents do not count' status 0

velocity='slow/frames/000001.hdf: velocity, row 3: '
differs 'one number in a frame, by its last bit' "$velocity" \
    'import numpy; v = frame["velocity"]; v[3, 1] = numpy.nextafter(v[3, 1], 9)'
ok '  and the run that is the same' out_has 'fig99: 2 runs, 1 equal'
differs 'the sign of a zero' 'slow/frames/000001.hdf: ledger.momentum_x, row 0: 0.0 became -0.0' \
    'names = [n.decode() for n in frame["ledger"].attrs["columns"]]; k = names.index("momentum_x")' \
    'frame["ledger"][:, k] = 0.0; frame.close(); import shutil; shutil.copy(run + "frames/000001.hdf", run.replace("other", "base") + "frames/zero")' \
    'f = h5py.File(run + "frames/000001.hdf", "r+"); f["ledger"][:, k] = -0.0; f.close()' \
    'os.replace("base/results/small/fig99/slow/frames/000001.hdf", "kept.hdf")' \
    'os.replace("base/results/small/fig99/slow/frames/zero", "base/results/small/fig99/slow/frames/000001.hdf")'
mv kept.hdf $run_folder/frames/000001.hdf
differs 'a field that is missing' 'slow/frames/000001.hdf: velocity: only in BASE' 'del frame["velocity"]'
differs 'a frame that is missing' 'slow/frames/000002.hdf: only in BASE' 'os.remove(run + "frames/000002.hdf")'
differs 'a run that is missing' 'slower: only in BASE' 'import shutil; shutil.rmtree(run[:-1] + "er")'
cp -r $run_folder base/results/small/fig99/slow-0.25
differs 'a run whose name ends like a number' 'slow-0.25/bodies.csv: body, row 0: a became c' \
    'changed("other/results/small/fig99/slow-0.25/bodies.csv", "\na,", "\nc,")'
: >base/results/small/fig99/slow-0.25/.lock
same_results base base
ok 'a folder that a script is at work in is no run' out_has 'fig99: 2 runs, all equal'
rm -r base/results/small/fig99/slow-0.25
differs 'an experiment that is new' 'fig98: only in OTHER' 'os.makedirs("other/results/small/fig98/run")'
differs 'a key of the configuration' 'slow/config.yaml: time.end: 0.02 became 0.03' 'changed(run + "config.yaml", "end: 0.02", "end: 0.03")'
differs 'a value in a table' 'slow/bodies.csv: body, row 0: a became c' 'changed(run + "bodies.csv", "\na,", "\nc,")'
differs 'a value of the summary' 'slow/summary.json: ' 'changed(run + "summary.json", "\"steps\": ", "\"steps\": 9")'
differs "a claim's value" 'claims.json: T-1.value: 0.5 became 0.6' 'changed("other/results/small/fig99/claims.json", "0.5", "0.6")'
differs 'a measured value' 'test.tap: T.first: 1.5 became 1.6' 'changed("other/results/small/fig99/test.tap", "1.5", "1.6")'
differs 'a picture' 'fig99.png: other pixels within (1, 2, 2, 3)' \
    'from PIL import Image; i = Image.open("other/paper-figures/fig99.png"); i.putpixel((1, 2), (0, 0, 0)); i.save("other/paper-figures/fig99.png")'
same_results --no-pictures base other
ok '  unless pictures do not count' status 0

# A version that has other names, another order, and one more key.
differs 'a new name' 'slow/bodies.csv: body: only in BASE' 'changed(run + "bodies.csv", "^body", "thing")' \
    'changed(run + "config.yaml", "thrown", "hurled")' 'text = json.load(open(run + "summary.json"))' \
    'text["particle_count"] = text.pop("particles"); text["more"] = 1; json.dump(text, open(run + "summary.json", "w"))' \
    'frame.move("velocity", "speed_vector")' 'l = frame["ledger"]' \
    'l.attrs["columns"] = l.attrs["columns"][::-1]; l[...] = l[()][:, ::-1]'
cat >names <<'END'
# old     new
*/bodies.csv: body      thing
thrown    hurled
*/summary.json: particles particle_count
velo*     speed_vector   # as many * on both sides
END
same_results --renames names base other
ok 'a table of names that is wrong: status 2' status 2
ok '  and where' err_has "names:5: 'velo*     speed_vector' is not a rename"
sed -i 's/^velo.*/*ocity *ocity_new/' names
same_results --renames names base other
ok 'a name that is not in the table is told' out_has 'velocity_new: only in BASE'
sed -i 's|^.ocity.*|*.hdf/velocity: velocity speed_vector|' names
same_results --renames names base other
ok 'a key that is new is told' out_has 'slow/summary.json: more: only in OTHER'
echo '*/summary.json: - more' >>names
same_results --renames names --no-pictures base/results/small other/results/small
ok 'all names in the table: the results are the same' status 0
mkdir -p base/results/paper/fig99 base/results/paper/figures other/results
cp -r $run_folder base/results/paper/fig99
echo fig99.png >base/results/paper/fig99/drawn.txt
cp base/paper-figures/fig99.png base/results/paper/figures
cp -r base/results/paper other/results
same_results --scale paper base other/results/paper
ok 'at the other scale: the results of that scale' out_has 'fig99: 1 run, all equal'
ok '  and its pictures' out_has '1 picture, all equal'
same_results base nowhere
ok 'a folder that there is not: status 2' status 2
finish
