// What a run came to, with its doubt, and what it cost.

const STATUS = {
  proven: ["good", "proven"], not_proven: ["plain", "not proven"], not_tried: ["plain", "nothing tried"],
  interrupted: ["warn", "interrupted"], running: ["live", "running"], failed: ["bad", "failed"],
};

function statusPill(status) {
  const [tone, words] = STATUS[status] || ["plain", status];
  return h("span", { class: "pill " + tone }, words);
}

function headline(run) {
  const it = run.summary;
  const [gain, low, high] = it.gain;
  const [first, score] = it.score;
  if (!run.timed) {
    return [h("p", { class: "big" }, figure(first, 6), h("span", { class: "arrow" }, " → "), figure(score, 6)),
      h("p", { class: "quiet" }, `score, to ${it.score[2]}`)];
  }
  const growth = it.growth ? h("p", { class: "quiet" }, it.growth) : null;
  if (it.status === "proven" && gain) {
    return [h("p", { class: "big" }, times(gain)), gainDrawing(it),
      h("p", { class: "quiet" }, `99 % interval ${times(low)} to ${times(high)}`), growth];
  }
  const last = run.steps.reduce((found, step) => (step.best_effect === null ? found : step.best_effect), 0);
  return [h("p", { class: "big" }, it.status === "not_proven" ? "no gain proven" : run.effect(last)),
    h("p", { class: "quiet" }, it.status === "not_proven" ? "" : "in the search so far; it claims nothing until it is confirmed"), growth];
}

/** The gain with its interval on a scale from no gain; a band at the left is the noise floor. */
function gainDrawing(it) {
  const [gain, low, high] = it.gain;
  const noise = it.spread || 0;
  const wide = 300;
  const most = Math.max(Math.log(high) * 1.12, 0.02);
  const x = (ratio) => 22 + (wide - 60) * Math.max(-0.06, Math.log(ratio) / most);
  const band = Math.max(2, x(Math.exp(noise)) - x(Math.exp(-noise)));
  return s("svg", {
    class: "gain-drawing", viewBox: `0 0 ${wide} 44`, role: "img",
    "aria-label": `${times(gain)}, interval ${times(low)} to ${times(high)}; no gain would be 1x`,
  },
  s("line", { x1: x(1), x2: wide - 4, y1: 14, y2: 14, class: "grid" }),
  s("rect", { x: x(1) - band / 2, y: 3, width: band, height: 22, class: "noise" }),
  s("line", { x1: x(1), x2: x(1), y1: 3, y2: 25, class: "zero" }),
  s("rect", { x: x(low), y: 9, width: Math.max(1, x(high) - x(low)), height: 10, rx: 5, class: "reach" }),
  s("circle", { cx: x(gain), cy: 14, r: 5.5, class: "point" }),
  s("text", { x: x(1) - 6, y: 40, class: "tick" }, "1x, no gain"));
}

function summaryView(run, root) {
  const it = run.summary;
  const chart = h("div", {}, progressChart(run));
  const along = h("div", { class: "choice", role: "group", "aria-label": "Scale of the axis" },
    Object.entries(ALONG).filter(([key]) => key !== "calls" || it.calls).map(([key, [name]], at) => h("button", {
      type: "button", "aria-pressed": at ? "false" : "true",
      onclick: (event) => {
        along.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", b === event.target ? "true" : "false"));
        replace(chart, progressChart(run, key));
      },
    }, name)));
  fill(root, [
    h("div", { class: "hero card" },
      h("div", { class: "hero-figure" }, h("h1", {}, it.problem || it.name, " ", statusPill(it.status)), headline(run)),
      h("div", { class: "hero-words" },
        h("p", { class: "outcome" }, prose(it.outcome)),
        doubtList(it),
        facts([
          ["noise floor", it.spread === null ? null : `${(it.spread * 100).toPrecision(2)} % between blocks of equal code`],
          ["cost", `${plural(it.evaluations, "evaluation")}, ${seconds(it.cpu_seconds)} CPU${it.tokens ? `, ${grouped(it.tokens)} tokens` : ""}`],
          ["machine", it.machine || "not on record"],
        ]),
        h("p", {}, h("a", { href: "#solution/" + encodeURIComponent(it.best) }, "Open the best program"), it.approach ? h("span", { class: "quiet" }, ": ", it.approach.split(":").pop()) : null))),
    card("Progress", along, chart),
    h("div", { class: "pair even" },
      card("How steps ended", run.steps.length ? tallyBar(run) : h("p", { class: "quiet" }, "No step yet."),
        h("p", {}, h("a", { href: "#steps" }, "Every step, and why it was accepted or rejected"))),
      card("What it cost", costFacts(it))),
    bestLine(run),
    operatorsCard(run),
    worthCard(it),
    card("Where it ran", facts([
      ["isolation", it.isolation], ["seed", it.seed],
      ["folder", h("code", {}, it.folder)],
    ]), settingsTable(it.settings)),
  ]);
}

function doubtList(it) {
  const all = [...it.doubts.map((d) => ["doubt", d]), ...it.notes.map((n) => ["note", n])];
  if (!it.trusted) all.unshift(["doubt", "untrusted: programs have a part in saying how good they are"]);
  if (!all.length) return h("p", { class: "quiet" }, "No doubt is on record.");
  return h("ul", { class: "doubts" }, all.map(([kind, text]) => h("li", { class: kind }, h("span", { class: "label" }, kind), " ", text)));
}

function costFacts(it) {
  return facts([
    ["evaluations", grouped(it.evaluations)], ["generations", grouped(it.generations)],
    ["CPU", seconds(it.cpu_seconds)], ["on the wall", it.wall_seconds === null ? null : seconds(it.wall_seconds)],
    ["calls of models", it.calls ? grouped(it.calls) : "none"], ["tokens", it.tokens ? grouped(it.tokens) : null],
    ["money", it.calls ? (it.money === null ? "not known" : figure(it.money)) : null],
    ["ended by", it.budget_end || null],
  ]);
}

function settingsTable(settings) {
  const keys = Object.keys(settings);
  if (!keys.length) return h("p", { class: "quiet" }, "All settings are the default.");
  return h("details", {}, h("summary", {}, plural(keys.length, "setting") + " of its own"),
    table(["key", "value"], keys.map((key) => [h("code", {}, key), h("code", {}, JSON.stringify(settings[key]))])));
}

function bestLine(run) {
  const line = run.line(run.summary.best);
  if (line.length < 2) return null;
  return card("How the best program came about", h("ol", { class: "chain" }, line.map((each) => h("li", {},
    h("div", {}, solutionLink(each.solution), " ", badge(each.outcome)),
    h("div", { class: "quiet" }, prose(each.direction || each.approach || "The program that the run began with."),
      each.effect === null || each.effect === undefined ? null : h("strong", { class: "gain" }, ` ${run.effect(each.effect)} over its parent`))))));
}

function operatorsCard(run) {
  if (!run.operators.length) return null;
  const share = (x) => (x === null ? "–" : Math.round(x * 100) + " %");
  return card("Operators", table(["operator", "tries", "proven gains", "share of CPU"],
    run.operators.map(([name, tries, gains, part]) => [name.split(":").pop(), grouped(tries), grouped(gains), share(part)]), [1, 2, 3]),
  h("p", { class: "quiet" }, "A try is a step in which the operator was asked. CPU is what tests and comparisons of its programs took."));
}

function worthCard(it) {
  if (!it.worth) return null;
  const { informed, withheld, difference, interval } = it.worth;
  const percent = (x) => Math.round(x * 100) + " %";
  return card("What memory was worth",
    h("p", {}, `Proven gains: ${informed[0]} of ${plural(informed[1], "step")} with memory, ${withheld[0]} of ${grouped(withheld[1])} without.`),
    intervalBar(interval[0], difference, interval[1], [-1, 1], `difference ${percent(difference)}`),
    h("p", { class: "quiet" }, `difference ${percent(difference)}, 95 % interval ${percent(interval[0])} to ${percent(interval[1])}`));
}
