#!/bin/sh
# The scripts have no faults that shellcheck or pyflakes would find.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
. "$project/tests/lint/on_change.sh"

# What is left out: variables and functions that another file sets or uses (1091, 2034, 2120, 2154); `ls | grep`, for names that
# are numbers (2010); -ef, which every shell has that we know (3013); `done` as the word of a command (1010).
left_out=SC1010,SC1091,SC2010,SC2034,SC2120,SC2154,SC3013
# shellcheck disable=SC2046 # names without blanks
if command -v shellcheck >/dev/null; then
    on_change shellcheck shellcheck --shell=sh --severity=warning --exclude="$left_out" --format=gcc \
        $(grep -slE '^#!/bin/sh|^# shellcheck shell=sh' "$project"/scripts/*[a-z] "$project"/scripts/steps/* "$project"/tests/*/*.sh "$project"/.ci/*)
    ok 'shellcheck' status 0
else
    lacking 'there is no shellcheck' 'shellcheck'
fi
if command -v pyflakes3 >/dev/null; then
    on_change pyflakes pyflakes3 "$project"/scripts/*.py "$project"/scripts/*/*.py "$project"/tests/*/*.py "$project"/experiments/*/*.py
    ok 'pyflakes' status 0
else
    lacking 'there is no pyflakes3' 'pyflakes'
fi
finish
