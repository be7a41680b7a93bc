// Whether a win rate is what was wanted, in words.

const whole = (share) => `${Number((100 * share).toFixed(1))}`;

/**
 * {met: "yes", "perhaps" or "no", text} for rate b of a summary, a target and its tolerance;
 * "unchanged" while the games are those of the pack as it was opened: nobody has tried to meet it.
 */
export function targetText(
  {
    b,
    rates: {
      b: [low, high],
    },
    over,
    alike,
    alone,
  },
  target,
  within,
) {
  const [least, most] = [target - within, target + within];
  const band = `${whole(least)} to ${whole(most)} %`;
  if (alike && !alone) {
    const place = b < least ? "below" : b > most ? "above" : "within";
    return { met: "unchanged", text: `Unchanged, the win rate lies ${place} your target, ${band}.` };
  }
  if (low >= least && high <= most)
    return { met: "yes", text: `Met: the whole interval lies within ${band}.` };
  if (high < least)
    return { met: "no", text: `Too hard: at least ${whole(least - high)} points below ${band}.` };
  if (low > most)
    return { met: "no", text: `Too easy: at least ${whole(low - most)} points above ${band}.` };
  if (b >= least && b <= most) {
    const more = over ? "play more pairs to be sure" : "still playing";
    return {
      met: "perhaps",
      text: `Met by the estimate; its interval reaches beyond ${band}: ${more}.`,
    };
  }
  const side = b < least ? "a little too hard" : "a little too easy";
  return { met: "no", text: `Not met: ${side} for ${band}, as far as these games tell.` };
}
