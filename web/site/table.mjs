// A game on the table: the compiled rules play it, Python finds the words and draws the board.

import { startPython } from "./python.mjs";
import { ENVS, Game, Rules } from "./rules.mjs";

const FILES = "/page"; // where Python's files lie in its file system
const MODULES = ["pyodide.mjs", "pyodide.asm.mjs"];

export class Table {
  /**
   * read: name of a file of the site -> its bytes
   * python: {indexURL, module}: where Pyodide lies, and a function that imports a file of it
   */
  constructor(read, python) {
    this.read = read;
    this.where = python;
    this.rules = {};
    this.games = {};
    this.modules = {};
  }

  // ---- starting -------------------------------------------------------------------------------
  /** Start everything from the copy of Python's memory. */
  async start() {
    const [snapshot, packs, parts] = await Promise.all([
      this.read("python/snapshot.bin"),
      this.read("python/packs.zip"),
      this.#readPython(),
      this.#loadRules(),
    ]);
    await this.#startPython(parts, snapshot);
    this.#unpack(packs);
    this.ask("unpacked", FILES);
  }

  /** Start Python afresh, with all sources, and import and prepare everything: for a copy. */
  async prepare(sources) {
    await this.#loadRules();
    await this.#startPython(await this.#readPython(), null);
    this.#unpack(sources);
    this.python.runPython(`import sys; sys.path.insert(0, "${FILES}")`);
    this.ask("unpacked", FILES);
    this.ask("prepare");
    this.edit("prepare");
    for (const [env, { scenarios }] of Object.entries(this.choices())) {
      for (const scenario of Object.keys(scenarios)) this.open({ env, arguments: { scenario } });
    }
  }

  async #loadRules() {
    const all = await Promise.all(ENVS.map((env) => Rules.read(this.read, env)));
    ENVS.forEach((env, k) => (this.rules[env] = all[k]));
    globalThis.callRules = (env, name, given) => called(this.rules[env], name, given);
  }

  /** What Python consists of: its modules, and the bytes of pydantic's compiled part. */
  #readPython() {
    const modules = MODULES.map((name) => this.where.module(name));
    return Promise.all([this.read("python/pydantic_core.so"), ...modules]);
  }

  async #startPython([library, { loadPyodide }, { default: create }], snapshot) {
    const { indexURL } = this.where;
    this.python = await startPython(loadPyodide, create, { indexURL, library, snapshot });
  }

  #unpack(archive) {
    this.python.unpackArchive(archive, "zip", { extractDir: FILES });
  }

  /** Call a function of page.py; what it returns as JSON is parsed. */
  ask(name, ...given) {
    return this.#call("page", name, given);
  }

  /** Call a function of editing.py; arguments that are objects become JSON. */
  edit(name, ...given) {
    const isData = (one) => typeof one === "object" && !(one instanceof Uint8Array);
    return this.#call("editing", name, given.map((one) => (isData(one) ? JSON.stringify(one) : one)));
  }

  #call(module, name, given) {
    this.modules[module] ??= this.python.pyimport(module);
    try {
      const answer = this.modules[module][name](...given);
      return typeof answer === "string" ? JSON.parse(answer) : answer;
    } catch (error) {
      throw new Error(reason(error), { cause: error });
    }
  }

  // ---- playing --------------------------------------------------------------------------------
  choices() {
    return this.ask("choices");
  }

  /**
   * Put a scenario on the table and begin -> what to show.
   *   arguments: of the environment; seed: of the game, 0 to 2**63 - 1
   *   files: of an edited pack, by name, that replace or join those of the pack named
   */
  open({ env, arguments: given = {}, files, seed = 0 }) {
    const pack = files ? { pack: this.edit("unpacked", env, given.pack, files) } : {};
    this.about = this.ask("open_table", env, JSON.stringify({ ...given, ...pack }));
    const compiled = this.ask("content");
    this.compiled = compiled.toJs();
    compiled.destroy();
    this.setting = { env, arguments: given, ...(files && { files }), seed: String(seed) };
    const { control } = this.about;
    this.games[env] ??= new Game(this.rules[env], this.compiled, control, true);
    this.game = this.games[env];
    this.game.take(this.compiled, control);
    this.game.reset(seed);
    this.past = []; // of each decision: the state before it, the events that led there, the action
    return this.show();
  }

  /** What a page shows of the position. */
  show() {
    const { game } = this;
    const used = new Int16Array(game.rows.data.buffer, game.rows.address, 1)[0];
    const rows = game.rows.data.slice(0, 12 * used);
    const view = this.ask("show", game.state.slice(), game.mask().slice(), rows);
    return { ...this.about, ...view, setting: this.setting, decisions: this.past.length };
  }

  /** Take an action -> what to show. Throws with the reason if it is illegal. */
  act(action) {
    const { game } = this;
    const before = { state: game.state.slice(), rows: game.rows.data.slice(), action };
    const denial = game.step(action);
    if (denial) {
      game.rows.data.set(before.rows);
      throw new Error(this.ask("denial", denial));
    }
    this.past.push(before);
    return this.show();
  }

  /** Take the last decision back -> what to show. */
  undo() {
    const before = this.past.pop();
    if (before) {
      this.game.state.set(before.state);
      this.game.rows.data.set(before.rows);
    }
    return this.show();
  }

  /** Actions so far: with the setting, all that it takes to come back to this position. */
  save() {
    return { ...this.setting, actions: this.past.map(({ action }) => action) };
  }

  /** Play a saved game, which may be a stranger's, up to where it was -> what to show. */
  load(saved) {
    const view = this.open(saved);
    for (const [k, action] of saved.actions.entries()) {
      const { game } = this;
      this.past.push({ state: game.state.slice(), rows: game.rows.data.slice(), action });
      if (game.mask()[action] !== 1 || game.step(action)) {
        throw new Error(`decision ${k + 1} is illegal: it is of other rules or another scenario.`);
      }
    }
    return saved.actions.length ? this.show() : view;
  }

  // ---- asking ---------------------------------------------------------------------------------
  /** Illegal actions that would answer the question, each with `why`. */
  refused() {
    this.game.why();
    return this.ask("refused", this.game.state.slice(), this.game.denials.data.slice());
  }

  describe(action) {
    return this.ask("action_page", this.game.state.slice(), action);
  }

  /** Everything about a thing that the board marks. */
  look(thing) {
    return this.ask("thing_page", this.game.state.slice(), thing);
  }

  goal() {
    return this.ask("goal", this.game.state.slice());
  }

  pages() {
    return this.ask("pages", this.game.state.slice());
  }

  /** The position, for those who think about it: bytes of the state. */
  state() {
    return this.game.state.slice();
  }

  /** The bytes of the compiled scenario. */
  content() {
    return this.compiled;
  }

  /** The action that greedy play takes here. */
  greedy() {
    return this.game.choose("greedy");
  }
}

/**
 * Run an entry with arguments from Python: whole numbers, or [bytes, item size, shape] of an array
 * -> its whole number, and the bytes of the arrays afterwards; of walk_all the array that it returns.
 */
function called(rules, name, given) {
  const held = given.map((one, k) => {
    if (!Array.isArray(one)) return one;
    const [bytes, size, shape] = one;
    const memory = rules.lent(`${name} ${k}`, size, shape);
    memory.data.set(bytes);
    return memory;
  });
  if (name === "walk_all") return { number: 0, arrays: [rules.array(name, ...held)] };
  const number = rules.call(name, ...held);
  const memories = held.filter((one) => typeof one === "object");
  return { number, arrays: memories.map((memory) => memory.data.slice()) };
}

/** The last line of a Python traceback, without the name of its class. */
function reason(error) {
  const text = String(error.message ?? error);
  const at = text.search(/\n\S*(Error|Exception): /);
  return at < 0 ? text : text.slice(at).replace(/^\n\S*: /, "").trim();
}
