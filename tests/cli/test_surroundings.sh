#!/bin/sh
# Where and as whom the programs run: a disk that is full for a while, a folder that may not be written to, a mask of permissions, a
# language with a decimal comma, names with blanks, quotes and accents. The results are the same bytes, or one line says
# why there are none.
. "$(dirname "$0")/lib.sh"

ball_on_cloth 0.02 >scene.yaml
ms-sample -q -c scene.yaml -o initial.hdf && ms-simulate -q initial.hdf -o run || exit 1
cp initial.hdf run
ms-analyze run -o tables || exit 1

# same_run FOLDER: the frames and the end of the undisturbed run
same_run() { diff -r run/frames "$1/frames" >/dev/null && cmp -s run/end.json "$1/end.json" && cmp -s run/frames.xmf "$1/frames.xmf"; }

# ---- a disk that is full ----

# Everything in a mount namespace of its own, which ends with it: the disk has room for two frames, and later for all.
frame_bytes=$(wc -c <run/frames/000001.hdf)
cat >.run/full.sh <<'END_OF_SCRIPT'
mkdir disk
mount -t tmpfs -o size="$((3 * ($1 + 8192)))" none disk || exit 99
ms-simulate -q initial.hdf -o disk/run 2>full.err
echo $? >full.status
ls disk/run/frames >full.frames
find disk -name '*.tmp-*' >full.left
cat /dev/zero >disk/other 2>/dev/null
for program in "ms-sample -q -c scene.yaml" "ms-render-prep run/frames/000001.hdf --section 0,1,0,0 --thickness 0.1" \
    "ms-render-prep run/frames/000001.hdf --preview"; do
    $program -o disk/file 2>>full.programs
    echo "status $?" >>full.programs
done
ms-analyze run -o disk/tables 2>>full.programs
echo "status $?" >>full.programs
find disk -type f ! -name other ! -path 'disk/run/*' >full.files
rm disk/other
mount -o remount,size=64m disk
ms-simulate -q initial.hdf -o disk/run --resume 2>full.resumed
cp -r disk/run after
END_OF_SCRIPT
if unshare -m true 2>/dev/null; then
    run unshare -m sh .run/full.sh "$frame_bytes"
    ok 'a disk for two frames: status 1' [ "$(cat full.status)" = 1 ]
    ok '  in one line' [ "$(wc -l <full.err)" = 1 ]
    ok '  with the cause, and what is kept' grep -qE 'No space left on device.*; frames up to number [0-9]+ are kept in disk/run/frames' full.err
    ok '  no half file is left' test ! -s full.left
    ok 'other programs on a full disk: one line and status 1 each' [ "$(grep -c 'No space left on device' full.programs) $(grep -c '^status 1$' full.programs) $(wc -l <full.programs)" = '4 4 8' ]
    sed 's/^/#   /' full.programs
    ok '  and no file' test ! -s full.files
    ok 'once there is room, --resume goes on' test ! -s full.resumed
    ok '  to the same bytes' same_run after
else
    skip 'no mount namespace' 'a disk that is full'
fi

# ---- a folder that may not be written to ----

mkdir locked
chmod 555 locked
# as COMMAND...: as somebody who is not root
as() {
    if [ "$(id -u)" = 0 ]; then
        chmod a+rx . && uncounted setpriv --reuid=65534 --regid=65534 --clear-groups env PATH="$PATH" "$@"
    else
        "$@"
    fi
}
if [ "$(id -u)" != 0 ] || as "$BUILD/ms-sample" --version >/dev/null 2>&1; then
    chmod a+r scene.yaml initial.hdf
    run as "$BUILD/ms-sample" -q -c scene.yaml -o locked/x.hdf
    ok 'a folder that may not be written to: status 1' status 1
    ok '  and one line' err_is 'ms-sample: locked/x.hdf: cannot be written: Permission denied'
    run as "$BUILD/ms-simulate" -q initial.hdf -o locked
    ok 'a run there: status 1' status 1
    ok '  and one line' err_lines 1
    ok '  with the cause' err_has 'Permission denied'
    run as "$BUILD/ms-analyze" run -o locked/tables
    ok 'an analysis: status 1' status 1
    ok '  and one line' err_lines 1
    cp scene.yaml secret.yaml
    chmod 000 secret.yaml
    run as "$BUILD/ms-sample" -q -c secret.yaml --check
    ok 'a scene that may not be read: status 2' status 2
    ok '  and one line' err_is 'ms-sample: secret.yaml:1:1: cannot be read: Permission denied; give the path of a YAML file'
    chmod 600 secret.yaml
else
    skip 'the programs are where only root may go' 'a folder that may not be written to'
fi
ok 'nothing is in it' test -z "$(ls locked)"

# ---- permissions, language, names ----

(umask 077 && ms-sample -q -c scene.yaml -o private.hdf && ms-simulate -q private.hdf -o private) || exit 1
ok 'a mask of permissions holds for every file' test -z "$(find private private.hdf -perm /077)"
ok '  and the results are the same' same_run private

if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" >/dev/null 2>&1; then
    # the C library itself loses the text of LOCPATH, which the address sanitizer would report
    ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" LOCPATH=$scratch LC_ALL=de_DE.UTF-8 sh -ec 'ms-sample -q -c scene.yaml -o german.hdf
        ms-simulate -q german.hdf -o german
        cp german.hdf german/initial.hdf
        ms-analyze german -o german-tables' || exit 1
    ok 'a language with a decimal comma: the same run' same_run german
    ok '  and the same tables' diff -r tables german-tables
else
    lacking 'no locale with a decimal comma can be made' 'a language with a decimal comma'
fi

odd="it's a \"folder\" of \$HOME; é & <co>"
mkdir "$odd"
cp scene.yaml "$odd/my scene.yaml"
run sh -ec 'cd "$1"
    ms-sample -q -c "my scene.yaml" -o "./-initial state.hdf"
    ms-simulate -q "./-initial state.hdf" -o "a run"
    cp "./-initial state.hdf" "a run/initial.hdf"
    ms-analyze "a run" -o "its tables"
    ms-render-prep "a run/frames/000001.hdf" --section 0,1,0,0 --thickness 0.1 -o "a section.csv"' sh "$odd"
ok 'names with blanks, quotes and accents: status 0' status 0
ok '  and the same results' same_run "$odd/a run"
ok '  and tables' diff -r tables "$odd/its tables"
ok '  and what quotes them is still JSON' "$PYTHON" -c 'import json, sys; json.load(open(sys.argv[1]))' "$odd/a run/manifest.json"
run ms-sample -q -c "$odd/no such
scene.yaml" --check
ok 'a name of two lines: one line says that it is not there' err_lines 1
finish
