// The options of a question: a button each, with its key, its text, what it does, and hints.

import { element, paragraphs } from "./elements.mjs";

// Keys of options; u, h, n and p are those of the page.
const KEYS = [..."123456789abcdefgijklmoqrstvwxyz"];

export class Options {
  /** took(option), pointed(thing), described(action) -> promise of a page. */
  constructor(place, { took, pointed, described }) {
    this.place = place;
    this.told = { took, pointed, described };
    this.options = [];
  }

  /** Show options; each keeps its key, whichever of them are shown. */
  show(options, all = options) {
    this.options = options;
    this.keys = new Map(all.map(({ action }, k) => [action, KEYS[k] ?? ""]));
    this.place.replaceChildren(...options.map((option) => this.#row(option)));
  }

  #row(option) {
    const { action, text, help, thing } = option;
    const { took, pointed } = this.told;
    const point = (on) => () => pointed(on ? thing : "");
    const key = this.keys.get(action);
    const button = element(
      "button",
      {
        type: "button", class: "option", "data-action": action, "data-thing": thing || null,
        "aria-keyshortcuts": key || null, click: () => took(option),
        focus: point(true), blur: point(false), pointerenter: point(true), pointerleave: point(false),
      },
      element("kbd", { "aria-hidden": "true" }, key || "·"),
      element("span", { class: "what" }, text),
      help ? element("span", { class: "does" }, help) : null,
      element("span", { class: "marks" }),
    );
    const page = element("div", { class: "page", hidden: true });
    const more = element(
      "button",
      {
        type: "button", class: "more", "aria-expanded": "false", "aria-label": `More about: ${text}`,
        title: "Its card and its rule", click: () => this.#open(action, more, page),
      },
      "?",
    );
    return element("li", {}, button, more, page);
  }

  async #open(action, more, page) {
    const open = page.hidden;
    if (open) page.replaceChildren(...paragraphs(await this.told.described(action)));
    page.hidden = !open;
    more.setAttribute("aria-expanded", String(open));
  }

  /** The things that options name, each with the keys of its options. */
  things() {
    const named = new Map();
    for (const { action, thing } of this.options) {
      if (!thing) continue;
      if (!named.has(thing)) named.set(thing, []);
      named.get(thing).push(this.keys.get(action) || "·");
    }
    return named;
  }

  /** The option with a key, if it is shown. */
  withKey(key) {
    return this.options.find(({ action }) => key && this.keys.get(action) === key);
  }

  /** Point at the options that name a thing. */
  point(thing) {
    for (const button of this.buttons()) {
      button.classList.toggle("pointed", Boolean(thing) && button.dataset.thing === thing);
    }
  }

  buttons() {
    return [...this.place.querySelectorAll(".option")];
  }

  /** Move the focus by some options, from the one that has it. */
  move(steps) {
    const buttons = this.buttons();
    const at = buttons.indexOf(document.activeElement);
    const next = at < 0 ? (steps > 0 ? 0 : buttons.length - 1) : at + steps;
    buttons[(next + buttons.length) % buttons.length]?.focus();
  }

  /** Mark options with hints: each {name, byAction: action -> {share, text}}. */
  mark(hints) {
    for (const button of this.buttons()) {
      const action = Number(button.dataset.action);
      const told = hints.map(({ name, byAction }) => [name, byAction.get(action)]);
      const marks = told.filter(([, mark]) => mark).map(([name, mark]) => shown(name, mark));
      button.querySelector(".marks").replaceChildren(...marks);
    }
  }
}

/** A hint: who gives it, its numbers, and a bar as long as the share of this option. */
function shown(name, { share, text, best }) {
  const bar = element("span", { class: "gauge", "aria-hidden": "true" }, element("span"));
  if (share === null) bar.hidden = true;
  else bar.firstChild.style.inlineSize = `${Math.round(100 * share)}%`;
  const star = best ? element("span", { class: "star", "aria-hidden": "true" }, "★") : null;
  return element("span", { class: best ? "mark best" : "mark" }, star, `${name}: ${text}`, bar);
}
