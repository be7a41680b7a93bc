"""Files appear complete or not at all, and errors name the file."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from agemonia_env.files import writing
from agemonia_env.files.writing import (
    check_out_file,
    check_out_folder,
    delete_unfinished,
    partial_of,
    replacing,
    write_json,
    write_whole,
)

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("agemonia_env", "agents", "benchmarks")


def files_in(folder):
    return sorted(path.name for path in folder.rglob("*"))


def test_a_file_is_there_with_its_folder(tmp_path):
    path = tmp_path / "new" / "a.json"
    write_json(path, {"a": [1]})
    assert path.read_text() == '{\n  "a": [\n    1\n  ]\n}\n'
    write_whole(path, "é")
    assert path.read_bytes() == "é".encode()
    assert files_in(tmp_path) == ["a.json", "new"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_after_an_error_the_old_file_stays_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.txt"
    write_whole(path, "old")

    def fail():
        with replacing(path) as partial:
            partial.write_text("half")
            raise error

    with pytest.raises(type(error)) as caught:
        fail()
    assert path.read_text() == "old"
    assert files_in(tmp_path) == ["a.txt"]
    if isinstance(error, OSError):
        assert (caught.value.filename, caught.value.errno) == (str(path), 28)


def test_folders_and_pipes_are_left_alone(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, message in ((tmp_path, "is a folder"), (tmp_path / "pipe", "not a regular file")):
        with pytest.raises(ValueError, match=message):
            write_whole(path, "text")
    with pytest.raises(ValueError, match="not a regular file"):
        write_whole(Path("/dev/null"), "text")
    assert not Path("/dev/null").is_file()


def test_no_two_writers_share_a_temporary_name(tmp_path):
    names = {partial_of(tmp_path / "a") for _ in range(100)}
    assert len(names) == 100
    for name in names:
        name.touch()
    (tmp_path / "mine.partial").touch()
    delete_unfinished(tmp_path.iterdir())
    assert files_in(tmp_path) == ["mine.partial"]


# ---- a full disk ----------------------------------------------------------------------------
@pytest.fixture
def full_disk():
    """No file of this process may grow beyond 1,000 bytes, as if the disk was full."""
    resource = pytest.importorskip(
        "resource", reason="Windows cannot limit file sizes; tested on Linux and macOS"
    )
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, before)


def test_a_full_disk_names_the_file_and_leaves_nothing(tmp_path, full_disk):
    with pytest.raises(OSError, match="File too large") as caught:
        write_whole(tmp_path / "a.bin", bytes(5000))
    assert caught.value.filename == str(tmp_path / "a.bin")
    assert files_in(tmp_path) == []


def noise():
    from PIL import Image

    return Image.fromarray(np.random.default_rng(0).integers(0, 255, (60, 60, 3), np.uint8))


def gif(path):
    from agemonia_env.cli.terminal import write_gif

    write_gif([noise(), noise().rotate(90)], path, 0.1)


def png(path):
    from agemonia_env.cli.terminal import write_png

    write_png(noise(), path)


def figure(path):
    from matplotlib.figure import Figure

    from agemonia_env.files.writing import write_figure

    drawn = Figure()
    drawn.subplots().plot([1, 2])
    write_figure(path, drawn, dpi=100)


def network(path):
    from agemonia_env.policies.network import Layer, Network

    layer = Layer(np.zeros((30, 30), np.float32), np.zeros(30, np.float32))
    Network(np.arange(30, dtype=np.int32), [], layer, layer, {"fingerprint": "0"}).save(path)


def tensors(path):
    from gymnasium import spaces
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.envs import IdentityEnv

    from agents.model_file import save_model

    env = IdentityEnv(2)
    env.observation_space = spaces.Box(-1, 1, (4,))
    save_model(MaskablePPO("MlpPolicy", env, device="cpu"), path, {"fingerprint": "0"})


def study(path):
    import polars as pl

    from agemonia_env.balance.study_result import parquet

    write_whole(path, parquet(pl.DataFrame({"a": np.random.default_rng(0).random(1000)})))


@pytest.mark.parametrize(
    ("write", "name"),
    [
        *((gif, "a.gif"), (png, "a.png"), (figure, "b.png")),
        *((network, "model.npz"), (tensors, "model.safetensors"), (study, "report.parquet")),
    ],
)
def test_every_kind_of_file(tmp_path, full_disk, write, name):
    with pytest.raises(OSError, match="File too large") as caught:
        write(tmp_path / name)
    named = Path(caught.value.filename)
    assert named.parent == tmp_path
    assert named.stem == Path(name).stem
    assert not list(tmp_path.glob("*.partial"))
    assert not (tmp_path / name).exists()


def test_every_kind_is_whole_where_there_is_room(tmp_path):
    network(tmp_path / "model.npz")
    tensors(tmp_path / "model.safetensors")
    with np.load(tmp_path / "model.npz") as arrays:
        assert "record" in arrays
    safetensors = pytest.importorskip("safetensors.torch")
    assert "policy.action_net.bias" in safetensors.load_file(tmp_path / "model.safetensors")
    assert files_in(tmp_path) == ["model.json", "model.npz", "model.safetensors"]


# Written by other means: a line at a time the log of a comparison and the output of a trainer, and
# compiled code by the core, which knows nothing of files/. Scripts of docs write pages of the
# repository.
OTHERS = {
    "agemonia_env/files/writing.py",
    "agemonia_env/core/compiling.py",
    "agemonia_env/balance/pairs.py",
    "agents/results.py",
}


def test_every_file_is_written_atomically():
    calls = (".write_text(", ".write_bytes(", "np.savez(path", '.open("w', "os.replace(")
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if any(call in path.read_text(encoding="utf-8") for call in calls)
    }
    assert found <= OTHERS, "use writing.write_whole"


# ---- before work begins ---------------------------------------------------------------------
@pytest.mark.parametrize("name", ["x.csv", "x", "x.parquet.gz", "parquet"])
def test_an_extension_that_does_not_fit_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match=r"must end in \.parquet"):
        check_out_file(tmp_path / name, ".parquet")
    check_out_file(tmp_path / "x.parquet", ".parquet")
    assert files_in(tmp_path) == []


@pytest.mark.parametrize(
    "name", ["x.csv", "report.html", "games.parquet", "model.zip", "model.safetensors"]
)
def test_a_folder_has_no_extension_of_a_file(tmp_path, name):
    with pytest.raises(ValueError, match="must name a folder"):
        check_out_folder(tmp_path / name)
    (tmp_path / name).mkdir()
    check_out_folder(tmp_path / name)  # such a name cannot mean a file
    check_out_folder(tmp_path / "v1.2")


def test_an_unwritable_place_is_refused_at_once(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="is a file, not a folder"):
        check_out_file(tmp_path / "file" / "x.json", ".json")
    with pytest.raises(ValueError, match="is a file"):
        check_out_folder(tmp_path / "file")
    with pytest.raises(ValueError, match="is a folder"):
        check_out_file(tmp_path, ".json")
    with pytest.raises(OSError, match="/proc") as caught:
        check_out_file(Path("/proc/missing/x.json"), ".json")
    assert caught.value.filename == "/proc"
    check_out_file(tmp_path / "new" / "er" / "x.json", ".json")
    assert files_in(tmp_path) == ["file"]


def test_no_permission_to_write():
    code = (
        "import os, sys; from pathlib import Path\n"
        "from agemonia_env.files.writing import check_out_folder\n"
        "os.setuid(65534) if os.getuid() == 0 else None\n"
        "check_out_folder(Path(sys.argv[1]) / 'out')"
    )
    with tempfile.TemporaryDirectory() as folder:  # only root can read pytest's folders
        Path(folder).chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", code, folder], cwd=ROOT, capture_output=True, text=True
        )
    assert done.stderr.strip().split("\n")[-1].endswith(f"Permission denied: '{folder}'")


def test_the_module_is_light():
    assert not {"numpy", "polars", "torch"} & set(vars(writing))
