// What is drawn of a position beside the board and the options: question, events, reasons.

import { byId, element } from "./elements.mjs";

const SINCE = 4; // events shown above the question; all of them are in the log
const YOURS = { hero: "Your choice for the heroes", enemy: "Your choice for the enemies" };
const THEIRS = { hero: "The heroes think ...", enemy: "The enemies think ..." };
const RESULTS = { won: "Won", lost: "Lost" };

/**
 * The question, or how the game ended.
 *   theirs: whether somebody else answers; mine: the side that is played here, "both" if both are
 */
export function drawQuestion({ over, won, ending, question, about, side, events }, theirs, mine) {
  const last = events.slice(-SINCE).map((event) => `${event}.`);
  byId("since").textContent = (events.length > SINCE ? "... " : "") + last.join(" ");
  const [result, ...account] = ending.split("\n");
  const kind = won === (mine !== "enemy") ? "won" : "lost";
  const winner = won ? "The heroes win" : "The enemies win";
  byId("whose").className = `whose ${over ? kind : side}`;
  byId("whose").textContent = over
    ? (mine === "both" ? winner : RESULTS[kind])
    : (theirs ? THEIRS : YOURS)[side];
  byId("question").textContent = over ? result : question;
  byId("about").textContent = over ? account.join("\n") : about;
}

/** The events of a game, the last ones first; those after so many decisions stand out. */
export function drawEvents(log, since) {
  const lines = log.toReversed().flatMap((one) => {
    const kind = one.decisions > since ? "now" : null;
    return one.events.toReversed().map((event) => element("li", { class: kind }, `${event}.`));
  });
  byId("events").replaceChildren(...lines);
}

/** Illegal options and the reasons; point(thing) shows on the board what one names. */
export function drawReasons(reasons, point) {
  const rows = reasons.map(({ text, why, thing }) => {
    const [on, off] = [() => point(thing), () => point("")];
    return element(
      "li",
      { tabindex: "0", focus: on, blur: off, pointerenter: on, pointerleave: off },
      element("span", { class: "what" }, text), " ", element("span", { class: "why" }, why),
    );
  });
  byId("refusals").hidden = rows.length === 0;
  byId("refusals").querySelector("ul").replaceChildren(...rows);
}

/** On a phone: scroll back to the question, if the options before it were longer. */
export function scrollToQuestion() {
  if (!matchMedia("(max-width: 759px)").matches) return;
  const { top } = byId("since").getBoundingClientRect();
  const { bottom } = document.querySelector(".map").getBoundingClientRect();
  if (top < bottom) scrollBy(0, top - bottom);
}

/** A message above the board, with buttons: [text, what a click does]. "" = none. */
export function drawNotice(text, ...buttons) {
  const made = buttons.map(([label, click]) => element("button", { type: "button", click }, label));
  byId("notice").replaceChildren(text, ...made.flatMap((button) => [" ", button]));
  byId("notice").hidden = !text;
}
