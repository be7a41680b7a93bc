// The form of a card, made from its schema: a control for every value, with marks and mistakes.

import { element } from "../play/elements.mjs";
import { at, same } from "./edits.mjs";
import { noteOpen, redraw } from "./redraw.mjs";
import { entryOf, firstValue, inWords, isPlain, kindOf, resolved } from "./schema.mjs";

const LONG = 60; // characters from which a text gets several lines
const BRIEF = 60; // characters of what an entry without a name is called

/** The id of the control of a place. */
export const idOf = (place) => `at-${place.join("-").replace(/[^\w-]/g, "_")}`;

export class Form {
  /**
   * root: the schema of the card; card: its place in the pack; edits: of the pack
   * names(what) -> [[value, text]] that a field may name; changed(): after every change
   * own: place as text -> a function that draws that part in its own way
   */
  constructor(root, card, edits, { names, changed, own = {} }) {
    Object.assign(this, { root, card, edits, names, changed, own });
    this.mistakes = [];
    this.drawing = false;
    this.open = new Set();
    this.fills = new Map(); // what is in folded parts, by id
  }

  /**
   * Draw the form into an element, or what has changed since; what has the focus keeps it.
   *   opened: ids of folded parts to open
   */
  draw(place = this.place, mistakes = this.mistakes, opened = []) {
    this.mistakes = mistakes;
    this.again = this.drawing; // a field that is taken out may tell of a change
    if (this.drawing) return;
    this.drawing = true;
    if (this.place) noteOpen(this.place, this.open, ({ id }) => id);
    for (const id of opened) this.open.add(id);
    const focused = document.activeElement?.id;
    this.value = this.edits.value(this.card);
    const drawn = element("form", {}, ...this.fields(resolved(this.root, this.root), []));
    if (this.place === place) redraw(place, drawn);
    else place.replaceChildren(...drawn.childNodes);
    this.place = place;
    if (focused && document.activeElement.id !== focused)
      document.getElementById(focused)?.focus({ preventScroll: true });
    this.drawing = false;
    if (this.again) this.draw();
  }

  /** Show the field of a place, or the closest around it, and go there. */
  reveal(place) {
    const around = place.map((_, n) => place.slice(0, n));
    const others = around.map((one) => `${idOf(one)}-others`);
    this.draw(this.place, this.mistakes, [...around.map(idOf), idOf(place), ...others]);
    for (let n = place.length; n > 0; n--) {
      const found = document.getElementById(idOf(place.slice(0, n)));
      if (!found) continue;
      (found.querySelector("summary") ?? found).focus();
      found.scrollIntoView({ block: "center" });
      return;
    }
  }

  // ---- fields ---------------------------------------------------------------------------------
  /** The fields of an object: those set, and folded up the others. */
  fields(part, place) {
    const value = at(this.value, place) ?? {};
    const entries = Object.entries(part.properties);
    const isSet = ([key]) => value[key] !== undefined && value[key] !== null;
    const needed = ([key]) => part.required?.includes(key);
    const shown = entries.filter((entry) => isSet(entry) || needed(entry));
    const others = entries.filter((entry) => !shown.includes(entry));
    const drawn = shown.map(([key, one]) => this.field(one, [...place, key]));
    return others.length ? [...drawn, this.#others(others, place)] : drawn;
  }

  #others(entries, place) {
    const fill = () => entries.map(([name, one]) => this.field(one, [...place, name]));
    const names = entries.map(([name]) => inWords(name)).join(", ");
    const title = `${entries.length} more: `;
    return this.#folded(`${idOf(place)}-others`, "others", title, names, "fields", fill);
  }

  /** Details that are filled when they are opened, and stay open from drawing to drawing. */
  #folded(id, kind, title, rest, inner, fill) {
    this.fills.set(id, fill);
    const open = this.open.has(id);
    const inside = element("div", { class: inner }, ...(open ? fill() : []));
    const toggle = ({ target }) => {
      if (target.open && !inside.firstChild) inside.append(...this.fills.get(id)());
    };
    const summary = element("summary", {}, title, element("span", { class: "faint" }, rest));
    return element("details", { id, class: kind, open, toggle }, summary, inside);
  }

  /** A field: label, control, mark of a change, mistakes. */
  field(one, place) {
    const drawn = this.own[place.join(".")];
    if (drawn) return drawn(this);
    const part = resolved(one, this.root);
    return isPlain(part) ? this.#row(part, place) : this.#group(part, place);
  }

  #row(part, place) {
    const id = idOf(place);
    const about = part.description?.replaceAll("`", "");
    const label = element("label", { for: id }, inWords(part.label ?? place.at(-1)));
    const help = about ? element("span", { class: "about", id: `${id}-about` }, about) : null;
    const control = this.#control(part, place, id, about ? `${id}-about` : null);
    const wrong = this.#wrong(place);
    const mark = this.#mark(part, place);
    const kind = [mark && "changed", wrong && "mistaken"].filter(Boolean).join(" ");
    return element("div", { class: `field ${kind}`, "data-of": id }, label, control, mark, help, wrong);
  }

  #group(part, place) {
    const value = at(this.value, place);
    const name = inWords(part.label ?? place.at(-1));
    const about = part.description
      ? element("p", { class: "about" }, part.description.replaceAll("`", ""))
      : null;
    const wrong = this.#wrong(place);
    const legend = element("legend", { id: idOf(place), tabindex: "-1" }, name);
    const mark = value === undefined || kindOf(part) === "object" ? null : this.#mark(part, place);
    const body =
      value === undefined || value === null
        ? [
            this.#button("+", `Add ${name}`, () =>
              this.#set(place, firstValue(bare(part), this.root)),
            ),
          ]
        : [...this.#body(part, place), part.optional ? this.#out(place, `Take ${name} out`) : null];
    return element(
      "fieldset",
      { class: mark ? "changed" : null, "data-of": idOf(place) },
      legend,
      about,
      mark,
      ...body,
      wrong,
    );
  }

  #body(part, place) {
    switch (kindOf(part)) {
      case "object":
        return this.fields(part, place);
      case "oneKey":
        return this.#oneKey(part, place);
      case "mapping":
        return this.#mapping(part, place);
      case "set":
        return [this.#checks(part, place)];
      default:
        return this.#list(part, place);
    }
  }

  /** A choice of what to do, and the fields of that. */
  #oneKey(part, place) {
    const [key] = Object.keys(at(this.value, place));
    const id = `${idOf(place)}-kind`;
    const change = ({ target }) =>
      this.#set(place, {
        [target.value]: firstValue(part.properties[target.value], this.root),
      });
    const options = Object.keys(part.properties).map((name) => [name, inWords(name)]);
    const choice = element(
      "select",
      { id, change, "aria-label": "What it does" },
      ...listed(options, key),
    );
    return [
      element("div", { class: "field" }, choice),
      this.field(part.properties[key], [...place, key]),
    ];
  }

  #list(part, place) {
    const value = at(this.value, place) ?? [];
    const fixed = part.minItems === part.maxItems && part.minItems !== undefined;
    const inner = resolved(part.items, this.root);
    const rows = value.map((_, k) =>
      this.entry({ ...inner, names: inner.names ?? part.names }, [...place, k], !fixed),
    );
    const most = part.maxItems !== undefined && value.length >= part.maxItems;
    const add = () => {
      const next = at(this.value, place)?.length ?? 0;
      this.#set([...place, next], firstValue(bare(inner), this.root));
    };
    return [
      element("div", { class: isPlain(inner) ? "short list" : "list" }, ...rows),
      fixed || most ? null : this.#button("+", `Add to ${inWords(place.at(-1))}`, add, `${idOf(place)}-add`),
    ];
  }

  /** An entry of a list or mapping: a plain one as a row, others folded up. */
  entry(part, place, removable = true) {
    const [name, rest] = called(at(this.value, place), place);
    const out = removable ? this.#out(place, `Take ${name} out`) : null;
    if (isPlain(part)) {
      const row = this.field({ ...part, label: name }, place);
      if (out) row.append(out);
      return row;
    }
    const fill = () =>
      [...this.#body(part, place), this.#wrong(place), out].filter((one) => one !== null);
    const id = idOf(place);
    if (this.mistakes.some((wrong) => wrong.card === this.card && begins(wrong.place, place)))
      this.open.add(id);
    const changed = this.edits.old(this.card) && this.edits.isChanged(this.card, place);
    return this.#folded(id, changed ? "entry changed" : "entry", name, rest, "inside", fill);
  }

  #mapping(part, place) {
    const value = at(this.value, place) ?? {};
    const inner = resolved(entryOf(part), this.root);
    const rows = Object.keys(value).map((key) => this.entry(inner, [...place, key]));
    const id = `${idOf(place)}-new`;
    const add = () => {
      const key = document.getElementById(id).value.trim();
      if (key && !(key in (at(this.value, place) ?? {}))) this.#set([...place, key], firstValue(inner, this.root));
    };
    const choices = part.propertyNames?.enum?.filter((key) => !(key in value));
    const key = choices
      ? element(
          "select",
          { id, "aria-label": "Name" },
          ...choices.map((name) => element("option", {}, name)),
        )
      : element("input", {
          id,
          "aria-label": "Name",
          placeholder: "name",
          maxlength: part.propertyNames?.maxLength,
        });
    const adding =
      choices?.length === 0
        ? null
        : element("div", { class: "adding" }, key, this.#button("+", "Add", add));
    return [...rows, adding];
  }

  /** Several of a few words. */
  #checks(part, place) {
    const value = at(this.value, place) ?? [];
    const boxes = part.items.enum.map((word) => {
      const change = ({ target }) => {
        const others = (at(this.value, place) ?? []).filter((other) => other !== word);
        this.#set(place, target.checked ? [...others, word] : others);
      };
      const id = `${idOf(place)}-${word}`;
      const box = element("input", { type: "checkbox", id, checked: value.includes(word), change });
      return element("label", { class: "check", for: id }, box, word);
    });
    return element("div", { class: "checks" }, ...boxes);
  }

  // ---- controls of single values --------------------------------------------------------------
  #control(part, place, id, describedby) {
    const value = at(this.value, place) ?? null;
    const given = {
      id,
      "aria-describedby": describedby,
      "aria-invalid": this.#wrongAt(place).length ? "true" : null,
    };
    const names = part.names && kindOf(part) === "string" ? this.names(part.names) : null;
    if (names) return this.#choice(names, value, part, place, given);
    switch (kindOf(part)) {
      case "integer":
      case "number":
        return this.#number(part, value, place, given);
      case "boolean":
        return this.#choice(
          [
            [true, "yes"],
            [false, "no"],
          ],
          value ?? part.default ?? null,
          part,
          place,
          given,
        );
      case "constant":
        return this.#choice(
          [[part.const, "yes"]],
          value,
          { ...part, optional: true },
          place,
          given,
        );
      case "choice":
        return this.#choice(
          part.enum.map((word) => [word, word]),
          value ?? part.default ?? null,
          part,
          place,
          given,
        );
      case "variants":
        return this.#variants(value, place, given);
      default:
        return this.#text(part, value, place, given);
    }
  }

  #number(part, value, place, given) {
    const shown = value ?? part.default ?? null;
    const step = part.type === "number" ? 0.05 : 1;
    const input = element("input", {
      ...given,
      type: "number",
      inputmode: part.type === "number" ? "decimal" : "numeric",
      step: part.type === "number" ? "any" : 1,
      min: part.minimum,
      max: part.maximum,
      value: shown,
      placeholder: shown === null ? "not set" : null,
      change: this.#typed(place, (text) => (text === "" ? null : Number(text))),
    });
    const by = (sign) => () => {
      const now = at(this.value, place) ?? part.default ?? null;
      const next = now === null ? (part.minimum ?? 0) : Number((now + sign * step).toFixed(4));
      this.#set(
        place,
        Math.min(part.maximum ?? Infinity, Math.max(part.minimum ?? -Infinity, next)),
      );
    };
    const name = inWords(part.label ?? place.at(-1));
    return element(
      "span",
      { class: "number" },
      this.#button("−", `Less ${name}`, by(-1), `${given.id}-less`),
      input,
      this.#button("+", `More ${name}`, by(1), `${given.id}-more`),
    );
  }

  #choice(options, value, part, place, given) {
    const all = value === null || part.optional ? [[null, "not set"], ...options] : options;
    const known = all.some(([one]) => one === value) ? all : [...all, [value, String(value)]];
    const change = ({ target }) => this.#set(place, known[target.selectedIndex][0]);
    return element("select", { ...given, change }, ...listed(known, value));
  }

  #text(part, value, place, given) {
    const text = String(value ?? part.default ?? "");
    const change = this.#typed(place, (typed) => (typed === "" && part.optional ? null : typed));
    const own = { ...given, maxlength: part.maxLength, change };
    if ((part.maxLength ?? 0) <= LONG && text.length <= LONG)
      return element("input", { ...own, type: "text", value: text });
    const lines = text.split("\n").length;
    const kind = lines > 1 ? "drawing" : null;
    return element("textarea", { ...own, rows: Math.max(3, lines), class: kind }, text);
  }

  /** A number, a word or a list: written as in a file. */
  #variants(value, place, given) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const change = this.#typed(place, readValue);
    return element("input", { ...given, type: "text", value: text, change });
  }

  /** What listens to a field in which one types; read: its text -> a value. */
  #typed(place, read) {
    return ({ target }) => {
      this.#set(place, read(target.value));
      target.value = target.defaultValue; // if it stays, it shows the value
    };
  }

  // ---- marks and mistakes ---------------------------------------------------------------------
  /** What a changed value was, and a button that puts it back. */
  #mark(part, place) {
    if (!this.edits.old(this.card) || !this.edits.isChanged(this.card, place)) return null;
    if (at(this.edits.old(this.card), place.slice(0, -1)) === undefined) return null; // all of it is new
    const old = at(this.edits.old(this.card), place) ?? part.default ?? null;
    const now = at(this.value, place) ?? part.default ?? null;
    if (same(old, now)) return null;
    const apart = typeof old === "number" && typeof now === "number" ? now - old : null;
    const sign =
      apart === null ? "changed" : `${apart > 0 ? "+" : "−"}${Number(Math.abs(apart).toFixed(4))}`;
    const back = () => this.#do(() => this.edits.takeBack(this.card, place));
    return element(
      "span",
      { class: "mark" },
      element("strong", {}, sign),
      ` was ${inShort(old)} `,
      this.#button("Take back", `Take ${inWords(place.at(-1))} back`, back),
    );
  }

  #wrongAt(place) {
    return this.mistakes.filter((one) => one.card === this.card && same(one.place, place));
  }

  #wrong(place) {
    const texts = this.#wrongAt(place).map(({ text }) => text);
    return texts.length ? element("p", { class: "wrong" }, texts.join("; ")) : null;
  }

  // ---- changing -------------------------------------------------------------------------------
  /** Set a value; one that is what a file without it would mean is left out again. */
  #set(place, value) {
    const old = this.edits.old(this.card);
    const usual = this.#partAt(place).default ?? null;
    const isUsual = old !== undefined && at(old, place) === undefined && same(value, usual);
    const around = at(this.value, place.slice(0, -1));
    if (isUsual && !Array.isArray(around)) {
      if (around?.[place.at(-1)] !== undefined) this.#do(() => this.edits.remove(this.card, place));
    } else this.#do(() => this.edits.set(this.card, place, value));
  }

  /** A button that takes out an entry, or an optional part; the file's own part becomes null. */
  #out(place, label) {
    const own = at(this.edits.old(this.card), place) !== undefined;
    const entry =
      typeof place.at(-1) === "number" || kindOf(this.#partAt(place.slice(0, -1))) === "mapping";
    const act = () =>
      this.#do(() => {
        if (own && !entry) this.edits.set(this.card, place, null);
        else this.edits.remove(this.card, place);
      });
    return this.#button("×", label, act);
  }

  /** The schema of a place. */
  #partAt(place) {
    const step = (part, key) => part.properties?.[key] ?? entryOf(part);
    return place.reduce(
      (part, key) => resolved(step(part, key), this.root),
      resolved(this.root, this.root),
    );
  }

  #do(change) {
    change();
    this.changed();
  }

  #button(text, label, click, id = null) {
    return element(
      "button",
      {
        type: "button",
        class: text.length > 1 ? "small" : "small sign",
        "aria-label": label,
        title: label,
        id,
        click,
      },
      text,
    );
  }
}

const listed = (options, chosen) =>
  options.map(([value, text]) =>
    element("option", { value: String(value), selected: value === chosen }, text),
  );

/** Whether a place lies at another one or within it. */
const begins = (place, other) => other.every((key, k) => place[k] === key);

/** A part without its default: what is added begins with what it needs. */
const bare = (part) => ({ ...part, default: undefined });

/** What an entry of a list or mapping is called -> [name, the rest of it in short]. */
function called(value, place) {
  const key = place.at(-1);
  const { name, type, ally, scenario, when } = value ?? {};
  const own = [name, type, ally, scenario, when].find((one) => typeof one === "string" && one);
  const counted = typeof key === "number" ? `${inWords(place.at(-2))} ${key}` : key;
  const isPlainValue = typeof value !== "object" || value === null;
  return [own ?? counted, isPlainValue ? "" : ` ${brief(value, own)}`];
}

/** A value in a few words: fields with a name are told, those that are off are not. */
function brief(value, name = null) {
  const text = inPlainWords(value, name);
  return text.length > BRIEF ? `${text.slice(0, BRIEF)} …` : text;
}

function inPlainWords(value, name = null) {
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) {
    const isPlainList = value.every((one) => typeof one !== "object");
    return value.map((one) => inPlainWords(one)).join(isPlainList ? ", " : "; ");
  }
  if (value.name && value.name !== name) return value.name;
  const told = Object.entries(value).filter(
    ([key, one]) => !["name", "text"].includes(key) && ![null, false, name].includes(one),
  );
  return told
    .map(([key, one]) => (one === true ? inWords(key) : `${inWords(key)} ${inPlainWords(one)}`))
    .join(", ");
}

function inShort(value) {
  if (value === null) return "not set";
  if (value === true || value === false) return value ? "yes" : "no";
  if (Array.isArray(value))
    return value.every((one) => typeof one !== "object")
      ? value.join(", ") || "empty"
      : `${value.length} entries`;
  if (typeof value === "object") return "another";
  const text = String(value);
  return text.length > 30 ? `${text.slice(0, 28)} …` : text;
}

function readValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
