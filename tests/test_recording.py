"""What needs an extra of its own: films of games, and tables for pandas; and how a lack is told."""

import importlib
import sys

import gymnasium
import numpy as np
import pytest

import agemonia_env

DOORS = {
    "agemonia_env.envs.openspiel": ("pyspiel", "openspiel"),
    "agemonia_env.envs.pettingzoo": ("pettingzoo", "marl"),
    "agemonia_env.envs.sb3": ("stable_baselines3", "train"),
}


@pytest.mark.parametrize("module", DOORS)
def test_a_missing_framework_names_its_extra(module, monkeypatch):
    package, extra = DOORS[module]
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    said = rf"^{package}.* is not installed: pip install 'agemonia-env\[{extra}\]'$"
    with pytest.raises(ModuleNotFoundError, match=said):
        importlib.import_module(module)


def test_gymnasium_records_a_film(tmp_path):
    pytest.importorskip("moviepy", reason="films need the extra video, which make interop installs")
    env = gymnasium.make("agemonia_env:Agemonia-v0", heroes=1, render_mode="rgb_array")
    folder = str(tmp_path / "films")
    env = gymnasium.wrappers.RecordVideo(env, folder, episode_trigger=lambda k: k == 0)
    _, info = env.reset(seed=1)
    for _ in range(6):
        _, _, _, _, info = env.step(int(np.argmax(info["action_mask"])))
    env.close()
    (film,) = tmp_path.glob("films/*.mp4")
    assert film.stat().st_size > 1000


def test_rows_become_a_table_of_pandas():
    pandas = pytest.importorskip(
        "pandas", reason="tables need the extra pandas, which make interop installs"
    )
    pytest.importorskip("pyarrow", reason="tables need the extra pandas")
    rows = agemonia_env.simulate("ford", heroes=1, policy="random", games=4, seed=1)
    table = rows.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert list(table.columns) == rows.columns
    assert table["won"].tolist() == rows["won"].to_list()
