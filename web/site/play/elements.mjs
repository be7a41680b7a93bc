// Elements of a page, made without markup in strings: texts stay texts.

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** An element: its tag, attributes (functions are listeners, false and null are left out), children. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Likewise an element of a picture. */
export function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const DRAWN = /^[\sxo.#?+%-]+$/; // a line of a drawing made of letters

/** A page of Python as paragraphs; drawings keep their columns. */
export function paragraphs(text) {
  return text.split("\n").map((line, k) => {
    const kind = DRAWN.test(line) ? "drawing" : /^\s/.test(line) ? "inner" : k ? "" : "first";
    return element("p", { class: kind || null }, line);
  });
}
