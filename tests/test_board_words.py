"""Words that are printed on the board have a page, and odd names are drawn."""

import re

import gymnasium
import pytest

from agemonia_env.display.names import initials
from agemonia_env.display.pages import UnknownPageError
from agemonia_env.packs.starting_pack import write_pack
from agemonia_env.rulesets.doors import RULESETS

WORDS = {
    "Agemonia-v0": "eye staring open closed colour initiative might agility will ready spent "
    "health provoke shield snake horns taunt",
    "HexDungeon-v0": "initiative loot door obstacle elite",
}


@pytest.mark.parametrize("env_id", WORDS)
def test_look_knows_the_words_of_the_board(env_id):
    env = gymnasium.make(f"agemonia_env:{env_id}", render_mode="ansi").unwrapped
    env.reset(seed=1)
    for word in WORDS[env_id].split():
        page = env.look(word)
        assert word in page.lower()
    board = env.render().lower()
    assert sum(word in board for word in WORDS[env_id].split()) > 1


@pytest.mark.parametrize("name", [5, None, 1.5, ["eye"], b"eye"])
def test_look_refuses_what_is_no_name(name):
    env = gymnasium.make("agemonia_env:Agemonia-v0").unwrapped
    env.reset(seed=1)
    with pytest.raises(UnknownPageError, match="must be a name, such as 'Orsa'"):
        env.look(name)


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Kiln Rat", "Kr"), ("The Rat", "Ra"), ("Rat-Queen", "Rq"), ("The", "Th"), ("the the", "Tt"),
     ("-", "-"), (" ", "?"), ("", "?"), ("--", "--"), ("x", "X")],
)  # fmt: skip
def test_every_name_has_letters(name, letters):
    assert initials(name) == letters


FILES = {
    "Agemonia-v0": ("heroes/orsa",),
    "HexDungeon-v0": ("monsters/kiln-rat", "classes/thornarm"),
}


@pytest.mark.parametrize("env_id", FILES)
@pytest.mark.parametrize("name", [" ", "-", "The"])
def test_figures_with_odd_names_are_drawn(tmp_path, env_id, name):
    write_pack(tmp_path / "pack", env_id)
    for file in FILES[env_id]:
        path = tmp_path / "pack" / f"{file}.yaml"
        path.write_text(re.sub(r"^name: .*$", f"name: {name!r}", path.read_text(), flags=re.M))
    _, scenario = RULESETS[env_id].starter
    made = {"pack": tmp_path / "pack", "scenario": scenario}
    heroes = [file.split("/")[1] for file in FILES[env_id] if "monsters" not in file]
    for mode in ("ansi", "rgb_array"):
        env = gymnasium.make(f"agemonia_env:{env_id}", heroes=heroes, render_mode=mode, **made)
        env.reset(seed=1)
        assert len(env.render())
