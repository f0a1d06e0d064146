// Every step in a line: what was tried, how it ended, and why.

let stepsLeft = { words: "", top: 0 };  // what a reader looked for, when newer data come

function stepsView(run, root, rest, keep) {
  let wanted = rest[0] || "";
  let words = keep ? stepsLeft.words : "";
  let shown = [];
  const present = OUTCOMES.filter((name) => run.steps.some((step) => step.outcome === name));
  const count = h("span", { class: "quiet", "aria-live": "polite" });
  const list = new LongList({
    count: 0, height: 58, label: "Steps of the run",
    open: (at) => { if (shown[at].solution) location.hash = "#solution/" + encodeURIComponent(shown[at].solution); },
    draw: (at, row) => {
      const step = shown[at];
      fill(row, [
        h("span", { class: "step-no" }, step.slot),
        h("span", { class: "step-main" },
          h("span", { class: "step-head" }, badge(step.outcome),
            step.solution ? solutionLink(step.solution) : null,
            h("span", { class: "quiet" }, (step.operator || "").split(":").pop())),
          h("span", { class: "step-why" }, prose(step.reason))),
        h("span", { class: "step-effect" }, step.effect === null ? "" : run.effect(step.effect)),
      ]);
    },
  });
  function refresh() {
    const low = words.toLowerCase();
    shown = run.steps.filter((step) => (!wanted || step.outcome === wanted)
      && (!low || [step.solution, step.operator, step.reason, step.direction, step.strategy].join(" ").toLowerCase().includes(low)));
    stepsLeft = { words, top: 0 };
    history.replaceState(null, "", "#steps" + (wanted ? "/" + encodeURIComponent(wanted) : ""));
    replace(count, `${grouped(shown.length)} of ${plural(run.steps.length, "step")}`);
    list.node.scrollTop = 0;
    list.active = -1;
    list.reset(shown.length);
    chips.forEach(([name, chip]) => chip.setAttribute("aria-pressed", name === wanted ? "true" : "false"));
  }
  const chips = ["", ...present].map((name) => [name, h("button", {
    type: "button", class: "chip", onclick: () => { wanted = name; refresh(); },
  }, name ? badge(name) : "all")]);
  fill(root, [
    h("h1", {}, "Steps"),
    h("div", { class: "card fill" },
      h("div", { class: "filters" },
        h("input", { type: "search", id: "words", value: words || null, placeholder: "Words of a step", "aria-label": "Show steps with these words",
          oninput: (event) => { words = event.target.value; refresh(); } }),
        h("div", { class: "chips", role: "group", "aria-label": "How they ended" }, chips.map(([, chip]) => chip)), count),
      list.node),
  ]);
  const { top } = stepsLeft;
  refresh();
  list.node.addEventListener("scroll", () => { stepsLeft.top = list.node.scrollTop; });
  if (keep) requestAnimationFrame(() => { list.node.scrollTop = top; });
}
