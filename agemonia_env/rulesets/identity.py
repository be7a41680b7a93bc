"""The identity stored with models and results, and how it differs from the code at hand.

An identity is a JSON-able record:

    observation  hash of the observation layout: names, nesting, shapes, scales, int8 length
    actions      hash of the action layout: blocks, sizes, the words that indices stand for
    features     hash of the layout of action features: names, nesting, shapes, scales
    behaviour    how the rules play, by scenario (behaviour.py)
    sources      hash of every source file that a result depends on

A model needs the same layouts and behaviour; a result that is resumed or reused needs all of it.
The scenario's content is identified separately, by its fingerprint.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from inspect import getfile
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from agemonia_env.core.jit import cache_folder
from agemonia_env.files.writing import write_json
from agemonia_env.rulesets.behaviour import CONTENT, GAMES, Behaviour, behaviour_of
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

Identity = Mapping[str, Any]
IDENTITY = "identity"  # key in records
OBSERVATION, ACTIONS, FEATURES = "observation", "actions", "features"
BEHAVIOUR, SOURCES = "behaviour", "sources"
LAYOUTS = {
    OBSERVATION: "observations have another layout",
    ACTIONS: "actions have another layout",
    FEATURES: "action features have another layout",
}
ALWAYS_READ = OBSERVATION, ACTIONS  # by every model
PLAYED_BY = "played_by"  # key in PINS
UNKNOWN = "does not say which rules it was made with"

PACKAGE = Path(__file__).resolve().parents[1]
PINS = Path(__file__).with_name("pins.json")
RESULT_SOURCES = (  # what a result depends on besides its ruleset
    *("core", "policies", "envs/copies.py", "envs/scenario_cache.py"),
    *("files/documents.py", "packs/folders.py", "packs/loading.py", "packs/patches.py"),
    *(f"rulesets/{name}.py" for name in ("action_features", "arguments", "obs_arrays")),
    *(f"rulesets/{name}.py" for name in ("generators", "knobs")),
    *(f"rulesets/{name}.py" for name in ("behaviour", "identity", "plain", "ruleset")),
    *(f"simulation/{name}.py" for name in ("games", "plan", "play", "result_schema")),
)


@cache
def identity_of(env: str, *more: str) -> dict[str, Any]:
    """The identity of a ruleset in this checkout, by environment id; do not modify the dict.

    more: further files that a result depends on, relative to the package.
    """
    rules = ruleset_of(env)
    return {
        OBSERVATION: hash_of(
            [names_of(rules.OBS), scales(rules.SCALES), rules.N_OBS_INT8, list(rules.DECISIONS)]
        ),
        ACTIONS: hash_of(rules.BLOCKS),
        FEATURES: hash_of([names_of(rules.ACTION), scales(rules.ACTION_SCALES)]),
        BEHAVIOUR: cached_behaviour(rules),
        SOURCES: sources_of(env, *more),
    }


def hash_of(value: Any) -> str:
    """16 hex digits that change with a JSON-able value."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


# ---- layouts --------------------------------------------------------------------------------
def names_of(dtype: np.dtype[Any]) -> Any:
    """The fields of a dtype in their order, with shapes and nested fields."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return [list(shape), names_of(item)]
    if dtype.names is None:
        return dtype.str
    return [[name, names_of(dtype[name])] for name in dtype.names]


def scales(numbers: Any) -> list[int]:
    """Scales as Python ints."""
    return [int(number) for number in numbers]


# ---- sources --------------------------------------------------------------------------------
@cache
def sources_of(env: str, *more: str) -> str:
    """16 hex digits that change with any source file of a result, comments included.

    more: further files, relative to the package.
    """
    rules = ruleset_of(env)
    paths = [PACKAGE / place for place in (*RESULT_SOURCES, *more)]
    own = PACKAGE / "rulesets" / rules.name
    if own.is_dir():
        parts = ("core", "content", "states", "arguments.py", "ruleset.py")
        paths += [own / part for part in parts]
    else:  # a ruleset outside the package
        paths.append(Path(getfile(rules.check_arguments)).parent)
    return hash_of_files(chain.from_iterable(map(files_in, paths)))


def files_in(place: Path) -> list[Path]:
    """A file, or every Python file below a folder."""
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def hash_of_files(paths: Iterable[Path]) -> str:
    """16 hex digits that change with the name or content of any of these files."""
    digest = hashlib.sha256()
    for path in paths:
        inside = path.is_relative_to(PACKAGE)
        name = path.relative_to(PACKAGE).as_posix() if inside else path.name
        digest.update(name.encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


# ---- behaviour ------------------------------------------------------------------------------
def cached_behaviour(rules: Ruleset) -> Behaviour:
    """How the rules play: if it is not known, it is measured now and kept in the compile cache."""
    behaviour = known_behaviour(rules)
    if not behaviour:
        behaviour = behaviour_of(rules)
        with suppress(OSError, ValueError):  # without the file, the next call plays again
            write_json(behaviour_file(rules), behaviour)
    return behaviour


def known_behaviour(rules: Ruleset) -> Behaviour:
    """How the rules play: as pinned, if by these sources, else as it was measured; or empty."""
    pin = pinned().get(rules.env_id, {})
    if pin.get(PLAYED_BY) == played_by(rules):
        return dict(valid_hashes(pin[BEHAVIOUR]))
    return read_cached_behaviour(behaviour_file(rules))


@cache
def pinned() -> dict[str, Any]:
    """By environment: how its rules play as last agreed, and by which sources. See pins.py."""
    found: dict[str, Any] = json.loads(PINS.read_bytes())
    return found


@cache
def played_by(rules: Ruleset) -> str:
    """What a behaviour depends on: hashes of sources and of packs."""
    packs = Path(getfile(rules.check_arguments)).parent.rglob("*.yaml")
    return f"{sources_of(rules.env_id)}-{hash_of_files(sorted(packs))}"


def behaviour_file(rules: Ruleset) -> Path:
    """The cache file, named after everything it depends on, so it is never stale."""
    return cache_folder(rules.api.__name__) / f"behaviour-{played_by(rules)}.json"


def read_cached_behaviour(path: Path) -> Behaviour:
    """The cached behaviour; empty if the file cannot be read."""
    try:
        return dict(valid_hashes(json.loads(path.read_bytes())))
    except (OSError, ValueError):
        return {}


def valid_hashes(value: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """The well-formed entries of a behaviour read from a file; anything else is skipped."""
    for name, hashes in value.items() if isinstance(value, dict) else ():
        if isinstance(hashes, dict) and all(
            isinstance(hashes.get(key), str) for key in (CONTENT, GAMES)
        ):
            yield str(name), {key: hashes[key] for key in (CONTENT, GAMES)}


def cached_rules_hash(env: str) -> str | None:
    """The rules hash of this checkout; None if its behaviour was not measured yet."""
    behaviour = known_behaviour(ruleset_of(env))
    return rules_hash({BEHAVIOUR: behaviour}) if behaviour else None


def rules_hash(identity: Any) -> str:
    """12 hex digits that name how the rules play, for pages and tables."""
    return hash_of(dict(valid_hashes(part(identity, BEHAVIOUR))))[:12]


# ---- comparing ------------------------------------------------------------------------------
def part(identity: Any, key: str) -> Any:
    """One part of an identity; None if it is missing."""
    return identity.get(key) if isinstance(identity, Mapping) else None


def layout_differences(old: Any, new: Identity, reads: Collection[str] = LAYOUTS) -> list[str]:
    """One phrase per layout that differs; empty if `old` records no layouts.

    reads: keys of LAYOUTS to compare.
    """
    if not isinstance(old, Mapping):
        return []
    return [LAYOUTS[key] for key in reads if part(old, key) != new[key]]


def rules_difference(old: Any, new: Identity) -> str | None:
    """Name the scenarios that play differently under the new rules; None if there are none.

    Only scenarios with the same content in both are compared: a changed card is not a changed rule.
    """
    if part(old, SOURCES) == new[SOURCES]:
        return None
    then, now = dict(valid_hashes(part(old, BEHAVIOUR))), new[BEHAVIOUR]
    if not then:
        return UNKNOWN
    same = [key for key in now if key in then and then[key][CONTENT] == now[key][CONTENT]]
    if not same:
        return "no scenario has the same content, so the rules cannot be compared"
    changed = [key for key in same if then[key][GAMES] != now[key][GAMES]]
    if not changed:
        return None
    count = f"{len(changed)} of {len(same)} scenarios"
    return f"the rules play differently in {count}: {', '.join(changed)}"


def _differences(old: Any, new: Identity) -> Iterator[str]:
    """One phrase per difference between two identities; a stored result must have none."""
    if not isinstance(old, Mapping):
        yield UNKNOWN
        return
    if old.get(SOURCES) == new[SOURCES]:
        return
    yield from layout_differences(old, new)
    rules = rules_difference(old, new)
    if rules is not None:
        yield rules
    alike = "" if rules else ", though the rules play alike"
    stored = json.dumps(str(old.get(SOURCES))[:32])
    yield f"sources: {stored}, now {json.dumps(new[SOURCES])}{alike}"


# ---- records that have one ------------------------------------------------------------------
def key_of(record: Mapping[str, Any]) -> bytes:
    """The bytes of a record to hash: everything its games depend on.

    The behaviour of the rules is left out: the sources determine it, and content that is not played
    does not matter.
    """
    text = {key: value for key, value in record[IDENTITY].items() if key != BEHAVIOUR}
    return json.dumps({**record, IDENTITY: text}, sort_keys=True).encode()


def differences(old: Any, new: Any, key: str = "") -> Iterator[str]:
    """Differences of two records, a line each: `kinds[0].difficulty: "hard", now "easy"`."""
    if isinstance(old, dict) and isinstance(new, dict):
        if IDENTITY in new:
            yield from _differences(old.get(IDENTITY), new[IDENTITY])
        for name in {**old, **new}:
            if name == IDENTITY:
                continue
            inner = f"{key}.{name}" if key else name
            yield from differences(old.get(name), new.get(name), inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{key}[{i}]")
    elif isinstance(old, list) and isinstance(new, list):
        yield f"{key}: {len(old)} of them, now {len(new)}"
    elif old != new:
        yield f"{key}: {json.dumps(old)}, now {json.dumps(new)}"
