// A step of a rollout at a time. All numbers and names are in #data; nothing else is asked for.
"use strict";

const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const { nodes, steps } = data;
const ACTION = 0, PROPOSITION = 1;
const ALL = 255; // a radius
const LABEL = 13, SPACING = 64; // pixels: of a name, and at most between nodes in a view that fits

const hidden = { layers: new Set(), [ACTION]: new Set(), [PROPOSITION]: new Set() };
const view = { scale: 1, x: 0, y: 0, fits: true };
let numbers, step = 0, radius = data.radius, pinned = null, pointed = null;

// Numbers

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(stream).arrayBuffer();
  let begin = 0;
  const next = (type, size) => {
    const found = new type(buffer, begin, size * steps.length);
    begin += found.byteLength;
    return found;
  };
  return {
    values: next(Uint16Array, nodes.length * data.width),
    distances: next(Uint8Array, nodes.length),
    truth: next(Uint8Array, nodes.length),
    inputs: next(Uint8Array, data.inputs),
  };
}

// The number that 16 bits stand for, by IEEE 754.
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
}

const distance = i => numbers.distances[step * nodes.length + i];
const isTrue = i => numbers.truth[step * nodes.length + i] === 1;
const isVisible = i => !hidden[nodes[i].kind].has(nodes[i].index) && (radius === ALL || distance(i) <= radius);

// The channels of a module; NaN where one could not influence the decision.
function channels(i, layer) {
  const begin = (step * nodes.length + i) * data.width + data.begin[layer];
  return Array.from(numbers.values.subarray(begin, begin + nodes[i].channels[layer]), half);
}

function mean(values) {
  const known = values.filter(each => !isNaN(each));
  return known.reduce((sum, each) => sum + each, 0) / known.length;
}

// From 0 to 1.
function height(value, layer) {
  const [low, high] = data.scales[layer];
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

function colour(value, layer) {
  const at = height(value, layer) * (data.ramp.length - 1), i = Math.min(Math.floor(at), data.ramp.length - 2);
  const [low, high] = [i, i + 1].map(k => [1, 3, 5].map(begin => parseInt(data.ramp[k].slice(begin, begin + 2), 16)));
  return `rgb(${low.map((each, k) => Math.round(each + (at - i) * (high[k] - each)))})`;
}

function short(value) {
  const text = value.toFixed(Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0);
  return text === "-0.00" ? "0.00" : text;
}

function percent(value) {
  if (value > 0 && value < .0005) return "< 0.1 %";
  return value < 1 && value > .9995 ? "> 99.9 %" : `${(100 * value).toFixed(1)} %`;
}

// Elements

const SVG = new Set(["g", "rect", "circle", "line", "path", "text"]);

function make(name, attributes = {}, ...children) {
  const found = SVG.has(name) ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  found.append(...children);
  return found;
}

// Square or circle.
function shape(i, size, attributes) {
  return nodes[i].kind === ACTION
    ? make("rect", { x: -size, y: -size, width: 2 * size, height: 2 * size, ...attributes })
    : make("circle", { r: size, ...attributes });
}

const size = layer => data.size * (layer + 1) / data.scales.length;

const drawn = nodes.map((node, i) => {
  const modules = node.channels.map((_, layer) => shape(i, size(layer), { class: "module" }));
  const group = make("g", { class: "node", "data-node": i }, ...[...modules].reverse());
  byId("nodes").append(group);
  return { group, modules, lines: [] };
});

const lines = data.edges.map(([a, b]) => {
  const line = make("line", { class: nodes[b].hub ? "edge hub" : "edge", x1: nodes[a].x, y1: nodes[a].y });
  drawn[b].lines.push(line);
  byId("edges").append(line);
  return line;
});

// Only hubs ever move from their first place.
function put(i, x, y) {
  Object.assign(nodes[i], { x, y });
  drawn[i].group.setAttribute("transform", `translate(${x} ${y})`);
  for (const line of drawn[i].lines) {
    line.setAttribute("x2", x);
    line.setAttribute("y2", y);
  }
}
nodes.forEach(({ x, y }, i) => put(i, x, y));
const hubs = nodes.flatMap((node, i) => node.hub ? [i] : []);

// Controls

function addFilter(field, text, set, value, ...more) {
  const input = make("input", { type: "checkbox", checked: "" });
  input.addEventListener("change", () => {
    input.checked ? set.delete(value) : set.add(value);
    draw();
  });
  byId(field).append(make("label", {}, input, text, ...more));
}

function addControls() {
  data.scales.forEach((scale, layer) => {
    const ramp = make("i");
    ramp.style.background = `linear-gradient(to right, ${data.ramp})`;
    const [low, high] = scale.map((each, i) => make("span", {}, `${"\u2264\u2265"[i]} ${short(each)}`));
    const name = layer === data.scales.length - 1 ? `${layer + 1}, logits` : `${layer + 1}`;
    addFilter("layers", name, hidden.layers, layer, make("span", { class: "scale" }, low, ramp, high));
  });
  data.schemas.forEach((each, i) => addFilter("schemas", each.name, hidden[ACTION], i));
  data.predicates.forEach((each, i) => {
    const isShown = nodes.some(node => node.kind === PROPOSITION && node.index === i);
    if (isShown) addFilter("predicates", each.name, hidden[PROPOSITION], i);
  });
  const farthest = numbers.distances.reduce((most, each) => each < ALL ? Math.max(most, each) : most, 1);
  for (let i = 1; i <= farthest; i++)
    byId("radius").append(make("option", { value: i }, `up to ${i} line${i > 1 ? "s" : ""} from the decision`));
  byId("radius").append(make("option", { value: ALL }, `all ${nodes.length} nodes`));
  byId("radius").value = radius;
  byId("slider").max = steps.length - 1;
}

// Drawing

function draw() {
  nodes.forEach((_, i) => {
    const { group, modules } = drawn[i], visible = isVisible(i);
    group.style.display = visible ? "" : "none";
    if (!visible) return;
    group.classList.toggle("true", isTrue(i));
    modules.forEach((module, layer) => {
      const value = mean(channels(i, layer));
      module.style.display = hidden.layers.has(layer) ? "none" : "";
      module.style.fill = isNaN(value) ? "" : colour(value, layer);
    });
  });
  data.edges.forEach(([a, b], i) => { lines[i].style.display = isVisible(a) && isVisible(b) ? "" : "none"; });
  const count = nodes.filter((_, i) => isVisible(i)).length;
  const part = data.total > nodes.length ? `, the nearest of ${data.total}` : "";
  byId("count").textContent = `Shows ${count} of ${nodes.length} nodes${part}`;
  drawPath();
  drawPanel();
  if (view.fits) fit(); else drawMarks();
  if (pinned !== null) showDetails(pinned);
}

function drawPath() {
  const chosen = steps.slice(0, step + 1).map(each => each.chosen).filter(each => each !== null);
  byId("path").replaceChildren(...chosen.slice(1).flatMap((to, i) => {
    const a = nodes[chosen[i]], b = nodes[to];
    const x = b.x - a.x, y = b.y - a.y, gap = data.size / Math.hypot(x, y);
    if (chosen[i] === to || !isVisible(chosen[i]) && !isVisible(to)) return [];
    const middle = `${a.x + x / 2 - y / 9} ${a.y + y / 2 + x / 9}`;
    const d = `M${a.x + gap * x / 2} ${a.y + gap * y / 2}Q${middle} ${b.x - gap * x} ${b.y - gap * y}`;
    const age = chosen.length - 2 - i;
    return [make("path", { class: "arrow", d, opacity: Math.max(.5, 1 - .1 * age) })];
  }));
}

// The outline and name of the chosen action, the outline and lines of what is pointed at.
function drawMarks() {
  const { chosen, action } = steps[step], other = pinned ?? pointed, marks = [];
  const outer = i => size(nodes[i].channels.length - 1) + .1;
  const outline = (i, kind) => shape(i, outer(i), { class: kind, transform: `translate(${nodes[i].x} ${nodes[i].y})` });
  if (other !== null && isVisible(other)) marks.push(outline(other, "pointed"));
  if (chosen !== null && isVisible(chosen)) {
    const { x, y } = nodes[chosen], font = LABEL / view.scale;
    const left = x * view.scale + view.x, half = action.length * LABEL * .3;
    const anchor = left < half ? "start" : left > byId("drawing").clientWidth - half ? "end" : "middle";
    const isHigh = y * view.scale + view.y < 50;
    marks.push(outline(chosen, "chosen"), make("text", {
      class: "label", x, y: isHigh ? y + outer(chosen) + 1.3 * font : y - outer(chosen) - .6 * font,
      "font-size": font, "text-anchor": anchor,
    }, action));
  }
  byId("marks").replaceChildren(...marks);
  data.edges.forEach(([a, b], i) => lines[i].classList.toggle("near", a === other || b === other));
}

function drawPanel() {
  const { action, top, others, added, deleted } = steps[step], last = steps.length - 1;
  const position = step === last ? `End, ${last} step${last === 1 ? "" : "s"}` : `Step ${step + 1} of ${last}`;
  byId("slider").value = step;
  byId("slider").setAttribute("aria-valuetext", position);
  byId("position").textContent = position;
  byId("previous").disabled = step === 0;
  byId("next").disabled = step === last;
  byId("decision").textContent = action === null ? data.end : "";
  byId("drawing").setAttribute("aria-label", `${position}: ${action ?? data.end}`);
  byId("actions").replaceChildren(...top.map(([name, probability, node]) => {
    const bar = make("i");
    bar.style.width = `${100 * probability}%`;
    const button = make("button", { type: "button", class: name === action ? "is-chosen" : "" },
      make("span", {}, name), make("span", {}, percent(probability)), make("span", { class: "bar" }, bar));
    button.disabled = node === null;
    button.addEventListener("click", () => pin(node));
    return make("li", {}, button);
  }));
  byId("others").textContent = others[0] ? `${others[0]} more, together ${percent(others[1])}` : "";
  byId("after").hidden = action === null;
  byId("outcome").replaceChildren(...[["+", added], ["\u2212", deleted]].flatMap(([sign, names]) =>
    names.length ? [make("span", {}, `${sign} ${names.join(", ")}`)] : []));
  if (!added.length && !deleted.length) byId("outcome").textContent = "Nothing changed.";
}

function go(to) {
  step = Math.min(steps.length - 1, Math.max(0, to));
  draw();
}
