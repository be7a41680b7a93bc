// How much of the site has come, for as long as a page waits for it.

import { element } from "./play/elements.mjs";

const PATIENCE = 800; // ms without a word: from this machine, everything comes in less
const megabytes = (bytes) => Math.round(bytes / 1e6);

/** Shows bytes that have come, until `end` is called; weight.json says how many there are. */
export class Loading {
  constructor() {
    this.bar = element("progress", { "aria-label": "Loading" });
    this.text = element("span", {}, "Loading ...");
    this.place = element("p", { class: "loading", hidden: true }, this.bar, this.text);
    document.body.append(this.place);
    this.patience = setTimeout(() => (this.place.hidden = false), PATIENCE);
    this.weight = fetch(new URL("weight.json", import.meta.url)).then((answer) => answer.json());
    this.weight.catch(() => {}); // then there is a bar without an end
  }

  /** So many bytes have come. */
  async show(loaded) {
    const { bytes } = await this.weight;
    const [came, all] = [Math.min(loaded, bytes), bytes].map(megabytes);
    this.bar.max = all;
    this.bar.value = came;
    this.text.textContent = came < all ? `Loading: ${came} of ${all} MB` : "Starting ...";
  }

  end() {
    clearTimeout(this.patience);
    this.place.remove();
  }
}
