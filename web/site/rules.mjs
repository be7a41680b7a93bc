// The compiled rules of one ruleset: build_rules.py's module, called with numba's convention.
//
// An entry takes a place for its result, one for an error, and its arguments: whole numbers as
// BigInt, an array as its record (owner, parent, items, bytes an item, address, shape, strides).

const NAMES = { "Agemonia-v0": "agemonia", "HexDungeon-v0": "hexdungeon" };

export const ENVS = Object.keys(NAMES);

/** Memory of the module that holds an array of numbers or records, C-contiguous. */
export class Memory {
  constructor(rules, bytes, ...shape) {
    const items = shape.reduce((a, b) => a * b, 1);
    this.rules = rules;
    this.bytes = bytes;
    this.length = items * bytes;
    this.address = rules.exports.room(Math.max(8, this.length));
    this.shaped = this.#record(shape);
  }

  /** The same memory as bytes in rows, one for each record: what `raw` arguments take. */
  get rows() {
    return { shaped: this.#record([this.length / this.bytes, this.bytes], 1) };
  }

  #record(shape, bytes = this.bytes) {
    const strides = [];
    let step = bytes;
    for (const size of [...shape].reverse()) {
      strides.unshift(step);
      step *= size;
    }
    const items = shape.reduce((a, b) => a * b, 1);
    return [0, 0, ...[items, bytes].map(BigInt), this.address, ...[...shape, ...strides].map(BigInt)];
  }

  /** A view of the memory as one of JavaScript's typed arrays; growing memory invalidates it. */
  as(Kind) {
    return new Kind(this.rules.exports.memory.buffer, this.address, this.length / Kind.BYTES_PER_ELEMENT);
  }

  get data() {
    return this.as(Uint8Array);
  }
}

export class Rules {
  /** about: the module's JSON file; module: a compiled WebAssembly.Module. */
  constructor(about, module) {
    this.about = about;
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.result = new Memory(this, 8, 6);
    this.error = new Memory(this, 8, 1);
    this.loans = new Map();
  }

  /** The rules of an environment; read: name of a file of the site -> its bytes. */
  static async read(read, env) {
    return new Rules(...(await readRules(read, env)));
  }

  /** Call an entry -> its whole number, if it returns one. Throws if it fails. */
  call(name, ...given) {
    const kinds = this.about.entries[name];
    if (kinds === undefined) throw new Error(`${name}: no such entry`);
    if (given.length !== kinds.length) {
      throw new Error(`${name}: takes ${kinds.length} arguments, not ${given.length}`);
    }
    const words = given.flatMap((value, i) => flattened(value, kinds[i]));
    const status = this.exports[name](this.result.address, this.error.address, ...words);
    if (status !== 0 && status !== -2) throw new Error(`${name}: failed with status ${status}`);
    return Number(this.result.as(BigInt64Array)[0]);
  }

  /** Call an entry that returns a new array of int64 -> a copy of it. */
  array(name, ...given) {
    this.call(name, ...given);
    const { buffer } = this.exports.memory;
    const [owner, , , , , , data] = new Uint32Array(buffer, this.result.address, 7);
    const [, items] = new BigInt64Array(buffer, this.result.address, 2);
    const copy = new BigInt64Array(buffer, data, Number(items)).slice();
    this.exports.release(owner);
    return copy;
  }

  /** Memory for a purpose, the same one whenever it is asked for in this size: none is given back. */
  lent(purpose, bytes, shape) {
    const key = `${purpose} ${bytes} ${shape}`;
    if (!this.loans.has(key)) this.loans.set(key, new Memory(this, bytes, ...shape));
    return this.loans.get(key);
  }

  /** A function (memory, k) that reads the numbers of record k of a layout. */
  reader(layout) {
    const { size, fields } = this.about.layouts[layout];
    const read = { f8: "getFloat64", i4: "getInt32", i8: "getBigInt64" };
    return (memory, k) => {
      const view = new DataView(this.exports.memory.buffer, memory.address + k * size, size);
      const parts = Object.entries(fields).filter(([, [, kind]]) => kind in read);
      return Object.fromEntries(parts.map(([name, [at, kind]]) => [name, view[read[kind]](at, true)]));
    };
  }

  /** Memory for n records of a layout. */
  records(layout, n) {
    return new Memory(this, this.about.layouts[layout].size, n);
  }
}

/** What the rules of an environment are made of: [about, module]. */
export async function readRules(read, env) {
  const name = NAMES[env];
  const [about, bytes] = await Promise.all([read(`rules/${name}.json`), read(`rules/${name}.wasm`)]);
  return [JSON.parse(new TextDecoder().decode(about)), await WebAssembly.compile(bytes)];
}

function flattened(value, kind) {
  if (Array.isArray(kind)) return kind.flatMap((part, i) => flattened(value[i], part));
  if (kind === "i") return [BigInt(value)];
  if (kind === "f") return [Number(value)];
  return value.shaped;
}

// ---- one game --------------------------------------------------------------------------------
const MOST_ROWS = 1024; // of an event log, as core/event_log.py has

/** One game of a scenario: what pages and workers hold. */
export class Game {
  /** content: the bytes of a compiled scenario; log: whether to keep the events of each step. */
  constructor(rules, content, control, log = false) {
    const { N_ACTIONS, N_OBSERVATION } = rules.about.sizes;
    this.rules = rules;
    this.states = rules.records("STATE", 1);
    this.contents = rules.records("CONTENT", 1);
    this.take(content, control);
    this.which = new Memory(rules, 2, 1);
    this.seeds = new Memory(rules, 8, 1);
    this.select = new Memory(rules, 1, 1);
    this.actions = new Memory(rules, 8, 1);
    this.refused = new Memory(rules, 2, 1);
    this.masks = new Memory(rules, 1, 1, N_ACTIONS);
    this.denials = new Memory(rules, 2, N_ACTIONS);
    this.observations = new Memory(rules, 4, 1, N_OBSERVATION);
    this.noRows = new Memory(rules, 2, 0, 6);
    this.rows = log ? new Memory(rules, 2, MOST_ROWS, 6) : this.noRows;
    this.nothing = new Memory(rules, 8, 0);
    this.where = [this.states, this.contents, this.which];
    this.select.data[0] = 1;
  }

  /** Take up another scenario, in the same memory: none is given back. */
  take(content, control) {
    this.contents.data.set(content);
    this.control = control;
  }

  get state() {
    return this.states.data;
  }

  /** Empty the event log; its first row counts rows used and rows lost. */
  #clear() {
    if (this.rows !== this.noRows) this.rows.as(Int16Array).set([1, 0]);
  }

  reset(seed) {
    this.#clear();
    this.state.fill(0);
    this.seeds.as(BigUint64Array)[0] = BigInt(seed);
    this.rules.call("reset", ...this.where, this.seeds, this.select, this.control, this.rows);
  }

  /** Apply an action -> the number of the reason if it is refused, else 0; clear: the log first. */
  step(action, clear = true) {
    if (clear) this.#clear();
    this.actions.as(BigInt64Array)[0] = BigInt(action);
    this.rules.call("step", ...this.where, this.actions, this.control, this.rows, this.refused);
    return this.refused.as(Int16Array)[0];
  }

  /** Which actions are legal: bytes 0 and 1. */
  mask() {
    this.rules.call("write_masks", ...this.where, this.masks);
    return this.masks.data;
  }

  /** The number of the reason why each action is refused; 0 = legal. */
  why() {
    this.rules.call("write_denials", ...this.where, 0, this.denials);
    return this.denials.as(Int16Array);
  }

  /** Features of the legal actions, int8: a row for each 1 of the mask. */
  features() {
    const { N_ACTIONS, N_ACTION_FEATURES } = this.rules.about.sizes;
    this.rows8 ??= new Memory(this.rules, 1, N_ACTIONS, N_ACTION_FEATURES);
    this.firsts ??= new Memory(this.rules, 8, 1);
    const places = [this.masks, this.firsts, this.rows8];
    this.mask();
    this.rules.call("write_action_features", ...this.where, ...places);
    return this.rows8.as(Int8Array);
  }

  observe() {
    this.rules.call("write_observations", ...this.where, this.observations);
    return this.observations.as(Float32Array);
  }

  /** The action of a compiled policy, by name. */
  choose(policy) {
    this.rules.call("choose_actions", ...this.where, this.rules.about.policies[policy], this.actions);
    return Number(this.actions.as(BigInt64Array)[0]);
  }

  /** Play to the end, or for `limit` decisions -> decisions played. */
  rollout(policy, limit) {
    const number = this.rules.about.policies[policy];
    return this.rules.call("rollout", ...this.where, number, this.control, limit, this.nothing);
  }
}

// ---- a search --------------------------------------------------------------------------------
const NO_NETWORK = { side: 0, weight: 0, trust: 0, sizes: [], weights: [] };

/** The planner: up to `simulations` for a decision, as policies/planner.py runs it on one thread. */
export class Planner {
  /** network: packed as policies/planner.py does; its arrays may be plain ones. */
  constructor(rules, simulations, network = NO_NETWORK) {
    const { LANDED, MOST_LAG, PER_LAG } = rules.about.search;
    this.rules = rules;
    this.copies = rules.records("STATE", 2);
    this.nodes = rules.records("NODE", simulations + 1);
    this.edges = rules.records("EDGE", simulations);
    const lag = Math.min(MOST_LAG, 1 + Math.floor(simulations / PER_LAG));
    this.flights = rules.records("FLIGHT", lag);
    this.counts = new Memory(rules, 8, LANDED + lag);
    const sizes = new Memory(rules, 8, network.sizes.length);
    const weights = new Memory(rules, 4, network.weights.length);
    sizes.as(BigInt64Array).set(Array.from(network.sizes, BigInt));
    weights.as(Float32Array).set(network.weights);
    this.network = [network.side, network.weight, network.trust, sizes, weights];
  }

  /** Search -> the action chosen. */
  choose(game) {
    const { TURN, NOT_READY } = this.rules.about.search;
    const counts = this.counts.as(BigInt64Array);
    counts.fill(0n);
    counts[TURN] = BigInt(NOT_READY);
    const { states, contents, which, actions } = game;
    const tree = [this.nodes, this.edges, this.flights, this.counts];
    const copies = [this.copies, this.copies.rows];
    const games = [states, states.rows, contents, which, 0];
    this.rules.call("plan", ...games, ...copies, ...tree, this.network, actions, 0);
    return Number(actions.as(BigInt64Array)[0]);
  }

  /** Search -> the action chosen, and visits and mean value of each one tried: the chance to win. */
  search(game) {
    const action = this.choose(game);
    const [nodes, edges] = ["NODE", "EDGE"].map((layout) => this.rules.reader(layout));
    const options = [];
    const searched = this.counts.as(BigInt64Array)[this.rules.about.search.LIMIT] !== 0n;
    let at = searched ? nodes(this.nodes, 0).edge : -1;
    while (at >= 0) {
      const edge = edges(this.edges, at);
      options.push({ action: edge.action, visits: edge.visits, value: edge.total / edge.visits });
      at = edge.sibling;
    }
    return { action, options: options.filter(({ visits }) => visits > 0) };
  }
}
