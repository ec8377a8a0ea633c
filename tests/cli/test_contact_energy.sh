#!/bin/sh
# Contact makes no energy: pairs of contact method and integrator on bodies without damping that spin
# against each other, or hit each other off center or head-on, in steps that do not resolve their waves.
. "$(dirname "$0")/lib.sh"

bodies='materials: {rubber: {model: peridynamics, stiffness: 2e4, horizon: 3}}
gravity: [0, 0, 0]
time: {end: 0.01, frame_interval: 0.01, max_step: 2e-4}'
box='material: rubber, radius: 0.01, shape: {box: {size: [0.12, 0.08, 0.06]}}'
ball='material: rubber, radius: 0.01, density: 1000, shape: {ball: {radius: 0.06}}'
cat >spinners.yaml <<END
name: spinners
$bodies
bodies:
  a: {$box, density: 1000, position: [-0.085, 0, 0], velocity: [3, 0, 0], spin: [0, 0, 40]}
  b: {$box, density: 1500, position: [0.085, 0.04, 0.02], velocity: [-3, 0, 0], spin: [0, 20, 40], lattice_rotation: {axis: [1, 2, 3], degrees: 30}}
END
cat >oblique.yaml <<END
name: oblique
$bodies
bodies:
  left: {$ball, position: [-0.07, 0, 0], velocity: [5, 0, 0]}
  right: {$ball, position: [0.07, 0.004, 0.006], velocity: [-5, 0, 0], lattice_rotation: {axis: [1, 2, 3], degrees: 30}}
END
cat >head-on.yaml <<END
name: head-on
$bodies
bodies:
  left: {$ball, position: [-0.062, 0, 0], velocity: [0.6, 0, 0]}
  right: {$ball, position: [0.062, 0.003, 0.004], velocity: [-0.6, 0, 0]}
END

# gain SCENE SETTING...: prints energy_gain, the gain over the energy that was available
gain() {
    scene=$1
    shift
    rm -rf run && mkdir run
    ms-sample -q -c "$scene.yaml" "$@" -o run/initial.hdf && ms-simulate -q run/initial.hdf -o run 2>run/warnings &&
        ms-analyze run >run/said && sed -n 's/^  "energy_gain": \(.*[0-9]\),\{0,1\}$/\1/p' run/summary.json
}
little() { awk "BEGIN { exit !(\"$1\" != \"\" && $1 + 0 < 1e-3) }"; }

for method in merging-and-splitting impulse implicit-penalty sliding 'sliding -s contact.detection=swept'; do
    for integrator in backward-euler newmark; do
        for scene in spinners oblique head-on; do
            # shellcheck disable=SC2086 # further settings
            found=$(gain $scene -s solver.integrator=$integrator -s contact.method=$method)
            ok "$scene, $method, $integrator: gain $found" little "$found"
        done
    done
done
finish
