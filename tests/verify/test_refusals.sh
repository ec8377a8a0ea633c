#!/bin/sh
# tests/cli/test_refusals.sh at every place where a program asks for memory.
export EVERY=1 METHODS=5
exec sh "$(dirname "$0")/../cli/test_refusals.sh"
