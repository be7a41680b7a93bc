// A comparison that is being played: workers play blocks of pairs, added in the order of games.

import { workerAt } from "../calls.mjs";
import { NO_PAIRS, added } from "../measure.mjs";

const FIRST_BLOCK = 40; // pairs: an answer at once
const BLOCK = 250; // pairs that a worker plays at a time
const MOST_WORKERS = 4;
const FILE = new URL("../measure_worker.mjs", import.meta.url);

/** Blocks of pairs, [first, how many] each: a few small ones, then larger ones. */
export function blocksOf(pairs) {
  const blocks = [];
  for (let first = 0; first < pairs; ) {
    const n = Math.min(blocks.length < MOST_WORKERS ? FIRST_BLOCK : BLOCK, pairs - first);
    blocks.push([first, n]);
    first += n;
  }
  return blocks;
}

export class Measurement {
  constructor() {
    const cores = navigator.hardwareConcurrency ?? 2;
    this.workers = Array.from({ length: Math.max(1, Math.min(MOST_WORKERS, cores - 1)) }, () => workerAt(FILE));
    this.run = 0;
  }

  stop() {
    this.run += 1;
  }

  /**
   * Play `pairs` pairs of two variants; told(sums) after every block, in the order of games.
   * Another call, or `stop`, ends the one before.
   *   name: of the ruleset; a, b: {content, control, limit} -> promise: whether it was not stopped
   */
  async play({ name, a, b, policy = "greedy", seed, pairs }, told) {
    const run = ++this.run;
    const blocks = blocksOf(pairs);
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
        await worker.load(name, a, b, policy);
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
