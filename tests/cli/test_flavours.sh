#!/bin/sh
# scripts/flavours.py: how the frames of two runs differ, as the table of compilers and flags says it.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
"$PYTHON" -c 'import h5py, numpy' 2>/dev/null || lacking_all 'there is no h5py'
flavours() { run "$PYTHON" -B "$project/scripts/flavours.py" "$@"; }

ball_on_cloth 0.02 >scene.yaml
# made NAME OPTIONS...: a run
made() {
    name=$1
    shift
    mkdir "$name"
    ms-sample -q -c scene.yaml "$@" -o "$name/initial.hdf"
    ms-simulate "$name/initial.hdf" -o "$name" --quiet
}
made one
cp -r one same
made moved --set nudge=1
made shorter --set time.end=0.01

flavours compare one same
ok 'the same bytes' out_is 'to the bit'
flavours compare one moved
ok 'displacements as small as rounding: from the first frame on' out_has 'from 0 s; '
ok '  and how far apart in the end, in radii' grep -qE '; [0-9.e-]+, mean [0-9.e-]+$' .run/out
flavours compare one shorter
ok 'another configuration is not to the bit' sh -c '! grep -q "to the bit" .run/out'
truncate -s 4000 moved/frames/000004.hdf
flavours compare one moved
ok 'a frame that was cut off: one line' err_lines 1
ok '  with its name' err_has 'moved/frames/000004.hdf'
finish
