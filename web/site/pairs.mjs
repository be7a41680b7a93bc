// Pairs of games of two variants of a pack, played with the same seeds by the compiled rules.

import { gameSeeds } from "./measure.mjs";
import { Game } from "./rules.mjs";

/** Whether two variants are the same game. */
export const isAlike = ({ content: a }, { content: b }) =>
  a.length === b.length && a.every((byte, k) => byte === b[k]);

export class Pairs {
  /**
   * a, b: {content, control, limit} of each variant; content: the bytes of a compiled scenario
   * policy: the name of a compiled one, or a network, which takes the likeliest action
   */
  constructor(rules, a, b, policy) {
    const { won, ending } = rules.about.layouts.STATE.fields;
    this.won = won[0];
    this.ending = ending[0];
    this.policy = policy;
    this.sides = [a, b].map((one) => ({ ...one, game: new Game(rules, one.content, one.control) }));
    this.alike = isAlike(a, b);
  }

  /** Play the pairs `first` to `first + n - 1` of a run -> their sums. */
  play(seed, first, n) {
    const sums = { pairs: n, a: 0, b: 0, apart: 0 };
    for (const number of gameSeeds(seed, first, n)) {
      const a = this.#wins(this.sides[0], number);
      const b = this.alike ? a : this.#wins(this.sides[1], number);
      sums.a += a;
      sums.b += b;
      sums.apart += Number(a !== b);
    }
    return sums;
  }

  #wins({ game, limit }, seed) {
    game.reset(seed);
    if (typeof this.policy === "string") game.rollout(this.policy, limit);
    else this.#playOn(game, limit);
    return game.state[this.won];
  }

  #playOn(game, limit) {
    for (let n = 0; n < limit && !game.state[this.ending]; n++) game.step(this.policy.choose(game));
  }
}
