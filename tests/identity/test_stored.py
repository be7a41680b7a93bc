"""Results, resumed after changes since they were made."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import agemonia_env
from agemonia_env import league
from agemonia_env.balance import analyse, compare
from agemonia_env.balance.study_result import JSON
from agemonia_env.league.report import JSON as RATINGS
from agemonia_env.policies import named
from agemonia_env.rulesets.identity import identity_of
from agemonia_env.simulation import play, result_cache, run
from agemonia_env.simulation.checkpoints import MARK, CheckpointStore
from agemonia_env.simulation.plan import make_plan
from agemonia_env.simulation.result_cache import CachedSimulation
from agents import evaluate, results
from tests.identity import changes
from tests.identity.changes import ENV, RENAMED, TOUGHER

ALIKE = "though the rules play alike"
DIFFERENT = "the rules play differently in 2 of 13 scenarios: ford, toll"
RULES = [
    (changes.comment, ALIKE),
    (changes.rule, DIFFERENT),
    (changes.fields, "observations have another layout"),
    (changes.answers, "actions have another layout"),
]
SAME = [changes.nothing, changes.another_scenario]
PACKS = [TOUGHER, RENAMED]


@pytest.fixture(autouse=True)
def identity_afresh():
    yield
    identity_of.cache_clear()


# ---- resuming -----------------------------------------------------------------------------------
def finished(folder, pack="core"):
    agemonia_env.simulate("ford", games=40, out=folder / "games.parquet", pack=pack)


def unfinished(folder, pack="core"):
    """One chunk of a simulation, and then the rest."""
    out = folder / "games.parquet"
    if not out.with_name("games.parquet.parts").exists():
        parts = CheckpointStore(make_plan("ford", 2, "greedy", 40, chunk=20, pack=pack), out)
        parts.open()
        parts.write(0, play.play_chunk(parts.plan, 0, lambda games, wins: None))
    else:
        agemonia_env.simulate("ford", games=40, chunk=20, out=out, pack=pack)


def compared(folder, pack="core"):
    compare(b="heroes.orsa.blue +1", pack=pack, games=100, out=folder / "study")


def analysed(folder, pack="core"):
    analyse(pack=pack, games=100, out=folder / "study")


REFUSING = [finished, unfinished, compared, analysed]


@pytest.mark.parametrize("store", REFUSING)
@pytest.mark.parametrize(("change", "message"), RULES)
def test_other_sources_are_refused_with_the_difference(
    tmp_path, store, change, message, monkeypatch
):
    store(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    changes.make(change, monkeypatch)
    with pytest.raises(ValueError, match=message) as error:
        store(tmp_path)
    assert "--force" in str(error.value)
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


@pytest.mark.parametrize("store", REFUSING)
@pytest.mark.parametrize("pack", PACKS)
def test_another_scenario_or_name_is_refused(tmp_path, store, pack):
    store(tmp_path)
    with pytest.raises(ValueError, match=r"Ford of Names|per_hero"):
        store(tmp_path, pack)


@pytest.mark.parametrize("store", REFUSING)
@pytest.mark.parametrize("change", SAME)
def test_runs_of_the_same_rules_resume(tmp_path, store, change, monkeypatch):
    store(tmp_path)
    changes.make(change, monkeypatch)
    store(tmp_path)


def test_games_played_before_are_not_played_again(tmp_path, monkeypatch):
    unfinished(tmp_path)
    changes.make(changes.another_scenario, monkeypatch)
    played, whole = [], play.play_chunk
    counted = lambda plan, chunk, tell: played.append(chunk) or whole(plan, chunk, tell)  # noqa: E731
    monkeypatch.setattr(run, "play_chunk", counted)
    unfinished(tmp_path)
    assert played == [1]


def test_a_file_without_identity_is_not_complete(tmp_path):
    finished(tmp_path)
    out = tmp_path / "games.parquet"
    record = json.loads(pl.read_parquet_metadata(out)[MARK])
    del record["identity"]
    pl.read_parquet(out).write_parquet(out, metadata={MARK: json.dumps(record)})
    with pytest.raises(ValueError, match="holds something else"):
        finished(tmp_path)


def test_the_code_that_plays_a_model_counts_as_the_model(tmp_path, monkeypatch):
    path, module = tmp_path / "m.safetensors", "fastmask"
    path.write_bytes(b"weights")
    plan = replace(make_plan("ford", 2, "greedy", 40), policy=str(path))
    before, found = plan.models(), named.file_of
    assert plan.models() == before
    edited = tmp_path / f"{module}.py"
    edited.write_bytes(found(module).read_bytes() + b"# edited")
    monkeypatch.setattr(named, "file_of", lambda one: edited if one == module else found(one))
    assert plan.models() != before


# ---- replacing ----------------------------------------------------------------------------------
@pytest.mark.parametrize("change", [change for change, _ in RULES])
def test_cached_games_of_other_sources_are_played_again(tmp_path, change, monkeypatch):
    CachedSimulation(make_plan("ford", 2, "greedy", 40), tmp_path, "one").play(1, None)
    changes.make(change, monkeypatch)
    again = CachedSimulation(make_plan("ford", 2, "greedy", 40), tmp_path, "one")
    assert again.rows() is None
    again.play(1, None)
    assert [path.name for path in tmp_path.iterdir()] == [again.path.name]


@pytest.mark.parametrize("pack", PACKS)
def test_cached_games_of_another_scenario_or_name_are_played_again(tmp_path, pack):
    CachedSimulation(make_plan("ford", 2, "greedy", 40), tmp_path, "one").play(1, None)
    assert not CachedSimulation(
        make_plan("ford", 2, "greedy", 40, pack=pack), tmp_path, "one"
    ).is_played()


@pytest.mark.parametrize("change", SAME)
def test_cached_games_of_the_same_rules_are_reused(tmp_path, change, monkeypatch):
    CachedSimulation(make_plan("ford", 2, "greedy", 40), tmp_path, "one").play(1, None)
    changes.make(change, monkeypatch)
    assert CachedSimulation(make_plan("ford", 2, "greedy", 40), tmp_path, "one").is_played()


@pytest.mark.parametrize(
    ("change", "pack", "again"),
    [
        (changes.nothing, "core", 0),
        (changes.another_scenario, "core", 0),
        (changes.comment, "core", 2),
        (changes.rule, "core", 2),
        (changes.fields, "core", 2),
        (changes.nothing, TOUGHER, 2),
        (changes.nothing, RENAMED, 2),
    ],
)
def test_a_league_replays_games_of_other_rules(tmp_path, change, pack, again, monkeypatch):
    options = {"games": 20, "orders": 2, "out": tmp_path}
    league.play(["random", "greedy"], "ford", **options)
    changes.make(change, monkeypatch)
    played, real = [], result_cache.rows_of
    monkeypatch.setattr(result_cache, "rows_of", lambda *what: played.append(what) or real(*what))
    league.play(["random", "greedy"], "ford", pack=pack, **options)
    assert len(played) == again
    assert json.loads((tmp_path / RATINGS).read_text())["identity"] == identity_of(ENV)


# ---- the page of results --------------------------------------------------------------------
CARD = {
    "games": 40,
    "seed": 5,
    "settings": {"ford": {"scenario": "ford", "heroes": 2}},
    "heroes": [{"name": "greedy", "policy": "greedy"}],
}


@pytest.mark.parametrize(
    ("change", "known"),
    [
        (changes.nothing, True),
        (changes.comment, True),  # of numbers that took hours, behaviour counts
        (changes.another_scenario, False),
        (changes.rule, False),
    ],
)
def test_published_numbers_are_reused_while_the_rules_play_alike(
    tmp_path, change, known, monkeypatch
):
    here, elsewhere = (results.Work(CARD, tmp_path / name) for name in ("here", "elsewhere"))
    (cell,) = here.cells()
    results.games_of(here, cell).play(1, None)
    published, unknown = results.facts_of(here, {})
    assert not unknown
    changes.make(change, monkeypatch)
    assert (results.facts_of(elsewhere, published)[0]["rows"] == published["rows"]) == known


# ---- reports ------------------------------------------------------------------------------------
def test_reports_name_versions_and_rules(tmp_path, monkeypatch):
    compared(tmp_path)
    record = json.loads((tmp_path / "study" / JSON).read_text())
    assert record["identity"]["behaviour"] == identity_of(ENV)["behaviour"]
    assert evaluate.main(["--games", "40", "--out", str(tmp_path / "judged")]) == 0
    evaluation = json.loads((Path(tmp_path) / "judged" / "evaluation.json").read_text())
    assert evaluation["identity"] == identity_of(ENV)
