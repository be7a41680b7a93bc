"""Objectives that can never be met, or are met before anybody has moved."""

import pytest

from agemonia_env.rulesets.agemonia import content

YARD, KEEP = "scenarios/yard.yaml", "scenarios/keep.yaml"
LARGE_PARTY = [{"type": "rat", "area": "B", "min_heroes": 2}]
RAT_TRAP = {"health": 1, "colour": "red", "defeat": {"set_trap": {"range": 0}}}


def reinforce(**event):
    """An event that brings two rats."""
    return {"events": [event | {"effects": [{"reinforce": {"type": "rat", "area": "B"}}] * 2}]}


def never(number, most, party="1 Hero"):
    return f"objective.number: {number} can never be reached with {party}; at most: {most}"


def at_once(kind, party="1 Hero"):
    return f"objective: {kind} is met with {party} before anybody has moved"


@pytest.mark.parametrize(
    ("objective", "more", "mistake"),
    [
        ({"kind": "defeat_type", "type": "rat", "number": 2}, {}, never(2, 1)),
        (
            {"kind": "defeat_type", "type": "rat", "number": 99},
            reinforce(when="round", number=2),
            never(99, 3, "2 Heroes"),
        ),
        (
            {"kind": "defeat_type", "type": "rat", "number": 1},
            {"setup": LARGE_PARTY},
            "objective.type: no rat ever comes with 1 Hero",
        ),
        ({"kind": "collect", "item": "coin", "number": 2}, {}, never(2, 1)),
        ({"kind": "disarm", "number": 1}, {}, never(1, 0)),
        ({"kind": "advance", "number": 1}, {}, never(1, 0)),
        ({"kind": "hold", "number": 9}, {"last_round": 8}, never(9, 8)),
        (
            {"kind": "escort", "ally": "stray", "areas": ["B"]},
            {"allies": [{"ally": "stray", "joins": True}]},
            "objective.ally: stray never joins; an effect `join` would bring it",
        ),
        ({"kind": "defeat_all"}, {"setup": LARGE_PARTY}, at_once("defeat_all")),
        ({"kind": "reach", "areas": ["A", "B"]}, {}, at_once("reach", "2 Heroes")),
        ({"kind": "collect", "item": "sword", "number": 1}, {}, at_once("collect")),
        (
            {"kind": "escort", "ally": "stray", "areas": ["A"]},
            {"allies": [{"ally": "stray"}]},
            at_once("escort"),
        ),
    ],
    ids=str,
)
def test_an_objective_without_a_game_is_refused(files, build, objective, more, mistake):
    files[YARD] |= {"objective": objective, **more}
    assert f"{YARD}: {mistake}" in content.check(build())


@pytest.mark.parametrize(
    ("objective", "more"),
    [
        ({"kind": "defeat_type", "type": "rat", "number": 1}, {}),
        ({"kind": "defeat_type", "type": "rat", "number": 3}, reinforce(when="round", number=2)),
        (
            {"kind": "defeat_type", "type": "rat", "number": 99},
            reinforce(when="timer") | {"timer": {"target": 2, "repeats": True}},
        ),
        (  # spawned
            {"kind": "defeat_type", "type": "drone", "number": 99},
            {"setup": [{"type": "queen", "area": "B"}]},
        ),
        ({"kind": "collect", "item": "coin", "number": 1}, {}),  # left by the rat
        ({"kind": "disarm", "number": 3}, {"setup": [{"type": "queen", "area": "B"}]}),
        ({"kind": "hold", "number": 8}, {"last_round": 8}),
        ({"kind": "hold", "number": 8}, {}),
        ({"kind": "reach", "areas": ["B"]}, {}),
        (
            {"kind": "defeat_all"},
            {"setup": LARGE_PARTY} | reinforce(when="round", number=1),
        ),
        (
            {"kind": "escort", "ally": "golem", "areas": ["A"]},  # an effect of Bert summons it
            {"allies": [{"ally": "golem", "joins": True}], "heroes": ["bert"]},
        ),
    ],
    ids=str,
)
def test_an_objective_that_can_be_met_passes(files, build, objective, more):
    files[YARD] |= {"objective": objective, **more}
    assert content.check(build()) == []


def test_a_difficulty_can_make_an_objective_impossible(files, build):
    files[KEEP] |= {"objective": {"kind": "hold", "number": 7}}  # hard: two rounds fewer
    assert content.check(build()) == [
        f"{KEEP}: {never(7, 6, party)}" for party in ("1 Hero", "2 Heroes")
    ]


def test_items_that_a_party_brings_are_no_mistake(build):
    """A gauntlet carries over what was collected before."""
    folder = build()
    party = [{"hero": "bert", "items": ["spear", "coin"]}]
    pack = f"{folder}; scenarios.yard.objective = {{kind: collect, item: coin, number: 1}}"
    assert content.compile_scenario(pack, "yard", party).names.scenario == "The Yard"
