// Drawing again without disturbing the reader: what looks the same stays, with its focus, a text half
// typed, or a press of the pointer on it.
//
// What stays keeps its listeners, so listeners read values when they are called, not before; and what
// an element is of, its id or `data-of`, says that they are of the same thing.

// Replaced as wholes: what they do belongs to what they show.
const WHOLE = "button, input, label, select, summary, svg, textarea";

/** Make the content of an element like that of another, which is used up. */
export function redraw(old, wanted) {
  const [before, after] = [old, wanted].map(({ childNodes }) => [...childNodes]);
  if (before.length !== after.length) return old.replaceChildren(...after);
  before.forEach((one, k) => {
    const next = after[k];
    if (one.isEqualNode(next)) return;
    if (!isFrameOf(one, next)) return one.replaceWith(next);
    for (const { name } of [...one.attributes]) if (!next.hasAttribute(name)) one.removeAttribute(name);
    for (const { name, value } of next.attributes) one.setAttribute(name, value);
    redraw(one, next);
  });
}

/** Keep in a set which details of an element are open, by `key` of each. */
export function noteOpen(place, open, key) {
  for (const one of place.querySelectorAll("details")) open[one.open ? "add" : "delete"](key(one));
}

/** Whether both are an element around others, and of the same thing. */
function isFrameOf(one, next) {
  const isFrame = one instanceof Element && one.nodeName === next.nodeName && !one.matches(WHOLE);
  return isFrame && one.id === next.id && one.dataset.of === next.dataset.of;
}
