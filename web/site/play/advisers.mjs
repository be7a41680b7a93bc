// Who else may decide, and what they say of the options: greedy play, a network, the planner.

import { workerAt } from "../calls.mjs";

const FILE = new URL("../thinker_worker.mjs", import.meta.url);
const SIMULATIONS = 400; // of the planner for a hint or a decision
const FEWEST = 12; // tries after which the 95 % interval of their value is half as wide as all there is

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** Greedy play, and whatever the thinker's worker can do, for the game on a table. */
export class Advisers {
  constructor(table) {
    this.table = table;
    this.loaded = null;
  }

  /** The names of those who can be asked in an environment. */
  async names(env) {
    this.worker ??= workerAt(FILE);
    const network = await this.worker.hasNetwork({ env });
    return network ? ["greedy", "network", "planner"] : ["greedy", "planner"];
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

function network({ action: best, options }) {
  const entries = options.map(({ action, probability }) => {
    return [action, { share: probability, text: percent.format(probability), best: action === best }];
  });
  return { best, about: "How likely the trained network is to choose each.", byAction: new Map(entries) };
}

/** What the planner's answer says; see `ask`. */
export function planner({ action: best, options }) {
  const total = options.reduce((sum, { visits }) => sum + visits, 0) || 1;
  if (!options.length) return { best, about: "The planner sees nothing to choose.", byAction: new Map() };
  const entries = options.map(({ action, visits, value }) => {
    const worth = visits < FEWEST ? "too few to judge" : `heroes win ${percent.format(value)}`;
    const text = `${visits} of ${total} tries, ${worth}`;
    return [action, { share: visits / total, text, best: action === best }];
  });
  return { best, about: `The planner played ${total} games on from here.`, byAction: new Map(entries) };
}
