// Programs: their tokens in colour, and two of them side by side. No line of them is markup.

const PYTHON = /(?<c>#[^\n]*)|(?<s>(?:[rbfu]{0,2})(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))|(?<n>\b\d[\w.]*)|(?<k>\b(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|match|case|None|True|False)\b)|(?<f>\b[A-Za-z_]\w*(?=\())/gi;
const CLIKE = /(?<c>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|^[ \t]*#[^\n]*)|(?<s>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)|(?<n>\b\d[\w.]*)|(?<k>\b(?:auto|bool|break|case|char|class|const|constexpr|continue|default|delete|do|double|else|enum|explicit|extern|false|final|float|fn|for|func|function|go|if|impl|import|inline|int|interface|let|long|mut|namespace|new|null|nullptr|operator|package|private|protected|pub|public|return|short|signed|sizeof|static|struct|switch|template|this|throw|true|try|typedef|typename|union|unsigned|use|using|var|virtual|void|while)\b)|(?<f>\b[A-Za-z_]\w*(?=\())/gm;
const HIGHLIGHTED = 200000; // characters of a program above which it stands in one colour

/** Return the lines of a program, each a list of [kind, text]. */
function tokenLines(text, python) {
  const lines = [[]];
  const push = (kind, piece) => {
    piece.split("\n").forEach((part, at) => {
      if (at) lines.push([]);
      if (part) lines[lines.length - 1].push([kind, part]);
    });
  };
  let at = 0;
  if (text.length <= HIGHLIGHTED) {
    for (const found of text.matchAll(python ? PYTHON : CLIKE)) {
      if (found.index > at) push("", text.slice(at, found.index));
      push(Object.keys(found.groups).find((k) => found.groups[k] !== undefined), found[0]);
      at = found.index + found[0].length;
    }
  }
  push("", text.slice(at));
  if (lines.length > 1 && !lines[lines.length - 1].length) lines.pop();
  return lines;
}

function tokenNodes(tokens) {
  let room = LINE;
  const nodes = [];
  for (const [kind, text] of tokens) {
    if (room <= 0) break;
    const part = text.slice(0, room);
    nodes.push(kind ? h("span", { class: "t-" + kind }, part) : part);
    room -= text.length;
  }
  if (room < 0) nodes.push(h("em", { class: "quiet" }, ` … ${grouped(-room)} more characters`));
  return nodes;
}

/** Draw rows a few hundred at a time; a button draws the next ones. */
function lineTable(rows, draw, label) {
  const body = h("div", { class: "code", role: "region", "aria-label": label, tabindex: "0" });
  const inner = h("div", { class: "lines" });
  body.append(inner);
  let done = 0;
  const more = h("button", { type: "button", class: "more", onclick: () => next() });
  function next() {
    const until = Math.min(rows.length, done + 600);
    for (; done < until; done += 1) inner.append(draw(rows[done], done));
    if (done < rows.length) replace(more, `Show ${grouped(Math.min(600, rows.length - done))} more of ${grouped(rows.length - done)} lines`);
    else more.remove();
  }
  next();
  return h("div", {}, body, done < rows.length ? more : null);
}

/** A program with the numbers of its lines, and how hot each is. */
function codeView(text, python, hot = []) {
  const heat = new Map(hot.map(([line, , , share, hits]) => [line, [share, hits]]));
  return lineTable(tokenLines(text, python), (tokens, at) => {
    const found = heat.get(at + 1);
    const bar = h("span", { class: "heat", title: found ? `${Math.round(found[0] * 100)} % of the cost, reached ${grouped(found[1])} times` : null },
      found ? Math.round(found[0] * 100) + "%" : "");
    if (found) bar.style.setProperty("--share", Math.min(1, found[0]).toFixed(3));
    return h("div", { class: "line" + (found ? " hot" : "") }, hot.length ? bar : null,
      h("span", { class: "no" }, at + 1), h("code", {}, tokenNodes(tokens)));
  }, "Program");
}

/** Return what becomes of the lines: [" " | "-" | "+", line of old, line of new]. */
function lineDiff(old, fresh) {
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let [a, b] = [old.length, fresh.length];
  while (a > start && b > start && old[a - 1] === fresh[b - 1]) { a -= 1; b -= 1; }
  const found = [];
  for (let at = 0; at < start; at += 1) found.push([" ", at, at]);
  found.push(...middleDiff(old.slice(start, a), fresh.slice(start, b)).map(([k, i, j]) => [k, i + start, j + start]));
  for (let at = 0; a + at < old.length; at += 1) found.push([" ", a + at, b + at]);
  return found;
}

/** Myers' shortest edit script; two texts that differ too much are told as one replaced by the other. */
function middleDiff(a, b) {
  const [n, m] = [a.length, b.length];
  const most = Math.min(n + m, 1500);
  const reach = new Map([[1, 0]]);
  const trail = [];
  for (let d = 0; d <= most; d += 1) {
    trail.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1))
        ? reach.get(k + 1) : reach.get(k - 1) + 1;
      let y = x - k;
      while (x < n && y < m && a[x] === b[y]) { x += 1; y += 1; }
      reach.set(k, x);
      if (x >= n && y >= m) return backtrack(trail, n, m);
    }
  }
  return [...a.map((_, at) => ["-", at, 0]), ...b.map((_, at) => ["+", n, at])];
}

function backtrack(trail, n, m) {
  const found = [];
  let [x, y] = [n, m];
  for (let d = trail.length - 1; d >= 0; d -= 1) {
    const reach = trail[d];
    const k = x - y;
    const from = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1)) ? k + 1 : k - 1;
    const px = d ? reach.get(from) : 0;
    const py = d ? px - from : 0;
    while (x > px && y > py && x > 0 && y > 0) { x -= 1; y -= 1; found.push([" ", x, y]); }
    if (!d) break;
    if (x > px) { x -= 1; found.push(["-", x, y]); } else { y -= 1; found.push(["+", x, y]); }
    [x, y] = [px, py];
  }
  return found.reverse();
}

/** Two programs as a unified diff with some lines of context. */
function diffView(oldText, newText, python) {
  const strip = (text) => { const all = text.split("\n"); if (all[all.length - 1] === "") all.pop(); return all; };
  const changes = lineDiff(strip(oldText), strip(newText));
  const near = new Uint8Array(changes.length);
  changes.forEach(([kind], at) => {
    if (kind !== " ") for (let n = Math.max(0, at - 3); n <= at + 3 && n < near.length; n += 1) near[n] = 1;
  });
  const added = changes.filter(([k]) => k === "+").length;
  const gone = changes.filter(([k]) => k === "-").length;
  if (!added && !gone) return h("p", { class: "quiet" }, "The two texts are the same.");
  const [before, after] = [tokenLines(oldText, python), tokenLines(newText, python)];
  const rows = [];
  changes.forEach((change, at) => {
    if (near[at]) rows.push(change);
    else if (!at || near[at - 1]) rows.push(["@"]);
  });
  const view = lineTable(rows, ([kind, i, j]) => {
    if (kind === "@") return h("div", { class: "line gap" }, h("span", { class: "no" }), h("span", { class: "no" }), h("span", { class: "sign" }), h("code", {}, "⋯"));
    const tokens = kind === "+" ? after[j] : before[i];
    return h("div", { class: "line " + ({ "+": "added", "-": "gone" }[kind] || "") },
      h("span", { class: "no" }, kind === "+" ? "" : i + 1), h("span", { class: "no" }, kind === "-" ? "" : j + 1),
      h("span", { class: "sign" }, kind === " " ? "" : kind === "-" ? "−" : "+"), h("code", {}, tokenNodes(tokens || [])));
  }, "Difference");
  return h("div", {}, h("p", { class: "stat" }, h("span", { class: "plus" }, "+" + added), " ",
    h("span", { class: "minus" }, "−" + gone), " lines"), view);
}

/** A text that is no program: a prompt, a reply, an output. */
function textView(text, label) {
  return lineTable(text.split("\n"), (line) => h("div", { class: "line" }, h("code", {}, cut(line, LINE))), label);
}
