// The panel in which a game is chosen: only what its rules offer.

import { closeDialog, openDialog } from "./dialog.mjs";
import { byId, element } from "./elements.mjs";
import { isEdited } from "./memory.mjs";

const SIDES = { hero: "The heroes", enemy: "The enemies", both: "Both sides" };
const OTHERS = {
  cards: ["Their cards", "as at the table; otherwise enemies choose where to go and whom to hit"],
  greedy: ["Greedy play", "takes what looks best at once"],
  network: ["A trained network", "has learned from many games what wins"],
  planner: ["The planner", "plays on from here many times before it decides"],
};

/** What the environment is told for who plays what. */
function opposition(mine, other) {
  if (mine === "both" || other === "network" || other === "planner") return { side: "both" };
  if (mine === "enemy") return { side: "enemy" };
  return other === "greedy" ? { enemy_will: "free" } : {};
}

/**
 * Open the panel.
 *   choices: of page.py, by environment; saved: the game on the table
 *   names: of those who can decide, by environment; left: games to go on with, of memory.mjs
 *   begin(saved) -> promise: starts a game, fails with the reason
 */
export function openNewGame({ choices, saved, names, left, begin }) {
  const form = new Form(choices, saved, names);
  const wrong = element("p", { class: "wrong", role: "alert", hidden: true });
  const start = element("button", { type: "submit", class: "primary" }, "Begin");
  const go = async (game) => {
    start.disabled = true;
    try {
      await begin(game);
      closeDialog(); // which gives the focus back to the button that opened it
      byId("question").focus({ preventScroll: true });
      scrollTo({ top: 0 });
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
    start.disabled = false;
  };
  const submit = (event) => {
    event.preventDefault();
    go(form.saved());
  };
  const whole = element("form", { class: "setting", submit }, form.place, wrong, element("footer", {}, start));
  openDialog("New game", ...(left.length ? [goingOn(left, go)] : []), whole);
}

/** Games that were left, to go on with. */
function goingOn(left, go) {
  const rows = left.map(({ saved, scenario, round }) => {
    const told = `${scenario}${isEdited(saved) ? " (edited)" : ""}`;
    const where = ` round ${round}, decision ${saved.actions.length}`;
    const small = element("span", { class: "faint" }, where);
    return element("li", {}, element("button", { type: "button", click: () => go(saved) }, told, small));
  });
  const summary = element("summary", {}, `Go on with another game (${left.length})`);
  return element("details", { class: "left" }, summary, element("ul", {}, ...rows));
}

class Form {
  constructor(choices, saved, names) {
    Object.assign(this, { choices, names });
    this.place = element("div", { class: "fields" });
    this.#draw(saved.env, saved);
  }

  /** Draw the fields of an environment; saved: what they hold at first. */
  #draw(env, { arguments: given = {}, mine = "hero", other = "cards" } = {}) {
    this.env = env;
    const about = this.choices[env];
    this.fields = {};
    const envs = Object.entries(this.choices).map(([key, { title, about: text }]) => [key, title, text]);
    this.place.replaceChildren(
      this.#radios("env", "Game", envs, env, (key) => this.#change(key)),
      ...this.#scenario(about, given),
      ...this.#heroes(about, given),
      ...this.#words(about, given),
      ...this.#sides(about, mine, other),
      this.#number("seed", "Seed of dice and cards", "another one each time"),
    );
  }

  /** Other rules have other fields; the choice among them keeps the focus. */
  #change(env) {
    this.#draw(env);
    this.fields.env.querySelector(":checked").focus();
  }

  #scenario({ scenarios, random, defaults }, given) {
    const known = Object.entries(scenarios).map(([key, { name }]) => [key, name]);
    if (random) known.push([random, "A random scenario"]);
    const story = element("p", { class: "faint story" });
    const seed = random ? this.#number("scenario_seed", "Seed of the random scenario", "another one each time") : null;
    const told = (key) => {
      story.textContent = scenarios[key]?.text ?? "Map, enemies and goal are drawn by chance.";
      if (seed) seed.hidden = key !== random;
    };
    const field = this.#select("scenario", "Scenario", known, given.scenario ?? defaults.scenario, told);
    if (seed && given.scenario_seed !== undefined) this.fields.scenario_seed.value = given.scenario_seed;
    told(this.fields.scenario.value);
    return seed ? [field, story, seed] : [field, story];
  }

  #heroes({ party, heroes, defaults }, given) {
    const many = Array.isArray(given.heroes);
    const numbers = Array.from({ length: party }, (_, k) => [String(k + 1), String(k + 1)]);
    const number = String(many ? given.heroes.length : (given.heroes ?? defaults.heroes));
    const boxes = Object.entries(heroes).map(([key, name]) => {
      const checked = many && given.heroes.includes(key);
      const box = element("input", { type: "checkbox", name: "party", value: key, checked });
      return element("label", { class: "check" }, box, name);
    });
    const chosen = element(
      "details",
      { class: "party", open: many },
      element("summary", {}, "Choose which"),
      element("div", { class: "checks" }, ...boxes),
      element("p", { class: "faint" }, `Up to ${party}; those chosen here count instead of the number.`),
    );
    this.fields.party = chosen;
    return [this.#radios("heroes", "Heroes", numbers, number), chosen];
  }

  #words({ words, defaults }, given) {
    const fields = [];
    if (words.level) {
      const levels = words.level.map((level) => [String(level), String(level)]);
      if (defaults.level === null) levels.unshift(["", "as the scenario says"]);
      const level = String(given.level ?? defaults.level ?? "");
      fields.push(this.#select("level", "Level", levels, level));
    }
    if (words.difficulty) {
      const levels = words.difficulty.map((word) => [word, word]);
      fields.push(this.#radios("difficulty", "Difficulty", levels, given.difficulty ?? defaults.difficulty));
    }
    return fields;
  }

  #sides({ words }, mine, other) {
    if (!(words.side?.length > 1)) {
      return [element("p", { class: "faint" }, "You play the heroes; the monsters follow their cards.")];
    }
    const others = ["cards", ...(this.names[this.env] ?? ["greedy"])].map((key) => [key, ...OTHERS[key]]);
    const field = this.#radios("other", "The other side is played by", others, other);
    const allow = (side) => {
      field.hidden = side === "both";
      const cards = field.querySelector("[value=cards]");
      cards.parentElement.hidden = side === "enemy"; // heroes have none that play for them
      if (side === "enemy" && cards.checked) field.querySelector("[value=greedy]").checked = true;
    };
    const sides = words.side.map((side) => [side, SIDES[side]]);
    const sidesField = this.#radios("mine", "You play", sides, mine, allow);
    allow(mine);
    return [sidesField, field];
  }

  // ---- fields ---------------------------------------------------------------------------------
  #radios(name, label, choices, value, change = () => {}) {
    const known = choices.some(([key]) => key === value) ? value : choices[0][0];
    const row = choices.map(([key, text, more]) => {
      const input = element("input", {
        type: "radio", name, value: key, checked: key === known, change: () => change(key),
      });
      const small = more ? element("small", {}, more) : null;
      return element("label", { class: "choice" }, input, element("span", {}, text, small));
    });
    const field = element("fieldset", { class: name }, element("legend", {}, label), ...row);
    this.fields[name] = field;
    return field;
  }

  #select(name, label, choices, value, change = () => {}) {
    const options = choices.map(([key, text]) => {
      return element("option", { value: key, selected: key === value }, text);
    });
    const select = element("select", { name, change: () => change(select.value) }, ...options);
    this.fields[name] = select;
    return element("label", { class: "field" }, element("span", {}, label), select);
  }

  #number(name, label, placeholder) {
    const input = element("input", { name, inputmode: "numeric", pattern: "[0-9]*", placeholder, autocomplete: "off" });
    this.fields[name] = input;
    return element("label", { class: "field" }, element("span", {}, label), input);
  }

  #checked(name) {
    return this.fields[name]?.querySelector("input:checked")?.value;
  }

  /** The game that the fields describe, before its first decision. */
  saved() {
    const { defaults, random } = this.choices[this.env];
    const party = [...this.fields.party.querySelectorAll("input:checked")].map(({ value }) => value);
    const mine = this.#checked("mine") ?? "hero";
    const other = mine === "both" ? "none" : (this.#checked("other") ?? "cards");
    const level = this.fields.level?.value;
    const chosen = {
      heroes: party.length ? party : Number(this.#checked("heroes")),
      level: level ? Number(level) : null,
      difficulty: this.#checked("difficulty"),
    };
    const given = { scenario: this.fields.scenario.value };
    for (const [name, value] of Object.entries(chosen)) {
      if (value !== undefined && value !== defaults[name]) given[name] = value;
    }
    if (given.scenario === random) given.scenario_seed = Number(this.fields.scenario_seed.value || anySeed());
    Object.assign(given, opposition(mine, other));
    const seed = this.fields.seed.value || anySeed();
    return { env: this.env, arguments: given, seed, actions: [], mine, other };
  }
}

/** A seed, short enough to be told to somebody. */
export function anySeed() {
  return String(crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000);
}
