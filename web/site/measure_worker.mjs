// A worker that plays pairs of games for a comparison.

import { answer } from "./calls.mjs";
import { readFile } from "./files.mjs";
import { Pairs } from "./pairs.mjs";
import { Rules } from "./rules.mjs";

const players = {
  loaded: {},

  /** Get ready to play two variants of a scenario; name: of the ruleset. */
  async load(name, a, b, policy) {
    this.loaded[name] ??= readRules(name);
    const [about, module] = await this.loaded[name];
    this.pairs = new Pairs(new Rules(about, module), a, b, policy);
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
