#!/bin/sh
# ms-analyze from the outside, on runs of the other programs.
. "$(dirname "$0")/lib.sh"

ball_on_cloth 0.02 >scene.yaml

# simulate FOLDER THREADS OPTION...: a small run.
simulate() {
    folder=$1 threads=$2
    shift 2
    mkdir "$folder"
    ms-sample -c scene.yaml "$@" -o "$folder/initial.hdf" >/dev/null &&
        OMP_NUM_THREADS=$threads ms-simulate "$folder/initial.hdf" -o "$folder" --quiet
}

# ---- usage ----

run ms-analyze --version
ok '--version names the program' out_has 'ms-analyze (mergesplit) '
run ms-analyze --help
ok '--help is no failure' status 0
ok '  and shows the tasks' out_has '--compare A B'
run ms-analyze --fields
ok '--fields is no failure' status 0
for word in position rest_position kinetic penetrated momentum_drift unstable moved_a height_p50 rebound_height rms_16 bending_mean; do
    ok "  and explains $word" grep -q "^ *$word  *[a-zA-Z0-9]" .run/out
done
run sh -c 'ms-analyze --fields >/dev/full'
ok 'output that is lost is status 1' status 1
run ms-analyze
ok 'no argument: status 2' status 2
ok '  and one line' err_is 'ms-analyze: 0 given, but this needs one run folder; see ms-analyze --help'
run ms-analyze --compare a
ok 'one frame to compare: status 2' status 2
run ms-analyze --compare --fields
ok 'two tasks: status 2' status 2
run ms-analyze --shape-distance a b
ok 'a distance without a body: status 2' status 2
ok '  and one line' err_lines 1
run ms-analyze --compare a b -o .
ok 'an output for a comparison: status 2' status 2
run ms-analyze --compare a b --every 2
ok 'fewer rows for a comparison: status 2' status 2
for bad in 0 1.5 -3 1e10; do
    run ms-analyze a --every $bad
    ok "a row for every $bad steps: one line" err_is "ms-analyze: --every: $bad is out of range; give a whole number from 1 to 1000000000; see ms-analyze --help"
done
run ms-analyze --compare a b --quiet
ok '--compare --quiet: one line' err_is 'ms-analyze: --quiet is of no use with --compare, which says nothing else; see ms-analyze --help'
run ms-analyze a b c
ok 'three arguments: status 2' status 2

# ---- bad input ----

run ms-analyze nowhere
ok 'no run folder: status 2' status 2
ok '  and one line' err_is \
    'ms-analyze: nowhere/initial.hdf: cannot be read: No such file or directory; copy there the frame that ms-simulate began with'
mkdir unfinished
ms-sample -c scene.yaml -o unfinished/initial.hdf >/dev/null
run ms-analyze unfinished
ok 'a run without frames: status 2' status 2
ok '  and what is missing' err_has 'unfinished/frames: cannot be read: No such file or directory; '

# ---- a run ----

simulate a 1
run ms-analyze a
ok 'a run is analyzed' status 0
ok '  and says what one looks at first, in twelve lines at most' eval '[ "$(wc -l <.run/out)" -le 12 ]'
ok '  that the run came to its end' out_has 'in 40 steps, ended: complete'
ok '  where its energy went' out_has 'lost        to damping and viscosity'
ok '  whether it was stable' out_has 'unstable    no'
ok '  or, with --quiet, nothing' eval '[ -z "$(ms-analyze --quiet a)" ]'
ok '  a row per step and a header' [ "$(wc -l <a/metrics.csv)" -ge 41 ]
ok '  every row with every column' [ "$(awk -F, '{ print NF }' a/metrics.csv | sort -u | wc -l)" = 1 ]
ok '  the number of steps in the summary' grep -q "\"steps\": $(($(wc -l <a/metrics.csv) - 1))," a/summary.json
ok '  a row per frame and body' [ "$(wc -l <a/bodies.csv)" = 11 ]
ok '  by their names' [ "$(cut -d, -f1 a/bodies.csv | sort -u | tr '\n' ' ')" = 'ball body sheet ' ]
ok '  the ball slows down' awk -F, '$1 == "ball" { if ($11 <= before + 0) bad = 1; before = $11 } BEGIN { before = -5 } END { exit bad }' a/bodies.csv
ok '  a row per frame and sheet' [ "$(cut -d, -f1 a/spectrum.csv | tr '\n' ' ')" = 'sheet sheet sheet sheet sheet sheet ' ]
ok '  the bent sheet has bending modes' awk -F, 'NR > 2 && !($5 > 0 && $5 < $4) { bad = 1 } END { exit bad }' a/spectrum.csv
ok '  no fragments where nothing can break' [ "$(wc -l <a/fragments.csv)" = 1 ]
ok '  their mean in the summary' grep -q '"bending_mean": ' a/summary.json
ok '  what became of each body' grep -q '"rebound_height": ' a/summary.json
ok '  and why it ended' grep -q '"end": "complete"' a/summary.json
ok '  the ledger closes' awk -F': |,' '/"energy_imbalance_relative"/ { found = $2 + 0 < 1e-9 } END { exit !found }' a/summary.json
run "$PYTHON" -c 'import json; json.load(open("a/summary.json"))'
ok '  the summary is JSON to others, too' status 0
cat >.run/config.py <<'END'
import json, re
config = json.load(open("a/summary.json"))["config"]
keys, path = [], []
for line in open("a.yaml"):
    key, _, value = line.strip().partition(":")
    path[(len(line) - len(line.lstrip())) // 2:] = [key]
    if value and value.strip() != "{}":
        keys.append(".".join(path))
        found = config[keys[-1]]
        shown = "[" + ", ".join(map(str, found)) + "]" if isinstance(found, list) else found
        assert str(shown) == value.strip().strip('"') or float(shown) == float(value), (keys[-1], found, value)
assert keys == list(config), (keys, list(config))
assert config["bodies.ball.velocity"][2] < 0 and config["contact.method"] == "merging-and-splitting"
END
ms-sample -c scene.yaml --effective >a.yaml 2>/dev/null
run "$PYTHON" .run/config.py
ok '  and has every value of the effective configuration' status 0
run ms-analyze --tables
ok '  --tables names the tables: all that there are' [ "$(cut -d' ' -f1 .run/out | sort | tr '\n' ' ')" = "$(cd a && ls ./*.csv | sed 's#./##' | grep -v -e timing -e memory | sort | tr '\n' ' ')" ]
mkdir other
run ms-analyze a -o other
ok 'results go to another folder' same a/metrics.csv other/metrics.csv
ok '  all of them' same a/summary.json other/summary.json
ok '  the bodies, too' same a/bodies.csv other/bodies.csv
ok '  and the sheets' same a/spectrum.csv other/spectrum.csv
run ms-analyze a -o new
ok 'a folder that is not there is made' same a/metrics.csv new/metrics.csv
run ms-analyze a -o some --every 7
ok 'a row for every seventh step' status 0
ok '  and the last, each as it was' [ "$(cat some/metrics.csv)" = "$(awk -F, -v last="$(wc -l <a/metrics.csv)" 'NR == 1 || $1 % 7 == 0 || NR == last' a/metrics.csv)" ]
ok '  fewer in all' [ "$(wc -l <some/metrics.csv)" -lt "$(($(wc -l <a/metrics.csv) / 5))" ]
ok '  sums and extremes are those of all steps' same a/summary.json some/summary.json
ok '  other tables have all rows' same a/bodies.csv some/bodies.csv
run ms-analyze a -o none/new
ok '  but not the one around it: status 1' status 1
ok '  and one line' err_is 'ms-analyze: none/new: cannot make the folder: No such file or directory'
if command -v prlimit >/dev/null; then
    run prlimit --fsize=4096 sh -c 'trap "" XFSZ; ms-analyze a -o other'
    ok 'a full disk: status 1' status 1
    ok '  and the old result stays' same a/metrics.csv other/metrics.csv
    ok '  and nothing else' [ "$(ls other)" = "$(ls new)" ]
fi
cp -r a damaged
printf x >>damaged/frames/000002.hdf
run ms-analyze damaged -o other
ok 'a frame with a byte too many: status 2' status 2
ok '  and one line' err_is 'ms-analyze: damaged/frames/000002.hdf: is damaged: its sha256 is not the one written in it; copy it anew, or have it made again'
truncate -s 3000 damaged/frames/000002.hdf
run ms-analyze damaged -o other
ok 'a truncated frame: status 2' status 2
ok '  and which one' err_has 'ms-analyze: damaged/frames/000002.hdf: is damaged: its sha256'
ok '  in one line' err_lines 1
rm damaged/frames/000002.hdf
run ms-analyze damaged -o other
ok 'a missing frame: status 2' status 2
ok '  and where' err_has 'damaged/frames/000003.hdf: step'

# ---- what other programs read ----

cat >.run/index.py <<'END'
import xml.etree.ElementTree, h5py
grids = xml.etree.ElementTree.parse("a/frames.xmf").findall(".//Grid[@GridType='Uniform']")
for grid in grids:
    for item in grid.iter("DataItem"):
        name, dataset = item.text.split(":")
        data = h5py.File("a/" + name)[dataset]
        assert data.shape == tuple(map(int, item.get("Dimensions").split())), item.text
        assert data.dtype.itemsize == int(item.get("Precision")), item.text
        assert float(grid.find("Time").get("Value")) == h5py.File("a/" + name).attrs["time"]
    names = {item.get("Name") for item in grid.iter("Attribute")} | {"position"}
    held = h5py.File("a/" + name)
    assert names == {n for n, d in held.items() if isinstance(d, h5py.Dataset) and
                     d.shape[0] == held["id"].shape[0] and n not in ("ledger", "measure", "deferred", "broken", "link_forces")}, names
print(len(grids))
END
run "$PYTHON" .run/index.py
ok 'the index lists every frame, with what is in it' out_is 5
run "$PYTHON" -c 'import json; json.load(open("a/manifest.json"))'
ok 'the manifest is JSON' status 0

# ---- comparing ----

simulate b 2
run ms-analyze --compare a b
ok 'runs with one and two threads are identical' status 0
ok '  and it says so' out_is identical
run cmp a/frames/000003.hdf b/frames/000003.hdf
ok '  to the byte' status 0
simulate c 1 --set bodies.ball.velocity='[0, 0, -4.001]'
run ms-analyze --compare a c
ok 'another velocity is a difference: status 1' status 1
ok '  in the configuration' out_has 'initial.hdf: config '
ok '  in the initial velocity' out_has 'initial.hdf: velocity differs in '
ok '  in a column of a frame' out_has '000001.hdf: ledger.kinetic differs in '
ok '  and not in what did not change' [ "$(grep -c mass .run/out)" = 0 ]
cp -r a mixed
cp c/initial.hdf mixed
run ms-analyze mixed -o mixed
ok 'an initial frame of another configuration: status 2' status 2
ok '  and the key' err_has 'belongs to another configuration than initial.hdf, in which bodies.ball.velocity is [0, 0, -4.001] instead of '
run ms-analyze --compare a/frames/000001.hdf a/frames/000002.hdf
ok 'two frames: status 1' status 1
ok '  and by how much' out_has 'frame: time differs in 1 entries, the first at 0: max abs 0.005, max rel 0.5'
run ms-analyze --compare a a/initial.hdf
ok 'a run and a frame: status 2' status 2
run ms-analyze --compare a/initial.hdf scene.yaml
ok 'a text: status 2' status 2
ok '  and which one' err_has 'ms-analyze: scene.yaml: opening as an HDF5 file failed'
rm c/frames/000004.hdf
run ms-analyze --compare a c
ok 'a frame that only one has' out_has '000004.hdf: is only in the first'

# ---- distance of shapes ----

run ms-analyze --shape-distance a b --body sheet
ok 'the shapes of identical runs' status 0
ok '  are compared in every frame' out_lines 6
ok '  and have no distance' [ "$(awk -F, 'NR > 1 && ($3 != 0 || $4 != 0)' .run/out)" = '' ]
run ms-analyze --shape-distance a c --body ball
ok 'the shapes of other runs have one' awk -F, 'NR == 5 && $3 > 0 && $3 <= $4 { found = 1 } END { exit !found }' .run/out
ok '  in common frames' out_lines 5
run ms-analyze --shape-distance a c --body bal
ok 'an unknown body: status 2' status 2
ok '  and which there are' err_is "ms-analyze: a: has no body 'bal'; there are ball, sheet"

finish
