"""What an archive (scripts/archive.py) says about itself for machines, of CITATION.cff and its own list of files: codemeta.json (CodeMeta 3.0)
describes the software, ro-crate-metadata.json (RO-Crate 1.1) the archive. Dates are those of the commit, so that the same commit gives the same bytes.
"""

import json
import re
import urllib.parse

import yaml

from arithmetic import Fault

REQUIRED = ("title", "version", "abstract", "license", "authors")
FORMATS = {"csv": "text/csv", "json": "application/json", "md": "text/markdown", "png": "image/png", "sha256": "text/plain", "txt": "text/plain",
           "yaml": "text/yaml"}


def citation_read(content):
    """CITATION.cff, of which these texts are made; it must say what they cannot do without."""
    try:
        citation = yaml.safe_load(content) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise Fault(f"CITATION.cff: {' '.join(str(error).split())}; an archive says with it who made it") from error
    missing = [key for key in REQUIRED if not isinstance(citation, dict) or not citation.get(key)]
    if missing:
        raise Fault(f"CITATION.cff: has no {missing[0]}; an archive says with it who made it, so commit one that has")
    return citation


def text(described):
    return (json.dumps(described, indent=1, ensure_ascii=False) + "\n").encode()


# ---- what both say -------------------------------------------------------------------------------

def agent(author, number):
    """A person or organization of CITATION.cff."""
    if "name" in author:
        found = {"@id": f"#author-{number}", "@type": "Organization", "name": author["name"]}
    else:
        found = {"@id": author.get("orcid", f"#author-{number}"), "@type": "Person", "givenName": author.get("given-names", ""),
                 "familyName": author.get("family-names", "")}
        found["name"] = f"{found['givenName']} {found['familyName']}".strip()
    return found


def agents(citation):
    return [agent(author, number) for number, author in enumerate(citation["authors"], 1)]


def articles(citation):
    """The papers that the software implements and tests."""
    return [{"@id": f"https://doi.org/{paper['doi']}", "@type": "ScholarlyArticle", "name": paper["title"], "datePublished": str(paper["year"]),
             "author": "; ".join(agent(author, 0)["name"] for author in paper["authors"])}
            for paper in citation.get("references", ()) if "doi" in paper]


def license_address(citation):
    return f"https://spdx.org/licenses/{citation['license']}"


def software(citation, commit, date):
    return {"@type": "SoftwareSourceCode", "name": citation["title"], "version": str(citation["version"]), "description": citation["abstract"],
            "identifier": commit, "dateModified": f"{date:%Y-%m-%d}", "keywords": ", ".join(citation.get("keywords", ())),
            "programmingLanguage": ["C", "Python", "make", "sh"]}


# ---- the two files -------------------------------------------------------------------------------

def codemeta(citation, commit, date, packages):
    required = [{"@type": "SoftwareApplication", "name": name, "version": version}
                for name, version in re.findall(r"^(\S+) (\S+)$", packages, re.MULTILINE)]
    return text({"@context": "https://w3id.org/codemeta/3.0", **software(citation, commit, date), "license": license_address(citation),
                 "author": agents(citation), "operatingSystem": "Linux", "softwareRequirements": required, "referencePublication": articles(citation)})


def file_entity(path, size):
    kind = FORMATS.get(path.rpartition(".")[2], "text/plain")
    return {"@id": urllib.parse.quote(path), "@type": "File", "name": path, "encodingFormat": kind, **({} if size is None else {"contentSize": str(size)})}


def research_object(citation, commit, date, name, experiments, sizes):
    """sizes: {path: bytes, or None} of the archive's files but those of the source, which is described as one thing."""
    def referred(entities):
        return [{"@id": entity["@id"]} for entity in entities]
    files = [file_entity(path, size) for path, size in sorted({**sizes, "SHA256SUMS": None}.items())]
    authors, papers, terms = agents(citation), articles(citation), {"@id": license_address(citation)}
    source = {"@id": "source/", **software(citation, commit, date), "@type": ["Dataset", "SoftwareSourceCode"], "license": terms,
              "author": referred(authors), "citation": referred(papers)}
    root = {"@id": "./", "@type": "Dataset", "name": f"{name}: results of {citation['title']}", "datePublished": f"{date:%Y-%m-%d}",
            "description": f"Results of {', '.join(experiments)} by {citation['title']} {citation['version']} at commit {commit}, "
                           "with the source from which they can be made again.",
            "license": terms, "author": referred(authors), "hasPart": referred([source, *files])}
    descriptor = {"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"}, "about": {"@id": "./"}}
    licence = {**terms, "@type": "CreativeWork", "name": citation["license"], "description": "The licence of the project; source/LICENSE has its text."}
    return text({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": [descriptor, root, source, licence, *authors, *papers, *files]})
