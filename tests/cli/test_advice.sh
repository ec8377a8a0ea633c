#!/bin/sh
# What warnings advise in the scenes of examples and of some experiments is taken by ms-sample, and changes the scene.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
"$PYTHON" -c 'import numpy, h5py' 2>/dev/null || lacking_all 'numpy or h5py is missing'
export MERGESPLIT_PROGRAMS="$BUILD" OMP_NUM_THREADS=1

# advice SCENE, with warnings on standard input: prints the settings that they advise; fails if one is refused or in use.
advice() {
    PYTHONPATH=$project/scripts "$PYTHON" -B -c '
import sys
from random_scenes import Wrong, check_advice
from mergesplit import ProgramError
try:
    print(*check_advice(sys.argv[1], sys.stdin.read().splitlines()), sep="\n")
except (Wrong, ProgramError) as fault:
    sys.exit(str(fault))' "$1"
}

# check NAME SCENE SETTING...: two steps of a scene, and what both programs advise
check() {
    name=$1 scene=$2
    shift 2
    mkdir "$name"
    ms-sample -c "$scene" "$@" -s time.end=1e-3 -s time.frame_interval=1e-3 --effective >"$name/scene.yaml" &&
        ms-sample -c "$name/scene.yaml" -o "$name/initial.hdf" >"$name/report" 2>"$name/said" &&
        ms-simulate "$name/initial.hdf" -o "$name" >>"$name/report" 2>>"$name/said"
    ok "$name: a millisecond" [ -f "$name/end.json" ]
    sed -n 's/^ms-[a-z]*: warning: //p; s/^warning: //p' "$name/said" "$name/report" >"$name/warnings"
    advice "$name/scene.yaml" <"$name/warnings" >"$name/advised" 2>"$name/fault"
    ok "  what is advised is taken: $(tr '\n' ' ' <"$name/advised")$(head -n 1 "$name/fault")" [ ! -s "$name/fault" ]
}

for example in ball-on-cloth dam-break fracture jet mesh; do
    check "$example" "$project/configs/examples/$example.yaml"
done
for experiment in ces-beam ces-cantilever fig03-solid-solid ablation-two-balls ablation-sliding; do
    check "$experiment" "$project/experiments/$experiment/scene.yaml"
done
check newton "$project/experiments/ces-beam/scene.yaml" -s time.max_step=0.02 -s materials.rubber.solver=coupled
check bounce "$project/experiments/ablation-two-balls/scene.yaml" -s solver.integrator=backward-euler -s time.max_step=1e-3

ok 'there is advice on integrators' grep -qx 'solver.integrator=newmark' bounce/advised
ok '  on contact' grep -qx 'contact.method=sliding' ball-on-cloth/advised
ok '  on materials' grep -qx 'materials.rubber.solver=coupled' ces-beam/advised
ok '  of both kinds' grep -qx 'materials.rubber.solver=newton' newton/advised
ok '  and on bodies' sh -c 'cat */advised | grep -q "^bodies.*mass_from=volume$"'

echo 'x: contact.method: glue would be right' >wrong
run advice jet/scene.yaml <wrong
ok 'advice that ms-sample refuses is found' err_has "'contact.method' is glue"
echo "x: body \"beam\" is soft; 'solver: prefactored' of its material would be right" >wrong
run advice ces-beam/scene.yaml <wrong
ok '  and what is in use' err_has "'materials.rubber.solver=prefactored' is advised and in use"
finish
