#!/bin/sh
# Frames, runs and surfaces in ParaView, as docs/paraview.md says it: every reader finds all particles and their fields.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
export OMP_NUM_THREADS=1
ball_on_cloth 0.01 >scene.yaml
mkdir out
{ ms-sample --config scene.yaml -o out/initial.hdf && ms-simulate out/initial.hdf -o out; } >/dev/null 2>&1
frame=out/frames/000001.hdf
particles=$("$PYTHON" -c 'import sys, h5py; print(len(h5py.File(sys.argv[1])["id"]))' $frame)

# VTK refuses the type of a data set that is declared as UTF-8.
run "$PYTHON" -c 'import sys, h5py; print(h5py.File(sys.argv[1])["VTKHDF"].attrs.get_id("Type").get_type().get_cset() == h5py.h5t.CSET_ASCII)' $frame
ok 'the type of a frame is ASCII' out_is True

if ! command -v pvpython >/dev/null; then
    lacking 'there is no pvpython' 'frames, runs and surfaces open in ParaView'
    finish
fi

# One start of ParaView, which takes a second or two, answers for all files: after each "READER FILE" come its points, polygons and fields.
cat >readers.py <<'END'
import os
import sys
from paraview import simple
for reader, path in zip(sys.argv[1::2], sys.argv[2::2]):
    print("==", reader, path)
    try:
        made = simple.OpenDataFile(os.path.abspath(path)) if reader == "any" else getattr(simple, reader)(
            **{"FileNames" if reader == "XDMFReader" else "FileName": [os.path.abspath(path)]})
        made.UpdatePipeline(0.005)
        data = made.GetDataInformation()
        print("points", data.GetNumberOfPoints())
        print("polygons", data.GetNumberOfCells())
        print("fields", *sorted(made.PointData[k].Name for k in range(len(made.PointData))))
    except Exception as error:
        print("fails:", error)
    sys.stdout.flush()
END
# faces: of a binary VTK file, whose line POLYGONS says how many there are
surfaces=
for format in vtk ply obj stl; do
    ms-render-prep $frame --skin all --initial out/initial.hdf --thickness 0.01 --format $format -o skin.$format
    surfaces="$surfaces any skin.$format"
done
faces=$(grep -a '^POLYGONS' skin.vtk | cut -d' ' -f2)
readers='Xdmf3ReaderS Xdmf3ReaderT XDMFReader'
# shellcheck disable=SC2046,SC2086 # words
run pvpython --force-offscreen-rendering readers.py $(printf '%s out/frames.xmf ' $readers) any $frame $surfaces
# read_as READER FILE LINE: what it says of the file has a line that begins with these words
read_as() { sed -n "\\|^== $1 $2\$|,/^fields/p" .run/out | grep -q "^$3\( \|$\)"; }
for reader in $readers; do
    ok "$reader: all particles of a run" read_as $reader out/frames.xmf "points $particles"
    ok '... with their fields' read_as $reader out/frames.xmf 'fields body damage group id mass penetrated radius state velocity'
done
ok 'a frame opens by itself, with all particles' read_as any $frame "points $particles"
ok '... and their fields' read_as any $frame 'fields body damage group id mass penetrated position radius state velocity'
for format in vtk ply obj stl; do
    ok "a surface opens as $format, with all its faces" read_as any skin.$format "polygons $faces"
done

# Debian's ParaView draws only on a display, and does not find it every time.
if command -v xvfb-run >/dev/null; then
    for _ in 1 2 3 4 5; do
        run xvfb-run -a pvpython "$project/configs/examples/run_in_paraview.py" out picture.png 0.005
        [ ! -e picture.png ] || break
        sleep 2
    done
    ok 'the script of the recipe reads all particles' out_has "0.005 s: $particles of $particles particles take part"
    if [ -e picture.png ] || ! grep -q 'bad X server' .run/err; then
        run "$PYTHON" -c 'from PIL import Image; p = Image.open("picture.png").convert("RGB"); print(p.size, len(p.getcolors(1 << 24)) > 50)'
        ok '... and draws them' out_is '(1280, 720) True'
    else
        skip 'ParaView finds no display' '... and draws them'
    fi
else
    lacking 'there is no xvfb-run' 'the script of the recipe draws'
fi
finish
