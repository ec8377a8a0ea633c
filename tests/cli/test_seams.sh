#!/bin/sh
# Tanks of several boxes hold what is in them like one tank of the same shape: nothing feels the seams. A block that slides from one
# section of a channel into the next, with every method of contact; water, of both kinds, and a block in tanks like an L and a U that
# are cut in two ways; and the same tanks as meshes.
. "$(dirname "$0")/lib.sh"
OMP_NUM_THREADS=1
export OMP_NUM_THREADS

# simulated NAME OPTION...: runs NAME.yaml; its tables go to NAME/
simulated() {
    name=$1
    shift
    rm -rf "$name"
    mkdir "$name"
    ms-sample --quiet --config "$name.yaml" "$@" -o "$name/initial.hdf" && ms-simulate --quiet "$name/initial.hdf" -o "$name" &&
        ms-analyze "$name" >/dev/null
}

# alike A B: whether the numbers of both runs' bodies are the same to rounding
alike() {
    paste -d, "$1/bodies.csv" "$2/bodies.csv" | awk -F, '
        { if (NF % 2 || NF < 20) exit 1; n = NF / 2 }
        { for (i = 1; i <= n; i++) { d = $i - $(i + n); if (d < 0) d = -d; if (d > most) most = d } }
        END { if (NR < 2 || most > 1e-7) { print most; exit 1 } }'
}

# cell NAME COLUMN: the number in the last row
cell() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' "$1/bodies.csv"; }

# near NUMBER EXPECTED TOLERANCE
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= e) }'; }

# channel SHAPE: a block slides along it without friction, from x = 0.3 to beyond 0.4
channel() {
    cat <<END
name: channel
gravity: [0, 0, -9.81]
time: {end: 0.2, frame_interval: 0.1, max_step: 1e-3}
materials:
  rubber: {model: peridynamics, stiffness: 500, damping: 1e-4}
bodies:
  block:
    material: rubber
    radius: 0.01
    density: 1000
    position: [0.3, 0, 0.04]
    velocity: [1, 0, 0]
    shape: {box: {size: [0.12, 0.08, 0.08]}}
walls:
  channel:
    keep: inside
    holds: all
    shape: {$1}
END
}
channel 'box: {size: [0.8, 0.3, 0.5], center: [0.4, 0, 0.25]}' >one.yaml
channel 'union: [{box: {size: [0.4, 0.3, 0.5], center: [0.2, 0, 0.25]}}, {box: {size: [0.4, 0.3, 0.5], center: [0.6, 0, 0.25]}}]' >two.yaml
for options in 'merging-and-splitting' 'sliding' 'sliding --set solver.integrator=newmark' 'sliding --set contact.detection=swept' \
    'sliding --set contact.friction=0.2' 'penalty --set contact.stiffness=1e4' 'implicit-penalty --set contact.stiffness=1e4' \
    'sph --set contact.stiffness=1e5' 'impulse' 'iterated-impulse' 'corrected-impulse' 'barrier --set contact.stiffness=1e4' 'none' \
    'none --set solver.integrator=verlet'; do
    # shellcheck disable=SC2086 # words on purpose
    run simulated one --set contact.method=$options
    ok "$options: a block in a channel" status 0
    # shellcheck disable=SC2086
    run simulated two --set contact.method=$options
    ok '  and in one of two sections' status 0
    ok '  does the same' alike one two
    case $options in
    *friction*) ;;
    *) ok '  and keeps its speed' near "$(cell two velocity_x)" 1 1e-3 ;;
    esac
done

# tank MODEL SHAPE: it rests in the tank, which is 0.2 m deep
tank() {
    cat <<END
name: tank
gravity: [0, 0, -9.81]
time: {end: 0.04, frame_interval: 0.04, max_step: 1e-3}
contact: {method: none}
materials:
  matter: $1
bodies:
  inside:
    material: matter
    radius: 0.01
    density: 1000
    shape:
      union:
        - box: {size: [0.08, 0.24, 0.08], center: [0.04, 0.12, 0.04]}
        - box: {size: [0.24, 0.08, 0.08], center: [0.12, 0.04, 0.04]}
walls:
  tank: {keep: inside, holds: all, shape: {$2}}
END
}
along_x='union: [{box: {size: [0.24, 0.08, 0.2], center: [0.12, 0.04, 0.1]}}, {box: {size: [0.08, 0.16, 0.2], center: [0.04, 0.16, 0.1]}}]'
along_y='union: [{box: {size: [0.08, 0.24, 0.2], center: [0.04, 0.12, 0.1]}}, {box: {size: [0.16, 0.08, 0.2], center: [0.16, 0.04, 0.1]}}]'
cut_out='difference: [{box: {size: [0.24, 0.24, 0.2], center: [0.12, 0.12, 0.1]}}, {box: {size: [0.2, 0.2, 0.3], center: [0.18, 0.18, 0.1]}}]'
cat >l.obj <<'END'
# a prism over an L
v 0 0 0
v 0.24 0 0
v 0.24 0.08 0
v 0.08 0.08 0
v 0.08 0.24 0
v 0 0.24 0
v 0 0 0.2
v 0.24 0 0.2
v 0.24 0.08 0.2
v 0.08 0.08 0.2
v 0.08 0.24 0.2
v 0 0.24 0.2
f 4 3 2 1
f 6 5 4 1
f 7 8 9 10
f 7 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
END
for matter in '{model: fluid, pressure: 2e4, viscosity: 2e-3}' '{model: flip}' '{model: peridynamics, stiffness: 500, damping: 1e-4}'; do
    tank "$matter" "$along_x" >along_x.yaml
    tank "$matter" "$along_y" >along_y.yaml
    tank "$matter" "$cut_out" >cut_out.yaml
    tank "$matter" 'mesh: {file: l.obj}' >mesh.yaml
    for name in along_x along_y cut_out mesh; do
        run simulated $name
        ok "$matter in a tank like an L, $name" status 0
    done
    ok '  does not feel where the tank is cut' alike along_x along_y
    ok '  nor that it is a box without a part' alike along_x cut_out
    ok '  nor that it is a mesh' alike along_x mesh
    ok '  and is held: in free fall it would have 0.2 J' near "$(cell along_x kinetic)" 0 0.01
done

sed 's/0\.24 0\.08/0.23 0.08/' l.obj >other.obj
cp other.obj l.obj
run ms-simulate --quiet mesh/initial.hdf -o changed
ok 'a wall whose mesh is no longer what it was is refused' status 2
ok '  in so many words' err_has "mesh file 'l.obj' has digest"
tank '{model: flip}' 'union: [{mesh: {file: l.obj}}, {ball: {radius: 0.1}}]' >part.yaml
run ms-sample --config part.yaml --check
ok 'a wall with a mesh in it' status 2
ok '  is refused' err_has "'walls.tank.shape.union[1]' is a mesh, which is no region of space here"

# u_tank SHAPE: a column of water in one arm of a U falls into the other
u_tank() {
    tank '{model: fluid, pressure: 2e4, viscosity: 2e-3}' "$1" | sed '/^    shape:/,/center: \[0.12/d; s/end: 0.04, frame_interval: 0.04/end: 0.1, frame_interval: 0.1/'
}
u_tank 'union: [{box: {size: [0.08, 0.08, 0.3], center: [0.04, 0.04, 0.15]}}, {box: {size: [0.08, 0.08, 0.08], center: [0.12, 0.04, 0.04]}}, {box: {size: [0.08, 0.08, 0.3], center: [0.2, 0.04, 0.15]}}]' |
    sed 's/^walls:/    shape: {box: {size: [0.08, 0.08, 0.2], center: [0.04, 0.04, 0.1]}}\nwalls:/' >upright.yaml
u_tank 'union: [{box: {size: [0.08, 0.08, 0.22], center: [0.04, 0.04, 0.19]}}, {box: {size: [0.24, 0.08, 0.08], center: [0.12, 0.04, 0.04]}}, {box: {size: [0.08, 0.08, 0.22], center: [0.2, 0.04, 0.19]}}]' |
    sed 's/^walls:/    shape: {box: {size: [0.08, 0.08, 0.2], center: [0.04, 0.04, 0.1]}}\nwalls:/' >lying.yaml
for name in upright lying; do
    run simulated $name
    ok "water in a tank like a U, $name" status 0
done
ok '  does not feel where the tank is cut' alike upright lying
ok '  and goes around the corner' near "$(cell upright max_x)" 0.2 0.08
finish
