// A worker that plays pairs of games for a comparison.

import { answer } from "./calls.mjs";
import { readFile } from "./files.mjs";
import { readNetwork } from "./network.mjs";
import { Pairs } from "./pairs.mjs";
import { Rules } from "./rules.mjs";

const NAMES = { "Agemonia-v0": "agemonia", "HexDungeon-v0": "hexdungeon" };

const players = {
  loaded: {},
  networks: {},
  turn: 0,

  /** Get ready to play two variants of a scenario; policy: "greedy", or "network". */
  async load(env, a, b, policy) {
    const turn = ++this.turn; // files are read meanwhile: a later call must not be overtaken
    this.loaded[env] ??= readRules(NAMES[env]);
    const [about, module] = await this.loaded[env];
    if (policy === "network") this.networks[env] ??= readNetwork(readFile, env);
    const plays = policy === "network" ? await this.networks[env] : policy;
    if (turn === this.turn) this.pairs = new Pairs(new Rules(about, module), a, b, plays);
  },

  play(seed, first, n) {
    return this.pairs.play(seed, first, n);
  },
};

async function readRules(name) {
  const [about, module] = await Promise.all([
    readFile(`rules/${name}.json`),
    readFile(`rules/${name}.wasm`),
  ]);
  return [JSON.parse(new TextDecoder().decode(about)), await WebAssembly.compile(module)];
}

answer(players);
