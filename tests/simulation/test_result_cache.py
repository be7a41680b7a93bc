"""Simulations in a folder: only missing and changed ones are played."""

import polars as pl
import pytest

from agemonia_env.simulation import result_cache
from agemonia_env.simulation.plan import make_plan
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.result_cache import CachedSimulation


def simulation(folder, games=300, name="ford by greedy/1", **choices):
    return CachedSimulation(make_plan("ford", 2, "greedy", games, **choices), folder, name)


def test_it_is_played_once(tmp_path, monkeypatch):
    one = simulation(tmp_path)
    assert one.rows() is None
    one.play(1, None)
    rows = one.rows()
    assert len(rows) == 300
    monkeypatch.setattr(result_cache, "rows_of", lambda *_: pytest.fail("played again"))
    simulation(tmp_path).play(2, None)
    assert simulation(tmp_path).rows().equals(rows)
    assert one.path.name.startswith("ford-by-greedy-1-")


def test_a_changed_simulation_replaces_the_old_one(tmp_path):
    one, other, stranger = (
        simulation(tmp_path, seed=1),
        simulation(tmp_path, seed=2),
        simulation(tmp_path, name="ford by greedy/12"),
    )
    for each in (one, stranger, other):
        each.play(1, None)
    assert sorted(tmp_path.iterdir()) == sorted([other.path, stranger.path])
    assert not one.is_played()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("g_1.npz against ford", "g-1.npz against ford"),
        ("Ärmel", "ärmel"),
        ("a" * 300 + "b", "a" * 300 + "c"),
        ("", "-"),
    ],
)
def test_names_that_look_alike_have_files_of_their_own(tmp_path, one, other):
    first, second = (simulation(tmp_path, games=20, name=name) for name in (one, other))
    first.play(1, None)
    second.play(1, None)
    assert first.is_played()
    assert second.is_played()
    assert first.path.name.lower() != second.path.name.lower()


def test_only_files_of_the_cache_are_deleted(tmp_path):
    one, changed = simulation(tmp_path, games=20, seed=1), simulation(tmp_path, games=20, seed=2)
    one.play(1, None)
    stem, chunks = one.path.name.partition(".")[0], tmp_path / f"{one.path.name}.parts"
    kept = [f"{stem}.md", f"{stem}.copy.parquet", f"{one.path.name}.bak", "ford-by-greedy-1.csv"]
    for name in kept:
        (tmp_path / name).write_text("my own")
    chunks.mkdir()
    (chunks / "notes.parquet").write_text("my own")
    (chunks / "plan.json").write_text("{}")
    changed.play(1, None)
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))
    assert found == sorted([*kept, changed.path.name, chunks.name, f"{chunks.name}/notes.parquet"])


def test_an_unfinished_simulation_is_resumed(tmp_path, monkeypatch):
    one = simulation(tmp_path, chunk=100)
    real, count = result_cache.rows_of, []

    def stopped_after_one(plan, threads, out, *more):
        parts = result_cache.CheckpointStore(plan, out)
        parts.open()
        parts.write(0, play_chunk(plan, 0, lambda games, wins: None))
        count.append(len(parts.missing()))
        raise KeyboardInterrupt

    monkeypatch.setattr(result_cache, "rows_of", stopped_after_one)
    with pytest.raises(KeyboardInterrupt):
        one.play(1, None)
    assert count == [2]
    monkeypatch.setattr(result_cache, "rows_of", real)
    one.play(1, None)
    whole = simulation(tmp_path / "other", chunk=100)
    whole.play(1, None)
    assert isinstance(one.rows(), pl.DataFrame)
    assert one.rows().equals(whole.rows())
