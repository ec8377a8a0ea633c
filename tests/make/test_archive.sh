#!/bin/sh
# make archive packs results and their source into one file; on another machine they can be made again, and make compare says
# what differs.
. "$(dirname "$0")/toy.sh"
command -v git >/dev/null || lacking_all 'there is no git'
git init -q .
printf '/build/\n/results/\n/paper-figures/\n*.log\n/.run/\n/out/\n/there/\n/described.py\n' >.gitignore
cp "$project/CITATION.cff" .
commit() { git add -A && git -c user.name=toy -c user.email=toy@localhost commit -qm "$1" || exit 1; }
commit First
archive=out/toy.tar.gz

# refused WHAT MESSAGE WORD...: make WORD... ends with status 2 and that message
refused() {
    what=$1 message=$2
    shift 2
    make "$@" >make.log 2>&1
    ok "$what: status 2" is $? 2
    ok '  and why' has make.log "$message"
}

echo 'a: 9' >experiments/fig99-toy/scene.yaml
refused 'a change that is not in the commit' 'experiments/fig99-toy/scene.yaml: not as in the commit' archive E=fig99 ARCHIVE=$archive
ok '  before anything is simulated' quiet test ! -e ran.log
git checkout -q experiments
refused 'no experiments' 'write make archive E=fig05' archive
ok 'an archive: what it needs is made' is "$(simulations archive E=fig99 ARCHIVE=$archive)" 6
cp $archive first.tar.gz.log
ok 'another one has the same bytes' quiet sh -c "make archive E=fig99 ARCHIVE=$archive && cmp $archive first.tar.gz.log"
rm -r build results
ok 'so has one of results that were made again' quiet sh -c "make archive E=fig99 ARCHIVE=$archive && cmp $archive first.tar.gz.log"
make compare ARCHIVE=$archive >make.log 2>&1
ok 'the same results: status 0' is $? 0
ok '  and what was compared' has make.log \
    'fig99-toy: 6 runs, all the same; 12 of 12 frames with the same bytes; 1 claim, the same; 1 picture, the same'

# another machine: only what is in the archive
mkdir there
tar xzf $archive -C there
ok 'its files are those of its list' quiet sh -c 'cd there/toy && sha256sum -c --quiet SHA256SUMS'
ok 'it has no frames and no times' is "$(find there/toy -name '*.hdf' -o -name timing.csv | wc -l)" 0
ok '  and says how to make its results again' has there/toy/README.md 'make SCALE=small fig99-toy'
ok '  and how to get the packages that it lists' has there/toy/README.md "$(date -u -d "@$(git log -1 --format=%ct)" +%Y%m%dT)"
ok '  without the name of a host' is "$(grep -c '://' there/toy/README.md)" 0
# what RO-Crate 1.1 demands of its two entities, and that each name in it is of something that is there
cat >described.py <<'END_OF_SCRIPT'
import json, os, subprocess, sys
os.chdir(sys.argv[1])
crate = json.load(open("ro-crate-metadata.json", encoding="utf-8"))
assert crate["@context"] == "https://w3id.org/ro/crate/1.1/context"
graph = {entity["@id"]: entity for entity in crate["@graph"]}
assert len(graph) == len(crate["@graph"]), "an @id twice"
descriptor, root = graph["ro-crate-metadata.json"], graph["./"]
assert descriptor["@type"] == "CreativeWork" and descriptor["about"] == {"@id": "./"}
assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
assert root["@type"] == "Dataset" and all(root[key] for key in ("name", "description", "datePublished", "license"))
for entity in crate["@graph"]:
    for value in entity.values():
        for one in value if isinstance(value, list) else [value]:
            assert not isinstance(one, dict) or one["@id"] in graph or one == descriptor["conformsTo"], one
files = {name[2:] for name in subprocess.check_output(["find", ".", "-type", "f", "!", "-path", "./source/*"], text=True).split()}
described = {name for name, entity in graph.items() if entity["@type"] == "File"}
assert files - described == {"ro-crate-metadata.json"} and not described - files, files ^ described
assert all(os.path.getsize(name) == int(graph[name].get("contentSize", os.path.getsize(name))) for name in described)
assert {part["@id"] for part in root["hasPart"]} == described | {"source/"}
assert graph["source/"]["author"] == root["author"] and graph[root["author"][0]["@id"]]["name"] == "mergesplit contributors"
meta = json.load(open("codemeta.json", encoding="utf-8"))
assert meta["@context"] == "https://w3id.org/codemeta/3.0" and meta["@type"] == "SoftwareSourceCode"
assert meta["license"] == root["license"]["@id"] == "https://spdx.org/licenses/GPL-3.0-or-later"
packages = [f"{each['name']} {each['version']}" for each in meta["softwareRequirements"]]
assert packages == [line for line in open("packages.txt").read().splitlines() if line.count(" ") == 1]
assert "Particle Merging-and-Splitting" in [paper["name"] for paper in meta["referencePublication"]]
commit_date = sys.argv[2]
assert meta["dateModified"] == root["datePublished"] == commit_date
END_OF_SCRIPT
ok 'ro-crate-metadata.json and codemeta.json describe it' quiet "$PYTHON" -B described.py there/toy "$(date -u -d "@$(git log -1 --format=%ct)" +%Y-%m-%d)"
cd there/toy/source || exit 1
ok 'its results can be made again' is "$(simulations fig99-toy)" 6
make compare ARCHIVE=../../../$archive >make.log 2>&1
ok '  and are the same: status 0' is $? 0
ok '  but for the commit, which git does not know there' has make.log "made otherwise: commit: $(git -C "$work" rev-parse HEAD) became unknown"

# there they become others
sed -i 's/-2\]/-3]/' experiments/fig99-toy/runs
sed -i 's/1e-12/1.0000001e-12/; s/2e-9/3e-9/; s/gain\\": 0.1/gain\\": 0.10000001/' src/stages/analyze.c
sed -i 's/"-")/"--")/' experiments/fig99-toy/draw.py
sed -i 's/== 0/== 1/' experiments/fig99-toy/claims.py
sed -i 's/-O3/-O2/' Makefile
make -s fig99-toy >/dev/null 2>&1
make compare ARCHIVE=../../../$archive >make.log 2>&1
ok 'others: make says so' is $? 2
ok '  a key of the configuration' has make.log 'high-merging: config.yaml: velocity: [0,0,-2] became [0,0,-3] (and 1 more file) (beyond tolerance)'
ok '  frames' has make.log '6 of 12 frames with the same bytes'
ok '  a number that is within the tolerance' has make.log 'low-merging: summary.json: energy_imbalance_relative, 2e-09 became 3e-09, 1 of the tolerance (within tolerance)'
ok '  a claim that there is not any more' has make.log 'claim T-1: there is none (beyond tolerance)'
ok '  a picture' has make.log 'fig99-toy.png: '
ok '  flags' has make.log 'made otherwise: flags: -O3 became -O2'
ok '  and the tolerances' has make.log 'tolerances: 1e-06 of the largest value of a column'
rm -r results/small/fig99-toy/low-k1e3
make compare ARCHIVE=../../../$archive >make.log 2>&1
ok 'a run that is missing' has make.log 'low-k1e3: there is no such run (beyond tolerance)'
refused 'no repository' 'an archive has the source of a commit, so it needs the repository' archive E=fig99
cd "$work" || exit 1

sed -i '/^license/d' CITATION.cff && commit 'No licence'
refused 'a CITATION.cff without a licence' 'CITATION.cff: has no license' archive E=fig99 ARCHIVE=out/none.tar.gz
ok '  before anything is written' quiet test ! -e out/none.tar.gz
git rm -q CITATION.cff && commit 'No CITATION.cff'
refused 'no CITATION.cff' 'CITATION.cff: has no title' archive E=fig99 ARCHIVE=out/none.tar.gz

head -c 20000 $archive >out/cut.tar.gz
refused 'a truncated archive' 'out/cut.tar.gz: cannot be read: ' compare ARCHIVE=out/cut.tar.gz
refused 'another file' 'Makefile: cannot be read: ' compare ARCHIVE=Makefile
refused 'no archive' 'write make compare ARCHIVE=file.tar.gz' compare
refused 'another scale' 'has no results at SCALE=paper' compare SCALE=paper ARCHIVE=$archive
mkdir -p out/toy && tar xzf $archive -C out && echo 7 >>out/toy/results/small/fig99-toy/low-merging/metrics.csv && tar czf out/toy2.tar.gz -C out toy
refused 'an archive that was changed' 'low-merging/metrics.csv is damaged' compare ARCHIVE=out/toy2.tar.gz

# A release: the version is written, then source and module are packed.
mkdir -p src/base
cp "$project/src/base/program.h" src/base/
cp "$project/CHANGELOG.md" "$project/CITATION.cff" .
commit Changes
refused 'a version that is none' "'1.x' is no version; write make release V=1.2.0" release V=1.x
make release V=7.8.9 >make.log 2>&1
ok 'a release: the version is written where it is named' has make.log 'wrote     version 7.8.9 into CITATION.cff, scripts/pyproject.toml, src/base/program.h, CHANGELOG.md'
ok '  in each of them' is "$(grep -l '7\.8\.9' CITATION.cff scripts/pyproject.toml src/base/program.h CHANGELOG.md | wc -l)" 4
refused '  to be committed' 'not as in the commit' release V=7.8.9
commit Release
quiet make release V=7.8.9
cp results/releases/SHA256SUMS sums.log
ok '  then it is packed, with the same bytes again' quiet sh -c 'rm -r results/releases && make release V=7.8.9 && cmp results/releases/SHA256SUMS sums.log && cd results/releases && sha256sum -c SHA256SUMS'
tar xzf results/releases/mergesplit-7.8.9.tar.gz -C out
ok '  with what machines read' has out/mergesplit-7.8.9/codemeta.json '"version": "7.8.9"'
ok '  and people' has out/mergesplit-7.8.9/README.md 'make all check'
mkdir there.module && tar xzf results/releases/mergesplit-python-7.8.9.tar.gz -C there.module
ok '  and the Python module' quiet env PYTHONPATH=there.module/mergesplit-python-7.8.9 "$PYTHON" -B -c 'import mergesplit'
finish
