#!/bin/sh
# What spins: how much of its spin a body loses, and what ms-simulate says beforehand.
. "$(dirname "$0")/lib.sh"

# plate NAME MATERIAL SETTINGS...: a free plate that turns five times, once in 100 steps.
plate() {
    name=$1 material=$2
    shift 2
    cat >"$name.yaml" <<END
name: $name
gravity: [0, 0, 0]
time: {end: 0.5, frame_interval: 0.1, max_step: 1e-3}
materials: {m: $material}
bodies:
  plate: {material: m, radius: 0.02, density: 1000, spin: [0, 0, 62.83185307], shape: {box: {size: [0.32, 0.32, 0.16]}}}
END
    mkdir "$name"
    ms-sample -q -c "$name.yaml" "$@" -o "$name/initial.hdf" &&
        ms-simulate "$name/initial.hdf" -o "$name" 2>"$name/warnings" && ms-analyze "$name"
}
value() { sed -n "s/^  \"$1\": \(.*[0-9]\),\{0,1\}\$/\1/p" "$name/summary.json"; }
below() { awk "BEGIN { exit !($(value "$1") <= $2) }"; }
silent() { ! grep -q 'spin' "$name/warnings"; }

# expected: the percentage in the warning, within a factor of 1.5 of what was lost
expected() {
    said=$(sed -n 's/^ms-simulate: warning: spin: .*will take some \([0-9.]*\) % of its spin.*/\1/p' "$name/warnings")
    awk "BEGIN { q = ($said + 0) / (100 * $(value angular_drift)); exit !(q > 1 / 1.5 && q < 1.5) }"
}

# within_loss: of the energy that was there at the impact; common motion is none of it here
within_loss() {
    awk "BEGIN { f = $(value numerical_dissipation_fraction); exit !(f > 0 && f < 1 - $(value energy_final) / $(value energy_available)) }"
}

bonds='{model: peridynamics, stiffness: 800, damping: 1e-4}'
run plate euler "$bonds"
ok 'bonds with backward Euler' status 0
ok '  keep their spin' below angular_drift 1e-6
ok '  and nothing is said' silent
for stiffness in 80 800 8000; do
    run plate "newmark-$stiffness" "$bonds" --set solver.integrator=newmark --set materials.m.stiffness=$stiffness
    ok "bonds of $stiffness N with Newmark's method lose as much as was said" expected
done
run plate barrier "$bonds" --set contact.method=barrier
ok 'those of a run with the barrier of incremental potential contact keep it' below angular_drift 1e-6
ok '  and nothing is said' silent
run plate corotated '{model: corotated, young_modulus: 1e6, poisson_ratio: 0.25}'
ok 'corotated solids keep their spin' below angular_drift 1e-6
ok '  and nothing is said' silent
run plate parts '{model: corotated, young_modulus: 1e6, poisson_ratio: 0.25, solver: prefactored}'
ok '  those of Algorithm 1 lose as much as was said' expected
for material in '{model: rigid}' "$bonds"; do
    model=$(echo "$material" | sed 's/{model: \([a-z]*\).*/\1/')
    run plate "positions-$model" "$material" --set contact.method=position-based --set bodies.plate.spin=[0,0,20]
    ok "$model, position-based, loses as much as was said" expected
done
run plate verlet "$bonds" --set solver.integrator=verlet
ok 'the explicit step' below angular_drift 1e-6
ok '  loses none' silent

# Six times as fast: steps are so short that it keeps its spin, unless it does not feel contact with itself.
fast="--set bodies.plate.spin=[0,0,600] --set time.end=0.05"
stiff=materials.m.stiffness=8e5
for material in "$bonds" '{model: corotated, young_modulus: 1e8, poisson_ratio: 0.25}'; do
    model=$(echo "$material" | sed 's/{model: \([a-z]*\).*/\1/')
    [ "$model" = corotated ] && stiff=materials.m.young_modulus=1e8
    # shellcheck disable=SC2086 # several words
    run plate "near-$model" "$material" $fast --set $stiff
    ok "$model, 0.1 rad in a step: nothing is said" silent
    # shellcheck disable=SC2086 # several words
    run plate "far-$model" "$material" $fast --set $stiff --set bodies.plate.self_contact=ignored
    ok "$model, 0.6 rad in a step: a warning" grep -q 'spin: body "plate" turns by 0.6 rad in a step of 0.001 s, .*; steps below 0.00079 s keep it' "far-$model/warnings"
    ok '  and spin is lost' eval '! below angular_drift 0.2'
    # shellcheck disable=SC2086 # several words
    run plate "short-$model" "$material" $fast --set $stiff --set bodies.plate.self_contact=ignored --set time.max_step=7.9e-4
    ok '  in such steps nothing is said' silent
    ok '  and it is kept' below angular_drift 1e-6
done

# Two plates that roll on each other and part. What spins on is not dissipated, however long it spins.
cat >gears.yaml <<END
name: gears
gravity: [0, 0, 0]
time: {end: 0.3, frame_interval: 0.1, max_step: 1e-3}
contact: {method: sliding}
materials: {m: {model: peridynamics, stiffness: 800}}
bodies:
  a: {material: m, radius: 0.02, density: 1000, spin: [0, 0, -60], velocity: [1.5, 0, 0], position: [-0.25, 0, 0], shape: {box: {size: [0.32, 0.32, 0.12]}}}
  b: {material: m, radius: 0.02, density: 1000, spin: [0, 0, 60], velocity: [-1.5, 0, 0], position: [0.25, 0.05, 0], shape: {box: {size: [0.32, 0.32, 0.12]}}}
END
name=gears
mkdir gears
run eval 'ms-sample -q -c gears.yaml -o gears/initial.hdf && ms-simulate gears/initial.hdf -o gears && ms-analyze gears'
ok 'plates that spin on after an impact' status 0
ok "  dissipated $(value numerical_dissipation_fraction) of the energy, no more than they lost" within_loss
finish
