// The keyboard: single keys for options and for what the page does.

import { byId } from "./elements.mjs";
import { setting } from "./memory.mjs";

const ARROWS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
const TYPING = "input:not([type=radio]):not([type=checkbox]), textarea, select";

/** Let keys play; page: the object that plays. */
export function listenToKeys(page) {
  const commands = {
    u: () => page.undo(),
    h: () => page.hint("greedy"),
    n: () => page.hint("network"),
    p: () => page.hint("planner"),
    "?": () => page.help(),
    "/": () => page.lookup.open(),
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("dialog").open) return;
    if (key === "Escape") return escape(page);
    if (target.closest(TYPING)) return;
    if (key in ARROWS && !target.closest("pre, .events, .large")) {
      event.preventDefault();
      page.options.move(ARROWS[key]);
    } else if (setting("keys", true) && !event.repeat) {
      const option = page.options.withKey(key);
      if (!option && !(key in commands)) return;
      event.preventDefault();
      if (option) page.take(option.action);
      else commands[key]();
    }
  });
}

function escape(page) {
  if (page.popup.hide()) return;
  if (page.narrowed) page.narrow("");
}
