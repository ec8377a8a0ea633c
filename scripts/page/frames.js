"use strict";
// Frames of runs, to be turned: every particle a sphere, drawn by WebGL 2 as a square that its fragments make round, with the
// depth of the sphere. scripts/points.py says how the particles are stored.
const shares = name => [1, 3, 5].map(k => parseInt(LOOK.palette[name].slice(k, k + 2), 16) / 255);
const MARKED = [.8, .1, .1], UNMARKED = [.72, .72, .7]; // of a field: 1, 0
const FIELDS = {penetrated: "what has penetrated", damage: "damage"};
const ENDS = {penetrated: ["has not", "has penetrated a sheet"], damage: ["all bonds whole", "all broken"]}; // in words, 0 and 1
const ABSENT = -32768, PACE = 8; // frames in a second

async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Of one run: coordinates [frame][axis][particle] in quanta; the body of each particle; of each field [frame][particle].
class Points {
  static async read(run) {
    const made = new Points(), n = run.particles, frames = run.times.length, all = 3 * n * frames;
    const bytes = await inflated(run.data);
    const at = made.at = new Int16Array(all);
    for (let k = 0; k < all; k++) {
      const folded = bytes[k] | bytes[all + k] << 8;
      at[k] = folded >> 1 ^ -(folded & 1);
      if (k % n) at[k] += at[k - 1]; // the change of the particle before; 16 bits wrap around, as they did when written
    }
    for (let k = 3 * n; k < all; k++) at[k] += at[k - 3 * n];
    made.run = run;
    made.body = bytes.subarray(2 * all, 2 * all + n);
    made.fields = {};
    run.fields.forEach((name, k) => { made.fields[name] = bytes.subarray(2 * all + n + k * n * frames).subarray(0, n * frames); });
    return made;
  }
  // Where a particle is, m; null if it is not there.
  place(frame, particle) {
    const n = this.run.particles, quanta = [0, 1, 2].map(axis => this.at[(3 * frame + axis) * n + particle]);
    return quanta.includes(ABSENT) ? null : quanta.map(q => q * this.run.quantum);
  }
  present(frame) {
    let count = 0;
    for (let i = 0; i < this.run.particles; i++) count += this.at[3 * frame * this.run.particles + i] !== ABSENT;
    return count;
  }
  marked(field, frame) {
    return this.fields[field].subarray(frame * this.run.particles, (frame + 1) * this.run.particles).reduce((sum, v) => sum + (v > 0), 0);
  }
}

// x right, y up, the camera looks along -z; `turn`: from world to camera. No lights but one over the left shoulder.
const VERTEX = `#version 300 es
layout(location = 0) in float x;
layout(location = 1) in float y;
layout(location = 2) in float z;
layout(location = 3) in vec4 look; // color, radius
uniform mat3 turn; uniform vec3 center; uniform float quantum, distance, zoom, height; uniform vec2 flat_; uniform vec2 depth;
out vec3 color; out vec3 middle; out float radius;
void main() {
  middle = turn * (vec3(x, y, z) * quantum - center) - vec3(0, 0, distance);
  color = look.rgb; radius = look.a;
  gl_Position = x == ${ABSENT}.0 ? vec4(2, 2, 2, 1) : vec4(middle.xy * flat_ * zoom, depth.x * middle.z + depth.y, -middle.z);
  gl_PointSize = height * zoom * radius / -middle.z * 1.05;
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 color; in vec3 middle; in float radius; uniform vec2 depth; out vec4 shown;
void main() {
  vec2 p = (2.0 * gl_PointCoord - 1.0) * vec2(1.05, -1.05);
  float square = dot(p, p);
  if (square > 1.0) discard;
  vec3 normal = vec3(p, sqrt(1.0 - square));
  float z = middle.z + radius * normal.z;
  gl_FragDepth = 0.5 - 0.5 * (depth.x * z + depth.y) / z;
  shown = vec4(color * (0.45 + 0.65 * max(0.0, dot(normal, vec3(-0.35, 0.6, 0.72)))), 1);
}`;

class Spheres {
  constructor(canvas) {
    const gl = this.gl = canvas.getContext("webgl2", {antialias: true, preserveDrawingBuffer: true});
    if (!gl) throw new Error("no WebGL 2");
    const program = this.program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error("the shaders are not understood");
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    [this.coordinates, this.looks] = [gl.createBuffer(), gl.createBuffer()];
    for (let k = 0; k < 4; k++) gl.enableVertexAttribArray(k);
  }
  set(name, ...values) {
    const place = this.gl.getUniformLocation(this.program, name);
    if (values.length === 9) this.gl.uniformMatrix3fv(place, false, values);
    else this.gl[`uniform${values.length}f`](place, ...values);
  }
  // looks: color and radius of each particle, four numbers
  load(points, frame, looks) {
    const gl = this.gl, n = points.run.particles;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.coordinates);
    gl.bufferData(gl.ARRAY_BUFFER, points.at.subarray(3 * n * frame, 3 * n * (frame + 1)), gl.DYNAMIC_DRAW);
    for (let axis = 0; axis < 3; axis++) gl.vertexAttribPointer(axis, 1, gl.SHORT, false, 0, 2 * n * axis);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.looks);
    gl.bufferData(gl.ARRAY_BUFFER, looks, gl.DYNAMIC_DRAW);
    gl.vertexAttribPointer(3, 4, gl.FLOAT, false, 0, 0);
    this.n = n;
    this.set("quantum", points.run.quantum);
  }
  draw(camera) {
    const gl = this.gl, {width, height} = gl.canvas, distance = camera.distance, near = distance / 50, far = distance * 20;
    const [ca, sa, ce, se] = [Math.cos(camera.around), Math.sin(camera.around), Math.cos(camera.above), Math.sin(camera.above)];
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.set("turn", -sa, -ca * se, ca * ce, ca, -sa * se, sa * ce, 0, ce, se); // by columns
    this.set("center", ...camera.center);
    this.set("distance", distance);
    this.set("zoom", 3);
    this.set("height", height);
    this.set("flat_", height / width, 1);
    this.set("depth", -(far + near) / (far - near), -2 * far * near / (far - near));
    gl.drawArrays(gl.POINTS, 0, this.n);
  }
}

class Viewer {
  constructor(box, runs) {
    this.box = box; this.runs = runs; this.read = new Map(); this.frame = 0; this.playing = null;
    const head = add(box, "div", {class: "choose"});
    this.run = this.choice(head, "run ", runs.map(run => [run.run, run.run]));
    this.by = this.choice(head, "color ", []);
    this.canvas = add(box, "canvas", {tabindex: "0", role: "img"});
    this.spheres = new Spheres(this.canvas);
    this.scale = add(box, "div", {class: "scale", "aria-hidden": "true"});
    const foot = add(box, "div", {class: "choose"});
    this.button = add(foot, "button", {type: "button"}, "play");
    this.slider = add(add(foot, "label", {}, "time "), "input", {type: "range", min: 0, step: 1, value: 0});
    this.said = add(box, "output", {});
    this.legend = add(box, "div", {class: "choose"});
    this.home();
    this.run.addEventListener("change", () => this.change());
    this.by.addEventListener("change", () => this.show(this.frame));
    this.slider.addEventListener("input", () => { this.stop(); this.show(+this.slider.value); });
    this.button.addEventListener("click", () => this.playing === null ? this.play() : this.stop());
    this.canvas.addEventListener("pointerdown", event => this.canvas.setPointerCapture(event.pointerId));
    this.canvas.addEventListener("pointermove", event => {
      if (event.buttons) this.turn(-event.movementX / 150, event.movementY / 150);
    });
    this.canvas.addEventListener("wheel", event => {
      if (document.activeElement !== this.canvas) return; // the page scrolls over a canvas that nobody has clicked on
      event.preventDefault();
      this.nearer(Math.exp(-event.deltaY / 600));
    }, {passive: false});
    this.canvas.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }
  choice(parent, label, options) {
    const made = add(add(parent, "label", {}, label), "select", {});
    for (const [value, text] of options) add(made, "option", {value}, text);
    return made;
  }
  // One camera for all runs, that of the first: so they can be compared.
  home() {
    const {center, size} = this.runs[0];
    this.camera = {center, around: -1.1, above: .35, distance: size * 2.8};
    this.draw();
  }
  async change() {
    const run = this.runs.find(r => r.run === this.run.value);
    if (!this.read.has(run)) this.read.set(run, await Points.read(run));
    this.points = this.read.get(run);
    const before = this.by.value;
    this.by.replaceChildren();
    for (const name of ["body", ...run.fields]) add(this.by, "option", {value: name}, FIELDS[name] || name);
    if (run.fields.includes(before)) this.by.value = before;
    this.slider.max = run.times.length - 1;
    this.show(Math.min(this.frame, run.times.length - 1));
  }
  color(body) { return shares(LOOK.bodies[this.points.run.bodies[body]] ?? LOOK.others[body % LOOK.others.length]); }
  looks() {
    const {run, body, fields} = this.points, made = new Float32Array(4 * run.particles);
    const values = fields[this.by.value] && fields[this.by.value].subarray(this.frame * run.particles);
    const colors = run.bodies.map((_, b) => this.color(b));
    for (let i = 0; i < run.particles; i++) {
      made.set(values ? UNMARKED.map((v, k) => v + (MARKED[k] - v) * values[i] / 255) : colors[body[i]], 4 * i);
      made[4 * i + 3] = run.radii[body[i]];
    }
    return made;
  }
  show(frame) {
    this.frame = frame;
    this.slider.value = frame;
    const {points} = this, {run} = points, field = this.by.value;
    this.spheres.load(points, frame, this.looks());
    const time = `${short(run.times[frame])} s`;
    this.slider.setAttribute("aria-valuetext", time);
    const marked = run.fields.filter(name => name in FIELDS).map(name => `${points.marked(name, frame)} ${name === "damage" ? "damaged" : name}`);
    this.said.textContent = [`${time}: ${points.present(frame)} particles`, ...marked].join(", ");
    const entries = field in points.fields ? [[ENDS[field][0], UNMARKED], [ENDS[field][1], MARKED]] : run.bodies.map((name, b) => [name, this.color(b)]);
    this.legend.replaceChildren();
    for (const [text, color] of entries) {
      const entry = add(this.legend, "span", {class: "entry"});
      add(entry, "span", {class: "dot", style: `background:rgb(${color.map(v => Math.round(255 * v))})`});
      entry.append(text);
    }
    this.canvas.setAttribute("aria-label", `${this.box.dataset.title}: particles of ${run.run} at ${time}, by ${field}; arrow keys turn, plus and minus `
      + "zoom, comma and point go from frame to frame, space plays, Home puts the camera back");
    this.draw();
  }
  draw() {
    if (!this.points) return;
    const {clientWidth: width, clientHeight: height} = this.canvas, dots = Math.min(devicePixelRatio, 2);
    if (!width) return;
    [this.canvas.width, this.canvas.height] = [Math.round(width * dots), Math.round(height * dots)];
    this.spheres.draw(this.camera);
    const meter = 1.5 * height / this.camera.distance; // pixels, where the camera looks
    const power = 10 ** Math.floor(Math.log10(140 / meter)), length = [5, 2, 1].map(k => k * power).find(l => l * meter <= 140);
    this.scale.style.width = `${length * meter}px`;
    this.scale.textContent = `${short(length)} m`;
  }
  turn(around, above) {
    this.camera.around += around;
    this.camera.above = Math.min(1.57, Math.max(-1.57, this.camera.above + above));
    this.draw();
  }
  nearer(factor) {
    this.camera.distance = Math.min(this.runs[0].size * 20, Math.max(this.runs[0].size / 5, this.camera.distance / factor));
    this.draw();
  }
  step(by) { this.stop(); this.show(Math.min(+this.slider.max, Math.max(0, this.frame + by))); }
  key(event) {
    const known = {ArrowLeft: () => this.turn(.1, 0), ArrowRight: () => this.turn(-.1, 0), ArrowUp: () => this.turn(0, .1), ArrowDown: () => this.turn(0, -.1),
      "+": () => this.nearer(1.15), "-": () => this.nearer(1 / 1.15), ",": () => this.step(-1), ".": () => this.step(1), " ": () => this.button.click(),
      Home: () => this.home()}[event.key];
    if (!known || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    known();
  }
  play() {
    this.button.textContent = "pause";
    this.playing = setInterval(() => {
      if (!this.canvas.clientWidth) this.stop(); // folded away
      else this.show((this.frame + 1) % (+this.slider.max + 1));
    }, 1000 / PACE);
  }
  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.button.textContent = "play";
  }
}

async function view(part) {
  const box = part.querySelector(".viewer");
  if (!part.open || box.firstChild) return;
  try {
    if (!window.DecompressionStream) throw new Error("nothing to unpack with");
    const viewer = new Viewer(box, JSON.parse(part.querySelector("script").textContent));
    await viewer.change();
    part.querySelector(".still").hidden = true;
    box.viewer = viewer;
  } catch (error) { // the plain picture stays
    box.replaceChildren();
    add(box, "p", {class: "absent"}, `This browser cannot turn particles (${error.message}); this is a picture of them.`);
  }
}
for (const part of document.querySelectorAll("details.frames")) {
  part.addEventListener("toggle", () => view(part));
  view(part);
}
