// Shares and their intervals as texts, in percent and in points.

const WIDEST = 0.5; // of an interval that says anything

export const hundredths = (share) => (100 * share).toFixed(1);

export const percent = (share) => `${hundredths(share)} %`;

/** A difference of shares, with its sign. */
export const points = (share) => `${share < 0 ? "−" : "+"}${hundredths(Math.abs(share))}`;

/** An interval, if it is worth reading; write: a share -> its text. */
export function range([low, high], write = hundredths) {
  return high - low > WIDEST ? "too few games" : `${write(low)} to ${write(high)}`;
}
