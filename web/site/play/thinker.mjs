// Who else may decide, and what they say of the options: greedy play, a network, the planner.

import { workerAt } from "../calls.mjs";

const FILE = new URL("../thinker_worker.mjs", import.meta.url);
const SIMULATIONS = 400; // of the planner for a hint or a decision

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** Greedy play, and whatever the thinker's worker can do, for the game on a table. */
export class Thinker {
  constructor(table) {
    this.table = table;
    this.loaded = null;
  }

  /** The names of those who can be asked. */
  async sources() {
    const there = await fetch(FILE, { method: "HEAD" }).then(({ ok }) => ok, () => false);
    return there ? ["greedy", "network", "planner"] : ["greedy"];
  }

  /** Another game is on the table: the worker gets it when it is asked next. */
  forget() {
    this.loaded = null;
  }

  async #worker({ env, control }) {
    this.worker ??= workerAt(FILE);
    this.loaded ??= this.table.content().then((content) => this.worker.load({ env, content, control }));
    await this.loaded;
    return this.worker;
  }

  /**
   * Ask for the position that a view shows -> {best, about, byAction}:
   * the action preferred, a sentence, and of each action {share, text, best}.
   */
  async ask(source, view) {
    if (source === "greedy") return greedy(await this.table.greedy(), view);
    const worker = await this.#worker(view);
    const state = await this.table.state();
    if (source === "network") return network(await worker.network({ state }));
    return planner(await worker.plan({ state, simulations: SIMULATIONS }));
  }
}

function greedy(action, { options }) {
  const { text } = options.find((option) => option.action === action) ?? { text: "" };
  const byAction = new Map([[action, { share: null, text: "its choice", best: true }]]);
  return { best: action, about: `Greedy play would choose: ${text}.`, byAction };
}

function network({ value, options }) {
  const best = highest(options, ({ probability }) => probability);
  const entries = options.map(({ action, probability }) => {
    return [action, { share: probability, text: percent.format(probability), best: action === best }];
  });
  const chance = known(value) ? ` It gives the heroes a chance of ${percent.format(value)}.` : "";
  return { best, about: `How likely the trained network is to choose each.${chance}`, byAction: new Map(entries) };
}

function planner({ action: best, options }) {
  const total = options.reduce((sum, { visits }) => sum + visits, 0) || 1;
  const entries = options.map(({ action, visits, value }) => {
    const wins = known(value) && visits > 0 ? `, heroes win ${percent.format(value)}` : "";
    const text = `${visits} of ${total} tries${wins}`;
    return [action, { share: visits / total, text, best: action === best }];
  });
  return { best, about: `The planner played ${total} games on from here.`, byAction: new Map(entries) };
}

const known = (value) => typeof value === "number" && Number.isFinite(value);

function highest(options, measure) {
  return options.reduce((best, one) => (measure(one) > measure(best) ? one : best)).action;
}
