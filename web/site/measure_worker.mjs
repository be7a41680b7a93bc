// A worker that plays pairs of games for a comparison.

import { answer } from "./calls.mjs";
import { readFile } from "./files.mjs";
import { readNetwork } from "./network.mjs";
import { Pairs } from "./pairs.mjs";
import { Rules, readRules } from "./rules.mjs";

const players = {
  rules: {},
  networks: {},

  /** Get ready to play two variants of a scenario; policy: "greedy", or "network". */
  async load(env, a, b, policy) {
    this.rules[env] ??= await readRules(readFile, env);
    if (policy === "network") this.networks[env] ??= await readNetwork(readFile, env);
    const plays = policy === "network" ? this.networks[env] : policy;
    this.pairs = new Pairs(new Rules(...this.rules[env]), a, b, plays);
  },

  play(seed, first, n) {
    return this.pairs.play(seed, first, n);
  },
};

answer(players);
