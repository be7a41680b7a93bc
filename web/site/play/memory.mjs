// What a page remembers: games and settings, in this browser; and a position, in a link.

import { bytesOf } from "../files.mjs";
import { forget, read, write } from "../storage.mjs";

const GAME = "agemonia_env.game";
const LEFT = "agemonia_env.left";
const SETTINGS = "agemonia_env.settings";
const MARK = "#game=";
const MOST_LEFT = 8; // games that are kept to go on with

const TAB = "sessionStorage";

let known = null; // the game that this tab has kept or read last

const isWhole = (game) => [game?.saved?.actions, game?.log].every(Array.isArray) && game.view;

/** The game of this tab, or the one that was played last in any, {saved, view, log}, or null. */
export function rememberedGame() {
  const games = [read(GAME, TAB), read(GAME)];
  const game = games.find(isWhole) ?? null;
  known = game?.saved ?? null;
  return game;
}

/** Keep the game of this tab. */
export function rememberGame(game) {
  leaveThatOfAnotherTab();
  known = game.saved;
  write(LEFT, leftGames().filter(({ saved }) => !leadsTo(saved, known)));
  write(GAME, game, TAB);
  write(GAME, game);
}

export function forgetGame() {
  leaveThatOfAnotherTab();
  forget(GAME, TAB);
  forget(GAME);
}

/** What another tab has kept since this one kept or read a game can go on, too. */
function leaveThatOfAnotherTab() {
  const game = read(GAME);
  if (isWhole(game) && !isSameGame(game.saved, known)) leaveGame(game);
}

/** Whether two games are at the same position. */
export const isSameGame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a game went on to the position of another one, or stands there. */
function leadsTo({ actions: first, ...one }, { actions: later, ...other }) {
  return isSameGame(one, other) && isSameGame(first, later.slice(0, first.length));
}

/** Games that gave way to others and can go on, the last one first: {saved, scenario, round}. */
export const leftGames = () => read(LEFT) ?? [];

/** Keep a game that gives way to another one -> whether there is anything to go on with. */
export function leaveGame({ saved, view: { scenario, round, over } }) {
  if (over || !saved.actions.length) return false;
  const others = leftGames().filter((one) => !leadsTo(one.saved, saved));
  write(LEFT, [{ saved, scenario, round }, ...others].slice(0, MOST_LEFT));
  return true;
}

/** A game that was left goes on. */
export const takeUpGame = (saved) => {
  write(LEFT, leftGames().filter((one) => !isSameGame(one.saved, saved)));
};

/** Whether a saved game is of an edited pack. */
export const isEdited = ({ files, arguments: given }) => Boolean(files || given?.pack?.includes(";"));

/** A choice of the reader, such as whether single keys choose options. */
export const setting = (name, otherwise) => read(SETTINGS)?.[name] ?? otherwise;

export const keepSetting = (name, value) => write(SETTINGS, { ...read(SETTINGS), [name]: value });

/** The address of this page with a saved game in it. */
export function linkTo(saved) {
  const bytes = new TextEncoder().encode(JSON.stringify(saved));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const coded = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return new URL(MARK + coded, location.href).href;
}

/** Whether a seed and actions are numbers: `load` of the table checks what they lead to. */
function isGame({ env, seed = 0, actions }) {
  const isSeed = ["string", "number"].includes(typeof seed) && /^\d{1,19}$/.test(seed);
  return typeof env === "string" && isSeed && Array.isArray(actions) && actions.every(Number.isInteger);
}

/** The saved game in an address, or null. Throws if it cannot be read. */
export function linkedGame(address) {
  if (!address.startsWith(MARK)) return null;
  try {
    const coded = address.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/");
    const saved = JSON.parse(new TextDecoder().decode(bytesOf(coded)));
    if (isGame(saved)) return saved;
  } catch {
    // said below
  }
  throw new Error("The link is incomplete: it holds no game.");
}
