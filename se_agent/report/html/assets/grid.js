// Many runs: the comparison of their arms, problems by arms, problems by seeds.

function gridSummary(grid, root) {
  const found = grid.comparison;
  const problems = [...new Set(grid.runs.map((run) => run.problem))];
  const arms = [...new Set(grid.runs.map((run) => run.arm))];
  const seeds = [...new Set(grid.runs.map((run) => run.seed))];
  fill(root, [
    h("div", { class: "hero card" }, h("div", { class: "hero-figure" }, h("h1", {}, grid.name),
      h("p", { class: "big" }, plural(grid.runs.length, "run")),
      h("p", { class: "quiet" }, `${plural(problems.length, "problem")}, ${plural(arms.length, "arm")}, ${plural(seeds.length, "seed")}`)),
    h("div", { class: "hero-words" }, verdicts(found, grid),
      grid.notes.length ? h("ul", { class: "doubts" }, grid.notes.map((each) => h("li", { class: "note" }, h("span", { class: "label" }, "note"), " ", each))) : null,
      grid.left_out.length ? h("ul", { class: "doubts" }, grid.left_out.map((each) => h("li", { class: "doubt" }, h("span", { class: "label" }, "left out"), " ", each))) : null)),
    found ? armCard(found) : null,
    heatCard(grid, problems, arms, seeds),
    found ? regressionCard(found) : null,
    found && (found.notes.length || found.left_out.length) ? card("What has to be known to read it", h("ul", { class: "doubts" },
      [...found.notes, ...found.left_out].map((note) => h("li", { class: "note" }, h("span", { class: "label" }, "note"), " ", note)))) : null,
    found ? card("All measures", found.tables.map((each) => [h("h3", {}, each.title), table(each.names, each.rows, each.right)])) : null,
  ]);
}

function verdicts(found, grid) {
  if (!found) return [h("p", { class: "outcome" }, "These runs are not compared."), h("p", { class: "quiet" }, grid.not_compared)];
  const rows = found.effects.filter((row) => !row.problem && found.results.includes(row.measure));
  return [h("p", {}, "Against the arm ", h("strong", {}, found.base), ":"), h("ul", { class: "doubts" }, rows.map((row) => h("li", { class: "note" },
    h("strong", {}, row.arm), ": ", gainText(row), " ", h("span", { class: "quiet" }, gainEnds(row)), " ", verdictPill(row))))];
}

const toneOf = (row) => ({ better: "good", worse: "bad" }[row.verdict] || "");
const verdictPill = (row) => h("span", { class: "pill " + (toneOf(row) || "plain") }, row.verdict);

const gainText = (row) => (row.scale === "difference" ? (row.effect >= 0 ? "+" : "") + figure(row.effect) : times(row.effect));
const gainEnds = (row) => (row.low === null || row.high === null ? "no interval"
  : row.scale === "difference" ? `${figure(row.low)} to ${figure(row.high)}` : `${times(row.low)} to ${times(row.high)}`);

/** Problems down, arms across, each with its interval on one scale. */
function armCard(found) {
  return found.results.map((measure) => {
    const rows = found.effects.filter((row) => row.measure === measure);
    if (!rows.length) return null;
    const logs = rows[0].scale !== "difference";
    const place = (v) => (v === null ? null : logs ? Math.log(v) : v);
    const ends = rows.flatMap((row) => [place(row.low), place(row.effect), place(row.high)]).filter((v) => v !== null && isFinite(v));
    const scale = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const floor = found.floors[measure];
    const problems = [...new Set(rows.map((row) => row.problem))].sort();
    const arms = found.arms.filter((arm) => rows.some((row) => row.arm === arm));
    const cell = (problem, arm) => {
      const row = rows.find((each) => each.problem === problem && each.arm === arm);
      if (!row) return "–";
      return h("div", { class: "effect-cell" }, h("strong", {}, gainText(row)),
        intervalBar(place(row.low), place(row.effect), place(row.high), scale, `${gainText(row)}, ${gainEnds(row)}`, toneOf(row)),
        h("span", { class: "quiet" }, gainEnds(row)),
        problem ? null : h("span", { class: "quiet" }, `${row.wins} won, ${row.ties} tied, ${row.losses} lost`), " ", verdictPill(row));
    };
    return card(`Problems by arms, against ${found.base}: ${found.titles[measure]}`,
      floor === null ? null : h("p", { class: "quiet" }, `Noise floor: ${logs ? times(Math.exp(-floor)) + " to " + times(Math.exp(floor)) : "±" + figure(floor)}. What lies inside is noise.`),
      table(["problem", ...arms], problems.map((problem) => [problem ? problem : h("strong", {}, "all problems"), ...arms.map((arm) => cell(problem, arm))])));
  });
}

function worthOf(run) {
  if (run.timed) return run.gain[0] === null ? null : Math.log(run.gain[0]);
  const [first, score, way] = run.score;
  return score === null || first === null ? null : (way === "minimize" ? -1 : 1) * (score - first);
}

/** Problems by seeds, for an arm: how much each run gained. */
function heatCard(grid, problems, arms, seeds) {
  const body = h("div", {});
  const chosen = h("p", { role: "status" });
  const worth = new Map(grid.runs.map((run) => [run, worthOf(run)]));
  const choice = h("select", { "aria-label": "Arm", onchange: (event) => draw(event.target.value) }, arms.map((arm) => h("option", { value: arm }, arm)));
  function draw(arm) {
    replace(body, h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "heatmap" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "problem"), seeds.map((seed) => h("th", { scope: "col", class: "num" }, "seed ", seed)))),
      h("tbody", {}, problems.map((problem) => {
        const most = Math.max(1e-9, ...grid.runs.filter((run) => run.problem === problem).map((run) => Math.abs(worth.get(run) || 0)));
        return h("tr", {}, h("th", { scope: "row" }, problem), seeds.map((seed) => {
          const run = grid.runs.find((each) => each.arm === arm && each.problem === problem && each.seed === seed);
          if (!run) return h("td", { class: "quiet" }, "–");
          const value = worth.get(run);
          const words = value === null ? run.status : run.timed ? times(run.gain[0]) : figure(run.score[1], 6);
          const node = h("td", { class: "heat-cell " + (value > 0 ? "up" : value < 0 ? "down" : ""), title: `${run.folder}: ${run.status}` },
            run.report ? h("a", { href: run.report }, words)
              : h("button", { type: "button", class: "bare", onclick: () => replace(chosen, commandLine(run.open)) }, words));
          node.style.setProperty("--heat", Math.round(Math.min(1, Math.abs(value || 0) / most) * 70) + "%");
          return node;
        }));
      })))));
  }
  draw(arms[0]);
  return card("Problems by seeds", arms.length > 1 ? h("p", {}, "Arm: ", choice) : null, body, chosen,
    h("p", { class: "quiet" }, "A cell opens the report of its run, or names the command that writes it. Colours run from no gain to the largest gain of the problem."));
}

function regressionCard(found) {
  if (!found.regressions.length) return card("Regressions", h("p", { class: "quiet" }, "No pair was lost."));
  return card(`Regressions: ${plural(found.regressions.length, "pair")} lost`, h("ul", { class: "regressions" }, found.regressions.slice(0, 200).map((each) => h("li", {},
    h("strong", {}, each.problem), `, seed ${each.seed}, arm ${each.arm}: ${each.measure} `, h("strong", { class: "minus" }, each.effect),
    h("div", {}, commandLine("se-agent show " + quoted(each.run))), h("div", {}, commandLine("se-agent show " + quoted(each.base_run)))))));
}

const quoted = (text) => (/^[\w./+-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'");

function gridRuns(grid, root) {
  const list = new LongList({
    count: grid.runs.length, height: 76, label: "Runs",
    open: () => {},
    draw: (at, row) => {
      const run = grid.runs[at];
      const value = run.timed ? times(run.gain[0]) : figure(run.score[1], 6);
      fill(row, [h("span", { class: "step-main" },
        h("span", { class: "step-head" }, statusPill(run.status), h("strong", {}, run.problem), h("span", { class: "quiet" }, `seed ${run.seed}, ${run.arm}`)),
        run.report ? h("a", { href: run.report }, "its report") : commandLine(run.open),
        h("span", { class: "quiet step-why" }, `${grouped(run.evaluations)} evaluations, ${seconds(run.cpu_seconds)} CPU${run.calls ? `, ${plural(run.calls, "call")}, ${grouped(run.tokens)} tokens` : ""}`)),
      sparkline(run.curve), h("span", { class: "step-effect" }, value)]);
    },
  });
  fill(root, [h("h1", {}, "Runs"), h("div", { class: "card fill" }, list.node)]);
  list.reset(grid.runs.length);
}

function sparkline(curve) {
  const most = Math.max(1, ...curve.map(([n]) => n));
  const peak = Math.max(1e-9, ...curve.map(([, e]) => e || 0));
  let path = "M2 30";
  for (const [n, e] of curve) path += `H${(2 + 96 * n / most).toFixed(1)}V${(30 - 26 * Math.max(0, e || 0) / peak).toFixed(1)}`;
  return s("svg", { class: "spark", viewBox: "0 0 100 32", "aria-hidden": "true" }, s("path", { d: path, class: "curve" }));
}
