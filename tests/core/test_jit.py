"""The numba options and constructs that the core relies on, and an upgrade may break."""

import os
import shutil
import subprocess
import sys
import tomllib
from enum import IntEnum

import numpy as np
import pytest
from numba import njit, types

from agemonia_env.core import jit
from agemonia_env.core.jit import COMPILED, entry, kernel, zeros

needs_internals = pytest.mark.skipif(
    jit.compiling is None,
    reason="tests compiling.py, which plain Python, AGEMONIA_PLAIN_NUMBA and untested versions of "
    "numba do not use; the ordinary compiled run does",
)


class Colour(IntEnum):
    RED = 0
    BLUE = 1
    GREEN = 2


LOCK = np.dtype([("chips", np.int16, (3,)), ("size", np.int16)], align=True)
HERO = np.dtype([("area", np.int16), ("flag", np.uint8), ("lock", LOCK, (2,))], align=True)
GAME = np.dtype(
    [("chance", np.uint64, (2,)), ("round", np.int16), ("hero", HERO, (3,)), ("one", HERO)],
    align=True,
)


# ---- the cache ----------------------------------------------------------------------------------
def copied_package(tmp_path, monkeypatch):
    for folder in ("core", *(f"rulesets/{name}/core" for name in jit.RULESETS)):
        shutil.copytree(jit.PACKAGE / folder, tmp_path / folder)
    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    return tmp_path


def test_the_cache_folder_belongs_to_the_sources(tmp_path, monkeypatch):
    own = jit._fingerprint("agemonia")
    assert jit.cache_folder("agemonia_env.rulesets.agemonia.core.api") == jit.CACHE_ROOT / own
    copied_package(tmp_path, monkeypatch)
    assert jit._fingerprint("agemonia") == own  # wherever the package lies


def test_a_ruleset_keeps_its_folder_when_another_changes(tmp_path, monkeypatch):
    package = copied_package(tmp_path, monkeypatch)
    before = [jit._fingerprint(*names) for names in (["agemonia"], ["hexdungeon"], jit.RULESETS)]
    (package / "rulesets" / "hexdungeon" / "core" / "new.py").write_text("")
    after = [jit._fingerprint(*names) for names in (["agemonia"], ["hexdungeon"], jit.RULESETS)]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, False]
    assert jit.cache_folder("tests.core.test_jit").name == jit.OUTSIDE


def test_any_kernel_source_changes_the_cache_folder(tmp_path, monkeypatch):
    package = copied_package(tmp_path, monkeypatch)
    seen = {jit._fingerprint("agemonia")}
    for path in (
        "core/rng.py",
        "rulesets/agemonia/core/terms.py",
        "rulesets/agemonia/core/rules/stamina.py",
    ):
        with (package / path).open("a") as file:
            file.write("# changed\n")
        seen.add(jit._fingerprint("agemonia"))
    (package / "rulesets" / "agemonia" / "core" / "rules" / "new.py").write_text("")
    seen.add(jit._fingerprint("agemonia"))
    assert len(seen) == 5


def test_versions_and_bounds_checks_change_the_cache_folder(monkeypatch):
    seen = {jit._fingerprint()}
    monkeypatch.setattr(jit.numba, "__version__", "0.0")
    seen.add(jit._fingerprint())
    monkeypatch.setattr(jit.config, "BOUNDSCHECK", not jit.config.BOUNDSCHECK)
    seen.add(jit._fingerprint())
    assert len(seen) == 3


KEPT = """
import sys
from pathlib import Path
from agemonia_env.core import jit
jit.CACHE_ROOT = Path(sys.argv[1])

import numpy as np

@jit.entry
def share(out, n):
    counted = np.zeros(4, np.int64)
    counted[n % 4] += 12 // n
    out[:] = counted

out = np.zeros(4, np.int64)
share(out, 2)
try:
    share(out, 0)
except ZeroDivisionError:
    direct = jit.direct(share, out, 3)
    direct(out, 3)
    print(out.tolist(), sum(share.stats.cache_hits.values()))
"""


@needs_internals
def test_compiling_is_reported_with_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "CACHE_ROOT", tmp_path)
    reports = []

    @jit.entry
    def fresh(n):
        return n + 1

    with jit.compiling_reported_to(lambda *row: reports.append(row)):
        fresh(1)
        fresh(2)
    names, seconds = zip(*reports, strict=True)
    assert set(names) == {f"{__name__}.fresh"}
    assert seconds[0] is None
    assert 0 < seconds[1] < 60
    assert len(reports) == 2


def kept_by(tmp_path, script=KEPT, folder="cache", **variables):
    """Output and warnings of a process that caches its code in a folder."""
    (tmp_path / "script.py").write_text(script)
    command = [sys.executable, tmp_path / "script.py", tmp_path / folder]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


@needs_internals
def test_cached_code_works_in_a_new_process(tmp_path):
    runs = [kept_by(tmp_path) for _ in range(2)]
    assert [printed for printed, _ in runs] == ["[0, 0, 0, 4] 0", "[0, 0, 0, 4] 1"]
    announced = "agemonia: compiling __main__.share for this machine, once"
    assert [warned.count(announced) for _, warned in runs] == [1, 0]


def truncated(path):
    path.write_bytes(path.read_bytes()[:-20])


def emptied(path):
    path.write_bytes(b"")


def flipped(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def pickled(path):
    path.write_bytes(b"cos\nabort\n(tR.")  # ends the process that reads it


def folder_instead(path):
    path.unlink()
    path.mkdir()


@needs_internals
@pytest.mark.parametrize("suffix", ["nbc", "nbi"])
def test_damaged_cache_files_are_compiled_again(tmp_path, suffix):
    kept_by(tmp_path)
    for damage in (truncated, emptied, flipped, pickled):
        (path,) = (tmp_path / "cache").rglob(f"*.{suffix}")
        damage(path)
        printed, warned = kept_by(tmp_path)
        assert printed == "[0, 0, 0, 4] 0"
        assert "not kept" not in warned
    assert kept_by(tmp_path) == ("[0, 0, 0, 4] 1", "")
    folder_instead(path)
    printed, warned = kept_by(tmp_path)
    assert printed == "[0, 0, 0, 4] 0"
    assert warned.count("compiled rules are not kept") == 1


UNIT = """
import sys
from pathlib import Path
from agemonia_env.core import jit
jit.CACHE_ROOT = Path(sys.argv[1])

import numpy as np
from numba import types

ARGUMENTS = types.int64[::1], types.int64

@jit.kernel
def doubled(n):
    return 2 * n

def typed(function):
    return jit.entry(function, ARGUMENTS)

@typed
def add(out, n):
    out[0] += doubled(n)

@typed
def share(out, n):
    counted = np.zeros(1, np.int64)
    counted[0] = doubled(out[0]) // n
    out[0] = counted[0]

out = np.zeros(1, np.int64)
add(out, 5)
share(out, 4)
try:
    share(out, 0)
except ZeroDivisionError:
    print(out[0])
"""


@needs_internals
def test_entries_with_types_are_one_module_found_by_content(tmp_path):
    announced = "compiling __main__.add for this machine"
    printed, warned = kept_by(tmp_path, UNIT)
    assert printed == "5"
    assert warned.count(announced) == 1
    (path,) = (tmp_path / "cache").rglob("*.code")
    (tmp_path / "elsewhere").mkdir()
    assert kept_by(tmp_path / "elsewhere", UNIT, "../cache") == ("5", "")
    for damage in (truncated, emptied, flipped, pickled):
        damage(path)
        printed, warned = kept_by(tmp_path, UNIT)
        assert printed == "5"
        assert warned.count(announced) == 1
    assert kept_by(tmp_path, UNIT) == ("5", "")
    folder_instead(path)
    printed, warned = kept_by(tmp_path, UNIT)
    assert printed == "5"
    assert warned.count("compiled rules are not kept") == 1


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (MOST, MOST))
"""


@needs_internals
@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows cannot limit file sizes; tested on Linux and macOS"
)
@pytest.mark.parametrize("size", [0, 2000])  # no index; an index, and no code
def test_on_a_full_disk_compiled_code_still_runs(tmp_path, size):
    script = FULL.replace("MOST", str(size)) + KEPT
    for _ in range(2):
        printed, warned = kept_by(tmp_path, script)
        assert printed == "[0, 0, 0, 4] 0"
        assert warned.count("File too large: compiled rules are not kept") == 1
    assert not [path for path in (tmp_path / "cache").rglob("*") if "tmp" in path.name]
    assert kept_by(tmp_path)[0] == "[0, 0, 0, 4] 0"
    assert kept_by(tmp_path) == ("[0, 0, 0, 4] 1", "")


@pytest.mark.skipif(not COMPILED, reason="plain Python caches nothing")
@pytest.mark.parametrize("plain", [pytest.param("0", marks=needs_internals), "1"])
def test_an_unwritable_cache_folder_is_not_replaced_by_another(tmp_path, plain):
    (tmp_path / "file").touch()
    printed, warned = kept_by(tmp_path, folder="file/cache", AGEMONIA_PLAIN_NUMBA=plain)
    assert printed == "[0, 0, 0, 4] 0"
    assert warned.count("Not a directory: compiled rules are not kept") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "script.py"]


def test_a_user_without_a_home_has_no_cache_in_the_working_folder(monkeypatch):
    monkeypatch.setattr(jit.platformdirs, "user_cache_dir", lambda name: f"~/.cache/{name}")
    assert jit._cache_root().is_absolute()


# ---- numba's ordinary pipeline ------------------------------------------------------------------
NEWER = "import numba; numba.__version__ = '0.999.0'\n"
OTHER_INTERNALS = "import sys; sys.modules['agemonia_env.core.compiling'] = None\n"
PIECES = """
from agemonia_env.core import bitset, work_stealing

@jit.kernel
def double(number):
    return number + number

@jit.entry
def play(states, counts):
    states[0].round += double(states[0].flag) + bitset.lowest(40)
    return double(True) + work_stealing.add(counts, 1, 5) + counts[1]

RECORD = np.dtype([("round", np.int16), ("flag", np.uint8)], align=True)
states, counts = jit.zeros(RECORD), np.zeros(2, np.int64)
states["flag"] = 200
print(play(states, counts), states["round"][0])
"""


@pytest.mark.skipif(not COMPILED, reason="plain Python compiles nothing")
@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("", "AGEMONIA_PLAIN_NUMBA is set"),
        (NEWER, "numba 0.999.0 is not a tested version"),
        (OTHER_INTERNALS, "has other internals"),
    ],
)
def test_another_numba_compiles_with_its_ordinary_pipeline(tmp_path, before, reason):
    chosen = {"AGEMONIA_PLAIN_NUMBA": "0" if before else "1"}
    for hits in (0, 1):  # compiled, then loaded
        printed, warned = kept_by(tmp_path, before + KEPT + PIECES, **chosen)
        assert printed.splitlines() == [f"[0, 0, 0, 4] {hits}", "7 403"]
        assert warned.count("ordinary pipeline") == warned.count(reason) == 1


@needs_internals
def test_both_pipelines_give_the_same(tmp_path):
    assert kept_by(tmp_path, KEPT + PIECES)[0].splitlines() == ["[0, 0, 0, 4] 0", "7 403"]


@pytest.mark.skipif(not COMPILED, reason="plain Python caches nothing")
@pytest.mark.parametrize("suffix", ["nbc", "nbi"])
@pytest.mark.parametrize("damage", [truncated, emptied])
def test_the_ordinary_pipeline_compiles_damaged_files_again(tmp_path, suffix, damage):
    plain = {"AGEMONIA_PLAIN_NUMBA": "1"}
    kept_by(tmp_path, **plain)
    (path,) = (tmp_path / "cache").rglob(f"*.{suffix}")
    damage(path)
    printed, warned = kept_by(tmp_path, **plain)
    assert printed == "[0, 0, 0, 4] 0"
    assert "Traceback" not in warned
    assert kept_by(tmp_path, **plain)[0] == "[0, 0, 0, 4] 1"


@pytest.mark.skipif(not COMPILED, reason="plain Python caches nothing")
@pytest.mark.parametrize("plain", ["0", "1"])
def test_no_setting_of_numba_moves_the_cache(tmp_path, plain):
    other = {"NUMBA_CACHE_LOCATOR_CLASSES": "InTreeCacheLocator", "NUMBA_CACHE_DIR": "elsewhere"}
    for hits in (0, 1):
        printed, _ = kept_by(tmp_path, AGEMONIA_PLAIN_NUMBA=plain, **other)
        assert printed == f"[0, 0, 0, 4] {hits}"
    assert list((tmp_path / "cache").rglob("*.nbi"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "script.py"]


def test_numba_is_required_from_the_first_tested_version_on():
    project = tomllib.loads((jit.PACKAGE.parent / "pyproject.toml").read_text())["project"]
    assert f"numba>={jit.TESTED[0]}" in project["dependencies"]


# ---- records ------------------------------------------------------------------------------------
@kernel
def move(hero, area):
    hero.area = area
    hero.lock[1].chips[2] += 4


@entry
def play(games, i):
    s = games[i]
    s.round += 1
    s.chance[1] = s.chance[1] + np.uint64(1)
    for k in range(len(s.hero)):
        move(s.hero[k], k + s.round)
    hero = s.hero[2]
    hero.flag = 1
    move(s.one, 9)


def test_nested_records_write_through():
    games = zeros(GAME, 2)
    games["chance"][1, 1] = np.iinfo(np.uint64).max
    play(games, 1)
    assert not np.any(np.frombuffer(games[:1].tobytes(), np.uint8))
    assert games["round"][1] == 1
    assert games["hero"]["area"][1].tolist() == [1, 2, 3]
    assert games["hero"]["lock"]["chips"][1, :, 1, 2].tolist() == [4, 4, 4]
    assert games["hero"]["flag"][1].tolist() == [0, 0, 1]
    assert games["one"]["area"][1] == 9
    assert games["chance"][1].tolist() == [0, 0]  # uint64 wraps


def test_fields_named_like_attributes_of_numpy():
    games = zeros(GAME)
    games["round"] = 3
    games["hero"]["lock"]["size"] = 5

    @njit
    def read(games):
        return games[0].round, games[0].hero[1].lock[0].size

    assert read(games) == (3, 5)


# ---- machine code for entries only --------------------------------------------------------------
@kernel
def deepest(games, i):
    games[i].round += 100
    return deeper_still(games[i].round)


@kernel
def deeper_still(number):
    return np.int64(number) * 2


@kernel
def middle(games, i):
    return deepest(games, i) + 1


@entry
def outer(games, i):
    return middle(games, i)


@entry
def other_outer(games, i):
    return deepest(games, i) + deeper_still(i)


def test_entries_link_kernels_reached_by_way_of_kernels():
    games = zeros(GAME, 2)
    assert outer(games, 1) == 201
    assert other_outer(games, 1) == 402
    assert games["round"].tolist() == [0, 200]


# ---- widening -----------------------------------------------------------------------------------
@kernel
def double(number):
    return number + number


@entry
def doubled(games, flag, big):
    s = games[0]
    total = double(s.round) + double(Colour.GREEN) + double(3) + double(s.hero[0].flag)
    return total + double(flag) + double(big)


def test_kernels_are_compiled_once_for_all_whole_numbers():
    games = zeros(GAME)
    games["round"] = 12_000
    if COMPILED:
        doubled.recompile()  # the cache on disk does not show what was compiled
    assert doubled(games, True, 100) == 24_000 + 4 + 6 + 0 + 2 + 200
    if COMPILED:
        assert list(double.overloads) == [(types.int64,)]


@kernel
def same(number):
    return number


@entry
def shifted(number):
    return same(number) >> np.uint64(63)


def test_uint64_is_not_widened():
    assert shifted(np.uint64(1 << 63)) == 1
    if COMPILED:
        shifted.recompile()
        assert list(same.overloads) == [(types.uint64,)]
