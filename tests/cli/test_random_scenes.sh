#!/bin/sh
# Scenes that chance put together: a short version of `make random-scenes`; and what it says of programs with defects.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
"$PYTHON" -c 'import numpy, h5py' 2>/dev/null || lacking_all 'numpy or h5py is missing'
export TMPDIR="$scratch"

# scenes COUNT FIRST
scenes() {
    run "$PYTHON" -B "$project/scripts/random_scenes.py" "$@"
}
scenes 8 1
ok 'eight scenes hold' status 0
ok '  and are counted' out_has 'ok 8 - seed 8, '
ok '  nothing is left of them' [ -z "$(find . -name 'random-scenes-*')" ]

# fake PROGRAM: a build folder in which this program is a script, read from standard input
fake() {
    rm -rf fake
    mkdir fake
    ln -s "$BUILD"/ms-* fake/
    rm "fake/$1"
    { echo '#!/bin/sh' && cat; } >"fake/$1"
    chmod +x "fake/$1"
    export REAL="$BUILD"
    BUILD="$scratch/fake" scenes 1 5
}
fake ms-simulate <<'END_OF_SCRIPT'
"$REAL/ms-simulate" "$@" || exit 1
for last; do :; done
[ "$OMP_NUM_THREADS" != 3 ] || echo >>"$last/frames/000004.hdf"
END_OF_SCRIPT
ok 'a frame that depends on the number of threads: status 1' status 1
ok '  and which one' out_has '# 3 threads: 000004.hdf differs'
ok '  the scene is kept' [ -n "$(find . -path '*/5/scene.yaml')" ]
fake ms-simulate <<'END_OF_SCRIPT'
"$REAL/ms-simulate" "$@" || exit 1
case $* in *--resume*) echo >>"$3/frames/000003.hdf" ;; esac
END_OF_SCRIPT
ok 'a frame that depends on a stop' out_has '# resumed: 000003.hdf differs'
fake ms-analyze <<'END_OF_SCRIPT'
"$REAL/ms-analyze" "$@" || exit 1
"$PYTHON" - "$1/metrics.csv" <<'END'
import csv, sys
with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
rows[3]["energy_imbalance"] = rows[3]["kinetic"]
with open(sys.argv[1], "w", newline="") as file:
    table = csv.DictWriter(file, rows[0])
    table.writeheader()
    table.writerows(rows)
END
END_OF_SCRIPT
ok 'energy that is not accounted for' out_has '# energy_imbalance: '
run "$PYTHON" -B "$project/scripts/random_scenes.py" many
ok 'another word than a number: how it is used' err_has 'usage: random_scenes.py COUNT'
finish
