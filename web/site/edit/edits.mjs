// The edited pack: plain values of cards, what was changed in them, and undo.
//
// A place is a list of keys and positions within a card, as in the files of a pack.

/** The value at a place; undefined if there is none. */
export const at = (value, place) => place.reduce((found, key) => found?.[key], value);

/** A copy of a value with another one at a place; the rest is shared. */
export function withValue(value, [key, ...rest], wanted) {
  if (key === undefined) return wanted;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = withValue(value?.[key], rest, wanted);
  return copy;
}

/** A copy without the entry at a place. */
export function without(value, place) {
  const last = place.at(-1);
  const around = at(value, place.slice(0, -1));
  const left = Array.isArray(around)
    ? around.filter((_, k) => k !== last)
    : Object.fromEntries(Object.entries(around).filter(([key]) => key !== last));
  return withValue(value, place.slice(0, -1), left);
}

/** Whether values are the same; the order of keys does not count. */
export function same(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && same(one[key], other[key]))
  );
}

export class Edits {
  /** pack: {env, pack, files}; opened: what editing.open_pack says of it; cards: edited ones. */
  constructor(pack, opened, cards = {}) {
    this.pack = pack;
    this.opened = opened;
    this.cards = cards;
    this.past = [];
    this.future = [];
  }

  /** What Python takes as an edit. */
  data() {
    return { ...this.pack, cards: this.cards };
  }

  /** All cards by place: {folder, key, title}, the new ones at the end. */
  list() {
    const old = Object.entries(this.opened.cards).map(([card, one]) => ({ card, ...one }));
    const added = Object.keys(this.cards).filter((card) => !(card in this.opened.cards));
    const told = (card) => {
      const [folder, key] = card.split("/");
      return { card, folder, key, title: this.cards[card].name ?? key, isNew: true };
    };
    return [...old, ...added.map(told)];
  }

  value(card) {
    return this.cards[card] ?? this.opened.cards[card]?.value;
  }

  old(card) {
    return this.opened.cards[card]?.value;
  }

  /** Whether anything at a place of a card was changed. */
  isChanged(card, place = []) {
    return card in this.cards && !same(at(this.value(card), place), at(this.old(card), place));
  }

  changedCards() {
    return Object.keys(this.cards);
  }

  // ---- changing -------------------------------------------------------------------------------
  set(card, place, wanted) {
    this.#put(card, withValue(this.value(card), place, wanted));
  }

  /** Set several values of a card at once: [place, value]; undefined: take it out. */
  setAll(card, changes) {
    const change = (value, [place, wanted]) => {
      if (wanted !== undefined) return withValue(value, place, wanted);
      return at(value, place) === undefined ? value : without(value, place);
    };
    this.#put(card, changes.reduce(change, this.value(card)));
  }

  remove(card, place) {
    this.#put(card, without(this.value(card), place));
  }

  add(card, value) {
    this.#put(card, value);
  }

  /** Put the old value back; a whole card if no place is given. */
  takeBack(card, place = []) {
    if (!place.length) this.#put(card, this.old(card));
    else if (at(this.old(card), place) === undefined) this.remove(card, place);
    else this.set(card, place, at(this.old(card), place));
  }

  #put(card, value) {
    if (same(value, this.value(card))) return;
    const { [card]: _, ...rest } = this.cards;
    const gone = value === undefined || same(value, this.old(card));
    this.become(gone ? rest : { ...this.cards, [card]: value });
  }

  /** Put all edited cards in the place of those there are. */
  become(cards) {
    this.past.push(this.cards);
    this.future = [];
    this.cards = cards;
  }

  undo() {
    if (this.past.length) this.future.push(this.cards);
    this.cards = this.past.pop() ?? this.cards;
  }

  redo() {
    if (this.future.length) this.past.push(this.cards);
    this.cards = this.future.pop() ?? this.cards;
  }
}
