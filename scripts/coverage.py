"""usage: coverage.py BUILD: prints which fraction of the lines of src/ the tests ran, room by room (make coverage), with gcovr.

BUILD is the build folder of programs and tests that counted (COVERAGE=1). Of every room its files with the most lines that no
test ran are named; build/coverage/lines.txt lists these lines. Exit status 1 if fewer than 90 % of all lines ran.
"""

import json
import os
import subprocess
import sys

LEAST = 90.0  # %
NAMED = 3  # files of a room


def lines_of(build):
    """{file: (lines that ran, lines)} of src/."""
    made = subprocess.run(["gcovr", "--root", ".", "--filter", "src/", "--object-directory", build, "--txt", f"{build}/lines.txt", "--json-summary", f"{build}/lines.json", build],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        sys.exit(f"gcovr failed:\n{made.stdout[-2000:]}")
    with open(f"{build}/lines.json", encoding="utf-8") as file:
        return {entry["filename"]: (entry["line_covered"], entry["line_total"]) for entry in json.load(file)["files"]}


def percent(ran, all_):
    return 100.0 * ran / all_ if all_ else 100.0


def room_of(path):
    return path.split(os.sep)[1]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lines = lines_of(sys.argv[1])
    for room in sorted({room_of(path) for path in lines}):
        files = {path: counts for path, counts in lines.items() if room_of(path) == room}
        ran, all_ = (sum(counts[k] for counts in files.values()) for k in (0, 1))
        worst = sorted(files, key=lambda path: files[path][0] - files[path][1])[:NAMED]
        named = ", ".join(f"{path.split(os.sep, 2)[2]} {files[path][1] - files[path][0]}" for path in worst if files[path][0] < files[path][1])
        print(f"  {room:10} {percent(ran, all_):5.1f} % of {all_:5} lines{'; not: ' + named if named else ''}")
    ran, all_ = (sum(counts[k] for counts in lines.values()) for k in (0, 1))
    print(f"  {'all':10} {percent(ran, all_):5.1f} % of {all_:5} lines; {sys.argv[1]}/lines.txt names those that no test ran")
    return 0 if percent(ran, all_) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
