#!/bin/sh
# Every file and every command of README.md and docs/tutorial.md, and the first commands of docs/programs.md, in a copy of the project, one after the other.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS RUN Y PNG E TESTS SCALE
case $BUILD in "$project/build") ;; *) skip_all 'the tutorial is about the build folder build/' ;; esac
"$PYTHON" -c 'import h5py, matplotlib' 2>/dev/null || skip_all 'there is no h5py or matplotlib'
export OMP_NUM_THREADS=1 JOBS=1
cp -rp "$project/Makefile" "$project/scripts" "$project/src" "$project/tests" "$project/configs" "$project/docs" "$project/README.md" .
cp -rp "$BUILD" build
mkdir experiments paper-figures
cp "$project/experiments/claims.py" experiments/
cp -r "$project/experiments/fig03-solid-solid" experiments/

# The fenced blocks: NNN.sh, a shell's, and NNN.file, with its path in the first line.
awk '/^```/ && !inside { inside = 1; file = sprintf("%03d.%s", ++n, $2 ? "file" : "sh"); print ($2 ? $2 : "# " $1) >file; next }
    /^```/ { inside = 0; next }
    inside { print >file }' "$project/README.md" "$project/docs/tutorial.md"
ok 'the tutorial has commands and files' [ "$(ls ./*.sh | wc -l)" -gt 8 -a "$(ls ./*.file | wc -l)" -gt 4 ]
for block in [0-9]*.sh [0-9]*.file; do echo "$block"; done | sort >blocks
while read -r block; do
    case $block in
    *.file)
        path=$(head -n 1 "$block")
        mkdir -p "$(dirname "$path")" && tail -n +2 "$block" >"$path"
        ok "$path is written" test -s "$path"
        ;;
    *)
        run sh -e "$block" </dev/null
        ok "$(sed -n '2{s/  *#.*//;p}' "$block")" status 0
        ;;
    esac
done <blocks
ok 'the scene of the README has twelve lines' [ "$(wc -l <my/splash.yaml)" -eq 12 ]
run sh -c 'build/ms-sample -q -c my/splash.yaml --set time.end=0.02 -o my/splash.hdf && build/ms-simulate -q my/splash.hdf -o my/splash'
ok '  and runs' status 0
ok 'its picture is there' test -s my/ball/picture.png
ok 'the run is there' test -s my/drop/summary.json -a -s my/drop/at-0.1-s.png
# velocity NAME: of the box at the end, along x
velocity() { awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "velocity_x") column = k } END { print $column }' "my/$1/bodies.csv"; }
ok 'the box stays at 15 degrees and slides at 30 as Coulomb says' \
    awk -v flat="$(velocity flat)" -v steep="$(velocity steep)" 'BEGIN { exit !(flat * flat < 1e-18 && (steep - 0.5 * (4.91 - 0.4 * 8.5)) ^ 2 < 1e-14) }'
ok '  in a picture' test -s my/tilt.png
ok 'the picture of the experiment is drawn' test -s paper-figures/my-drop.png
ok '  and its claim holds' grep -q '"holds": true' results/small/my-drop/claims.json

awk '/^    / { found = 1; print; next } found { exit }' docs/programs.md >programs
ok 'docs/programs.md has commands' [ "$(wc -l <programs)" -gt 4 ]
command -v povray >/dev/null || { echo '# there is no povray'; sed -i 's/ && povray.*//' programs; }
ls | grep -vx before >before
while read -r command; do
    run sh -e -c "$command" </dev/null
    ok "${command%%  *}" status 0
done <programs
ls | grep -vx 'before\|after' >after
ok '... which leave nothing but in my/' same before after
finish
