#!/bin/sh
# ms-render-prep --surface from the outside.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<END
name: test
time: {end: 0.02, max_step: 1e-3, frame_interval: 0.01}
materials:
  water: {model: fluid, pressure: 1e4, viscosity: 0.01}
  oil: {model: fluid, pressure: 1e4, viscosity: 0.01}
  rubber: {model: peridynamics, stiffness: 100}
bodies:
  ball: {material: rubber, radius: 0.01, density: 1000, position: [0, 0, 0.3], shape: {ball: {radius: 0.05}}}
  pool: {material: water, radius: 0.01, density: 1000, shape: {box: {size: [0.4, 0.2, 0.2]}}}
  drop: {material: water, radius: 0.01, density: 1000, position: [0.4, 0, 0], shape: {ball: {radius: 0.06}}}
  film: {material: oil, radius: 0.01, density: 900, position: [0, 0.4, 0], shape: {box: {size: [0.2, 0.1, 0.1]}}}
END
ms-sample -c scene.yaml -o initial.hdf >/dev/null
ms-simulate initial.hdf -o . --quiet
frame=frames/000002.hdf

# ---- usage ----

# refused WHAT LINE ARGUMENT...
refused() {
    what=$1 line=$2
    shift 2
    run ms-render-prep "$@" -o out.file
    ok "$what: status 2" status 2
    ok '  and one line' err_has "ms-render-prep: $line"
    ok '  alone' err_lines 1
    ok '  and nothing is written' [ ! -e out.file ]
}
refused 'a solid' "--surface: body 'ball' of $frame is no fluid; draw its particles with --spheres" $frame --surface ball
refused 'an unknown fluid' "--surface: $frame has no fluid 'sea'; name its fluids, their model, or give all" $frame --surface pool,sea
refused 'no spacing at all' '--spacing: 0 is out of range' $frame --surface all --spacing 0
refused 'half a pass' '--smooth: 1.5 is out of range; give a whole number from 0 to 1000' $frame --surface all --smooth 1.5
refused 'no such kernel' "--kernel: 'round' is no kernel; there are isotropic and anisotropic" $frame --surface all --kernel round
refused 'a spacing of nothing' '--spacing, --smooth and --kernel need --surface' $frame --spheres --spacing 1
refused 'colors of a mesh' '--thickness, --initial, --undeformed and --color are of no use with --surface' $frame --surface all --color body
refused 'a cut through a file' '--section needs --format pov with --surface' $frame --surface all --section 0,1,0,0
refused 'a format of a scene' '--format needs --skin, or --surface without --pov and --spheres' $frame --surface all --spheres --format ply
refused 'a lattice too fine' 'a surface with a spacing of 1e-08 m cannot reach the particle' $frame --surface all --spacing 1e-6
sed 's/name: test/name: dry/; s/^  \(pool\|drop\|film\).*//' scene.yaml >dry.yaml
ms-sample -c dry.yaml -o dry.hdf >/dev/null
refused 'a frame without fluids' "--surface: dry.hdf has no fluid 'all'" dry.hdf --surface all
head -c 9000 $frame >damaged.hdf
refused 'a damaged frame' 'damaged.hdf' damaged.hdf --surface all
run ms-render-prep $frame --surface all -o none/water.ply
ok 'a folder that is not there: status 1' status 1
ok '  and one line' err_is 'ms-render-prep: none/water.ply: cannot be written: No such file or directory; make its folder first'
run sh -c "ms-render-prep $frame --surface all >/dev/full"
ok 'a full disk: status 1' status 1
if ! sanitized; then
    run sh -c "ulimit -v 3000000; OMP_NUM_THREADS=1 ms-render-prep $frame --surface all --spacing 0.05 -o out.file"
    ok 'a lattice that memory does not hold: status 1' status 1
    ok '  and one line' err_has 'a surface with a spacing of 0.0005 m may take '
    ok '  alone' err_lines 1
    ok '  and nothing is written' [ ! -e out.file ]
else
    skip 'a sanitizer takes memory of its own' 'a lattice that memory does not hold'
fi

# ---- meshes ----

# measure FILE.ply: its parts, whether every edge has two triangles that run through it both ways, and its volume in liters
measure() {
    "$PYTHON" - "$1" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
head, body = data.split(b"end_header\n", 1)
vertices, faces = (int(head.split(b"element %s " % k)[1].split()[0]) for k in (b"vertex", b"face"))
row = 3 * 8 + 3 * 4
x = [struct.unpack_from("<3d", body, v * row) for v in range(vertices)]
corners = [struct.unpack_from("<B3i", body, vertices * row + t * 13)[1:] for t in range(faces)]
edges, part, volume = set(), list(range(vertices)), 0.0
def root(v):
    while part[v] != v:
        part[v] = part[part[v]]
        v = part[v]
    return v
for a, b, c in corners:
    edges |= {(a, b), (b, c), (c, a)}
    part[root(a)] = part[root(b)] = root(c)
    volume += sum(x[a][i] * (x[b][(i + 1) % 3] * x[c][(i + 2) % 3] - x[b][(i + 2) % 3] * x[c][(i + 1) % 3]) for i in range(3)) / 6
closed = len(edges) == 3 * faces and all((b, a) in edges for a, b in edges)
print(len({root(v) for v in range(vertices)}), "closed" if closed else "open", round(1000 * volume, 1))
END
}
run ms-render-prep $frame --surface all -o all.ply
ok 'all fluids: written' status 0
ok '  silently' out_is ''
measure all.ply >measured
ok '  three bodies of water, each closed' grep -q '^3 closed' measured
ms-render-prep $frame --surface pool -o pool.ply
measure pool.ply >measured
ok 'one body' grep -q '^1 closed' measured
ok '  of its volume, 16 liters, within 2 %' awk '{ exit !($3 > 15.68 && $3 < 16.32) }' measured
ms-render-prep $frame --surface fluid -o model.ply
ok 'a model means all its bodies' same model.ply all.ply
ms-render-prep $frame --surface drop,pool,film -o named.ply
ok '  as do their names' same named.ply all.ply
ms-render-prep $frame --surface all >standard.ply
ok 'standard output has the same' same standard.ply all.ply
for threads in 1 2 3; do
    OMP_NUM_THREADS=$threads ms-render-prep $frame --surface all -o threads.ply
    ok "the same bytes with $threads threads" same threads.ply all.ply
done
ms-render-prep $frame --surface all --spacing 2 --smooth 0 -o coarse.ply
ok 'a coarser lattice has fewer triangles' [ "$(wc -c <coarse.ply)" -lt "$(($(wc -c <all.ply) / 2))" ]
ms-render-prep $frame --surface pool --kernel anisotropic -o sharp.ply
ok 'another kernel has another mesh' differ sharp.ply pool.ply
measure sharp.ply >measured
ok '  closed, too' grep -q '^1 closed' measured
for format in obj stl vtk pov; do
    run ms-render-prep $frame --surface all --format $format -o all.$format
    ok "as $format" [ -s all.$format ]
done

# ---- scenes ----

run ms-render-prep $frame --spheres --surface all -o surface.inc
ok 'with surfaces, spheres are those of the rest' [ "$(grep -c '^sphere' surface.inc)" = "$("$PYTHON" -c "import h5py; print((h5py.File('$frame')['body'][...] == 0).sum())")" ]
ok '  and each material has a mesh' [ "$(grep -c '^mesh2' surface.inc)" = 2 ]
ms-render-prep $frame --spheres --surface all --section 0,1,0,0.005 -o cut.inc
ok 'a plane cuts surfaces' [ "$(grep -c '^plane { <-0, -1, -0>, -0.005 }' cut.inc)" = 2 ]
if command -v povray >/dev/null; then
    for threads in 1 3; do
        ms-render-prep $frame --pov --surface all --ground -0.2 --section 0,1,0,0 -o scene.pov
        run povray +Iscene.pov +Oscene.ppm +FP +W64 +H36 -D +A0.1 +AM2 +R2 -J +WT$threads
        ok 'POV-Ray draws a scene' status 0
        ok '  without a warning' [ "$(grep -c 'Parse Warning' .run/err)" = 0 ]
        tail -c $((64 * 36 * 3)) scene.ppm >pixels-$threads
    done
    ok '  with the same pixels for three threads' same pixels-1 pixels-3
else
    lacking 'POV-Ray is not installed' 'POV-Ray draws scenes'
fi
finish
