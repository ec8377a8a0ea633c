"""usage: report.py SCALE RESULTS PICTURES: writes PICTURES/index.html, which shows every experiment with its
pictures, claims, numbers and the command that makes it again. The file is rewritten only when its content changes. An
experiment that was not run here is shown with the previews and values that the repository keeps.
"""

import glob
import html
import json
import os
import re
import sys

import markdown

from arithmetic import Fault
from claims import KINDS, claims_read, paper_lines
from publish import SHOWN
from reference import kept_claims
from texts import without_expressions
from verify import counted, state

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mergesplit: figures and claims</title>
<style>
:root { color-scheme: light dark; --text: #1b1b1b; --soft: #666; --paper: #fdfdfb; --line: #ddd; --good: #00704f; --bad: #b33a00; --known: #7a5c00; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e4e0; --soft: #9a9a94; --paper: #161615; --line: #383836; --good: #35c795; --bad: #ff8a55; --known: #e0b040; } }
body { font: 16px/1.55 "DejaVu Serif", Georgia, serif; color: var(--text); background: var(--paper); max-width: 62rem; margin: 3rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { font-size: 1.25rem; margin: 3.5rem 0 .3rem; border-top: 1px solid var(--line); padding-top: 1.4rem; }
nav, .soft, figcaption { color: var(--soft); font-size: .9rem; } nav a { margin-right: 1rem; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
figure { margin: 1.2rem 0; } img { max-width: 100%; background: white; border-radius: 3px; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; margin: 1rem 0; } th { text-align: left; font-weight: normal; color: var(--soft); }
td.id { white-space: nowrap; font-size: .8rem; } td.kind { white-space: nowrap; font-size: .8rem; color: var(--soft); } td.paper { color: var(--text); font-weight: bold; } td.finding { font-style: italic; }
td, th { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
code, pre { font: .85em/1.4 "DejaVu Sans Mono", monospace; } pre { background: color-mix(in srgb, var(--text) 6%, transparent); padding: .6rem .9rem; border-radius: 3px; overflow-x: auto; }
.good { color: var(--good); } .bad { color: var(--bad); } .known { color: var(--known); }
</style>
</head>
<body>
"""


def inline(text):
    """One line with `code` and *emphasis*, as claims have it."""
    text = html.escape(" ".join(text.split()), quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)


def number(value):
    return value if isinstance(value, str) else "&ndash;" if value is None else f"{value:.4g}"


def claim_state(claim):
    """(class, words)"""
    return {"error": ("bad", "not tested"), "holds": ("good", "holds"), "known": ("known", "does not hold"),
            "fails": ("bad", "fails"), "skipped": ("known", "not measured")}[state(claim)]


def claims_table(claims):
    yield "<table><tr><th>claim</th><th>source</th><th>statement</th><th>measured</th><th>required</th><th></th></tr>"
    yield from map(claim_row, claims)
    yield "</table>"


def claim_row(claim):
    color, word = claim_state(claim)
    statement = inline(claim["states"])
    if claim["known"] and not claim["holds"]:
        statement += f"<br><span class=\"soft\">Found here: {inline(claim['known'])}</span>"
    if claim.get("skipped"):
        statement += f"<br><span class=\"soft\">{html.escape(claim['skipped'])}</span>"
    if claim["error"]:
        statement += f"<br><span class=\"bad\">{html.escape(claim['error'])}</span>"
    return (f"<tr><td class=\"id\" title=\"{html.escape(claim['where'])}\">{html.escape(claim['id'])}</td>"
            f"<td class=\"kind {claim['kind']}\">{KINDS[claim['kind']]}</td><td>{statement}</td>"
            f"<td class=\"number\">{number(claim['value'])}</td>"
            f"<td class=\"number\" title=\"{html.escape(claim['because'])}\">{html.escape(claim['threshold'])}</td>"
            f"<td class=\"{color}\">{word}</td></tr>")


def pictures_of(results, pictures, name, previews):
    """By drawn.txt, or, if it was not drawn here, by name, or the previews that its README shows."""
    try:
        with open(os.path.join(results, name, "drawn.txt"), encoding="utf-8") as file:
            drawn = file.read().split()
    except FileNotFoundError:
        short = name.split("-")[0]
        if not re.match("(fig|table)", name) or len(glob.glob(f"experiments/{short}-*")) > 1:
            short = name
        drawn = [p for p in os.listdir(pictures) if os.path.splitext(p)[0] == short or p.startswith(short + "-")]
    found = sorted(p for p in drawn if os.path.exists(os.path.join(pictures, p)))
    return found or [p for p in previews if os.path.exists(os.path.join(pictures, p))]


def claims_of(results, name):
    """As measured here; or as kept, if they were not or by another version of this project; or none."""
    try:
        with open(os.path.join(results, name, "claims.json"), encoding="utf-8") as file:
            claims = json.load(file)
        if all("states" in claim for claim in claims):
            return claims
    except FileNotFoundError:
        pass
    try:
        return kept_claims(results, name)
    except (Fault, OSError):
        return []  # make says what is wrong with it


def untested(names):
    """Lines of the paper that no claim is about."""
    tested = set()
    for name in names:
        try:
            tested.update(claim.id[:3] for claim in claims_read(os.path.join("experiments", name)) if claim.kind == "paper")
        except (Fault, OSError):
            pass  # make says what is wrong with it
    return [f"{number} ({row['where']}: {inline(row['statement'])})" for number, row in paper_lines().items() if number not in tested]


def experiment_section(name, scale, results, pictures):
    with open(os.path.join("experiments", name, "README.md"), encoding="utf-8") as file:
        title, _, body = file.read().partition("\n")
    yield f"<h2 id=\"{name}\">{html.escape(title.lstrip('# '))}</h2>"
    yield markdown.markdown(without_expressions(SHOWN.sub("", body)), extensions=["tables"])
    previews = [f"preview/{stem}.png" for stem in SHOWN.findall(body)]
    drawn = pictures_of(results, pictures, name, previews)
    # previews of pictures at another scale, which make does not draw with the others
    drawn += [p for p in previews if p.count(".") > 1 and p not in drawn and os.path.exists(os.path.join(pictures, p))]
    stems = [p[:-4] for p in drawn if p.endswith(".png")]
    for stem in stems:
        formats = [p for p in drawn if p[:-4] == stem]
        links = ", ".join(f"<a href=\"{p}\">{p[-3:].upper()}</a>" for p in formats)
        largest = f"{stem}.pdf" if f"{stem}.pdf" in formats else f"{stem}.png"
        yield (f"<figure><a href=\"{largest}\"><img src=\"{stem}.png\" alt=\"{html.escape(stem)}\" loading=\"lazy\"></a>"
               f"<figcaption>{html.escape(stem)}: {links}</figcaption></figure>")
    claims = claims_of(results, name)
    yield from claims_table(claims) if claims else ["<p class=\"soft\">Not run yet.</p>"]
    setting = "" if scale == "small" else f" SCALE={scale}"
    yield f"<pre>make {name}{setting}</pre>"


def page(scale, results, pictures):
    names = sorted(name for name in os.listdir("experiments")
                   if os.path.exists(os.path.join("experiments", name, "runs")))
    names.sort(key=lambda name: 0 if name.startswith("fig") else 1 if name.startswith("table") else 2)
    claims = [claim for name in names for claim in claims_of(results, name)]
    yield PAGE
    yield "<h1>Particle merging-and-splitting: figures and claims</h1>"
    yield ("<p class=\"soft\">This page compares what the paper (Truong et al. 2021) shows and says with what we measure. "
           f"<code>make figures ablations{'' if scale == 'small' else ' SCALE=' + scale}</code> writes every picture and number on it; "
           "<code>make verify</code> prints the claims as TAP. A claim comes from the paper, from physics (it then holds for any "
           "correct program), or is our own. Rest the mouse on a threshold to read the reason for it. Numbers come from "
           f"<code>{html.escape(results)}/&lt;experiment&gt;/&lt;run&gt;/metrics.csv</code>, or from "
           "<code>results/reference/</code> for experiments that were not run here.</p>")
    yield "<ul>" + "".join(f"<li>{line}</li>" for line in counted([(None, claim) for claim in claims])) + "</ul>"
    missing = untested(names)
    if missing:
        yield f"<p class=\"soft\">Statements of the paper that no claim tests: {'; '.join(missing)}.</p>"
    yield "<nav>" + " ".join(f"<a href=\"#{name}\">{name}</a>" for name in names) + "</nav>"
    for name in names:
        yield from experiment_section(name, scale, results, pictures)
    yield "</body>\n</html>\n"


def main():
    scale, results, pictures = sys.argv[1:]
    os.makedirs(pictures, exist_ok=True)
    path = os.path.join(pictures, "index.html")
    new = "\n".join(page(scale, results, pictures))
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == new:
                return
    except FileNotFoundError:
        pass
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(new)
    os.replace(temporary, path)
    print(f"  wrote     {path}")


if __name__ == "__main__":
    main()
