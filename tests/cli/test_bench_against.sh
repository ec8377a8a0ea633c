#!/bin/sh
# scripts/bench_against.py: what it compares, in which order, and what it says.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"

run "$PYTHON" -B "$project/scripts/bench_against.py"
ok 'without another checkout: status 2' status 2
mkdir empty
run "$PYTHON" -B "$project/scripts/bench_against.py" empty
ok 'a checkout that is not built: status 2' status 2
ok '  and how to build it' err_has 'build/tests/bench_bonds.t'

mkdir this other
cat >pairs.py <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
import bench_against
os.chdir("this")
order = []
def case():
    order.append(os.path.basename(os.getcwd()))
    return (0.002, 0.001) if order[-1] == "other" else (0.003, 0.0005 * len(order))
pairs = [bench_against.pair(case, os.path.abspath("../other"), number % 2 == 1) for number in range(3)]
print(" ".join(order))
bench_against.row("case", pairs, 7)
END
run "$PYTHON" -B pairs.py "$project/scripts"
ok 'the first one of a pair changes' out_has 'other this this other other this'
ok 'smallest time of each, median and ends of the ratios, median of CPU time, goal' sh -c "tr -s ' ' <.run/out | grep -qx 'case 0.002 0.003 1.500 1.500 .. 1.500 1.500 7'"
finish
