// Plays the comparisons that a JSON file lists, with the module beside it -> their summaries.
//   node pairs.mjs SITE ENVIRONMENT COMPARISONS.json
import { readFileSync } from "node:fs";
import { blocksOf } from "../../web/site/edit/measurement.mjs";
import { NO_PAIRS, added, gameSeeds, summary } from "../../web/site/measure.mjs";
import { hasNetwork, readNetwork } from "../../web/site/network.mjs";
import { Pairs } from "../../web/site/pairs.mjs";
import { Rules } from "../../web/site/rules.mjs";

const [site, env, comparisons] = process.argv.slice(2);
const read = (name) => new Uint8Array(readFileSync(`${site}/${name}`));
const rules = await Rules.read(read, env);
const network = hasNetwork(env) ? await readNetwork(read, env) : null;
const side = ({ content, ...rest }) => ({ content: Buffer.from(content, "base64"), ...rest });

const found = JSON.parse(readFileSync(comparisons)).map(({ a, b, policy, seed, pairs }) => {
  const plays = policy === "greedy" ? policy : network;
  const players = new Pairs(rules, side(a), side(b), plays);
  const sums = blocksOf(pairs).map(([first, n]) => players.play(seed, first, n));
  const total = sums.reduce(added, NO_PAIRS);
  const watched = summary(total, 2 * pairs, players.alike); // as after half of them
  const seeds = gameSeeds(seed, 3, 6).map(String);
  return { ...summary(total, pairs, players.alike), watched, seeds };
});
console.log(JSON.stringify(found));
