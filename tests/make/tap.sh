# shellcheck shell=sh
# TAP for shell tests: `ok TEXT COMMAND...` is one test; `finish` prints the plan.
tap_count=0

ok() {
    tap_text=$1
    shift
    tap_count=$((tap_count + 1))
    if "$@" >tap.log 2>&1; then
        echo "ok $tap_count - $tap_text"
    else
        echo "not ok $tap_count - $tap_text"
        echo "#   failed: $*"
        sed 's/^/#   /' tap.log
    fi
}

finish() {
    echo "1..$tap_count"
}

# is ACTUAL EXPECTED
is() {
    [ "$1" = "$2" ] || { echo "got '$1', expected '$2'"; return 1; }
}

# has FILE TEXT
has() {
    grep -qF -- "$2" "$1" || { echo "no '$2' in $1:"; cat "$1"; return 1; }
}
