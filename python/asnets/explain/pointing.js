// What a pointer and keys do: zoom, move, go from step to step, show the modules of a node.

const svg = byId("drawing"), box = byId("details");

// Zoom

function move(scale, x, y, fits) {
  Object.assign(view, { scale, x, y, fits });
  byId("world").setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  drawMarks();
}

// All visible nodes, in the middle; hubs in a row below the others.
function fit() {
  const { clientWidth: width, clientHeight: height } = svg;
  const seen = nodes.filter((node, i) => !node.hub && isVisible(i)), row = hubs.filter(isVisible);
  const bounds = key => seen.length
    ? [Math.min(...seen.map(node => node[key])), Math.max(...seen.map(node => node[key]))] : [0, 0];
  let [left, right] = bounds("x"), [top, bottom] = bounds("y");
  const middle = (left + right) / 2, step = Math.min(4, Math.max(1.5, (right - left) / Math.max(1, row.length)));
  if (row.length) bottom += 1.8;
  row.forEach((i, k) => put(i, middle + (k - (row.length - 1) / 2) * step, bottom));
  const wide = Math.max(right - left, (row.length - 1) * step);
  const scale = Math.max(1, Math.min(SPACING, width / (wide + 2), (height - 60) / (bottom - top + 1.5)));
  move(scale, width / 2 - scale * middle, height / 2 - scale * (top + bottom) / 2, true);
}

function zoom(factor, x = svg.clientWidth / 2, y = svg.clientHeight / 2) {
  const scale = Math.min(200, Math.max(2, view.scale * factor)), ratio = scale / view.scale;
  move(scale, x - ratio * (x - view.x), y - ratio * (y - view.y), false);
}

const fingers = new Map(); // pointers that are down, with their places in the drawing
let way = 0, touched = null; // how far they went, and what the first one is on

const place = event => {
  const { left, top } = svg.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
};

const nodeOf = event => {
  const found = event.target.closest?.(".node");
  return found ? Number(found.dataset.node) : null;
};

svg.addEventListener("pointerdown", event => {
  if (!fingers.size) [way, touched] = [0, nodeOf(event)];
  fingers.set(event.pointerId, place(event));
  svg.setPointerCapture(event.pointerId);
});

svg.addEventListener("pointermove", event => {
  const before = fingers.get(event.pointerId), now = place(event);
  if (!before) return point(nodeOf(event), event);
  const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
  fingers.set(event.pointerId, now);
  way += Math.hypot(now.x - before.x, now.y - before.y);
  if (way < 5) return;
  if (others.length) {
    const [other] = others, length = each => Math.hypot(each.x - other.x, each.y - other.y);
    zoom(length(now) / Math.max(1, length(before)), other.x, other.y);
  } else {
    move(view.scale, view.x + now.x - before.x, view.y + now.y - before.y, false);
  }
});

for (const kind of ["pointerup", "pointercancel"]) {
  svg.addEventListener(kind, event => {
    fingers.delete(event.pointerId);
    if (kind === "pointerup" && !fingers.size && way < 5) pin(touched, event);
  });
}

svg.addEventListener("pointerleave", () => { if (!fingers.size) point(null); });
svg.addEventListener("wheel", event => {
  event.preventDefault();
  const { x, y } = place(event);
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? .05 : .0015)), x, y);
}, { passive: false });

// Details

function point(i, event) {
  if (pinned !== null) return;
  if (i !== pointed) {
    pointed = i;
    drawMarks();
    showDetails(i);
  }
  if (i !== null) beside(event.clientX, event.clientY);
}

function pin(i, event) {
  pointed = null;
  pinned = i;
  drawMarks();
  showDetails(i);
  if (i === null) return;
  const { left, top } = svg.getBoundingClientRect(), { x, y } = nodes[i];
  beside(event?.clientX ?? left + x * view.scale + view.x, event?.clientY ?? top + y * view.scale + view.y);
}

// Next to a point, inside the window.
function beside(x, y) {
  const { offsetWidth: width, offsetHeight: height } = box;
  box.style.left = `${Math.max(8, x + 18 + width < innerWidth ? x + 18 : x - 18 - width)}px`;
  box.style.top = `${Math.max(8, Math.min(y - 20, innerHeight - height - 8))}px`;
}

function showDetails(i) {
  box.hidden = i === null;
  box.classList.toggle("pinned", pinned !== null);
  if (i === null) return;
  const node = nodes[i], isAction = node.kind === ACTION;
  const close = make("button", { type: "button", class: "close", "aria-label": "Close" }, "\u00d7");
  close.addEventListener("click", () => pin(null));
  box.replaceChildren(close, make("h3", {}, node.name),
    ...(isAction ? inputsOfAction(i) : inputsOfProposition(i)),
    ...node.channels.flatMap((_, layer) => moduleOf(i, layer)).reverse());
}

const table = rows => make("table", {}, ...rows.map(row => make("tr", {}, ...row.map(each => make("td", {}, each)))));
const words = (...given) => given.filter(Boolean).join(", ");

function inputsOfAction(i) {
  const { slots, first } = nodes[i], begin = step * data.inputs + first;
  const input = k => numbers.inputs[begin + k];
  return [
    make("h4", {}, "Inputs"),
    table([
      ...slots.map((atom, k) => [data.atoms[atom], words(input(2 * k) ? "true" : "false", input(2 * k + 1) && "goal")]),
      ...data.flags.map((flag, k) => {
        const value = input(2 * slots.length + k);
        return [flag, flag === "count" ? `${value}` : value ? "yes" : "no"];
      }),
    ]),
  ];
}

function inputsOfProposition(i) {
  const { pools, goal, index } = nodes[i];
  return [
    make("p", {}, words(isTrue(i) ? "true" : "false", goal && "goal")),
    make("h4", {}, "Inputs: maxima over"),
    table(data.predicates[index].pools.map((name, k) => [name, `${pools[k]} action${pools[k] === 1 ? "" : "s"}`])),
  ];
}

function moduleOf(i, layer) {
  const values = channels(i, layer), value = mean(values);
  const said = isNaN(value) ? "could not influence the decision" : values.length > 1 ? `mean ${short(value)}` : "logit";
  const cells = make("div", { class: "cells" }, ...values.map(each => {
    if (isNaN(each)) return make("span", { class: "none", title: "could not influence the decision" }, "\u2013");
    const cell = make("span", {}, short(each));
    cell.style.background = colour(each, layer);
    cell.style.color = height(each, layer) > .3 ? "#111" : "#fff";
    return cell;
  }));
  return [make("div", {}, make("h4", {}, `Layer ${layer + 1}: ${said}`), ...(isNaN(value) ? [] : [cells]))];
}

// Keys and controls

addEventListener("keydown", event => {
  const keys = { ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0),
    End: () => go(steps.length - 1), Escape: () => pin(null) };
  if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("select")) return;
  event.preventDefault();
  keys[event.key]();
});
byId("slider").addEventListener("input", event => go(Number(event.target.value)));
byId("previous").addEventListener("click", () => go(step - 1));
byId("next").addEventListener("click", () => go(step + 1));
byId("closer").addEventListener("click", () => zoom(1.5));
byId("further").addEventListener("click", () => zoom(1 / 1.5));
byId("fit").addEventListener("click", fit);
byId("radius").addEventListener("change", event => {
  radius = Number(event.target.value);
  view.fits = true;
  draw();
});

unpack(data.numbers).then(found => {
  numbers = found;
  addControls();
  draw();
  new ResizeObserver(() => view.fits ? fit() : drawMarks()).observe(svg);
});
