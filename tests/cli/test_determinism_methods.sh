#!/bin/sh
# Methods that solve for contact leave the same bytes for 1, 2 and 3 threads, and when a run is stopped and goes on: what
# they remember from step to step is nothing but what frames hold.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END'
name: determinism
seed: 7
time: {end: 0.03, max_step: 1e-3, frame_interval: 0.01}
contact: {stages: 64}
materials:
  cloth: {model: mass-spring, stretch_stiffness: 40, shear_stiffness: 40, bend_stiffness: 20, damping: 2e-4}
  ball: {model: peridynamics, stiffness: 100, critical_stretch: 0.02}
bodies:
  cloth: {material: cloth, radius: 0.01, particle_mass: 8e-3, fixed: rim, shape: {sheet: {cells: [21, 21]}}}
  ball: {material: ball, radius: 0.01, particle_mass: 8e-3, position: [0.003, 0.004, 0.085], velocity: [0, 0, -25], shape: {ball: {radius: 0.06}}}
END

cat >corotated.yaml <<'END'
materials: {ball: {model: corotated, stiffness: ~, critical_stretch: ~, young_modulus: 1e6, poisson_ratio: 0.3}}
bodies: {ball: {velocity: [3, 0, -5]}}
contact: {method: sliding, friction: 0.3}
END

# simulate FOLDER THREADS OPTIONS...
simulate() {
    folder=$1
    export OMP_NUM_THREADS="$2"
    shift 2
    ms-simulate initial.hdf -o "$folder" --quiet "$@"
}

results() {
    (cd "$1" && sha256sum frames/*.hdf)
}

# settings METHOD: what it is run with, as options
settings() {
    case $1 in
    corotated-sliding) echo "--config corotated.yaml" ;;
    swept-*) echo "--set contact.method=${1#swept-} --set contact.detection=swept --set time.courant=2.5" ;;
    kept-*) echo "--set contact.method=${1#kept-} --set position.friction=kept --set contact.friction=0.3 --set position.stiffness=material" ;;
    *) echo "--set contact.method=$1" ;;
    esac
}

# happens METHOD: whether what the run is about took place: bonds broke, or friction took energy
happens() {
    case $1 in
    corotated-sliding) awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k} NR > 1 {sum += $at["friction"]} END {exit !(sum > 0)}' "$1-1/metrics.csv" ;;
    *) grep -q '"broken_bonds": [1-9]' "$1-1/summary.json" ;;
    esac
}

for method in implicit-penalty iterated-impulse corrected-penalty corrected-impulse barrier pressure position-based kept-position-based swept-sliding corotated-sliding swept-merging-and-splitting; do
    # shellcheck disable=SC2046
    ms-sample --config scene.yaml $(settings "$method") -o initial.hdf >/dev/null
    run simulate "$method-1" 1
    ok "$method: a run ends well" status 0
    results "$method-1" >expected
    ok '  and leaves frames' [ "$(wc -l <expected)" -eq 4 ]
    cp initial.hdf "$method-1"
    ms-analyze "$method-1"
    ok '  in which what it is about takes place' happens "$method"
    for threads in 2 3; do
        run simulate "$method-$threads" $threads
        results "$method-$threads" >actual
        ok "  the same bytes with $threads threads" same expected actual
    done
    run simulate "$method-stopped" 1 --until 0.02
    ok '  stops' status 0
    run simulate "$method-stopped" 1 --resume
    ok '  goes on' status 0
    ok '  to the same bytes' same "$method-1/frames/000003.hdf" "$method-stopped/frames/000003.hdf"
done
finish
