// The map of a scenario: draw areas, change them and their borders, put figures.

import { element } from "../play/elements.mjs";
import { at, same } from "./edits.mjs";
import { firstValue, resolved } from "./schema.mjs";

const OUTSIDE = ".";
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const MOST_AREAS = 24;
const NEW = "new area";
const BORDERS = {
  single: "plain line: walk across",
  "single height": "line with a height: blocks sight from below",
  double: "drop: walk down, climb up",
  "double rope": "drop with a rope",
  barrier: "wall: no way, no sight",
};
const SIDES = [
  ["top", 0, -1],
  ["right", 1, 0],
  ["bottom", 0, 1],
  ["left", -1, 0],
];
const wide = (rows) => OUTSIDE.repeat(rows[0].length);
const GROW = {
  "row above": (rows) => [wide(rows), ...rows],
  "row below": (rows) => [...rows, wide(rows)],
  "column left": (rows) => rows.map((row) => OUTSIDE + row),
  "column right": (rows) => rows.map((row) => row + OUTSIDE),
};
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class MapEditor {
  /** edits: of the pack; card: the scenario; changed(): after every change */
  constructor(edits, card, changed) {
    Object.assign(this, { edits, card, changed });
    this.brush = null; // null: choose areas; else the letter that is painted
    this.cell = [0, 0]; // that the keyboard is at
    this.area = null;
    this.painting = null; // rows while the pointer is down
  }

  get scenario() {
    return this.edits.value(this.card);
  }

  get map() {
    return this.scenario.map;
  }

  /** The drawing, all rows of the same length. */
  get rows() {
    const rows = this.painting ?? this.map.rows.map((row) => row.trimEnd()).filter(Boolean);
    const width = Math.max(...rows.map((row) => row.length));
    return rows.map((row) => row.padEnd(width, OUTSIDE));
  }

  /** Rows as the file has them, which may end with empty lines. */
  #written(rows) {
    return [...rows, ...this.map.rows.filter((row) => !row.trim())];
  }

  // ---- drawing --------------------------------------------------------------------------------
  /** The element; form: that draws the fields of an area. */
  draw(form) {
    this.form = form;
    const letters = Object.keys(this.map.areas);
    if (!letters.includes(this.area)) this.area = letters[0] ?? null;
    const wrong = form.mistakes.filter(({ card, place }) => card === this.card && isOfMap(place));
    return element(
      "fieldset",
      { class: "map-editor", id: "at-map", tabindex: "-1" },
      element("legend", {}, "map"),
      this.#tools(),
      this.#board(),
      this.#sizes(),
      ...wrong.map(({ text }) => element("p", { class: "wrong" }, text)),
      ...(this.area ? this.#areaPanel() : []),
    );
  }

  #tools() {
    const letters = Object.entries(this.map.areas).map(([letter, { name }]) => [
      letter,
      `${letter} ${name}`,
    ]);
    const options = [
      [null, "Choose an area"],
      ...letters.map(([letter, text]) => [letter, `Draw ${text}`]),
    ];
    if (letters.length < MOST_AREAS) options.push([NEW, "Draw a new area"]);
    options.push([OUTSIDE, "Draw outside (erase)"]);
    const change = ({ target }) => {
      this.brush = options[target.selectedIndex][0];
    };
    const made = options.map(([value, text]) =>
      element("option", { selected: value === this.brush }, text),
    );
    const choice = element("select", { id: "brush", change }, ...made);
    const about = "Click or drag over cells; with the keyboard, arrow keys and Enter.";
    return element(
      "div",
      { class: "tools" },
      element("label", { for: "brush" }, "Pointer"),
      choice,
      element("span", { class: "faint" }, about),
    );
  }

  #board() {
    const rows = this.rows;
    const board = element("div", {
      class: "cells",
      role: "group",
      "aria-label": "The map, cell by cell",
      style: `--columns: ${rows[0].length}`,
      pointerdown: (event) => this.#down(event),
      pointerover: (event) => this.painting && this.#paint(event.target.closest("button")),
      keydown: (event) => this.#key(event),
    });
    rows.forEach((row, y) =>
      [...row].forEach((letter, x) => board.append(this.#cell(rows, letter, x, y))),
    );
    return board;
  }

  #cell(rows, letter, x, y) {
    const area = this.map.areas[letter];
    const [cx, cy] = this.cell;
    const cell = element("button", {
      type: "button",
      "data-x": x,
      "data-y": y,
      tabindex: x === cx && y === cy ? 0 : -1,
      class: `${this.#edges(rows, x, y)} ${letter === this.area ? "chosen" : ""}`,
      style: area ? `--hue: ${this.#hue(letter)}` : null,
      "aria-label": `row ${y + 1}, column ${x + 1}: ${area ? `${letter}, ${area.name}` : letter === OUTSIDE ? "outside" : `${letter}, no area`}`,
    });
    if (letter !== OUTSIDE) cell.append(letter);
    else cell.classList.add("outside");
    const signs = isFirst(rows, letter, x, y) ? this.#signs(letter) : "";
    if (signs) cell.append(element("small", {}, signs));
    cell.classList.toggle("signed", signs !== "");
    return cell;
  }

  #hue(letter) {
    return (LETTERS.indexOf(letter) * 137.5) % 360;
  }

  /** Classes for the borders of a cell. */
  #edges(rows, x, y) {
    const here = rows[y][x];
    return SIDES.map(([side, dx, dy]) => {
      const there = rows[y + dy]?.[x + dx] ?? OUTSIDE;
      if (here === there) return "";
      if (here === OUTSIDE || there === OUTSIDE) return here === OUTSIDE ? "" : `${side}-edge`;
      return `${side}-${this.border(here, there).split(" ")[0]}`;
    }).join(" ");
  }

  /** What stands in an area, in signs: heroes, enemies, a trap, items. */
  #signs(letter) {
    const { start, setup } = this.scenario;
    const area = this.map.areas[letter] ?? {};
    const enemies = setup.filter((one) => one.area === letter).length;
    return [
      start === letter ? "★" : "",
      enemies ? `▲${enemies}` : "",
      area.trap ? "✕" : "",
      area.items?.length ? "●" : "",
    ].join("");
  }

  #sizes() {
    const buttons = Object.entries(GROW).map(([name, grown]) => {
      const click = () => this.#set([[["map", "rows"], this.#written(grown(this.rows))]]);
      return element("button", { type: "button", class: "small", click }, `+ ${name}`);
    });
    const legend = "★ heroes start, ▲ enemies, ✕ trap, ● items";
    return element(
      "div",
      { class: "tools" },
      ...buttons,
      element("span", { class: "faint" }, legend),
    );
  }

  // ---- painting -------------------------------------------------------------------------------
  #down(event) {
    const cell = event.target.closest("button");
    if (!cell) return;
    if (this.brush === null) return this.#use(cell);
    event.preventDefault();
    if (event.target.hasPointerCapture(event.pointerId))
      event.target.releasePointerCapture(event.pointerId); // a finger draws over other cells, too
    this.#begin();
    this.#paint(cell);
    const up = () => {
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", up);
      this.#finish();
    };
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", up);
  }

  #begin() {
    this.painting = this.rows;
    if (this.brush !== NEW) return;
    this.letter = LETTERS.find((letter) => !(letter in this.map.areas));
  }

  #paint(cell) {
    if (!cell) return;
    const [x, y] = [Number(cell.dataset.x), Number(cell.dataset.y)];
    const letter = this.brush === NEW ? this.letter : this.brush;
    this.cell = [x, y];
    this.painting[y] = this.painting[y].slice(0, x) + letter + this.painting[y].slice(x + 1);
    cell.firstChild?.remove();
    cell.prepend(letter === OUTSIDE ? "" : letter);
    cell.classList.toggle("outside", letter === OUTSIDE);
    cell.style.setProperty("--hue", this.#hue(letter));
  }

  /** Keep what was painted; areas that are drawn no more go, with what refers to them. */
  #finish() {
    const rows = this.painting;
    this.painting = null;
    const areas = { ...this.map.areas };
    if (this.brush === NEW) {
      areas[this.letter] = { name: `Area ${this.letter}` };
      this.area = this.letter;
    } else if (this.brush !== OUTSIDE) this.area = this.brush;
    for (const letter of Object.keys(areas))
      if (!rows.some((row) => row.includes(letter))) delete areas[letter];
    this.brush = this.brush === NEW ? this.letter : this.brush;
    const kept = this.#bordersKept(rows);
    this.#set([[["map", "rows"], this.#written(rows)], [["map", "areas"], areas], ...kept]);
  }

  /** Borders and ropes between areas that still touch. */
  #bordersKept(rows) {
    const touching = ([x, y]) => neighbours(rows, x).includes(y);
    return ["borders", "ropes"]
      .filter((key) => this.map[key])
      .map((key) =>
        this.#listed(
          key,
          this.map[key].filter((one) => touching(one.between ?? one)),
        ),
      );
  }

  #key(event) {
    const cell = event.target.closest("button");
    const step = STEPS[event.key];
    if (!cell) return;
    if (step) {
      const [x, y] = [Number(cell.dataset.x) + step[0], Number(cell.dataset.y) + step[1]];
      const next = cell.parentElement.querySelector(`[data-x="${x}"][data-y="${y}"]`);
      if (next) {
        cell.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
        this.cell = [x, y];
      }
    } else if (event.key === "Enter" || event.key === " ") this.#use(cell, true);
    else return;
    event.preventDefault();
  }

  #use(cell, focus = false) {
    this.cell = [Number(cell.dataset.x), Number(cell.dataset.y)];
    if (this.brush === null) {
      const letter = this.rows[this.cell[1]][this.cell[0]];
      if (letter in this.map.areas) this.area = letter;
      this.form.draw();
    } else {
      this.#begin();
      this.#paint(cell);
      this.#finish();
    }
    if (focus) document.querySelector('.cells [tabindex="0"]').focus();
  }

  // ---- one area -------------------------------------------------------------------------------
  #areaPanel() {
    const place = ["map", "areas", this.area];
    const { form } = this;
    const areas = resolved(
      resolved(form.root.properties.map, form.root).properties.areas,
      form.root,
    );
    const part = resolved(areas.additionalProperties, form.root);
    const { name } = this.map.areas[this.area];
    const box = (title, ...content) =>
      element("fieldset", {}, element("legend", {}, title), ...content);
    return [
      element(
        "h3",
        {},
        element("span", { class: "letter", style: `--hue: ${this.#hue(this.area)}` }, this.area),
        ` ${name}`,
      ),
      box("area", ...form.fields({ ...part, description: null }, place)),
      box("borders", ...neighbours(this.rows, this.area).map((other) => this.#borderField(other))),
      box("who and what is here", ...this.#figures()),
    ];
  }

  /** The kind of the border between two areas, and whether a rope leads across. */
  border(one, other) {
    const between = (pair) => pair.includes(one) && pair.includes(other);
    const found = this.map.borders?.find((border) => between(border.between));
    if (this.map.ropes?.some(between)) return "double rope";
    const kind = found?.kind ?? "single";
    return kind === "single" && found?.height ? "single height" : kind;
  }

  #borderField(other) {
    const id = `border-${other}`;
    const now = this.border(this.area, other);
    const change = ({ target }) => this.#setBorder(other, target.value);
    const options = Object.entries(BORDERS).map(([value, text]) =>
      element("option", { value, selected: value === now }, text),
    );
    const label = `${other} ${this.map.areas[other]?.name ?? ""}`;
    return element(
      "div",
      { class: "field" },
      element("label", { for: id }, label),
      element("select", { id, change }, ...options),
    );
  }

  #setBorder(other, wanted) {
    const [kind, more] = wanted.split(" ");
    const pair = [this.area, other];
    const apart = (between) => !pair.every((letter) => between.includes(letter));
    const borders = (this.map.borders ?? []).filter(({ between }) => apart(between));
    const ropes = (this.map.ropes ?? []).filter(apart);
    if (kind !== "single" || more)
      borders.push({ between: pair, kind, ...(more === "height" && { height: true }) });
    if (more === "rope") ropes.push(pair);
    this.#set([this.#listed("borders", borders), this.#listed("ropes", ropes)]);
  }

  /** A list of the map as a change; an empty one that the file does not have is left out. */
  #listed(key, list) {
    const old = this.edits.old(this.card)?.map[key];
    return [["map", key], list.length || old ? list : undefined];
  }

  #figures() {
    const { start, setup } = this.scenario;
    const part = resolved(
      resolved(this.form.root.properties.setup, this.form.root).items,
      this.form.root,
    );
    const here = setup.flatMap((one, k) =>
      one.area === this.area ? [this.form.entry(part, ["setup", k])] : [],
    );
    const types = this.form.names("enemies");
    const select = element(
      "select",
      { "aria-label": "Enemy" },
      ...types.map(([value, text]) => element("option", { value }, text)),
    );
    const put = () => {
      const placed = {
        ...firstValue(part, this.form.root),
        type: types[select.selectedIndex][0],
        area: this.area,
      };
      this.#set([[["setup"], [...this.scenario.setup, placed]]]);
    };
    const begin = () => this.#set([[["start"], this.area]]);
    return [
      start === this.area
        ? element("p", {}, "★ The heroes start here.")
        : element(
            "button",
            { type: "button", class: "small", click: begin },
            "★ Let the heroes start here",
          ),
      ...here,
      element(
        "div",
        { class: "adding" },
        select,
        element("button", { type: "button", class: "small", click: put }, "Put an enemy here"),
      ),
    ];
  }

  #set(changes) {
    const apart = changes.filter(([place, value]) => !same(at(this.scenario, place), value));
    if (apart.length) this.edits.setAll(this.card, apart);
    this.changed();
  }
}

const MAP_KEYS = ["map", "rows", "areas", "borders", "ropes"];

/** Whether a mistake is one of the map as a whole. */
const isOfMap = (place) => MAP_KEYS.includes(place[0]) && place.length < 3;

/** Whether a cell is the first of its letter. */
const isFirst = (rows, letter, x, y) =>
  letter !== OUTSIDE &&
  rows[y].indexOf(letter) === x &&
  rows.findIndex((row) => row.includes(letter)) === y;

/** Letters of the areas that share a side of a cell with one. */
function neighbours(rows, letter) {
  const found = new Set();
  rows.forEach((row, y) =>
    [...row].forEach((here, x) => {
      if (here !== letter) return;
      for (const [, dx, dy] of SIDES) found.add(rows[y + dy]?.[x + dx] ?? OUTSIDE);
    }),
  );
  return [...found].filter((other) => other !== letter && other !== OUTSIDE).sort();
}
