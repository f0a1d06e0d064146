// The progress of a search as a drawing.

const RATIOS = [0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3, 4, 5, 7, 10, 15, 20,
  30, 50, 70, 100, 200, 300, 500, 1000, 2000, 5000, 1e4, 1e5, 1e6];

/** Even places on an axis, of about this number. */
function ticks(low, high, most) {
  const step = 10 ** Math.floor(Math.log10((high - low) / most || 1));
  const wide = [1, 2, 5, 10].map((f) => f * step).find((w) => (high - low) / w <= most) || step * 10;
  const found = [];
  for (let at = Math.ceil(low / wide); at * wide <= high + wide * 1e-6; at += 1) {
    found.push(Number((at * wide).toPrecision(12)));
  }
  return found;
}

function ratioTicks(low, high) {
  const inside = RATIOS.map(Math.log).filter((v) => v >= low && v <= high);
  const found = [];
  for (const value of [0, ...inside.reverse()]) {
    if (found.every((other) => Math.abs(other - value) > (high - low) / 7)) found.push(value);
  }
  return found;
}

const ALONG = {
  evaluations: ["evaluations", "evaluations", grouped],
  calls: ["calls of models", "calls", grouped],
  cpu: ["CPU seconds", "run_cpu_seconds", seconds],
};

/** The best effect so far, each candidate as a dot, those that are not right on the floor. */
function progressChart(run, along = "evaluations") {
  const [name, field, told] = ALONG[along];
  const closed = run.steps.filter((step) => step[field] !== null && step.best_effect !== null);
  if (closed.length < 1) return h("p", { class: "quiet" }, "No step is closed yet.");
  const narrow = document.documentElement.clientWidth < 640;
  const wide = narrow ? 400 : 960;
  const [high, left, right, top, bottom] = [narrow ? 230 : 270, 58, 14, 12, 44];
  const most = Math.max(1, ...closed.map((step) => step[field]));
  const dots = thin(closed.filter((step) => step.total_effect !== null));
  const values = [0, ...closed.map((step) => step.best_effect), ...dots.map((step) => step.total_effect)];
  let [low, peak] = [Math.min(...values), Math.max(...values)];
  const best = Math.max(...closed.map((step) => step.best_effect), 0);
  low = Math.max(low, -Math.max(best, 0.1));  // what is far worse stands on the floor
  const pad = (peak - low || 0.1) * 0.08;
  [low, peak] = [low - pad, peak + pad];
  const x = (v) => left + (wide - left - right) * (v / most);
  const y = (v) => top + (high - top - bottom) * (1 - (Math.max(v, low) - low) / (peak - low));
  const floor = high - bottom;
  const grid = run.timed ? ratioTicks(low, peak) : ticks(low, peak, 5);
  let path = "M" + x(0) + " " + y(0);
  for (const step of closed) path += "H" + x(step[field]).toFixed(1) + "V" + y(step.best_effect).toFixed(1);
  path += "H" + x(most);
  const area = path + "V" + floor + "H" + x(0) + "Z";
  const readout = h("p", { class: "readout quiet", "aria-live": "polite" },
    "Point at a dot to read it; a click opens its program.");
  const dot = (step, node) => dress(node, {
    onmouseenter: () => replace(readout, badge(step.outcome), " ", solutionLink(step.solution), "  ",
      step.total_effect === null ? step.reason : run.effect(step.total_effect) + " over the initial program"),
    onclick: () => { location.hash = "#solution/" + encodeURIComponent(step.solution); },
  });
  const drawing = s("svg", {
    class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img",
    "aria-label": `Best effect so far against ${name}: ${run.effect(best)} after ${told(most)}`,
  },
  grid.map((v) => [
    s("line", { x1: left, x2: wide - right, y1: y(v), y2: y(v), class: v === 0 ? "zero" : "grid" }),
    s("text", { x: left - 8, y: y(v) + 4, class: "tick end" }, v === 0 && !run.timed ? "0" : run.effect(v)),
  ]),
  ticks(0, most, narrow ? 4 : 8).map((v) => s("text", { x: x(v), y: floor + 24, class: "tick middle" },
    field === "run_cpu_seconds" ? seconds(v) : grouped(v))),
  s("text", { x: (left + wide - right) / 2, y: high - 4, class: "axis middle" }, name),
  s("path", { d: area, class: "area" }),
  s("path", { d: path, class: "curve" }),
  thin(closed.filter((step) => step.outcome === "failed")).map((step) => dot(step,
    s("line", { x1: x(step[field]), x2: x(step[field]), y1: floor + 3, y2: floor + 10, class: "rug" }))),
  dots.map((step) => dot(step, s("circle", {
    cx: x(step[field]).toFixed(1), cy: y(step.total_effect).toFixed(1),
    r: step.outcome === "better" ? 4.5 : 3, class: "dot " + kindOf(step.outcome),
  }))));
  return h("div", {}, drawing, readout);
}

/** At most some hundreds of steps; where there is room, each that was proven better. */
function thin(steps) {
  const better = steps.filter((step) => step.outcome === "better").length;
  const every = Math.ceil(steps.length / 400);
  return steps.filter((step, at) => at % every === 0 || (better < 400 && step.outcome === "better"));
}

/** How many steps ended how, as one bar and its legend. */
function tallyBar(run) {
  const counts = new Map();
  for (const step of run.steps) counts.set(step.outcome, (counts.get(step.outcome) || 0) + 1);
  const found = OUTCOMES.filter((name) => counts.has(name));
  const whole = h("div", { class: "tally", "aria-hidden": "true" }, found.map((name) => {
    const part = h("span", { class: "part " + kindOf(name) });
    part.style.flexGrow = counts.get(name);
    return part;
  }));
  const legend = h("ul", { class: "legend" }, found.map((name) => h("li", {},
    h("a", { href: "#steps/" + encodeURIComponent(name) }, badge(name), " ",
      h("strong", {}, grouped(counts.get(name)))))));
  return [whole, legend];
}
