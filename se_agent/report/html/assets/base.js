// Elements and texts. Whatever comes from a run becomes the text of a node, never markup.

const SVG = "http://www.w3.org/2000/svg";
const LINE = 2000; // characters of a line that are shown

/** Spell out what nobody sees: control characters, marks that turn the direction of writing. */
function visible(text) {
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, (c) => {
    if (c === "\n" || c === "\t") return c;
    const code = c.codePointAt(0);
    if (code < 256) return "\\x" + code.toString(16).padStart(2, "0");
    return code < 65536 ? "\\u" + code.toString(16).padStart(4, "0")
      : "\\U" + code.toString(16).padStart(8, "0");
  });
}

function cut(text, most) {
  return text.length > most ? text.slice(0, most) + " … " + grouped(text.length - most) + " more" : text;
}

function fill(node, kids) {
  for (const kid of kids.flat(Infinity)) {
    if (kid === null || kid === undefined || kid === false) continue;
    node.append(kid instanceof Node ? kid : document.createTextNode(visible(kid)));
  }
  return node;
}

function dress(node, props) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : visible(value));
  }
  return node;
}

/** Make an element: `h("p", {class: "quiet"}, "text", child)`. */
function h(tag, props, ...kids) {
  return fill(dress(document.createElement(tag), props), kids);
}

/** Make an element of a drawing. */
function s(tag, props, ...kids) {
  return fill(dress(document.createElementNS(SVG, tag), props), kids);
}

function replace(node, ...kids) {
  node.replaceChildren();
  return fill(node, kids);
}

const grouped = (n) => (n === null || n === undefined ? "–" : Number(n).toLocaleString("en-US"));

function figure(x, digits = 4) {
  if (x === null || x === undefined) return "–";
  return Number.isInteger(x) ? grouped(x) : String(Number(x.toPrecision(digits)));
}

function times(ratio) {
  if (ratio === null || ratio === undefined || !isFinite(ratio)) return "–";
  if (ratio > 0 && ratio < 0.1) return Number(ratio.toPrecision(2)) + "x";
  return ratio < 10 ? ratio.toFixed(2) + "x" : ratio < 100 ? ratio.toFixed(1) + "x"
    : grouped(Math.round(ratio)) + "x";
}

function seconds(x) {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0 s";
  if (x < 1e-3) return (x * 1e6).toPrecision(3) + " µs";
  if (x < 1) return (x * 1e3).toPrecision(3) + " ms";
  if (x < 120) return x.toPrecision(3) + " s";
  return x < 7200 ? (x / 60).toFixed(1) + " min" : (x / 3600).toFixed(1) + " h";
}

function bytes(x) {
  if (!x) return "–";
  const units = ["B", "kB", "MB", "GB"];
  let at = 0;
  while (x >= 1000 && at < 3) { x /= 1000; at += 1; }
  return x.toPrecision(3) + " " + units[at];
}

/** An effect in words: a ratio of a timed run, a difference of a scored one. */
function effectText(x, timed) {
  if (x === null || x === undefined) return "";
  return timed ? times(Math.exp(x)) : (x >= 0 ? "+" : "−") + figure(Math.abs(x));
}

/** Words in which `names` stand between backticks. */
function prose(text) {
  return String(text || "").split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
}

function plural(n, word) {
  return grouped(n) + " " + word + (n === 1 ? "" : "s");
}

function store(name, value) {
  try {
    if (value === undefined) return localStorage.getItem("se_agent." + name);
    localStorage.setItem("se_agent." + name, value);
  } catch { /* a browser may keep nothing for a file */ }
  return null;
}
