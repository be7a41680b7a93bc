"""What a model or a result was made with, and in what it differs from what is here now.

An identity is a JSON-able record:

    observation  hash of the layout of observations: names, nesting, shapes, scales, int8 codes
    scenario     the same of what a scenario adds to them (rulesets/obs_arrays.py)
    actions      hash of the layout of actions: blocks, sizes, words that indices stand for
    behaviour    how the rules play, by scenario (behaviour.py)
    sources      hash of all files that a result depends on

Models need the layouts and the behaviour; results that are resumed or reused need all of it. The
content played is kept beside it, as the fingerprint of the scenario.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from inspect import getfile
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from agemonia_env.behaviour import CONTENT, GAMES, Behaviour, behaviour_of
from agemonia_env.core.jit import cache_folder
from agemonia_env.files.writing import write_json
from agemonia_env.rulesets.obs_arrays import Structure
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

Identity = Mapping[str, Any]
IDENTITY = "identity"  # its key in records
OBSERVATION, SCENARIO, ACTIONS = "observation", "scenario", "actions"
BEHAVIOUR, SOURCES = "behaviour", "sources"
LAYOUTS = {
    OBSERVATION: "observations have another layout",
    SCENARIO: "the numbers of a scenario have another layout",
    ACTIONS: "actions have another layout",
}
UNKNOWN = "no record of the rules it was made with"

PACKAGE = Path(__file__).resolve().parent
SHAPING = (  # what a result depends on, beside its ruleset
    *("core", "policies", "behaviour.py", "identity.py", "envs/scenario_cache.py"),
    *("files/documents.py", "packs/folders.py", "packs/patches.py"),
    *("rulesets/arguments.py", "rulesets/obs_arrays.py", "rulesets/ruleset.py"),
    *(f"simulation/{name}.py" for name in ("games", "plan", "play", "result_schema")),
)


@cache
def identity_of(env: str, *more: str) -> dict[str, Any]:
    """The identity of a ruleset as it is here, by the id of its environment; do not change it.

    more: further files that a result depends on, relative to the package.
    """
    rules = ruleset_of(env)
    layout = rules.structure
    return {
        OBSERVATION: hash_of(
            [names_of(rules.OBS), scales(rules.SCALES), rules.N_OBS_INT8, list(rules.DECISIONS)]
        ),
        SCENARIO: hash_of([blocks_of(layout), scales(layout.scenario_scales)]),
        ACTIONS: hash_of(rules.BLOCKS),
        BEHAVIOUR: kept_behaviour(rules),
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


def blocks_of(structure: Structure) -> Any:
    """Where the numbers of a scenario are, by their names."""
    return [
        [block.name, block.start, list(block.shape), block.by_column]
        + [[name, part.start, part.stop] for name, part in block.columns.items()]
        for block in structure.scenario
    ]


def scales(numbers: Any) -> list[int]:
    """Scales as whole numbers."""
    return [int(number) for number in numbers]


# ---- sources --------------------------------------------------------------------------------
@cache
def sources_of(env: str, *more: str) -> str:
    """16 hex digits that change with any file that shapes a result, even with a comment in it.

    more: further files, relative to the package.
    """
    rules = ruleset_of(env)
    paths = [PACKAGE / place for place in (*SHAPING, *more)]
    own = PACKAGE / "rulesets" / rules.name
    if own.is_dir():
        parts = ("core", "content", "states", "arguments.py", "ruleset.py")
        paths += [own / part for part in parts]
    else:  # a ruleset of somebody else's, of parts of its own
        paths += [Path(getfile(part)) for part in (rules.api, rules.check_arguments)]
    return hash_of_files(chain.from_iterable(map(files_in, paths)))


def files_in(place: Path) -> list[Path]:
    """A file, or all Python files of a folder."""
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def hash_of_files(paths: Iterable[Path]) -> str:
    """16 hex digits that change with the name or a byte of any of these files of the package."""
    digest = hashlib.sha256()
    for path in paths:
        inside = path.is_relative_to(PACKAGE)
        name = path.relative_to(PACKAGE).as_posix() if inside else path.name
        digest.update(name.encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


# ---- behaviour ------------------------------------------------------------------------------
def kept_behaviour(rules: Ruleset) -> Behaviour:
    """How the rules play: read from beside the compiled code, or found out now and kept there."""
    kept = place_of(rules)
    found = read_behaviour(kept)
    if not found:
        found = behaviour_of(rules)
        with suppress(OSError, ValueError):  # without the file the games are played again
            write_json(kept, found)
    return found


def place_of(rules: Ruleset) -> Path:
    """Where it is kept: a file named after everything it depends on, so that it is never stale."""
    packs = Path(getfile(rules.load_pack)).parent.rglob("*.yaml")
    name = f"behaviour-{sources_of(rules.env_id)}-{hash_of_files(sorted(packs))}.json"
    return cache_folder(rules.api.__name__) / name


def read_behaviour(path: Path) -> Behaviour:
    """What was kept; nothing if that cannot be read."""
    try:
        return dict(hashes_in(json.loads(path.read_bytes())))
    except (OSError, ValueError):
        return {}


def hashes_in(value: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """The scenarios of a behaviour, whatever a file holds in its place."""
    for name, hashes in value.items() if isinstance(value, dict) else ():
        if isinstance(hashes, dict) and all(
            isinstance(hashes.get(key), str) for key in (CONTENT, GAMES)
        ):
            yield str(name), {key: hashes[key] for key in (CONTENT, GAMES)}


def mark_if_known(env: str) -> str | None:
    """The mark of the rules as they are here; None if they have not been played here yet."""
    found = read_behaviour(place_of(ruleset_of(env)))
    return mark_of({BEHAVIOUR: found}) if found else None


def mark_of(identity: Any) -> str:
    """A short name for how the rules play, 12 hex digits, for pages and tables."""
    return hash_of(dict(hashes_in(part(identity, BEHAVIOUR))))[:12]


# ---- comparing ------------------------------------------------------------------------------
def part(identity: Any, key: str) -> Any:
    """A part of an identity, None if it has none."""
    return identity.get(key) if isinstance(identity, Mapping) else None


def layouts_apart(old: Any, new: Identity, *, wide: bool = True) -> list[str]:
    """Which layouts differ, in words; none if no layout is known.

    wide: that of what a scenario adds counts, too.
    """
    if not isinstance(old, Mapping):
        return []
    keys = [key for key in LAYOUTS if wide or key != SCENARIO]
    return [LAYOUTS[key] for key in keys if part(old, key) != new[key]]


def rules_apart(old: Any, new: Identity) -> str | None:
    """In which scenarios the rules play differently, in words; None if they do in none.

    Only scenarios that are the same in both count: a changed card is no changed rule.
    """
    if part(old, SOURCES) == new[SOURCES]:
        return None
    then, now = dict(hashes_in(part(old, BEHAVIOUR))), new[BEHAVIOUR]
    if not then:
        return UNKNOWN
    same = [key for key in now if key in then and then[key][CONTENT] == now[key][CONTENT]]
    if not same:
        return "no scenario is the same, so the rules cannot be compared"
    unlike = [key for key in same if then[key][GAMES] != now[key][GAMES]]
    if not unlike:
        return None
    return (
        f"the rules play differently in {len(unlike)} of {len(same)} scenarios: {', '.join(unlike)}"
    )


def differences(old: Any, new: Identity) -> Iterator[str]:
    """In what two identities differ, a sentence each; for results, which must be alike in all."""
    if not isinstance(old, Mapping):
        yield UNKNOWN
        return
    if old.get(SOURCES) == new[SOURCES]:
        return
    yield from layouts_apart(old, new)
    apart = rules_apart(old, new)
    if apart is not None:
        yield apart
    alike = "" if apart else ", though the rules play alike"
    told = json.dumps(str(old.get(SOURCES))[:32])
    yield f"sources: {told}, now {json.dumps(new[SOURCES])}{alike}"
