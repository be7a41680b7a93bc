"""The exact distribution of what a roll comes to: an attack, an active or a reactive check.

The dice are those of a pack. An extra die may bring another one without end (R3.2); what is above
MOST successes is one result, so the probabilities stay exact and add up to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from ..content.load import load_pack
from ..content.words import FACES
from ..core.layout import FACE_EXTRA, FACE_SYMBOL
from ..core.rules.checks import HINDERED_PENALTY, SYMBOL_MAX

MOST = 30  # successes that are told apart
MOST_DICE = 12

Rolls = dict[tuple[int, int], Fraction]  # (successes, symbols) -> probability
Distribution = dict[int, Fraction]  # amount -> probability


@dataclass(frozen=True)
class Dice:
    """The faces of a die, as content.words.FACES has them, and how many are rolled."""

    faces: tuple[int, ...]
    n: int

    def rolls(self) -> Rolls:
        """R3.1, R3.2, R3.6 - successes and symbols of the roll, extra dice included."""
        found: Rolls = {(0, 0): Fraction(1)}
        for _ in range(self.n):
            found = joined(found, self.one())
        return found

    def one(self) -> Rolls:
        """The same of one die: k extra dice, k successes, and then another face."""
        share = Fraction(1, len(self.faces))
        extra = share * self.faces.count(FACE_EXTRA)
        found: Rolls = {(MOST, 0): extra**MOST} if extra else {}
        for k in range(MOST if extra else 1):
            for face in self.faces:
                if face != FACE_EXTRA:
                    symbol = face == FACE_SYMBOL
                    key = min(MOST, k + (0 if symbol else face)), int(symbol)
                    found[key] = found.get(key, Fraction(0)) + extra**k * share
        return found


def joined(one: Rolls, other: Rolls) -> Rolls:
    """Two independent rolls together."""
    found: Rolls = {}
    for (a, b), share in one.items():
        for (c, d), more in other.items():
            key = min(MOST, a + c), b + d
            found[key] = found.get(key, Fraction(0)) + share * more
    return found


def action_dice(n: int, pack: str = "core") -> Dice:
    """N Action dice. Raises ValueError."""
    return _dice(load_pack(pack).card.rulings.action_die, n)


def reaction_dice(n: int, pack: str = "core") -> Dice:
    """N Reaction dice. Raises ValueError."""
    return _dice(load_pack(pack).card.rulings.reaction_die, n)


def _dice(faces: Iterable[int | str], n: int) -> Dice:
    if not 0 <= n <= MOST_DICE:
        raise ValueError(f"{n} dice; 0 to {MOST_DICE} are allowed")
    return Dice(tuple(FACES[face] for face in faces), n)


def attack(
    dice: Dice, *, bonus: int = 0, stamina: int = 0, shield: int = 0, obstructed: bool = False
) -> Distribution:
    """R3.3, R9.4, R9.5, R9.20 - damage of an attack whose roller spends what its S-symbols take.

    stamina: that may be spent. obstructed: aim.
    """
    less = shield + obstructed
    return amounts(dice, lambda hits, s: max(0, hits + bonus + paid(s, stamina) - less))


def check(
    dice: Dice, *, modifier: int = 0, stamina: int = 0, hindered: bool = False
) -> Distribution:
    """R3.3, R3.11, R3.13 - the total of an active check."""
    less = HINDERED_PENALTY * hindered
    return amounts(dice, lambda hits, s: hits + modifier + paid(s, stamina) - less)


def hit(dice: Dice, value: int, *, bonus: int = 0, h_worth: int = 0) -> Distribution:
    """R3.16, R3.17, R3.6 - what a reactive check leaves of an attack's value.

    h_worth: successes of each H face.
    """
    return amounts(dice, lambda hits, h: max(0, value - max(0, hits + bonus + h_worth * h)))


def paid(symbols: int, stamina: int) -> int:
    """R3.3 - successes for stamina put on S-symbols."""
    return min(stamina, SYMBOL_MAX * symbols)


def amounts(dice: Dice, worth: Callable[[int, int], int]) -> Distribution:
    """What a roll is worth -> its probability, ascending."""
    found: Distribution = {}
    for (hits, symbols), share in dice.rolls().items():
        amount = worth(hits, symbols)
        found[amount] = found.get(amount, Fraction(0)) + share
    return dict(sorted(found.items()))


def at_least(found: Distribution, amount: int) -> Fraction:
    """The probability of an amount or more."""
    return sum((share for n, share in found.items() if n >= amount), Fraction(0))


def mean(found: Distribution) -> Fraction:
    """The mean of a distribution."""
    return sum((n * share for n, share in found.items()), Fraction(0))
