"""Records a game while it is played: what replays it, and what its page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON, Control
from agemonia_env.display.svg import svg_of
from agemonia_env.envs.copies import copies
from agemonia_env.envs.positions import NOT_DRAWN, read
from agemonia_env.envs.replay import check_one_scenario
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.rulesets.arguments import check_seed
from agemonia_env.rulesets.identity import identity_of
from agemonia_env.rulesets.recorded_game import RecordedGame, position_hash

Records = NDArray[Any]
Probabilities = Mapping[int, float]  # of actions, by number


class ChangedGameError(ValueError):
    """The game was changed between two steps, such as by `set_state`."""


@dataclass
class Decision:
    """A question and its answer.

    who: the hero that it names, or "". side: "hero" or "enemy", the side that gains by a good
    answer. options: legal actions, ascending, with their texts, one-line helps and cards, which are
    numbers of `Recording.cards`. action, text: what was chosen; it may be illegal (why). events:
    what followed. probabilities: of the policy, if known.
    """

    question: str
    who: str
    side: str
    round: int
    options: list[int]
    texts: list[str]
    helps: list[str]
    cards: list[int]
    action: int
    text: str
    why: str = ""
    events: list[str] = field(default_factory=list)
    probabilities: Probabilities | None = None


class Texts:
    """Distinct texts, by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text, from 0."""
        return self.numbers.setdefault(text, len(self.numbers))

    def listed(self) -> list[str]:
        """All texts, by number."""
        return list(self.numbers)


class Boards:
    """Boards as SVG: distinct lines once, each board as its difference from the one before.

    A difference is [lines kept at the start, lines kept at the end, numbers of those between].
    """

    def __init__(self) -> None:
        self.lines = Texts()
        self.steps: list[list[int]] = []
        self._last: list[int] = []

    def add(self, svg: str) -> None:
        """Add the next board."""
        new, old = [self.lines.number(line) for line in svg.splitlines()], self._last
        most = min(len(new), len(old))
        start = next((k for k in range(most) if new[k] != old[k]), most)
        most -= start
        end = next((k for k in range(most) if new[-1 - k] != old[-1 - k]), most)
        self.steps.append([start, end, *new[start : len(new) - end]])
        self._last = new


class Recording:
    """A game as it is played in an environment; begins at the environment's position.

    Call `before` with each action, then `after` once it is taken. `states` has the position before
    each decision and the last one, STATE (1,) each.
    """

    def __init__(self, env: RulesetEnv, seed: int | None = None) -> None:
        """Begin at the first decision of a game. Raises ValueError if it cannot be played again.

        seed: of the `reset` that began the game, if known.
        """
        check_env(env)
        env.keep_log()
        self.env, self.seed = env, check_seed(seed)
        self.arguments = env.game_arguments()
        trailer, _ = read(env.ruleset, env.get_state())
        self.core_seed, drawn = trailer.core_seed, trailer.scenario_seed
        self.scenario_seed = None if drawn == NOT_DRAWN else drawn
        self.compiled = env.compiled
        self.heroes = list(env.ruleset.figure_names(env.compiled).get("heroes", ()))
        self.decisions: list[Decision] = []
        self.states: list[Records] = []
        self.streams: list[dict[str, str]] = []
        self.boards, self.cards = Boards(), Texts()
        self.over = self.won = False
        self._see(())

    @property
    def steps(self) -> int:
        """How many steps were made."""
        return len(self.decisions)

    def before(self, action: int, probabilities: Probabilities | None = None) -> None:
        """Note the question, and the answer about to be given.

        probabilities: of the policy. Raises ChangedGameError if the game is not where the last step
        left it.
        """
        env, rules = self.env, self.env.ruleset
        last, now, stream = copies(self.states[-1]), env.states, rules.POLICY_STREAM
        drawn = int(now["chance"][0, stream])
        streams = {} if drawn == last["chance"][0, stream] else {str(stream): f"{drawn:x}"}
        last["chance"][0, stream] = drawn
        if last.tobytes() != now.tobytes():
            raise ChangedGameError("the game was changed between two steps")
        question, legal = env.question(), env.legal_actions().tolist()
        pages = [rules.action_page(now[0], env.compiled, option) for option in legal]
        decision = Decision(
            question=question,
            who=next((name for name in self.heroes if name in question), ""),
            side=self.side(),
            round=int(now["round"][0]),
            options=legal,
            texts=[env.action_meaning(option) for option in legal],
            helps=[rules.action_help(now[0], env.compiled, option) for option in legal],
            cards=[self.cards.number(page) for page in pages],
            action=action,
            text=env.action_meaning(action),
            why="" if action in legal else env.explain(action),
            probabilities=probabilities,
        )
        self.streams.append(streams)
        self.decisions.append(decision)

    def side(self) -> str:
        """The side that the question belongs to; ties count as the heroes' if players settle them.

        An enemy side that is an agent answers them for itself.
        """
        state = self.env.states[0]
        asked = self.env.ruleset.side_asked(int(state["decision"]), int(state["asked"]))
        return asked if self.env.arguments.control() & Control.ENEMIES_ASKED else "hero"

    def after(self, *, over: bool) -> None:
        """Note what followed; over: the episode has ended."""
        events = self.env.happened()
        self.decisions[-1].events = events
        self.over, self.won = over, over and bool(self.env.states["won"][0])
        self._see(events)

    def forget(self) -> None:
        """Drop the answer noted by `before`, which was refused."""
        self.decisions.pop()
        self.streams.pop()

    def _see(self, events: Sequence[str]) -> None:
        """Note the position and its board."""
        state = copies(self.env.states)
        self.states.append(state)
        board = self.env.ruleset.draw_board(state[0], self.compiled, events)
        self.boards.add(svg_of(board))

    def game(self) -> RecordedGame:
        """What replays it."""
        rules = self.env.ruleset
        return RecordedGame(
            env_id=rules.env_id,
            arguments=plain(self.arguments),
            fingerprint=self.compiled.fingerprint,
            identity=identity_of(rules.env_id),
            state_layout=rules.state_layout.hex(),
            core_seed=f"{self.core_seed:x}",
            actions=[decision.action for decision in self.decisions],
            streams=self.streams,
            positions=[position_hash(state) for state in self.states],
        )

    def ending(self) -> str:
        """How the game ended, or where it stopped."""
        if self.states[-1]["ending"][0] != GOING_ON:
            return self.env.ruleset.ending_text(self.states[-1][0], self.compiled)
        why = "ended early" if self.over else "was stopped"
        return f"The game {why} after {self.steps} decisions."


def check_env(env: RulesetEnv) -> None:
    """Raise ValueError unless games of an environment can be recorded."""
    check_one_scenario(env, "recorded")
    opponent = env.arguments.opponent
    if opponent is not None and not isinstance(opponent, str):
        raise ValueError("opponent: must be given by name, to play recorded games on")


def plain(value: Any) -> Any:
    """JSON-able copies of arguments: tuples as lists."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value
