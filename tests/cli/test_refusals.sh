#!/bin/sh
# Memory that runs out once, anywhere: every program ends with status 1 and a line about it, and leaves no damaged file. At every
# sixteenth of the places where a program asks for memory; tests/verify/test_refusals.sh at all of them (EVERY=1), and for
# all contact methods at every fifth (METHODS=5; tests/faults/refusals.py can do all).
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
! sanitized || skip_all 'a sanitizer allocates memory itself'
"$PYTHON" -c '' 2>/dev/null || lacking_all 'there is no python3'
"${CC:-gcc}" -D_GNU_SOURCE -shared -fPIC -O1 -o refuse.so "$project/tests/faults/refuse.c" || exit 1

ms-sample -q -c "$project/tests/fuzz/scene.yaml" -o initial.hdf || exit 1
ms-simulate -q initial.hdf -o run || exit 1
cp initial.hdf run

# refused WHAT STEP COMMAND...: one refusal a place, and of libraries one in STEP
refused() {
    what=$1 step=$2
    shift 2
    run "$PYTHON" -B "$project/tests/faults/refusals.py" refuse.so --same 0 --every "${EVERY:-16}" -- "$@"
    ok "$what" status 0
    sed 's/^/#   /' .run/out | tail -n 5
    run "$PYTHON" -B "$project/tests/faults/refusals.py" refuse.so --libraries "$step" -- "$@"
    ok '  and no damaged file, whatever a library does without memory' status 0
    sed 's/^/#   /' .run/out | tail -n 5
}
refused 'a scene is sampled' 421 ms-sample -q -c "$project/tests/fuzz/scene.yaml" -o out.hdf
refused 'a run' 809 ms-simulate initial.hdf -q -o out
refused 'its analysis' 809 ms-analyze run -o out
refused 'a section' 421 ms-render-prep run/frames/000002.hdf --section 0,0,1,0 --thickness 1 -o out.csv

two_balls 0.005 >scene.yaml
for layer in "$project"/configs/methods/*.yaml; do
    case $layer in
    *-weak.yaml | *-medium.yaml | *-strong.yaml) continue ;; # only other numbers
    */sliding.yaml) ;;
    *) [ -n "${METHODS:-}" ] || continue ;;
    esac
    ms-sample -q -c scene.yaml -c "$layer" -s time.end=0.01 -o initial.hdf || exit 1
    run "$PYTHON" -B "$project/tests/faults/refusals.py" refuse.so --same 0 --every "${METHODS:-32}" -- ms-simulate initial.hdf -q -o out
    ok "a run with $(basename "$layer" .yaml)" status 0
    sed 's/^/#   /' .run/out | tail -n 5
done
for model in fluid flip; do
    cat >scene.yaml <<END
name: $model
time: {end: 0.004, max_step: 1e-3, frame_interval: 2e-3}
materials: {water: {model: $model}}
bodies: {water: {material: water, radius: 0.02, density: 1000, shape: {box: {size: [0.2, 0.2, 0.2]}}}}
walls: {floor: {keep: outside, position: [0, 0, -0.2], shape: {box: {size: [1, 1, 0.2]}}}}
END
    [ "$model" = flip ] || sed -i 's/model: fluid/&, pressure: 1e3, viscosity: 0.01/' scene.yaml
    ms-sample -q -c scene.yaml -o initial.hdf || exit 1
    [ -z "${METHODS:-}" ] || refused "a run of $model" 809 ms-simulate initial.hdf -q -o out
done
finish
