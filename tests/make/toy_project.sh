#!/bin/sh
# usage: toy_project.sh FOLDER: makes the toy of tests/make (toy.sh), and with it all that make makes of it:
#
#   FOLDER/project  a copy of the project with stand-ins for the programs (milliseconds instead of minutes) and two experiments; the
#                   Makefile and scripts are the real ones. The programs are built.
#   FOLDER/made     the results and pictures of both
set -eu
folder=$1
project=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$folder"
mkdir -p "$folder/project" "$folder/made"
folder=$(cd "$folder" && pwd)
cd "$folder/project"
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD SCALE QUALITY DEBUG SANITIZE NATIVE TESTS RUN CC OMP_NUM_THREADS

cp -r "$project/Makefile" "$project/scripts" .
mkdir docs
cp "$project"/docs/*paper.csv docs/
printf '%s\n' '# Toys' '' 'A toy, and no more:' '' '<!-- film fig99-toy -->' '' '![A toy](../paper-figures/preview/fig99-toy.png)' '' '<!-- tally -->' '' 'That is all.' >docs/story.md
mkdir -p src/stages src/base configs/methods configs/examples experiments/fig99-toy paper-figures
cp "$project"/tests/make/toy/*.c src/stages/
cp "$project"/tests/make/toy/toy.h src/base/
echo 'extern int nothing; int nothing = 0;' >src/base/nothing.c
echo '#define PROGRAM_VERSION "1.0"' >src/base/program.h
echo 'm: penalty' >configs/methods/penalty.yaml
echo 'm: merging' >configs/methods/merging.yaml
echo 'e: 1' >configs/examples/ball-on-cloth.yaml
echo 'a: 1' >experiments/fig99-toy/scene.yaml
cat >experiments/fig99-toy/README.md <<'END'
# A toy

The paper says nothing of it.
END
cat >experiments/fig99-toy/runs <<'END'
axis height
    low  velocity=[0,0,-1]   # a comment
    high velocity=[0,0,-2]
axis k 1e3 1e4 : penalty stiffness={}
run {height}-k{k} name=weak
run {height}-merging merging
section 0,1,0,0 0.02 1
compare merging-against-k low-merging low-k1e3 cloth
END
# Stands in for a drawing with Matplotlib, whose import takes most of its time, and so does PIL's: four gray pixels, 150 to the inch, which
# follow from the table and the line.
cat >experiments/fig99-toy/draw.py <<'END'
import struct
import sys
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def draw(results, pictures, run, name, line):
    with open(f"{results}/{run}/metrics.csv", "rb") as file:
        pixels = zlib.crc32(file.read() + line.encode()).to_bytes(4, "big")
    with open(f"{pictures}/{name}.png", "wb") as file:
        head, size = struct.pack(">IIBBBBB", 4, 1, 8, 0, 0, 0, 0), struct.pack(">IIB", 5906, 5906, 1)
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"pHYs", size) + chunk(b"IDAT", zlib.compress(b"\0" + pixels)) + chunk(b"IEND", b""))
    with open(f"{pictures}/{name}.pdf", "w") as file:
        file.write(f"%PDF-1.4\n% {pixels.hex()}\n")


draw(*sys.argv[1:3], "low-merging", "fig99-toy", "-")
END
mkdir experiments/ablation-other
cp experiments/fig99-toy/scene.yaml experiments/fig99-toy/README.md experiments/ablation-other/
echo 'run only merging' >experiments/ablation-other/runs
sed 's/low-merging/only/; s/fig99-toy/ablation-other/' experiments/fig99-toy/draw.py >experiments/ablation-other/draw.py
# claim EXPERIMENT ID RUNS: its only claim, that nothing passes through in these runs
claim() {
    cat >"experiments/$1/claims.py" <<END
from claims import claim
@claim("$2", kind="finding", states="of $2", holds="== 0", because="so")
def f4(m):
    return max(m.column("$3", "penetrated"))
END
}
claim fig99-toy T-1 '*-merging'
claim ablation-other T-2 only

# Stands in for the page (real_page): what it shows, and whether it is another one.
cat >scripts/report.py <<'END'
import os
import sys

pictures = sys.argv[3]
path = f"{pictures}/index.html"
os.makedirs(pictures, exist_ok=True)
shown = " ".join(sorted(name for name in os.listdir(pictures) if name.endswith(".png")))
if not os.path.exists(path) or open(path).read() != shown:
    with open(path, "w") as file:
        file.write(shown)
    print(f"  wrote     {path}")
END

# A user's checkout has no bytecode either, but without it every start of a script takes a third longer. It is judged by contents, not by times.
"$PYTHON" -m compileall -q --invalidation-mode checked-hash scripts
make -s figures ablations contents >/dev/null
rm ran.log
mv results paper-figures "$folder/made"
mkdir paper-figures
