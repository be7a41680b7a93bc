"""Whatever is open on the table changes the observation, and what is hidden does not."""

import pytest

from agemonia_env.rulesets.agemonia.core.layout import STATE
from agemonia_env.rulesets.agemonia.core.terms import Decision, Kind, Phase
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games
from tests.observed import is_observed, put

HERO, ENEMY, AREA = 0, 0, 1
# Fields of figures that are no part of a position: the order in which a rule deals with several,
# and Enemies whose defeat is being resolved, in the middle of which nobody is asked
INTERNAL = {"ally": {"kind", "order"}, "enemy": {"order", "fallen"}, "figure": {"owner"}}


def changes_of(part, index, values=None, **special):
    """A change of every field of a record, at one place of each array."""
    found = []
    for name in STATE[part].base.names:
        if name in INTERNAL[part]:
            continue
        shape = STATE[part].base[name].shape
        value = special.get(name, 1 if values is None else values)
        found.append(put(f"{part}.{name}", value, index, *(0 for _ in shape)))
    return found


def pile(name, n):
    def change(states):
        """Move the top card of a deck to its discard."""
        card = states[name][0, states[n][0] - 1]
        states[n] -= 1
        states[f"{name}_discard"][0, states[f"{n}_discard"][0]] = card
        states[f"{n}_discard"] += 1

    change.__name__ = f"{name} discards"
    return change


def on_bar(bar):
    def change(states):
        states["card"], states["bar"] = 0, bar

    change.__name__ = f"bar {bar}"
    return change


def with_riposte(field, value):
    def change(states):
        states["ally"]["riposte"][0, HERO] = 2
        states["ally"][field][0, HERO] = value

    change.__name__ = f"{field}={value}"
    return change


OWN = {"riposte_range", "riposte_type", "riposte_when"}  # tested with a Riposte, below
ALLY = [
    one
    for one in changes_of("ally", HERO, 2, conditions=1 << 3, lapsing=1 << 3, missed=2, active=1,
                          token=1, area=AREA, special=2, uses=2, colour=1)
    if not any(f".{name}[" in one.__name__ for name in OWN)
]  # fmt: skip
ENEMIES = changes_of("enemy", ENEMY, 2, conditions=1 << 3, area=AREA, type=1)
FIGURES = [put("figure.area", AREA, 0)]
VISIBLE = [
    *(*ALLY, *ENEMIES, *FIGURES),
    *(put("ally.item", 3, HERO, k) for k in (1, 5, 11)),
    *(put("ally.slot", 1 << k, HERO) for k in (2, 7)),
    *(put("ally.once", 1 << k, HERO) for k in (2, 7)),
    *(put("ally.token", k, HERO) for k in (2, 7)),
    *(put("ally.conditions", 1 << k, HERO) for k in range(1, 11)),
    *(put("enemy.conditions", 1 << k, ENEMY) for k in range(1, 11)),
    *(put("ally.provoked", 1 << k, HERO) for k in (0, 15)),
    *(put("ally.lock_passive", 7, HERO, k) for k in (0, 7)),
    *(put("ally.lock_chips", 2, HERO, k) for k in (0, 7)),
    *(put("item", kind, AREA, 0) for kind in (0, 7)),
    *(put(name, 1, AREA) for name in ("trap", "allies_in", "enemies_in", "used", "rope")),
    *(put("token_colour", 1, AREA), put("read", 1), put("disarmed", 2), put("progress", 2)),
    *(put("defeated", 3, 1), put("story_tokens", 2), put("round", 9), put("phase", Phase.FATE)),
    *(put("decision", Decision.TARGET), put("asked", 1), put("limit", 4), put("actions", 1)),
    *(put("maneuvers", 3), put("active_ally", 1), put("active_enemy", 1), on_bar(3)),
    *(pile("initiative", "n_initiative"), put("timer_target", 9), put("event_due", 2)),
    *(put("roll." + name, 2) for name in ("dice", "successes", "symbols", "spoiled", "asked")),
    *(put("check." + name, 3) for name in ("number", "modifier", "boosted")),
    *(put("move." + name, 2) for name in ("points", "kind", "gem_used")),
    *(put("act." + name, 2) for name in ("row", "amount", "cursed")),
    *(put("attack." + name, 2) for name in ("row", "type", "left", "dice", "bonus", "pierce")),
    *(put("strike." + name, 2) for name in ("value", "loss")),
    *(with_riposte("riposte_range", k) for k in (-1, 2)),
    *(with_riposte("riposte_type", k) for k in (-1, 0, 2)),
    *(with_riposte("riposte_when", k) for k in (0, 1, 2)),
    *(put("flip_chips", 2), put("flip_excess", 2), put("spawn.left", 2), put("push.left", 2)),
]
HIDDEN = [
    *(put("chance", 99, k) for k in range(3)),
    *(put("decisions", 77), put("damage_dealt", 5), put("tasks", 3, 40), put("n_log", 1)),
    put("log", (1, 2, 3, 4, 5, 6), 0),
]


def opened():
    """A game in which everybody stands, in the first round."""
    games = Games(AGEMONIA, "ferry", 2, [1])
    assert games.states["ally"]["kind"][0, HERO] == Kind.HERO
    assert games.states["enemy"]["health"][0, ENEMY] > 0
    return games


@pytest.mark.parametrize("change", VISIBLE, ids=lambda change: change.__name__)
def test_open_changes_are_observed(change):
    assert is_observed(opened(), change)


@pytest.mark.parametrize("change", HIDDEN, ids=lambda change: change.__name__)
def test_hidden_changes_are_not_observed(change):
    assert not is_observed(opened(), change)


def test_different_ripostes_locks_and_bars_look_different():
    seen = set()
    for change in (*(with_riposte("riposte_type", k) for k in (-1, 0, 1, 2)),
                   *(with_riposte("riposte_when", k) for k in (1, 2)),
                   *(put("ally.lock_passive", k, HERO, 0) for k in range(5, 9)),
                   *(on_bar(k) for k in range(8))):  # fmt: skip
        games = opened()
        change(games.states)
        seen.add(games.observations().tobytes())
    assert len(seen) == 18
