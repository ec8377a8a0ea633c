#!/bin/sh
# A jet that keeps coming and leaves again, through all four programs.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END'
name: jet
gravity: [0, 0, 0]
time: {end: 0.1, frame_interval: 0.0125}
materials:
  water: {model: fluid, pressure: 2e4, viscosity: 0.02}
  cloth: {model: mass-spring, stretch_stiffness: 40, shear_stiffness: 20, bend_stiffness: 20, damping: 1e-4}
bodies:
  cloth: {material: cloth, radius: 0.01, particle_mass: 8e-3, fixed: rim, position: [0, 0, -0.1], shape: {sheet: {cells: [11, 11]}}}
  jet:
    material: water
    radius: 0.01
    density: 1000
    velocity: [0, 0, -4]
    position: [0, 0, 0.15]
    inlet: {point: [0, 0, 0]}
    shape: {box: {size: [0.08, 0.08, 0.36]}}
outlets:
  low: {position: [0, 0, -0.5], shape: {box: {size: [2, 2, 0.5]}}}
  side: {shape: {difference: [{cylinder: {radius: 1, height: 0.8}}, {cylinder: {radius: 0.06, height: 0.81}}]}}
END
run ms-sample -c scene.yaml -o initial.hdf
ok 'a jet is sampled' status 0
run ms-simulate initial.hdf -o straight --quiet
ok '  and simulated' status 0
cp initial.hdf straight
run ms-analyze straight
ok '  and analyzed' status 0
# value KEY: of the summary
value() { sed -n "s/^ *\"$1\": \\([-+.0-9e]*\\).*/\\1/p" straight/summary.json | head -n 1; }
# between KEY LOW HIGH
between() { awk -v x="$(value "$1")" 'BEGIN { exit !(x != "" && x >= '"$2"' && x <= '"$3"') }'; }
ok 'particles do not change in number' between particles 409 409
# 16 particles of 8 g in a layer; 0.4 m of the jet would pass in the time, but its column is 0.36 m
# long, of which 0.33 m are upstream
ok 'all that was upstream came in' between inlet_mass 2.0479 2.0481
ok '  with its kinetic energy, and a little work of who is pushed back' between inlet_energy 16 20
ok 'some left' between outlet_mass 0.2 2
ok 'the ledger closes' between energy_imbalance_relative 0 1e-12
ok 'nothing comes from nowhere' between energy_gain 0 0.5

# ---- going on ----
for kept in 1 5; do
    mkdir -p again$kept/frames
    for number in 0 1 2 3 4 5; do
        [ $number -gt $kept ] || cp straight/frames/00000$number.hdf again$kept/frames
    done
    run ms-simulate initial.hdf -o again$kept --resume --quiet
    ok "a run goes on from frame $kept" status 0
    for number in 2 4 6 8; do
        ok "  frame $number has the same bytes" same straight/frames/00000$number.hdf again$kept/frames/00000$number.hdf
    done
done
run env OMP_NUM_THREADS=2 ms-simulate initial.hdf -o two --quiet
ok 'two threads, the same bytes' same straight/frames/000008.hdf two/frames/000008.hdf

# ---- what is drawn ----
drawn() { # FRAME [OPTION]: spheres of the jet, which come after those of the cloth
    ms-render-prep straight/frames/00000$1.hdf --spheres $2 | sed '1,/^texture/d' | grep -c '^sphere'
}
ok 'at first nothing but what is downstream is drawn' [ "$(drawn 0)" -eq 32 ]
ok '  all of it on demand' [ "$(drawn 0 --prescribed)" -eq 288 ]
ok 'at the end, what has not left' [ "$(drawn 8)" -lt 288 ]
ok '  even on demand' [ "$(drawn 8 --prescribed)" -eq "$(drawn 8)" ]
run ms-render-prep straight/frames/000000.hdf --section 1,0,0,0.01 --thickness 0.015
ok 'a section shows no more' out_lines "$(ms-render-prep straight/frames/000000.hdf --section 1,0,0,0.01 --thickness 0.015 --prescribed | awk -F, 'NR == 1 || $6 != "jet" || $3 < 0' | wc -l)"

# ---- bad input ----
# refused WHAT SETTING MESSAGE
refused() {
    run ms-sample -c scene.yaml --set "$2" -o bad.hdf
    ok "$1: status 2" status 2
    ok '  and why' err_has "$3"
    ok '  in one line' err_lines 1
}
refused 'an inlet of cloth' 'bodies.cloth.inlet={point: [0, 0, 0]}' "'bodies.cloth.inlet' is for fluids"
refused 'an inlet at rest' 'bodies.jet.velocity=[0, 0, 0]' ":1:21: 'bodies.jet' has an inlet, but its velocity is zero; give"
refused 'an inlet that spins' 'bodies.jet.spin=[0, 0, 1]' ":1:17: 'bodies.jet' has an inlet, which moves straight on, and a spin; leave"
refused 'an inlet upstream of everything' 'bodies.jet.inlet.point=[0, 0, 1]' ":1:24: no particle of 'jet' is upstream of its inlet"
refused 'an outlet around the inlet' 'outlets.low.position=[0, 0, -0.2]' "scene.yaml:18:8: outlet 'low' holds the inlet of 'jet'"
refused 'an outlet in the fluid' 'outlets.low.position=[0, 0, 0.4]' "scene.yaml:18:8: outlet 'low' holds particles of 'jet' at the start"
refused 'an outlet that is a sheet' 'outlets.low.shape={sheet: {cells: [3, 3]}}' "'outlets.low.shape' is a sheet, which is no region"
refused 'an outlet of another shape' 'outlets.low.shape={bowl: {radius: 1, thickness: 2, height: 1}}' "'outlets.low.shape.bowl.thickness'"
refused 'an outlet turned half' 'outlets.low.rotation={degrees: 3}' "'outlets.low.rotation' has no axis"
refused 'cloth under the inlet' 'bodies.cloth.position=[0, 0, -0.02]' "bodies 'cloth' and 'jet' overlap at the start"
tank='shape: {box: {size: [1, 1, 0.5]}}, keep: inside' # its top is 0.25 m above its middle
refused 'an inlet into a wall' "walls.tank={$tank, position: [0, 0, -0.26]}" "scene.yaml:15:20: 'jet' flows into wall 'tank', at (-0.03, -0.03, 0) m; an inlet"
refused 'an inlet right behind a wall' "walls.tank={$tank, position: [0, 0, -0.217]}" "'jet' passes wall 'tank' 0.035 m before its inlet"
run ms-sample -c scene.yaml --set "walls.tank={$tank, position: [0, 0, -0.21]}" -o walled.hdf
ok 'an inlet four radii behind a wall is right' status 0
ok 'nothing is left behind' [ ! -e bad.hdf ]
finish
