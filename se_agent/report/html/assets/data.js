// The data of the page, and the texts that they name by number.

/** Where texts come from: they stand in the page, or are unpacked part by part. */
class Texts {
  constructor(data) {
    this.plain = data.texts || null;
    this.parts = data.packed ? data.packed.map(([first]) => first) : data.parts || [];
    this.packed = new Map(data.packed || []);
    this.open = new Map();
  }

  async get(number) {
    if (number === null || number === undefined) return "";
    if (this.plain) return this.plain[number];
    let low = 0;
    let high = this.parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.parts[middle] <= number) low = middle; else high = middle - 1;
    }
    const first = this.parts[low];
    if (!this.open.has(first)) this.open.set(first, this.unpack(first));
    return (await this.open.get(first))[number - first];
  }

  async value(number) {
    return JSON.parse(await this.get(number));
  }

  async unpack(first) {
    if (typeof DecompressionStream === "undefined") {
      throw new Error("this browser cannot unpack texts; one of 2023 or later can");
    }
    const text = this.packed.get(first) || document.getElementById("texts-" + first).textContent;
    const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }
}

function named(table) {
  const { fields, rows } = table;
  return rows.map((row) => {
    const made = {};
    for (let at = 0; at < fields.length; at += 1) made[fields[at]] = row[at];
    return made;
  });
}

/** A run: its steps, its programs by id, its texts. */
class Run {
  constructor(data, texts) {
    this.summary = data.summary;
    this.operators = data.operators;
    this.timed = data.summary.timed;
    this.texts = texts;
    this.steps = named(data.steps);
    this.memoryText = data.memory;
    this.memory = null;
    this.byId = new Map();
    for (const each of data.programs) this.byId.set(each.solution, { ...each, slot: null });
    for (const step of this.steps) if (step.solution) this.byId.set(step.solution, step);
    this.children = new Map();
    for (const each of this.byId.values()) {
      if (each.text === null) continue;
      const parent = (each.parents || "").split(" ")[0];
      if (!this.children.has(parent)) this.children.set(parent, []);
      this.children.get(parent).push(each);
    }
  }

  effect(x) {
    return effectText(x, this.timed);
  }

  outcomeOf(id) {
    const found = this.byId.get(id);
    return found ? found.outcome : "";
  }

  /** The programs from the initial one to this one, along first parents. */
  line(id) {
    const found = [];
    const seen = new Set();
    for (let at = this.byId.get(id); at && !seen.has(at.solution);) {
      found.push(at);
      seen.add(at.solution);
      at = this.byId.get((at.parents || "").split(" ")[0]);
    }
    return found.reverse();
  }

  async loadMemory() {
    if (!this.memory && this.memoryText.text === null) {
      this.memory = { rows: [], refused: {}, compressed: new Set() };
    }
    if (!this.memory) {
      const whole = await this.texts.value(this.memoryText.text);
      const rows = named(whole);
      for (const row of rows) row.shown = row.shown_to ? row.shown_to.split(" ") : [];
      this.memory = { rows, refused: whole.refused, compressed: new Set(whole.compressed) };
    }
    return this.memory;
  }
}
