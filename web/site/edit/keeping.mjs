// The edits of every pack, kept in this browser.

import { read, write } from "../storage.mjs";

const EDITS = "agemonia_env.edits";
const OWN = "own"; // a pack that was opened from a file: one is kept

const nameOf = ({ env, pack, files }) => (files ? OWN : `${env} ${pack}`);

let own = { last: null, packs: {} }; // where there is no storage

/** All edits; another tab may have changed them. */
const kept = () => read(EDITS) ?? own;

/** Keep the edit of the open pack, {pack, cards, card}. */
export function keep(edit) {
  const last = nameOf(edit.pack);
  own = { last, packs: { ...kept().packs, [last]: edit } };
  write(EDITS, own);
}

/** The edit of a pack as it was left; undefined if it was never open. */
export const keptOf = (pack) => kept().packs[nameOf(pack)];

/** The edit of the pack that was opened from a file. */
export const keptOwn = () => kept().packs[OWN];

/** The edit of the pack that was open last. */
export function lastKept() {
  const { last, packs } = kept();
  return packs[last];
}

/** Call a function whenever another tab has kept an edit. */
export function whenKeptElsewhere(changed) {
  addEventListener("storage", ({ key }) => key === EDITS && changed());
}
