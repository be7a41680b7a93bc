"""Objectives that can never be met, or are met before anybody has moved."""

import pytest

from agemonia_env.rulesets.agemonia import content

YARD, KEEP = "scenarios/yard.yaml", "scenarios/keep.yaml"
LARGE_PARTY = [{"type": "rat", "area": "B", "min_heroes": 2}]
LEVELS = {name: {"target": 0.5} for name in ("easy", "normal", "hard", "brutal")}
NEVER_ALL = "objective: defeat_all can never be met"


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
            {"kind": "escort", "ally": "golem", "areas": ["B"]},  # Bert alone summons it
            {"allies": [{"ally": "golem", "joins": True}]},
            "objective.ally: golem never joins; an effect `join` would bring it",
        ),
        (  # it comes too late to be defeated
            {"kind": "defeat_type", "type": "rat", "number": 3},
            reinforce(when="round", number=8) | {"last_round": 8},
            never(3, 1, "2 Heroes"),
        ),
        (
            {"kind": "defeat_all"},
            reinforce(when="round", number=8) | {"last_round": 8},
            f"{NEVER_ALL} with 1 Hero; the scenario ends before events[0]",
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
        f"{KEEP}: {never(7, 6, party)} (at hard)" for party in ("1 Hero", "2 Heroes")
    ]


EFFECT = [{"give_gem": 1}]
BOX = {"text": "-", "area": "B"}


@pytest.mark.parametrize(
    ("more", "mistake"),
    [
        # events that never come
        (
            {"last_round": 8, "events": [{"when": "round", "number": 9, "effects": EFFECT}]},
            "events[0].number: round 9 never comes; allowed: 1 to 8",
        ),
        (
            {"objective": {"kind": "hold", "number": 5}}
            | {"events": [{"when": "round", "number": 6, "effects": EFFECT}]},
            "events[0].number: round 6 never comes; allowed: 1 to 5",
        ),
        ({"events": [{"when": "timer", "effects": EFFECT}]}, "events[0].when: no timer runs; `ti"),
        ({"events": [{"when": "tokens", "number": 1, "effects": EFFECT}]}, "events[0].when: no En"),
        (
            {"events": [{"when": "defeat", "type": "rat", "number": 2, "effects": EFFECT}]},
            "events[0].number: 2 of rat can never be defeated; at most: 1",
        ),
        (  # the third rat is brought by its own defeat
            reinforce(when="defeat", type="rat", number=3),
            "events[0].number: 3 of rat can never be defeated; at most: 1",
        ),
        # timers
        (
            {"last_round": 8, "timer": {"round": 9, "target": 2}}
            | {"events": [{"when": "timer", "effects": EFFECT}]},
            "timer.round: round 9 never comes; allowed: 1 to 8",
        ),
        (
            {"last_round": 8, "timer": {"round": 7, "target": 7}}
            | {"events": [{"when": "timer", "effects": EFFECT}]},
            "timer.target: 7 can never be reached; the Fate cards of its rounds are at most 6 toge",
        ),
        ({"timer": {"target": 2}}, "timer: nothing happens at its sum; an event `when: timer`"),
        (
            {"sections": {"box": BOX | {"effects": [{"start_timer": 2}]}}},
            "sections.box.effects[0].start_timer: nothing happens at its sum; an event `when: ",
        ),
        (
            {"sections": {"box": BOX | {"effects": [{"stop_timer": True}]}}},
            "sections.box.effects[0].stop_timer: no timer runs; `timer` or an effect `start_timer`",
        ),
        # keys that nothing reads
        (
            {"sections": {"box": BOX | {"effects": [{"advance": 1}]}}},
            "sections.box.effects[0].advance: only an objective of kind advance counts steps",
        ),
        (
            {"sections": {"box": BOX | {"effects": [{"fail": True}, *EFFECT]}}},
            "sections.box.effects[1]: never happens; an effect before it ends the scenario",
        ),
        ({"sections": {"box": BOX | {"range": 1}}}, "sections.box: a section on entry has no rang"),
        (
            {"objective": {"kind": "defeat_all", "number": 1, "areas": ["A"]}},
            "objective: objective defeat_all does not read number and areas; allowed: none",
        ),
        (
            {"events": [{"when": "story", "section": "box", "type": "rat", "effects": EFFECT}]},
            "events[0]: an event when: story does not read type; allowed: section",
        ),
        ({"allies": [{"ally": "stray", "joins": True}]}, "allies[0].joins: stray never joins"),
        (
            {"allies": [{"ally": "stray", "joins": True, "area": "B"}]},
            "allies[0]: area: the effect `join` says where an Ally that joins appears",
        ),
        ({"difficulty": LEVELS | {"hard": {"target": 0, "timer": 1}}}, "difficulty.hard.timer: "),
        ({"difficulty": LEVELS | {"easy": {"target": 1, "rounds": 1}}}, "difficulty.easy.rounds: "),
    ],
    ids=str,
)
def test_what_never_happens_or_changes_nothing_is_refused(files, build, more, mistake):
    files[YARD] |= more
    found = content.check(build())
    assert len(found) == 1, found
    assert found[0].startswith(f"{YARD}: {mistake}")


def test_a_round_that_comes_at_one_difficulty_passes(files, build):
    files[KEEP]["events"].append({"when": "round", "number": 8, "effects": EFFECT})  # hard: 6
    assert content.check(build()) == []


def test_a_defeat_that_waits_for_an_enemy_at_one_difficulty_names_it(files, build):
    files[KEEP] |= {"objective": {"kind": "defeat_all"}}
    files[KEEP]["events"] += reinforce(when="round", number=7)["events"]
    late = "the scenario ends before events[3] (at hard)"
    assert content.check(build()) == [
        f"{KEEP}: {NEVER_ALL} with {party}; {late}" for party in ("1 Hero", "2 Heroes")
    ]


def test_items_that_a_party_brings_are_no_mistake(build):
    """A gauntlet carries over what was collected before."""
    folder = build()
    party = [{"hero": "bert", "items": ["spear", "coin"]}]
    pack = f"{folder}; scenarios.yard.objective = {{kind: collect, item: coin, number: 1}}"
    assert content.compile_scenario(pack, "yard", party).names.scenario == "The Yard"
