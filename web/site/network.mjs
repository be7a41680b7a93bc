// The forward pass of a network that scores actions, packed as policies/planner.py does for the core.

/** Places in `sizes`, as core/scoring.py has them. */
const [N_COLUMNS, N_FEATURES, N_TRUNK, N_SCORER, N_GROUPS, COLUMNS] = [0, 1, 2, 3, 4, 5];

const NETWORKS = { "Agemonia-v0": "generalist" }; // by environment

/** Whether a network plays an environment. */
export const hasNetwork = (env) => env in NETWORKS;

/** The network of an environment; read: name of a file of the site -> its bytes. */
export async function readNetwork(read, env) {
  const name = NETWORKS[env];
  if (!name) throw new Error(`there is no network for ${env}`);
  const [about, weights] = await Promise.all([
    read(`weights/${name}.json`),
    read(`weights/${name}.bin`),
  ]);
  return new Network(JSON.parse(new TextDecoder().decode(about)), new Float32Array(weights.buffer));
}

export class Network {
  /** about: {side, weight, trust, sizes, scales}; weights: Float32Array of all layers. */
  constructor({ scales, ...packed }, weights) {
    const { sizes } = packed;
    if (sizes[N_GROUPS]) throw new Error("a network with groups cannot be read here");
    this.packed = { ...packed, weights };
    this.scales = scales;
    this.columns = sizes.slice(COLUMNS, COLUMNS + sizes[N_COLUMNS]);
    const widths = sizes.slice(COLUMNS + sizes[N_COLUMNS]);
    const trunk = widths.slice(0, sizes[N_TRUNK]);
    const scorer = widths.slice(sizes[N_TRUNK], sizes[N_TRUNK] + sizes[N_SCORER]);
    let at = 0;
    const layer = (inputs, outputs) => {
      const matrix = weights.subarray(at, at + inputs * outputs);
      const bias = weights.subarray(at + inputs * outputs, at + (inputs + 1) * outputs);
      at += (inputs + 1) * outputs;
      return { inputs, outputs, matrix, bias };
    };
    const chain = (first, outputs) => outputs.map((n, k) => layer(k ? outputs[k - 1] : first, n));
    this.trunk = chain(sizes[N_COLUMNS], trunk);
    this.policy = layer(trunk.at(-1), scorer[0]);
    this.scorer = chain(sizes[N_FEATURES], scorer);
  }

  /** Probabilities of the legal actions of a game, in the order of its mask. */
  probabilities(game) {
    const observed = game.observe();
    const codes = this.columns.map((column, k) => Math.round(observed[column] * this.scales[k]));
    let row = codes;
    for (const one of this.trunk) row = apply(one, row).map(Math.tanh);
    const position = apply(this.policy, row);
    const [features, width] = [game.features(), this.scorer[0].inputs];
    const legal = game.mask().reduce((n, allowed) => n + allowed, 0);
    const logits = Array.from({ length: legal }, (_, k) =>
      this.#score(features.subarray(k * width, (k + 1) * width), position),
    );
    const most = Math.max(...logits);
    const shares = logits.map((logit) => Math.exp(logit - most));
    const total = shares.reduce((a, b) => a + b, 0);
    return shares.map((share) => share / total);
  }

  /** The likeliest legal action of a game. */
  choose(game) {
    const shares = this.probabilities(game);
    let rest = shares.indexOf(Math.max(...shares));
    return game.mask().findIndex((legal) => legal && rest-- === 0);
  }

  #score(features, position) {
    const [first, ...others] = this.scorer;
    let row = apply(first, features).map((value, j) => Math.max(0, value + position[j]));
    others.forEach((one, k) => {
      row = apply(one, row);
      if (k < others.length - 1) row = row.map((value) => Math.max(0, value));
    });
    return row[0];
  }
}

/** A layer's outputs; inputs that are 0 are skipped, as most of them are. */
function apply({ outputs, matrix, bias }, row) {
  const sum = Float64Array.from(bias);
  row.forEach((value, i) => {
    if (value === 0) return;
    for (let j = 0, at = i * outputs; j < outputs; j++, at++) sum[j] += value * matrix[at];
  });
  return sum;
}
