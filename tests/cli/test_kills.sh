#!/bin/sh
# Programs that are killed and started again: a short version of `make kills`; and what it says of programs that write in
# place, or begin anew without a word.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
"$PYTHON" -c '' 2>/dev/null || lacking_all 'there is no python3'
export TMPDIR="$scratch"

run uncounted "$PYTHON" -B "$project/scripts/kills.py" --only ms- --count 10
ok 'ten kills leave no trace' status 0
ok '  and are counted' out_has '10 kills: all results as if there had been none'

# fake PROGRAM: a build folder in which this program is a script, read from standard input
fake() {
    rm -rf fake
    mkdir fake
    ln -s "$BUILD"/ms-* fake/
    rm "fake/$1"
    { echo '#!/bin/sh' && cat; } >"fake/$1"
    chmod +x "fake/$1"
    run uncounted env BUILD="$scratch/fake" REAL="$BUILD" "$PYTHON" -B "$project/scripts/kills.py" --only "$1" --count 20
}
fake ms-sample <<'END_OF_SCRIPT'
"$REAL/ms-sample" "$@" || exit 1
cp initial.hdf "$BUILD/whole"
head -c 3000 "$BUILD/whole" >initial.hdf
sleep 0.2
cp "$BUILD/whole" initial.hdf
END_OF_SCRIPT
ok 'a program that writes in place: status 1' status 1
ok '  and which file was damaged' out_has 'initial.hdf differs from that of an undisturbed command'
fake ms-analyze <<'END_OF_SCRIPT'
[ ! -e tables/begun ] || echo again >>tables/begun
mkdir -p tables && : >>tables/begun
exec "$REAL/ms-analyze" "$@"
END_OF_SCRIPT
ok 'results that depend on an earlier start: status 1' status 1
ok '  and which they are' out_has 'tables/begun differs from that of an undisturbed command'
finish
