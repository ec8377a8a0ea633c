"use strict";
// A map: a slider for each axis of its runs; the numbers of the runs at that place; and one number along the axis moved last.
class Sliders {
  constructor(box, data) {
    this.box = box; this.data = data;
    this.patterns = [...new Set(data.runs.map(run => run.pattern))];
    this.at = Object.fromEntries(data.axes.map(axis => [axis.name, Math.floor((axis.values.length - 1) / 2)]));
    this.along = data.axes.reduce((longest, axis) => axis.values.length > longest.values.length ? axis : longest);
    const rows = add(box, "div", {class: "axes"});
    this.outputs = data.axes.map(axis => this.axis(rows, axis));
    const wide = add(box, "div", {class: "wide", tabindex: "0", role: "group", "aria-label": "Numbers of the runs at this place"});
    this.table = add(wide, "table", {});
    const head = add(box, "div", {class: "choose"});
    this.measure = add(add(head, "label", {}, "drawn "), "select", {});
    data.measures.forEach(([key, title], k) => {
      if (key !== "unstable" && data.runs.some(run => typeof run.values[k] === "number")) add(this.measure, "option", {value: k}, title);
    });
    const log = add(head, "label", {});
    this.log = add(log, "input", {type: "checkbox"});
    log.append("logarithmic");
    this.svg = add(box, "svg:svg", {viewBox: `0 0 ${W} ${H}`, role: "img"});
    this.legend = add(box, "div", {class: "choose"});
    for (const element of [this.measure, this.log]) element.addEventListener("change", () => this.draw());
    this.show();
  }
  axis(rows, axis) {
    const id = `axis-${document.querySelectorAll(".sliders input").length}`;
    add(rows, "label", {for: id}, axis.name);
    const slider = add(rows, "input", {type: "range", id, min: 0, max: axis.values.length - 1, step: 1, value: this.at[axis.name]});
    const output = add(rows, "output", {for: id});
    slider.addEventListener("input", () => {
      this.at[axis.name] = +slider.value;
      this.along = axis;
      this.show();
    });
    return {axis, slider, output};
  }
  value(axis) { return axis.values[this.at[axis.name]]; }
  // The run of a pattern at this place, or elsewhere along an axis; none if it was not computed.
  run(pattern, along, k) {
    const wanted = name => along && name === along.name ? along.values[k] : this.value(this.data.axes.find(axis => axis.name === name));
    return this.data.runs.find(run => run.pattern === pattern && Object.entries(run.place).every(([name, value]) => wanted(name) === value));
  }
  show() {
    for (const {axis, slider, output} of this.outputs) {
      slider.setAttribute("aria-valuetext", this.value(axis));
      output.textContent = this.value(axis);
      if (axis.keys.length) add(output, "span", {class: "soft"}, ` (${axis.keys.join(", ")}; SI units)`);
    }
    const runs = this.patterns.map(pattern => this.run(pattern)).filter(run => run);
    this.table.replaceChildren();
    const top = add(add(this.table, "thead", {}), "tr", {});
    add(top, "td", {});
    for (const run of runs) add(top, "th", {scope: "col"}, run.run);
    const body = add(this.table, "tbody", {});
    this.data.measures.forEach(([key, title], k) => {
      const row = add(body, "tr", {});
      add(row, "th", {scope: "row"}, title);
      for (const {values: {[k]: value}} of runs) {
        const wrong = value && (key === "unstable" || key === "penetrated_max");
        const text = key === "unstable" ? (value ? "yes" : "no") : typeof value === "string" ? value : short(value);
        add(row, "td", wrong ? {class: "wrong"} : {}, text);
      }
    });
    this.draw();
  }
  // Of each pattern the chosen number at every value of the axis, the same one if its runs do not have this axis; null where there
  // is none; and whether the run is bad: {pattern, k, values, bad}.
  series() {
    const place = +this.measure.value, usable = v => typeof v === "number" && (!this.log.checked || v > 0);
    const bad = ["unstable", "penetrated_max"].map(key => this.data.measures.findIndex(([name]) => name === key));
    return this.patterns.map((pattern, k) => {
      const runs = this.along.values.map((_, i) => this.run(pattern, this.along, i));
      return {pattern, k, values: runs.map(run => run && usable(run.values[place]) ? run.values[place] : null),
        bad: runs.map(run => run && bad.some(b => run.values[b]))};
    });
  }
  draw() {
    const series = this.series(), all = series.flatMap(s => s.values).filter(v => v !== null), {along} = this;
    this.svg.replaceChildren();
    this.legend.replaceChildren();
    const title = this.data.measures[+this.measure.value][1];
    this.svg.setAttribute("aria-label", `${this.box.dataset.title}: ${title} against ${along.name}; the table above has the numbers`);
    if (!all.length) { add(this.svg, "svg:text", {x: LEFT, y: H / 2}, "nothing to draw"); return; }
    const f = this.log.checked ? Math.log10 : v => v;
    let low = this.log.checked ? Math.min(...all) : Math.min(0, ...all), high = Math.max(...all);
    if (low === high) { high += Math.abs(high) || 1; if (this.log.checked) low = high / 100; }
    const x = i => LEFT + (W - LEFT - RIGHT) * (i + .5) / along.values.length, y = v => TOP + (H - TOP - BOTTOM) * (f(high) - f(v)) / (f(high) - f(low));
    for (const v of this.log.checked ? decades(low, high) : ticks(low, high)) {
      add(this.svg, "svg:line", {class: "axis", x1: LEFT, x2: W - RIGHT, y1: y(v), y2: y(v)});
      add(this.svg, "svg:text", {x: LEFT - 6, y: y(v) + 4, "text-anchor": "end"}, short(v));
    }
    along.values.forEach((value, i) => add(this.svg, "svg:text", {x: x(i), y: H - BOTTOM + 16, "text-anchor": "middle"}, value));
    add(this.svg, "svg:text", {x: (LEFT + W - RIGHT) / 2, y: H - 6, "text-anchor": "middle"}, along.name);
    add(this.svg, "svg:text", {x: -(TOP + H - BOTTOM) / 2, y: 13, "text-anchor": "middle", transform: "rotate(-90)"}, title);
    add(this.svg, "svg:line", {class: "cursor", x1: x(this.at[along.name]), x2: x(this.at[along.name]), y1: TOP, y2: H - BOTTOM});
    for (const s of series) this.curve(s, x, y);
    if (series.some(s => s.bad.some(bad => bad))) add(this.legend, "span", {}, "open circles: penetrated or unstable");
  }
  curve({pattern, k, values, bad}, x, y) {
    const look = look_of(k), {stroke} = look;
    let path = "", pen = "M";
    values.forEach((v, i) => {
      path += v === null ? "" : `${pen}${x(i).toFixed(1)} ${y(v).toFixed(1)}`;
      pen = v === null ? "M" : "L";
    });
    add(this.svg, "svg:path", {d: path, ...look});
    values.forEach((v, i) => {
      if (v === null || !pattern.includes(`{${this.along.name}}`)) return;
      const here = i === this.at[this.along.name];
      add(this.svg, "svg:circle", {cx: x(i), cy: y(v), r: here ? 5.5 : 3, fill: stroke, stroke, class: bad[i] ? "bad" : ""});
    });
    const entry = add(this.legend, "span", {class: "entry"}), sample = add(entry, "svg:svg", {width: 26, height: 8, style: "width:26px", "aria-hidden": "true"});
    add(sample, "svg:path", {d: "M0 4H26", ...look});
    entry.append(pattern.replace(/\{(\w+)\}/g, (_, name) => name === this.along.name ? "*" : this.value(this.data.axes.find(axis => axis.name === name))));
  }
}
for (const part of document.querySelectorAll("details.map")) {
  const box = part.querySelector(".sliders");
  box.sliders = new Sliders(box, JSON.parse(part.querySelector("script").textContent));
}
