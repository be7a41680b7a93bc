// The edits of every pack, kept in this browser.

import { read, write } from "../storage.mjs";

const EDITS = "agemonia_env.edits";
const OWN = "own"; // a pack that was opened from a file: one is kept

const nameOf = ({ env, pack, files }) => (files ? OWN : `${env} ${pack}`);

const kept = read(EDITS) ?? { last: null, packs: {} };

/** Keep the edit of the open pack, {pack, cards, card}. */
export function keep(edit) {
  kept.last = nameOf(edit.pack);
  kept.packs[kept.last] = edit;
  write(EDITS, kept);
}

/** The edit of a pack as it was left; undefined if it was never open. */
export const keptOf = (pack) => kept.packs[nameOf(pack)];

/** The edit of the pack that was opened from a file. */
export const keptOwn = () => kept.packs[OWN];

/** The edit of the pack that was open last. */
export const lastKept = () => kept.packs[kept.last];
