// Plays the games that a JSON file lists, with the module beside it -> their digests, as JSON.
//   node play.mjs RULES.json RULES.wasm GAMES.json
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Game, Planner, Rules } from "../../web/site/rules.mjs";

const [about, module, games] = process.argv.slice(2).map((path) => readFileSync(path));
const rules = await Rules.load(JSON.parse(about), module);
const { scenarios, cases } = JSON.parse(games);
const played = scenarios.map(({ content, control }) => {
  return new Game(rules, Buffer.from(content, "base64"), control);
});
const planners = new Map();

/** What chooses the actions of a case: a compiled policy, or a search. */
const chooser = (game, { policy, simulations }) => {
  if (policy) return () => game.choose(policy);
  if (!planners.has(simulations)) planners.set(simulations, new Planner(rules, simulations));
  return () => planners.get(simulations).choose(game);
};

function digest(one) {
  const game = played[one.scenario];
  const hash = createHash("sha256");
  game.reset(one.seed);
  if (one.decisions === null) {
    hash.update(game.state);
    const n = game.rollout(one.policy, one.limit);
    hash.update(game.state);
    return [n, hash.digest("hex")];
  }
  const choose = chooser(game, one);
  for (let k = 0; k < one.decisions; k++) {
    game.observe();
    for (const seen of [game.state, game.mask(), game.observations.data]) hash.update(seen);
    game.why();
    hash.update(game.denials.data);
    const action = choose();
    hash.update(String(action));
    game.step(action);
  }
  hash.update(game.state);
  return [one.decisions, hash.digest("hex")];
}

const before = rules.exports.live();
const digests = cases.map(digest);
console.log(JSON.stringify({ digests, leaked: rules.exports.live() - before }));
