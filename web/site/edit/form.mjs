// The form of a card, made from its schema: a control for every value, with marks and mistakes.

import { element } from "../play/elements.mjs";
import { at, same } from "./edits.mjs";
import { entryOf, firstValue, inWords, isPlain, kindOf, resolved } from "./schema.mjs";

const LONG = 60; // characters from which a text gets several lines
const NOT_SET = "";

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
    this.open = new Set();
  }

  /** Draw the whole form into an element; what has the focus keeps it. */
  draw(place, mistakes = this.mistakes) {
    this.mistakes = mistakes;
    this.place = place;
    const focused = document.activeElement?.id;
    this.value = this.edits.value(this.card);
    place.replaceChildren(...this.fields(resolved(this.root, this.root), []));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  /** Show the field of a place, or the closest around it, and go there. */
  reveal(place) {
    for (let n = 1; n <= place.length; n++) this.open.add(idOf(place.slice(0, n)));
    for (let n = 0; n < place.length; n++) this.open.add(`${idOf(place.slice(0, n))}-others`);
    this.draw(this.place);
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
    const key = `${idOf(place)}-others`;
    const inside = element("div", { class: "fields" });
    const fill = () =>
      inside.replaceChildren(...entries.map(([name, one]) => this.field(one, [...place, name])));
    const names = entries.map(([name]) => inWords(name)).join(", ");
    return this.#folded(key, `${entries.length} more: `, names, inside, fill);
  }

  /** Details that are filled when they are opened, and stay open from drawing to drawing. */
  #folded(key, title, rest, inside, fill) {
    const open = this.open.has(key);
    if (open) fill();
    const toggle = ({ target }) => {
      if (target !== folded) return;
      if (target.open && !inside.firstChild) fill();
      this.open[target.open ? "add" : "delete"](key);
    };
    const summary = element("summary", {}, title, element("span", { class: "faint" }, rest));
    const folded = element("details", { class: "others", open, toggle }, summary, inside);
    return folded;
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
    return element("div", { class: `field ${kind}` }, label, control, mark, help, wrong);
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
      { class: mark ? "changed" : null },
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
        [target.value]: firstValue({ ...part.properties[target.value] }, this.root),
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
    const add = () =>
      this.#set([...place, value.length], firstValue({ ...inner, default: undefined }, this.root));
    return [
      element("div", { class: isPlain(inner) ? "short list" : "list" }, ...rows),
      fixed || most ? null : this.#button("+", `Add to ${inWords(place.at(-1))}`, add, `${idOf(place)}-add`),
    ];
  }

  /** An entry of a list or mapping: a plain one as a row, others folded up. */
  entry(part, place, removable = true) {
    const value = at(this.value, place);
    const key = place.at(-1);
    const title = titleOf(value);
    const label = title ?? (typeof key === "number" ? `[${key}]` : key);
    const out = removable ? this.#out(place, `Take ${label} out`) : null;
    if (isPlain(part)) {
      const row = this.field({ ...part, label }, place);
      if (out) row.append(out);
      return row;
    }
    const inside = element("div", { class: "inside" });
    const fill = () => {
      inside.replaceChildren(...this.#body(part, place), this.#wrong(place) ?? "", out ?? "");
    };
    const id = idOf(place);
    if (this.mistakes.some((wrong) => wrong.card === this.card && begins(wrong.place, place)))
      this.open.add(id);
    const folded = this.#folded(id, label, ` ${summaryOf(value, title)}`, inside, fill);
    folded.className = `entry ${this.edits.old(this.card) && this.edits.isChanged(this.card, place) ? "changed" : ""}`;
    folded.id = id;
    return folded;
  }

  #mapping(part, place) {
    const value = at(this.value, place) ?? {};
    const inner = resolved(entryOf(part), this.root);
    const rows = Object.keys(value).map((key) => this.entry(inner, [...place, key]));
    const id = `${idOf(place)}-new`;
    const add = () => {
      const key = document.getElementById(id).value.trim();
      if (key && !(key in value)) this.#set([...place, key], firstValue(inner, this.root));
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
      const change = ({ target }) =>
        this.#set(
          place,
          target.checked ? [...value, word] : value.filter((other) => other !== word),
        );
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
      change: ({ target }) => this.#set(place, target.value === "" ? null : Number(target.value)),
    });
    const by = (sign) => () => {
      const next = Number(
        ((shown ?? part.minimum ?? 0) + (shown === null ? 0 : sign * step)).toFixed(4),
      );
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
    const long = (part.maxLength ?? 0) > LONG || String(value ?? "").length > LONG;
    const change = ({ target }) => {
      this.#set(place, target.value === NOT_SET && part.optional ? null : target.value);
    };
    const lines = String(value ?? "").split("\n").length;
    const shape = long ? { rows: Math.max(3, lines), class: lines > 1 ? "drawing" : null } : {};
    const input = element(long ? "textarea" : "input", {
      ...given,
      ...shape,
      maxlength: part.maxLength,
      change,
    });
    input.value = value ?? part.default ?? "";
    return input;
  }

  /** A number, a word or a list: written as in a file. */
  #variants(value, place, given) {
    const change = ({ target }) => this.#set(place, readValue(target.value));
    const input = element("input", { ...given, change });
    input.value = typeof value === "string" ? value : JSON.stringify(value);
    return input;
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

/** The plain values of an entry, in short. */
function summaryOf(value, title) {
  if (typeof value !== "object" || value === null) return "";
  const plain = Object.entries(value).filter(
    ([key, one]) => !["name", "text"].includes(key) && typeof one !== "object" && one !== title,
  );
  return plain
    .slice(0, 5)
    .map(([key, one]) => `${inWords(key)} ${inShort(one)}`)
    .join(", ");
}

/** A part without its default: what is added begins with what it needs. */
const bare = (part) => ({ ...part, default: undefined });

/** What an entry of a list is called. */
function titleOf(value) {
  if (typeof value !== "object" || value === null) return null;
  const words = [value.name, value.type, value.ally, value.scenario, value.when].filter(Boolean);
  return words.length ? String(words[0]) : null;
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
