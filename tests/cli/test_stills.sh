#!/bin/sh
# scripts/stills.py: the table of times of pictures, of the smallest layer.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
command -v povray >/dev/null || lacking_all 'there is no povray'

run "$PYTHON" -B "$project/scripts/stills.py" "$BUILD" 11000
ok 'a table of times' status 0
ok '... without complaints' same .run/err /dev/null
cp .run/out table
for kind in preview spheres surface skin; do
    # kind, particles, four times and sizes above zero (a preview needs no renderer), the scene's size, the share of others
    ok "... with a row of $kind" awk -v kind=$kind '
        $1 == kind && $2 == 10240 && $3 > 0 && ($4 > 0) == (kind != "preview") && $5 + 0.011 > $3 + $4 && $6 > 1 && $7 > 0 && $8 ~ /%$/ { found++ }
        END { exit found != 1 }' table
done
run "$PYTHON" -B "$project/scripts/stills.py" nowhere 11000
ok 'without programs: status 1' status 1
ok '... and one line' err_lines 1
finish
