// What a change does to the win rate: chosen games, intervals, and a target.

import { byId, element } from "../play/elements.mjs";
import { summary } from "../measure.mjs";
import { Measurement } from "./measurement.mjs";
import { strip } from "./strip.mjs";
import { targetText } from "./target.mjs";

const NAMES = { "Agemonia-v0": "agemonia", "HexDungeon-v0": "hexdungeon" };
const PAIRS = [1000, 2000, 5000, 20000, 100000];
const LEVELS = { "Agemonia-v0": [1, 2, 3, 4, 5], "HexDungeon-v0": [0, 1, 2, 3] };
const DIFFICULTIES = ["easy", "normal", "hard", "brutal"];
const OWN = "that of the scenario";

export const percent = (share) => `${(100 * share).toFixed(1)} %`;
const points = (share) => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;
const range = ([low, high]) => `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}`;

export class MeasurePanel {
  /** place: its element; chosen(): after the games were chosen anew; glance(text): the rate in short */
  constructor(place, { chosen, glance }) {
    Object.assign(this, { place, chosen, glance });
    this.measurement = new Measurement();
    this.values = { scenario: null, heroes: 2, level: null, difficulty: "normal", pairs: 2000, seed: 0, target: 60, within: 3 };
    this.state = null;
  }

  /** Offer the games of a pack; scenarios: [[key, title]]; parameters: of its environment. */
  offer({ env, scenarios, parameters, scenario }) {
    this.env = env;
    const known = scenarios.map(([key]) => key);
    if (!known.includes(this.values.scenario)) this.values.scenario = known.includes(scenario) ? scenario : known[0];
    const number = (n) => [n, String(n)];
    const fields = [
      ["scenario", "Scenario", scenarios],
      ["heroes", "Heroes", [1, 2, 3, 4].map(number)],
      ["level", "Level", [[null, OWN], ...LEVELS[env].map(number)]],
      ["difficulty", "Difficulty", DIFFICULTIES.map((word) => [word, word])],
    ].filter(([key]) => parameters.includes(key));
    const games = [["pairs", "Pairs of games", PAIRS.map((n) => [n, n.toLocaleString("en")])]];
    const seed = this.#number("seed", "Seed", 0, 2 ** 53 - 1, 1);
    this.result = element("div", { class: "result", "aria-busy": "false" });
    this.said = element("p", { class: "unseen", "aria-live": "polite" });
    this.place.replaceChildren(
      element("div", { class: "games" }, ...[...fields, ...games].map((field) => this.#select(...field)), seed),
      this.result,
      this.said,
      element("div", { class: "aim" }, this.#number("target", "Target, %", 0, 100, 1), this.#number("within", "±", 0, 50, 0.5)),
      (this.verdict = element("p", { class: "verdict", id: "verdict" })),
    );
    this.show();
  }

  /** Measure a scenario -> whether it is another one than before. */
  choose(scenario) {
    const select = byId("measure-scenario");
    const known = [...select.options].findIndex((option) => option.value === scenario);
    if (known < 0 || this.values.scenario === scenario) return false;
    this.values.scenario = scenario;
    select.selectedIndex = known;
    return true;
  }

  #select(key, label, options) {
    const id = `measure-${key}`;
    const change = ({ target }) => this.#choose(key, options[target.selectedIndex][0]);
    const made = options.map(([value, text]) => element("option", { value: String(value), selected: value === this.values[key] }, text));
    return element("div", { class: "field" }, element("label", { for: id }, label), element("select", { id, change }, ...made));
  }

  #number(key, label, min, max, step) {
    const id = `measure-${key}`;
    const change = ({ target }) => this.#choose(key, Math.min(max, Math.max(min, Number(target.value) || 0)));
    const input = element("input", { id, type: "number", min, max, step, value: this.values[key], change });
    return element("div", { class: "field" }, element("label", { for: id }, label), input);
  }

  #choose(key, value) {
    this.values[key] = value;
    if (key === "target" || key === "within") this.show();
    else this.chosen();
  }

  /** Arguments of the environment for the chosen games. */
  arguments() {
    const { scenario, heroes, level, difficulty } = this.values;
    const own = this.env === "Agemonia-v0" && difficulty !== "normal" ? { difficulty } : {};
    return { scenario, heroes, ...(level !== null && { level }), ...own };
  }

  // ---- playing --------------------------------------------------------------------------------
  /** Play the chosen games of two variants: {content, control, limit} of each. */
  async play(a, b) {
    const { pairs, seed } = this.values;
    const alike = a.content.length === b.content.length && a.content.every((byte, k) => byte === b.content[k]);
    const began = performance.now();
    const told = (sums) => {
      this.state = { ...summary(sums, pairs, alike), planned: pairs, alike, seconds: (performance.now() - began) / 1000 };
      this.#later();
    };
    await this.measurement.play({ name: NAMES[this.env], a, b, seed, pairs }, told);
  }

  /** There is nothing to play: the pack has mistakes. */
  refuse(text) {
    this.measurement.stop();
    this.state = null;
    this.refused = text;
    this.show();
  }

  wait() {
    this.measurement.stop();
    this.refused = null;
    this.result?.setAttribute("aria-busy", "true");
  }

  /** Show at most once a frame. */
  #later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.show();
    });
  }

  show() {
    const { state, refused } = this;
    if (!state || !state.pairs) {
      this.result.replaceChildren(element("p", { class: "faint" }, refused ?? "Greedy play will show what your changes do."));
      this.verdict.textContent = "";
      delete this.verdict.dataset.met;
      this.glance("");
      return;
    }
    const { target, within } = this.values;
    this.result.setAttribute("aria-busy", String(!state.over));
    this.result.replaceChildren(
      strip(state, target / 100, within / 100),
      this.#table(state),
      element("p", { class: "faint" }, this.#progress(state)),
    );
    const { met, text } = targetText(state, target / 100, within / 100);
    this.verdict.textContent = text;
    this.verdict.dataset.met = met;
    this.glance(percent(state.b));
    if (state.over) this.said.textContent = `Win rate ${percent(state.b)}, ${range(state.rates.b)}. ${text}`;
  }

  #table(state) {
    const row = (name, mark, share, interval, id) =>
      element(
        "tr", { id },
        element("th", { scope: "row" }, element("span", { class: `dot ${mark}` }), name),
        element("td", { class: "share" }, share),
        element("td", { class: "faint" }, interval),
      );
    const head = element("tr", {}, element("th", { scope: "col" }, "Greedy play wins"), element("th", { scope: "col" }, "share"), element("th", { scope: "col" }, "95 % interval"));
    const difference = state.alike ? "0.0" : points(state.difference);
    const apart = state.alike ? "same games" : `${points(state.low)} to ${points(state.high)}`;
    return element(
      "table", {},
      element("thead", {}, head),
      element(
        "tbody", {},
        row("unchanged (A)", "a", percent(state.a), range(state.rates.a), "rate-a"),
        row("with your changes (B)", "b", percent(state.b), range(state.rates.b), "rate-b"),
        row("B − A, points", "", difference, apart, "rate-difference"),
      ),
    );
  }

  #progress({ pairs, planned, seconds, over, alike }) {
    if (alike) return "Nothing that you changed takes part in these games: A and B are the same.";
    const speed = Math.round((2 * pairs) / Math.max(seconds, 0.001)).toLocaleString("en");
    const done = `${pairs.toLocaleString("en")} of ${planned.toLocaleString("en")} pairs, ${speed} games a second`;
    return over
      ? `${done}. The same dice and cards in A and B, game by game: the same numbers as agemonia balance compare.`
      : `${done}. Until the last pair the intervals are the wider ones that hold at any time.`;
  }
}
