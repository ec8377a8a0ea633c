// Curves of runs: one quantity against time, with a cursor that reads values. Runs of different methods have their method's color and
// dashes, as in the pictures, and other runs colors in their order.
const DASHES = ["", "7 3", "2 3", "9 3 2 3"], LINES = {"-": DASHES[0], "--": DASHES[1], ":": DASHES[2], "-.": DASHES[3]}, WIDTHS = [1.8, 1, .6];
const inked = color => color === "black" ? "currentColor" : LOOK.palette[color]; // on dark paper it is white
const ORDER = LOOK.others.filter(color => color !== "yellow").concat("grey");
// Stroke, dashes and width of the k-th of several curves, in these colors.
const look_of = (k, colors = ORDER) => ({stroke: inked(colors[k % colors.length]), "stroke-dasharray": DASHES[Math.floor(k / colors.length) % DASHES.length], "stroke-width": WIDTHS[0]});
// The same for runs, of which some have methods: [{method}, ...]; thinner for other runs of the same method.
function looks_of(runs) {
  const free = ORDER.filter(color => !runs.some(run => run.method && LOOK.methods[run.method][1] === color)), times = {};
  let others = 0;
  return runs.map(({method}) => {
    if (!method) return look_of(others++, free);
    const [, color, line] = LOOK.methods[method], before = times[method] = (times[method] ?? -1) + 1;
    return {stroke: inked(color), "stroke-dasharray": LINES[line], "stroke-width": WIDTHS[Math.min(before, WIDTHS.length - 1)]};
  });
}
const W = 760, H = 320, LEFT = 70, RIGHT = 12, TOP = 14, BOTTOM = 40;
// Round values from low to high, some five of them.
function ticks(low, high) {
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= rough);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(+(k * step).toPrecision(12));
  return found;
}
const decades = (low, high) => {
  const found = [];
  for (let k = Math.ceil(Math.log10(low) - 1e-9); 10 ** k <= high * 1.000001; k++) found.push(10 ** k);
  return found.length > 1 ? found : [low, high];
};

class Plot {
  constructor(box, data) {
    this.box = box; this.data = data; this.at = null; this.looks = looks_of(data.runs);
    const head = add(box, "div", {class: "choose"});
    const label = add(head, "label", {}, "quantity ");
    this.quantity = add(label, "select", {});
    for (const [key, title] of Object.entries(data.quantities)) add(this.quantity, "option", {value: key}, title);
    const log = add(head, "label", {});
    this.log = add(log, "input", {type: "checkbox"});
    log.append("logarithmic");
    this.svg = add(box, "svg:svg", {viewBox: `0 0 ${W} ${H}`, tabindex: "0", role: "img"});
    this.read = add(box, "output", {});
    const runs = add(box, "fieldset", {class: "choose"});
    add(runs, "legend", {}, "runs");
    this.shown = data.runs.map((run, k) => this.toggle(runs, run, k));
    for (const element of [this.quantity, this.log, ...this.shown]) element.addEventListener("change", () => this.draw());
    this.svg.addEventListener("pointermove", event => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.cursor(null));
    this.svg.addEventListener("keydown", event => this.key(event));
    this.draw();
  }
  toggle(parent, run, k) {
    const label = add(parent, "label", {}), box = add(label, "input", {type: "checkbox"});
    box.checked = k < 8;
    const sample = add(label, "svg:svg", {width: 26, height: 8, style: "width:26px", "aria-hidden": "true"});
    add(sample, "svg:path", {d: "M0 4H26", ...this.looks[k]});
    label.append(run.method ? `${run.run} (${LOOK.methods[run.method][0]})` : run.run);
    return box;
  }
  // The series that are shown: {run, k, times, values}; on a logarithmic axis only what is above zero.
  series() {
    return this.data.runs.map((run, k) => ({run: run.run, k, pair: run.series[this.quantity.value]}))
      .filter(({k, pair}) => pair && this.shown[k].checked)
      .map(({run, k, pair: [times, values]}) => ({run, k, times, values: this.log.checked ? values.map(v => v > 0 ? v : null) : values}));
  }
  draw() {
    const series = this.series(), all = series.flatMap(s => s.values).filter(v => v !== null);
    this.drawn = series;
    this.svg.replaceChildren();
    const title = this.data.quantities[this.quantity.value];
    this.svg.setAttribute("aria-label", `${this.box.dataset.title}: ${title} against time, of ${series.length} runs; arrow keys read values`);
    if (!all.length) { add(this.svg, "svg:text", {x: LEFT, y: H / 2}, "nothing to draw"); return; }
    let low = Math.min(...all), high = Math.max(...all);
    if (low === high) { low -= Math.abs(low) / 2 || 1; high += Math.abs(high) / 2 || 1; if (this.log.checked) low = high / 100; }
    this.end = Math.max(...series.flatMap(s => s.times));
    const f = this.log.checked ? Math.log10 : v => v;
    this.x = t => LEFT + (W - LEFT - RIGHT) * t / (this.end || 1);
    this.y = v => TOP + (H - TOP - BOTTOM) * (f(high) - f(v)) / (f(high) - f(low));
    this.axes(low, high, title);
    for (const s of series) {
      let path = "", pen = "M";
      s.values.forEach((v, i) => {
        if (v === null) { pen = "M"; return; }
        path += `${pen}${this.x(s.times[i]).toFixed(1)} ${this.y(v).toFixed(1)}`;
        pen = "L";
      });
      add(this.svg, "svg:path", {d: path, ...this.looks[s.k]});
    }
    this.line = add(this.svg, "svg:line", {class: "cursor", y1: TOP, y2: H - BOTTOM, visibility: "hidden"});
    this.cursor(this.at);
  }
  axes(low, high, title) {
    for (const v of this.log.checked ? decades(low, high) : ticks(low, high)) {
      add(this.svg, "svg:line", {class: "axis", x1: LEFT, x2: W - RIGHT, y1: this.y(v), y2: this.y(v)});
      add(this.svg, "svg:text", {x: LEFT - 6, y: this.y(v) + 4, "text-anchor": "end"}, short(v));
    }
    for (const t of ticks(0, this.end)) add(this.svg, "svg:text", {x: this.x(t), y: H - BOTTOM + 16, "text-anchor": "middle"}, short(t));
    add(this.svg, "svg:line", {class: "axis", x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM});
    add(this.svg, "svg:text", {x: (LEFT + W - RIGHT) / 2, y: H - 6, "text-anchor": "middle"}, "time, s");
    add(this.svg, "svg:text", {x: -(TOP + H - BOTTOM) / 2, y: 13, "text-anchor": "middle", transform: "rotate(-90)"}, title);
  }
  point(event) {
    const box = this.svg.getBoundingClientRect();
    const t = ((event.clientX - box.left) / box.width * W - LEFT) / (W - LEFT - RIGHT) * this.end;
    this.cursor(t >= 0 && t <= this.end ? t : null);
  }
  key(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    event.preventDefault();
    this.cursor(Math.min(this.end, Math.max(0, (this.at === null ? 0 : this.at) + step * this.end / 50)));
  }
  // Reads, of every run that is shown, the value nearest to that time.
  cursor(t) {
    this.at = t;
    if (!this.line) return;
    this.line.setAttribute("visibility", t === null ? "hidden" : "visible");
    if (t === null) { this.read.textContent = ""; return; }
    this.line.setAttribute("x1", this.x(t));
    this.line.setAttribute("x2", this.x(t));
    const nearest = s => s.times.reduce((best, time, i) => Math.abs(time - t) < Math.abs(s.times[best] - t) ? i : best, 0);
    const values = this.drawn.filter(s => s.times[s.times.length - 1] >= t - this.end / 100).map(s => `${s.run} ${short(s.values[nearest(s)])}`);
    this.read.textContent = `${short(t)} s: ${values.join(", ")}`;
  }
}
for (const part of document.querySelectorAll("details.curves")) {
  const make = () => {
    const box = part.querySelector(".plot");
    if (part.open && !box.firstChild) new Plot(box, JSON.parse(part.querySelector("script").textContent));
  };
  part.addEventListener("toggle", make);
  make();
}
