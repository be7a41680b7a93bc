"""Files of results that are damaged, or that somebody else made: one clear line each."""

import random

import polars as pl
import pytest
from typer.testing import CliRunner

import agemonia_env
from agemonia_env.cli.main import app
from agemonia_env.simulation.checkpoints import MARK

RUN = {"scenario": "ford", "heroes": 2, "policy": "greedy", "games": 60, "seed": 1}
WORDS = ["simulate", "--scenario", "ford", "-n", "60", "--seed", "1", "--quiet", "--out"]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "games.parquet"
    agemonia_env.simulate(**RUN, out=path)
    return path


@pytest.fixture
def out(tmp_path, sound):
    path = tmp_path / "games.parquet"
    path.write_bytes(sound.read_bytes())
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.select(pl.lit(1).alias("a")),
        lambda frame: frame.drop("won"),
        lambda frame: frame.with_columns(pl.col("won").cast(pl.String)),
        lambda frame: frame.with_columns(more=1),
        lambda frame: frame.head(59),
        lambda frame: frame.head(0),
        lambda frame: frame.select(sorted(frame.columns)),
    ],
)
def test_other_columns_or_rows_are_one_line(out, change):
    mark = pl.read_parquet_metadata(out)[MARK]
    change(pl.read_parquet(out)).write_parquet(out, metadata={MARK: mark})
    before = out.read_bytes()
    done = CliRunner().invoke(app, [*WORDS, str(out)])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "holds something else (no simulation, or a damaged one); use another" in done.stderr
    assert out.read_bytes() == before


@pytest.mark.parametrize("in_footer", [True, False])
def test_damage_is_one_line_or_none(out, in_footer):
    chance, sound = random.Random(3), out.read_bytes()
    footer = len(sound) - 8 - int.from_bytes(sound[-8:-4], "little")
    refused = []
    for _ in range(60):
        content = bytearray(sound)
        place = (footer, len(sound) - 8) if in_footer else (4, footer)
        content[chance.randrange(*place)] ^= 1 << chance.randrange(8)
        out.write_bytes(content)
        try:
            agemonia_env.simulate(**RUN, out=out)
        except ValueError as error:
            refused.append(str(error))
    assert len(refused) > 5
    assert all(str(out) in line and "\n" not in line for line in refused)


def test_a_chunk_with_other_columns_is_played_again(tmp_path, sound):
    from agemonia_env.simulation.checkpoints import CheckpointStore
    from agemonia_env.simulation.plan import make_plan

    begun = CheckpointStore(make_plan("ford", 2, "greedy", 60, seed=1), tmp_path / "games.parquet")
    begun.open()
    begun.write(0, pl.read_parquet(sound).drop("won"))
    begun.open()
    assert begun.missing() == [0]
