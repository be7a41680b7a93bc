"""How kernels are compiled: the only file that names numba options.

numba's own cache checks the file of the cached function, not the files of what it calls, and so
plays on with stale rules when a callee in another module changes (numba issue 1833). The cache
folder is therefore named after a hash of every kernel source that its entries may call, and of the
versions compiled with. A ruleset has a folder of its own: what is done to another leaves it warm.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
import platformdirs
from numba import config, njit, types

from . import compiling

PACKAGE = Path(__file__).resolve().parents[1]
RULESETS = tuple(sorted(path.parent.name for path in PACKAGE.glob("rulesets/*/core")))
COMPILED = not config.DISABLE_JIT

if not COMPILED:  # uint64 counters wrap on purpose; only NumPy scalars warn about it
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)


def _fingerprint(*rulesets: str) -> str:
    """Hash of all sources that kernels of rulesets may call and of the versions compiling them."""
    digest = hashlib.sha256()
    for folder in ("core", *(f"rulesets/{ruleset}/core" for ruleset in rulesets)):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    for version in (numba.__version__, np.__version__, platform.python_version()):
        digest.update(version.encode())
    digest.update(str(bool(config.BOUNDSCHECK)).encode())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """The user's folder for caches; for a user without a home one that cannot be."""
    root = Path(platformdirs.user_cache_dir("agemonia_env"))
    return root if root.is_absolute() else Path(os.devnull) / "agemonia_env"


CACHE_ROOT = _cache_root()
FOLDERS = {"core": _fingerprint()} | {ruleset: _fingerprint(ruleset) for ruleset in RULESETS}
OUTSIDE = _fingerprint(*RULESETS)  # entries of tests may call anything


def cache_folder(module: str) -> Path:
    """Where the entries of a module, by its full name, are kept."""
    place = module.removeprefix("agemonia_env.").removeprefix("rulesets.").partition(".")[0]
    return CACHE_ROOT / FOLDERS.get(place, OUTSIDE)


def is_present(folder: Path) -> bool:
    """Whether a cache folder belongs to the present sources and versions."""
    return folder.name in (*FOLDERS.values(), OUTSIDE)


def _widen(argument: Any) -> Any:
    """int64 for every whole number, flag, literal or enum member; other types as they are."""
    argument = types.unliteral(argument)
    whole = isinstance(argument, types.Integer | types.Boolean | types.IntEnumMember)
    return types.int64 if whole and argument != types.uint64 else argument


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of the core that only entries and other kernels call.

    It has no machine code of its own: Python, and a plain @njit function, must go by an entry.
    It allocates nothing: whatever it works on belongs to an entry, and references are not counted.

    Without wrappers for Python a cold compile takes 69 s instead of 83, and with machine code for
    entries alone 40 (CPU time, numba 0.68.1). Without counting references 1,024 games of
    HexDungeon make 300 instead of 255 thousand steps/s.

    Fields of records are int16, indices int64, constants literals: left alone, numba compiles a
    function once for every mixture that calls it. Widening whole numbers at the call leaves
    one version of nearly every function (352 of 385 functions reached, before more than 442).
    """
    return _kernel(function, allocates=False)


def allocating(function: Callable[..., Any]) -> Any:
    """The same for one that allocates arrays of its own."""
    return _kernel(function, allocates=True)


def _kernel(function: Callable[..., Any], allocates: bool) -> Any:
    dispatcher = njit(
        nogil=True,
        _nrt=allocates,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=compiling.KernelPipeline,
    )(function)
    if COMPILED:
        specialise = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: specialise(
            tuple(_widen(argument) for argument in args), kws
        )
    return dispatcher


# ---- compiling is announced -----------------------------------------------------------------
ANNOUNCEMENT = (
    "agemonia: compiling {} for this machine, once; this can take a minute. "
    "`agemonia warmup` compiles everything ahead of time."
)
ENTRIES: dict[str, Any] = {}  # every entry imported so far, by name
_reports: list[compiling.Report] = []  # the last one is told; none: a line on stderr
_announced = False


def report_compiling(name: str, seconds: float | None) -> None:
    """Report that an entry is compiled: before (seconds None), and after with the time it took.

    By default one line on stderr, the first time in a process.
    """
    global _announced
    if _reports:
        _reports[-1](name, seconds)
    elif not _announced:
        _announced = True
        print(ANNOUNCEMENT.format(name), file=sys.stderr, flush=True)


@contextmanager
def compiling_reported_to(report: compiling.Report) -> Iterator[None]:
    """Within, report what is compiled to this function instead of stderr."""
    _reports.append(report)
    try:
        yield
    finally:
        _reports.remove(report)


def entry_name(function: Callable[..., Any]) -> str:
    """An entry as messages name it: `agemonia.plan`, `agents.train_ppo.estimate`."""
    module = function.__module__.removeprefix("agemonia_env.").removesuffix(".api")
    return f"{module}.{function.__name__}"


# ---- entries ----------------------------------------------------------------------------------
def entry(function: Callable[..., Any]) -> Any:
    """Compile an entry point of the core and keep it on disk; what it calls comes along.

    Only entry points are cached: 200 KB instead of 3.5 MB, at the same loading time.
    """
    name = entry_name(function)
    dispatcher = njit(nogil=True, pipeline_class=compiling.EntryPipeline)(function)
    if COMPILED:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(cache_folder(function.__module__))
        try:
            dispatcher._cache = compiling.EntryCache(function, name, report_compiling)
        finally:
            config.CACHE_DIR = before
        ENTRIES[name] = dispatcher
    return dispatcher


def direct(compiled: Any, *arguments: Any) -> Callable[..., Any]:
    """An entry without the search for the version that fits, once it was called with arguments.

    Whoever calls it vouches that types and memory layouts stay the same. A call with 13 arrays
    takes 0.5 us in place of 1.9.
    """
    if not COMPILED:
        return cast(Callable[..., Any], compiled)
    version = compiled.overloads[tuple(map(numba.typeof, arguments))]
    return cast(Callable[..., Any], version.entry_point)


class Fields(np.record):
    """A record whose fields go before NumPy's own attributes (`round`, `size`), as compiled."""

    def __getattribute__(self, name: str) -> Any:
        fields = np.void.__getattribute__(self, "dtype").fields
        if fields is not None and name in fields:
            return np.void.__getitem__(self, name)
        return super().__getattribute__(name)


@functools.cache
def with_fields(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout with every record, nested ones too, readable as `s.ally[a].area`."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((with_fields(item), shape))
    if dtype.fields is None:
        return dtype
    names = list(dtype.names or ())
    layout = {
        "names": names,
        "formats": [with_fields(dtype.fields[name][0]) for name in names],
        "offsets": [dtype.fields[name][1] for name in names],
        "itemsize": dtype.itemsize,
        "aligned": dtype.isalignedstruct,
    }
    return np.dtype((Fields, np.dtype(layout)))  # type: ignore[arg-type]


def zeros(dtype: np.dtype[Any], n: int = 1) -> np.ndarray[Any, Any]:
    """Zeroed records, shape (n,); in plain Python their fields are attributes, as compiled."""
    return np.zeros(n, dtype if COMPILED else with_fields(dtype))
