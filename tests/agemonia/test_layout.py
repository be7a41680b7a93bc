"""Sizes are pinned, so that growth is a decision; every field is explained where it is declared."""

from pathlib import Path

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.core import actions, layout, obs_spec, observe
from agemonia_env.rulesets.agemonia.core.terms import Trait
from tests.observed import leaves

DERIVED = {"OBS_INT8"}  # from one that is declared
DTYPES = {
    name: value
    for module in (layout, obs_spec)
    for name, value in vars(module).items()
    if isinstance(value, np.dtype) and name not in DERIVED
}


def test_sizes_are_pinned():
    assert layout.STATE.itemsize == 2888
    assert layout.CONTENT.itemsize == 26296
    assert obs_spec.N_OBSERVATION == 3034
    assert actions.N_ACTIONS == 218


def test_the_sets_of_an_item_fit_in_one_number():
    assert len(Trait) * layout.N_CARRIED < 64


def test_the_observation_is_float32_without_gaps():
    kinds = [kind for _, kind in leaves(obs_spec.OBS)]
    assert set(kinds) == {np.dtype(np.float32)}
    assert obs_spec.OBS.itemsize == 4 * obs_spec.N_OBSERVATION


def test_codes_have_the_fields_of_the_observation_and_scales_their_places():
    assert {kind for _, kind in leaves(obs_spec.OBS_INT8)} == {np.dtype(np.int8)}
    assert [path for path, _ in leaves(obs_spec.OBS_INT8)] == [
        path for path, _ in leaves(obs_spec.OBS)
    ]
    scales = obs_spec.SCALES.view(obs_spec.OBS)[0]
    assert scales["round"] == obs_spec.ROUNDS
    assert (scales["ally"]["disk"] == obs_spec.CHIPS).all()
    assert (scales["enemy"]["area"] == layout.N_AREAS).all()


def test_cached_observation_parts_are_whole_words():
    at = {name: field[1] for name, field in layout.STATE.fields.items()}
    assert at["ally"] % 8 == layout.STATE.itemsize % 8 == layout.ALLY.itemsize % 8 == 0
    assert observe.ENEMIES_TOGETHER * layout.ENEMY.itemsize % 8 == 0
    assert layout.N_ENEMIES % observe.ENEMIES_TOGETHER == 0
    assert at["used_now"] + 4 - at["ally"] == 8 * observe.PILES_CACHED
    assert at["n_initiative"] >= 8 * observe.PILES_AT
    assert at["timer_target"] + 2 <= 8 * (observe.PILES_AT + observe.PILES_LONG)


@pytest.mark.parametrize("name", ["STATE", "CONTENT"])
def test_state_and_content_hold_whole_numbers_only(name):
    allowed = {
        np.dtype(kind) for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64)
    }
    for path, kind in leaves(DTYPES[name]):
        assert kind in allowed, path  # nested bool does not compile
        assert kind != np.uint64 or path in (".chance", ".card.face")


def test_every_dtype_but_the_observation_is_aligned():
    for name, dtype in DTYPES.items():
        assert dtype.isalignedstruct != name.startswith("OBS"), name


def test_areas_and_figures_fit_the_bit_sets():
    assert layout.N_AREAS < 31
    assert layout.N_ENEMIES < 31
    assert layout.N_EVENTS < 31
    assert layout.N_CARDS < 63


def test_every_field_has_a_comment(load_script):
    read = load_script("docs/generate.py").declared
    declared = read(Path(layout.__file__)) | read(Path(obs_spec.__file__))
    assert set(declared) == set(DTYPES)
    for name, record in declared.items():
        assert [field.name for field in record.fields] == list(DTYPES[name].names)
        assert not [field.name for field in record.fields if not field.comment], name


def test_r1_2_and_r1_6_what_heroes_and_enemies_have_is_a_field():
    hero = {*layout.ALLY.names, *layout.SHEET.names}
    chips = {"disk", "spent", "wounds", "lock_chips", "wounded", "exhausted"}
    board = {"ability", "taunt", "move_free", "move_paid", "recover_stamina", "recover_damage"}
    held = {"conditions", "injury", "inspiration", "achievement", "item", "token", "area"}
    assert chips | board | held <= hero
    beast = {"type", "number", "health", "area", "conditions", "acted", "spawned"}
    assert beast <= set(layout.ENEMY.names)
