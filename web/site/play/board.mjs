// The picture of the table, cut into its parts, with the things that options name lit.

import { element, shape } from "./elements.mjs";

const BADGE = 9; // radius of the sign with an option's key
const BORDER = 26; // pixels seen around the things of a map
const WIDE = 1.15; // a map is at least so much wider than high, if there is something to see

/** Everything a reader sees and points at in the picture. */
export class Board {
  /** places: an element for each part of the picture; pointed(thing, event), clicked(thing, event). */
  constructor(places, { pointed, clicked }) {
    this.places = places;
    this.things = new Map(); // name -> its boxes
    this.lit = new Map(); // name -> the keys of its options
    for (const place of Object.values(places)) {
      place.addEventListener("pointermove", (event) => pointed(this.#at(event), event));
      place.addEventListener("pointerleave", (event) => pointed("", event));
      place.addEventListener("click", (event) => clicked(this.#at(event), event));
    }
  }

  show({ board, parts }) {
    const drawn = new DOMParser().parseFromString(board, "image/svg+xml").documentElement;
    const shapes = Array.from(drawn.children, (shape) => [shape, extent(shape)]);
    this.things.clear();
    for (const [name, box] of Object.entries(parts)) {
      const place = this.places[name];
      const within = shapes.filter(([, [left, top]]) => inside(box, left, top));
      const marked = name === "question" ? within.filter(([shape]) => shape.dataset.thing) : within;
      place.replaceChildren();
      place.hidden = marked.length === 0;
      if (place.hidden) continue;
      const svg = document.importNode(drawn.cloneNode(false));
      svg.removeAttribute("width");
      svg.removeAttribute("height");
      svg.setAttribute("viewBox", CROPS[name](marked, box).join(" "));
      svg.append(...within.map(([shape]) => document.importNode(shape, true)));
      place.append(svg);
      for (const shape of svg.querySelectorAll("[data-thing]")) this.#know(shape);
    }
    this.places.map.firstChild?.setAttribute("aria-describedby", "text");
  }

  #know(shape) {
    const { thing } = shape.dataset;
    if (!this.things.has(thing)) this.things.set(thing, []);
    this.things.get(thing).push(shape);
  }

  /** Light things: name -> keys of the options that name it. */
  light(lit) {
    this.lit = lit;
    for (const badge of document.querySelectorAll(".badge")) badge.remove();
    for (const [thing, boxes] of this.things) {
      const keys = lit.get(thing);
      for (const box of boxes) box.classList.toggle("lit", keys !== undefined);
      if (keys) boxes[0].ownerSVGElement.append(badge(corner(boxes), keys));
    }
  }

  /** Point at a thing, or at none. */
  point(thing) {
    for (const [name, boxes] of this.things) {
      for (const box of boxes) box.classList.toggle("pointed", name === thing);
    }
  }

  /** Scroll a large map to the middle of what is lit, or of the whole. */
  reveal() {
    const { map } = this.places;
    const lit = [...map.querySelectorAll(".lit")].map((box) => box.getBoundingClientRect());
    const boxes = lit.length ? lit : [map.firstChild.getBoundingClientRect()];
    const middle = (least, most) => {
      return (Math.min(...boxes.map((box) => box[least])) + Math.max(...boxes.map((box) => box[most]))) / 2;
    };
    const frame = map.getBoundingClientRect();
    map.scrollBy(
      middle("left", "right") - (frame.left + frame.right) / 2,
      middle("top", "bottom") - (frame.top + frame.bottom) / 2,
    );
  }

  /** The thing under the pointer: a lit one, if several lie there. */
  #at({ clientX, clientY }) {
    const there = document.elementsFromPoint(clientX, clientY).map((one) => one.dataset?.thing);
    const things = there.filter((thing) => thing);
    return things.find((thing) => this.lit.has(thing)) ?? things[0] ?? "";
  }
}

/** Left, top, right and bottom of a shape. */
function extent(shape) {
  const number = (name) => Number(shape.getAttribute(name) ?? 0);
  switch (shape.tagName) {
    case "rect":
      return [number("x"), number("y"), number("x") + number("width"), number("y") + number("height")];
    case "ellipse": {
      const [x, y, a, b] = ["cx", "cy", "rx", "ry"].map(number);
      return [x - a, y - b, x + a, y + b];
    }
    case "text":
      return [number("x"), number("y") - 8, number("x"), number("y") + 8];
    default: {
      const points = shape.getAttribute("points").split(" ").map((pair) => pair.split(",").map(Number));
      const [xs, ys] = [0, 1].map((k) => points.map((pair) => pair[k]));
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    }
  }
}

const SLACK = 4; // pixels by which outlines stand out of a part

function inside([left, top, right, bottom], x, y) {
  return x > left - SLACK && x < right + SLACK && y > top - SLACK && y < bottom + SLACK;
}

/** Left, top, right and bottom of shapes with what they are. */
function around(shapes) {
  const [lefts, tops, rights, bottoms] = [0, 1, 2, 3].map((k) => shapes.map(([, box]) => box[k]));
  return [Math.min(...lefts), Math.min(...tops), Math.max(...rights), Math.max(...bottoms)];
}

// What is seen of each part: the view box around its shapes.
const CROPS = {
  question: (shapes) => viewBox(around(shapes)),
  panel: (shapes, [left, , right]) => {
    const [, top, , bottom] = around(shapes);
    return viewBox([left, top, right, bottom]); // as wide as it is, whatever is in it
  },
  map: (shapes) => {
    const whole = around(shapes);
    const things = around(shapes.filter(([shape]) => shape.dataset.thing));
    const [left, top, right, bottom] = things.map((side, k) => side + (k < 2 ? -BORDER : BORDER));
    const missing = Math.max(0, WIDE * (bottom - top) - (right - left)) / 2;
    const wished = [left - missing, top, right + missing, bottom];
    return viewBox(wished.map((side, k) => (k < 2 ? Math.max : Math.min)(side, whole[k])));
  },
};

function viewBox([left, top, right, bottom]) {
  return [left - SLACK, top - SLACK, right - left + 2 * SLACK, bottom - top + 2 * SLACK];
}

/** Where the sign of a thing goes: up on the right, in an area of several cells down there. */
function corner(boxes) {
  const places = boxes.map(extent);
  const inward = BADGE + 2;
  if (places.length === 1) return [places[0][2] - inward, places[0][1] + inward];
  const bottom = Math.max(...places.map(([, , , y]) => y));
  const right = Math.max(...places.filter(([, , , y]) => y === bottom).map(([, , x]) => x));
  return [right - inward, bottom - inward];
}

/** A sign with the key of an option. */
function badge([x, y], keys) {
  const told = keys.length > 1 ? `${keys[0]}+` : keys[0];
  const place = { class: "badge", transform: `translate(${x} ${y})` };
  return shape("g", place, shape("circle", { r: BADGE }), shape("text", {}, told));
}

/** A popup near the pointer. */
export class Popup {
  constructor(place) {
    this.place = place;
    this.about = ""; // the thing that it shows, or waits for
  }

  show({ x, y }, ...content) {
    const close = element("button", { type: "button", "aria-label": "Close", click: () => this.hide() }, "×");
    this.place.replaceChildren(close, ...content);
    this.place.hidden = false;
    const { width, height } = this.place.getBoundingClientRect();
    const left = Math.max(8, Math.min(x + 14, innerWidth - width - 8));
    const below = y + 18 + height < innerHeight - 8;
    this.place.style.left = `${left}px`;
    this.place.style.top = `${below ? y + 18 : Math.max(8, y - height - 14)}px`;
  }

  /** Hide it -> whether it was shown. */
  hide() {
    const shown = !this.place.hidden;
    this.place.hidden = true;
    this.about = "";
    return shown;
  }
}
