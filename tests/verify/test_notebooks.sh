#!/bin/sh
# The notebooks of configs/examples run from start to end with what make setup installs, and print what is kept in them.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
export OMP_NUM_THREADS=1 PYTHONPATH="$project/scripts" PYTHONDONTWRITEBYTECODE=1 MERGESPLIT_PROGRAMS="$BUILD"
export MPLCONFIGDIR="$PWD/.matplotlib"
cp -r "$project/configs/examples" .
rm -rf examples/notebooks/out

for notebook in examples/notebooks/*.ipynb; do
    name=$(basename "$notebook" .ipynb)
    run "$PYTHON" -B "$project/scripts/notebook.py" check "$notebook"
    ok "$name prints what is kept (scripts/notebook.py write configs/examples/notebooks/*.ipynb keeps it anew)" status 0
done
run "$PYTHON" -B "$project/scripts/notebook.py" check examples/notebooks/first-run.ipynb
ok 'a notebook runs once more in the same place' status 0
sed 's/leaves at [0-9.]* m/leaves at 9.99 m/' examples/notebooks/first-run.ipynb >examples/notebooks/other.ipynb
run "$PYTHON" -B "$project/scripts/notebook.py" check examples/notebooks/other.ipynb
ok 'a number that has changed is noticed' status 1
ok '  and shown' out_has 'leaves at 9.99 m/s.'
sed -n 's/.*0.5 ms: \([0-9]*\) %.*/\1/p' examples/notebooks/sweep.ipynb >kept
ok 'the rebound that backward Euler eats at 0.5 ms is kept by Newmark' awk '{ kept[NR] = $1 } END { exit !(kept[1] < 50 && kept[2] > 90) }' kept
finish
