#!/bin/sh
# Every run of an experiment has a configuration that ms-sample takes, at both scales. A scene that is divided into layers, or a key that is
# renamed, would otherwise be noticed by who runs that experiment.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"

cp -r "$project/scripts" "$project/experiments" "$project/configs" .
mkdir tests
cp -r "$project/tests/unit" "$project/tests/bench" tests
for mesh in $(sed -n 's/^meshes := //p' "$project/scripts/make/experiments.mk"); do
    "$PYTHON" -B "${mesh%/*}/shape.py" >"$mesh"
done

refused() { run "$PYTHON" -B scripts/refused.py "$BUILD/ms-sample" "$@"; }
# shellcheck disable=SC2046 # names without blanks
refused $(ls experiments/*/runs | cut -d/ -f2)
ok "no run's configuration is faulty" status 0
ok "..." same .run/out /dev/null

sed -i 's/bodies:/bodiez:/' experiments/fig04-solid-fluid/scene.yaml
refused fig04-solid-fluid
ok "a scene without bodies is noticed" out_has "fig04-solid-fluid/"
finish
