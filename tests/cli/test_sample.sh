#!/bin/sh
# ms-sample from the outside: exit statuses, messages, and what it writes.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END'
name: test   # a comment
time: {end: 0.1, frame_interval: 1e-2}
materials:
  cloth: {model: mass-spring, stretch_stiffness: 40, shear_stiffness: 20, bend_stiffness: 20}
  ball: {model: peridynamics, stiffness: 100}
bodies:
  sheet: {material: cloth, radius: 0.01, particle_mass: 8e-3, fixed: rim, shape: {sheet: {cells: [11, 12]}}}
  ball: {material: ball, radius: 0.01, density: 1000, position: [0, 0, 0.2], shape: {ball: {radius: 0.05}}}
END

# ---- usage ----

run ms-sample --version
ok '--version names the program' out_has 'ms-sample (mergesplit) '
run ms-sample --help
ok '--help is no failure' status 0
ok '  and shows the options' out_has '--config=FILE'
run ms-sample --usage
ok '--usage is no failure' status 0
run ms-sample --help-config
ok '--help-config is no failure' status 0
ok '  and shows the keys' out_has 'contact.alpha'
run ms-sample --help-config bend_
ok '--help-config WORD explains the keys with the word' [ "$(grep -c '^  [a-z]' .run/out)" = 1 ]
ok '  in their names' out_has '  materials.<name>.bend_stiffness'
ok '  and nothing else' out_lines 3
run ms-sample --help-config=COULOMB
ok '  or in their meanings, in capitals or not' out_has '  contact.friction'
run ms-sample --help-config verlet
ok '  or among the words of a choice' out_has '  solver.integrator'
run ms-sample --help-config contact.
ok '  or all keys of a group' [ "$(grep -c '^  contact\.' .run/out)" -gt 10 ]
run ms-sample --help-config nothing-of-this
ok '  a word that no key has: status 2' status 2
ok '  in one line' err_is "ms-sample: --help-config: no key has 'nothing-of-this' in its name or meaning; --help-config alone prints all"
run ms-sample --help-config bend stretch
ok '  two words: status 2' status 2
for option in --help --version --usage --help-config '--effective -c scene.yaml' '--check -c scene.yaml'; do
    # shellcheck disable=SC2086,SC2016 # options are words; the inner shell expands $*
    run sh -c 'ms-sample $* >/dev/full' sh $option
    ok "$option: output that is lost is status 1" status 1
    ok '  and one line' err_is 'ms-sample: standard output: No space left on device'
done
run ms-sample
ok 'no arguments: status 2' status 2
ok '  and one line' err_lines 1
run ms-sample --nonsense
ok 'an unknown option: status 2' status 2
ok '  and one line' err_is "ms-sample: unrecognized option '--nonsense'"
run ms-sample -c scene.yaml -o x.hdf more
ok 'a positional argument: status 2' status 2
ok '  and one line' err_is "ms-sample: unexpected argument 'more'; see ms-sample --help"
run ms-sample -c scene.yaml -o
ok 'an option without its value: status 2' status 2
run ms-sample -c scene.yaml
ok 'no task: status 2' status 2
run ms-sample -o x.hdf
ok 'no configuration: status 2' status 2
ok '  and one line' err_is 'ms-sample: no configuration; give --config FILE; see ms-sample --help'
run ms-sample -c scene.yaml --check -o x.hdf
ok 'two tasks: status 2' status 2
ok 'nothing was written by any of these' only scene.yaml

# ---- bad input ----

run ms-sample -c none.yaml -o x.hdf
ok 'a configuration that is not there: status 2' status 2
ok '  and one line with the way out' err_is \
    'ms-sample: none.yaml:1:1: cannot be read: No such file or directory; give the path of a YAML file'
run ms-sample -c scene.yaml --set bodies.ball.raduis=1 --set seed=-1 -o x.hdf
ok 'wrong settings: status 2' status 2
ok '  each with its column' err_has \
    "ms-sample: --set bodies.ball.raduis=1:1:13: unknown key 'raduis'; did you mean 'radius'?"
ok '  all of them' err_has \
    "ms-sample: --set seed=-1:1:6: 'seed' is -1, which is negative; give a whole number from 0"
ok '  and nothing else' err_lines 2
run ms-sample -c scene.yaml --set bodies.ball.position='[0, 0, 0.01]' -o x.hdf
ok 'bodies that overlap: status 2' status 2
ok '  and one line' err_lines 1
{
    two_balls 1
    echo 'walls: {tank: {keep: inside, shape: {box: {size: [1, 1, 1]}}}}'
} | sed -e 's/rubber: .*/oil: {model: flip}\n  sea: {model: flip, blend: 0.5}/' -e 's/a: {material: rubber/a: {material: oil/' \
    -e 's/b: {material: rubber/b: {material: sea/' >fluids.yaml
run ms-sample -c fluids.yaml -o x.hdf
ok 'two FLIP fluids of different settings: status 2' status 2
ok '  and one line with their place' err_is "ms-sample: fluids.yaml:5:29: 'materials.sea.blend' is 0.5, but 'oil', which is flip too, has 0.97, \
and materials of this model are one system; give both the same"
run ms-sample -c fluids.yaml -s materials.oil.blend=0.5 --check
ok '  of the same settings: status 0' status 0
rm fluids.yaml
# Under corrections of positions fluids are kept apart by their density, not as particles, which jitter may bring nearer.
cat >fluids.yaml <<'END'
name: two
time: {end: 0.1, max_step: 1e-2, frame_interval: 0.1}
materials: {water: {model: fluid, pressure: 1e4, viscosity: 1e-6}, oil: {model: fluid, pressure: 1e4, viscosity: 1e-6}}
bodies:
  sea: {material: water, radius: 0.01, density: 1000, jitter: 0.1, shape: {box: {size: [0.2, 0.2, 0.2]}}}
  oil: {material: oil, radius: 0.01, density: 900, jitter: 0.1, position: [0, 0, 0.2], shape: {box: {size: [0.2, 0.2, 0.2]}}}
contact: {method: position-based}
END
run ms-sample -c fluids.yaml --check
ok 'fluids of one density, touching as jitter has them: status 0' status 0
run ms-sample -c fluids.yaml -s 'bodies.oil.position=[0, 0, 0.1]' --check
ok '  half in each other: status 2' status 2
ok '  with what separates them' err_has "bodies 'oil' and 'sea' overlap at the start"
run ms-sample -c fluids.yaml -s 'bodies.oil.position=[0.01, 0.01, 0.01]' --check
ok '  in one place, with each particle between eight: status 2' status 2
run ms-sample -c fluids.yaml -s bodies.sea.jitter=0 -s bodies.oil.jitter=0 -s 'bodies.oil.position=[0, 0, 0.199]' --check
ok '  without jitter, by a tenth of a radius: status 2' status 2
rm fluids.yaml
run ms-sample -c scene.yaml --set bodies.ball.fixed=all --set bodies.sheet.fixed=all -o x.hdf
ok 'nothing that moves: status 2' status 2
ok '  and one line' err_lines 1
run ms-sample -c scene.yaml --set bodies.ball.shape.ball.radius=1e-4 \
    --set bodies.ball.shape.ball.center='[0.01, 0, 0]' -o x.hdf
ok 'a body without particles: status 2' status 2
ok '  and one line' err_lines 1
run ms-sample -c scene.yaml --set bodies.ball.shape.mesh.file=none.obj -o x.hdf
ok 'a mesh that is not there: status 2' status 2
ok '  and one line' err_is "ms-sample: --set bodies.ball.shape.mesh.file=none.obj:1:29: mesh file \
'none.obj' cannot be read: No such file or directory; give the path of a mesh"
ok 'nothing was written by any of these' only scene.yaml
run ms-sample -c scene.yaml -o none/x.hdf
ok 'a folder that is not there: status 1' status 1
ok '  and one line' err_lines 1

# ---- work ----

run ms-sample -c scene.yaml --check
ok '--check passes' status 0
ok '  and reports each body' out_has 'sheet                           132'
ok '  and writes nothing' only scene.yaml
run ms-sample -c scene.yaml -o a.hdf
ok 'a state is written' status 0
ok '  and nothing else' only a.hdf scene.yaml
ok '  without a word on standard error' err_lines 0
run ms-sample -q -c scene.yaml -o b.hdf
ok '--quiet is quiet' out_lines 0
ok '  and changes nothing' same a.hdf b.hdf
run ms-sample --effective -c scene.yaml
ok '--effective passes' status 0
cp .run/out effective.yaml
run ms-sample --effective -c effective.yaml
ok '  and reads back to itself' same .run/out effective.yaml
run ms-sample -q -c effective.yaml -o b.hdf
ok '  and makes the same state' same a.hdf b.hdf
run ms-sample -q -c scene.yaml -s seed=2 -o b.hdf
ok 'another value makes another state' differ a.hdf b.hdf
echo 'seed: 2' >layer.yaml
run ms-sample -q -c scene.yaml -c layer.yaml -o c.hdf
ok 'a layer does what a setting does' same b.hdf c.hdf

# ---- meshes ----

mkdir meshes
cat >meshes/corner.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
END
cat >meshes/corner.yaml <<'END'
bodies: {ball: {shape: {mesh: {file: corner.obj, scale: 0.2}}, position: [0, 0, 0.1]}}
END
run ms-sample -q -c scene.yaml -c meshes/corner.yaml -o m.hdf
ok 'a mesh is found beside the configuration that names it' status 0
run ms-sample --effective -c scene.yaml -c meshes/corner.yaml
ok '  the effective configuration has its path' out_has 'file: "meshes/corner.obj"'
ok '  and its digest' out_has 'digest: "fnv64-'
mkdir elsewhere
cp .run/out elsewhere/effective.yaml
run ms-sample --effective -c elsewhere/effective.yaml
ok '  and reads back to itself, wherever it lies' same .run/out elsewhere/effective.yaml
run ms-sample -q -c elsewhere/effective.yaml -o n.hdf
ok '  and makes the same state' same m.hdf n.hdf
run ms-sample -c scene.yaml -c meshes/corner.yaml -s bodies.ball.shape.mesh.scale=1e6 -o o.hdf
ok 'a mesh in other units than meters: status 2' status 2
ok '  with its size and the key' err_has 'm with a scale of 1e+06 m per unit of its file: for a file in millimetres, scale: 0.001 is right'
# The box around the corner is [0, 1]^3 units of its file: a scale of 0.2, and its middle at half of that, whatever the units are.
fit='bodies: {ball: {shape: {mesh: {file: corner.obj, fit: 0.2, recenter: box, center: [0, 0, 0.3]}}, position: [0, 0, 0.1]}}'
echo "$fit" >meshes/fit.yaml
sed 's/^\(v.*\) 1/\1 1000/; s/^v 1 0 0/v 1000 0 0/' meshes/corner.obj >meshes/small.obj
run ms-sample -q -c scene.yaml -c meshes/corner.yaml -s 'bodies.ball.shape.mesh.center=[-0.1, -0.1, 0.2]' -s bodies.ball.shape.mesh.relative_to=config -o n.hdf
run ms-sample -q -c scene.yaml -c meshes/fit.yaml -o p.hdf
ok 'a mesh is made to fit a size, its middle where it should be' same n.hdf p.hdf
run ms-sample --effective -c scene.yaml -c meshes/fit.yaml -s bodies.ball.shape.mesh.file=meshes/small.obj
ok '  a file in millimeters, too' out_has 'scale: 0.0002'
ok '  and the effective configuration has no more but scale and center' sh -c "grep -q 'center: \[-0.1, -0.1, 0.2\]' .run/out && ! grep -Eq 'fit|recenter' .run/out"
run ms-sample -c scene.yaml -c meshes/fit.yaml --check
ok '  and the place is printed' out_has '[-0.1, 0.08] x [-0.1, 0.08] x [0.3, 0.48]'
run ms-sample -c scene.yaml -c meshes/fit.yaml -s bodies.ball.shape.mesh.scale=1 -o x.hdf
ok 'a size and a scale: status 2' status 2
ok '  and one line' err_is 'ms-sample: meshes/fit.yaml:1:55: a mesh has a scale or a size to fit, not both; leave one out'
{
    cat meshes/corner.obj
    echo 'f 1 1 2'
} >meshes/line.obj
run ms-sample -c scene.yaml -c meshes/corner.yaml -s bodies.ball.shape.mesh.file=meshes/line.obj --check
ok 'a mesh with a triangle without area' status 0
ok '  in a line' out_has 'ball: triangles without area, left out of its mesh: 1'
sed '$d' meshes/corner.obj >meshes/open.obj
run ms-sample -c scene.yaml -c meshes/corner.yaml -s bodies.ball.shape.mesh.file=meshes/open.obj -o o.hdf
ok 'an open mesh: status 2' status 2
ok '  and one line' err_lines 1
ok '  with the place where it was asked for' err_has 'bodies.ball.shape.mesh.file=meshes/open.obj:1:'
echo '# changed' >>meshes/corner.obj
run ms-sample -q -c elsewhere/effective.yaml -o o.hdf
ok 'a mesh that has changed since: status 2' status 2
ok '  and one line' err_lines 1
ok '  and nothing written' test ! -e o.hdf
run ms-sample -q -c scene.yaml -o none/x.hdf
ok 'a folder that is not there: status 1' status 1
ok '  and the way out' err_is \
    'ms-sample: none/x.hdf: cannot be written: No such file or directory; make its folder first'
mkfifo pipe
run ms-sample -q -c scene.yaml -o pipe
ok 'a pipe or a device is not replaced by a file: status 1' status 1
ok '  and one line' err_is 'ms-sample: pipe: exists and is not a regular file; name a file to write'
ok '  and it is still there' test -p pipe
mesh='bodies.ball.shape={mesh: {file: pipe}}'
run timeout 120 ms-sample -q -c scene.yaml -s "$mesh" -o o.hdf
ok 'a pipe as a mesh: status 2' status 2
ok '  in one line, without waiting for a writer' err_is "ms-sample: --set $mesh:1:33: mesh file 'pipe' cannot be read: \
it is not a regular file; give the path of a mesh"
run timeout 120 ms-sample -q -c scene.yaml -s 'bodies.ball.shape={mesh: {file: /dev/zero}}' -o o.hdf
ok 'a device without end as a mesh: status 2' status 2
ok '  in one line' err_has "mesh file '/dev/zero' cannot be read: it is not a regular file"

# ---- what bodies weigh, and how large they are ----

cat >weights.yaml <<'END'
name: weights
time: {end: 4e-3, frame_interval: 1e-3, max_step: 1e-3}
materials:
  rubber: {model: peridynamics, stiffness: 100}
  foam: {model: corotated, young_modulus: 1e5, poisson_ratio: 0.3}
  sand: {model: loose}
bodies:
  ball: {material: rubber, radius: 0.01, density: 1000, position: [0, 0, 0.05], shape: {ball: {radius: 0.035}}}
  cube: {material: foam, radius: 0.01, density: 500, position: [0.3, 0, 0.1], shape: {box: {size: [0.08, 0.08, 0.08]}}}
  plate: {material: rubber, radius: 0.01, density: 1000, position: [0, 0, -0.1], shape: {box: {size: [0.2, 0.12, 0.04]}}}
  pebble: {material: sand, radius: 0.01, particle_mass: 0.1, position: [0.6, 0, 0], shape: {ball: {radius: 0.035}}}
END
run ms-sample -c weights.yaml --check
ok 'sizes are printed' out_has '0.2 x 0.12 x 0.04'
ok 'a body that weighs too much is warned of' out_has \
    'warning: mass: body "ball" weighs 0.256 kg, 42.5 % more than its density and volume say; smaller particles, or mass_from: volume, would be right'
ok '  not one that weighs what it should, or whose particles have a mass' [ "$(grep -c 'warning: mass' .run/out)" = 1 ]
ok 'a body of two layers is warned of' out_has \
    'warning: thin: body "plate" has parts of 2 layers of particles, 0.04 m thick; 3 layers, particles of radius 0.0067 m, would bend as a solid does'
ok '  not thicker ones, and not sand' [ "$(grep -c 'warning: thin' .run/out)" = 1 ]
run ms-sample -c weights.yaml -s bodies.plate.shape.box.size='[0.2, 0.12, 0.06]' -s bodies.ball.mass_from=volume --check
ok '  and nothing if both are changed' sh -c '! grep -q warning .run/out'
cat >deep.yaml <<'END'
name: deep
time: {end: 1, frame_interval: 0.1, max_step: 2.9e-3}
materials: {water: {model: dfsph, viscosity: 0}}
bodies: {water: {material: water, radius: 0.01, density: 1000, shape: {box: {size: [0.08, 0.08, 0.8]}}}}
END
run ms-sample -c deep.yaml --check
ok 'steps too long for the depth of a fluid are warned of' out_has \
    'warning: deep: fluid "water" is 0.8 m deep, and at the pressure there its particles push each other past one another in steps of more than 0.0029 s; time.max_step, 0.0029 s'
run ms-sample -c deep.yaml -s time.max_step=2.8e-3 --check
ok '  and not shorter ones' sh -c '! grep -q deep: .run/out'
cat >crushed.yaml <<'END'
name: crushed
time: {end: 1, frame_interval: 0.1, max_step: 8e-3}
contact: {method: position-based}
position: {iterations: 16}
materials: {water: {model: fluid, viscosity: 0}, air: {model: fluid, viscosity: 0}}
bodies:
  water: {material: water, radius: 0.025, density: 1000, shape: {box: {size: [0.2, 0.2, 0.5]}}}
  air: {material: air, radius: 0.025, density: 29, position: [0, 0, 0.5], shape: {box: {size: [0.2, 0.2, 0.5]}}}
END
run ms-sample -c crushed.yaml --check
ok 'a fluid too heavy for the lightest particles is warned of' out_has \
    'warning: crushed: particles of fluid "water" are 34.5 times as heavy as the lightest here, and 16 iterations let its weight compress it by more than a tenth; 17 (position.iterations), or time.max_step of 0.0078 s'
run ms-sample -c crushed.yaml -s position.iterations=17 --check
ok '  and not with the iterations that it names' sh -c '! grep -q crushed: .run/out'
awk 'BEGIN {
    print "name: kinds\ntime: {end: 1, frame_interval: 0.1, max_step: 1e-3}\nmaterials:"
    for (k = 0; k < 90; k++)
        printf "  m%d: {model: mass-spring, stretch_stiffness: %d, shear_stiffness: %d, bend_stiffness: 1}\n", k, k + 2, k + 302
    print "bodies:"
    for (k = 0; k < 90; k++)
        printf "  b%d: {material: m%d, radius: 0.1, density: 9, position: [%d, 0, 0], shape: {ball: {radius: 0.2}}}\n", k, k, k
}' >kinds.yaml
run ms-sample -c kinds.yaml -o kinds.hdf
ok 'kinds of bonds of which some are equal fit' status 0
sed 's/m\([0-9]*\): \(.*\)bend_stiffness: 1/m\1: \2bend_stiffness: \1.5/' kinds.yaml >more.yaml
run ms-sample -c more.yaml -o more.hdf
ok '  and too many are refused before anything is written' status 2
ok '  by the place of the first material that is too many' err_has 'more.yaml:90:8: this material would make more than 255 kinds of bonds'
glass='-s materials.rubber.fracture_energy=10'
# shellcheck disable=SC2086 # words
run ms-sample -c weights.yaml $glass --check
ok 'cracks that cost less than was asked for are warned of' out_has \
    'warning: cracks: a crack through body "plate" costs at most'
# shellcheck disable=SC2086 # words
run ms-sample -c weights.yaml $glass -s bodies.ball.shape.ball.radius=0.2 -s bodies.plate.shape.box.size='[0.2, 0.12, 0.02]' --check
ok '  but not in one layer, nor in a body that is thick' sh -c '! grep -q "warning: cracks" .run/out'
exact='-s bodies.ball.mass_from=volume -s bodies.cube.mass_from=volume'
mkdir exact
# shellcheck disable=SC2086 # words
run ms-sample -q -c weights.yaml $exact -o exact/initial.hdf
ok 'particles that weigh what the volume does' status 0
run ms-simulate -q exact/initial.hdf -o exact --until 2e-3
run ms-simulate -q exact/initial.hdf -o exact --resume
ok '  run and are resumed' status 0
run ms-analyze exact
ok '  and analyzed' status 0
ok '  the ball weighs 1000 kg/m3 x 4/3 pi R^3' awk -F, \
    'NR > 1 && $1 == "ball" { n++; if ($5 < 0.179594 || $5 > 0.179595) bad = 1 } END { exit bad || !n }' exact/bodies.csv
run ms-sample -c weights.yaml -s bodies.pebble.mass_from=volume --check
ok 'what has a mass of particles has no other' err_has "has particle_mass and mass_from: volume; give density"
run ms-sample -c weights.yaml -s bodies.more='{material: foam, radius: 0.01, density: 500, position: [0.6, 0, 0.3], shape: {box: {size: [0.08, 0.08, 0.08]}}}' \
    -s bodies.more.mass_from=volume --check
ok 'bodies of one system weigh the same' err_has "'bodies.more.mass_from' is volume, but other bodies are of the same material"
run ms-sample -c weights.yaml -s materials.sand='{model: fluid, pressure: 1e5, viscosity: 1e-3}' -s bodies.pebble.density=1000 \
    -s bodies.pebble.particle_mass=~ -s bodies.pebble.mass_from=volume --check
ok 'fluids weigh what their density asks for' err_has "'bodies.pebble.mass_from' is volume, but particles of a fluid"
printf 'v 0 0 0\nv 3 0 0\nv 0 5 0\nv 0 0 7\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' >tetra.obj
two_balls 0.01 >walled.yaml
run ms-sample -c walled.yaml -s walls.rock='{keep: outside, holds: all, position: [9, 0, 0], shape: {mesh: {file: tetra.obj, scale: 0.1}}}' --check
ok 'a wall is listed with its size, in which the unit of a mesh shows, and its place' sh -c "grep -Eq '^wall rock +0.3 x 0.5 x 0.7 +\[9, 9.3\] x \[0, 0.5\] x \[0, 0.7\]\$' .run/out"
finish
