// Plays the games of test_rules.py in WebAssembly, in node or in a browser.
import { Game, Planner, Rules } from "../../web/site/rules.mjs";

/**
 * The digests of games -> {digests, leaked}.
 *   about, module: of the rules, JSON and bytes
 *   scenarios: {content: base64, control}; cases: see games_of in test_rules.py
 */
export async function play(about, module, { scenarios, cases }) {
  const rules = new Rules(about, await WebAssembly.compile(module));
  const games = scenarios.map(({ content, control }) => new Game(rules, decoded(content), control));
  const before = rules.exports.live();
  const digests = [];
  for (const one of cases) digests.push(await digest(games[one.scenario], one));
  return { digests, leaked: rules.exports.live() - before };
}

function decoded(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const planners = new Map();

/** What chooses the actions of a case: a compiled policy, or a search. */
function chooser(game, { policy, simulations }) {
  if (policy) return () => game.choose(policy);
  if (!planners.has(simulations)) planners.set(simulations, new Planner(game.rules, simulations));
  return () => planners.get(simulations).choose(game);
}

/** [decisions, digest of everything seen on the way]. */
async function digest(game, one) {
  const seen = [];
  const see = (...parts) => seen.push(...parts.map((part) => part.slice()));
  game.reset(one.seed);
  let n = one.decisions;
  if (n === null) {
    see(game.state);
    n = game.rollout(one.policy, one.limit);
  } else {
    const choose = chooser(game, one);
    for (let k = 0; k < n; k++) {
      game.observe();
      see(game.state, game.mask(), game.observations.data);
      game.why();
      see(game.denials.data);
      const action = choose();
      see(new TextEncoder().encode(String(action)));
      game.step(action);
    }
  }
  see(game.state);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", joined(seen)));
  return [n, [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("")];
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
