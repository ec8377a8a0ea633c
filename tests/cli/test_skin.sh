#!/bin/sh
# Surfaces of solids and cloths that ms-render-prep writes.
. "$(dirname "$0")/lib.sh"

ball_on_cloth 0.01 >scene.yaml
ms-sample -c scene.yaml -o initial.hdf >/dev/null
ms-simulate initial.hdf -o . --quiet
frame=frames/000002.hdf
sed -e 's/^name: test/name: break/' -e 's/stiffness: 100/&, critical_stretch: 1e-4/' scene.yaml >break.yaml
ms-sample -c break.yaml -o broken.hdf >/dev/null
ms-simulate broken.hdf -o broken --quiet

# refused WHAT LINE ARGUMENT...
refused() {
    what=$1 line=$2
    shift 2
    run ms-render-prep "$@" -o out.file
    ok "$what: status 2" status 2
    ok '  and one line' err_has "ms-render-prep: $line"
    ok '  alone' err_lines 1
    ok '  and no file' [ ! -e out.file ]
}
refused 'no initial frame' "$frame: holds no unstressed positions; --skin needs --initial" $frame --skin all
refused 'no such body' "--skin: $frame has no body 'bell'; name its bodies, or give all" $frame --skin ball,bell --initial initial.hdf
refused 'no such format' "--format: 'obi' is no format; there are ply, obj, stl, vtk and pov" $frame --skin all --format obi
refused 'a format of nothing' '--format needs --skin, or --surface without --pov and --spheres' $frame --spheres --format ply
refused 'two outputs' '--pov, --spheres, --surface and --skin are outputs; give one' $frame --skin all --spheres
refused 'colors of a file' '--color needs --format pov with --skin' $frame --skin all --initial initial.hdf --color damage
refused 'fragments of what cannot break' "$frame has no field 'fragment' to color by" $frame --skin all --initial initial.hdf --format pov --color fragment
refused 'a mesh for two bodies' '--embed: the mesh can follow one body; give one name to --skin' $frame --skin all --initial initial.hdf --embed ball.ply
refused 'a mesh for a cloth' "--skin: body 'sheet' of $frame is a cloth; a mesh can follow a solid only" $frame --skin sheet --initial initial.hdf --embed ball.ply
refused 'a mesh that is not there' 'ball.ply: cannot be opened: No such file' $frame --skin ball --initial initial.hdf --embed ball.ply
refused 'a mesh for pieces' "--embed: body 'ball' of broken/frames/000002.hdf is in pieces" broken/frames/000002.hdf --skin ball --initial broken.hdf --embed ball.ply
refused 'another run' "broken.hdf is not the initial frame of $frame" $frame --skin all --initial broken.hdf
cat >loose.yaml <<'END'
name: loose
time: {end: 1, frame_interval: 1}
materials: {sand: {model: loose}, water: {model: fluid, pressure: 1e4, viscosity: 0.01}}
bodies:
  heap: {material: sand, radius: 0.01, density: 1000, shape: {box: {size: [0.1, 0.1, 0.1]}}}
  pond: {material: water, radius: 0.01, density: 1000, position: [1, 0, 0], shape: {box: {size: [0.1, 0.1, 0.1]}}}
END
ms-sample -c loose.yaml -o loose.hdf >/dev/null
refused 'a heap of sand' "--skin: body 'heap' of loose.hdf has no bonds" loose.hdf --skin heap
refused 'sand and water, of which nothing has a surface' '--skin: loose.hdf has no cloth and no solid with bonds; --spheres draws particles' loose.hdf --skin all
refused 'a fluid' "--skin: body 'pond' of loose.hdf is a fluid" loose.hdf --skin pond

# ---- meshes ----

# judge FILE: whether every edge of a PLY has two triangles, and the volume inside
judge() {
    "$PYTHON" - "$1" <<'END'
import sys, numpy
data = open(sys.argv[1], "rb").read()
head, body = data.split(b"end_header\n", 1)
lines = head.decode().split("\n")
counts = [int(line.split()[-1]) for line in lines if line.startswith("element")]
kinds = {"double": "<f8", "float": "<f4"}
fields = [line.split() for line in lines if line.startswith("property") and "list" not in line]
vertex = numpy.dtype([(name, kinds[kind]) for _, kind, name in fields])
face = numpy.dtype([("n", "u1"), ("v", "<i4", 3)])
v = numpy.frombuffer(body, vertex, counts[0])
f = numpy.frombuffer(body, face, counts[1], counts[0] * vertex.itemsize)["v"]
x = numpy.stack([v["x"], v["y"], v["z"]], 1)
there = sorted(map(tuple, numpy.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]).tolist()))
back = sorted((b, a) for a, b in there)
a, b, c = (x[f[:, k]] for k in range(3))
volume = numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6
print("closed" if there == back else "open", f"{volume:.9f}", " ".join(name for _, _, name in fields))
END
}

run ms-render-prep initial.hdf --skin ball -o ball.ply
ok 'the skin of a ball before anything moved' status 0
run judge ball.ply
ok '  is closed and has its numbers' out_has 'closed'
ok '  and the volume of the ball, but for chords of a coarse lattice' \
    sh -c 'awk "{ exit !(\$2 > 0.9 * 1.79594e-4 && \$2 < 1.79594e-4) }" .run/out'
ok '  and the numbers of its particles' out_has 'body fragment damage'
run ms-render-prep $frame --skin sheet --initial initial.hdf --thickness 0.004 -o sheet.ply
run judge sheet.ply
ok 'a thick cloth is closed' out_has 'closed'
run ms-render-prep broken/frames/000002.hdf --skin all --initial broken.hdf --thickness 0.004 -o pieces.ply
run judge pieces.ply
ok 'so are all pieces of a broken ball' out_has 'closed'
OMP_NUM_THREADS=3 ms-render-prep broken/frames/000002.hdf --skin all --initial broken.hdf --thickness 0.004 -o three.ply
ok '  with the same bytes for three threads' same pieces.ply three.ply
for format in obj stl vtk pov; do
    run ms-render-prep $frame --skin all --initial initial.hdf --format $format -o skin.$format
    ok "as $format" [ -s skin.$format ]
done
run ms-render-prep $frame --skin all --initial initial.hdf --section 0,1,0,0 -o cut.ply
run judge cut.ply
ok 'cut open' status 0

# The ball's own skin, embedded, is where its particles are: they all have moved by much the same.
run ms-render-prep initial.hdf --skin ball --embed ball.ply -o again.ply
ok 'a mesh follows a ball' status 0
"$PYTHON" - <<'END' >.run/same
import numpy
def vertices(path):
    head, body = open(path, "rb").read().split(b"end_header\n", 1)
    n = int(head.decode().split("element vertex ")[1].split()[0])
    width = 24 + 4 * head.decode().count("property float")
    raw = numpy.frombuffer(body, "u1", n * width).reshape(n, width)[:, :24]
    return numpy.ascontiguousarray(raw).view("<f8")
a, b = vertices("ball.ply"), vertices("again.ply")
# the ball is 0.055 m above its own frame, in which the file is taken to be
apart = numpy.linalg.norm((a + [0, 0, 0.055])[:, None] - b[None], axis=2)  # readers may order vertices anew
print(len(a) == len(b) and apart.min(0).max() < 1e-8 and apart.min(1).max() < 1e-8)
END
ok '  at rest to a millionth of a radius' [ "$(cat .run/same)" = True ]
run ms-render-prep initial.hdf --skin ball --embed ball.ply --follow least-squares -o squares.ply
ok 'the default by its name' same again.ply squares.ply

# Rigid bodies, which turn: the volume is that of the shape.
cat >rigid.yaml <<'END'
name: rigid
time: {end: 0.1, max_step: 5e-3, frame_interval: 0.1}
contact: {method: sliding}
materials: {stone: {model: rigid}, rubber: {model: peridynamics, stiffness: 100}}
bodies:
  held: {material: rubber, radius: 0.01, density: 1000, fixed: all, position: [0, 0, -1], shape: {box: {size: [0.06, 0.06, 0.06]}}}
  brick: {material: stone, radius: 0.01, density: 1000, spin: [3, 9, 5], shape: {box: {size: [0.12, 0.08, 0.06]}}}
  egg: {material: stone, radius: 0.01, density: 1000, position: [1, 0, 0], sampling: {method: relaxed}, shape: {ball: {radius: 0.03}}}
END
ms-sample -q -c rigid.yaml -o rigid.hdf
ms-simulate -q rigid.hdf -o rigid
run ms-render-prep rigid/frames/000001.hdf --skin brick --initial rigid.hdf -o brick.ply
run judge brick.ply
ok 'a rigid body has a closed surface, with the volume of its shape' sh -c 'awk "END { exit !(\$1 == \"closed\" && (\$2 - 5.76e-4)^2 < 1e-18) }" .run/out'
run ms-render-prep rigid/frames/000001.hdf --skin all --initial rigid.hdf -o all.ply
run judge all.ply
ok '  all that have a surface: another solid, too, but none that was relaxed' sh -c 'awk "END { exit !(\$1 == \"closed\" && (\$2 - 5.76e-4 - 2.16e-4)^2 < 1e-18) }" .run/out'
refused '  which by its name is refused' "body 'egg' was relaxed" rigid.hdf --skin egg

# A ball in its own frame: its skin, embedded in it, stays where it is, and by gradients as well.
grep -v '^  sheet' scene.yaml | sed 's/0, 0, 0.055/0, 0, 0/' >lone.yaml
sed 's/^  ball: {material/  ball: {sampling: {start: 0.9}, material/' lone.yaml >relaxed.yaml
ms-sample -c lone.yaml -o lone.hdf >/dev/null
ms-render-prep lone.hdf --skin ball -o own.ply
run ms-render-prep lone.hdf --skin ball --embed own.ply --follow kernel -o kernel.ply
ok 'a mesh follows by deformation gradients' status 0
ms-render-prep lone.hdf --skin ball --embed own.ply -o again.ply
/usr/bin/python3 - <<'END' >.run/same
import numpy
def vertices(path):
    head, body = open(path, "rb").read().split(b"end_header\n", 1)
    n = int(head.decode().split("element vertex ")[1].split()[0])
    width = 24 + 4 * head.decode().count("property float")
    raw = numpy.frombuffer(body, "u1", n * width).reshape(n, width)[:, :24]
    return numpy.ascontiguousarray(raw).view("<f8")
print(numpy.abs(vertices("kernel.ply") - vertices("again.ply")).max() < 1e-12)
END
ok '  at rest to where least squares have it' [ "$(cat .run/same)" = True ]
run ms-sample -c relaxed.yaml -s materials.ball.horizon=2 -o relaxed.hdf
ok 'a relaxed ball' status 0
run ms-simulate relaxed.hdf -o relaxed --quiet
ok '  moves' status 0
OMP_NUM_THREADS=3 ms-render-prep relaxed/frames/000002.hdf --skin ball --initial relaxed.hdf --embed own.ply --follow kernel -o three.ply
OMP_NUM_THREADS=1 ms-render-prep relaxed/frames/000002.hdf --skin ball --initial relaxed.hdf --embed own.ply --follow kernel -o one.ply
ok '  and a mesh follows it, with the same bytes for three threads' same one.ply three.ply
refused 'least squares of a relaxed ball' "body 'ball' was relaxed" relaxed.hdf --skin ball --embed own.ply
refused 'a skin of a relaxed ball' "body 'ball' was relaxed" relaxed.hdf --skin ball
refused 'a mesh elsewhere' 'ball.ply: vertex ' relaxed.hdf --skin ball --embed ball.ply --follow kernel
refused 'following nothing' '--follow needs --embed' $frame --skin ball --initial initial.hdf --follow kernel
refused 'another way to follow' "--follow: 'kernels' is no way to follow; there are least-squares and kernel" $frame --skin ball --initial initial.hdf --embed ball.ply --follow kernels
run ms-render-prep $frame --skin ball --initial initial.hdf -o none/skin.ply
ok 'a folder that is not there: status 1' status 1
ok '  and one line' err_is 'ms-render-prep: none/skin.ply: cannot be written: No such file or directory; make its folder first'

# ---- POV-Ray ----

run ms-render-prep broken/frames/000002.hdf --skin all --initial broken.hdf --thickness 0.004 --format pov --color fragment -o skin.inc
ok 'colored by fragment' [ "$(grep -c '^texture {' skin.inc)" -gt 1 ]
if command -v povray >/dev/null; then
    ms-render-prep $frame --pov | sed '/^#ifndef (Particle_Finish)/,$d' >skin.pov
    echo '#include "skin.inc"' >>skin.pov
    run povray +Iskin.pov +Oskin.ppm +FP +W64 +H40 -D
    ok 'POV-Ray draws it' status 0
    ok '  without a warning' [ "$(grep -c 'Parse Warning' .run/err)" = 0 ]
    ok '  not an empty picture' [ "$(tail -c $((64 * 40 * 3)) skin.ppm | tr -d '\377' | wc -c)" -gt 500 ]
else
    lacking 'POV-Ray is not installed' 'POV-Ray draws it'
fi

finish
