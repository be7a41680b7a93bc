// All cards of the pack by folder, found by a part of their name.

import { element } from "../play/elements.mjs";
import { noteOpen, redraw } from "./redraw.mjs";

export class CardList {
  /** chosen(card): when one is chosen */
  constructor(place, search, chosen) {
    Object.assign(this, { place, search, chosen });
    this.open = new Set(["scenarios", "enemies", "monsters"]);
    search.addEventListener("input", () => this.cards && this.#draw()); // none until a pack is open
  }

  draw(edits, card, mistakes) {
    this.cards = edits.list();
    this.changed = new Set(edits.changedCards());
    this.wrong = new Set(mistakes.map((one) => one.card));
    this.card = card;
    this.#draw();
  }

  #draw() {
    if (this.wanted === "") noteOpen(this.place, this.open, ({ dataset }) => dataset.of);
    const wanted = this.search.value.trim().toLowerCase();
    this.wanted = wanted; // a search opens all folders
    const fits = ({ title, key, folder }) =>
      `${folder} ${title} ${key}`.toLowerCase().includes(wanted);
    const folders = new Map();
    for (const one of this.cards.filter(fits))
      folders.set(one.folder, [...(folders.get(one.folder) ?? []), one]);
    const order = ["scenarios", "enemies", "monsters", "heroes", "classes", "items"];
    const rank = (folder) => (order.indexOf(folder) + 99) % 99;
    const sorted = [...folders].sort(([one], [other]) => rank(one) - rank(other));
    const found = sorted.map(([folder, cards]) => this.#folder(folder, cards, wanted !== ""));
    const none = element("p", { class: "faint" }, "No card has this name.");
    redraw(this.place, element("div", {}, ...(found.length ? found : [none])));
  }

  #folder(folder, cards, open) {
    const changed = cards.filter(({ card }) => this.changed.has(card)).length;
    return element(
      "details",
      { "data-of": folder, open: open || this.open.has(folder) },
      element(
        "summary",
        {},
        folder,
        element(
          "span",
          { class: "faint" },
          ` ${cards.length}${changed ? `, ${changed} changed` : ""}`,
        ),
      ),
      element("ul", {}, ...cards.map((one) => element("li", {}, this.#button(one)))),
    );
  }

  #button({ card, title }) {
    const marks = [
      this.changed.has(card) ? "changed" : "",
      this.wrong.has(card) ? "mistake" : "",
    ].filter(Boolean);
    return element(
      "button",
      {
        type: "button",
        class: "link",
        "data-of": card,
        "aria-current": card === this.card ? "true" : null,
        click: () => this.chosen(card),
      },
      title,
      ...marks.map((mark) => element("em", { class: mark }, mark)),
    );
  }
}
