// The editor: open a pack, change its cards, and see at once what that does to the game.

import { workerAt } from "./calls.mjs";
import { CardList } from "./edit/card_list.mjs";
import { Edits, same } from "./edit/edits.mjs";
import { EXAMPLES } from "./edit/examples.mjs";
import { isArchive, openFile, openSave } from "./edit/exchange.mjs";
import { Form } from "./edit/form.mjs";
import { namesOf } from "./edit/names.mjs";
import { MapEditor } from "./edit/map_editor.mjs";
import { MeasurePanel } from "./edit/measure_panel.mjs";
import { keep, keptOf, keptOwn, lastKept, whenKeptElsewhere } from "./edit/keeping.mjs";
import { redraw } from "./edit/redraw.mjs";
import { bytesOf } from "./files.mjs";
import { Loading } from "./loading.mjs";
import { byId, element } from "./play/elements.mjs";
import { linkTo } from "./play/memory.mjs";

const CALM = 250; // milliseconds without a change after which the pack is checked
const PACKS = [
  { env: "Agemonia-v0", pack: "core", title: "Core" },
  { env: "HexDungeon-v0", pack: "hex-core", title: "Hex Core" },
];
const FIRST = {
  "Agemonia-v0": ["enemies/reedling", "ford"],
  "HexDungeon-v0": ["monsters/kiln-rat", "warm-cellar"],
};

class Editor {
  constructor() {
    this.loading = new Loading();
    const heard = (bytes) => this.loading.show(bytes);
    this.table = workerAt(new URL("table_worker.mjs", import.meta.url), heard);
    this.list = new CardList(byId("cards"), byId("search"), (card) => this.show(card, true));
    this.measure = new MeasurePanel(byId("measure"), {
      chosen: () => this.check(),
      glance: (text) => byId("glance").replaceChildren(text),
    });
    this.intro = [...byId("intro").childNodes];
    this.mistakes = [];
    this.schemas = {};
  }

  // ---- opening --------------------------------------------------------------------------------
  async start() {
    await this.table.start().finally(() => this.loading.end());
    this.choices = await this.table.choices();
    this.#buttons();
    whenKeptElsewhere(() => this.#follow());
    addEventListener("hashchange", () => this.#address().catch(tell));
    if (await this.#address()) return;
    const left = lastKept();
    try {
      await this.open(left?.pack ?? PACKS[0], left);
    } catch (error) {
      await this.open(PACKS[0], keptOf(PACKS[0]));
      say(`The pack that was open last does not open: ${error.message}`);
    }
  }

  /** Take over what another tab has changed in the open pack; Undo takes it back. */
  #follow() {
    const { pack, cards } = this.edits ?? {};
    const there = pack && keptOf(pack);
    if (!there || !same(there.pack, pack) || same(there.cards, cards)) return;
    this.#do(() => this.edits.become(there.cards));
  }

  /** Open what the address asks for -> whether it asks for anything. */
  async #address() {
    const name = new URLSearchParams(location.hash.slice(1)).get("example");
    const example = EXAMPLES[name];
    if (!example) return false;
    const { env, pack, patch, card, scenario } = example;
    const { cards } = await this.table.edit(
      "read_patch",
      { env, pack, cards: {} },
      JSON.stringify({ changes: patch }),
    );
    this.measure.values = { ...this.measure.values, scenario, ...example.games };
    await this.open({ env, pack }, { ...keptOf({ env, pack }), card }, { cards, about: example });
    history.replaceState(null, "", location.pathname + location.search); // a reload keeps what was changed since
    return true;
  }

  /**
   * Open a pack as it was left: its edited cards, and the card that was shown.
   *   cards: put in the place of those edited, which Undo brings back; about: of an example
   */
  async open({ env, pack, files }, left = {}, { cards = null, about = null } = {}) {
    const own = { env, pack, ...(files && { files }) };
    const opened = await this.table.edit("open_pack", { ...own, cards: {} });
    this.schemas[env] ??= await this.table.edit("schemas", env);
    this.edits = new Edits(own, opened, left.cards);
    if (cards) this.edits.become(cards);
    this.unchanged = new Map(); // compiled content of games of the pack as it was opened
    this.about = about;
    this.mistakes = [];
    this.#offerPacks();
    this.#offerGames();
    byId("notice").hidden = true;
    this.show(left.card && this.edits.value(left.card) ? left.card : this.#firstCard());
    this.check();
  }

  /** The card to begin with. */
  #firstCard() {
    const { env } = this.edits.pack;
    const cards = Object.keys(this.edits.opened.cards);
    return cards.find((card) => card === FIRST[env][0]) ?? cards[0];
  }

  #offerPacks() {
    const { env, pack, files } = this.edits.pack;
    if (files) this.own = { ...this.edits.pack, title: `${this.edits.opened.title} (yours)` };
    else if (keptOwn()) this.own ??= { ...keptOwn().pack, title: "Yours" };
    const packs = [...PACKS, ...(this.own ? [this.own] : [])];
    const isOpen = (one) =>
      one.env === env && one.pack === pack && Boolean(one.files) === Boolean(files);
    byId("pack").replaceChildren(
      ...packs.map((one) => element("option", { selected: isOpen(one) }, one.title)),
    );
    byId("pack").onchange = ({ target }) => {
      const chosen = packs[target.selectedIndex];
      this.open(chosen, keptOf(chosen)).catch(tell);
    };
  }

  #scenarios() {
    return this.edits.list().filter(({ folder }) => folder === "scenarios");
  }

  #offerGames() {
    const { env } = this.edits.pack;
    const scenarios = this.#scenarios();
    this.offered = scenarios.length;
    this.measure.offer({
      env,
      scenarios: scenarios.map(({ key, title }) => [key, title]),
      choices: this.choices[env],
      scenario: FIRST[env][1],
    });
  }

  // ---- showing --------------------------------------------------------------------------------
  /** Show a card; focus: go to its title. */
  show(card, focus = false) {
    this.card = card;
    const [folder] = card.split("/");
    const schemas = this.schemas[this.edits.pack.env];
    const schema = schemas[card] ?? schemas[folder];
    const own = {};
    if (schema.$defs?.DrawnMap && folder === "scenarios") {
      const map = new MapEditor(this.edits, card, () => this.changed());
      own.map = (form) => map.draw(form);
    }
    const names = (what) => namesOf(what, this.edits, card);
    this.form = new Form(schema, card, this.edits, { names, changed: () => this.changed(), own });
    this.view("card");
    byId("intro").hidden = this.edits.changedCards().length > 0 && !this.about; // while it is shown, nothing moves
    byId("intro").replaceChildren(...(this.about ? [this.about.text] : this.intro));
    this.draw();
    if (folder === "scenarios" && this.measure.choose(card.split("/")[1])) this.check();
    if (focus) {
      scrollTo(0, 0);
      byId("card-title").focus({ preventScroll: true });
    }
  }

  draw() {
    const { edits, card } = this;
    if (!edits.value(card)) return this.show(this.#firstCard());
    if (this.#scenarios().length !== this.offered) this.#offerGames();
    const { title, folder } = edits.list().find((one) => one.card === card);
    byId("card-title").replaceChildren(title, " ", element("span", { class: "faint" }, folder));
    byId("card-tools").replaceChildren(...this.#cardTools());
    this.form.draw(byId("form"), this.mistakes);
    this.list.draw(edits, card, this.mistakes);
    this.#drawMistakes();
    this.#drawChanges();
    keep({ pack: edits.pack, cards: edits.cards, card });
    byId("undo").disabled = !edits.past.length;
    byId("redo").disabled = !edits.future.length;
  }

  #cardTools() {
    const { edits, card } = this;
    const click = () => this.#do(() => edits.takeBack(card));
    const back = element(
      "button",
      { type: "button", class: "small", disabled: !edits.isChanged(card), click },
      edits.old(card) ? "Take all changes back" : "Take this card out",
    );
    const copy = element(
      "button",
      { type: "button", class: "small", click: () => this.#copy() },
      "Copy as a new card",
    );
    return [
      back,
      ...(card.includes("/") && !card.startsWith("decks/") ? [copy] : []),
    ];
  }

  /** A copy of the card with a key and a name of its own. */
  #copy() {
    const [folder, key] = this.card.split("/");
    let n = 2;
    while (this.edits.value(`${folder}/${key}-${n}`)) n++;
    const value = this.edits.value(this.card);
    const name = value.name ? { name: `${value.name} ${n}`.slice(-40) } : {};
    const card = `${folder}/${key}-${n}`;
    this.#do(() => this.edits.add(card, { ...value, ...name }), card);
  }

  #drawMistakes() {
    const { mistakes } = this;
    const item = (one) => {
      const where = one.card ? [one.card, ...one.place].join(" › ") : "";
      const go = () => this.#jump(one);
      const link = element("button", { type: "button", class: "link", click: go }, where);
      return element("li", {}, one.card ? link : "", ` ${one.text}`);
    };
    const title = mistakes.length === 1 ? "One mistake" : `${mistakes.length} mistakes`;
    const list = element("ul", {}, ...mistakes.map(item));
    const box = element("div", { class: "mistakes" }, element("strong", {}, title), list);
    redraw(byId("mistakes"), element("div", {}, mistakes.length ? box : null));
  }

  /** Go to the field of a mistake, or to what is around it. */
  #jump({ card, place }) {
    if (card !== this.card && this.edits.value(card)) this.show(card);
    this.form.reveal(place);
  }

  #drawChanges() {
    const { edits } = this;
    const row = (card) => {
      const { title, isNew } = edits.list().find((one) => one.card === card);
      const open = element(
        "button",
        { type: "button", class: "link", "data-of": card, click: () => this.show(card, true) },
        title,
      );
      const back = element(
        "button",
        {
          type: "button",
          class: "small",
          "data-of": card,
          click: () => this.#do(() => edits.takeBack(card)),
          "aria-label": `Take the changes of ${title} back`,
        },
        "Take back",
      );
      const lines = (this.lines ?? [])
        .filter((line) => line.startsWith(`${card.replace("/", ".")}.`))
        .map((line) => line.slice(card.length + 1));
      return element(
        "li",
        {},
        open,
        isNew ? " (new)" : "",
        " ",
        back,
        ...lines.map((line) => element("code", {}, line)),
      );
    };
    const cards = edits.changedCards();
    const none = element("p", { class: "faint" }, "None yet: A and B are the same game.");
    const list = element("ul", { class: "plain" }, ...cards.map(row));
    redraw(byId("changes"), element("div", {}, cards.length ? list : none));
  }

  view(name) {
    document.querySelector("main").dataset.view = name;
    for (const button of document.querySelectorAll(".views button"))
      button.setAttribute("aria-pressed", String(button.dataset.view === name));
  }

  // ---- changing -------------------------------------------------------------------------------
  #do(change, card = this.card) {
    change();
    if (card !== this.card) this.show(card, true);
    this.changed();
  }

  changed() {
    this.draw();
    this.measure.wait();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), CALM);
  }

  /** Check the pack; if it is sound, draw its board and measure. */
  check() {
    return this.#check().catch(tell);
  }

  async #check() {
    clearTimeout(this.timer);
    this.measure.wait();
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const { edits } = this;
    const given = this.measure.arguments();
    const data = edits.data();
    const mistakes = await this.table.edit("mistakes", data, given);
    if (turn !== this.turn) return;
    this.mistakes = mistakes;
    this.lines = mistakes.length ? this.lines : await this.table.edit("lines", data);
    if (turn !== this.turn) return;
    this.draw();
    this.#offerPlay(mistakes.length ? null : await this.table.edit("setting", data), given);
    if (mistakes.length) return this.measure.refuse("There is something to put right first.");
    const b = await this.#compiled(data, given);
    const a = await this.#unchanged(given);
    if (turn !== this.turn) return;
    await Promise.all([this.#drawBoard(data, given, turn), this.measure.play(a, b)]);
  }

  async #compiled(data, given) {
    const found = await this.table.edit("contents", data, given);
    return { ...found, content: bytesOf(found.content) };
  }

  /** The content of games of the unchanged pack; null if it has no such scenario. */
  async #unchanged(given) {
    const key = JSON.stringify(given);
    if (!this.unchanged.has(key)) {
      const found = this.#compiled({ ...this.edits.pack, cards: {} }, given).catch(() => null);
      this.unchanged.set(key, await found);
    }
    return this.unchanged.get(key);
  }

  async #drawBoard(data, given, turn) {
    const pack = await this.table.edit("name_of", data);
    const view = await this.table.open({ env: data.env, arguments: { ...given, pack }, seed: 1 });
    if (turn !== this.turn) return;
    byId("board").innerHTML = view.board;
    const svg = byId("board").firstElementChild;
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    byId("board-text").textContent = view.text;
  }

  #offerPlay(setting, given) {
    const play = byId("play");
    if (!setting) {
      play.removeAttribute("href");
      play.setAttribute("role", "link");
      play.setAttribute("aria-disabled", "true");
      play.title = "There is something to put right first";
      return;
    }
    play.removeAttribute("role");
    play.removeAttribute("aria-disabled");
    const { pack, files } = setting;
    const game = {
      env: this.edits.pack.env,
      arguments: { ...given, pack },
      ...(files && { files }),
      seed: "1",
      actions: [],
    };
    play.href = `./${new URL(linkTo(game)).hash}`;
    play.title = "Open a game of this pack";
  }

  // ---- buttons --------------------------------------------------------------------------------
  #buttons() {
    const go = (step) => () => this.#do(() => this.edits[step]());
    byId("undo").onclick = go("undo");
    byId("redo").onclick = go("redo");
    byId("import").onclick = () => byId("file").click();
    byId("file").onchange = ({ target }) => this.#read(target);
    byId("export").onclick = () => this.#save().catch(tell);
    byId("form").onsubmit = (event) => event.preventDefault();
    for (const button of document.querySelectorAll(".views button"))
      button.onclick = () => this.view(button.dataset.view);
    addEventListener("keydown", (event) => {
      const isTyping = ["text", "search", "textarea"].includes(event.target.type);
      if (!(event.ctrlKey || event.metaKey) || isTyping || byId("dialog").open) return;
      const key = event.key.toLowerCase();
      const step =
        key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : null;
      if (!step) return;
      event.preventDefault();
      this.#do(() => this.edits[step]());
    });
  }

  async #read(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      const { cards, ...pack } = await openFile(file, this.table, this.edits.pack);
      if (isArchive(file)) return await this.#openOwn(pack, file);
      byId("notice").hidden = true;
      this.#do(() => this.edits.become(cards), Object.keys(cards)[0]);
    } catch (error) {
      say(`${file.name}: ${error.message}`);
    }
  }

  /** Open a pack from a file; the edit of an earlier one would be lost. */
  async #openOwn(pack, { name }) {
    const edited = Object.keys(keptOwn()?.cards ?? {}).length;
    const question = `Open ${name}? The pack that you opened before, with its changes, goes.`;
    if (!edited || confirm(question)) await this.open(pack);
  }

  async #save() {
    if (this.mistakes.length)
      return say(
        "There are mistakes: agemonia content check would refuse the pack. Put them right first.",
      );
    openSave(await this.table.edit("export", this.edits.data()));
  }
}

/** Show a notice until the next one. */
function say(text) {
  const notice = byId("notice");
  notice.textContent = text;
  notice.hidden = false;
}

/** Show what went wrong. */
const tell = (error) => say(error.message);

const editor = new Editor();
globalThis.editor = editor; // for a look at it from the browser's console, and for tests
editor.start().catch((error) => say(`The editor does not start: ${error.message}`));
