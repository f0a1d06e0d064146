// The memory over the steps: what was known, what changed and why, whom it was shown to.

const FARED = { Success: "better", Failed: "failed", Failure: "failed", Neutral: "within noise" };

const ENDS = {
  compressed: "compressed away", cut: "cut: no room", "told anew": "told anew",
  dropped: "dropped by the lesson", "rolled back": "rolled back",
};
const endOf = (row) => ENDS[row.end] || "gone";

const titleOf = (row) => prose(row.kind === "item" ? row.entry : row.text);

function fared(row) {
  const name = row.kind === "direction" && !row.tries ? "untried" : row.outcome;
  return h("span", { class: "badge " + kindOf(FARED[name] || "planned") }, name === "untried" ? "suggested, not tried" : name);
}

/** Which version of the memory stood after each step. */
function versionsOf(run, rows) {
  let version = 0;
  const found = run.steps.map((step) => {
    if (step.memory_version !== null) version = Math.max(version, step.memory_version);
    return version;
  });
  // What a person said after the last step that was closed belongs to the last moment.
  for (const row of rows) version = Math.max(version, row.from_version, row.to_version || 0);
  if (found.length) found[found.length - 1] = version;
  return found;
}

const stands = (row, version) => row.from_version <= version && (row.to_version === null || row.to_version > version);
const keyOf = (row) => [row.kind, row.entry, row.kind === "item" ? row.text : ""].join("\0");

/** What changed between two versions: new, changed with what it was, gone. */
function changesBetween(rows, before, after) {
  const came = rows.filter((row) => row.from_version > before && stands(row, after));
  const went = rows.filter((row) => stands(row, before) && row.to_version !== null && row.to_version <= after);
  const found = came.map((row) => {
    const was = went.find((old) => keyOf(old) === keyOf(row));
    return { kind: was ? "changed" : "new", row, was };
  });
  const stay = new Set(came.map(keyOf));
  for (const row of went) if (!stay.has(keyOf(row))) found.push({ kind: "gone", row });
  return found;
}

/** How many directions and items each version holds, in one pass over the rows. */
function countsBy(rows, versions) {
  const last = versions[versions.length - 1] + 2;
  const found = { direction: new Int32Array(last), item: new Int32Array(last) };
  for (const row of rows) {
    if (row.from_version < last) found[row.kind][row.from_version] += 1;
    if (row.to_version !== null && row.to_version < last) found[row.kind][row.to_version] -= 1;
  }
  for (const counts of Object.values(found)) for (let at = 1; at < last; at += 1) counts[at] += counts[at - 1];
  return versions.map((version) => [found.direction[version], found.item[version]]);
}

async function memoryView(run, root, rest) {
  const memory = await run.loadMemory();
  const { rows } = memory;
  const versions = versionsOf(run, rows);
  const last = run.steps.length - 1;
  if (last < 0 || !rows.length) {
    fill(root, [h("h1", {}, "Memory"), h("p", { class: "card" }, run.memoryText.why ? run.memoryText.why : last < 0 ? "No step yet."
      : "Memory held nothing in this run: it was off, or no step taught anything.")]);
    return;
  }
  const counts = countsBy(rows, versions);
  const moving = versions.map((version, at) => version !== (at ? versions[at - 1] : 0));
  const asked = run.steps.findIndex((step) => String(step.slot) === rest[0]);
  let now = asked >= 0 ? asked : Math.max(0, moving.lastIndexOf(true));
  const slider = h("input", {
    type: "range", min: 0, max: last, value: now, step: 1, id: "moment", "aria-label": "Step",
    oninput: () => go(Number(slider.value)),
  });
  const strip = h("div", { class: "strip" });
  const label = h("output", { for: "moment", class: "moment", "aria-live": "polite" });
  const [status, changed, directions, bank, shown, gone] = Array.from({ length: 6 }, () => h("div", {}));
  const seek = (by) => { for (let at = now + by; at >= 0 && at <= last; at += by) if (moving[at]) return go(at); return null; };
  const jump = (words, by, hint) => h("button", { type: "button", title: hint, onclick: () => seek(by) }, words);
  fill(root, [
    h("h1", {}, "Memory over time"),
    h("div", { class: "card timeline" }, h("div", { class: "timeline-head" }, label,
      h("span", { class: "turns" }, jump("‹ change", -1, "To the change before"), jump("change ›", 1, "To the next change"))),
    h("p", { class: "quiet key" }, h("span", { class: "swatch directions" }), " directions   ", h("span", { class: "swatch items" }), " items of the bank; a tick is a change. Arrow keys move by a step."),
    strip, slider, status),
    h("div", { class: "moments" },
      h("section", { class: "card changes" }, h("h2", {}, "What changed in this step"), changed),
      h("section", { class: "card" }, h("h2", {}, "Shown to this candidate"), shown)),
    h("div", { class: "pair" },
      h("section", { class: "card" }, h("h2", {}, "Directions"), directions),
      h("section", { class: "card" }, h("h2", {}, "Reasoning bank"), bank, gone)),
  ]);
  function go(at) {
    now = at;
    slider.value = at;
    const step = run.steps[at];
    const version = versions[at];
    const before = at ? versions[at - 1] : 0;
    history.replaceState(null, "", "#memory/" + step.slot);
    slider.setAttribute("aria-valuetext", `step ${step.slot}, ${step.solution || ""}, ${step.outcome}`);
    replace(label, "after step ", h("strong", {}, step.slot), " of ", run.steps[last].slot, " ", step.solution ? solutionLink(step.solution) : null, " ", badge(step.outcome));
    replace(strip, stripChart(counts, moving, at, go));
    replace(status, statusOf(run, step, version));
    const all = changesBetween(rows, before, version);
    replace(changed, changeList(run, memory, step, all));
    const fresh = new Set(all.map((each) => each.row));
    const held = rows.filter((row) => stands(row, version));
    replace(directions, entryList(run, held.filter((row) => row.kind === "direction"), fresh, "No direction yet."));
    replace(bank, entryList(run, held.filter((row) => row.kind === "item"), fresh, "The bank is empty."));
    replace(shown, shownTo(run, rows, step));
    replace(gone, goneList(rows, version));
  }
  go(now);
}

function stripChart(counts, moving, now, go) {
  const [wide, high] = [1000, 64];
  const most = Math.max(1, ...counts.map(([a, b]) => a + b));
  const x = (at) => (counts.length < 2 ? wide / 2 : 8 + (wide - 16) * (at / (counts.length - 1)));
  const y = (n) => 54 - 48 * (n / most);
  const every = Math.ceil(counts.length / 600);  // no screen has more columns to show
  const places = counts.map((_, at) => at).filter((at) => at % every === 0 || at === counts.length - 1);
  const point = (at, n) => x(at).toFixed(1) + " " + y(n).toFixed(1);
  const area = (upper, lower) => "M" + places.map((at) => point(at, upper(counts[at]))).join("L")
    + "L" + [...places].reverse().map((at) => point(at, lower(counts[at]))).join("L") + "Z";
  const marks = places.filter((at) => moving.slice(at, at + every).some(Boolean)).map((at) => `M${x(at).toFixed(1)} 57v5`).join("");
  return s("svg", {
    viewBox: `0 0 ${wide} ${high}`, preserveAspectRatio: "none", "aria-hidden": "true",
    onclick: (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * wide - 8) / (wide - 16);
      go(Math.max(0, Math.min(counts.length - 1, Math.round(share * (counts.length - 1)))));
    },
  },
  s("path", { class: "directions", d: area(([a]) => a, () => 0) }),
  s("path", { class: "items", d: area(([a, b]) => a + b, ([a]) => a) }),
  s("path", { class: "ticks", d: marks }),
  s("line", { class: "cursor", x1: x(now), x2: x(now), y1: 0, y2: high }));
}

function statusOf(run, step, version) {
  const best = run.byId.get(step.best) || {};
  return facts([
    ["generation", step.generation], ["best so far", step.best ? solutionLink(step.best) : null],
    ["its effect", step.best_effect === null ? null : run.effect(step.best_effect) + " over the initial program"],
    ["its approach", (best.approach || "").split(":").pop()], ["evaluations", grouped(step.evaluations)], ["calls", step.calls || null],
    ["version of the memory", version],
  ]);
}

function counted(row) {
  if (row.kind !== "direction") return row.effect === null ? "" : "";
  return `${plural(row.tries, "try").replace("trys", "tries")}, ${row.gains} better, ${row.losses} lost`;
}

function changeList(run, memory, step, all) {
  const kept = memory.refused[step.slot] || [];
  const compressed = memory.compressed.has(step.slot);
  const cause = { rollback: "The directions were rolled back", suggestion: "A person suggested it" };
  const causes = [...new Set(all.map((each) => each.row.cause).filter((c) => cause[c]))].map((c) => cause[c]);
  const why = [
    step.solution && all.some((each) => each.row.cause === "lesson") ? h("p", {}, "Because ", solutionLink(step.solution), " ended as ", badge(step.outcome), ": ", prose(step.reason)) : null,
    causes.length ? h("p", {}, causes.join("; ") + ".") : null,
    compressed || all.some(({ kind, row }) => kind === "gone" && row.end === "compressed")
      ? h("p", { class: "note" }, compressed ? "A model compressed the bank in this step." : "The bank had no more room: rules compressed it in this step.") : null,
    kept.length ? h("p", { class: "note" }, "Kept although the lesson dropped them: " + kept.join("; ")) : null,
  ];
  if (!all.length) return [why, h("p", { class: "quiet" }, "Nothing: the step taught nothing new.")];
  return [why, h("ul", { class: "changes" }, all.map(({ kind, row, was }) => h("li", { class: kind },
    h("span", { class: "label" }, kind === "gone" ? endOf(row) : kind), " ", h("span", { class: "kind" }, row.kind), " ",
    h("strong", {}, titleOf(row)), " ", fared(row),
    was && row.kind === "direction" ? h("span", { class: "quiet" }, ` before: ${was.outcome}, ${counted(was)}; now: ${counted(row)}`) : null,
    was && was.text !== row.text ? h("p", { class: "quiet" }, "before: " + was.text) : null,
    row.kind === "item" && kind !== "gone" ? h("p", {}, prose(row.text)) : null)))];
}

function entryList(run, held, fresh, none) {
  if (!held.length) return h("p", { class: "quiet" }, none);
  return held.map((row) => h("article", { class: "entry" + (fresh.has(row) ? " fresh" : "") },
    h("div", { class: "entry-head" }, h("h4", {}, titleOf(row)), fared(row)),
    row.kind === "item" ? h("p", {}, prose(row.text)) : null,
    h("p", { class: "quiet" },
      [counted(row), row.kind === "item" && row.effect !== null ? `${run.effect(row.effect)}${row.proven ? ", proven" : ", not proven"}` : "", row.evidence].filter(Boolean).join(" · "),
      row.source ? [" · from ", solutionLink(row.source)] : null),
    row.shown.length ? cameOf(run, row.shown) : null));
}

/** Which candidates an entry was shown to, and how these ended. */
function cameOf(run, ids) {
  const counts = new Map();
  for (const id of ids) counts.set(run.outcomeOf(id), (counts.get(run.outcomeOf(id)) || 0) + 1);
  const short = [...counts].map(([name, n]) => [badge(name, `${n} ${name}`), " "]);
  return h("details", {}, h("summary", {}, `shown to ${plural(ids.length, "candidate")}: `, short),
    h("p", { class: "ids" }, ids.slice(0, 200).map((id) => [solutionLink(id), " ", badge(run.outcomeOf(id)), " "])));
}

function shownTo(run, rows, step) {
  const found = step.solution ? rows.filter((row) => row.shown.includes(step.solution)) : [];
  if (!found.length) {
    return h("p", { class: "quiet" }, step.informed === false ? "Memory was withheld from it, to see what memory is worth."
      : step.informed ? "No prompt of this step held an entry; the search was advised by the memory when it chose the step."
        : "No entry of the memory stood in a prompt of this step.");
  }
  return [h("p", {}, plural(found.length, "entry").replace("entrys", "entries") + " stood in its prompt. What came of it: ", badge(step.outcome)),
    shortList(found.slice(0, 8)),
    found.length > 8 ? h("details", {}, h("summary", {}, `and ${grouped(found.length - 8)} more`), shortList(found.slice(8))) : null];
}

function shortList(found) {
  return h("ul", { class: "short" }, found.map((row) => h("li", {}, h("span", { class: "kind" }, row.kind), " ", titleOf(row))));
}

function goneList(rows, version) {
  const held = new Set(rows.filter((row) => stands(row, version)).map(keyOf));
  const ended = new Map();  // an entry that changed has ended more than once: its last end counts
  for (const row of rows) {
    if (row.to_version !== null && row.to_version <= version && !held.has(keyOf(row))) ended.set(keyOf(row), row);
  }
  const found = [...ended.values()].sort((one, other) => one.to_version - other.to_version);
  if (!found.length) return null;
  return h("details", { class: "gone" }, h("summary", {}, `no more in memory: ${plural(found.length, "entry").replace("entrys", "entries")}`),
    found.slice(-200).reverse().map((row) => h("article", { class: "entry faded" }, h("h4", {}, titleOf(row)),
      row.kind === "item" ? h("p", {}, prose(row.text)) : null,
      h("p", { class: "quiet" }, `${row.kind}, versions ${row.from_version} to ${row.to_version - 1}; then ${endOf(row)}`))));
}
