// The frame: which view is shown, the theme, and newer data of a live page.

const root = document.getElementById("view");
const top_ = document.getElementById("top");
let shown = null;
let state = null;

const RUN_VIEWS = {
  summary: ["Summary", (run, node) => summaryView(run, node)],
  steps: ["Steps", (run, node, rest, keep) => stepsView(run, node, rest, keep)],
  solution: ["Lineage", (run, node, rest) => solutionsView(run, node, rest)],
  memory: ["Memory", (run, node, rest) => memoryView(run, node, rest)],
};
const GRID_VIEWS = {
  summary: ["Comparison", (grid, node) => gridSummary(grid, node)],
  runs: ["Runs", (grid, node) => gridRuns(grid, node)],
};

function begin(data) {
  state = data.kind === "grid"
    ? { views: GRID_VIEWS, thing: data.grid, name: data.grid.name }
    : { views: RUN_VIEWS, thing: new Run(data.run, new Texts(data)), name: data.run.summary.name };
}

function place() {
  const [view, ...rest] = location.hash.replace(/^#/, "").split("/").map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
  return [state.views[view] ? view : "summary", rest];
}

function header(view) {
  const links = Object.entries(state.views).map(([key, [name]]) => h("a", {
    href: "#" + key, "aria-current": key === view ? "page" : null,
  }, name));
  replace(top_, h("div", { class: "bar" },
    h("a", { href: "#summary", class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), h("span", {}, "se_agent"), h("span", { class: "run-name" }, state.name)),
    h("nav", { "aria-label": "Parts of the report" }, links),
    h("span", { id: "live", class: "quiet", role: "status" }),
    h("button", { type: "button", id: "theme", title: "Light or dark", "aria-label": "Change between light and dark", onclick: turnTheme }, "◐")));
}

async function draw(keep) {
  const [view, rest] = place();
  header(view);
  const node = h("div", { class: "view view-" + view });
  const scroll = keep ? scrollY : 0;
  const focus = keep ? focused() : null;
  const ready = state.views[view][1](state.thing, node, rest, keep);
  replace(root, node);
  await ready;
  if (focus) focus();
  document.title = `${state.views[view][0]}: ${visible(state.name)} - se_agent report`;
  scrollTo(0, scroll);
  root.dataset.ready = view;
  shown = view;
}

/** Return what gives the focus back to the part that has it, once that is drawn anew. */
function focused() {
  const { id, role } = document.activeElement;
  const css = id && id !== "view" ? "#" + CSS.escape(id) : role === "tree" || role === "listbox" ? `[role=${role}]` : "";
  return css ? () => { const node = document.querySelector(css); if (node) node.focus({ preventScroll: true }); } : null;
}

/** A program of the tree that is open needs no new tree: its links are followed in place. */
function followed() {
  const [view] = place();
  draw(view === shown && view === "solution");
  if (view !== shown) root.focus({ preventScroll: true });
}

function turnTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  setTheme(now === "dark" ? "light" : "dark");
}

function setTheme(theme) {
  if (theme !== "dark" && theme !== "light") return;
  document.documentElement.dataset.theme = theme;
  store("theme", theme);
}

/** Ask the server of a live page for newer data, and show them where the reader is. */
async function follow() {
  let version = null;
  for (;;) {
    try {
      const told = await (await fetch("version", { cache: "no-store" })).json();
      if (version !== null && told.version !== version) {
        begin(await (await fetch("data", { cache: "no-store" })).json());
        await draw(true);
      }
      version = told.version;
      replace(document.getElementById("live"), told.running ? "live" : "ended");
    } catch {
      replace(document.getElementById("live"), "the server is gone");
    }
    await new Promise((done) => { setTimeout(done, 2000); });
  }
}

function start() {
  setTheme(store("theme"));
  const data = JSON.parse(document.getElementById("data").textContent);
  begin(data);
  addEventListener("hashchange", followed);
  draw();
  if (data.live) follow();
}

addEventListener("unhandledrejection", (event) => {
  root.prepend(h("p", { class: "card" }, "A part of this report cannot be shown: ", String(event.reason)));
});

try { start(); } catch (err) {
  replace(root, h("p", { class: "card" }, "This report cannot be drawn: ", String(err)));
  throw err;
}
