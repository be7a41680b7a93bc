// The play page: a question, its options, and the board on which they lie.

import { workerAt } from "./calls.mjs";
import { Loading } from "./loading.mjs";
import { OPENING } from "./opening.mjs";
import { Board, Popup } from "./play/board.mjs";
import { openDialog, openHelp } from "./play/dialog.mjs";
import {
  drawEvents, drawNotice, drawQuestion, drawReasons, scrollToQuestion,
} from "./play/drawing.mjs";
import { byId, element, paragraphs } from "./play/elements.mjs";
import { listenToKeys } from "./play/keys.mjs";
import { Lookup } from "./play/lookup.mjs";
import {
  forgetGame, isEdited, isSameGame, keepSetting, leaveGame, leftGames, linkedGame, linkTo, rememberedGame, rememberGame,
  setting, takeUpGame,
} from "./play/memory.mjs";
import { anySeed, openNewGame } from "./play/new_game.mjs";
import { Options } from "./play/options.mjs";
import { Advisers } from "./play/advisers.mjs";

const HOVER = 450; // ms that a pointer rests before a reason pops up
const MOST_LOGGED = 120; // decisions whose events are kept
const NAMES = { greedy: "Greedy", network: "Network", planner: "Planner" };

class Play {
  constructor() {
    const loading = new Loading();
    this.table = workerAt(new URL("table_worker.mjs", import.meta.url), (bytes) => loading.show(bytes));
    this.started = this.table.start().finally(() => loading.end());
    this.started.catch((error) => {
      this.broken = true; // nothing can be decided: the notice stays
      this.failed(error);
    });
    this.advisers = new Advisers(this.table);
    this.names = {}; // of those who give hints, by environment
    this.log = []; // of each decision: {decisions, events}
    this.decided = Infinity; // how many decisions there were at the last one made here
    this.turn = 0; // counts what was begun, so that late answers are dropped
    this.busy = false;
    this.popup = new Popup(byId("popup"));
    this.board = new Board(
      { map: byId("map"), question: byId("drawn"), panel: byId("panel") },
      { pointed: (...told) => this.#pointed(...told), clicked: (...told) => this.#clicked(...told) },
    );
    this.options = new Options(byId("options"), {
      took: ({ action }) => this.take(action),
      pointed: (thing) => this.board.point(thing),
      described: (action) => this.#ready().then(() => this.table.describe(action)),
    });
    this.lookup = new Lookup(byId("lookup"), byId("search"), byId("found"), async () => {
      await this.#ready();
      return this.table.pages();
    });
    this.#listen();
  }

  // ---- beginning --------------------------------------------------------------------------------
  /** Show what is known at once; put it on the table when Python is there. */
  async start() {
    const opening = fetch(new URL("opening.json", import.meta.url)).then((answer) => answer.json());
    this.choices = opening.then(({ choices }) => choices);
    let saved = null;
    try {
      saved = linkedGame(location.hash);
    } catch (error) {
      this.#notice(error.message);
    }
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    const remembered = this.#rememberedBut(saved);
    if (remembered) this.log = remembered.log;
    saved ??= remembered?.saved ?? null;
    this.saved = { mine: saved?.arguments?.side ?? "hero", other: "cards", ...(saved ?? OPENING) };
    if (remembered) this.#tryToShow(remembered.view);
    else if (!saved) this.#show((await opening).view);
    this.loading = this.#load(this.saved, Boolean(saved));
    await this.loading;
    for (const env of Object.keys(await this.choices)) this.names[env] = await this.advisers.names(env);
    this.#drawSources();
  }

  /** The game that an earlier visit has kept; one that gives way to a linked one is left. */
  #rememberedBut(linked) {
    const game = rememberedGame();
    if (!game || !linked || isSameGame(game.saved, linked)) return game;
    if (leaveGame(game)) {
      const back = () => this.begin(game.saved).catch((error) => this.#notice(error.message));
      const text = "This is the game of a link. The one that you were playing is kept, see New game.";
      drawNotice(text, ["Back to it", back], ["Close", () => drawNotice("")]);
    }
    return null;
  }

  /** Show what an earlier visit has kept; an earlier version of this page may have kept it. */
  #tryToShow(view) {
    try {
      this.#show(view);
    } catch {
      this.log = []; // the game itself is shown when it has been played again
    }
  }

  async #load(saved, remembered) {
    try {
      await this.started;
    } catch {
      return; // said already
    }
    const turn = this.turn;
    try {
      const view = await this.table.load(saved);
      if (turn === this.turn) this.#arrived(view); // else a decision waits that was made meanwhile
    } catch (error) {
      if (!remembered) return this.failed(error);
      this.#notice(`The saved game cannot go on: ${error.message} Here is another one.`);
      await this.#begin({ ...OPENING, mine: "hero", other: "cards" });
    }
  }

  /** Put a game on the table. Throws with the reason if it cannot be played. */
  async #begin(saved) {
    const view = await this.table.load(saved);
    this.turn += 1;
    this.saved = saved;
    this.log = [];
    this.decided = -1;
    this.advisers.forget();
    this.#arrived(view);
  }

  /** Begin another game, or go on with one that was left. Throws with the reason if it cannot be played. */
  async begin(saved) {
    await this.#ready();
    const before = { saved: this.saved, view: this.view };
    try {
      await this.#begin(saved);
    } catch (error) {
      await this.table.load(before.saved); // it may have come half way
      throw error;
    }
    leaveGame(before);
    takeUpGame(saved);
    drawNotice("");
  }

  async #ready() {
    await this.started;
    await this.loading;
  }

  // ---- deciding ---------------------------------------------------------------------------------
  /** Take an action, if the game waits for one. */
  async take(action) {
    if (this.busy || this.#theirs(this.view)) return;
    this.#welcomed();
    this.decided = this.view.decisions;
    await this.#act(() => this.table.act(action));
  }

  /** Take back the last decision of whoever plays here. */
  async undo() {
    if (this.busy && !this.#theirs(this.view)) return;
    await this.#act(async (isWaitedFor) => {
      let view = await this.table.undo();
      while (view.decisions > 0 && this.#theirs(view) && isWaitedFor()) view = await this.table.undo();
      return view;
    });
  }

  /** The same game from its beginning, or with another seed. */
  async again(seed = this.saved.seed) {
    await this.#act(async () => {
      leaveGame(this);
      this.saved = { ...this.saved, seed, actions: [] };
      this.advisers.forget();
      return this.table.load(this.saved);
    });
  }

  /**
   * Do something at the table; whatever was going on is no longer waited for.
   *   step(isWaitedFor) -> promise of a view; isWaitedFor(): whether nothing else was begun since
   */
  async #act(step) {
    const turn = ++this.turn;
    this.#setBusy(true);
    this.popup.hide();
    try {
      await this.#ready();
      if (turn !== this.turn) return;
      const view = await step(() => turn === this.turn);
      if (turn === this.turn) this.#arrived(view);
    } catch (error) {
      if (turn !== this.turn) return;
      this.#setBusy(false);
      if (!this.broken) this.#notice(error.message);
    }
  }

  /** Whether the side that decides is played by somebody else. */
  #theirs({ over, side }) {
    const { mine, other } = this.saved;
    return !over && (other === "network" || other === "planner") && mine !== "both" && side !== mine;
  }

  /** A position is on the table. */
  #arrived(view) {
    this.#setBusy(false);
    this.#record(view);
    this.#show(view);
    this.#remember();
    this.#announce(view);
    if (this.#theirs(view)) this.#letThemDecide(view);
    else this.#askWhyNot();
  }

  async #letThemDecide(view) {
    await this.#act(async (isWaitedFor) => {
      const { best } = await this.advisers.ask(this.saved.other, view);
      return isWaitedFor() ? this.table.act(best) : null;
    });
  }

  #record({ decisions, events }) {
    this.log = this.log.filter((one) => one.decisions < decisions).slice(-MOST_LOGGED);
    this.log.push({ decisions, events });
  }

  async #remember() {
    const { mine, other } = this.saved;
    const turn = this.turn;
    const saved = { ...(await this.table.save()), mine, other };
    if (turn !== this.turn) return;
    this.saved = saved;
    rememberGame({ saved, view: this.view, log: this.log });
  }

  // ---- showing ----------------------------------------------------------------------------------
  #show(view) {
    this.view = view;
    this.hints = [];
    this.asked = new Set(); // who thinks about a hint
    this.reasons = null;
    this.narrowed = "";
    this.popup.hide();
    const focused = byId("options").contains(document.activeElement);
    this.board.show(view);
    const since = Math.min(this.decided, view.decisions - 1); // less after Undo
    const later = this.log.filter(({ decisions }) => decisions > since);
    const events = later.length ? later.flatMap((one) => one.events) : view.events;
    drawQuestion({ ...view, events }, this.#theirs(view), this.saved.mine);
    this.#drawOptions();
    drawEvents(this.log, since);
    drawReasons([]); // until they are known
    byId("goal").replaceChildren(...paragraphs(view.goal).slice(1)); // the name is above
    byId("text").textContent = view.text;
    this.lookup.forget();
    this.#drawSources();
    const main = document.querySelector("main");
    main.setAttribute("aria-busy", "false");
    main.dataset.decisions = view.decisions;
    performance.mark("shown");
    document.title = `${view.scenario} - agemonia_env`;
    byId("brand").textContent = view.scenario + (isEdited(this.saved) ? " (edited)" : "");
    byId("undo").disabled = view.decisions === 0;
    scrollToQuestion();
    if (focused) (this.options.buttons()[0] ?? byId("question")).focus({ preventScroll: true });
  }

  #drawOptions() {
    const { options, over } = this.view;
    const theirs = this.#theirs(this.view);
    const shown = this.narrowed ? options.filter(({ thing }) => thing === this.narrowed) : options;
    this.options.show(over ? [] : shown, options);
    this.options.place.classList.toggle("waiting", theirs);
    this.board.light(theirs ? new Map() : this.options.things());
    this.options.mark(this.hints);
    if (over) this.options.place.replaceChildren(...this.#afterTheEnd());
    const all = element("button", { type: "button", click: () => this.narrow("") }, "Show all options");
    byId("narrowed").replaceChildren("Only what names this place or figure. ", all);
    byId("narrowed").hidden = !this.narrowed;
    byId("hand").hidden = theirs || this.options.things().size === 0;
  }

  #afterTheEnd() {
    const choices = [
      ["Play it again with other dice and cards", () => this.again(anySeed())],
      ["Take the last decision back", () => this.undo()],
      ["Choose another game", () => this.newGame()],
    ];
    return choices.map(([text, click]) => {
      return element("li", {}, element("button", { type: "button", class: "option", click }, text));
    });
  }

  #sources() {
    return this.names[this.view?.env] ?? ["greedy"];
  }

  #drawSources() {
    const focused = byId("sources").querySelector(":focus")?.dataset.source;
    const asked = new Set(this.hints.map(({ source }) => source));
    const buttons = this.#sources().map((source) =>
      element(
        "button",
        { type: "button", "aria-pressed": String(asked.has(source)), "data-source": source, click: () => this.hint(source) },
        NAMES[source],
      ),
    );
    byId("sources").replaceChildren(...buttons);
    buttons.find((button) => button.dataset.source === focused)?.focus({ preventScroll: true });
    byId("hinted").textContent = this.hints.map(({ about }) => about).join(" ");
    document.querySelector(".hints").hidden = !this.view || this.view.over || this.#theirs(this.view);
  }

  #setBusy(on) {
    this.busy = on;
    document.querySelector("main").setAttribute("aria-busy", String(on));
  }

  #announce({ events, question, over, ending }) {
    byId("live").textContent = [...events.map((event) => `${event}.`), over ? ending : question].join(" ");
  }

  // ---- hints ------------------------------------------------------------------------------------
  /** Ask somebody what to do here, or take the answer away again. */
  async hint(source) {
    if (this.busy || !this.view || this.view.over || !this.#sources().includes(source)) return;
    const others = this.hints.filter((hint) => hint.source !== source);
    if (others.length < this.hints.length) this.#mark(others);
    else if (!this.asked.has(source)) await this.#ask(source);
  }

  async #ask(source) {
    const { turn, asked } = this;
    asked.add(source);
    byId("hinted").textContent = `${NAMES[source]} thinks ...`;
    try {
      await this.#ready();
      const hint = await this.advisers.ask(source, this.view);
      if (turn === this.turn) this.#mark([...this.hints, { source, name: NAMES[source], ...hint }]);
    } catch (error) {
      const text = `${NAMES[source]} has no hint here: ${error.message}`;
      if (turn === this.turn) byId("hinted").textContent = text;
    }
    asked.delete(source);
  }

  #mark(hints) {
    this.hints = hints;
    this.options.mark(hints);
    this.#drawSources();
  }

  // ---- why not ----------------------------------------------------------------------------------
  async #askWhyNot() {
    const turn = this.turn;
    const reasons = this.view.over ? [] : await this.table.refused();
    if (turn !== this.turn) return;
    this.reasons = reasons;
    drawReasons(reasons, (thing) => this.board.point(thing));
  }

  /** Say what a thing is, and why it cannot be chosen. */
  async #explain(thing, at) {
    this.popup.hide();
    this.popup.about = thing;
    const why = this.reasons?.find((reason) => reason.thing === thing);
    const reason = why ? `${why.text}: ${why.why}` : this.view.not_asked;
    const content = this.view.over ? [] : [element("p", { class: "why" }, reason)];
    await this.#ready();
    const page = await this.table.look(thing);
    if (this.popup.about === thing) this.popup.show(at, ...content, ...paragraphs(page));
  }

  // ---- the board --------------------------------------------------------------------------------
  #pointed(thing, { clientX, clientY, pointerType }) {
    if (pointerType !== "mouse" || thing === this.under) return;
    this.under = thing;
    clearTimeout(this.resting);
    const lit = this.board.lit.has(thing);
    this.board.point(thing);
    this.options.point(lit ? thing : "");
    byId("map").classList.toggle("hand", lit);
    if (thing !== this.popup.about) this.popup.hide();
    if (thing && !lit) {
      this.resting = setTimeout(() => this.#explain(thing, { x: clientX, y: clientY }), HOVER);
    }
  }

  #clicked(thing, { clientX, clientY }) {
    clearTimeout(this.resting);
    if (!thing || !this.view || this.#theirs(this.view)) return;
    const options = this.view.options.filter((option) => option.thing === thing);
    if (options.length === 1) this.take(options[0].action);
    else if (options.length > 1) this.narrow(thing);
    else this.#explain(thing, { x: clientX, y: clientY });
  }

  /** Show only the options that name a thing; "" = all. */
  narrow(thing) {
    this.narrowed = thing;
    this.#drawOptions();
    this.options.move(1); // to the first one: what had the focus is gone
  }

  // ---- controls ---------------------------------------------------------------------------------
  #listen() {
    const on = (id, does) => byId(id).addEventListener("click", does);
    on("undo", () => this.undo());
    on("restart", () => this.again());
    on("reseed", () => this.again(anySeed()));
    on("new", () => this.newGame());
    on("share", () => this.share());
    on("help", () => this.help());
    on("zoom", () => this.zoom());
    document.addEventListener("pointerdown", ({ target }) => {
      if (!target.closest("#popup, .picture")) this.popup.hide();
    });
    addEventListener("hashchange", () => location.hash.startsWith("#game=") && location.reload());
    listenToKeys(this);
    this.#welcome();
  }

  #welcome() {
    const place = byId("welcome");
    place.hidden = setting("welcomed", false);
    place.replaceChildren(
      element("p", {}, "You lead a party against the enemies on the board. The game asks; you pick an option below, or click what it names on the board."),
      element("button", { type: "button", click: () => this.#welcomed() }, "Got it"),
    );
  }

  /** Somebody who has decided once needs no welcome any more. */
  #welcomed() {
    if (byId("welcome").hidden) return;
    byId("welcome").hidden = true;
    keepSetting("welcomed", true);
  }

  zoom() {
    const large = byId("map").classList.toggle("large");
    byId("zoom").setAttribute("aria-pressed", String(large));
    byId("zoom").textContent = large ? "Fit" : "Larger";
    this.board.reveal();
  }

  async newGame() {
    try {
      const { saved, names } = this;
      const begin = (one) => this.begin(one);
      openNewGame({ choices: await this.choices, saved, names, left: leftGames(), begin });
    } catch (error) {
      this.failed(error);
    }
  }

  help() {
    openHelp({ on: setting("keys", true), change: (on) => keepSetting("keys", on) });
  }

  async share() {
    const address = linkTo(this.saved);
    const field = element("input", { class: "address", readonly: true, value: address, "aria-label": "Link" });
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    openDialog(
      "Link to this position",
      element("p", {}, copied ? "The link is copied. " : "", "Whoever opens it sees the same game at the same decision."),
      field,
    );
    field.select();
  }

  // ---- trouble ----------------------------------------------------------------------------------
  #notice(text) {
    drawNotice(text, ["Close", () => drawNotice("")]);
  }

  /** The page cannot go on: say why, and offer a fresh start. */
  failed(error) {
    this.#setBusy(false);
    const again = () => location.reload();
    const fresh = () => {
      const game = rememberedGame();
      if (game) leaveGame(game);
      forgetGame();
      location.reload();
    };
    const text = `The game could not be set up: ${error.message} `;
    drawNotice(text, ["Try again", again], ["Start a new game", fresh]);
    if (!this.view) byId("question").textContent = "The table is empty.";
  }
}

const play = new Play();
play.start().catch((error) => play.failed(error));
