"""How kernels are compiled: the only file that names numba options.

For the numba versions in TESTED, compiling.py shortens numba's pipeline; any other numba compiles
with its own. AGEMONIA_PLAIN_NUMBA=1 asks for that with any version.

numba's own cache checks the file of the cached function, not the files of what it calls, and so
plays on with stale rules when a callee in another module changes (numba issue 1833). The cache
folder is therefore named after a hash of every kernel source that its entries may call, and of the
versions compiled with. A ruleset has a folder of its own: what is done to another leaves it warm.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numba
import numpy as np
import platformdirs
from numba import config, from_dtype, njit, types

PACKAGE = Path(__file__).resolve().parents[1]
RULESETS = tuple(sorted(path.parent.name for path in PACKAGE.glob("rulesets/*/core")))
COMPILED = not config.DISABLE_JIT

if not COMPILED:  # uint64 counters wrap on purpose; only NumPy scalars warn about it
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)

Report = Callable[[str, float | None], None]  # entry; seconds it took, None as it begins
NOT_KEPT: list[str] = []  # why code that this process compiled could not be kept


# ---- numba's internals, or its ordinary pipeline ------------------------------------------------
TESTED = ("0.68",)  # numba versions that compiling.py is tested with; the rules need the first
PLAIN = "AGEMONIA_PLAIN_NUMBA"  # environment variable: 1 asks for the ordinary pipeline


def _internals() -> ModuleType | None:
    """Import compiling.py; with another numba than it is tested with, warn and return None.

    The ordinary pipeline then compiles the same rules to the same results. Compiling `reset` of
    HexDungeon costs 87 s of CPU time instead of 25 (numba 0.68.1), once until something changes.
    """
    if not COMPILED:
        return None
    if os.environ.get(PLAIN, "0") != "0":
        reason = f"{PLAIN} is set"
    elif ".".join(numba.__version__.split(".")[:2]) not in TESTED:
        reason = f"numba {numba.__version__} is not a tested version ({', '.join(TESTED)})"
    else:
        try:
            from . import compiling
        except (ImportError, AttributeError) as error:
            reason = f"numba {numba.__version__} has other internals ({error})"
        else:
            return compiling
    warnings.warn(
        f"{reason}: numba's ordinary pipeline compiles the rules. They play the same, but the "
        "first start takes three to four times as long",
        stacklevel=2,
    )
    return None


compiling = _internals()


def _fingerprint(*rulesets: str) -> str:
    """Hash of all sources that kernels of these rulesets may call, and of the compiler versions."""
    digest = hashlib.sha256()
    for folder in ("core", *(f"rulesets/{ruleset}/core" for ruleset in rulesets)):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    # Machine code knows of NumPy's arrays only what has long been so, and nothing of bug fixes
    for version in (numba.__version__, np.__version__.partition(".")[0], sys.version_info[:2]):
        digest.update(str(version).encode())
    digest.update(str((bool(config.BOUNDSCHECK), compiling is None)).encode())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """The user's cache folder; a path that cannot exist for a user without a home."""
    root = Path(platformdirs.user_cache_dir("agemonia_env"))
    return root if root.is_absolute() else Path(os.devnull) / "agemonia_env"


CACHE_ROOT = _cache_root()
FOLDERS = {"core": _fingerprint()} | {ruleset: _fingerprint(ruleset) for ruleset in RULESETS}
OUTSIDE = _fingerprint(*RULESETS)  # entries of tests may call anything


def cache_folder(module: str) -> Path:
    """Where the entries of a module, by its full name, are kept."""
    place = module.removeprefix("agemonia_env.").removeprefix("rulesets.").partition(".")[0]
    return CACHE_ROOT / FOLDERS.get(place, OUTSIDE)


@functools.cache
def sources_beside(module: str) -> str:
    """Hash of the sources in the folder of a module outside the package; "" inside.

    A ruleset outside the package has its rules there.
    """
    place = Path(str(sys.modules[module].__file__)).resolve().parent
    if place.is_relative_to(PACKAGE):
        return ""
    digest = hashlib.sha256()
    for path in sorted(place.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def is_present(folder: Path) -> bool:
    """Whether a cache folder belongs to the current sources and versions."""
    return folder.name in (*FOLDERS.values(), OUTSIDE)


def _widen(argument: Any) -> Any:
    """int64 for every integer, flag, literal or enum member; other types unchanged."""
    argument = types.unliteral(argument)
    whole = isinstance(argument, types.Integer | types.Boolean | types.IntEnumMember)
    return types.int64 if whole and argument != types.uint64 else argument


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function of the core that only entries and other kernels call.

    It has no machine code of its own: Python and plain @njit functions must call an entry. It
    allocates nothing: its arrays belong to an entry, and references are not counted.

    Leaving out the Python wrappers shortens a cold compile from 83 s to 69, and generating machine
    code for entries only to 40 (CPU time, numba 0.68.1). Without reference counting, 1,024 games
    of HexDungeon make 300 instead of 255 thousand steps/s.

    Record fields are int16, indices int64, constants literals: by default numba compiles a
    function once for every mixture of argument types. Widening integers at the call leaves one
    version of nearly every function (352 for 385 functions, before more than 442).
    """
    return _kernel(function, allocates=False)


def allocating(function: Callable[..., Any]) -> Any:
    """Like `kernel`, for a function that allocates arrays of its own."""
    return _kernel(function, allocates=True)


def _kernel(function: Callable[..., Any], allocates: bool) -> Any:
    if not COMPILED:
        return function
    options = {}
    if compiling is not None:
        options = {
            "_nrt": allocates,
            "no_cpython_wrapper": True,
            "no_cfunc_wrapper": True,
            "pipeline_class": compiling.KernelPipeline,
        }
    dispatcher = njit(nogil=True, **options)(function)
    try:
        specialise = dispatcher.get_call_template  # the one internal that no pipeline does without
    except AttributeError as error:
        raise ImportError(
            f"numba {numba.__version__} cannot compile the rules: install numba {TESTED[-1]}"
        ) from error
    dispatcher.get_call_template = lambda args, kws: specialise(tuple(map(_widen, args)), kws)
    return dispatcher


# ---- compiling is announced -----------------------------------------------------------------
ANNOUNCEMENT = (
    "agemonia: compiling {} for this machine, once; this can take a minute. "
    "`agemonia warmup` compiles everything ahead of time."
)
ENTRIES: dict[str, Any] = {}  # every entry imported so far, by name
UNITS: dict[str, Any] = {}  # entries that are compiled together, by their module
TYPED: dict[str, dict[str, tuple[Any, tuple[Any, ...]]]] = {}  # with types, by module and name
_reports: list[Report] = []  # the last one is called; none: a line on stderr
_announced = False


def report_compiling(name: str, seconds: float | None) -> None:
    """Report that an entry is being compiled (seconds None), then the seconds it took.

    By default this prints one line to stderr, the first time in a process.
    """
    global _announced
    if _reports:
        _reports[-1](name, seconds)
    elif not _announced:
        _announced = True
        print(ANNOUNCEMENT.format(name), file=sys.stderr, flush=True)


@contextmanager
def compiling_reported_to(report: Report) -> Iterator[None]:
    """Report compiling to this function instead of stderr inside the context."""
    _reports.append(report)
    try:
        yield
    finally:
        _reports.remove(report)


def entry_name(function: Callable[..., Any]) -> str:
    """The name of an entry in messages: `agemonia.plan`, `agents.train_ppo.estimate`."""
    module = function.__module__.removeprefix("agemonia_env.").removesuffix(".api")
    return f"{module}.{function.__name__}"


# ---- entries ----------------------------------------------------------------------------------
def entry(function: Callable[..., Any], arguments: tuple[Any, ...] | None = None) -> Any:
    """Compile an entry point of the core, with all kernels it calls, and cache it on disk.

    Only entry points are cached: 200 KB instead of 3.5 MB, at the same loading time. arguments: the
    numba types of the arguments; the entries of a module that have them are compiled as one unit.
    """
    if not COMPILED:
        return function
    name = entry_name(function)
    if compiling is None:
        dispatcher = _plain_entry(function)
    else:
        dispatcher = njit(nogil=True, pipeline_class=compiling.EntryPipeline)(function)
        folder, told = cache_folder(function.__module__), (report_compiling, report_not_kept)
        unit = None
        if arguments is not None:
            module = name.rpartition(".")[0]
            sources = sources_beside(function.__module__)
            unit = UNITS.setdefault(module, compiling.Unit(module, folder, sources, *told))
            unit.add(name, function, arguments)
        with _cache_in(folder):
            cache = compiling.EntryCache(function, name, *told, unit)
        dispatcher._cache = cache
    ENTRIES[name] = dispatcher
    if arguments is not None:
        TYPED.setdefault(function.__module__, {})[function.__name__] = dispatcher, arguments
    return dispatcher


def typed(*kinds: Any) -> Callable[[Callable[..., Any]], Any]:
    """An entry whose argument types are known: (dtype, dimensions) of a C array, or int.

    It is compiled with its module's others as one unit, found by content.
    """
    arguments = None
    if COMPILED:
        arguments = tuple(
            types.int64 if kind is int else types.Array(from_dtype(np.dtype(kind[0])), kind[1], "C")
            for kind in kinds
        )
    return lambda function: entry(function, arguments)


def compile_typed(module: str) -> None:
    """Compile or load the entries of a module whose arguments are typed."""
    for dispatcher, arguments in TYPED.get(module, {}).values():
        dispatcher.compile(arguments)


def _plain_entry(function: Callable[..., Any]) -> Any:
    """Compile an entry with numba's ordinary pipeline; cache it if the folder can be written."""
    folder = cache_folder(function.__module__)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _cache_in(folder):
            dispatcher = njit(nogil=True, cache=True)(function)
    except (OSError, RuntimeError) as error:  # numba's RuntimeError: it found no place to write
        report_not_kept(folder, error)
        return njit(nogil=True)(function)
    cache = dispatcher._cache
    # Without the variables around it, which come from the sources that name the folder
    cache._index_key = lambda signature, generator: (signature, generator.magic_tuple())
    cache.load_overload = _unless_damaged(cache.load_overload, cache, folder)
    cache.save_overload = _unless_damaged(cache.save_overload, cache, folder)
    return dispatcher


def _unless_damaged(call: Callable[..., Any], cache: Any, folder: Path) -> Callable[..., Any]:
    """A call of numba's cache that, where its files are damaged, empties it and returns None."""

    def tried(*arguments: Any) -> Any:
        try:
            return call(*arguments)
        except Exception as error:  # pickle raises anything
            try:
                cache.flush()
            except OSError:
                report_not_kept(folder, error)
            return None

    return tried


def report_not_kept(folder: Path, error: Exception) -> None:
    """Warn, once in a process, that compiled code cannot be kept in this folder."""
    if not NOT_KEPT:
        reason = getattr(error, "strerror", None) or "it cannot be written to"
        warnings.warn(
            f"{folder}: {reason}: compiled rules are not kept, and every process compiles them "
            "again; make room, or set XDG_CACHE_HOME to a folder that can be written to",
            stacklevel=2,
        )
    NOT_KEPT.append(str(error))


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Make numba cache in this folder the functions decorated inside the context.

    Classes of locators that its settings name are left out: those of numba know nothing of callees.
    """
    settings = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": ""}
    before = {name: getattr(config, name, "") for name in settings}
    try:
        for name, value in settings.items():
            setattr(config, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(config, name, value)


def direct(compiled: Any, *arguments: Any) -> Callable[..., Any]:
    """The compiled version of an entry for these arguments, without numba's dispatch.

    The entry must have been called with such arguments before, and the caller must keep types and
    memory layouts the same. A call with 13 arrays takes 0.5 us instead of 1.9.
    """
    if compiling is None:
        return cast(Callable[..., Any], compiled)
    version = compiled.overloads[tuple(map(numba.typeof, arguments))]
    return cast(Callable[..., Any], version.entry_point)


SMALL = np.int8, np.int16, np.int32, np.uint8


class Numbers(np.ndarray[Any, Any]):
    """Small integers, read as Python's, which do not overflow: compiled code widens them."""

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        return int(value) if isinstance(value, SMALL) else value


class Fields(np.record):
    """A record whose fields hide NumPy's own attributes (`round`, `size`), as in compiled code."""

    def __getattribute__(self, name: str) -> Any:
        fields = np.void.__getattribute__(self, "dtype").fields
        if fields is None or name not in fields:
            return super().__getattribute__(name)
        value = np.void.__getitem__(self, name)
        if isinstance(value, SMALL):
            return int(value)
        is_small = isinstance(value, np.ndarray) and value.dtype.type in SMALL
        return value.view(Numbers) if is_small else value


@functools.cache
def with_fields(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout with attribute access to every record: `s.ally[a].area`."""
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
    """Zeroed records, shape (n,); their fields are attributes in plain Python, too."""
    return np.zeros(n, dtype if COMPILED else with_fields(dtype))
