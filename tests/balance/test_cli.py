"""The commands `agemonia balance`: their output and their errors."""

import json

import pytest
from typer.testing import CliRunner

from agemonia_env.balance import pairs
from agemonia_env.balance.study_result import HTML, JSON, PARQUET
from agemonia_env.cli.main import app

FILE = """
a: {name: as it was}
b: {name: tougher, changes: enemies.reedling.health.per_hero +1}
policy: [greedy, random]
games: 100
"""


def invoke(*arguments):
    return CliRunner().invoke(app, ["balance", *map(str, arguments)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "this.yaml"
    path.write_text(FILE)
    return path


def test_show_lists_old_and_new_values(tmp_path):
    (tmp_path / "soft.yaml").write_text("changes: decks.fate - 3\n")
    done = invoke(
        "show", "enemies.reedling.shield +1", "enemies.reedling.name = Imp", tmp_path / "soft.yaml"
    )
    assert done.exit_code == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["enemies.reedling.card.shield", "0", "1"] in lines
    assert ["enemies.reedling.name", "Reedling", "Imp"] in lines
    assert ["decks.fate.values", "3", "removed"] in lines
    (numbers,) = (line for line in lines if line[:1] == ["numbers"])
    assert numbers[1] != numbers[3]


@pytest.mark.parametrize(
    ("change", "row"),
    [
        ("enemies.reedling.shield = 0", ["enemies.reedling.card.shield", "0", "0"]),
        ("heroes.orsa.items + yarrow", None),
        ("scenarios.ford.health.reedling = {base: 4}", None),
        ("heroes.orsa.move = {paid: 4}", None),
    ],
)
def test_show_lists_every_kind_of_change(change, row):
    done = invoke("show", change)
    assert done.exit_code == 0
    assert ("(the same)" in done.stdout) == (row is not None)
    wanted = {
        "heroes.orsa.items + yarrow": "yarrow added",
        "scenarios.ford.health.reedling = {base: 4}": "{base: 4}",
        "heroes.orsa.move = {paid: 4}": "{free: 2, paid: 3, cost: 1}   {paid: 4}",
    }
    assert wanted.get(change, "") in done.stdout


def test_show_refuses_with_everything_that_is_wrong():
    done = invoke("show", "enemies.redling.shield +1", "heroes.orsa.blue = x")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "there is no 'redling' in enemies" in done.stderr
    assert "heroes.orsa.blue = x: must be a valid integer" in done.stderr


def test_show_says_where_the_pack_goes():
    done = invoke("show", "my-pack; enemies.reedling.shield +1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "name the pack by --pack my-pack" in done.stderr


def test_compare_prints_a_table_and_writes_a_folder(file, tmp_path):
    out = tmp_path / "out"
    done = invoke("compare", file, "--out", out, "--seed", 4, "--threads", 2)
    assert done.exit_code == 0
    for text in ("as it was", "tougher", "ford, 2 heroes, greedy: 100 pairs", "won, %", "95 %"):
        assert text in done.stdout
    assert "400 of 400 games" in done.stderr
    assert "2 of 2 conditions done; ford, 2 heroes, greedy: B - A " in done.stderr
    assert "(95 %, valid at any time; the final one is narrower)" in " ".join(done.stderr.split())
    assert f"--seed 4 --out {out}" in (out / HTML).read_text()
    record = json.loads((out / JSON).read_bytes())
    assert (record["seed"], len(record["results"])) == (4, 12)
    assert (out / PARQUET).is_file()
    assert f"Written: {out / HTML}" in done.stdout


def test_compare_says_when_the_games_do_not_do(file):
    done = invoke("compare", file, "--width", "2", "--games", "200")
    assert done.exit_code == 0
    assert "points wide, not 2.0" in done.stdout


def test_ctrl_c_says_what_is_saved(file, tmp_path, monkeypatch):
    def stopped(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(pairs, "play_block", stopped)
    done = invoke("compare", file)
    assert (done.exit_code, "nothing is saved" in done.stderr) == (130, True)
    done = invoke("compare", file, "--out", tmp_path / "out")
    assert done.exit_code == 130
    assert f"games are saved in {tmp_path / 'out'}" in done.stderr.replace("\n", "")


STUDIES = {
    "compare": "b: enemies.reedling.health.per_hero +1",
    "sensitivity": "of: enemies.slinger.actions.open.attack.value",
    "search": """
values: {enemies.reedling.health.per_hero: [1, 4]}
targets: 50
trials: 2
confirm: 100
""",
    "rank": "variants: [enemies.reedling.health.per_hero +1, decks.fate - 3]",
    "analyse": "watched: 100\npairs: false",
}


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_prints_its_result_and_writes_a_folder(name, tmp_path):
    file, out = tmp_path / "this.yaml", tmp_path / "out"
    file.write_text(STUDIES[name] + "\n")
    done = invoke(name, file, "--games", 100, "--seed", 3, "--out", out)
    assert done.exit_code == 0, done.output
    assert "ford, 2 heroes, greedy" in done.stdout
    record = json.loads((out / JSON).read_text())
    assert (record["games"], record["seed"]) == (100, 3)
    command = f"agemonia balance {name} {file} --games 100 --seed 3"
    assert command in (out / HTML).read_text()
    assert invoke(name, file, "--games", 100, "--seed", 4, "--out", out).exit_code == 2
    again = invoke(name, file, "--games", 100, "--seed", 3, "--out", out, "--quiet")
    assert (again.exit_code, again.stdout, again.stderr) == (0, "", "")


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_names_the_file_of_a_mistake(name, tmp_path):
    file = tmp_path / "this.yaml"
    file.write_text(STUDIES[name] + "\nheros: 2\npolicy: greed\n")
    done = invoke(name, file)
    assert done.exit_code == 2
    assert f"{file}: heros:" in done.stderr
    assert f"{file}: policy='greed'" in done.stderr
