#!/bin/sh
# The particles of a run as the report page gets them (scripts/points.py), unpacked again and compared with its frames.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
export OMP_NUM_THREADS=1 PYTHONPATH="$project/scripts" PYTHONDONTWRITEBYTECODE=1
"$PYTHON" -c 'import h5py, numpy' 2>/dev/null || lacking_all 'there is no h5py'
points() { run "$PYTHON" "$project/scripts/points.py" "$@"; }

# Reads POINTS.json as scripts/page/frames.js does, one value after the other.
cat >unpack.py <<'END'
import base64, json, sys, zlib
import numpy as np
def unpacked(path):
    made = json.load(open(path))
    n, frames = made["particles"], len(made["times"])
    data, count = zlib.decompress(base64.b64decode(made["data"])), 3 * made["particles"] * len(made["times"])
    at = []
    for k in range(count):
        folded = data[k] | data[count + k] << 8
        change = folded >> 1 ^ -(folded & 1)
        at.append((change + (at[-1] if k % n else 0) + 32768) % 65536 - 32768)
    for k in range(3 * n, count):
        at[k] = (at[k] + at[k - 3 * n] + 32768) % 65536 - 32768
    rest = np.frombuffer(data[2 * count:], dtype=np.uint8)
    fields = {name: rest[n + k * n * frames:][:n * frames].reshape(frames, n) for k, name in enumerate(made["fields"])}
    return made, np.array(at).reshape(frames, 3, n).transpose(0, 2, 1), rest[:n], fields
END

ball_on_cloth 0.02 >scene.yaml
mkdir out
{ ms-sample --config scene.yaml --set time.frame_interval=0.005 -o out/initial.hdf && ms-simulate out/initial.hdf -o out; } >/dev/null 2>&1
points out out.json
ok 'a run is packed' status 0
cp out.json first.json
points out out.json
ok '... into the same bytes again' same out.json first.json
cat >code.py <<'END'
import sys
import numpy as np
from mergesplit import Run
from unpack import unpacked
made, at, body, fields = unpacked("out.json")
frames = list(Run("out").frames)
print("frames", len(frames) == len(made["times"]) > 3)
print("bodies", all((f["body"] == body).all() for f in frames) and made["bodies"] == frames[0].bodies)
print("places", max(abs(a * made["quantum"] - f["position"]).max() for a, f in zip(at, frames)) < made["quantum"] * 0.501)
print("quantum", np.isclose(made["quantum"], min(f["radius"].min() for f in frames) / 16))
END
run "$PYTHON" code.py
for what in frames bodies places quantum; do
    ok "... with all $what" out_has "$what True"
done

cat >code.py <<'END'
import json
import numpy as np
import points
from unpack import unpacked
position = np.array([[[0, 0, 0], [0.1, 0, 0], [1, 2, 3.0]], [[0, 0, -1e-3], [np.nan, 0, 0], [1e9, 0, 0]], [[0, 0, 1], [0, 0, 0.25], [-20, 20, 1]]])
here = np.array([[True, True, False], [True, True, True], [True, True, True]])
made = points.packed([0, 1, 2], position, here, np.array([0, 0, 1]), ["a", "b"], np.array([0.01, 0.02, 0.03]),
                     {"damage": np.array([[0, 0, 0], [0, 0.5, 1], [2, -1, 0]]), "penetrated": np.zeros((3, 3))})
json.dump(made, open("own.json", "w"))
made, at, body, fields = unpacked("own.json")
away = (at == points.ABSENT).all(axis=2)
print("absent", away.tolist() == [[False, False, True], [False, True, True], [False, False, False]])
print("present", abs(at[~away] * made["quantum"] - position[~away]).max() <= made["quantum"] * 0.501)
print("fields", sorted(fields) == ["damage"] and fields["damage"].tolist() == [[0, 0, 0], [0, 128, 255], [255, 0, 0]])
print("radii", made["radii"] == [0.02, 0.03])
END
run "$PYTHON" code.py
ok 'particles that are not there, lost or too far away' out_has 'absent True'
ok '... and those that are' out_has 'present True'
ok 'fields that are zero throughout are left out' out_has 'fields True'
ok 'each body has its radius' out_has 'radii True'

mkdir -p empty/frames
cp out/initial.hdf empty/
points empty empty.json
ok 'a run without frames: status 1' status 1
ok '... and one line' err_is 'points: empty: has no frames'
cp -r out cut
truncate -s 5000 cut/frames/000002.hdf
points cut cut.json
ok 'a frame that was cut off: status 1' status 1
ok '... and one line that says so' err_has 'cut/frames/000002.hdf: is damaged or was cut off'
ok '... and nothing is written' [ ! -e cut.json ]
finish
