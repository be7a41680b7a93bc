// Everything that can be looked up, found by typing a part of its name.

import { element, paragraphs } from "./elements.mjs";

const SHOWN = 12; // pages listed at once

export class Lookup {
  /** place: a <details>; pages() -> promise of [{kind, name, text}]. */
  constructor(place, search, found, pages) {
    Object.assign(this, { place, search, found, pages });
    this.known = null;
    place.addEventListener("toggle", () => place.open && this.#list());
    search.addEventListener("input", () => this.#list());
  }

  /** The position has changed: pages are read afresh when they are asked for. */
  forget() {
    this.known = null;
    if (this.place.open) this.#list();
  }

  open() {
    this.place.open = true;
    this.search.focus();
    this.place.scrollIntoView({ block: "nearest" });
  }

  async #list() {
    const wanted = this.search.value.trim().toLowerCase();
    this.known ??= this.pages();
    const pages = await this.known;
    const open = new Set([...this.found.querySelectorAll("[open]")].map((one) => one.dataset.name));
    const fits = pages.filter(({ name, kind }) => `${kind} ${name}`.toLowerCase().includes(wanted));
    const rank = ({ name }) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
    const listed = fits.sort((a, b) => rank(a) - rank(b)).slice(0, wanted ? SHOWN : undefined);
    const left = fits.length - listed.length;
    const rest = left ? `and ${left} more` : listed.length ? "" : "Nothing has this name.";
    const groups = wanted ? listed.map((page) => entry(page, open)) : byKind(listed, open);
    this.found.replaceChildren(...groups, element("p", { class: "faint", role: "status" }, rest));
  }
}

function entry({ kind, name, text }, open) {
  return element(
    "details",
    { class: "entry", "data-name": name, open: open.has(name) },
    element("summary", {}, name, element("span", { class: "faint" }, ` ${kind}`)),
    element("div", { class: "page" }, ...paragraphs(text)),
  );
}

/** All pages, folded up by kind. */
function byKind(pages, open) {
  const kinds = new Map();
  for (const page of pages) kinds.set(page.kind, [...(kinds.get(page.kind) ?? []), page]);
  return [...kinds].map(([kind, group]) =>
    element(
      "details",
      { class: "kind", "data-name": kind, open: open.has(kind) },
      element("summary", {}, `${kind} (${group.length})`),
      ...group.map((page) => entry(page, open)),
    ),
  );
}
