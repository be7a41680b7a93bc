"""Changes since something was stored, as its identity shows them."""

import numpy as np

from agemonia_env.rulesets import identity
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA

ENV = AGEMONIA.env_id
RENAMED = 'core; scenarios.ford.name = "Ford of Names"'
TOUGHER = "core; enemies.reedling.health.per_hero +1"
OTHER = "0123456789abcdef"


def make(change, monkeypatch):
    """Make everything look as after this change."""
    change(monkeypatch)
    identity.identity_of.cache_clear()


def nothing(monkeypatch):
    """All is as it was."""


def comment(monkeypatch, sources=OTHER):
    """Other sources, which play alike."""
    monkeypatch.setattr(identity, "sources_of", lambda env, *more: sources)


def rule(monkeypatch):
    """Other sources, which play differently in two scenarios."""
    play(monkeypatch, ford={"games": OTHER}, toll={"games": OTHER})
    comment(monkeypatch, OTHER[::-1])


def another_scenario(monkeypatch):
    """Other numbers, and so other games, of a scenario that nobody plays here."""
    play(monkeypatch, toll={"content": OTHER, "games": OTHER})


def comment_and_scenario(monkeypatch):
    """Both of these."""
    another_scenario(monkeypatch)
    comment(monkeypatch)


def play(monkeypatch, **changed):
    """Make the rules play differently in some scenarios."""
    found = identity.identity_of(ENV)["behaviour"]
    found = {name: hashes | changed.get(name, {}) for name, hashes in found.items()}
    monkeypatch.setattr(identity, "cached_behaviour", lambda rules: found)


def fields(monkeypatch):
    """Two fields of the observation, of the same size, have changed places."""
    comment(monkeypatch)
    old = AGEMONIA.OBS
    names = exchanged(list(old.names), "enemy_side", "free_will")
    new = np.dtype([(name, old[name]) for name in names])
    assert new.itemsize == old.itemsize
    monkeypatch.setitem(AGEMONIA.__dict__, "OBS", new)


def answers(monkeypatch):
    """Two blocks of actions, of the same size, have changed places."""
    comment(monkeypatch)
    blocks = {name: (name, *more) for name, *more in AGEMONIA.BLOCKS}
    names = exchanged(list(blocks), "YES", "NO")
    monkeypatch.setitem(AGEMONIA.__dict__, "BLOCKS", tuple(blocks[name] for name in names))


def exchanged(names, one, other):
    i, j = names.index(one), names.index(other)
    names[i], names[j] = other, one
    return names
