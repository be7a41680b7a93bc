"""Packs in zip archives: checked as they are, whatever is in them."""

import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agemonia_env.cli.main import app
from agemonia_env.packs.archives import MOST_BYTES, MOST_FILES, files_in_archive, unpacked
from agemonia_env.packs.checking import mistakes_of


def zipped(path, texts):
    """An archive of files by name."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return path


@pytest.fixture
def archive(build, tmp_path):
    """The small pack, in a folder of an archive."""
    folder = build()
    texts = {
        f"small/{path.relative_to(folder).as_posix()}": path.read_text()
        for path in folder.rglob("*.yaml")
    }
    return lambda **more: zipped(tmp_path / "small.zip", texts | more)


def test_an_archive_is_checked_with_changes(archive):
    path = archive()
    assert mistakes_of(f"{path}") == []
    assert mistakes_of(f"{path}; heroes.anna.taunt = 2") == []
    (mistake,) = mistakes_of(f"{path}; heroes.anna.taunt = 3")
    assert mistake.startswith("heroes/bert.yaml: taunt: 3 is also that of heroes/anna.yaml")


def test_mistakes_in_an_archive_name_its_files(archive):
    path = archive(**{"small/enemies/lantern.yml": "name: Lantern"})
    assert mistakes_of(str(path)) == [
        "enemies/lantern.yml: file: is not read; its name must end in .yaml"
    ]


def test_the_command_checks_what_the_editor_saves(archive):
    path = archive()
    done = CliRunner().invoke(app, ["content", "check", str(path)])
    assert (done.exit_code, done.output) == (0, f"{path}: no mistakes\n")


def test_other_commands_say_to_unpack_it(archive):
    done = CliRunner().invoke(app, ["info", "--pack", str(archive())])
    assert done.exit_code == 2
    assert "is an archive; unpack it" in " ".join(done.output.split())


def test_nothing_is_left_of_an_archive(archive):
    with unpacked(str(archive())) as folder:
        assert Path(folder, "pack.yaml").is_file()
    assert not Path(folder).exists()


@pytest.mark.parametrize(
    ("texts", "mistake"),
    [
        ({"notes.yaml": "a: 1"}, "has no pack.yaml"),
        ({"../pack.yaml": "a: 1"}, "has no pack.yaml"),
        ({"/pack.yaml": "a: 1"}, "has no pack.yaml"),
        ({f"{k}.yaml": "" for k in range(MOST_FILES + 1)}, "has 1,001 files; at most 1,000"),
        ({"pack.yaml": " " * (MOST_BYTES + 1)}, "holds more than 16 MiB"),
        ({"pack.yaml": b"\xff"}, "not UTF-8"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_is_no_pack_is_refused(tmp_path, texts, mistake):
    path = zipped(tmp_path / "x.zip", texts)
    with pytest.raises(ValueError, match=rf"x\.zip: .*{mistake}"):
        mistakes_of(str(path))


def test_a_damaged_archive_is_refused(archive):
    data = archive().read_bytes()
    for damaged in (b"nothing", data[: len(data) // 2], data[:60] + bytes(40) + data[100:]):
        with pytest.raises(ValueError, match="zip archive"):
            files_in_archive(damaged)


def test_files_beside_the_pack_are_left_out(tmp_path):
    path = zipped(tmp_path / "x.zip", {"a/pack.yaml": "1", "a/b/c.yml": "2", "d.yaml": "3"})
    assert files_in_archive(path.read_bytes()) == {"pack.yaml": "1", "b/c.yml": "2"}
