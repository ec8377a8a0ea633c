"""Archives and folders of results that others made: make compare and make archive refuse each in a line, soon, and with little memory.

usage: hostile_archives.py, in a copy of the project with the experiment fig99-toy. Prints a line for each fault, and their number.
"""

import gzip
import hashlib
import io
import json
import os
import resource
import signal
import subprocess
import sys
import tarfile
import tempfile
import traceback

sys.path.insert(0, "scripts")
import archive
import compare
from arithmetic import Fault

CLAIM = {"id": "T-1", "threshold": "== 0", "value": 0, "holds": True, "kind": "finding", "states": "x"}
GOOD = {"claims.json": json.dumps([CLAIM]), "drawn.txt": "picture.png\n", "run/config.yaml": "a: 1\n", "run/metrics.csv": "time,x\n0,1\n1,2\n",
        "run/manifest.json": '{"commit": "abc"}', "run/frames.sha256": f"{0:064d}  frames/000000.hdf\n", "run/tables.sha256": "x\n"}
# numpy's algebra takes memory for each core
os.environ["OPENBLAS_NUM_THREADS"] = "1"
PLACE, MEMORY = "toy/results/small/fig99-toy/", 600_000_000
COMPUTING, PATIENCE = 60, 1200  # seconds of computing, which a busy machine hardly changes; and for one that waits, seconds that pass
ESCAPES = "\x1b]0;owned\x07\x1b[2J"
number, faults = 0, []


def results_written(files):
    subprocess.run(["rm", "-rf", "there"], check=True)
    for name, text in files.items():
        path = f"there/{'figures' if name.endswith('.png') else 'small/fig99-toy'}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def member(name, text=b"", kind=tarfile.REGTYPE, link=""):
    found = tarfile.TarInfo(name)
    found.type, found.linkname, found.size = kind, link, len(text)
    return found, text


def archive_written(files, more=(), sums=None):
    """An archive of results, with further members; sums: the text of SHA256SUMS, if not the right one."""
    members = [member(f"toy/figures/{name}" if name.endswith(".png") else PLACE + name, text.encode()) for name, text in files.items()] + list(more)
    right = "".join(f"{hashlib.sha256(text).hexdigest()}  {head.name[4:]}\n" for head, text in members if head.isreg())
    members.append(member("toy/SHA256SUMS", (right if sums is None else sums(right)).encode()))
    with tarfile.open("hostile.tar.gz", "w:gz") as file:
        for head, text in members:
            file.addfile(head, io.BytesIO(text))


def limit():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING, COMPUTING))
    signal.alarm(PATIENCE)


def ended(script):
    """The exit status of a script, which is called here."""
    try:
        script()
        return 0
    except SystemExit as end:
        return end.code or 0
    except BaseException:  # as Python itself
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def apart(script):
    """The exit status of a script in a process of its own, minus a signal that ended it, and what it printed. A copy of this process has read
    the modules already, which takes most of the time of a start."""
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            status = 99
            try:
                limit()
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                status = ended(script)
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        return status, said.read().decode(errors="replace")


def comparing():
    sys.argv[1:] = ["hostile.tar.gz", "small", "there/small", "there/figures"]
    compare.main()


def packing():
    class Toy:
        name, runs = "fig99-toy", [type("Run", (), {"name": "run"})]
    try:
        print(sorted(path for path, _ in archive.experiment_files(Toy, "small", "there/small", "there/figures")))
    except (Fault, OSError) as fault:
        archive.fail(fault)


def tried(what, expected, status=2, script=comparing):
    """Runs a script with little memory; it ends soon, with that status and text, and says nothing that a terminal would obey."""
    global number
    number += 1
    found, said = apart(script)
    if found != status or expected not in said or "Traceback" in said or not said.replace("\n", "").isprintable():
        faults.append(f"{what}: status {found}, {said[-300:]!r}; expected status {status}, {expected!r}")
    if status == 2 and len(said.splitlines()) != 1:
        faults.append(f"{what}: said {len(said.splitlines())} lines")


def of_members():
    for name in ("../x", "toy/../../x", "/tmp/x", "toy/results/small/fig99-toy/" + ESCAPES, "toy/$(touch PWNED)", "toy/a b", "-x", "other/file"):
        archive_written(GOOD, [member(name, b"x")])
        tried(f"a member {name!r}", "hostile.tar.gz: ")
    for kind, link in ((tarfile.SYMTYPE, "/etc/passwd"), (tarfile.LNKTYPE, PLACE + "claims.json"), (tarfile.FIFOTYPE, ""), (tarfile.CHRTYPE, ""), (tarfile.BLKTYPE, "")):
        archive_written(GOOD, [member(PLACE + "run/x.csv", kind=kind, link=link)])
        tried(f"a member of type {kind!r}", "run/x.csv leads out of the archive, or is neither file nor folder")
    archive_written(GOOD, [member("toy", kind=tarfile.SYMTYPE, link="elsewhere")])
    tried("a folder that is a link", "is neither file nor folder")
    archive_written({**GOOD, "claims.json": "[" + " " * 70_000_000 + "]"})
    tried("claims of 70 MB", "claims.json has 70000002 bytes")


def of_sizes():
    """What unzips to more than anybody would unpack: the archive itself is small."""
    head, _ = member("toy/figures/zeros.png")
    head.size = 40_000_000_000
    with gzip.open("hostile.tar.gz", "wb", 1) as file:
        file.write(head.tobuf())
        file.write(bytes(10_000_000))
    tried("a file of 40 GB", "unpacks to more than")
    head.size, head.type = 4_000_000_000, tarfile.XHDTYPE
    with gzip.open("hostile.tar.gz", "wb", 1) as file:
        file.write(head.tobuf(tarfile.USTAR_FORMAT))
        file.write(bytes(10_000_000))
    tried("a header of 4 GB", "has a header of")
    with gzip.open("hostile.tar.gz", "wb", 1) as file:
        one = member("toy/x")[0].tobuf() * 1000
        for _ in range(210):
            file.write(one)
    tried("210 000 files", "unpacks to more than 200000 files")


def of_sums():
    for name in ("/dev/zero", "../../../../../dev/zero", "figures/nothing.png", ESCAPES):
        archive_written(GOOD, sums=lambda right, name=name: right + f"{0:064d}  {name}\n")
        tried(f"SHA256SUMS that names {name!r}", "is in SHA256SUMS or in the archive, but not in both")
    archive_written(GOOD, sums=lambda right: "nonsense\n")
    tried("SHA256SUMS of other lines", "is in SHA256SUMS or in the archive, but not in both")
    archive_written(GOOD, sums=lambda right: right.replace("0", "1"))
    tried("SHA256SUMS of other sums", "hostile.tar.gz: ")


def of_contents():
    for text in ("{", "[1]", "[{}]", '{"id": 1}', '[{"id": "T-1"}]', '[{"id": [], "threshold": "", "value": 0, "holds": true}]',
                 '[{"id": "T-1", "threshold": "== 0", "value": "x", "holds": true}]', "[" * 100_000, "7", '"x"', '[{"threshold": "' + "\\u001b[2J" + '"}]'):
        archive_written({**GOOD, "claims.json": text})
        tried(f"claims {text[:40]!r}", "fig99-toy/claims.json: is not what make writes: ")
    archive_written({**GOOD, "claims.json": json.dumps([{**CLAIM, "id": ESCAPES}])})
    tried("a claim whose name speaks to the terminal", "there is none (beyond tolerance)", 1)
    for text, words in (("time,x\n0\n", "row 1 has 1 cells, and the table 2 columns"), ('time,x\n"\0,1\n', "metrics.csv: "), ("time,x\n0,1\n1," + ESCAPES, "metrics.csv: "),
                        ("", "metrics.csv: "), ("x" * 200_000, "metrics.csv: "), (f"time,{ESCAPES}\n0,1\n", "metrics.csv: ")):
        archive_written({**GOOD, "run/metrics.csv": text})
        tried(f"a table {text[:20]!r}", words, 1)
    for text in ("{", "[" * 100_000, "7", '{"commit": "' + "\\u001b[2J" + '"}', json.dumps({ESCAPES: 1})):
        archive_written({**GOOD, "run/manifest.json": text})
        tried(f"a manifest {text[:20]!r}", "", 0)
    for name in ("/dev/zero.png", "../../x.png", "nothing.png", ESCAPES + ".png"):
        archive_written({**GOOD, "drawn.txt": f"{name}\n"})
        tried(f"drawn.txt that names {name!r}", "is no picture of the archive")
    archive_written({**GOOD, "picture.png": "no picture"})
    tried("a picture that is none", "picture.png: cannot be read", 1)


def of_files():
    """What is given as an archive."""
    for words, target in ((["mkfifo", "hostile.tar.gz"], "a pipe"), (["ln", "-s", "/dev/zero", "hostile.tar.gz"], "a device"), (["mkdir", "hostile.tar.gz"], "a folder")):
        subprocess.run(["rm", "-rf", "hostile.tar.gz"], check=True)
        subprocess.run(words, check=True)
        tried(f"{target} as an archive", "hostile.tar.gz: is not there, or no file")
    subprocess.run(["rm", "-rf", "hostile.tar.gz"], check=True)


def of_packing():
    """Folders of results of which make archive is to pack what is not in them."""
    tried("results that can be packed", "figures/picture.png", 0, packing)
    for name in ("/etc/passwd", "../../etc/passwd", "/dev/zero", ESCAPES):
        results_written({**GOOD, "picture.png": "x", "drawn.txt": f"{name}\n"})
        tried(f"drawn.txt that names {name!r}", "is not a name for a picture", script=packing)
    for name in ("fig99-toy/run/x.csv", "fig99-toy/x.csv", "fig99-toy/run/manifest.json"):
        for target in ("/etc/passwd", "/dev/zero"):
            results_written({**GOOD, "picture.png": "x"})
            subprocess.run(["ln", "-sf", target, f"there/small/{name}"], check=True)
            tried(f"{name} that links to {target}", "is a link" if "/run/" in name or target == "/etc/passwd" else "figures/picture.png",
                  2 if "/run/" in name or target == "/etc/passwd" else 0, packing)
    results_written({**GOOD, "picture.png": "x"})
    os.mkfifo("there/small/fig99-toy/run/x.csv")
    tried("a pipe among results", "is not there, or no file", script=packing)


def main():
    results_written({**GOOD, "picture.png": "x"})
    archive_written({**GOOD, "picture.png": "x"})
    tried("an archive that is right", "1 run, the same; 1 of 1 frames with the same bytes; 1 claim, the same; 1 picture, the same", 0)
    of_sizes()
    of_members()
    of_sums()
    GOOD["picture.png"] = "x"
    of_contents()
    of_files()
    of_packing()
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{number} archives and folders, {len(faults)} faults")


if __name__ == "__main__":
    main()
