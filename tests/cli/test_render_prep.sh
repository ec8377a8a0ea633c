#!/bin/sh
# ms-render-prep from the outside.
. "$(dirname "$0")/lib.sh"

ball_on_cloth 0.01 >scene.yaml
ms-sample -c scene.yaml -o initial.hdf >/dev/null
ms-simulate initial.hdf -o . --quiet
frame=frames/000002.hdf

# ---- usage ----

run ms-render-prep --version
ok '--version names the program' out_has 'ms-render-prep (mergesplit) '
run ms-render-prep --help
ok '--help is no failure' status 0
ok '  and states the axes' out_has 'v points along z'

# refused WHAT LINE ARGUMENT...
refused() {
    what=$1 line=$2
    shift 2
    run ms-render-prep "$@"
    ok "$what: status 2" status 2
    ok '  and one line' err_has "ms-render-prep: $line"
    ok '  alone' err_lines 1
}
refused 'no frame' 'no frame given' --pov
refused 'no task' 'nothing to do; give --section, --pov, --spheres, --skin, --surface or --preview' $frame
refused 'no thickness' '--section needs --thickness' $frame --section 0,1,0,0
refused 'three numbers' "--section: 3 numbers in '0,1,0'; 4 are needed" $frame --section 0,1,0 --thickness 1
refused 'five numbers' "--section: 5 numbers in '0,1,0,0,9'; 4 are needed" $frame --section 0,1,0,0,9 --thickness 1
refused 'a word' "--section: 'x' is not a number" $frame --section x,1,0,0 --thickness 1
refused 'a number and more' "--section: '1mm' " $frame --section 0,1,0,1mm --thickness 1
refused 'a zero normal' '--section: a plane needs a normal other than 0,0,0' $frame --section 0,0,0,1 --thickness 1
refused 'no thickness at all' '--thickness: 0 is out of range' $frame --section 0,1,0,0 --thickness 0
refused 'a camera for a table' '--camera, --look-at and --angle need --pov or --preview, and --ground needs --pov' $frame --section 0,1,0,0 --thickness 1 --camera 1,2,3
refused 'an angle too wide' '--angle: 180 is out of range' $frame --pov --angle 180
refused 'two frames' "unexpected argument 'initial.hdf'" $frame initial.hdf --pov
refused 'a frame that is not there' 'none.hdf: cannot be read: No such file or directory' none.hdf --pov
refused 'a text' 'scene.yaml: opening as an HDF5 file failed' scene.yaml --pov
ms-sample -c scene.yaml --set seed=7 -o other.hdf >/dev/null
refused 'the initial frame of another run' "other.hdf is not the initial frame of $frame, in whose run seed is 1 instead of 7; give" $frame --section 0,1,0,0 --thickness 1 --initial other.hdf
cp initial.hdf fewer.hdf
edit fewer.hdf 'file["body"][0] = 1'
refused 'that of other particles' "fewer.hdf is not the initial frame of $frame, whose particle 0 is of body 0 instead of 1; give" $frame --preview --initial fewer.hdf
refused 'a later frame of the run' 'frames/000001.hdf: not an initial frame; give' $frame --section 0,1,0,0 --thickness 1 --initial frames/000001.hdf
rm fewer.hdf
refused 'an undeformed scene' '--thickness and --undeformed are of no use with --pov' $frame --pov --initial initial.hdf --undeformed
refused 'an initial frame for spheres' '--initial is of no use with --spheres' $frame --spheres --initial initial.hdf
refused 'a thickness for spheres' '--thickness and --undeformed are of no use with --spheres' $frame --spheres --section 0,1,0,0 --thickness 1
refused 'two outputs' '--pov and --spheres are two outputs; give one' $frame --pov --spheres
refused 'a camera for spheres' '--camera, --look-at and --angle need --pov or --preview, and --ground needs --pov' $frame --spheres --angle 20
refused 'colors of a table' '--color needs --pov, --spheres, --skin or --preview' $frame --section 0,1,0,0 --thickness 1 --color body
refused 'an unknown color' "--color: 'speed' is no coloring; there are body, fragment and damage" $frame --spheres --color speed
refused 'fragments of what cannot break' "$frame has no field 'fragment' to color by; only frames of bodies that can break have" $frame --spheres --color fragment
refused 'damage of what cannot break' "$frame has no field 'fragment' to color by" $frame --pov --color damage
refused 'a camera that looks at itself' 'the camera is where it looks, at 1,2,3; move --camera or --look-at' $frame --pov --camera 1,2,3 --look-at 1,2,3
refused 'to leave out an unknown body' "--without: there is no body 'clot'; name those" $frame --pov --without ball,clot
refused 'an undeformed state of nothing' '--undeformed needs --initial' $frame --section 0,1,0,0 --thickness 1 --undeformed

# ---- a section ----

run ms-render-prep $frame --section 0,1,0,0 --thickness 0.02 --initial initial.hdf -o section.csv
ok 'a section is written' status 0
ok '  silently' out_is ''
ok '  with its header' [ "$(head -n 1 section.csv)" = id,u,v,depth,radius,body,speed,group,fragment,damage,penetrated,displacement ]
tail -n +2 section.csv >rows
sort -s -t, -k4,4gr -k1,1g rows >sorted
ok '  the farthest first' same rows sorted
ok '  nothing beyond the slab' [ "$(awk -F, 'NR > 1 && ($4 > 0.01 || $4 < -0.01)' section.csv)" = '' ]
ok '  both bodies' [ "$(tail -n +2 section.csv | cut -d, -f6 | sort -u | tr '\n' ' ')" = 'ball sheet ' ]
run ms-render-prep $frame --section 0,1,0,0 --thickness 0.02 --initial initial.hdf
ok 'standard output has the same' same section.csv .run/out
run ms-render-prep $frame --section 0,0.5,0,0 --thickness 0.02 --initial initial.hdf
ok 'the length of the normal is of no matter' same section.csv .run/out
run ms-render-prep initial.hdf --section 1,0,0,99 --thickness 0.02
ok 'an empty section has its header' out_lines 1
run ms-render-prep $frame --section 0,0,1,0 --thickness 1000
ok 'a thick one has every particle' [ "$(tail -n +2 .run/out | wc -l)" = "$("$PYTHON" -c "import h5py; print(len(h5py.File('$frame')['id']))")" ]
run ms-render-prep $frame --section 0,1,0,0 --thickness 1 -o none/section.csv
ok 'a folder that is not there: status 1' status 1
ok '  and one line' err_is 'ms-render-prep: none/section.csv: cannot be written: No such file or directory; make its folder first'

# Where particles were at the start: the same rows as a section of the initial frame.
columns() { cut -d, -f1-6 "$1"; }
ms-render-prep initial.hdf --section 0,0,1,0.05 --thickness 0.03 -o start.csv
run ms-render-prep $frame --section 0,0,1,0.05 --thickness 0.03 --initial initial.hdf --undeformed -o face.csv
ok 'a section of the undeformed bodies' status 0
ok '  has the particles of then, where they were then' [ "$(columns face.csv)" = "$(columns start.csv)" ]
ms-render-prep $frame --section 0,0,1,0 --thickness 1000 --initial initial.hdf | cut -d, -f1,7- | sort >now
ok '  and what they are now' [ "$(cut -d, -f1,7- face.csv | sort | comm -23 - now)" = '' ]

# ---- a scene ----

run ms-render-prep $frame --pov -o scene.pov
ok 'a scene is written' status 0
ok '  a sphere per particle' [ "$(grep -c '^sphere' scene.pov)" = "$("$PYTHON" -c "import h5py; print(len(h5py.File('$frame')['id']))")" ]
ok '  a color per body' [ "$(grep -c '^texture' scene.pov)" = 2 ]
run ms-render-prep $frame --spheres
ok 'the spheres alone' [ "$(grep -c '^sphere' .run/out)" = "$(grep -c '^sphere' scene.pov)" ]
ok '  without a camera' [ "$(grep -c camera .run/out)" = 0 ]
run ms-render-prep $frame --pov --section 0,1,0,0
ok 'a plane cuts away what is in front of it' sh -c "[ \$(grep -c '^sphere' .run/out) -lt \$(grep -c '^sphere' scene.pov) ]"
run ms-render-prep $frame --pov --camera 1,2,3 --look-at 4,5,6 --angle 20
ok 'the camera is where it is told' out_has 'location <1, 2, 3>'
ok '  looks where it is told' out_has 'look_at <4, 5, 6>'
ok '  with the angle it is told' out_has 'angle 20'
# camera FRAME: as it sees all of the initial frame
camera() { ms-render-prep "$1" --pov --initial initial.hdf | grep location; }
ok 'from the initial frame it does not move' [ "$(camera $frame)" = "$(camera initial.hdf)" ]
ok '  else it does' [ "$(camera $frame)" != "$(ms-render-prep $frame --pov | grep location)" ]
run ms-render-prep $frame --pov --ground -0.5
ok 'the ground is where it is told' out_has 'plane { <0, 0, 1>, -0.5'

# ---- what breaks ----

sed -e 's/^name: test/name: break/' -e 's/stiffness: 100/&, critical_stretch: 1e-4/' scene.yaml >break.yaml
ms-sample -c break.yaml -o broken.hdf >/dev/null
ms-simulate broken.hdf -o broken --quiet
frame=broken/frames/000002.hdf
run ms-render-prep $frame --spheres --color fragment -o fragments.inc
ok 'by fragment' status 0
ok '  all particles' [ "$(grep -c '^sphere' fragments.inc)" = "$(grep -c '^sphere' scene.pov)" ]
ok '  debris among them' grep -qF 'srgb <122, 122, 122> / 255' fragments.inc
LC_ALL=de_DE.UTF-8 ms-render-prep $frame --spheres --color fragment -o german.inc
ok '  whatever the locale' same fragments.inc german.inc
run ms-render-prep $frame --spheres --color damage -o damage.inc
ok 'by damage' [ "$(grep -c '^texture' damage.inc)" -gt 3 ]
refused 'an initial frame without fragments' "broken.hdf has no field 'fragment' to color by" broken.hdf --pov --color fragment
run ms-render-prep $frame --spheres --color damage -o none/spheres.inc
ok 'a folder that is not there: status 1' status 1
run sh -c "ms-render-prep $frame --spheres >/dev/full"
ok 'a full disk: status 1' status 1

# ---- POV-Ray ----

# pixels THREADS: of a scene that includes spheres, as scripts/steps/view renders it
pixels() {
    povray +Iinclude.pov +Oimage.ppm +FP +W64 +H40 -D +A0.1 +AM2 +R2 -J +WT$1 &&
        tail -c $((64 * 40 * 3)) image.ppm >pixels-$1 # what comes before has a date
}
if command -v povray >/dev/null; then
    run povray scene.pov +W64 +H40 +Oscene.png -D
    ok 'POV-Ray draws a scene' status 0
    sed '/^#ifndef (Particle_Finish)/,$d' scene.pov >include.pov
    echo '#include "damage.inc"' >>include.pov
    run pixels 1
    ok '  and one that includes spheres' status 0
    ok '  without a warning' [ "$(grep -c 'Parse Warning' .run/err)" = 0 ]
    ok '  not an empty one' [ "$(tr -d '\377' <pixels-1 | wc -c)" -gt 500 ]
    run pixels 3
    ok '  the same pixels with three threads' same pixels-1 pixels-3
else
    lacking 'POV-Ray is not installed' 'POV-Ray draws scenes'
fi

# ---- a preview ----

refused 'a preview and a scene' '--pov, --spheres, --skin, --surface and --preview are outputs; give one' $frame --preview --pov
refused 'a thickness of a preview' '--thickness, --undeformed, --embed, --format, --spacing, --smooth and --ground are of no use with --preview' $frame --preview --section 0,1,0,0 --thickness 1
refused 'half a pixel' '--size: 0.5 is no number of pixels; give whole numbers from 1 to 16384' $frame --preview --size 0.5,3
refused 'a size of a scene' '--size needs --preview' $frame --pov --size 3,3
refused 'a camera of a preview that looks at itself' 'the camera is where it looks, at 1,2,3; move --camera or --look-at' $frame --preview --camera 1,2,3 --look-at 1,2,3
run ms-render-prep $frame --preview --size 321,200 -o preview.png
ok 'a preview is drawn' status 0
run ms-render-prep $frame --preview --size 321,200 -o preview.ppm
ok '  as PNG and PPM' [ "$(head -c 4 preview.png | tail -c 3)$(head -c 14 preview.ppm | tr '\n' ' ')" = 'PNGP6 321 200 255' ]
ms-render-prep $frame --preview --size 321,200 >standard.png
ok '  also to standard output' same preview.png standard.png
if "$PYTHON" -c 'import PIL' 2>/dev/null; then
    run "$PYTHON" -c 'import sys; from PIL import Image; print(Image.open("preview.png").tobytes() == Image.open("preview.ppm").tobytes())'
    ok '  of the same pixels' out_is True
else
    lacking 'there is no PIL' '  of the same pixels'
fi
for threads in 1 2 3; do
    OMP_NUM_THREADS=$threads ms-render-prep $frame --preview --size 321,200 -o threads.png
    ok "  the same bytes with $threads threads" same preview.png threads.png
done
ms-render-prep $frame --preview --size 321,200 --section 0,1,0,0 -o cut.png
ok 'a preview is cut open' differ preview.png cut.png
ms-render-prep $frame --preview --size 20,10 --section 0,1,0,-99 -o all.ppm
ms-render-prep $frame --preview --size 20,10 --section 0,1,0,99 -o empty.ppm
ok 'where all is cut away, it is white' [ "$(tail -c 600 empty.ppm | tr -d '\377' | wc -c)" = 0 ]
ok '  and elsewhere it is not' [ "$(tail -c 600 all.ppm | tr -d '\377' | wc -c)" -gt 0 ]

# ---- smoke ----

cat >smoke.yaml <<END
name: smoke
time: {end: 0.02, max_step: 5e-3, frame_interval: 0.01}
contact: {method: position-based}
materials: {air: {model: fluid, viscosity: 0}}
bodies: {room: {material: air, radius: 0.05, density: 1, shape: {box: {size: [1, 1, 1]}}}}
diffuse:
  puff: {number: 40, shape: {ball: {radius: 0.3}}}
  jet: {rate: 1000, lifetime: 0.015, shape: {ball: {radius: 0.1}}}
END
mkdir puffs
ms-sample -q -c smoke.yaml -o puffs/initial.hdf
ms-simulate puffs/initial.hdf -o puffs --quiet
ms-analyze -q puffs
run ms-render-prep puffs/frames/000002.hdf --section 0,1,0,0 --thickness 9 --without room
ok 'a section has smoke, too' out_lines 56
ok '  by source' [ "$(grep -c ',0,diffuse.jet,' .run/out)" = 15 ]
ok '  and diffuse.csv as much' [ "$(sed -n '6,7s/^\([a-z]*,2,[0-9.]*,[0-9]*\),.*/\1/p' puffs/diffuse.csv | tr '\n' ' ')" = 'jet,2,0.02,15 puff,2,0.02,40 ' ]
run ms-render-prep puffs/frames/000002.hdf --spheres --without room
ok 'smoke for POV-Ray' [ "$(grep -c '^sphere' .run/out)" = 55 ]
ok '  with a texture' out_has 'texture { Smoke_Texture }'
ms-render-prep puffs/frames/000002.hdf --preview --size 40,30 -o all.ppm
ms-render-prep puffs/frames/000002.hdf --preview --size 40,30 --without room -o smoke.ppm
ok 'a preview without the gas shows its smoke' [ "$(cmp -s all.ppm smoke.ppm; echo $?)$(tail -c 3600 smoke.ppm | tr -d '\377' | wc -c | awk '{ print ($1 > 100) }')" = 11 ]
finish
