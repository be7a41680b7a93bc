// A picture of a measurement: both win rates with their intervals, and the band of the target.

import { shape } from "../play/elements.mjs";
import { hundredths } from "./numbers.mjs";

const [WIDTH, HEIGHT] = [400, 92];
const [LEFT, RIGHT] = [10, 390]; // of the scale
const BOTTOM = 68;
const ROWS = { a: 22, b: 46 };

const x = (share) => LEFT + share * (RIGHT - LEFT);

/** The strip for a summary, a target and its tolerance, as shares. */
export function strip(state, target, within) {
  const before = state.alone ? "" : `unchanged ${hundredths(state.a)} %, `;
  const aim = `target ${hundredths(target)} % plus or minus ${hundredths(within)}`;
  const told = `Win rate ${before}with your changes ${hundredths(state.b)} %; ${aim}`;
  const svg = shape("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: "strip",
    role: "img",
    "aria-label": told,
  });
  const [from, to] = [Math.max(0, target - within), Math.min(1, target + within)];
  svg.append(
    shape("rect", { class: "band", x: x(from), y: 4, width: x(to) - x(from), height: BOTTOM - 4 }),
  );
  for (let tenth = 0; tenth <= 10; tenth++) {
    const at = x(tenth / 10);
    svg.append(shape("line", { class: "tick", x1: at, x2: at, y1: 4, y2: BOTTOM }));
    if (tenth % 2 === 0)
      svg.append(shape("text", { class: "scale", x: at, y: BOTTOM + 16 }, `${10 * tenth}`));
  }
  for (const side of state.alone ? ["b"] : ["a", "b"])
    svg.append(...interval(side, state[side], state.rates[side]));
  return svg;
}

function interval(side, share, [low, high]) {
  const y = ROWS[side];
  const end = x(high) > RIGHT - 24;
  return [
    shape("line", { class: `interval ${side}`, x1: x(low), x2: x(high), y1: y, y2: y }),
    shape("circle", { class: `point ${side}`, cx: x(share), cy: y, r: 5 }),
    shape(
      "text",
      {
        class: `letter ${side}`,
        x: end ? x(low) - 6 : x(high) + 6,
        y: y + 4,
        "text-anchor": end ? "end" : "start",
      },
      side.toUpperCase(),
    ),
  ];
}
