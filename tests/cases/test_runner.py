"""The runner of rule cases: files, differences, exit statuses. Rules are tested by the cases."""

from pathlib import Path

import pytest

from agemonia_env.rulesets.agemonia.cases.case import Case
from agemonia_env.rulesets.agemonia.cases.runner import Trial
from agemonia_env.rulesets.case_files import FileError, read, run_files, written
from agemonia_env.rulesets.case_runner import attempt
from agemonia_env.rulesets.case_schema import load

HERE = Path(__file__).parent
AGEMONIA = sorted((HERE / "agemonia").glob("*.yaml")) + sorted((HERE / "edges").glob("*.yaml"))


def case_file(folder: Path, text: str) -> Path:
    path = folder / "case.yaml"
    path.write_text(text)
    return path


def differences(folder: Path, text: str) -> list[str]:
    cases, problems = load(read(case_file(folder, text)), Case)
    assert not problems
    assert len(cases) == 1
    return [str(difference) for difference in attempt(cases[0], Trial)]


def problems(folder: Path, text: str) -> list[str]:
    try:
        _, wrong = load(read(case_file(folder, text)), Case)
    except FileError as error:
        wrong = [error]
    return [str(problem).removeprefix(str(folder)) for problem in wrong]


PASSES = """
- id: spend
  rules: [R2.1]
  figures: {hero: {hero: {}, disk: 3, spent: 2}}
  do: [{spend: {who: hero, amount: 2}}]
  expect: {hero: {disk: 1, spent: 4, wounds: 3}}
"""


def test_the_last_line_counts_and_the_status_is_0(tmp_path, capsys):
    assert run_files([case_file(tmp_path, PASSES)]) == 0
    assert capsys.readouterr().out.splitlines() == ["1 passed, 0 failed"]


def test_a_failure_names_case_rules_place_expected_and_found(tmp_path, capsys):
    path = case_file(tmp_path, PASSES.replace("disk: 1, spent", "disk: 2, spent"))
    assert run_files([path]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"FAILED spend [R2.1] {path}:2",
        "  hero.disk: expected 2, found 1",
        "0 passed, 1 failed",
    ]


def test_a_step_that_should_be_refused_and_one_that_should_not(tmp_path):
    allowed = PASSES.replace("amount: 2}}]", "amount: 2}, refused: true}]")
    assert differences(tmp_path, allowed) == ["step 1 (spend): expected refused, found allowed"]
    refused = PASSES.replace("amount: 2", "amount: 4")
    assert differences(tmp_path, refused) == [
        "step 1 (spend): expected allowed, found refused: not enough stamina"
    ]


def test_a_refused_step_gives_its_dice_back(tmp_path):
    text = """
- id: dice-come-back
  rules: [R2.1, R3.3]
  figures: {hero: {hero: {agility: 2}, disk: 1, spent: 7}}
  dice: {action: [1, S]}
  do:
    - active_check: {who: hero, ability: agility, number: 3, pay: [2]}
      refused: true
    - active_check: {who: hero, ability: agility, number: 3, pay: [1]}
      result: {total: 2, success: false}
"""
    assert differences(tmp_path, text) == []


def test_scripted_dice_that_nobody_rolls_are_a_difference(tmp_path):
    text = PASSES.replace("  do:", "  dice: {action: [1], reaction: {hero: [2]}}\n  do:")
    assert differences(tmp_path, text) == [
        "end: expected all scripted dice used, "
        "found 2 left: action_dice of anybody, reaction_dice of hero"
    ]


def test_a_die_that_no_face_is_scripted_for_is_a_difference(tmp_path):
    text = """
- id: one-die-by-chance
  rules: [R3.9]
  figures: {hero: {hero: {agility: 2}}}
  dice: {action: [1]}
  do: [{active_check: {who: hero, ability: agility, number: 1}}]
"""
    [difference] = differences(tmp_path, text)
    assert difference.startswith("step 1 (active_check): expected a scripted face for every die")
    text = text.replace("[1]", "[1, 0]").replace("1}}]", "3}}]")
    assert differences(tmp_path, text) == []


def test_a_choice_that_is_never_asked_for_is_refused(tmp_path):
    text = """
- id: nobody-provokes
  rules: [R8.9]
  map: {areas: {a: {}, b: {}}, borders: [[a, b]]}
  figures: {hero: {hero: {}, evade: 1}, rat: {enemy: {}}}
  do: [{move: {who: hero, path: [b], evade: {rat: 1}}}]
"""
    assert differences(tmp_path, text) == [
        "step 1 (move): expected allowed, found refused: never asked for: evade against rat"
    ]


def test_of_expect_any_one_alternative_must_hold(tmp_path):
    either = PASSES.replace(
        "expect: {hero: {disk: 1, spent: 4, wounds: 3}}",
        "expect_any: [{hero: {disk: 8, spent: 4, wounds: 9}}, {hero: {disk: 1}}]",
    )
    assert differences(tmp_path, either) == []
    neither = either.replace("{disk: 1}", "{disk: 7}")
    assert differences(tmp_path, neither) == ["hero.disk: expected 7, found 1"]


def test_a_result_that_the_verb_does_not_report(tmp_path):
    text = PASSES.replace("amount: 2}}]", "amount: 2}, result: {healed: 1}}]")
    assert differences(tmp_path, text) == [
        "step 1 (spend).healed: expected 1, found no such field; there are none"
    ]


def test_areas_may_bear_words_that_yaml_takes_for_booleans(tmp_path):
    text = """
- id: area-n
  rules: [R7.22]
  map: {areas: {n: {}, y: {}}, borders: [[n, y]]}
  do: [{query: {range: [n, y]}, result: {range: 1}}]
"""
    assert differences(tmp_path, text) == []


def test_a_position_beyond_the_core_fails_its_case_with_the_reason(tmp_path):
    areas = ", ".join(f"x{i}: {{}}" for i in range(25))
    text = f"- {{id: wide, rules: [R7.1], map: {{areas: {{{areas}}}}}, do: []}}"
    (difference,) = differences(tmp_path, text)
    assert difference.startswith("set-up: the case does not fit the core: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- id: [", "/case.yaml:2: is not YAML: "),
        ("id: x", "/case.yaml:1: a case file must be a list"),
        ("- id: a\n  id: b", "/case.yaml:2: key 'id' is given twice"),
        ("- &x {id: a}\n- *x", "/case.yaml:1: anchors and aliases are not allowed"),
        ("- {id: a, do: [{spend: {who: x, amount: 1.5}}]}", "1.5 is not an integer"),
        ("- id: Not Kebab", "/case.yaml:1: id: a case needs an id in kebab-case"),
        ("- id: a\x00b", "/case.yaml:1: contains a NUL character"),
        ("[" * 5000, "/case.yaml:1: is nested more than 50 deep"),
        ("", "/case.yaml:1: a case file must be a list"),
        ("- id: a\n- id: a", "/case.yaml:2: id: case 'a' is given twice"),
        ("- id: a\n  doo: []", "/case.yaml:2: doo: unknown key; did you mean 'do'? Allowed: id, "),
        (
            "- id: a\n  do:\n    - sing: {}",
            "/case.yaml:3: do.0.sing: unknown key; allowed: refused, result, spend, ",
        ),
        (
            "- id: a\n  do:\n    - next_round:\n        now: true",
            "/case.yaml:4: do.0.next_round.now: unknown key; allowed: locks, reaction, disarm",
        ),
        (
            "- id: a\n  figures: {hero: {hero: {}}}\n  do:\n    - spend: {who: elf, amount: 1}",
            "/case.yaml:4: do.0.spend.who: unknown figure 'elf'; allowed: hero",
        ),
        (
            "- id: a\n  figures:\n    hero: {}",
            "/case.yaml:3: figures.hero: a figure needs one of hero, ",
        ),
        (
            "- id: a\n  figures:\n    hero: {hero: {}, disk: 9}",
            "/case.yaml:3: figures.hero: the chips do not add up: disk 9 + spent 0 + ",
        ),
        (
            "- id: a\n  map:\n    areas: {a: {}}\n    borders: [[a, b]]",
            "/case.yaml:2: map: area 'b' is not among a",
        ),
        ('- id: a\n  dice: {"b\\tc": 1}', r"/case.yaml:2: dice.'b\tc': unknown key; allowed: "),
        ("- id: a\n  expect: {}\n  expect_any: []", "a case has expect or expect_any, not both"),
    ],
)
def test_problems_have_file_line_and_reason(tmp_path, text, problem):
    assert any(problem in found for found in problems(tmp_path, text)), problems(tmp_path, text)


def test_a_file_that_cannot_be_read_is_status_2_and_the_others_run(tmp_path, capsys):
    good = case_file(tmp_path, PASSES)
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(b"- id: a\n- id: \xff")
    assert run_files([tmp_path / "none.yaml", bad, good]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == "1 passed, 0 failed"
    assert captured.err.splitlines() == [
        f"{tmp_path / 'none.yaml'}:1: cannot be read: No such file or directory",
        f"{bad}:2: is not UTF-8 text",
    ]


def test_all_problems_of_a_file_are_printed_and_valid_cases_run(tmp_path, capsys):
    path = case_file(tmp_path, PASSES + "- id: b\n  doo: []\n- id: c\n  do: 3\n")
    assert run_files([path]) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 2
    assert captured.out.splitlines() == ["1 passed, 0 failed"]


def test_only_the_first_of_many_problems_are_printed(tmp_path, capsys):
    wrong = "\n".join(f"- {{id: case-{k}, rules: [R2.1], dice: 5}}" for k in range(150))
    assert run_files([case_file(tmp_path, wrong)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 101
    assert lines[-1] == "and 50 more mistakes"


def test_values_are_written_as_in_a_case_file():
    assert written({"a": None, "b": [True, 1, "x"]}) == "{a: null, b: [true, 1, x]}"


def all_cases():
    for path in AGEMONIA:
        cases, wrong = load(read(path), Case)
        assert not wrong
        for case in cases:
            yield pytest.param(case, id=case.id)


@pytest.mark.parametrize("case", list(all_cases()))
def test_case(case):
    assert attempt(case, Trial) == []


def test_a_long_path_does_not_make_a_long_line(tmp_path, capsys):
    path = tmp_path / "long.yaml"
    path.write_text(
        "- id: long\n"
        "  map: {areas: {a: {}, b: {}}, borders: [[a, b]]}\n"
        "  figures: {hero: {hero: {}}}\n"
        "  do:\n"
        "    - start_turn: {who: hero}\n"
        f"    - move: {{who: hero, path: [{', '.join(['b', 'a'] * 5000)}]}}\n"
    )
    assert run_files([path]) == 1
    said = capsys.readouterr().out
    assert "never asked for: path ['b', 'a'" in said
    assert max(map(len, said.splitlines())) < 2000
