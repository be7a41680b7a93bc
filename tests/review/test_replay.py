"""A review file plays on from any step as the game did, or says why it cannot."""

import json

import numpy as np
import pytest

from agemonia_env.envs import env_class
from agemonia_env.envs.copies import copies
from agemonia_env.files.embedded import embedded, extract
from agemonia_env.policies import policy_of
from agemonia_env.review.page import Made, write_page
from agemonia_env.review.play import record
from agemonia_env.review.recording import Recording
from agemonia_env.rulesets import recorded_game
from agemonia_env.rulesets.agemonia.envs.gauntlet import AgemoniaGauntletEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.rulesets.recorded_game import ReviewError
from tests.review.games import recorded


def test_any_step_is_the_recorded_position_and_goes_on_as_recorded(played, tmp_path):
    recording, positions = played
    path = tmp_path / "game.html"
    write_page(path, recording, Made())
    cls, n = type(recording.env), recording.steps
    assert n > 5
    for step in (0, 1, n // 2, n - 1, n):
        env = cls.from_review(path, step)
        assert env.get_state() == positions[step]
        assert env.states.tobytes() == recording.states[step].tobytes()
    env = cls.from_review(path, n // 2)
    for k in range(n // 2, n):
        env.set_streams({int(i): int(x, 16) for i, x in recording.streams[k].items()})
        env.step(recording.decisions[k].action)
        assert env.get_state() == positions[k + 1]  # steps, seeds and scenario included


def test_without_a_step_it_is_the_last_and_step_works_at_once(played, tmp_path):
    recording, positions = played
    path = tmp_path / "game.html"
    write_page(path, recording, Made())
    env = type(recording.env).from_review(path, log=True)
    assert env.get_state() == positions[-1]
    _, _, terminated, _, info = env.step(int(env.legal_actions()[0]))
    assert terminated or not info["illegal_action"]
    env.reset(seed=1)


def test_reviews_need_a_policy_s_draws_to_be_played_again():
    recording = recorded("Agemonia-v0", "random", 5)
    assert all(recording.streams)
    record(recording, policy_of(recording.env.ruleset, "greedy"), 9)
    assert not any(recording.streams[5:])


def test_illegal_actions_are_recorded_but_not_played_again(tmp_path):
    recording = recorded("Agemonia-v0")
    env, start = recording.env, recording.env.get_state()
    action = int(np.flatnonzero(~env.action_masks())[0])
    recording.before(action)
    env.step(action)
    recording.after(over=False)
    why = recording.decisions[0].why
    path = tmp_path / "game.html"
    write_page(path, recording, Made())
    assert AgemoniaEnv.from_review(path, 0).get_state() == start
    with pytest.raises(ReviewError) as caught:
        AgemoniaEnv.from_review(path)
    assert str(caught.value) == f"{path}: step 0: action {action} is illegal: {why}"


# ---- what is refused ----------------------------------------------------------------------------
@pytest.fixture
def file(tmp_path):
    """A file, and a function that changes its record."""
    path = tmp_path / "game.html"
    write_page(path, recorded("Agemonia-v0", "greedy", 12, seed=3, scenario="ford"), Made())

    def change(**values):
        changed = extract(path)
        changed["game"] |= values
        path.write_text(f"<html>{embedded(changed)}</html>", encoding="utf-8")

    return path, change


def refused(path, cls=AgemoniaEnv, step=None):
    with pytest.raises(ReviewError) as caught:
        cls.from_review(path, step)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


def test_other_environments_are_refused(file):
    assert "a game of Agemonia-v0, not of HexDungeon-v0" in refused(file[0], HexDungeonEnv)
    with pytest.raises(ValueError, match="one scenario, not a gauntlet"):
        AgemoniaGauntletEnv.from_review(file[0])


@pytest.mark.parametrize("step", [-1, 13, 2**70, "7", True])
def test_a_step_that_the_game_does_not_have_is_refused(file, step):
    whole = type(step) is int
    said = f"step {step}: the game has steps 0 to 12" if whole else "must be a whole number"
    assert said in refused(file[0], step=step)


def test_other_content_is_refused(file):
    path, change = file
    change(
        arguments=extract(path)["game"]["arguments"] | {"pack": "core; enemies.reedling.shield +1"}
    )
    assert "the scenario ford of the pack core; enemies" in (message := refused(path))
    assert "has changed: its fingerprint was" in message


def test_other_rules_are_refused_by_name(file):
    path, change = file
    identity = json.loads(json.dumps(extract(path)["game"]["identity"]))
    identity["sources"] = "0" * 16
    change(identity=identity)
    AgemoniaEnv.from_review(path)  # other sources that play alike
    name = next(name for name in identity["behaviour"] if "ford" in name)
    identity["behaviour"][name]["games"] = "0" * 16
    change(identity=identity)
    assert "the rules play differently in 1 of" in (message := refused(path))
    assert "ford" in message
    change(identity=identity | {"actions": "0" * 16})
    assert "actions have another layout" in refused(path)


def test_another_layout_of_states_is_refused(file):
    path, change = file
    change(state_layout="0" * 16)
    assert "states have another layout" in refused(path)


def test_a_game_that_goes_another_way_is_refused_with_the_step(file):
    path, change = file
    positions = extract(path)["game"]["positions"]
    change(positions=[*positions[:5], "0" * 16, *positions[6:]])
    assert "goes another way at step 5" in refused(path)
    AgemoniaEnv.from_review(path, 4)


def forged(env, game):
    """Give the positions of a changed game their own hashes, as a forger would."""
    env.reset(options={"core_seed": int(game["core_seed"], 16)})
    game["positions"] = [recorded_game.position_hash(env.states)]
    for action, streams in zip(game["actions"], game["streams"], strict=True):
        env.set_streams({int(number): int(value, 16) for number, value in streams.items()})
        env.step(action)
        game["positions"].append(recorded_game.position_hash(env.states))
    return game


def test_changed_actions_are_refused_even_with_hashes_of_their_own(file):
    path, change = file
    env, game = AgemoniaEnv("ford"), extract(path)["game"]
    recorded, random = list(game["actions"]), np.random.default_rng(5)
    for k in random.permutation(12)[:6]:
        other = int(random.integers(env.ruleset.N_ACTIONS))
        game["actions"] = [*recorded[:k], other, *recorded[k + 1 :]]
        change(**game)
        assert other == recorded[k] or refused(path)
        change(**forged(env, game))
        AgemoniaEnv.from_review(path, k)
        if other not in AgemoniaEnv.from_review(path, k).legal_actions():
            assert f"step {k}: action {other} is illegal: " in refused(path)


def test_dice_cannot_be_chosen_in_a_file(file):
    path, change = file
    game, stream = extract(path)["game"], AgemoniaEnv.ruleset.POLICY_STREAM
    game["streams"][3] = {str(stream): "7"}
    change(**forged(AgemoniaEnv("ford"), game))
    AgemoniaEnv.from_review(path)  # what a policy drew
    game["streams"][3] = {str(stream - 1): "7"}
    change(**forged(AgemoniaEnv("ford"), game))
    assert f"streams: policies draw from {stream} alone" in refused(path)


def test_a_game_has_no_steps_after_its_end(tmp_path):
    recording = recorded("Agemonia-v0", "greedy", scenario="ford", max_decisions=5)
    env, path = recording.env, tmp_path / "game.html"
    write_page(path, recording, Made())
    changed = extract(path)
    game = changed["game"]
    game["actions"].append(int(env.legal_actions()[0]))
    game["streams"].append({})
    forged(env, game)
    path.write_text(embedded(changed), encoding="utf-8")
    assert "step 5: the game is over after 5 steps" in refused(path)
    AgemoniaEnv.from_review(path, 4)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"actions": [10**6] * 12}, "actions must be below"),
        ({"actions": ["1"] * 12}, "damaged: actions"),
        ({"streams": []}, "its lists do not fit 12 steps"),
        ({"streams": [{"99": "0"}] * 12}, "policies draw from 7 alone"),
        ({"fingerprint": "\x1b[31m"}, "has changed: its fingerprint was '"),
        ({"positions": ["x"]}, "damaged: positions"),
        ({"arguments": {"heros": 2}}, "no argument 'heros'"),
        ({"arguments": {"heroes": 99}}, "heroes=99"),
        ({"arguments": {"log": True}}, "no argument 'log'"),
        ({"core_seed": "-1"}, "damaged: core_seed"),
        ({"core_seed": "f" * 16}, "core_seed="),
    ],
)
def test_damaged_games_are_refused(file, values, message):
    path, change = file
    change(**values)
    assert message in refused(path)


def test_damaged_files_are_refused(file):
    path, _ = file
    text = path.read_text(encoding="utf-8")
    at = text.index('id="record">') + 400
    for damaged in (text[:at] + "AAAA" + text[at + 4 :], text[:at] + text[at + 400 :]):
        path.write_text(damaged, encoding="utf-8")
        assert "is damaged" in refused(path)
    path.write_text(text[: len(text) // 2], encoding="utf-8")
    assert "has no record in it" in refused(path)
    path.write_text(f"<html>{embedded({'format': 'another'})}</html>", encoding="utf-8")
    assert "not a review of a game: its format is 'another'" in refused(path)
    path.write_text(f"<html>{embedded([1])}</html>", encoding="utf-8")
    assert "not a review of a game" in refused(path)
    path.unlink()
    assert "No such file" in refused(path)


def test_a_record_that_unpacks_without_end_is_refused(file, monkeypatch):
    monkeypatch.setattr("agemonia_env.files.embedded.MOST_UNPACKED", 1000)
    assert "its record is larger than 1,000 bytes" in refused(file[0])


def test_what_cannot_be_played_again_is_not_recorded():
    env = AgemoniaGauntletEnv()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="AgemoniaGauntletEnv cannot be recorded"):
        Recording(env)
    policy = policy_of(AgemoniaEnv.ruleset, "greedy")
    env = AgemoniaEnv(enemy_will="free", opponent=policy)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="opponent: must be given by name"):
        Recording(env)


@pytest.mark.parametrize("env_id", ["Agemonia-v0", "HexDungeon-v0"])
def test_position_hashes_change_with_every_byte(env_id):
    env = env_class(env_id)()
    env.reset(seed=1)
    state = copies(env.states)
    hashes = {recorded_game.position_hash(state)}
    for k in range(0, state.nbytes, 97):
        changed = copies(state)
        changed.view(np.uint8)[k] ^= 1
        hashes.add(recorded_game.position_hash(changed))
    assert len(hashes) == 1 + len(range(0, state.nbytes, 97))


def refusal(call, *arguments):
    """The message with which a call refuses its arguments; "" if it does not."""
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    return ""


ODD = [None, True, -1, 10**18, 1.5, "", "x" * 300, "\0", [], {}, [[]], {"a": 1}, ["ford"], "../x"]


def test_whatever_is_in_a_file_it_plays_or_is_refused_on_one_line(file):
    path, _ = file
    record = extract(path)
    game = record["game"]
    random = np.random.default_rng(5)
    places = [(game, key) for key in game] + [(game["arguments"], key) for key in game["arguments"]]
    for _ in range(80):
        part, key = places[random.integers(len(places))]
        before, part[key] = part[key], ODD[random.integers(len(ODD))]
        path.write_text(embedded(record), encoding="utf-8")
        assert "\n" not in refusal(AgemoniaEnv.from_review, path, 3)
        part[key] = before


def test_a_flipped_byte_is_never_played(file):
    path, _ = file
    data, good = bytearray(path.read_bytes()), extract(path)
    start = data.index(b'id="record">') + 12
    end = data.index(b"</script>", start)
    random = np.random.default_rng(5)
    for _ in range(60):
        at = int(random.integers(start, end))
        damaged = data.copy()
        damaged[at] ^= 1 << int(random.integers(8))
        path.write_bytes(damaged)
        message = refusal(extract, path)
        assert "\n" not in message
        assert message or extract(path) == good  # such as a bit of the padding
