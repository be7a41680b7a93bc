"""Entries of every kind, as players: a command, a Python object, a policy by name."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from agemonia_env.display.messages import one_of, shown
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.policies import Policy, policy_of
from agemonia_env.rulesets.arguments import whole_number

from .decision import USUAL, WANTS, Decision, Start
from .messages import CRASH, Command, EntryError, Forfeit

COMMAND, OBJECT, POLICY = KINDS = ("command", "object", "policy")


class Player(Protocol):
    """An entry as the referee sees it; each thread has its own.

    wants: some of WANTS. Its methods raise Forfeit if the entry loses the game.
    """

    name: str
    wants: tuple[str, ...]

    def begin(self, start: Start, env: RulesetEnv) -> None:
        """A game begins."""

    def answer(self, decision: Decision, env: RulesetEnv) -> Any:
        """Whatever the entry answers to a question."""

    def end(self, *, won: bool) -> None:
        """The game has ended."""

    def close(self) -> None:
        """No further game follows."""

    def kill(self) -> None:
        """Stop at once; called from another thread."""


@dataclass(frozen=True)
class Entry:
    """What is entered. kind: one of KINDS; text: the command, object or policy."""

    kind: str
    text: str

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown kind."""
        if self.kind not in KINDS:
            raise ValueError(one_of("kind", self.kind, KINDS))

    def player(self) -> Player:
        """A new player. Raises EntryError if the entry cannot play."""
        made: dict[str, Callable[[str], Player]] = {
            COMMAND: CommandPlayer,
            OBJECT: ObjectPlayer,
            POLICY: PolicyPlayer,
        }
        return made[self.kind](self.text)


class CommandPlayer:
    """A command; it is started again for the next game after it was lost."""

    def __init__(self, line: str) -> None:
        self.line = line
        self._start()

    def _start(self) -> None:
        self.command = Command(self.line)
        self.name, self.wants = self.command.greet()
        self.alive = True

    def begin(self, start: Start, env: RulesetEnv) -> None:
        """As Player.begin."""
        if not self.alive:
            self._start()
        self._tell(start.message())

    def answer(self, decision: Decision, env: RulesetEnv) -> Any:
        """As Player.answer."""
        try:
            answer = self.command.ask(decision.message(), decision.clock.left_ms / 1000)
        except Forfeit:
            self.alive = False
            raise
        return answer.get("action") if isinstance(answer, dict) else answer

    def end(self, *, won: bool) -> None:
        """As Player.end."""
        if self.alive:
            self._tell({"type": "end", "won": won})

    def _tell(self, message: dict[str, Any]) -> None:
        try:
            self.command.tell(message)
        except Forfeit:
            self.alive = False
            self.command.kill()
            raise

    def close(self) -> None:
        """As Player.close."""
        self.command.close()

    def kill(self) -> None:
        """As Player.kill."""
        self.command.kill()


class ObjectPlayer:
    """A Python object with `act(decision)`, and on request `begin(start)`, `end(won)`, `close()`.

    `name` and `wants` are optional, too. An exception forfeits the game; its traceback is printed.
    """

    def __init__(self, place: str) -> None:
        """Make the object of "module:Class" or "file.py:Class". Raises EntryError."""
        self.place = place
        try:
            self.object = load(place)()
        except EntryError:
            raise
        except Exception as error:
            raise EntryError(f"--object {shown(place)}: {type(error).__name__}: {error}") from error
        if not callable(getattr(self.object, "act", None)):
            raise EntryError(f"--object {shown(place)}: has no method act(decision)")
        self.name = str(getattr(self.object, "name", "") or place)
        self.wants = tuple(getattr(self.object, "wants", USUAL))
        unknown = [word for word in self.wants if word not in WANTS]
        if unknown:
            raise EntryError(f"--object {shown(place)}: {one_of('wants', unknown[0], WANTS)}")

    def begin(self, start: Start, env: RulesetEnv) -> None:
        """As Player.begin."""
        self._call("begin", start)

    def answer(self, decision: Decision, env: RulesetEnv) -> Any:
        """As Player.answer."""
        return self._call("act", decision)

    def end(self, *, won: bool) -> None:
        """As Player.end."""
        self._call("end", won)

    def close(self) -> None:
        """As Player.close."""
        self._call("close")

    def kill(self) -> None:
        """As Player.kill: it stops after the decision at hand."""

    def _call(self, name: str, *arguments: Any) -> Any:
        """Call a method, if there is one."""
        method = getattr(self.object, name, None)
        try:
            return None if method is None else method(*arguments)
        except Exception:
            traceback.print_exc()
            raise Forfeit(CRASH) from None


class PolicyPlayer:
    """A policy by name, as every command takes it; it draws from the game's own random stream."""

    wants: tuple[str, ...] = ()

    def __init__(self, name: str) -> None:
        self.name = name
        self.policies: dict[tuple[str, str, str], Policy] = {}

    def begin(self, start: Start, env: RulesetEnv) -> None:
        """As Player.begin. Raises EntryError if the policy cannot play this setting."""
        side, fixed = env.arguments.side, env.arguments.scenario_seeds() is None
        key = env.ruleset.env_id, side, env.compiled.fingerprint if fixed else ""
        if key not in self.policies:
            try:
                self.policies[key] = policy_of(
                    env.ruleset, self.name, side=side, fingerprint=key[2] or None
                )
            except ValueError as error:
                raise EntryError(f"{error} (setting {start.setting})") from None
            env.clone().choose(self.policies[key])  # what compiles is not on the clock
        self.policy = self.policies[key]

    def answer(self, decision: Decision, env: RulesetEnv) -> Any:
        """As Player.answer."""
        return env.choose(self.policy)

    def end(self, *, won: bool) -> None:
        """As Player.end."""

    def close(self) -> None:
        """As Player.close."""

    def kill(self) -> None:
        """As Player.kill."""


def load(place: str) -> Any:
    """What "module:name" or "file.py:name" stands for. Raises EntryError."""
    module_name, _, name = place.rpartition(":")
    if not module_name or not name.isidentifier():
        wanted = "must be module:Class or file.py:Class, such as my_entry.py:Mine"
        raise EntryError(f"--object {shown(place)}: {wanted}")
    if module_name.endswith(".py"):
        module = import_file(Path(module_name))
    else:
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        module = importlib.import_module(module_name)
    if not hasattr(module, name):
        raise EntryError(f"--object {shown(place)}: {module_name} has no {name}")
    return getattr(module, name)


def import_file(path: Path) -> Any:
    """Import a Python file by its path. Raises EntryError if there is none."""
    if not path.is_file():
        raise EntryError(f"--object {path}: No such file")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def fault(answer: Any, env: RulesetEnv, legal: list[int]) -> str:
    """What is wrong with an answer; "" if it is a legal action."""
    number = whole_number(answer)
    if number is None:
        return f'{shown(answer)}: must be a legal action by its number, such as {{"action": 3}}'
    if not 0 <= number < env.ruleset.N_ACTIONS:
        return f"action {shown(number)}: must be from 0 to {env.ruleset.N_ACTIONS - 1}"
    if number not in legal:
        return f"action {number} ({env.action_meaning(number)}) is illegal: {env.explain(number)}"
    return ""
