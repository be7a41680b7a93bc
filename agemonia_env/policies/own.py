"""Policies of one's own: a Python object, or a class in a file, such as my_file.py:Mine.

Only an object or a command line brings code. The text "my_file.py:Mine" alone may come from
somebody else's study, result or row: `policy_of` refuses it, and nothing imports it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.messages import shown
from agemonia_env.packs.folders import path_text
from agemonia_env.rulesets.arguments import positive
from agemonia_env.rulesets.policy import Policy, Records
from agemonia_env.rulesets.ruleset import Ruleset

from .learned import LearnedPolicy
from .planner import Planner
from .scripted import ScriptedPolicy

MOST_NAME = 60  # characters
MOST_BATCH = 2**16
DIGITS = 12  # of a hash in a name
UNKNOWN = "unknown"  # instead of the hash of a class that is in no file
PYTHON = ".py"
PACKAGED = (ScriptedPolicy, LearnedPolicy, Planner)  # these have names that say all about them


class OwnPolicy(str):
    """The name of a policy of one's own in results, which also holds the policy.

    It goes wherever a policy's name goes. It ends with a hash of the file that defines the policy,
    as in "my_file.py:Mine#0123456789ab", so that results of another version of the file differ.
    Another process gets the policy by importing the same file again, or by unpickling the object.
    """

    policy: Policy
    place: str  # "/folder/my_file.py:Mine" if it was imported from there, otherwise ""

    @classmethod
    def of(cls, policy: Any) -> Self:
        """Name an object. Raises ValueError unless it is a policy."""
        check_own(policy)
        return cls._named(policy.name, _hash_of_class(type(policy)), policy)

    @classmethod
    def from_file(cls, place: str) -> Self:
        """Make the policy of "my_file.py:Mine". Raises ValueError if there is none.

        It runs the file: never call it with a text that came from a file or from the network.
        """
        file, _, name = place.rpartition(":")
        module, source = import_file(Path(file))
        if not hasattr(module, name):
            raise ValueError(f"{place}: the file has no {name}")
        try:
            policy = getattr(module, name)()
            check_own(policy)
        except (Exception, SystemExit) as error:
            raise ValueError(f"{place}: {reason(error)}") from error
        own = cls._named(place, hash_of(source), policy)
        own.place = f"{Path(file).resolve()}:{name}"
        return own

    @classmethod
    def _named(cls, name: str, mark: str, policy: Policy) -> Self:
        own = cls(f"{name}#{mark}")
        own.policy, own.place = policy, ""
        return own

    @property
    def is_saved(self) -> bool:
        """Whether a file defines it, so that its results can be told from others."""
        return not self.endswith(f"#{UNKNOWN}")

    def __deepcopy__(self, memo: Any) -> Self:
        """The same: a name."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """As pickle asks."""
        return _unpickled, (str(self), self.place, None if self.place else self.policy)


def _unpickled(name: str, place: str, policy: Policy | None) -> OwnPolicy:
    """The policy of a pickle. Raises ValueError if its file has changed since."""
    own = OwnPolicy(name)
    if policy is None:
        again = OwnPolicy.from_file(place)
        mark, found = name.rpartition("#")[2], again.rpartition("#")[2]
        if mark != found:
            raise ValueError(f"{name}: its file is another one here, with the hash {found}")
        policy = again.policy
    own.policy, own.place = policy, place
    return own


def given_policy(text: str) -> str:
    """The policy that a command line names: imported if it is "my_file.py:Mine".

    Never call it with a text that came from a file or from the network. Raises ValueError.
    """
    return OwnPolicy.from_file(text) if is_place(text) else text


def as_own(policy: Any) -> Any:
    """An object that chooses actions as an OwnPolicy, a model's path as text; else as it is.

    Raises ValueError for an object that is no complete policy.
    """
    if isinstance(policy, str) or not hasattr(policy, "choose"):
        return path_text(policy)
    if isinstance(policy, PACKAGED):
        raise ValueError(f"policy={shown(policy.name)}: give its name, not the object")
    return OwnPolicy.of(policy)


def is_place(text: str) -> bool:
    """Whether a text has the form "my_file.py:Mine"."""
    file, _, name = text.rpartition(":")
    return file.endswith(PYTHON) and name.partition("#")[0].isidentifier()


def check_own(policy: Any) -> None:
    """Raise ValueError that says what an object lacks to be a policy."""
    what = f"policy {type(policy).__name__}"
    if isinstance(policy, type) or not callable(getattr(policy, "choose", None)):
        wanted = "must be an object with name, batch and choose(states, contents, which)"
        raise ValueError(f"policy={shown(policy)}: {wanted}")
    for attribute in ("name", "batch"):
        if not hasattr(policy, attribute):
            raise ValueError(f"{what}: has no {attribute}, see agemonia_env.policies.Policy")
    name = policy.name
    text = isinstance(name, str) and name.isprintable() and 0 < len(name) <= MOST_NAME
    if not text or set(name) & set(":#"):
        wanted = f"1 to {MOST_NAME} printable characters without ':' and '#'"
        raise ValueError(f"{what}: name={shown(name)}: must be a text of {wanted}")
    positive(f"{what}: batch", policy.batch, MOST_BATCH)


def import_file(path: Path) -> tuple[Any, bytes]:
    """Run a Python file as a module; return it and the source that was run.

    Raises ValueError if there is no such file, or if it fails.
    """
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    source = path.read_bytes()
    # Not the name of another module, such as random.py, or of another version of this one
    name = f"own_{path.stem}_{hash_of(source)}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ValueError(f"{path}: {reason(error)}") from error
    return module, source


def hash_of(source: bytes) -> str:
    """The hash of a file, as names have it."""
    return hashlib.sha256(source).hexdigest()[:DIGITS]


def _hash_of_class(kind: type) -> str:
    """The hash of the file that defines a class, of its text in a notebook, or UNKNOWN."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file is not None and Path(file).is_file():
        return hash_of(Path(file).read_bytes())
    try:
        return hash_of(inspect.getsource(kind).encode())
    except (OSError, TypeError):
        return UNKNOWN


def reason(error: BaseException) -> str:
    """An error of somebody's code on one line, with the place where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{' '.join(text.split())} ({Path(last.filename).name}, line {last.lineno})"


@dataclass(frozen=True)
class CheckedPolicy:
    """Plays a policy of one's own, and checks every answer."""

    ruleset: Ruleset
    name: OwnPolicy

    @property
    def batch(self) -> int:
        """As Policy.batch."""
        return int(self.name.policy.batch)

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose. Raises ValueError for an exception, or an answer that is no action."""
        before = states.view(np.uint8).copy()
        try:
            answer = np.asarray(self.name.policy.choose(states, contents, which))
        except Exception as error:
            raise ValueError(f"policy {self.name}: {reason(error)}") from error
        shown_then = before.view(states.dtype)
        shown_then["chance"] = states["chance"]  # random streams may change
        if not np.array_equal(before.view(np.uint8), states.view(np.uint8)):
            raise ValueError(f"policy {self.name}: changes the states it is shown; copy them first")
        self._check_actions(answer, states, contents, which)
        return answer.astype(np.int64)

    def _check_actions(
        self, answer: NDArray[Any], states: Records, contents: Records, which: NDArray[np.int16]
    ) -> None:
        """Raise ValueError unless these are legal actions."""
        rules, n = self.ruleset, len(states)
        if answer.shape != (n,) or answer.dtype.kind not in "iu":
            form = f"{answer.dtype} {answer.shape}"
            raise ValueError(f"policy {self.name}: must choose integers ({n},), not {form}")
        masks = np.empty((n, rules.N_ACTIONS), np.uint8)
        rules.api.write_masks(states, contents, which, masks)
        inside = (answer >= 0) & (answer < rules.N_ACTIONS)
        legal = inside & (masks[np.arange(n), np.where(inside, answer, 0)] != 0)
        if legal.all():
            return
        wrong = int(np.flatnonzero(~legal)[0])
        action, why = int(answer[wrong]), f"must be from 0 to {rules.N_ACTIONS - 1}"
        if inside[wrong]:
            denials = np.zeros(rules.N_ACTIONS, np.int16)
            rules.api.write_denials(states, contents, which, wrong, denials)
            why = f"is illegal: {rules.DENIAL_TEXTS[int(denials[action])]}"
        raise ValueError(f"policy {self.name}: action {action} {why}")
