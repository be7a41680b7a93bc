"""The arithmetic of the table, its rounds, comparing two of them, and its file."""

from pathlib import Path

import pytest

from benchmarks import table
from benchmarks.table import Case, Figure, UnavailableError


def figure(*values, unit="steps/s"):
    return Figure(unit, values=list(values))


def test_median_and_half_spread():
    assert figure(130, 90, 100).median == 100
    assert figure(130, 90, 100).half_spread == pytest.approx(0.2)
    assert figure(100).half_spread is None


@pytest.mark.parametrize(
    ("new", "old", "verdict"),
    [
        ((198, 200, 202), (99, 100, 101), "better"),
        ((49, 50, 51), (99, 100, 101), "worse"),
        ((104, 105, 106), (90, 100, 110), ""),
        ((95, 105, 115), (99, 100, 101), ""),
        ((200,), (99, 100, 101), ""),
    ],
)
def test_a_difference_is_marked_beyond_the_spread(new, old, verdict):
    assert table.ratio(figure(*new), figure(*old)).verdict == verdict


def test_of_seconds_and_bytes_less_is_better():
    for unit in ("s", "bytes"):
        new, old = figure(49, 51, unit=unit), figure(99, 101, unit=unit)
        assert table.ratio(new, old).verdict == "better"
        assert table.ratio(old, new).verdict == "worse"


def test_a_ratio_and_how_far_off_it_may_be():
    found = table.ratio(figure(180, 200, 220), figure(90, 100, 110))
    assert found.value == 2
    assert found.spread == pytest.approx(2 * (0.1 + 0.1))
    assert str(found) == "2 ± 0.4"


def test_no_ratio_without_both_or_of_different_units():
    assert table.ratio(figure(), figure(1)) is None
    assert table.ratio(figure(1), figure()) is None
    assert table.ratio(figure(1), figure(1, unit="s")) is None


def counting(name, log, **choices):
    """A case that notes when it is prepared and when it is measured."""

    def prepare():
        log.append(f"lay out {name}")
        return lambda seconds: log.append(name) or seconds

    return Case(name, "steps/s", prepare, **choices)


def test_rounds_go_over_all_cases_and_lay_out_each_once():
    log, announced = [], []
    cases = [counting("a", log), counting("b", log, once=True)]
    figures = table.run(cases, 3, 0.5, announced.append)
    assert log == ["lay out a", "a", "lay out b", "b", "a", "a"]
    assert announced == ["a", "b"] * 3
    assert figures["a"].values == [0.5] * 3
    assert figures["b"].values == [0.5]


def test_a_case_that_cannot_run_says_why_and_the_run_continues():
    def broken():
        raise UnavailableError("failed: no paper")

    def absent():
        raise ModuleNotFoundError("No module named 'x'", name="x")

    cases = [Case("p", "steps/s", broken), Case("q", "steps/s", absent), counting("r", [])]
    figures = table.run(cases, 2, 0.5, lambda _: None)
    assert figures["p"].missing == "failed: no paper"
    assert figures["q"].missing == "not installed: x"
    assert figures["r"].values == [0.5, 0.5]


def test_a_bug_is_not_a_missing_case():
    def mistaken():
        raise KeyError("actions")

    with pytest.raises(KeyError):
        table.run([Case("p", "steps/s", mistaken)], 1, 0.5, lambda _: None)


def cells(lines):
    """Heading -> the cells below it."""
    return {column.header: list(column.cells) for column in lines.columns}


def test_lines_have_everything_that_was_measured():
    figures = {"a": figure(90_000, 100_000, 130_000), "b": figure(2.5, unit="s")}
    figures["c"] = Figure("steps/s", missing="not installed: x")
    assert cells(table.lines(figures, table.PLAIN)) == {
        "case": ["a", "b", "c"],
        "median": ["100,000", "2.5", ""],
        "half-spread": ["± 20.0 %", "", ""],
        "unit": ["steps/s", "s", "steps/s"],
        "time each": ["10 µs", "", ""],
        "missing because": ["", "", "not installed: x"],
    }


def test_lines_that_compare():
    new = {"a": figure(198, 202), "b": figure(100, 100), "new": figure(1)}
    old = {"a": figure(99, 101), "b": figure(90, 110), "gone": figure(1)}
    assert cells(table.lines(new, table.compared(old, scaled=False))) == {
        "case": ["a", "b", "new"],
        "before": ["100", "100", ""],
        "new / old": ["2 ± 0.04", "1 ± 0.1", ""],
        "": ["better", "", ""],
    }


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.5, "2.5 s"), (0.0125, "12.5 ms"), (8e-6, "8 µs"), (4e-8, "40 ns")]
)
def test_durations(seconds, text):
    assert table.duration(seconds) == text


def test_a_file_comes_back_as_it_was_written(tmp_path):
    path = tmp_path / "new.json"
    figures = {"a": Figure("steps/s", 64, 2, [1.0, 2.0]), "b": Figure("s", missing="why")}
    figures["c"] = Figure("steps/s", values=[3.0, 4.0], yardsticks=[30.0, 40.0])
    about = {"machine": {"cpu": "x"}, "run": {"repeats": 2}}
    table.write(figures, about, path)
    assert table.read(path) == (figures, about)
    assert [file.name for file in tmp_path.iterdir()] == ["new.json"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "new.json"
    path.write_text("old")

    def full_disk(self, *_, **__):
        self.touch()
        raise OSError("No space left")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="No space left"):
        table.write({}, {}, path)
    assert path.read_bytes() == b"old"


def test_differences_to_the_machine_of_an_older_table():
    new = {"machine": {"cpu": "x", "numba": "2"}}
    old = {"machine": {"cpu": "x", "numba": "1"}}
    assert table.unlike(new, old) == {"numba": "was 1"}


# ---- multiples of the yardstick -----------------------------------------------------------------
def beside(values, yardsticks, unit="steps/s"):
    return Figure(unit, values=list(values), yardsticks=list(yardsticks))


def test_the_yardstick_is_measured_around_each_measurement():
    log, rates = [], iter([10.0, 20.0, 30.0, 50.0])

    def yardstick(case):
        if case.name == "b":
            return None
        return lambda seconds: log.append(seconds) or next(rates)

    cases = [counting("a", log), counting("b", log)]
    figures = table.run(cases, 2, 8.0, lambda _: None, yardstick)
    assert log == ["lay out a", 1.0, "a", 1.0, "lay out b", "b", 1.0, "a", 1.0, "b"]
    assert figures["a"].yardsticks == [15.0, 40.0]
    assert figures["b"].yardsticks == []


def test_a_machine_of_half_the_speed_compares_as_the_same():
    quick, slow = beside((90, 100, 110), (9, 10, 11)), beside((45, 50, 55), (4.5, 5, 5.5))
    assert table.compare(slow, quick, scaled=True).value == pytest.approx(1)
    assert table.compare(slow, quick, scaled=True).spread == pytest.approx(0)
    assert table.compare(slow, quick, scaled=False).value == 0.5
    quick, slow = beside((2.0,), (10,), "s"), beside((4.0,), (5,), "s")
    assert table.compare(slow, quick, scaled=True).value == 1


def test_bytes_and_shares_compare_as_they_are():
    for unit in ("bytes", "% of the time", "times"):
        assert table.compare(figure(20, unit=unit), figure(10, unit=unit), scaled=True).value == 2


def test_no_multiple_without_a_yardstick_on_both_sides():
    with_one, without = beside((100,), (10,)), figure(100)
    assert table.compare(with_one, without, scaled=True) is None
    assert table.compare(without, with_one, scaled=True) is None
    assert table.compare(with_one, without, scaled=False).value == 1


def test_the_heading_says_what_is_compared():
    new, old = {"a": beside((100, 100), (5, 5))}, {"a": beside((100, 100), (10, 10))}
    found = cells(table.lines(new, table.compared(old, scaled=True)))
    assert found["new / old, in yardsticks"] == ["2 ± 0"]
    assert found[""] == ["better"]
    assert cells(table.lines(new, table.compared(old, scaled=False)))["new / old"] == ["1 ± 0"]


@pytest.mark.parametrize(
    ("value", "spread", "more_is_better", "below"),
    [
        (0.7, 0.05, True, True),
        (0.7, 0.15, True, False),
        (0.85, 0.01, True, False),
        (1.5, 0.1, False, True),
        (1.5, 0.3, False, False),
        (0.5, 0.1, False, False),
        (0.1, None, True, False),
    ],
)
def test_below_a_floor_only_beyond_the_spread(value, spread, more_is_better, below):
    assert table.Ratio(value, spread, more_is_better).is_below(0.8) == below


# ---- bad files ----------------------------------------------------------------------------------
CASES = '{"machine": {}, "run": {}, "cases": {"a": {"unit": "s", %s}}}'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "must be JSON"),
        (b"\xff\xfe", "must be JSON"),
        (b"[]", "must be a file"),
        (b"{}", "must be a file"),
        (b'{"machine": {}, "run": [], "cases": {}}', "must be a file"),
        (b'{"machine": {}, "run": {}, "cases": []}', "must be a file"),
        ((CASES % '"speed": 1').encode(), "must be a file"),
        ((CASES % '"values": ["1"]').encode(), "must be a file"),
        ((CASES % '"values": [0]').encode(), "must be a file"),
        ((CASES % '"values": [1, 2], "yardsticks": [1]').encode(), "must be a file"),
    ],
)
def test_a_file_of_another_format_is_refused_by_name(tmp_path, content, message):
    path = tmp_path / "old.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        table.read(path)
    assert str(caught.value).startswith(f"{path}: ")
