// What a change does to the win rate: chosen games, intervals, and a target.

import { byId, element } from "../play/elements.mjs";
import { summary } from "../measure.mjs";
import { hasNetwork } from "../network.mjs";
import { isAlike } from "../pairs.mjs";
import { Measurement } from "./measurement.mjs";
import { percent, points, range } from "./numbers.mjs";
import { strip } from "./strip.mjs";
import { targetText } from "./target.mjs";

const MOST_BY_NETWORK = 400; // pairs: it takes a hundred times as long as greedy play
const PAIRS = [1000, 2000, 5000, 20000, 100000];
const OWN = "its own"; // the level that the scenario says

export class MeasurePanel {
  /** place: its element; chosen(): after the games were chosen anew; glance(text): the rate in short */
  constructor(place, { chosen, glance }) {
    Object.assign(this, { place, chosen, glance });
    this.measurement = new Measurement();
    this.values = {
      scenario: null,
      heroes: 2,
      level: null,
      difficulty: "normal",
      pairs: 2000,
      seed: 0,
      target: 60,
      within: 3,
    };
    this.state = null;
  }

  /**
   * Offer the games of a pack.
   *   scenarios: [[key, title]]; scenario: the first one to measure; choices: of page.py
   */
  offer({ env, scenarios, scenario, choices: { words, defaults, party } }) {
    Object.assign(this, { env, defaults });
    const told = (one) => [one, one === null ? OWN : String(one)];
    const levels = words.level && [...(defaults.level === null ? [null] : []), ...words.level];
    const fields = [
      ["scenario", "Scenario", scenarios],
      ["heroes", "Heroes", Array.from({ length: party }, (_, k) => told(k + 1))],
      ["level", "Level", levels?.map(told)],
      ["difficulty", "Difficulty", words.difficulty?.map(told)],
    ].filter(([, , options]) => options);
    for (const [key, , options] of fields) this.#keepKnown(key, options, { ...defaults, scenario });
    const games = [["pairs", "Pairs of games", PAIRS.map((n) => [n, n.toLocaleString("en")])]];
    const seed = this.#number("seed", "Seed", 0, 2 ** 53 - 1, 1);
    this.result = element("div", { class: "result", "aria-busy": "false" });
    this.said = element("p", { class: "unseen", "aria-live": "polite" });
    this.place.replaceChildren(
      element(
        "div",
        { class: "games" },
        ...[...fields, ...games].map((field) => this.#select(...field)),
        seed,
      ),
      this.result,
      this.said,
      element(
        "div",
        { class: "aim" },
        this.#number("target", "Target, %", 0, 100, 1),
        this.#number("within", "Tolerance, ±", 0, 50, 0.5),
      ),
      (this.verdict = element("p", { class: "verdict", id: "verdict" })),
    );
    this.show();
  }

  /** A value that is not offered gives way to the usual one, or to the first. */
  #keepKnown(key, options, usual) {
    const known = options.map(([value]) => value);
    const wanted = [this.values[key], usual[key], known[0]];
    this.values[key] = wanted.find((value) => known.includes(value));
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
    const made = options.map(([value, text]) =>
      element("option", { value: String(value), selected: value === this.values[key] }, text),
    );
    return element(
      "div",
      { class: "field" },
      element("label", { for: id }, label),
      element("select", { id, change }, ...made),
    );
  }

  #number(key, label, min, max, step) {
    const id = `measure-${key}`;
    const change = ({ target }) => {
      const stepped = step * Math.round((Number(target.value) || 0) / step);
      target.value = Math.min(max, Math.max(min, stepped));
      this.#choose(key, Number(target.value));
    };
    const input = element("input", {
      id,
      type: "number",
      min,
      max,
      step,
      value: this.values[key],
      change,
    });
    return element("div", { class: "field" }, element("label", { for: id }, label), input);
  }

  #choose(key, value) {
    this.values[key] = value;
    if (key === "target" || key === "within") this.show();
    else this.chosen();
  }

  /** Arguments of the environment for the chosen games. */
  arguments() {
    const { scenario, heroes } = this.values;
    const others = ["level", "difficulty"].filter((key) => key in this.defaults);
    const chosen = others.filter((key) => this.values[key] !== this.defaults[key]);
    return { scenario, heroes, ...Object.fromEntries(chosen.map((key) => [key, this.values[key]])) };
  }

  // ---- playing --------------------------------------------------------------------------------
  /**
   * Play the chosen games of two variants, {content, control, limit} of each: first by greedy play,
   * then, where there is one, by the network. Without a, the scenario is new: b is played alone.
   */
  async play(a, b) {
    const { pairs, seed } = this.values;
    const alone = a === null;
    const games = { env: this.env, a: a ?? b, b, seed };
    const alike = alone || isAlike(a, b);
    const told = (planned, keep) => {
      const began = performance.now();
      return (sums) => {
        keep({
          ...summary(sums, planned, alike),
          planned,
          alike,
          alone,
          seconds: (performance.now() - began) / 1000,
        });
        this.#later();
      };
    };
    this.byNetwork = null;
    const greedy = told(pairs, (state) => (this.state = state));
    if (
      !(await this.measurement.play({ ...games, policy: "greedy", pairs }, greedy)) ||
      !hasNetwork(this.env)
    )
      return;
    const few = Math.min(pairs, MOST_BY_NETWORK);
    const network = told(few, (state) => (this.byNetwork = state));
    await this.measurement.play({ ...games, policy: "network", pairs: few }, network);
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
      this.result.replaceChildren(
        element("p", { class: "faint" }, refused ?? "Greedy play will show what your changes do."),
      );
      this.verdict.textContent = "";
      delete this.verdict.dataset.met;
      this.glance("");
      return;
    }
    const { target, within } = this.values;
    this.result.setAttribute("aria-busy", String(!state.over));
    this.result.replaceChildren(
      strip(state, target / 100, within / 100),
      this.#table("Greedy play wins", state, ""),
      element("p", { class: "faint" }, this.#progress(state)),
      ...(this.byNetwork ? this.#network(this.byNetwork) : []),
    );
    const { met, text } = targetText(state, target / 100, within / 100);
    this.verdict.textContent = text;
    this.verdict.dataset.met = met;
    this.glance(percent(state.b));
    if (state.over)
      this.said.textContent = `Win rate ${percent(state.b)}, ${range(state.rates.b)}. ${text}`;
  }

  #network(state) {
    const done = `${state.pairs.toLocaleString("en")} of ${state.planned.toLocaleString("en")} pairs, with the same dice and cards.`;
    const rest = state.alike
      ? ""
      : " It takes the action that it finds likeliest, as the policy likeliest:generalist does.";
    return [
      this.#table("The network wins", state, "network-"),
      element("p", { class: "faint" }, done + rest),
    ];
  }

  #table(title, state, prefix) {
    const row = (name, mark, share, interval, id) =>
      element(
        "tr",
        { id },
        element("th", { scope: "row" }, element("span", { class: `dot ${mark}` }), name),
        element("td", { class: "share" }, share),
        element("td", { class: "faint" }, interval),
      );
    const head = element(
      "tr",
      {},
      element("th", { scope: "col" }, title),
      element("th", { scope: "col" }, "share"),
      element("th", { scope: "col" }, "95 % interval"),
    );
    const difference = state.alike ? "0.0" : points(state.difference);
    const apart = state.alike ? "same games" : range([state.low, state.high], points);
    return element(
      "table",
      {},
      element("thead", {}, head),
      element(
        "tbody",
        {},
        ...(state.alone
          ? []
          : [row("unchanged (A)", "a", percent(state.a), range(state.rates.a), `${prefix}rate-a`)]),
        row("changed (B)", "b", percent(state.b), range(state.rates.b), `${prefix}rate-b`),
        ...(state.alone
          ? []
          : [row("B − A, points", "", difference, apart, `${prefix}rate-difference`)]),
      ),
    );
  }

  #progress({ pairs, planned, seconds, over, alike, alone }) {
    if (alone) return "This scenario is new: there is nothing to compare it with.";
    if (alike) return "A and B are the same: no change takes part in these games.";
    const speed = Math.round((2 * pairs) / Math.max(seconds, 0.001)).toLocaleString("en");
    const done = `${pairs.toLocaleString("en")} of ${planned.toLocaleString("en")} pairs, ${speed} games a second`;
    return over
      ? `${done}. The same dice and cards in A and B, game by game: the same numbers as agemonia balance compare.`
      : `${done}. Until the last pair the intervals are the wider ones that hold at any time.`;
  }
}
