"""The command line."""

import json
from datetime import date

from benchmarks import __main__ as benchmarks

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
