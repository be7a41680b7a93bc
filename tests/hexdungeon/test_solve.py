"""Case files: reading, errors, the solver and the runner."""

import gzip
import json
from pathlib import Path

import pytest

from agemonia_env.rulesets.case_files import run_files
from agemonia_env.rulesets.hexdungeon.cases.runner import run_file
from agemonia_env.rulesets.hexdungeon.tools import solve

CASES = Path(__file__).parents[1] / "cases" / "hexdungeon"
FILES = ("monster-turns.json", "monster-turns-random.json.gz", "modifier-deck.json")
POSITION = {
    "id": "one",
    "width": 5,
    "height": 4,
    "actor": [0, 0],
    "enemies": [{"at": [2, 0], "initiative": 20}],
    "action": {
        "move": 2,
        "mode": "walk",
        "muddled": False,
        "attack": {"range": 0, "targets": 1, "area": None, "extra_targets": 0},
    },
}


def file_of(folder, *cases, kind="hex-monster-turns/1", name="cases.json"):
    path = folder / name
    path.write_text(json.dumps({"format": kind, "cases": cases}))
    return path


@pytest.mark.parametrize("name", [*FILES, "lines-of-sight.json.gz"])
def test_every_case_passes(name):
    done, problems = run_file(CASES / name)
    assert not problems
    assert len(done) == len(json.loads(read(name))["cases"])
    assert [case for case in done if case[1]] == []


def read(name):
    data = (CASES / name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


# ---- the solver ---------------------------------------------------------------------------------
def solved(capsys, *arguments):
    status = solve.main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return status, said.out, said.err.splitlines()


def test_the_solver_answers_positions(tmp_path, capsys):
    status, out, _ = solved(capsys, file_of(tmp_path, POSITION))
    assert status == 0
    options = [{"end": [1, 0], "attacks": [[2, 0]]}]
    answers = [{"id": "one", "options": options}]
    assert json.loads(out) == {"format": "hex-monster-turns/1", "answers": answers}


def test_the_solver_takes_many_files_and_writes_one(tmp_path, capsys):
    files = [CASES / name for name in FILES[:2]]
    status, out, _ = solved(capsys, *files, "--out", tmp_path / "answers.json")
    assert (status, out) == (0, "")
    answers = json.loads((tmp_path / "answers.json").read_text())["answers"]
    expected = {
        case["id"]: {
            (*option["end"], frozenset(map(tuple, option["attacks"])))
            for option in case["expected"]["options"]
        }
        for name in FILES[:2]
        for case in json.loads(read(name))["cases"]
    }
    found = {
        answer["id"]: {
            (*option["end"], frozenset(map(tuple, option["attacks"])))
            for option in answer["options"]
        }
        for answer in answers
    }
    assert found == expected


def changed(**keys):
    return {**POSITION, **keys}


def attacking(**keys):
    attack = {**POSITION["action"]["attack"], **keys}
    return changed(action={**POSITION["action"], "attack": attack})


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (changed(actor=[9, 0]), "actor: hex [9, 0] is not on the board (columns: 0 to 4)"),
        (changed(actor=[2, 3]), "actor: hex [2, 3] is not on the board (r of column 2: -1 to 2)"),
        (changed(actor=[2, 0]), "enemies: hex [2, 0] is taken (actor)"),
        (changed(terrain={"lava": []}), "terrain: lava: [key]: Input should be 'wall'"),
        (changed(thin_walls=[[[0, 0], 6]]), "thin_walls: 0: 1: Input should be less than"),
        (changed(width=60), "a board of 60 x 4 is too large"),
        (changed(heigth=4), "heigth: Extra inputs are not permitted"),
        (attacking(targets=None), "action: attack: targets: a number or all"),
        (attacking(extra_targets=1), "action: attack: extra_targets: 0 without an area"),
        (attacking(area={"origin": "self", "hexes": [[1, 0]]}), "targets: null beside an area"),
        (
            attacking(area={"origin": "self", "hexes": [[1, 0]] * 2}, targets=None),
            "action: attack: area: a hex is given twice",
        ),
        (
            attacking(area={"origin": "free", "hexes": [[1, 0]]}, targets=None),
            "range: at least 1 for an area whose origin is free",
        ),
        ([], "Input should be"),
    ],
)
def test_malformed_positions_are_named(tmp_path, capsys, case, said):
    path = file_of(tmp_path, POSITION, case)
    status, out, problems = solved(capsys, path)
    assert status == 2
    assert len(json.loads(out)["answers"]) == 1  # the other position is solved all the same
    name = case["id"] if case else "no mapping"
    assert problems[0].startswith(f"{path}: case 2 ({name}): ")
    assert said in problems[0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", ":1: is not JSON"),
        (b"[]", "must be a mapping with a list of cases"),
        (
            b'{"format": "hex-rules/1", "cases": []}',
            "format: 'hex-rules/1' is not allowed; did you mean 'hex-los/1'? Allowed: hex-monster",
        ),
        (b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_unreadable_files_are_named(tmp_path, capsys, content, said):
    path = tmp_path / "cases.json"
    path.write_bytes(content)
    status, _, problems = solved(capsys, path, tmp_path / "none.json")
    assert status == 2
    assert said in problems[0]
    assert problems[1] == f"{tmp_path / 'none.json'}: cannot be read: No such file or directory"


def test_nothing_is_written_if_nothing_can_be_solved(tmp_path, capsys):
    path, out = tmp_path / "cases.json", tmp_path / "answers.json"
    path.write_text('{"format": []}')
    assert solved(capsys, path, "--out", out)[0] == 2
    assert not out.exists()
    out.write_text("of an earlier run")
    assert solved(capsys, tmp_path / "none.json", "--out", out)[0] == 2
    assert out.read_text() == "of an earlier run"


def test_a_file_that_is_not_compressed_after_all(tmp_path, capsys):
    path = file_of(tmp_path, POSITION, name="cases.json.gz")
    assert solved(capsys, path)[2] == [f"{path}: is damaged, or not a gzip file"]


def test_only_monster_turns_are_solved(capsys):
    path = CASES / "modifier-deck.json"
    assert solved(capsys, path)[2] == [f"{path}: holds no monster turns"]


# ---- the runner ---------------------------------------------------------------------------------
def test_a_wrong_outcome_is_shown(tmp_path, capsys):
    expected = {"options": [{"end": [0, 1], "attacks": []}]}
    path = file_of(tmp_path, changed(expected=expected), POSITION)
    assert run_files([path]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"FAILED one {path}",
        "  expected, not found: end [0, 1], attacks []",
        "  found, not expected: end [1, 0], attacks [[2, 0]]",
        f"FAILED one {path}",
        "  nothing is expected",
        "0 passed, 2 failed",
    ]


def test_a_wrong_line_of_sight_is_shown(tmp_path, capsys):
    case = {"id": "row", "width": 1, "height": 3, "terrain": {"wall": [[0, 1]]}}
    path = file_of(tmp_path, {**case, "blocked": [], "pairs": 2}, kind="hex-los/1")
    assert run_files([path]) == 1
    assert capsys.readouterr().out.splitlines()[1:3] == [
        "  pairs: expected 2, found 1",
        "  [0, 0] and [0, 2] do not see each other",
    ]


def test_a_wrong_distribution_is_shown(tmp_path, capsys):
    case = {"id": "two", "deck": ["+0", "+1"], "value": 1, "mode": "normal"}
    given = {**case, "distribution": {"1": "1", "3": "0"}, "mean": "1"}
    path = file_of(tmp_path, given, {**given, "deck": ["+0 foo"]}, kind="hex-modifier-deck/1")
    assert run_files([path]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[1:4] == [
        "  1: expected 1, found 1/2",
        "  2: expected 0, found 1/2",
        "  mean: expected 1, found 3/2",
    ]
    assert "'foo' is none of" in printed[5]


def test_problems_of_a_file_end_with_status_2(tmp_path, capsys):
    assert run_files([file_of(tmp_path, changed(actor=[9, 0]))]) == 2
    said = capsys.readouterr()
    assert said.out == "0 passed, 0 failed\n"
    assert "actor: hex [9, 0] is not on the board" in said.err


def test_both_rulesets_in_one_run(capsys):
    agemonia = CASES.parent / "agemonia"
    first = min(agemonia.glob("*.yaml"))
    assert run_files([CASES / "modifier-deck.json", first]) == 0
    passed = int(capsys.readouterr().out.split()[0])
    assert passed > 21
