// The numbers of a comparison: seeds of games, sums over pairs of them, and 95 % intervals.
//
// The same as in Python, digit for digit: simulation/plan.py (seeds), balance/accumulator.py and
// balance/interval.py, simulation/interval.py.

const MASK = (1n << 64n) - 1n;
const MULTIPLIERS = [0xd2e7470ee14c6c93n, 0xca5a826395121157n]; // of Philox4x64
const STEPS = [0x9e3779b97f4a7c15n, 0xbb67ae8584caa73bn]; // by which its key grows
const ROUNDS = 10;
const PER_DRAW = 4; // numbers that it draws at once
const STREAM = 0x6a3e5n; // keeps game seeds apart from other uses of a seed

/** Seeds of the games `first` to `first + n - 1` of a run, BigInt below 2**63. */
export function gameSeeds(seed, first, n) {
  const found = [];
  const skipped = first % PER_DRAW;
  for (let draw = Math.floor(first / PER_DRAW); found.length < skipped + n; draw++) {
    found.push(...philox(BigInt(draw) + 1n, [BigInt(seed), STREAM]));
  }
  return found.slice(skipped, skipped + n).map((number) => number >> 1n);
}

/** The four numbers of 64 bits at a place of the counter. */
function philox(counter, [keyA, keyB]) {
  let [a, b, c, d] = [counter, 0n, 0n, 0n];
  for (let round = 0; round < ROUNDS; round++) {
    const left = MULTIPLIERS[0] * a;
    const right = MULTIPLIERS[1] * c;
    [a, b, c, d] = [(right >> 64n) ^ b ^ keyA, right & MASK, (left >> 64n) ^ d ^ keyB, left & MASK];
    keyA = (keyA + STEPS[0]) & MASK;
    keyB = (keyB + STEPS[1]) & MASK;
  }
  return [a, b, c, d];
}

// ---- sums over pairs -------------------------------------------------------------------------
const EXTRA_SQUARES = 2; // squared differences added: equal pairs prove no equality

/** No pairs yet; a, b: games won; apart: pairs of which one was won. */
export const NO_PAIRS = { pairs: 0, a: 0, b: 0, apart: 0 };

export function added(one, other) {
  const sum = (name) => one[name] + other[name];
  return { pairs: sum("pairs"), a: sum("a"), b: sum("b"), apart: sum("apart") };
}

/** Means of a and b, the mean difference b - a, and the variance of one; alike: the same games. */
export function differenceOf({ pairs: n, a, b, apart }, alike = false) {
  const variance = (n * apart - (b - a) ** 2) / n ** 2;
  return {
    pairs: n,
    a: a / n,
    b: b / n,
    difference: (b - a) / n,
    variance: alike ? 0 : variance + EXTRA_SQUARES / n,
  };
}

// ---- intervals -------------------------------------------------------------------------------
const Z = 1.9599639845400536; // of 95 %, both sides
const ALPHA = 0.05;

/** Half-width after a number of pairs fixed in advance. */
export const oneLook = (pairs, variance) => Z * Math.sqrt(variance / pairs);

/** Half-width that holds whenever one looks; it is narrowest at `tightest` pairs. */
export function anyLook(pairs, variance, tightest) {
  const rho2 = (Math.log(1 - 2 * Math.log(ALPHA)) - 2 * Math.log(ALPHA)) / tightest;
  const mixed = pairs * rho2 + 1;
  return Math.sqrt((variance * 2 * mixed * Math.log(Math.sqrt(mixed) / ALPHA)) / rho2) / pairs;
}

/** The 95 % interval of a win rate after a number of games fixed in advance. */
export function wilson(wins, games) {
  const rate = wins / games;
  const spread = (Z * Z) / games;
  const centre = rate + spread / 2;
  const half = Math.sqrt(spread * (rate * (1 - rate) + spread / 4));
  const [low, high] = [(centre - half) / (1 + spread), (centre + half) / (1 + spread)];
  return [Math.max(0, Math.min(low, rate)), Math.min(1, Math.max(high, rate))];
}

/** What there is to say of the pairs so far, of `planned`: shares and their 95 % intervals. */
export function summary(sums, planned, alike = false) {
  const found = differenceOf(sums, alike);
  const over = sums.pairs >= planned;
  const half = over
    ? oneLook(sums.pairs, found.variance)
    : anyLook(sums.pairs, found.variance, planned);
  const rate = (wins) => (over ? wilson(wins, sums.pairs) : watched(wins, sums.pairs, planned));
  return {
    ...found,
    over,
    low: found.difference - half,
    high: found.difference + half,
    rates: { a: rate(sums.a), b: rate(sums.b) },
  };
}

/** The interval of a win rate while games are still played. */
function watched(wins, games, planned) {
  const rate = wins / games;
  const half = anyLook(games, rate * (1 - rate) + EXTRA_SQUARES / games, planned);
  return [Math.max(0, rate - half), Math.min(1, rate + half)];
}
