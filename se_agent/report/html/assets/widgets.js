// Small parts that several views share.

const MARKS = {
  better: "▲", "within noise": "≈", worse: "▼", failed: "✕", duplicate: "=", "nothing new": "·",
  planned: "◇", "unusable reply": "?", "no reply": "∅", open: "…", initial: "●", minimised: "◆",
};
const OUTCOMES = Object.keys(MARKS);

function kindOf(outcome) {
  return "o-" + String(outcome).replace(/[^a-z]/g, "-");
}

/** How a step ended: a mark and a word, so that no colour has to be seen. */
function badge(outcome, detail) {
  const mark = h("span", { class: "mark", "aria-hidden": "true" }, MARKS[outcome] || "•");
  return h("span", { class: "badge " + kindOf(outcome) }, mark, detail || outcome);
}

function solutionLink(id, text) {
  return h("a", { href: "#solution/" + encodeURIComponent(id), class: "id" }, text || id);
}

function facts(pairs) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return h("dl", { class: "facts" },
    shown.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function card(title, ...kids) {
  const head = title ? h("h2", {}, title) : null;
  return h("section", { class: "card" }, head, kids);
}

function table(names, rows, right = []) {
  const cls = (at) => (right.includes(at) ? "num" : null);
  return h("div", { class: "scroll", tabindex: "0" }, h("table", {},
    h("thead", {}, h("tr", {}, names.map((n, at) => h("th", { class: cls(at), scope: "col" }, n)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((c, at) => h("td", { class: cls(at) }, c)))))));
}

let lastTab = "";  // who goes from one solution to the next looks at the same part

/** A row of tabs; arrow keys go from one to the next. `tabs`: [name, count, draw(panel)]. */
function tabs(label, items, chosen = 0) {
  const panel = h("div", { class: "panel", role: "tabpanel", tabindex: "0", id: "tab-panel" });
  const buttons = items.map(([name, count], at) => h("button", {
    type: "button", role: "tab", "aria-controls": "tab-panel", onclick: () => choose(at),
  }, name, count ? h("span", { class: "count" }, grouped(count)) : null));
  function choose(at, focus) {
    buttons.forEach((button, n) => {
      button.setAttribute("aria-selected", n === at ? "true" : "false");
      button.tabIndex = n === at ? 0 : -1;
    });
    panel.setAttribute("aria-label", items[at][0]);
    lastTab = items[at][0];
    replace(panel);
    items[at][2](panel);
    if (focus) buttons[at].focus();
  }
  const list = h("div", {
    class: "tabs", role: "tablist", "aria-label": label,
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const now = buttons.findIndex((b) => b.tabIndex === 0);
      choose((now + step + buttons.length) % buttons.length, true);
    },
  }, buttons);
  const last = items.findIndex(([name]) => name === lastTab);
  choose(last >= 0 ? last : chosen);
  return h("div", {}, list, panel);
}

/**
 * A list of any length of which only what is seen exists. Arrow keys move, Enter opens.
 * `options`: count, height, draw(at, row), open(at), label, role ("listbox" or "tree"), key(event, at).
 */
class LongList {
  constructor(options) {
    this.options = options;
    this.count = options.count;
    this.active = -1;
    this.name = "list-" + (LongList.made = (LongList.made || 0) + 1);
    this.space = h("div", { class: "space", role: "presentation" });
    this.node = h("div", {
      class: "long", role: options.role || "listbox", tabindex: "0", "aria-label": options.label,
      onscroll: () => this.draw(), onkeydown: (event) => this.press(event),
      onclick: (event) => this.click(event),
    }, this.space);
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.node);
  }

  /** Draw anew, with another number of rows. */
  reset(count) {
    this.count = count;
    this.active = Math.min(this.active, count - 1);
    this.draw(true);
  }

  draw(anew) {
    const { height, draw, role } = this.options;
    const first = Math.max(0, Math.floor(this.node.scrollTop / height) - 8);
    const last = Math.min(this.count, first + Math.ceil((this.node.clientHeight || 400) / height) + 16);
    if (!anew && first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    this.space.style.height = this.count * height + "px";
    this.node.style.setProperty("--rows", this.count * height + 2 + "px");
    const rows = [];
    for (let at = first; at < last; at += 1) {
      const row = h("div", {
        class: "row" + (at === this.active ? " active" : ""), id: this.name + "-" + at,
        role: role === "tree" ? "treeitem" : "option", "data-at": at,
        "aria-selected": at === this.active ? "true" : "false",
        "aria-setsize": this.count, "aria-posinset": at + 1,
      });
      row.style.top = at * height + "px";
      row.style.height = height + "px";
      draw(at, row);
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
    if (this.active >= first && this.active < last) {
      this.node.setAttribute("aria-activedescendant", this.name + "-" + this.active);
    } else this.node.removeAttribute("aria-activedescendant");
  }

  choose(at, centre) {
    if (!this.count) return;
    const { height } = this.options;
    this.active = Math.max(0, Math.min(this.count - 1, at));
    const top = this.active * height;
    const room = this.node.clientHeight || 400;
    if (centre) this.node.scrollTop = Math.max(0, top - room / 2);
    else if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top + height > this.node.scrollTop + room) this.node.scrollTop = top + height - room;
    this.draw(true);
  }

  press(event) {
    if (this.options.key && this.options.key(event, this.active)) {
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.options.height) - 1);
    const to = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page,
      PageUp: this.active - page, Home: 0, End: this.count - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.choose(to);
      if (this.options.moved) this.options.moved(this.active);
    } else if ((event.key === "Enter" || event.key === " ") && this.active >= 0) {
      event.preventDefault();
      this.options.open(this.active);
    }
  }

  click(event) {
    const row = event.target.closest("[data-at]");
    if (!row || event.target.closest("a")) return;
    const at = Number(row.dataset.at);
    if (this.options.key && this.options.key(event, at)) return;
    this.choose(at);
    this.options.open(at);
  }
}

/** A bar with the ends of an interval, on a scale that several share; its tone is by where it lies, unless a verdict says so. */
function intervalBar(low, mean, high, scale, label, tone = low > 0 ? "good" : high < 0 ? "bad" : "") {
  const wide = 160;
  const x = (v) => 4 + (wide - 8) * Math.max(0, Math.min(1, (v - scale[0]) / (scale[1] - scale[0] || 1)));
  const zero = scale[0] <= 0 && scale[1] >= 0
    ? s("line", { x1: x(0), x2: x(0), y1: 1, y2: 17, class: "zero" }) : null;
  const known = low !== null && high !== null && low !== undefined && high !== undefined;
  return s("svg", { class: "interval " + (known ? tone : ""), viewBox: "0 0 160 18", role: "img", "aria-label": label },
    zero,
    known ? s("line", { x1: x(low), x2: x(high), y1: 9, y2: 9, class: "span" }) : null,
    known ? [low, high].map((v) => s("line", { x1: x(v), x2: x(v), y1: 5, y2: 13, class: "span" })) : null,
    s("circle", { cx: x(mean), cy: 9, r: 3.5 }));
}

function commandLine(text) {
  const button = h("button", {
    type: "button", class: "copy", onclick: async () => {
      try { await navigator.clipboard.writeText(text); button.textContent = "copied"; }
      catch { getSelection().selectAllChildren(code); button.textContent = "selected"; }
    },
  }, "copy");
  const code = h("code", {}, text);
  return h("span", { class: "command" }, code, button);
}
