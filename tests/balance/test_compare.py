"""Two variants on the same seeds: exact where they must be, on any number of threads."""

import io
import json
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import agemonia_env
from agemonia_env.balance import analyse, compare, pairs, study_config, variant
from agemonia_env.balance.accumulator import SUMS, Accumulator, empty, metrics_of
from agemonia_env.balance.comparison import Comparison
from agemonia_env.balance.experiment import CompareConfig, experiment_of
from agemonia_env.balance.pairs import BLOCKS
from agemonia_env.balance.study_config import make_config, read_config
from agemonia_env.balance.study_dir import MANIFEST
from agemonia_env.balance.study_result import JSON, PARQUET
from agemonia_env.packs.folders import ContentError
from agemonia_env.packs.patches import change_text, plain
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.simulation.run import Interrupted

METRICS = list(metrics_of("Agemonia-v0"))
WEIGHTS = Path("agents/weights")
TOUGHER = "enemies.reedling.health.per_hero +1"
MAP = ("scenarios", "ford", "map", "areas")
SEVERAL = {
    "b": TOUGHER,
    "scenario": ["ford", "toll"],
    "heroes": [1, ["orsa", "ketch"]],
    "policy": ["random", "greedy"],
    "games": 400,
    "width": 14,
    "seed": 3,
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(study_config, "BLOCK", 100)


def made_of(given):
    """The experiment of these arguments."""
    return experiment_of(make_config(CompareConfig, given))


def numbers(report):
    """The numbers of the rows, without labels."""
    names = ("a", "b", "difference", "low", "high")
    return np.array([[row[name] for name in names] for row in report.rows])


# ---- what is exact --------------------------------------------------------------------------
@pytest.mark.parametrize(
    "same",
    [
        (),
        "enemies.reedling.health.per_hero = 2",
        ["enemies.reedling.name = Imp", "heroes.orsa.actions.Sweeping Oar.name = Wide Sweep"],
    ],
)
@pytest.mark.parametrize("drawn", [{}, {"scenario": "random", "scenario_seed": [1, 4]}])
def test_changes_without_numbers_change_no_result(same, drawn):
    report = compare(b=same, games=200, **drawn)
    assert (numbers(report)[:, 2:] == 0).all()
    assert (numbers(report)[:, 0] == numbers(report)[:, 1]).all()
    assert report.rows[1]["a"] > 1  # rounds: something was played


def test_a_variant_without_effect_in_a_condition_counts_as_equal_there():
    report = compare(b="scenarios.toll.level -1", scenario=["ford", "toll"], games=100)
    assert [condition.alike for condition in report.experiment.conditions] == [True, False]
    assert (numbers(report)[: len(METRICS), 2:] == 0).all()
    assert (numbers(report)[len(METRICS) :, 2] != 0).any()


@pytest.mark.parametrize("width", [None, 20])
def test_swapping_a_and_b_flips_the_sign_of_everything(width):
    choices = {"scenario": ["ford", "toll"], "games": 300, "width": width}
    there = numbers(compare(TOUGHER, "heroes.orsa.blue +1", **choices))
    back = numbers(compare("heroes.orsa.blue +1", TOUGHER, **choices))
    assert (back == np.column_stack([there[:, 1], there[:, 0], -there[:, [2, 4, 3]]])).all()
    assert (there[:, 2] != 0).any()


def test_pairs_are_the_games_of_two_simulations():
    """The differences between rows of `simulate` are the same."""
    report = compare(b=TOUGHER, heroes=3, difficulty="hard", games=300, seed=5)
    one, other = (
        agemonia_env.simulate("ford", 3, games=300, seed=5, difficulty="hard", pack=pack)
        for pack in ("core", variant("core", TOUGHER))
    )
    for row in report.rows:
        column = pl.col("hero_disk").list.sum() if row["metric"] == "chips_left" else row["metric"]
        a, b = (f.select(column).to_series().cast(pl.Int64).to_numpy() for f in (one, other))
        assert row["pairs"] == 300
        assert (row["a"], row["b"]) == (a.mean(), b.mean())
        assert row["difference"] == pytest.approx((b - a).mean())
        half = 1.96 * np.sqrt(((b - a).var() + 2 / 300) / 300)
        assert (row["high"] - row["low"]) / 2 == pytest.approx(half, rel=1e-4)
        assert row["gain"] == pytest.approx((a.var() + b.var()) / (b - a).var())


# ---- stopping, threads and resuming -------------------------------------------------------------
def test_a_cell_stops_at_its_first_narrow_interval():
    report = compare(**SEVERAL)
    counts = [row["pairs"] for row in report.rows if row["metric"] == "won"]
    assert len(counts) == 8
    assert len(set(counts)) > 1
    for condition, n in enumerate(counts):
        seen = [empty(METRICS)]
        for block in range(n // 100):
            played = pairs.play_block(
                report.experiment, (condition, block), lambda games, wins: None
            )
            seen.append(seen[-1] + played)
        alike = report.experiment.conditions[condition].alike
        found = [one.difference("won", alike=alike) for one in seen[1:]]
        ends = [report.experiment.interval(one) for one in found]
        wide = [100 * (high - low) > 14 for low, high in ends]
        assert all(wide[:-1])
        assert not wide[-1] or n == 400
        row = report.rows[condition * len(METRICS)]
        assert (row["low"], row["high"]) == ends[-1]


def test_the_files_are_the_same_for_any_number_of_threads(tmp_path):
    for threads in (1, 3):
        compare(**SEVERAL, threads=threads, out=tmp_path / str(threads))
    for name in (MANIFEST, JSON, PARQUET):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "3" / name).read_bytes()
    record = json.loads((tmp_path / "1" / JSON).read_bytes())
    assert record["results"] == pl.read_parquet(tmp_path / "1" / PARQUET).to_dicts()
    assert record["b"]["pack"] == variant("core", TOUGHER)


def test_a_killed_comparison_resumes_where_it_stopped(tmp_path, monkeypatch):
    whole, out = tmp_path / "whole", tmp_path / "broken"
    compare(**SEVERAL, out=whole)
    play, left = pairs.play_block, [7]

    def killed(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return play(*arguments)

    monkeypatch.setattr(pairs, "play_block", killed)
    with pytest.raises(Interrupted, match="the same command resumes"):
        compare(**SEVERAL, out=out)
    kept = (out / BLOCKS).read_bytes()
    assert kept.count(b"\n") >= 5
    nowhere = kept.splitlines()[0].replace(b"[0,", b"[99,", 1)
    (out / BLOCKS).write_bytes(nowhere + b"\n" + kept[:-9])  # cut short while it was written
    left[0] = 1000
    compare(**SEVERAL, out=out)
    assert 1000 - left[0] <= (whole / BLOCKS).read_bytes().count(b"\n") - kept.count(b"\n") + 4
    assert (out / JSON).read_bytes() == (whole / JSON).read_bytes()
    left[0] = 0  # nothing is played again
    compare(**SEVERAL, out=out)
    assert (out / JSON).read_bytes() == (whole / JSON).read_bytes()


def test_a_block_that_is_kept_twice_counts_once(tmp_path):
    """As two runs into one folder would have left it; the last block is still to be played."""
    compare(**SEVERAL, out=tmp_path)
    found, kept = (tmp_path / JSON).read_bytes(), (tmp_path / BLOCKS).read_bytes()
    (tmp_path / JSON).unlink()
    (tmp_path / BLOCKS).write_bytes(2 * b"".join(kept.splitlines(keepends=True)[:-1]))
    compare(**SEVERAL, out=tmp_path)
    assert (tmp_path / JSON).read_bytes() == found
    assert (tmp_path / BLOCKS).read_bytes().count(b"\n") == kept.count(b"\n")


def test_existing_files_are_not_overwritten(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    for force in (False, True):
        with pytest.raises(ValueError, match="holds files of something else"):
            compare(games=100, out=tmp_path / "full", force=force)
    compare(games=100, out=tmp_path / "old")
    with pytest.raises(ValueError, match=r"seed: 0, now 1.*--force"):
        compare(games=100, seed=1, out=tmp_path / "old")
    compare(games=100, seed=1, out=tmp_path / "old", force=True)
    assert json.loads((tmp_path / "old" / JSON).read_bytes())["seed"] == 1
    (tmp_path / "old" / MANIFEST).write_text("{")
    with pytest.raises(ValueError, match="cannot be read"):
        compare(games=100, seed=1, out=tmp_path / "old")


@pytest.mark.parametrize("study", [compare, analyse])
def test_another_model_of_the_same_name_is_another_study(tmp_path, study):
    model, out = tmp_path / "model.npz", tmp_path / "out"
    choices = {"policy": str(model), "games": 100, "out": out}
    shutil.copy(WEIGHTS / "ppo-ford.npz", model)
    first = study(**choices)
    mark = first.record()["models"][str(model)]
    assert mark in first.html()
    shutil.copy(WEIGHTS / "ppo-beacon.npz", model)
    with pytest.raises(ValueError, match="holds a different study"):
        study(**choices)
    assert study(**choices, force=True).record()["models"][str(model)] != mark


def test_conditions_have_distinct_names():
    items = [{"hero": "orsa", "items": ["boat-hook"]}, "tamsin"]
    made = made_of(
        {"b": TOUGHER, "level": [1, 2], "heroes": [2, items], "difficulty": ["normal", "hard"]}
    )
    words = [str(condition) for condition in made.conditions]
    assert len(set(words)) == 8
    assert words[0] == "ford, 2 heroes, greedy"
    assert "ford, orsa (items boat-hook), tamsin, level 2, hard, greedy" in words


def test_a_report_lists_the_changes_of_a_named_variant():
    report = compare(b={"name": "tougher", "changes": TOUGHER}, games=100)
    provenance = report.page().provenance
    assert (provenance["pack"], provenance["B"]) == ("core", "tougher")
    assert provenance["A changes"] == "nothing"
    assert "per_hero +1" in provenance["B changes"]
    assert report.experiment.b.numbers in provenance["B, fingerprints"]
    shown = io.StringIO()
    Console(file=shown, width=200).print(report)
    assert "changes  enemies.reedling.card.health.per_hero +1" in shown.getvalue()


def test_equal_variants_have_no_uncertainty():
    report = compare(b="enemies.reedling.name = Imp", games=100)
    assert report.page().lead[0].endswith("as A and B have the same numbers here.")


# ---- where the policies disagree ------------------------------------------------------------
def disagreements(*effects):
    """Disagreements of policies with which b wins this many more of 1,000 pairs."""
    made = made_of({"b": TOUGHER, "policy": ["greedy", "random"], "games": 1000})
    sums = []
    for effect in effects:
        own = {name: np.zeros(SUMS, np.int64) for name in METRICS}
        own["won"][:] = 500, 500 + effect, 500, 500 + effect, abs(effect)
        own["rounds"][:] = 5000, 5000 + 10 * effect, 0, 0, 100 * abs(effect)
        sums.append(Accumulator(1000, own))
    report = Comparison(made, tuple(sums))
    rows = report.tables()["disagreements"]
    assert [row["policy"] for row in rows] == ["greedy", "random"] * len(report.disagreements)
    assert all(row["low"] < row["high"] for row in rows)
    return [(one["metric"], one["opposite"]) for one in report.disagreements]


def test_disagreeing_policies_are_reported():
    assert disagreements(30, 35) == []
    assert disagreements(-30, 0) == [("won", False)]
    assert disagreements(-30, 30) == [("won", True), ("rounds", True)]


def rates(*arms, pairs=1000):
    """A comparison of policies that win so many pairs in a and in b, paired as closely as can."""
    made = made_of({"b": TOUGHER, "policy": ["greedy", "random"], "games": pairs})
    sums = []
    for a, b in arms:
        own = {name: np.zeros(SUMS, np.int64) for name in METRICS}
        own["won"][:] = a, b, a, b, abs(b - a)
        sums.append(Accumulator(pairs, own))
    return Comparison(made, tuple(sums))


@pytest.mark.parametrize(
    ("arms", "apart"),
    [
        (((700, 540), (0, 0)), False),  # who wins nothing can lose nothing
        (((700, 540), (1000, 1000)), False),
        (((700, 540), (20, 12)), False),  # the odds fall alike
        (((400, 560), (980, 989)), False),
        (((700, 540), (700, 690)), True),
        (((700, 540), (200, 200)), True),  # this one could have lost some
        (((700, 0), (700, 690)), True),
    ],
)
def test_floors_and_ceilings_are_no_disagreement(arms, apart):
    for given in (arms, arms[::-1]):
        report = rates(*given)
        low = [(row["low"], row["high"]) for row in report.rows if row["metric"] == "won"]
        assert max(one for one, _ in low) > min(other for _, other in low)  # in points, all differ
        assert bool(report.disagreements) == apart


def test_log_odds_have_the_variance_of_many_experiments():
    random = np.random.default_rng(4)
    n, found = 400, []
    for _ in range(2000):
        shared, own = random.random(n), random.random(n)
        a, b = shared < 0.3, np.where(own < 0.5, shared, own) < 0.15
        sums = [a.sum(), b.sum(), a.sum(), b.sum(), (a != b).sum()]
        found.append(Accumulator(n, {"won": np.array(sums, np.int64)}).log_odds())
    changes = np.array([one.change for one in found])
    expected = np.mean([one.variance for one in found]) / n
    assert changes.var() == pytest.approx(expected, rel=0.12)
    assert found[0].carried_to(found[0].a) == pytest.approx(
        1 / (1 + np.exp(-np.log(found[0].a / (1 - found[0].a)) - found[0].change)) - found[0].a
    )


# ---- the lead -----------------------------------------------------------------------------------
def lead_of(*arms):
    """The lead where policies win so many of 1,000 games in a and in b."""
    return rates(*arms).page().lead


def test_the_lead_says_for_which_policies_the_answer_holds():
    assert "Every policy that was tried (greedy, random) surely wins less often." in lead_of(
        (700, 540), (300, 200)
    )
    lead = " ".join(lead_of((700, 540), (0, 0)))
    assert "shown for greedy, and not for random" in lead
    assert "With random nearly every game ends alike, so little could show." in lead
    assert "nearly every game" not in " ".join(lead_of((700, 540), (300, 300)))
    assert any(line.startswith("No change is sure.") for line in lead_of((700, 700), (300, 300)))


def test_many_conditions_are_summed_up():
    made = made_of({"b": TOUGHER, "heroes": [1, 2, 3], "policy": ["greedy", "random"]})
    sums = []
    for a, b in [(700, 540), (300, 300), (700, 600), (300, 300), (500, 580), (300, 301)]:
        own = {name: np.zeros(SUMS, np.int64) for name in METRICS}
        own["won"][:] = a, b, a, b, abs(b - a)
        sums.append(Accumulator(1000, own))
    lead = Comparison(made, tuple(sums)).page().lead
    assert lead[0] == (
        "In 6 kinds of games, with B instead of A the heroes win: surely less often in 2, by 10.0 "
        "to 16.0 points; surely more often in 1, by 8.0 points; no significant difference in 3."
    )
    assert lead[1].startswith("The largest sure change: ford, 1 hero, greedy: ")
    assert lead[2].startswith("It is shown for greedy, and not for random")
    assert all(line.startswith("The policies disagree") for line in lead[3:])


def test_scenarios_are_not_compared_with_each_other():
    report = compare(b=TOUGHER, scenario=["ford", "beacon"], games=200)
    assert report.disagreements == []


# ---- what is refused, before a game is played -----------------------------------------------
@pytest.mark.parametrize(
    ("wrong", "reasons"),
    [
        ({"b": "heroes.orsa.bleu +1"}, ["b: heroes.orsa.bleu +1: there is no 'bleu'"]),
        (
            {"a": ["heroes.orsa.blue = x", "nobody.yaml"], "b": ["enemies.wisp.shield"]},
            ["a: nobody.yaml: file", "a: heroes.orsa.blue = x: must", "b: enemies.wisp.shield: is"],
        ),
        ({"a": ["decks.fate = [1]", "decks.fate - 3"]}, ["a: decks.fate - 3: contradicts"]),
        ({"b": {"change": TOUGHER}}, ["b.change: unknown key; did you mean 'changes'"]),
        ({"scenario": "fort", "policy": ["best"]}, ["scenario='fort'", "policy='best'"]),
        ({"policy": ["greedy", "greedy"]}, ["policy=['greedy', 'greedy']: each at most once"]),
        ({"heroes": 5}, ["heroes=5: a party has 1 to 4 Heroes"]),
        ({"scenario": 5}, ["scenario: must be a valid string or a valid list; it is 5"]),
        ({"b": "enemies.reedling = {}"}, ["b: enemies.reedling = {}: is a whole file or item"]),
        ({"games": 99}, ["games: must be greater than or equal to 100; it is 99"]),
        ({"width": 0.0}, ["width: must be greater than 0; it is 0.0"]),
        ({"scenario": "ford", "b": "scenarios.ford.setup[0].amount +8"}, ["ford.yaml: setup[0]"]),
    ],
)
def test_one_clear_error_for_each_mistake(wrong, reasons):
    with pytest.raises(ContentError) as found:
        made_of(wrong)
    errors = found.value.errors
    assert len(errors) == len(reasons)
    for error, reason in zip(errors, reasons, strict=True):
        assert reason in error


def test_all_mistakes_are_reported_at_once(tmp_path):
    path = tmp_path / "this.yaml"
    path.write_text(
        "heros: 2\nscenario: fort\nheroes: 7\nlevel: 9\ndifficulty: deadly\nseed: -1\n"
        "policy: [greed, random]\na: heroes.orsa.bleu +1\nb: ['enemies.wisp = {}', none.yaml]\n"
    )
    with pytest.raises(ContentError) as found:
        read_config(CompareConfig, path)
    lines = "\n".join(found.value.errors).replace(f"{path}: ", "").replace(str(tmp_path), ".")
    assert [line[:12] for line in lines.split("\n")] == [
        "heros: unkno",
        "scenario='fo",
        "heroes=7: a ",
        "level=9: mus",
        "difficulty='",
        "seed=-1: mus",
        "policy='gree",
        "a: heroes.or",
        "b: ./none.ya",
        "b: enemies.w",
    ]


@pytest.mark.parametrize("key", ["pack", "scenario", "enemy_will"])
def test_keys_that_depend_on_an_invalid_key_are_not_checked(key):
    wrong = {key: 5, "heroes": 9, "b": "heroes.nobody.blue +1", "policy": "greed"}
    with pytest.raises(ContentError) as found:
        made_of(wrong | {"enemy_policy": "random"})
    first, *others = found.value.errors
    assert first.startswith(f"{key}: must be a valid string")
    starts = ["policy='greed'", "b: heroes.nobody"][: 1 if key == "pack" else 2]
    assert [error[: len(start)] for error, start in zip(others, starts, strict=True)] == starts


def test_the_order_of_areas_changes_the_content():
    areas = plain(load_pack("core").scenarios["ford"].map.areas)
    turned = dict(reversed(areas.items()))
    report = compare(b={"name": "turned", "changes": change_text(MAP, "=", turned)}, games=300)
    (one, other) = (report.experiment.a, report.experiment.b)
    assert one.fingerprint != other.fingerprint
    assert one.numbers != other.numbers
    row = report.rows[0]
    assert row["low"] < row["difference"] < row["high"]


def test_threads_are_checked():
    with pytest.raises(ValueError, match="threads=0"):
        compare(games=100, threads=0)


# ---- files ----------------------------------------------------------------------------------
def test_a_file_says_the_same_as_the_arguments(tmp_path):
    (tmp_path / "soft.yaml").write_text("name: soft\nchanges: enemies.toadback.health.base -1\n")
    (tmp_path / "this.yaml").write_text(
        f"text: why\na: soft.yaml\nb: {{name: hard, changes: [{TOUGHER}]}}\n"
        "scenario: [ford]\nheroes: [2, [orsa, ketch]]\npolicy: random\ngames: 500\n"
    )
    read = experiment_of(read_config(CompareConfig, tmp_path / "this.yaml", games=200, seed=None))
    assert (read.a.name, read.b.name, read.text, read.games) == ("soft", "hard", "why", 200)
    made = made_of(
        {
            "text": "why",
            "a": {"name": "soft", "changes": "enemies.toadback.health.base -1"},
            "b": {"name": "hard", "changes": TOUGHER},
            "heroes": [2, ["orsa", "ketch"]],
            "policy": "random",
            "games": 200,
        }
    )
    assert read == made
    assert str(made.conditions[1]) == "ford, orsa, ketch, random"


@pytest.mark.parametrize("text", ["- b", "b: [", "game: 3"])
def test_an_invalid_file_is_refused(tmp_path, text):
    path = tmp_path / "this.yaml"
    path.write_text(text)
    with pytest.raises(ContentError, match=r"this\.yaml: (file|game): "):
        read_config(CompareConfig, path)
