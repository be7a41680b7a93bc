// What thinks about a position: the planner and a network, for hints and for opponents.

import { hasNetwork, readNetwork } from "./network.mjs";
import { Game, Planner, Rules } from "./rules.mjs";

export class Thinker {
  /** read: name of a file of the site -> its bytes. */
  constructor(read) {
    this.read = read;
    this.games = {};
    this.networks = {};
    this.planners = {};
  }

  /** Take up a scenario: content, bytes; control: who answers, as `Table.about` says. */
  async load({ env, content, control }) {
    this.games[env] ??= new Game(await Rules.read(this.read, env), content, control);
    this.env = env;
    this.game = this.games[env];
    this.game.take(content, control);
  }

  /** Whether a network plays this environment. */
  hasNetwork({ env }) {
    return hasNetwork(env);
  }

  /**
   * Search -> {action, options}: of each option tried, its visits and the heroes' chance to win.
   *   state: bytes; simulations: at most; guided: whether the network says what to try
   */
  async plan({ state, simulations = 200, guided = false }) {
    const key = `${this.env} ${simulations} ${guided}`;
    const network = guided ? (await this.#network()).packed : undefined;
    this.planners[key] ??= new Planner(this.game.rules, simulations, network);
    this.game.state.set(state);
    return this.planners[key].search(this.game);
  }

  /** The network -> {action, options}: the probability of each option, and the likeliest. */
  async network({ state }) {
    const network = await this.#network();
    this.game.state.set(state);
    const shares = network.probabilities(this.game);
    const actions = [...this.game.mask().entries()].filter(([, legal]) => legal);
    const options = actions.map(([action], k) => ({ action, probability: shares[k] }));
    const best = options.reduce((a, b) => (b.probability > a.probability ? b : a));
    return { action: best.action, options };
  }

  #network() {
    this.networks[this.env] ??= readNetwork(this.read, this.env);
    return this.networks[this.env];
  }
}
