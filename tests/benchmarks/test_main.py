"""The command line."""

import json
from dataclasses import replace
from datetime import date

import pytest

from agemonia_env.rulesets.doors import RULESETS
from benchmarks import __main__ as benchmarks
from benchmarks import baseline, plot, yardstick
from benchmarks.cases import FULL, cases, vector_name
from benchmarks.table import Figure, is_timed

SHORT = ["--seconds", "0.001", "--repeats", "2"]


def test_table_file_and_comparison(tmp_path, small, capsys):
    path = tmp_path / "new.json"
    benchmarks.main(["--only", "part: (mask|copy)", *SHORT, "--json", str(path)], small)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert list(written["cases"]) == ["part: mask", "part: copy of a state"]
    assert all(len(case["values"]) == 2 for case in written["cases"].values())
    assert {"cpu", "cores", "numba"} <= set(written["machine"])
    assert written["run"]["repeats"] == 2
    assert date.fromisoformat(written["run"]["date"]) <= date.today()
    table = capsys.readouterr().out
    assert "part: mask" in table
    assert "new / old" not in table

    written["cases"]["part: mask"]["values"] = [1e-9, 1e-9]
    path.write_text(json.dumps(written), encoding="utf-8")
    benchmarks.main(["--only", "part: mask", *SHORT, "--compare", str(path)], small)
    table = capsys.readouterr().out
    assert "new / old" in table
    assert "part: copy" not in table


def test_quick_skips_slow_cases(small):
    chosen = benchmarks.chosen(benchmarks.parse(["--quick"]), small)
    assert chosen
    assert not any(case.once or case.long for case in chosen)
    everything = benchmarks.chosen(benchmarks.parse([]), small)
    assert any(case.once for case in everything)
    assert any(case.long for case in everything)


def test_a_pattern_that_finds_nothing_is_an_error(small):
    with pytest.raises(SystemExit, match="no case"):
        benchmarks.main(["--only", "no such case"], small)


def test_the_sweep_is_drawn(tmp_path):
    pytest.importorskip(
        "matplotlib", reason="the plot needs the extra train, which make test installs"
    )
    path = tmp_path / "speed.png"
    figures = {
        vector_name(n, threads): Figure("steps/s", n, threads, [n * 1e3, n * 1.1e3])
        for n in (1, 64)
        for threads in (1, 2)
    }
    plot.draw(figures, "a machine", path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [file.name for file in tmp_path.iterdir()] == ["speed.png"]


def test_nothing_to_draw_is_an_error(tmp_path):
    with pytest.raises(SystemExit, match="nothing to plot"):
        plot.draw({"part: mask": Figure("masks/s", 2, 1, [1.0])}, "x", tmp_path / "speed.png")


# ---- comparing, and failing ---------------------------------------------------------------------
@pytest.fixture
def old(tmp_path, small):
    """A run of one case, and the file it wrote."""
    path = tmp_path / "old.json"
    benchmarks.main(["--only", "part: mask", *SHORT, "--json", str(path)], small)
    return path, json.loads(path.read_text(encoding="utf-8"))


def compared(small, path, *options):
    benchmarks.main(["--only", "part: mask", *SHORT, "--compare", str(path), *options], small)


def change(old, **changes):
    """Write the file again, with other values of its one case or other facts."""
    path, content = old
    case = content["cases"]["part: mask"]
    for name, value in changes.items():
        (case if name in case else content)[name] = value
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_a_run_measures_the_yardstick_and_compares_in_multiples_of_it(old, small, capsys):
    path, content = old
    assert content["yardstick"]["name"] == yardstick.NAME
    assert len(content["cases"]["part: mask"]["yardsticks"]) == 2
    capsys.readouterr()
    compared(small, path)
    shown = capsys.readouterr().out
    assert "new / old, in yardsticks" in shown
    assert "compares rates and times as multiples of the yardstick" in shown


def test_a_file_without_a_yardstick_compares_as_it_is(old, small, capsys):
    path, content = old
    del content["yardstick"], content["cases"]["part: mask"]["yardsticks"]
    path.write_text(json.dumps(content), encoding="utf-8")
    capsys.readouterr()
    compared(small, path)
    shown = capsys.readouterr().out
    assert "new / old" in shown
    assert "in yardsticks" not in shown
    assert "the file has no yardstick" in shown


def test_a_case_far_below_is_named_and_the_status_is_1(old, small, capsys):
    path = change(old, values=[1e15, 1e15])
    with pytest.raises(SystemExit) as ended:
        compared(small, path, "--fail-below", "0.8")
    assert ended.value.code == 1
    assert "part: mask: " in capsys.readouterr().err


def test_a_case_that_is_better_passes(old, small):
    compared(small, change(old, values=[1e-9, 1e-9]), "--fail-below", "0.8")


def test_nothing_to_compare_does_not_pass(old, small, capsys):
    with pytest.raises(SystemExit) as ended:
        compared(small, change(old, cases={}), "--fail-below", "0.8")
    assert ended.value.code == 2
    assert "none of the cases" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"yardstick": {"name": "walk-0"}}, "yardstick 'walk-0'"),
        ({"run": {"env": "HexDungeon-v0"}}, "compare with --env HexDungeon-v0"),
        ({"machine": None}, "must be a file"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_before_measuring(old, small, capsys, changes, message):
    path = change(old, **changes)
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        compared(small, path)
    assert ended.value.code == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert str(path) in shown.err
    assert shown.out == ""


def test_a_missing_file_is_named(tmp_path, small, capsys):
    with pytest.raises(SystemExit) as ended:
        compared(small, tmp_path / "none.json")
    assert ended.value.code == 2
    assert f"--compare {tmp_path / 'none.json'}: No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fail-below", "0.8"], "needs --compare"),
        (["--compare", "--fail-below", "80"], "at most 1"),
        (["--compare", "--fail-below", "0"], "above 0"),
        (["--compare", "--fail-below", "0.8", "--repeats", "1"], "needs --repeats 2"),
    ],
)
def test_options_that_make_no_sense_together(capsys, options, message):
    with pytest.raises(SystemExit) as ended:
        benchmarks.parse(options)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("env", RULESETS)
def test_the_stored_baseline_is_the_default_and_fits(env):
    options = benchmarks.parse(["--env", env, "--compare"])
    assert options.compare == baseline.stored(env)
    figures, about = baseline.load(options.compare, env)
    assert about["yardstick"]["name"] == yardstick.NAME
    assert about["run"]["env"] == env
    names = {case.name: case for case in cases(replace(FULL, env=env))}
    assert set(figures) <= set(names), "a case has another name: record the baselines again"
    assert not [name for name in figures if names[name].unit != figures[name].unit]
    assert {vector_name(1024), vector_name(1024, 2), "rollout: ... games"} <= set(figures)
    assert all(len(figure.values) >= 2 for figure in figures.values() if not figure.missing)
    timed = [figure for figure in figures.values() if is_timed(figure.unit)]
    assert not [figure for figure in timed if len(figure.yardsticks) != len(figure.values)]


def test_shares_never_fail():
    new, old = ({"a": Figure("% of the time", values=[x, x])} for x in (90.0, 10.0))
    assert list(baseline.worse(new, old, 0.8, scaled=True)) == []
    new, old = ({"a": Figure("bytes", values=[x, x])} for x in (90.0, 10.0))
    assert list(baseline.worse(new, old, 0.8, scaled=True)) == ["a: 9 ± 0"]
