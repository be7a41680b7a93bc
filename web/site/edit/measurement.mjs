// A comparison that is being played: workers play blocks of pairs, added in the order of games.

import { workerAt } from "../calls.mjs";
import { NO_PAIRS, added } from "../measure.mjs";

const FIRST_BLOCK = 40; // pairs: an answer at once
const BLOCK = 250; // pairs that a worker plays at a time
const SLOW_BLOCK = 2; // ... of a network, which takes a hundred times as long
const MOST_WORKERS = 4;
const FILE = new URL("../measure_worker.mjs", import.meta.url);

/** Blocks of pairs, [first, how many] each: a few small ones, then those of the size given. */
export function blocksOf(pairs, size = BLOCK) {
  const blocks = [];
  for (let first = 0; first < pairs; ) {
    const n = Math.min(
      blocks.length < MOST_WORKERS ? Math.min(FIRST_BLOCK, size) : size,
      pairs - first,
    );
    blocks.push([first, n]);
    first += n;
  }
  return blocks;
}

export class Measurement {
  constructor() {
    const cores = navigator.hardwareConcurrency ?? 2;
    this.workers = Array.from({ length: Math.max(1, Math.min(MOST_WORKERS, cores - 1)) }, () =>
      workerAt(FILE),
    );
    this.run = 0;
  }

  stop() {
    this.run += 1;
  }

  /**
   * Play `pairs` pairs of two variants; told(sums) after every block, in the order of games.
   * Another call, or `stop`, ends the one before.
   *   env: the environment; a, b: {content, control, limit}; policy: "greedy" or "network"
   * -> promise: whether it was not stopped
   */
  async play({ env, a, b, policy, seed, pairs }, told) {
    const run = ++this.run;
    const blocks = blocksOf(pairs, policy === "network" ? SLOW_BLOCK : BLOCK);
    const waiting = new Map();
    let [given, next, sums] = [0, 0, NO_PAIRS];
    const add = (block, found) => {
      waiting.set(block, found);
      for (; waiting.has(next); next++) {
        sums = added(sums, waiting.get(next));
        waiting.delete(next);
      }
      told(sums);
    };
    await Promise.all(
      this.workers.map(async (worker) => {
        await worker.load(env, a, b, policy);
        while (given < blocks.length && run === this.run) {
          const block = given++;
          const found = await worker.play(seed, ...blocks[block]);
          if (run === this.run) add(block, found);
        }
      }),
    );
    return run === this.run;
  }
}
