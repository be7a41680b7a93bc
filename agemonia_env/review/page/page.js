"use strict";
// Shows the recorded game: the element "record" holds it as gzip in base64. Step k is the position
// before decision k; the last step is the end.

const $ = (id) => document.getElementById(id);
const percent = (x) => (x > 0 && x < 0.005 ? "< 1 %" : `${Math.round(100 * x)} %`);
const points = (x) => `${(100 * x).toFixed(Math.abs(x) < 0.0995 ? 1 : 0)}`;
const signed = (x) => `${x >= 0 ? "+" : "−"}${points(Math.abs(x))}`;
const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const Z = 1.96; // standard errors in half a 95 % interval

let record, boards, turns, costly, step = 0, timer = null;

/** A new element; parts: texts and elements in it. */
function element(name, attributes = {}, ...parts) {
  return filled(document.createElement(name), attributes, parts);
}

/** Likewise an element of a picture. */
function shape(name, attributes, ...parts) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, parts);
}

function filled(made, attributes, parts) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...parts);
  return made;
}

// ---- reading ------------------------------------------------------------------------------------
async function unpacked() {
  const packed = Uint8Array.from(atob($("record").textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Line numbers of every board, from their differences. */
function boardsOf(differences) {
  let lines = [];
  return differences.map(([start, end, ...middle]) => {
    lines = [...lines.slice(0, start), ...middle, ...lines.slice(lines.length - end)];
    return lines;
  });
}

/** Where turns begin: another hero is asked, or a round begins. -> [{step, round, who}] */
function turnsOf(steps) {
  const found = [];
  steps.forEach(({ round, who, side }, k) => {
    const last = found.at(-1);
    const asked = who || (side === "enemy" ? "enemies" : "");
    if (!last || last.round !== round || (asked && last.who && asked !== last.who)) {
      found.push({ step: k, round, who: asked });
    } else if (!last.who) last.who = asked;
  });
  found.push({ step: steps.length, round: null, who: "" });
  return found;
}

/** Steps whose decision cost something, dearest first. */
function costlyOf(judged) {
  return judged
    .map((one, k) => ({ step: k, cost: one.cost?.[0] ?? 0, error: Z * (one.cost?.[1] ?? 0) }))
    .filter(({ cost }) => cost > 0)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, 8);
}

const judgedAt = (k) => record.judged[k] ?? {};
const last = () => record.steps.length;

// ---- the board and the decision -----------------------------------------------------------------
function showBoard() {
  $("board").innerHTML = boards[step].map((line) => record.boards.lines[line]).join("\n");
  const picture = $("board").querySelector("svg");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `The board at step ${step}`);
}

function meter(kind, label, text, share) {
  const fill = element("i");
  fill.style.width = `${100 * Math.min(1, Math.max(0, share))}%`;
  const head = element("div", { class: "label" }, label, element("b", {}, text));
  return element("div", { class: `meter ${kind}` }, head, element("div", { class: "track" }, fill));
}

function metersOf(decision, judged, k) {
  const meters = element("div", { class: "meters" });
  const share = decision.probabilities?.[k];
  if (share !== undefined) meters.append(meter("policy", "policy", percent(share), share));
  if (judged.visits) {
    const most = Math.max(...judged.visits, 1);
    const visits = judged.visits[k], value = judged.values[k];
    meters.append(meter("visits", "visits", visits.toLocaleString("en"), visits / most));
    meters.append(meter("values", "value", value === null ? "-" : percent(value), value ?? 0));
  }
  if (judged.wins) meters.append(meter("wins", "win rate", percent(judged.wins[k]), judged.wins[k]));
  return meters;
}

function optionOf(decision, judged, k) {
  const isChosen = decision.options[k] === decision.action;
  const item = element("li", { class: `option${isChosen ? " chosen" : ""}` });
  const name = element("div", {}, element("span", { class: "name" }, decision.texts[k]));
  if (isChosen) name.append(element("span", { class: "tag is-chosen" }, "▶ chosen"));
  if (judged.best === k) {
    const whose = judged.visits ? "planner’s choice" : "won most";
    name.append(element("span", { class: "tag is-best" }, `◆ ${whose}`));
  }
  item.append(name);
  if (decision.helps[k]) item.append(element("div", { class: "help" }, decision.helps[k]));
  const meters = metersOf(decision, judged, k);
  if (meters.children.length) item.append(meters);
  const card = record.cards[decision.cards[k]];
  if (card && card !== decision.texts[k]) {
    const title = element("summary", {}, `Action ${decision.options[k]}: card and rules`);
    item.append(element("details", {}, title, element("p", { class: "card" }, card)));
  }
  return item;
}

/** Where the numbers of the options come from. */
function sourcesOf(decision, judged) {
  const { rollouts, simulations, played_by: by } = record.effort;
  const texts = [];
  texts.push(decision.probabilities ? "Policy: its probability." : "The policy has no probabilities.");
  if (judged.visits) texts.push(`Visits and value: how often the planner tried it, of at most ${counted(simulations, "simulation")}, and the win rate that it expects.`);
  if (judged.wins) texts.push(`Win rate: of ${counted(rollouts, "game")} by ${by} play from there.`);
  return texts.join(" ");
}

/** What was chosen, and what that cost if it was measured. */
function verdictOf(decision, judged) {
  const said = element("p", { class: "verdict" }, "▶ ", element("b", {}, decision.text), decision.why ? ": illegal." : ".");
  const [cost, error] = judged.cost ?? [0, 0];
  if (cost === 0 && error === 0) return said;
  const clear = Math.abs(cost) > Z * error ? "" : ", which is not clear";
  const word = cost >= 0 ? "Cost" : "Gained";
  said.append(` ${word} ${points(Math.abs(cost))} ± ${points(Z * error)} points of win rate against `);
  said.append(element("b", {}, decision.texts[judged.best]), `${clear}.`);
  return said;
}

function showDecision() {
  const panel = $("decision");
  panel.replaceChildren();
  panel.scrollTop = 0;
  if (step === last()) {
    panel.append(element("h3", {}, record.over ? "The end" : "The game stopped here"));
    panel.append(element("p", { class: "result" }, record.result));
    return;
  }
  const decision = record.steps[step], judged = judgedAt(step);
  const asked = element("div", { class: "asked" }, element("span", {}, `Round ${decision.round}`));
  asked.append(element("span", {}, decision.side === "enemy" ? "the enemies decide" : "the heroes decide"));
  if (judged.win) {
    const [win, low, high] = judged.win;
    const interval = high > low ? ` (${Math.round(100 * low)} to ${percent(high)})` : "";
    asked.append(element("span", {}, `win rate ${percent(win)}${interval}`));
  }
  panel.append(asked, element("h3", {}, decision.question), verdictOf(decision, judged));
  const options = element("ul", { class: "options" });
  decision.options.forEach((_, k) => options.append(optionOf(decision, judged, k)));
  if (decision.why) {
    const refused = element("li", { class: "option chosen" }, element("span", { class: "name" }, decision.text));
    refused.append(element("span", { class: "tag is-chosen" }, "✕ chosen, illegal"));
    refused.append(element("div", { class: "help" }, decision.why));
    options.append(refused);
  }
  panel.append(options, element("p", { class: "soft" }, sourcesOf(decision, judged)));
  if (decision.events.length) {
    const events = element("ul", { class: "events" });
    decision.events.forEach((event) => events.append(element("li", {}, event)));
    panel.append(element("div", { class: "asked" }, "What followed"), events);
  }
}

// ---- moving through the game --------------------------------------------------------------------
function go(to, { keepAddress = false } = {}) {
  step = Math.min(last(), Math.max(0, Math.round(to) || 0));
  showBoard();
  showDecision();
  const decision = record.steps[step];
  const round = decision ? `round ${decision.round}` : "the end";
  $("where").textContent = `Step ${step} of ${last()}, ${round}`;
  $("slider").value = step;
  $("slider").setAttribute("aria-valuetext", $("where").textContent);
  $("turns").value = turns.findLastIndex((turn) => turn.step <= step);
  for (const id of ["first", "back", "turn-back"]) $(id).disabled = step === 0;
  for (const id of ["last", "next", "turn-next"]) $(id).disabled = step === last();
  showNow();
  showLogged();
  showLinks();
  if (!keepAddress) setAddress(`#step=${step}`);
}

function setAddress(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    location.replace(hash); // where a local page may not change its history
  }
}

function addressed() {
  const found = /(?:^#|[#&])step=(\d+)/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/** Go where the reader wants to, who need not pause first. */
function jump(to) {
  setPlaying(false);
  go(to);
}

const turnBack = () => jump(turns.findLast((turn) => turn.step < step)?.step ?? 0);
const turnNext = () => jump(turns.find((turn) => turn.step > step)?.step ?? last());

function setPlaying(playing) {
  clearInterval(timer);
  timer = null;
  if (playing) {
    if (step === last()) go(0);
    timer = setInterval(() => (step < last() ? go(step + 1) : setPlaying(false)), Number($("speed").value));
  }
  $("play").textContent = playing ? "❚❚ Pause" : "▶ Play";
}

const KEYS = {
  ArrowLeft: () => jump(step - 1),
  ArrowRight: () => jump(step + 1),
  Home: () => jump(0),
  End: () => jump(last()),
  PageUp: turnBack,
  PageDown: turnNext,
  " ": () => setPlaying(timer === null),
};

function pressed(event) {
  const at = event.target.closest("button, summary, a, select, .log");
  const ownKeys = at && (at.matches("select, .log") || event.key === " ");
  if (ownKeys || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
}

function listenToControls() {
  const moves = { first: KEYS.Home, last: KEYS.End, back: KEYS.ArrowLeft, next: KEYS.ArrowRight, "turn-back": turnBack, "turn-next": turnNext };
  for (const [id, move] of Object.entries(moves)) $(id).addEventListener("click", move);
  $("play").addEventListener("click", KEYS[" "]);
  $("speed").addEventListener("change", () => timer !== null && setPlaying(true));
  $("slider").addEventListener("input", () => jump(Number($("slider").value)));
  $("turns").addEventListener("change", () => jump(turns[$("turns").value].step));
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => jump(addressed() ?? step));
}

function listTurns() {
  $("slider").max = last();
  turns.forEach((turn, k) => {
    const name = turn.round === null ? "the end" : `Round ${turn.round}${turn.who ? `, ${turn.who}` : ""}`;
    $("turns").append(element("option", { value: k }, `${name} (step ${turn.step})`));
  });
}

// ---- the curve ----------------------------------------------------------------------------------
const WIDE = 1000, HIGH = 240, RIGHT = 990, TOP = 20, BOTTOM = 212;
let unit = 1; // drawing units of a pixel, so that texts and marks keep their shape
const left = () => 44 * unit;
const across = (k) => left() + ((RIGHT - left()) * k) / Math.max(1, last());
const up = (win) => BOTTOM - (BOTTOM - TOP) * win;

function drawCurve() {
  const rated = record.judged.map((one, k) => [k, one.win]).filter(([, win]) => win);
  $("curve-part").hidden = !rated.length;
  if (!rated.length) return;
  const width = $("curve").getBoundingClientRect().width;
  unit = WIDE / (width || WIDE);
  const scale = HIGH / (width < 560 ? 176 : HIGH) / unit; // of a drawing unit, down against across
  const svg = shape(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": "Win rate by step; the list below names the steps that cost most" },
    ...ratesOf(scale), ...roundsOf(scale), ...pathOf(rated), ...costsOf(scale),
    shape("line", { class: "now", id: "now", y1: TOP - 8, y2: BOTTOM }),
  );
  svg.addEventListener("pointerdown", (event) => {
    const place = svg.getBoundingClientRect();
    const x = ((event.clientX - place.left) / place.width) * WIDE;
    jump(((x - left()) / (RIGHT - left())) * last());
  });
  $("curve").replaceChildren(svg);
  showNow();
}

/** Where a mark goes that keeps its shape; scale: as in drawCurve. */
const placed = (x, y, scale) => `translate(${x} ${y}) scale(${unit} ${scale * unit})`;

function label(x, y, scale, anchor, text) {
  return shape("text", { transform: placed(x, y, scale), "text-anchor": anchor }, text);
}

/** Lines of a few win rates, with their numbers. */
function ratesOf(scale) {
  return [0, 0.5, 1].flatMap((win) => [
    shape("line", { class: "grid", x1: left(), x2: RIGHT, y1: up(win), y2: up(win) }),
    label(left() - 4 * unit, up(win) + 4 * unit * scale, scale, "end", percent(win)),
  ]);
}

/** Lines where rounds begin, with their numbers where there is room. */
function roundsOf(scale) {
  const begins = turns.filter((turn, i) => i && turn.round !== turns[i - 1].round);
  let free = 0;
  return begins.flatMap(({ step: k, round }) => {
    const x = across(k);
    const line = shape("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: BOTTOM });
    if (round === null || x < free) return [line];
    free = x + 34 * unit;
    return [line, label(x, BOTTOM + 16 * unit * scale, scale, "middle", `R${round}`)];
  });
}

/** The win rate of every step, with the band of its interval; rated: [[step, [rate, low, high]]] */
function pathOf(rated) {
  const [path, lows, highs] = [0, 1, 2].map((i) => rated.map(([k, win]) => `${across(k)},${up(win[i])}`));
  return [
    shape("polygon", { class: "band", points: [...lows, ...highs.reverse()].join(" ") }),
    shape("polyline", { class: "path", points: path.join(" ") }),
  ];
}

/** A mark at each decision that clearly cost something. */
function costsOf(scale) {
  const clear = costly.filter(({ cost, error }) => cost > error);
  return clear.map(({ step: k }) => {
    const transform = placed(across(k), up(judgedAt(k).win[0]), scale);
    return shape("path", { class: "costly", d: "M0 -4 L6 -14 L-6 -14 Z", transform });
  });
}

function showNow() {
  $("now")?.setAttribute("x1", across(step));
  $("now")?.setAttribute("x2", across(step));
}

// ---- costs, skill and luck ----------------------------------------------------------------------
function listCosts() {
  const { rollouts, simulations } = record.effort;
  $("costs-part").hidden = !rollouts || !record.judged.length;
  const against = simulations ? "the planner’s choice" : "the option that won most in other games";
  $("costs-text").textContent = `What the choice lost against ${against}, in points of win rate: each option was played on from ${counted(rollouts, "time")}, on the same dice.`;
  $("no-costs").hidden = costly.length > 0;
  for (const { step: k, cost, error } of costly) {
    const { question, text } = record.steps[k];
    const best = record.steps[k].texts[judgedAt(k).best];
    const link = element("a", { href: `#step=${k}` }, `Step ${k}`);
    const clear = cost > error ? "▼" : "not clear:";
    const item = element("li", {}, link, `, ${clear} ${points(cost)} ± ${points(error)} points. ${question} `);
    item.append(element("b", {}, text), " instead of ", element("b", {}, best), ".");
    $("costs").append(item);
  }
}

function explainCurve() {
  const { rollouts, played_by: by } = record.effort;
  $("curve-text").textContent = `At each step the game was played on ${counted(rollouts, "time")} by ${by} play, with new dice and face-down cards; the band is the 95 % interval. ▼ marks decisions that clearly cost something. Click to jump.`;
}

function showTotals() {
  const sums = record.totals, { played_by: by, simulations } = record.effort;
  $("luck-part").hidden = sums.luck === undefined;
  if (sums.luck === undefined) return;
  const table = element("table", { class: "sums" });
  const row = (label, value, half, kind = "") => {
    const cell = half === undefined ? value : `${value} ± ${points(half)}`;
    table.append(element("tr", { class: kind }, element("th", { scope: "row" }, label), element("td", {}, cell)));
  };
  row("Win rate at the start", points(sums.start[0]));
  row(`The heroes’ decisions, against ${by} play`, signed(sums.hero_play[0]), sums.hero_play[1]);
  if (record.steps.some(({ side }) => side === "enemy")) {
    row(`The enemies’ decisions, against ${by} play`, signed(sums.enemy_play[0]), sums.enemy_play[1]);
  }
  row("Luck: dice, cards and what was hidden", signed(sums.luck[0]), sums.luck[1]);
  row(record.over ? "Result" : "Win rate at the last step", points(sums.end[0]), undefined, "total");
  $("luck").append(table);
  const text = `In points of win rate. A decision is worth the win rate of the option chosen less that of the position, both if ${by} play goes on from there; what changes until the next question is luck, which is 0 on average. ± is half the 95 % interval of the measurement.`;
  $("luck").append(element("p", { class: "soft" }, text));
  for (const [side, cost] of [["heroes", sums.hero_cost], ["enemies", sums.enemy_cost]]) {
    if (!cost[2]) continue;
    const whose = simulations ? "the planner’s choices" : "the best options";
    const all = `Against ${whose}, each judged by itself, the ${counted(cost[2], "decision")} of the ${side} lost ${points(cost[0])} ± ${points(cost[1])} points in all.`;
    $("luck").append(element("p", {}, all));
  }
}

// ---- the log, links and provenance --------------------------------------------------------------
function listLog() {
  let round = null;
  record.steps.forEach((decision, k) => {
    if (decision.round !== round) {
      round = decision.round;
      $("log").append(element("li", { class: "round" }, `Round ${round}`));
    }
    const link = element("a", { href: `#step=${k}` }, `Step ${k}`);
    const events = decision.events.map((event) => `${event}.`).join(" ");
    const item = element("li", { "data-step": k }, link, " ", element("b", {}, decision.text));
    item.append(events ? `: ${events}` : "");
    $("log").append(item);
  });
  const end = element("a", { href: `#step=${last()}` }, `Step ${last()}`);
  $("log").append(element("li", { "data-step": last() }, end, " ", element("b", {}, record.over ? "The end" : "Stopped here")));
}

function showLogged() {
  const log = $("log");
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = log.querySelector(`[data-step="${step}"]`);
  item.setAttribute("aria-current", "step");
  log.scrollTop = item.offsetTop - log.clientHeight / 3; // never scrolls the page
}

function showLinks() {
  const file = decodeURIComponent(location.pathname.split("/").at(-1)) || "game.html";
  const quoted = /^[\w.-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  $("link").textContent = `${file}#step=${step}`;
  $("fork").textContent = `agemonia review --fork ${quoted} --step ${step}`;
  const [ruleset] = record.game.env_id.split("-");
  $("python").textContent = `${ruleset}Env.from_review(${JSON.stringify(file)}, step=${step})`;
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("copied").textContent = `${what} copied.`;
  } catch {
    $("copied").textContent = `Cannot reach the clipboard; copy it by hand: ${text}`;
  }
}

function listMade() {
  const { command, policy, ...rest } = record.made;
  $("command").textContent = command;
  $("command").hidden = !command;
  const { env_id, fingerprint, core_seed, arguments: choices } = record.game;
  const { simulations, rollouts, played_by: by } = record.effort;
  const rows = {
    environment: env_id,
    scenario: choices.scenario,
    fingerprint,
    policy: policy || "not known",
    "core seed": BigInt(`0x${core_seed}`).toString(),
    planner: simulations ? `${counted(simulations, "simulation")} for each decision` : "not used",
    "win rates": rollouts ? `${counted(rollouts, "game")} by ${by} play from each option` : "not measured",
    ...rest,
  };
  listRows($("made"), rows);
  listRows($("arguments"), choices);
}

function listRows(list, rows) {
  for (const [name, value] of Object.entries(rows)) {
    if (value === null || value === "") continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    list.append(element("dt", {}, name.replaceAll("_", " ")), element("dd", {}, text));
  }
}

// ---- beginning ----------------------------------------------------------------------------------
const FILLED = ["turns", "log", "costs", "luck", "made", "arguments"];

async function begin() {
  record = await unpacked();
  for (const id of FILLED) $(id).replaceChildren(); // a page saved by a browser is full already
  boards = boardsOf(record.boards.steps);
  turns = turnsOf(record.steps);
  costly = costlyOf(record.judged);
  $("page").hidden = false;
  $("result").textContent = record.result.split("\n")[0];
  $("goal").textContent = record.goal;
  listTurns();
  listLog();
  explainCurve();
  listCosts();
  showTotals();
  listMade();
  drawCurve();
  listenToControls();
  $("copy-link").addEventListener("click", () => copy(location.href, "Link"));
  $("copy-fork").addEventListener("click", () => copy($("fork").textContent, "Command"));
  window.addEventListener("resize", drawCurve);
  go(addressed() ?? 0, { keepAddress: true });
  document.documentElement.dataset.ready = "yes";
}

begin().catch((error) => {
  const old = typeof DecompressionStream === "undefined";
  $("problem").textContent = old ? "This browser is too old to show the game: it cannot unpack the file." : `The game cannot be shown: ${error.message}`;
  $("problem").hidden = false;
});
