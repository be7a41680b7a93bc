// Panels over the page: one at a time, closed with Escape, by a button or beside it.

import { byId, element } from "./elements.mjs";

/** Open a panel with a title. */
export function openDialog(title, ...content) {
  const dialog = byId("dialog");
  const close = element("button", { type: "button", class: "close", "aria-label": "Close", click: closeDialog }, "×");
  const head = element("header", {}, element("h2", { id: "dialog-title" }, title), close);
  dialog.replaceChildren(head, ...content);
  dialog.onclick = ({ target }) => {
    if (target === dialog) closeDialog(); // beside the panel
  };
  if (!dialog.open) dialog.showModal();
}

export function closeDialog() {
  byId("dialog").close();
}

const HELP = [
  ["1 to 9, then letters", "take the option with that key"],
  ["↑ ↓", "go from option to option; Enter takes one"],
  ["u", "undo: take the last decision back"],
  ["h, n, p", "hint by greedy play, by the network, by the planner"],
  ["/", "look something up"],
  ["Esc", "close what is open; show all options again"],
  ["?", "this panel"],
];

/** The panel that says how the page works; keys: {on, change(on)} of single keys. */
export function openHelp({ on, change }) {
  const box = element("input", { type: "checkbox", checked: on, change: () => change(box.checked) });
  openDialog(
    "How to play here",
    element(
      "ul",
      { class: "plain" },
      element("li", {}, "The game asks one question at a time. Its options are all that the rules allow now."),
      element("li", {}, "Press an option, or click what it names on the board: such things carry its number."),
      element("li", {}, "“?” beside an option shows its card and the rule behind it."),
      element("li", {}, "Click or point at anything else to read what it is, or why it cannot be chosen."),
      element("li", {}, "Nothing can go wrong: Undo goes back as far as you like."),
    ),
    element("h3", {}, "Keys"),
    element(
      "table",
      { class: "keys" },
      element("tbody", {}, ...HELP.map(([key, does]) => {
        return element("tr", {}, element("th", { scope: "row" }, element("kbd", {}, key)), element("td", {}, does));
      })),
    ),
    element("label", { class: "check" }, box, "Single keys work (turn off if you type by voice)"),
    element("p", { class: "faint" }, "The game is kept in this browser and never leaves your device."),
  );
}
