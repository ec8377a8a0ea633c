"use strict";
// A link into a folded part opens it.
function unfold() {
  let place = location.hash.slice(1);
  try { place = decodeURIComponent(place); } catch { /* % is no code then */ }
  const target = place && document.getElementById(place);
  if (!target) return;
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
addEventListener("load", unfold);
// Narrow windows begin with the contents folded, wide ones show them beside the page; all is printed unfolded.
const contents = document.querySelector(".contents"), narrow = matchMedia("(max-width: 63.99rem)");
const fold = () => { contents.open = !narrow.matches; };
narrow.addEventListener("change", fold);
fold();
addEventListener("beforeprint", () => document.querySelectorAll("details:not(.claim, .curves, .frames, .map)").forEach(part => { part.open = true; }));

const SVG = "http://www.w3.org/2000/svg";

function add(parent, name, attributes, text) {
  const made = name.startsWith("svg:") ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}
const short = value => value === null || value === undefined ? "none" : String(+value.toPrecision(4));
