#!/bin/sh
# The notebooks of configs/examples run from start to end, and are kept without results.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
export OMP_NUM_THREADS=1 PYTHONPATH="$project/scripts" PYTHONDONTWRITEBYTECODE=1 MERGESPLIT_PROGRAMS="$BUILD"
export MPLCONFIGDIR="$PWD/.matplotlib" JUPYTER_RUNTIME_DIR="$PWD/.runtime" IPYTHONDIR="$PWD/.ipython"
cp -r "$project/configs/examples" .

for notebook in examples/notebooks/*.ipynb; do
    name=$(basename "$notebook" .ipynb)
    ok "$name: no results are kept" "$PYTHON" - "$notebook" <<'END_OF_CODE'
import json, sys
cells = [cell for cell in json.load(open(sys.argv[1]))["cells"] if cell["cell_type"] == "code"]
sys.exit(any(cell["outputs"] or cell["execution_count"] for cell in cells) or not cells)
END_OF_CODE
    if ! "$PYTHON" -c 'import nbclient, ipykernel, pandas, matplotlib' 2>/dev/null; then
        skip 'there is no nbclient, ipykernel, pandas or matplotlib' "$name runs"
        continue
    fi
    run "$PYTHON" - "$notebook" <<'END_OF_CODE'
import os, sys
import nbclient, nbformat
book = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(book, timeout=1200, kernel_name="python3", resources={"metadata": {"path": os.path.dirname(sys.argv[1])}}).execute()
for cell in book.cells:
    for output in cell.get("outputs", []):
        print(output.get("text") or output.get("data", {}).get("text/plain", ""))
print("pictures", sum("image/png" in output.get("data", {}) for cell in book.cells for output in cell.get("outputs", [])))
END_OF_CODE
    ok "$name runs" status 0
    ok '  and draws' [ "$(sed -n 's/^pictures //p' .run/out)" -gt 0 ]
    cp .run/out "$name.said"
done
if [ -s sweep.said ]; then
    ok 'the rebound that backward Euler eats at 0.5 ms is kept by Newmark' awk \
        '/^(backward-euler|newmark) .*0.5 ms/ { sub(/.* 0.5 ms: /, ""); kept[++n] = $1 } END { exit !(kept[1] < 50 && kept[2] > 90) }' sweep.said
fi
finish
