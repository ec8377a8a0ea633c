# shellcheck shell=sh
# on_change NAME TOOL WORD...: runs the tool, unless it had nothing to say the last time of the same words, files with the same bytes,
# version and .clang-format. What it last had nothing to say of is kept in build/lint/NAME.
on_change() {
    record=${BUILD:-$project/build}/lint/$1
    shift
    digest=$({
        "$1" --version
        echo "$@"
        for word; do [ ! -f "$word" ] || echo "$word"; done | xargs sha256sum "$project/.clang-format"
    } 2>&1 | sha256sum)
    if [ "$(cat "$record" 2>/dev/null)" = "$digest" ]; then
        run echo "nothing has changed since it passed"
        return
    fi
    run "$@"
    if [ "$run_status" = 0 ]; then
        mkdir -p "${record%/*}" && echo "$digest" >"$record"
    fi
}
