"""Entries of every kind, as players: a command, a Python object, a policy by name."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agemonia_env.display.messages import one_of, shown
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.policies import Policy, policy_of
from agemonia_env.policies.own import PYTHON, import_file, reason
from agemonia_env.rulesets.arguments import whole_number

from .decision import USUAL, Decision, Start, check_name, check_wants
from .messages import CRASH, Command, EntryError, Forfeit

COMMAND, OBJECT, POLICY = KINDS = ("command", "object", "policy")
MOST_TEXT = 1000  # characters of how an entry is given


class Player:
    """An entry as the referee sees it; each thread has its own.

    wants: some of WANTS. Methods that the referee calls raise Forfeit if the entry loses the game.
    """

    name = ""
    wants: tuple[str, ...] = ()

    def start(self) -> None:
        """Get ready: name and wants are known afterwards. Raises EntryError."""

    def begin(self, start: Start, env: RulesetEnv) -> None:
        """A game begins. Raises EntryError if the entry cannot play it."""

    def answer(self, decision: Decision, env: RulesetEnv) -> Any:
        """Whatever the entry answers to a question."""
        raise NotImplementedError

    def end(self, *, won: bool) -> None:
        """The game has ended."""

    def close(self) -> None:
        """No further game follows."""

    def kill(self) -> None:
        """Stop at once, if possible; called from another thread, and after `close`, too."""


@dataclass(frozen=True)
class Entry:
    """What is entered. kind: one of KINDS; text: the command, object or policy."""

    kind: str
    text: str

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown kind, or a text that no row can hold."""
        if self.kind not in KINDS:
            raise ValueError(one_of("kind", self.kind, KINDS))
        if len(self.text) > MOST_TEXT or not self.text.isprintable():
            wanted = f"must be one line of at most {MOST_TEXT} characters; use a script for more"
            raise ValueError(f"--{self.kind} {shown(self.text)}: {wanted}")

    def player(self) -> Player:
        """A new player, to be started. Raises EntryError if the entry cannot play."""
        if self.kind == COMMAND:
            return CommandPlayer(self.text)
        if self.kind == OBJECT:
            return ObjectPlayer(make_object(self.text), self.text)
        return PolicyPlayer(self.text)


class CommandPlayer(Player):
    """A command; it is started again for the next game after it was lost."""

    def __init__(self, line: str) -> None:
        """Start the command. Raises EntryError."""
        self.command = Command(line)
        self.alive, self.stopped = True, False

    def start(self) -> None:
        """As Player.start."""
        self.name, self.wants = self.command.greet()

    def begin(self, start: Start, env: RulesetEnv) -> None:
        """As Player.begin."""
        if not self.alive:
            self.command, self.alive = Command(self.command.line), True
            if self.stopped:
                self.command.kill()
            self.start()
        with self._lost_by_forfeit():
            self.command.tell(start.message())

    def answer(self, decision: Decision, env: RulesetEnv) -> Any:
        """As Player.answer."""
        with self._lost_by_forfeit():
            answer = self.command.ask(decision.message(), decision.clock.left_ms / 1000)
        return answer.get("action") if isinstance(answer, dict) else answer

    def end(self, *, won: bool) -> None:
        """As Player.end."""
        if self.alive:
            with self._lost_by_forfeit():
                self.command.tell({"type": "end", "won": won})

    @contextmanager
    def _lost_by_forfeit(self) -> Iterator[None]:
        try:
            yield
        except Forfeit:
            self.alive = False
            self.command.kill()
            raise

    def close(self) -> None:
        """As Player.close."""
        self.command.close()

    def kill(self) -> None:
        """As Player.kill."""
        self.stopped = True
        self.command.kill()


class ObjectPlayer(Player):
    """A Python object with `act(decision)`, and on request `begin(start)`, `end(won)`, `close()`.

    `name` and `wants` are optional, too. An exception forfeits the game; its traceback is printed.
    """

    def __init__(self, made: Any, place: str) -> None:
        """place: how it was given. Raises EntryError unless it can play."""
        if not callable(getattr(made, "act", None)):
            raise EntryError(f"--object {shown(place)}: has no method act(decision)")
        self.object = made
        try:
            self.name = check_name(getattr(made, "name", None) or "")
            self.wants = check_wants(getattr(made, "wants", USUAL))
        except ValueError as error:
            raise EntryError(f"--object {shown(place)}: {error}") from None

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
        with suppress(Forfeit):  # too late to lose
            self._call("close")

    def _call(self, name: str, *arguments: Any) -> Any:
        """Call a method, if there is one."""
        try:
            method = getattr(self.object, name, None)
            return None if method is None else method(*arguments)
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            raise Forfeit(CRASH, reason(error)) from None


class PolicyPlayer(Player):
    """A policy by name, as every command takes it; it draws from the game's own random stream."""

    def __init__(self, policy: str) -> None:
        self.given = policy
        self.policies: dict[tuple[str, str, str], Policy] = {}

    def begin(self, start: Start, env: RulesetEnv) -> None:
        """As Player.begin."""
        side, fixed = env.arguments.side, env.arguments.scenario_seeds() is None
        key = env.ruleset.env_id, side, env.compiled.fingerprint if fixed else ""
        if key not in self.policies:
            try:
                self.policies[key] = policy_of(
                    env.ruleset, self.given, side=side, fingerprint=key[2] or None
                )
            except ValueError as error:
                raise EntryError(f"{error} (setting {start.setting})") from None
            env.clone().choose(self.policies[key])  # what compiles is not on the clock
        self.policy = self.policies[key]

    def answer(self, decision: Decision, env: RulesetEnv) -> Any:
        """As Player.answer."""
        return env.choose(self.policy)


def make_object(place: str) -> Any:
    """An object of "module:Class" or "file.py:Class". Raises EntryError."""
    try:
        return load(place)()
    except ValueError as error:  # it says which file
        raise EntryError(f"--object {error}") from error
    except (Exception, SystemExit) as error:
        raise EntryError(f"--object {shown(place)}: {reason(error)}") from error


def load(place: str) -> Any:
    """What "module:name" or "file.py:name" stands for. Raises ValueError."""
    module_name, _, name = place.rpartition(":")
    if not module_name or not name.isidentifier():
        wanted = "must be module:Class or file.py:Class, such as my_entry.py:Mine"
        raise ValueError(f"{shown(place)}: {wanted}")
    if module_name.endswith(PYTHON):
        module, _ = import_file(Path(module_name))
    else:
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        module = importlib.import_module(module_name)
    if not hasattr(module, name):
        raise ValueError(f"{shown(place)}: {module_name} has no {name}")
    return getattr(module, name)


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
