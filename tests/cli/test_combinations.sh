#!/bin/sh
# docs/combinations.md says what goes with what as the rules have it, and what a refusal advises is taken.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"

run "$PYTHON" -B "$project/scripts/combinations.py" "$BUILD"
ok 'what a refusal advises is possible' status 0
ok 'docs/combinations.md is what the rules say' cmp .run/out "$project/docs/combinations.md"
finish
