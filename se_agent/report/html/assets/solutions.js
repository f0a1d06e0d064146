// The lineage as a tree, and a page for each solution.

/** The rows of a tree: what is open, in order. */
function treeRows(run, open, shows) {
  const rows = [];
  const stack = [...(run.children.get("") || [])].reverse().map((each) => [each, 1]);
  while (stack.length) {
    const [each, level] = stack.pop();
    const kids = (run.children.get(each.solution) || []).filter(shows);
    rows.push({ each, level, kids: kids.length });
    if (open.has(each.solution)) for (let at = kids.length - 1; at >= 0; at -= 1) stack.push([kids[at], level + 1]);
  }
  return rows;
}

const RIGHT = new Set(["better", "within noise", "worse", "initial", "minimised"]);

function solutionsView(run, root, rest) {
  const wanted = rest[0] && run.byId.has(rest[0]) ? rest[0] : run.summary.best;
  const best = new Set(run.line(run.summary.best).map((each) => each.solution));
  const parents = [...run.children.keys()];
  const open = new Set(run.byId.size > 300 ? [...best] : parents);
  for (const each of run.line(wanted)) open.add(each.solution);
  open.delete(wanted);
  if (run.byId.size <= 300 || best.has(wanted)) open.add(wanted);
  let only = "all";
  const shows = (each) => only === "all" || (only === "right" ? RIGHT.has(each.outcome) : best.has(each.solution));
  let rows = treeRows(run, open, shows);
  const page = h("div", { class: "solution", id: "solution" });
  const tree = new LongList({
    count: rows.length, height: 34, role: "tree", label: "Lineage",
    open: (at) => show(rows[at].each.solution),
    moved: (at) => show(rows[at].each.solution),
    key: (event, at) => {
      const row = rows[at];
      if (!row) return false;
      const id = row.each.solution;
      if (event.type === "click") {
        if (!event.target.closest(".twist")) return false;
        if (row.kids) turn(id, !open.has(id));
        return true;
      }
      if (event.key === "ArrowRight" && row.kids) {
        if (open.has(id)) { tree.choose(at + 1); show(rows[at + 1].each.solution); } else turn(id, true);
        return true;
      }
      if (event.key === "ArrowLeft") {
        if (row.kids && open.has(id)) { turn(id, false); return true; }
        for (let up = at - 1; up >= 0; up -= 1) {
          if (rows[up].level < row.level) { tree.choose(up); show(rows[up].each.solution); break; }
        }
        return true;
      }
      return false;
    },
    draw: (at, row) => {
      const { each, level, kids } = rows[at];
      row.setAttribute("aria-level", level);
      if (kids) row.setAttribute("aria-expanded", open.has(each.solution) ? "true" : "false");
      row.style.paddingLeft = 6 + Math.min(level - 1, 14) * 15 + "px";
      fill(row, [
        h("span", { class: "twist" + (kids ? "" : " none"), "aria-hidden": "true" }, kids ? (open.has(each.solution) ? "▾" : "▸") : ""),
        h("span", { class: "mark " + kindOf(each.outcome), "aria-hidden": "true" }, MARKS[each.outcome] || "•"),
        h("span", { class: "name" }, each.solution),
        each.solution === run.summary.best ? h("span", { class: "crown" }, "best") : null,
        h("span", { class: "hint" }, each.total_effect === null || each.total_effect === undefined ? each.outcome : run.effect(each.total_effect)),
      ]);
    },
  });
  function turn(id, on) {
    if (on) open.add(id); else open.delete(id);
    const at = rows[tree.active] && rows[tree.active].each.solution;
    rows = treeRows(run, open, shows);
    tree.active = rows.findIndex((row) => row.each.solution === at);
    tree.reset(rows.length);
  }
  function show(id) {
    history.replaceState(null, "", "#solution/" + encodeURIComponent(id));
    solutionPage(run, page, id);
  }
  const filter = h("select", {
    "aria-label": "Which programs the tree shows",
    onchange: (event) => { only = event.target.value; turn(run.summary.initial, true); },
  }, [["all", "all programs"], ["right", "right ones"], ["best", "line of the best"]].map(([value, text]) => h("option", { value }, text)));
  fill(root, [
    h("h1", {}, "Lineage"),
    h("div", { class: "split" },
      h("div", { class: "card side" }, h("div", { class: "filters" }, filter,
        h("span", { class: "quiet" }, plural(run.byId.size, "program"))), tree.node),
      h("div", { class: "card grow" }, page)),
  ]);
  tree.choose(rows.findIndex((row) => row.each.solution === wanted), true);
  solutionPage(run, page, wanted);
}

async function solutionPage(run, node, id) {
  const each = run.byId.get(id);
  if (!each) { replace(node, h("p", {}, `There is no solution ${id}.`)); return; }
  node.dataset.shown = id;
  const parents = (each.parents || "").split(" ").filter(Boolean);
  const known = (parent) => run.byId.get(parent);
  const first = known(parents[0]);
  const initial = known(run.summary.initial);
  const [text, old, began, told, memory] = await Promise.all([
    run.texts.get(each.text), first ? run.texts.get(first.text) : "", initial ? run.texts.get(initial.text) : "",
    each.detail === null || each.detail === undefined ? {} : run.texts.value(each.detail), run.loadMemory(),
  ]);
  if (node.dataset.shown !== id) return;  // another one was asked for meanwhile
  const python = run.summary.python !== false;
  const has = each.text !== null && each.text !== undefined;
  const hot = (told.observed && told.observed.hot) || [];
  const calls = told.calls || [];
  const at = run.steps.indexOf(each);
  const beside = (n) => { for (let k = at + n; run.steps[k]; k += n) if (run.steps[k].solution) return run.steps[k].solution; return null; };
  const goes = (to, words) => (to ? h("a", { class: "button", href: "#solution/" + encodeURIComponent(to) }, words) : null);
  const items = [];
  if (has && first) items.push(["Change", 0, (panel) => changePanel(panel, text, old, began, parents[0], run, python)]);
  if (has) items.push(["Program", 0, (panel) => fill(panel, [codeView(text, python, hot)])]);
  items.push(["Measurements", (told.blocks || []).length, (panel) => measurementPanel(panel, told, run)]);
  if ((told.failing || []).length) items.push(["Failing cases", told.failing.length, (panel) => failingPanel(panel, told.failing, run)]);
  if (calls.length) items.push(["Prompt and reply", calls.length, (panel) => callsPanel(panel, calls, run)]);
  const shown = memory.rows.filter((row) => row.shown.includes(id));
  if (shown.length || told.lesson) items.push(["Memory", shown.length, (panel) => memoryPanel(panel, shown, told, each)]);
  replace(node,
    h("div", { class: "solution-head" },
      h("h2", {}, id, " ", badge(each.outcome, each.outcome === "failed" ? "failed: " + (each.status || "") : null),
        id === run.summary.best ? h("span", { class: "crown" }, "best") : null),
      h("div", { class: "turns" }, goes(at > 0 ? beside(-1) : null, "‹ before"), goes(at >= 0 ? beside(1) : null, "next ›"),
        at >= 0 ? h("a", { class: "button", href: "#memory/" + each.slot }, "memory then") : null)),
    each.reason ? h("p", { class: "reason " + kindOf(each.outcome) }, prose(each.reason)) : null,
    told.direction || each.approach ? h("p", {}, prose(told.direction || each.approach)) : null,
    facts([
      ["made by", (each.operator || "").split(":").pop()],
      ["from", parents.length ? parents.map((parent, n) => [n ? ", " : "", solutionLink(parent)]) : null],
      ["over its parent", each.effect === null || each.effect === undefined ? null
        : `${run.effect(each.effect)}${run.timed && each.effect_low !== null ? ` (${run.effect(each.effect_low)} to ${run.effect(each.effect_high)})` : ""}`],
      ["over the initial program", each.total_effect === null || each.total_effect === undefined ? null : run.effect(each.total_effect)],
      ["strategy", each.strategy], ["expected", told.expected],
      ["same program as", told.duplicate ? solutionLink(told.duplicate) : null],
      ["planned", (told.planned || []).join("; ")],
      ["memory", each.informed === true ? "was shown" : each.informed === false ? "was withheld, to see what it is worth" : null],
      ["cost", each.cost_seconds ? seconds(each.cost_seconds) : null],
      ["children", (run.children.get(id) || []).length || null],
    ]),
    (told.notes || []).length ? h("ul", { class: "doubts" }, told.notes.map((note) => h("li", {}, note))) : null,
    tabs("Parts of " + id, items));
}

function changePanel(panel, text, old, began, parent, run, python) {
  const view = h("div", {});
  const draw = (which) => replace(view, diffView(which === "initial" ? began : old, text, python));
  const choice = h("select", { "aria-label": "Compare with", onchange: (event) => draw(event.target.value) },
    h("option", { value: "parent" }, `against its parent, ${parent}`),
    parent !== run.summary.initial ? h("option", { value: "initial" }, `against the initial program, ${run.summary.initial}`) : null);
  fill(panel, [h("p", {}, choice), view]);
  draw("parent");
}

function measurementPanel(panel, told, run) {
  const tests = told.evaluation;
  const seen = told.observed;
  if (tests) {
    fill(panel, [h("h3", {}, "On the tests"), facts([["status", tests.status],
      ["CPU time", tests.cpu_seconds === null ? null : seconds(tests.cpu_seconds)], ["peak of memory", tests.peak_bytes ? bytes(tests.peak_bytes) : null],
      ["score", tests.score === null ? null : figure(tests.score, 6)], ["what went wrong", tests.feedback],
      ["cost of the evaluation", seconds(tests.cost_seconds)]])]);
  }
  const blocks = told.blocks || [];
  if (blocks.length) {
    const effects = blocks.map((b) => b[3]).filter((e) => e !== null);
    const scale = [Math.min(0, ...effects), Math.max(0, ...effects)];
    fill(panel, [h("h3", {}, "Blocks of the comparison"), table(
      ["against", "inputs", "block", "effect", "", "reference", "candidate", "pairs", "status"],
      blocks.map(([who, inputs, n, effect, a, b, unit, pairs, status]) => [solutionLink(who), inputs, n, run.effect(effect),
        effect === null ? "" : intervalBar(null, effect, null, scale, run.effect(effect)),
        unit === "s" ? seconds(a) : figure(a), unit === "s" ? seconds(b) : figure(b), pairs, status]), [2, 3, 5, 6, 7])]);
  }
  if (seen && seen.hot.length) {
    fill(panel, [h("h3", {}, "Lines that cost most"), table(["line", "function", "text", "share", "reached"],
      seen.hot.map(([line, where, text, share, hits]) => [line, where || "(module)", h("code", {}, cut(text, 200)), Math.round(share * 100) + " %", grouped(hits)]), [0, 3, 4])]);
  }
  if (seen && seen.allocations.length) {
    fill(panel, [h("h3", {}, "Lines that take most memory"), table(["line", "function", "text", "share", "bytes"],
      seen.allocations.map(([line, where, text, share, size]) => [line, where || "(module)", h("code", {}, cut(text, 200)), Math.round(share * 100) + " %", bytes(size)]), [0, 3, 4])]);
  }
  if (seen && seen.exponent !== null) fill(panel, [h("p", {}, `CPU time grows like n to the power of ${figure(seen.exponent, 3)}.`)]);
  if (!tests && !blocks.length && !seen) fill(panel, [h("p", { class: "quiet" }, "Nothing was measured of it.")]);
}

async function failingPanel(panel, failing, run) {
  for (const each of failing) {
    const [given, expected, got] = await Promise.all([each.input, each.expected, each.got].map((n) => run.texts.get(n)));
    fill(panel, [h("h3", {}, each.name || "a case"), h("div", { class: "case" },
      [["input", given], ["expected", expected], ["got", got]].filter(([, text]) => text)
        .map(([name, text]) => h("div", {}, h("h4", {}, name), textView(text, name))))]);
  }
}

async function callsPanel(panel, calls, run) {
  for (const [at, call] of calls.entries()) {
    const tokens = call.tokens ? `${grouped(call.tokens[0])} + ${grouped(call.tokens[1])} tokens` : "";
    const body = h("div", {});
    const fold = h("details", {
      class: "call", ontoggle: async () => {
        if (!fold.open || body.childNodes.length) return;
        for (const [role, number] of call.asked || []) {
          fill(body, [h("h4", {}, role), textView(await run.texts.get(number), role + " message")]);
        }
        if (call.reply !== null) fill(body, [h("h4", { class: "said" }, "reply"), textView(await run.texts.get(call.reply), "reply")]);
      },
    }, h("summary", {}, h("strong", {}, call.role), ` by ${call.model} `,
      h("span", { class: "quiet" }, [call.attempt ? "second attempt" : "", call.outcome, tokens, call.money ? figure(call.money) : "", seconds(call.seconds)].filter(Boolean).join(", "))),
    call.why ? h("p", { class: "reason o-failed" }, call.why) : null, body);
    panel.append(fold);
    if (!at) fold.open = true;
  }
}

function memoryPanel(panel, shown, told, each) {
  if (told.lesson) {
    fill(panel, [h("h3", {}, "What was learned from it"), h("article", { class: "entry" },
      h("h4", {}, prose(told.lesson.title)), h("p", {}, prose(told.lesson.content)))]);
  }
  if (shown.length) {
    fill(panel, [h("h3", {}, "What stood in its prompt"), shown.map((row) => h("article", { class: "entry" },
      h("h4", {}, titleOf(row)), row.kind === "item" ? h("p", {}, prose(row.text)) : null,
      h("p", { class: "quiet" }, row.kind, row.source ? [" from ", solutionLink(row.source)] : null)))]);
  }
  if (each.slot !== null) fill(panel, [h("p", {}, h("a", { href: "#memory/" + each.slot }, "The whole memory at this step"))]);
}
