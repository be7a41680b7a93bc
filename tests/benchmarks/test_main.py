"""The command line."""

import json

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import plot
from benchmarks.cases import vector_name
from benchmarks.table import Figure

SHORT = ["--seconds", "0.001", "--repeats", "2"]


def test_table_file_and_comparison(tmp_path, small, capsys):
    path = tmp_path / "new.json"
    benchmarks.main(["--only", "part: (mask|copy)", *SHORT, "--json", str(path)], small)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert list(written["cases"]) == ["part: mask", "part: copy of a state"]
    assert all(len(case["values"]) == 2 for case in written["cases"].values())
    assert {"cpu", "cores", "numba"} <= set(written["machine"])
    assert written["run"]["repeats"] == 2
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
