#!/bin/sh
# The scenes of configs/examples run, and explain every key.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
examples=$project/configs/examples

# Keys of a scene without a comment on the line before. Words that open a block whose first line has one are explained there.
unexplained() {
    awk '/^ *#/ { comment = 1; next }
        /^ *$/ { comment = 0; next }
        { opens = /: *$/; if (!comment && !opens) print FILENAME ":" FNR ": " $0; comment = 0 }' "$@"
}

scenes=$(cd "$examples" && ls ./*.yaml)
ok 'there are five scenes' [ "$(echo "$scenes" | wc -l)" = 5 ]
for scene in $scenes; do
    name=$(basename "$scene" .yaml)
    ok "$name: every key is explained" [ "$(unexplained "$examples/$scene")" = '' ]
    ok '  it is in the list' grep -qF "| \`$name.yaml\` |" "$examples/README.md"
    # a copy, so that it depends on nothing but the files beside it
    mkdir "$name" && cp "$examples"/*.yaml "$examples"/*.obj "$name"
    run ms-sample -c "$name/$name.yaml" --set name=test -o "$name/initial.hdf"
    ok '  it is sampled' status 0
    run ms-simulate "$name/initial.hdf" --quiet --from "$name/initial.hdf" --steps 3 -o "$name/timed"
    ok '  and takes three steps' status 0
    ok '  silently' err_is ''
    ok '  which are all there' [ "$(grep -c '^[0-9]' "$name/timed/steps.csv")" = 3 ]
done
printf 'a:\n  # explained\n  b: 1\n  c: 2\n' >lacking.yaml
ok 'a key without a comment is found' [ "$(unexplained lacking.yaml)" = 'lacking.yaml:4:   c: 2' ]
finish
