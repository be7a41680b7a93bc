// What a page remembers: the game, in this browser; and a position, in a link.

const GAME = "agemonia_env.game";
const SETTINGS = "agemonia_env.settings";
const MARK = "#game=";

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null; // no storage here, or another page's words
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // no storage here, or it is full: the game goes on without
  }
}

/** The game that was played here last, {saved, view, log}, or null. */
export function rememberedGame() {
  const game = read(GAME);
  const whole = [game?.saved?.actions, game?.log].every(Array.isArray) && game.view;
  return whole ? game : null;
}

export const rememberGame = (game) => write(GAME, game);

export function forgetGame() {
  try {
    localStorage.removeItem(GAME);
  } catch {
    // no storage, nothing to forget
  }
}

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

/** The saved game in an address, or null. Throws if it cannot be read. */
export function linkedGame(address) {
  if (!address.startsWith(MARK)) return null;
  try {
    const coded = address.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
    const saved = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof saved.env === "string" && Array.isArray(saved.actions)) return saved;
  } catch {
    // said below
  }
  throw new Error("The link is incomplete: it holds no game.");
}
