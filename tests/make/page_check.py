"""usage: page_check.py PAGE [AXE]: looks at a page of the report, or at all pages in a folder, in headless Chromium, in light and dark
and at 400 px, and prints what is wrong, one line each, beginning with a word for the check:

    console   errors; requests to anything but files
    links     to files and places that there are not; ids that are there twice
    pictures  without a text, without a file, or not shown
    narrow    what is wider than a window of 400 px
    curves    that cannot be drawn, read with the keyboard or switched off
    maps      whose sliders do not move with the keyboard, or whose table does not have the numbers of the runs at that place
    films     that do not play, or are not as long as they should be
    frames    that are not drawn, not turned, moved or played with the keyboard; or not shown as a picture without WebGL
    size      more than 20 MB in a page, or more than 5 s until something is seen
    axe       serious findings of axe-core, whose axe.min.js is AXE
Ends with a line `looked at ...` that counts what was looked at.
"""

import collections
import glob
import os
import re
import sys
import urllib.parse

from browser import Browser

LINKS = "[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
IDS = "[...document.querySelectorAll('[id]')].map(e => e.id)"
OPENED = "[...document.images].filter(i => i.complete && i.naturalWidth).map(i => i.getAttribute('src'))"
PICTURES = "[...document.images].map(i => ({src: i.getAttribute('src'), alt: i.alt, width: i.naturalWidth}))"
UNFOLD = "document.querySelectorAll('details').forEach(part => { part.open = true; })"
LOAD = "document.querySelectorAll('img').forEach(i => { i.loading = 'eager'; }), Promise.all([...document.images].map(i => i.decode().catch(() => 0)))"
WIDE = """[...document.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.wide, .skip'))
  .map(e => e.tagName + '.' + e.className).slice(0, 5)"""
SEEN = "Math.max(0, ...performance.getEntriesByType('paint').map(p => p.startTime))"
CURVES = """[...document.querySelectorAll('details.curves')].map(part => {
  const box = part.querySelector('.plot'), count = () => box.querySelectorAll(':scope > svg > path').length;
  const drawn = count(), runs = box.querySelectorAll('fieldset input');
  box.querySelector('svg').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
  const read = box.querySelector('output').textContent;
  runs[0].click();
  const left = count();
  runs[0].click();
  return {name: box.dataset.title, drawn, left, read, of: Math.min(8, runs.length)};
})"""
# Every map: at every place of every slider the table has the numbers of runs of these names, and the drawing their mark.
MAPS = """[...document.querySelectorAll('details.map')].map(part => {
  const {sliders, sliders: {data, outputs, table, svg}} = part.querySelector('.sliders'), found = {name: sliders.box.dataset.title, wrong: [], places: 0};
  const said = value => value === null ? 'none' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : typeof value === 'string' ? value : +value.toPrecision(4);
  for (const {slider, output, axis} of outputs) {
    for (let k = 0; k <= +slider.max; k++) {
      slider.value = k;
      slider.dispatchEvent(new Event('input'));
      found.places++;
      const rows = [...table.querySelectorAll('tbody tr')].map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent));
      [...table.querySelectorAll('thead th')].forEach((head, column) => {
        const run = data.runs.find(r => r.run === head.textContent);
        if (axis.name in run.place && run.place[axis.name] !== axis.values[k]) found.wrong.push(`${run.run} is not at ${axis.name} ${axis.values[k]}`);
        data.measures.forEach(([key], row) => {
          const value = key === 'unstable' ? !!run.values[row] : run.values[row], cell = rows[row][column];
          if (String(said(value)) !== cell) found.wrong.push(`${run.run}: ${key} is ${value}, not ${cell}`);
        });
      });
      if (!output.textContent.startsWith(axis.values[k])) found.wrong.push(`${axis.name}: says ${output.textContent}`);
      if (!svg.querySelector('path')) found.wrong.push(`${axis.name} ${axis.values[k]}: nothing is drawn`);
    }
  }
  return found;
})"""
# Every viewer of frames: whether anything is drawn, whether keys and slider change it, whether it plays and stops.
FRAMES = """Promise.all([...document.querySelectorAll('details.frames')].map(async part => {
  const box = part.querySelector('.viewer'), wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
  for (let k = 0; k < 100 && !box.viewer && !box.querySelector('.absent'); k++) await wait(50);
  const name = box.dataset.title, still = !part.querySelector('.still').hidden && !!part.querySelector('.still img');
  if (!box.viewer) return {name, missing: box.textContent, still};
  const {canvas, slider, button} = box.viewer, seen = () => canvas.toDataURL();
  const key = name => { canvas.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true})); return seen(); };
  const empty = document.createElement('canvas');
  [empty.width, empty.height] = [canvas.width, canvas.height];
  const found = {name, still, drawn: seen() !== empty.toDataURL(), runs: 0};
  const first = seen(), turned = key('ArrowLeft');
  found.turns = turned !== first && key('Home') === first;
  found.nearer = key('+') !== first;
  key('Home');
  key(' ');
  await wait(700);
  found.plays = +slider.value > 0 && button.textContent === 'pause';
  key(' ');
  const stopped = slider.value;
  await wait(300);
  found.stops = slider.value === stopped && button.textContent === 'play';
  for (const option of box.viewer.run.options) {
    box.viewer.run.value = option.value;
    await box.viewer.change();
    found.runs += box.viewer.points.present(0) > 0;
  }
  found.all = found.runs === box.viewer.run.options.length;
  return found;
}))"""
# Every film: how long it is, s, and how wide; null if it does not play.
FILMS = """Promise.all([...document.querySelectorAll('video')].map(film => new Promise(done => {
  const said = found => done({src: film.getAttribute('src'), ...found});
  film.onloadedmetadata = () => said({length: film.duration, width: film.videoWidth});
  film.onerror = () => said({length: null, width: 0});
  film.preload = 'metadata';
  film.load();
  setTimeout(() => said({length: null, width: 0}), 10000);
})))"""
AXE = """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
  .filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => `${v.id}: ${v.help}: ${v.nodes.length} times, as ${v.nodes[0].html.slice(0, 160)}`))"""


def ids_of(path):
    with open(path, encoding="utf-8") as file:
        return re.findall(r' id="([^"]*)"', file.read())


def dead(page, links, ids):
    folder = os.path.dirname(os.path.abspath(page))
    for link in dict.fromkeys(links):
        path, _, place = urllib.parse.unquote(link).partition("#")
        path = path.partition("?")[0]
        if link.startswith("https://doi.org/"):
            continue
        if path and not os.path.exists(os.path.join(folder, path)):
            yield f"links: there is no {path}"
        elif place and place not in (ids_of(os.path.join(folder, path)) if path else ids):
            yield f"links: nothing has the id {place}{' in ' + path if path else ''}"
    for one in sorted({i for i in ids if ids.count(i) > 1}):
        yield f"links: the id {one} is there twice"


def pictures_wrong(pictures):
    for picture in pictures:
        if not picture["alt"].strip():
            yield f"pictures: {picture['src']} has no text"
        if not picture["width"]:
            yield f"pictures: {picture['src']} is not shown"


def curves_wrong(curves):
    for curve in curves:
        if not curve["drawn"]:
            yield f"curves: {curve['name']}: nothing is drawn"
        if curve["left"] != curve["drawn"] - 1:
            yield f"curves: {curve['name']}: without the first run there are {curve['left']} curves of {curve['drawn']}"
        if " s: " not in curve["read"]:
            yield f"curves: {curve['name']}: the arrow key reads '{curve['read']}'"


def maps_wrong(maps):
    for shown in maps:
        yield from (f"maps: {shown['name']}: {words}" for words in shown["wrong"][:5])


def films_wrong(films):
    for film in films:
        if not film["length"] or not film["width"]:
            yield f"films: {film['src']} does not play"
        elif not 7.5 < film["length"] < 8.5:
            yield f"films: {film['src']} takes {film['length']:.1f} s, not 8"


def frames_wrong(viewers):
    wrong = {"drawn": "nothing is drawn", "turns": "the arrow key does not turn, or Home not back", "nearer": "plus does not zoom",
             "plays": "the space bar does not play", "stops": "the space bar does not stop", "all": "a run has no particles"}
    for viewer in viewers:
        if "missing" in viewer:
            yield f"frames: {viewer['name']}: {viewer['missing']}"
            if not viewer["still"]:
                yield f"frames: {viewer['name']}: ... and there is no picture"
        else:
            yield from (f"frames: {viewer['name']}: {words}" for key, words in wrong.items() if not viewer[key])


def axe_wrong(browser, path, scheme):
    with open(path, encoding="utf-8") as file:
        browser.evaluate(file.read() + "; 0")
    yield from (f"axe: {scheme}: {found}" for found in browser.evaluate(AXE))


COUNTED = ("links", "pictures", "drawings of curves", "maps", "places of maps", "viewers of frames", "films")


def looked(browser, page, axe, counts):
    browser.window(1400)
    browser.open(page)
    seen, opened = browser.evaluate(SEEN), browser.evaluate(OPENED)
    if axe:
        yield from axe_wrong(browser, axe, "light")
    links, ids = browser.evaluate(LINKS), browser.evaluate(IDS)
    yield from dead(page, links, ids)
    browser.evaluate(UNFOLD)
    browser.evaluate(LOAD)
    pictures = browser.evaluate(PICTURES)
    yield from pictures_wrong(pictures)
    curves = browser.evaluate(CURVES)
    yield from curves_wrong(curves)
    maps = browser.evaluate(MAPS)
    yield from maps_wrong(maps)
    viewers = browser.evaluate(FRAMES)
    yield from frames_wrong(viewers)
    films = browser.evaluate(FILMS)
    yield from films_wrong(films)
    browser.window(400, scheme="dark")
    browser.open(page)
    browser.evaluate(UNFOLD)
    if browser.evaluate("document.documentElement.scrollWidth") > 400:
        yield "narrow: the page scrolls sideways"
    yield from (f"narrow: {what} is wider than the window" for what in browser.evaluate(WIDE))
    if axe:
        browser.open(page)
        yield from axe_wrong(browser, axe, "dark")
    yield from (f"console: {text}" for text in browser.complaints())
    yield from (f"console: asks for {url}" for url in browser.requests() if not url.startswith(("file:", "data:", "about:")))
    folder = os.path.dirname(os.path.abspath(page))
    files = {page, *(os.path.join(folder, urllib.parse.unquote(src)) for src in opened)}
    size = sum(os.path.getsize(path) for path in files if os.path.exists(path))
    if size > 5e6:
        yield f"size: {size / 1e6:.1f} MB before anyone scrolls"
    if seen > 5000:
        yield f"size: {seen / 1000:.1f} s until something is seen"
    found = (links, pictures, curves, maps, [place for shown in maps for place in range(shown["places"])], viewers, films)
    counts.update({what: len(those) for what, those in zip(COUNTED, found)})


def all_looked(browser, pages, axe):
    counts = collections.Counter()
    for page in pages:
        for wrong in looked(browser, page, axe, counts):
            yield f"{wrong} ({os.path.basename(page)})"
        browser.events.clear()
    yield f"looked at {len(pages)} pages: " + ", ".join(f"{counts[what]} {what}" for what in COUNTED) + ("; with axe-core" if axe else "")


def main():
    page, axe = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    pages = sorted(glob.glob(os.path.join(page, "*.html"))) if os.path.isdir(page) else [page]
    for left in (1, 0):  # on a busy machine Chromium's drawing may stall for good; it is not the page's fault if another one does not
        try:
            with Browser() as browser:
                print("\n".join(all_looked(browser, pages, axe)))
            return
        except TimeoutError:
            if not left:
                raise


if __name__ == "__main__":
    main()
