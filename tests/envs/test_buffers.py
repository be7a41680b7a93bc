"""Buffers of one's own: the same results, written into the memory that was given."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import vector_env_class
from agemonia_env.envs.buffers import KEYS
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of
from tests.games import mostly_legal, same

N = 4
STEPS = 90 if COMPILED else 20
EVERY = pytest.mark.parametrize("env_id", RULESETS)
DTYPES = pytest.mark.parametrize("dtype", ["float32", "int8"])
MODES = pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
HOW = pytest.mark.parametrize("observation", ["full", "fitted"])


def make(env_id="Agemonia-v0", **choices):
    """A vector env whose episodes are short."""
    return vector_env_class(env_id)(N, max_decisions=12, **choices)


def shapes_of(env_id="Agemonia-v0", mode="NextStep", **choices):
    """Shapes of the buffers of such an env, observations and masks."""
    env = make(env_id, **choices)
    rows = 2 * N if mode == "SameStep" else N
    return (rows, *env.single_observation_space.shape), (N, env.single_action_space.n)


def empty(shapes, dtype, mask="bool"):
    """NumPy arrays of these shapes, filled with rubbish that must not matter."""
    types = dtype, mask
    return {
        name: np.full(shape, 77, of) for name, shape, of in zip(KEYS, shapes, types, strict=True)
    }


def check_same(env, expected, arrays, steps=STEPS):
    """Both play alike, and everything of `env` is in the arrays: NumPy views of the buffers."""
    seen, infos = env.reset(seed=1)
    others, also = expected.reset(seed=1)
    random, ends = np.random.default_rng(0), 0
    for step in range(steps):
        rows = arrays.get("observations", seen)
        assert np.array_equal(seen, others)
        assert seen.dtype == others.dtype
        assert np.array_equal(rows[:N], others)
        assert np.shares_memory(seen, rows)
        assert same(infos, also)
        masks = arrays.get("action_mask", infos["action_mask"])
        assert np.array_equal(masks, also["action_mask"])
        assert np.shares_memory(infos["action_mask"], masks)
        assert np.shares_memory(env.action_masks(), masks)
        finals = [final for final in infos.get("final_obs", ()) if final is not None]
        ends += len(finals)
        for k, final in enumerate(finals if "observations" in arrays else ()):
            assert np.array_equal(rows[N + k], final)
            assert not np.shares_memory(rows, final)  # the next step overwrites the row
        actions = mostly_legal(random, also["action_mask"], step)
        (seen, *results, infos), (others, *more, also) = env.step(actions), expected.step(actions)
        assert all(map(np.array_equal, results, more))
        over = results[1] | results[2]
        if over.any() and env.metadata["autoreset_mode"].value == "Disabled":
            chosen = {"options": {"reset_mask": over}}
            (seen, infos), (others, also) = env.reset(**chosen), expected.reset(**chosen)
    return ends


# ---- NumPy --------------------------------------------------------------------------------------
@HOW
@MODES
@DTYPES
@EVERY
def test_arrays_hold_what_an_env_returns(env_id, dtype, mode, observation):
    how = {"dtype": dtype, "autoreset_mode": mode, "observation": observation, "threads": 2}
    shapes = shapes_of(env_id, mode, observation=observation)
    out = empty(shapes, dtype)
    ends = check_same(make(env_id, **how, out=out), make(env_id, **how), out)
    assert bool(ends) == (mode == "SameStep")


@pytest.mark.parametrize("mask", ["bool", "int8", "uint8"])
@pytest.mark.parametrize("names", [KEYS, KEYS[:1], KEYS[1:], ()])
def test_masks_are_of_any_byte_and_each_buffer_is_optional(names, mask):
    out = empty(shapes_of(), "float32", mask)
    out = {name: out[name] for name in names}
    check_same(make(out=out), make(), out, 15)


def test_a_part_of_a_larger_array_is_filled_and_no_more():
    (n, width), masks = shapes_of()
    storage = np.full((3, n, width), 9, np.float32)
    flags = np.full((3, *masks), 9, np.uint8)
    out = {"observations": storage[1], "action_mask": flags[1]}
    check_same(make(out=out), make(), out, 15)
    assert (storage[[0, 2]] == 9).all()
    assert (flags[[0, 2]] == 9).all()


def test_a_file_in_memory_is_filled(tmp_path):
    shape, _ = shapes_of()
    rows = np.memmap(tmp_path / "rows", np.float32, "w+", shape=shape)
    check_same(make(out={"observations": rows}), make(), {"observations": rows}, 15)


def test_two_envs_share_one_array():
    (n, width), _ = shapes_of()
    rows = np.zeros((2 * n, width), np.float32)
    envs = [make(out={"observations": part}) for part in (rows[:n], rows[n:])]
    alone = [make() for _ in envs]
    for seed, (env, other) in enumerate(zip(envs, alone, strict=True)):
        env.reset(seed=seed)
        other.reset(seed=seed)
    for _ in range(15):
        seen = [one.step(one.action_masks().argmax(axis=1))[0] for one in alone]
        for env in envs:
            env.step(env.action_masks().argmax(axis=1))
        assert np.array_equal(rows, np.concatenate(seen))


# ---- tensors ------------------------------------------------------------------------------------
@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="needs the extra train, which make test installs")


@HOW
@DTYPES
@pytest.mark.parametrize("mask", ["bool", "int8", "uint8"])
def test_tensors_hold_what_an_env_returns(torch, dtype, mask, observation):
    how = {"dtype": dtype, "autoreset_mode": "SameStep", "observation": observation}
    shapes = shapes_of(mode="SameStep", observation=observation)
    arrays = empty(shapes, dtype, mask)
    out = {name: torch.from_numpy(array).clone() for name, array in arrays.items()}
    views = {name: tensor.numpy() for name, tensor in out.items()}
    assert check_same(make(**how, out=out), make(**how), views)
    assert out["action_mask"].dtype == getattr(torch, mask)


class Producer:
    """An array of another library, known by DLPack alone."""

    def __init__(self, array, **versions):
        self.array, self.versions = array, versions

    def __dlpack__(self, **asked):
        return self.array.__dlpack__(**{**asked, **self.versions})

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_any_library_with_dlpack_will_do():
    arrays = empty(shapes_of(), "float32")
    out = {name: Producer(array) for name, array in arrays.items()}
    check_same(make(out=out), make(), arrays, 15)


# ---- mistakes -----------------------------------------------------------------------------------
def wrong_observations(shape):
    """By a name: a buffer, and words of the message about it."""
    n, width = shape
    read_only = np.zeros(shape, np.float32)
    read_only.flags.writeable = False
    unaligned = np.zeros(4 * n * width + 1, np.uint8)[1:].view(np.float32).reshape(shape)
    layout = r"must be contiguous, aligned and not read-only$"
    other = rf"must be float32 \({n}, {width}\), not "
    return {
        "rows": (np.zeros((n + 1, width), np.float32), rf"{other}float32 \({n + 1}, {width}\)$"),
        "columns": (np.zeros((n, width - 1), np.float32), other),
        "flat": (np.zeros(n * width, np.float32), other),
        "deep": (np.zeros((1, n, width), np.float32), other),
        "float64": (np.zeros(shape), rf"{other}float64 \({n}, {width}\)$"),
        "int8": (np.zeros(shape, np.int8), other),
        "objects": (np.zeros(shape, object), other),
        "swapped": (np.zeros(shape, np.dtype(np.float32).newbyteorder()), other),
        "fortran": (np.zeros(shape, np.float32, "F"), layout),
        "strided": (np.zeros((n, 2 * width), np.float32)[:, ::2], layout),
        "repeated": (np.broadcast_to(np.zeros(width, np.float32), shape), layout),
        "read-only": (read_only, layout),
        "unaligned": (unaligned, layout),
        "list": ([[0.0] * width] * n, "is no array in memory: "),
        "none": (None, "None is no array in memory: "),
        "number": (3, "3 is no array in memory: "),
        "record": (np.zeros(n, [("x", np.float32, (width,))]), other),
    }


WRONG = wrong_observations((N, ruleset_of("Agemonia-v0").N_OBSERVATION))


def refused(words, **choices):
    with pytest.raises(ValueError, match=words) as caught:
        make(**choices)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(("buffer", "words"), WRONG.values(), ids=WRONG)
def test_wrong_observations_are_an_error_of_one_line(buffer, words):
    refused(f"^out: observations: .*{words}", out={"observations": buffer})


def test_wrong_masks_are_an_error_of_one_line():
    n, m = shapes_of()[1]
    wanted = rf"^out: action_mask: must be bool \({n}, {m}\), not "
    for dtype in (np.float32, np.int16, np.int64, "S1", "M8[s]", object):
        refused(wanted, out={"action_mask": np.zeros((n, m), dtype)})
    refused(wanted + rf"uint8 \({m}, {n}\)$", out={"action_mask": np.zeros((m, n), np.bool_)})
    layout = "^out: action_mask: must be contiguous, aligned and not read-only$"
    refused(layout, out={"action_mask": np.zeros((m, n), np.bool_).T})
    refused(layout, out={"action_mask": np.zeros((n, 2 * m), np.int8)[:, ::2]})


@pytest.mark.parametrize("out", [{"obs": 1}, {"observations": 1, 3: 2}, [1], "observations", 7])
def test_a_wrong_mapping_is_an_error_of_one_line(out):
    refused("^out=.*: must map 'observations' or 'action_mask' to arrays$", out=out)


def test_the_rows_are_those_of_the_mode_and_of_the_fit():
    (n, width), _ = shapes_of()
    rows = np.zeros((n, width), np.float32)
    refused(rf"float32 \({2 * n}, {width}\), not", autoreset_mode="SameStep", out={KEYS[0]: rows})
    refused(rf"float32 \({n}, \d+\), not", observation="fitted", out={KEYS[0]: rows})
    refused(rf"int8 \({n}, {width}\), not float32", dtype="int8", out={KEYS[0]: rows})


def test_wrong_tensors_are_an_error_of_one_line(torch):
    shape, _ = shapes_of()
    for tensor, words in (
        (torch.zeros(shape, requires_grad=True), "no array in memory: .*grad"),
        (torch.zeros(shape, dtype=torch.bfloat16), "no array in memory: "),
        (torch.zeros(shape, device="meta"), "no array in memory: "),
        (torch.zeros(shape).to_sparse(), "no array in memory: "),
        (torch.zeros(shape, dtype=torch.float64), "must be float32"),
        (torch.zeros(shape[::-1]).T, "must be contiguous"),
        (torch.zeros(3), "must be float32"),
    ):
        refused(f"^out: observations: .*{words}", out={"observations": tensor})


def test_a_library_that_lends_read_only_memory_is_refused():
    shape, _ = shapes_of()
    lent = Producer(np.zeros(shape, np.float32), max_version=None)
    refused(
        "^out: observations: must be contiguous, aligned and not read-only$", out={KEYS[0]: lent}
    )
