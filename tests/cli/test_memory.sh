#!/bin/sh
# How much memory a run will need, as ms-sample says it, against what ms-simulate took; and runs that do not fit.
. "$(dirname "$0")/lib.sh"
! sanitized || skip_all 'a sanitizer takes memory of its own'

cat >fluid.yaml <<'END'
name: fluid
time: {end: 2e-3, max_step: 5e-4, frame_interval: 1e-3}
materials:
  water: {model: fluid, pressure: 1e4, viscosity: 1e-2}
bodies:
  water: {material: water, radius: 0.01, density: 1000, shape: {box: {size: [1, 1, 1]}}}
END
cat >wall.yaml <<'END'
name: wall
time: {end: 2e-5, max_step: 1e-5, frame_interval: 1e-5}
materials:
  plaster: {model: peridynamics, stiffness: 4e4, horizon: 3, critical_stretch: 0.001}
bodies:
  wall: {material: plaster, radius: 0.01, density: 1000, shape: {box: {size: [0.16, 1, 1]}}}
END
cat >both.yaml <<'END'
name: both
time: {end: 2e-3, max_step: 5e-4, frame_interval: 1e-3}
contact: {method: merging-and-splitting}
materials:
  water: {model: fluid, pressure: 1e4, viscosity: 1e-2}
  cloth: {model: mass-spring, stretch_stiffness: 400, shear_stiffness: 400, bend_stiffness: 20}
bodies:
  cloth: {material: cloth, radius: 0.01, density: 1000, fixed: rim, position: [0, 0, -0.42], shape: {sheet: {cells: [61, 61]}}}
  water: {material: water, radius: 0.01, density: 1000, velocity: [0, 0, -1], shape: {box: {size: [1, 1, 0.8]}}}
END

cat >heap.yaml <<'END'
name: heap
time: {end: 2e-3, max_step: 1e-3, frame_interval: 2e-3}
contact: {method: sliding, stages: 8, alpha: 0}
materials:
  gravel: {model: loose}
bodies:
  floor: {material: gravel, radius: 0.01, density: 1000, position: [0, 0, -0.2111], fixed: all, shape: {box: {size: [0.4, 0.4, 0.02]}}}
  heap: {material: gravel, radius: 0.01, density: 1000, jitter: 0.05, shape: {box: {size: [0.4, 0.4, 0.4]}}}
END

cat >plate.yaml <<'END'
name: plate
time: {end: 1e-3, max_step: 1e-3, frame_interval: 1e-3}
contact: {method: sliding, alpha: 0, friction: 0.4}
materials: {stone: {model: rigid}}
bodies:
  plate: {material: stone, radius: 0.05, density: 1000, position: [0, 0, 0.05], shape: {box: {size: [10, 10, 0.1]}}}
  floor: {material: stone, radius: 0.05, density: 1000, fixed: all, position: [0, 0, -0.05], shape: {box: {size: [10, 10, 0.1]}}}
END

cat >cloth.yaml <<'END'
name: cloth
time: {end: 4e-3, max_step: 1e-3, frame_interval: 4e-3}
contact: {method: sliding, alpha: 0, friction: 0.4}
materials:
  cloth: {model: mass-spring, stretch_stiffness: 400, shear_stiffness: 400, bend_stiffness: 20}
  stone: {model: rigid}
bodies:
  cloth: {material: cloth, radius: 0.01, density: 1000, fixed: rim, shape: {sheet: {cells: [86, 86]}}}
  box: {material: stone, radius: 0.01, density: 1000, position: [0, 0, 0.03], shape: {box: {size: [1.6, 1.6, 0.04]}}}
END

# said SCENE...: GB that ms-sample expects
said() {
    ms-sample "$@" | sed -n 's/^memory to simulate: about \(.*\) GB$/\1/p'
}
# fits NAME SCENE...: what a run takes is within a fifth of what was said
fits() {
    name=$1
    shift
    need=$(said "$@" -o "$name.hdf")
    OMP_NUM_THREADS=1 ms-simulate "$name.hdf" -o "$name" -q || exit 1
    run "$PYTHON" -c 'import json, sys
peak, need = json.load(open(sys.argv[1] + "/manifest.json"))["peak_memory_bytes"] / 1e9, float(sys.argv[2])
print(f"# {need:.3g} GB said, {peak:.3g} GB taken")
sys.exit(not 0.8 * need <= peak <= 1.2 * need)' "$name" "$need"
    cat .run/out
    ok "$name: the memory that it takes is what ms-sample said" status 0
}
fits fluid -c fluid.yaml
sed 's/model: fluid.*}/model: flip}/' fluid.yaml >flip.yaml
fits flip -c flip.yaml
fits apic -c flip.yaml -s materials.water.transfer=apic
# a body in water, in a tank
cat >tank.yaml <<'END'
time: {end: 1e-3}
materials: {gravel: {model: loose}}
bodies:
  water: {shape: {box: {size: [1, 1, 0.8]}}}
  block: {material: gravel, radius: 0.01, density: 500, position: [0, 0, 0.55], shape: {box: {size: [0.4, 0.4, 0.3]}}}
walls: {tank: {keep: inside, holds: all, position: [0, 0, 0.1], shape: {box: {size: [1, 1, 1.4]}}}}
END
fits flip-block -c flip.yaml -c tank.yaml -s walls.tank.holds=fluids
sed 's/model: fluid.*}/model: dfsph, viscosity: 1e-2, wall_viscosity: 1e-2}/' fluid.yaml >dfsph.yaml
fits dfsph -c dfsph.yaml -c tank.yaml -s walls.tank.holds=fluids
fits pressure -c dfsph.yaml -c tank.yaml -s contact.method=pressure
fits wall -c wall.yaml
fits explicit -c wall.yaml -s solver.integrator=verlet
fits long-bonds -c wall.yaml -s materials.plaster.horizon=4
fits both -c both.yaml
fits links -c heap.yaml
fits rough-links -c heap.yaml -s contact.friction=0.3
fits touching -c heap.yaml -s contact.detection=discrete
fits plate -c plate.yaml
fits cloth -c cloth.yaml
fits smooth-cloth -c cloth.yaml -s contact.friction=0

# Two fluids are two systems, whose particles may share meta-particles.
sed 's/^bodies:/  oil: {model: fluid, pressure: 1e4, viscosity: 2e-2}\n&/
    s/^\(.*\)water: {material: water\(.*\)\[1, 1, 1\]\(.*\)/\1water: {material: water\2[1, 1, 0.5]\3\n\1oil: {material: oil, position: [0, 0, 0.5]\2[1, 1, 0.5]\3/' \
    fluid.yaml >two.yaml
# more NAME LESS MORE: at least 5 MB of difference
more() {
    ok "$1: $3 GB, more than $2 GB" "$PYTHON" -c 'import sys; sys.exit(not float(sys.argv[2]) >= float(sys.argv[1]) + 0.005)' "$2" "$3"
}
more 'two fluids, of as many particles as one' "$(said -c fluid.yaml -o one.hdf)" "$(said -c two.yaml -o two.hdf)"
# each of a million bonds has a fraction of its constant
verlet='-s solver.integrator=verlet'
# shellcheck disable=SC2086
more 'reduced volumes' "$(said -c wall.yaml $verlet -o whole.hdf)" "$(said -c wall.yaml $verlet -s materials.plaster.volumes=reduced -o reduced.hdf)"

# ---- what does not fit ----

ms-sample -q -c wall.yaml -s materials.plaster.horizon=6 -o dense.hdf || exit 1
run sh -c 'ulimit -v 250000; ms-simulate dense.hdf -o small -q'
ok 'a run that does not fit: status 2' status 2
ok '  one line' err_lines 1
ok '  with both numbers, and what to change' sh -c 'grep -q "^ms-simulate: dense.hdf: 20000 particles and their bonds need about 0.[0-9]* GB of memory, and 0.[0-9]* GB are available; larger particles, a shorter horizon, or a machine with more memory would be right$" .run/err'
ok '  and nothing was written' test ! -e small
run sh -c 'ulimit -v 400000; ms-sample -c fluid.yaml -s bodies.water.radius=0.002 -o large.hdf'
ok 'a body too large to sample: status 2' status 2
ok '  one line' err_lines 1
ok '  with both numbers, and what to change' sh -c 'grep -q "^ms-sample: fluid.yaml:6:.*: body .water. would have about 1.56e+07 particles, which take 3.12 GB only to sample where 0.[0-9]* GB are available; larger particles or a larger machine would be right$" .run/err'
ok '  and nothing was written' test ! -e large.hdf
finish
