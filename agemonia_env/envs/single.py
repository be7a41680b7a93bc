"""`Agemonia-v0`: one game as a Gymnasium environment."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..agemonia import api
from ..agemonia.actions import N_ACTIONS
from ..agemonia.lanes import EPISODE, LANE, Autoreset, Call
from ..agemonia.layout import N_CODES, N_OBSERVATION, N_SEEN, STATE
from ..agemonia.terms import Denial, Ending
from ..content.compile import Compiled
from ..content.party import HeroChoice
from ..kernel.jit import direct, zeros
from .arguments import (
    CORE_SEED,
    OBSERVATION_BOUND,
    ScenarioChoices,
    check_arguments,
    check_core_seed,
    check_seed,
    draw_core_seed,
    episode_statistics,
    side_asked,
    whole_number,
)
from .render import draw_board
from .shelf import Shelf
from .story import clear, fresh_rows, story
from .text import write_board
from .wording import (
    DECISION_NAMES,
    DENIAL_NAMES,
    DENIALS,
    action_text,
    question_text,
)

# core seed, calls of step, ended by `illegal`, scenario seed, fingerprint
TRAILER = struct.Struct("<QQ?q16s")
NOT_DRAWN = -1  # in place of the scenario seed


class AgemoniaEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One scenario of Agemonia, played by one player for the whole party.

    ## Description
    One to four Heroes with a handful of stamina chips each, which are their strength and their
    life at once, against Enemies that cards move. The map consists of areas with room for so many
    figures, at heights that cut sight. Each round every Hero picks an action, an Initiative card
    tells who acts when and how angry the Enemies are, and dice decide the rest. The scenario says
    what wins: defeat them all, hold out, get there in time.

    The game is a sequence of small decisions: which action, which maneuver, each step of a move,
    the target, how much stamina to pay on a die. Whatever leaves no choice is played at once.

    ## Action Space
    `Discrete(N_ACTIONS)`, one flat list of named blocks; `action_meaning(i)` says what an action
    means now, `agemonia_env.agemonia.actions` where each block begins.

    | block | names | answers |
    |---|---|---|
    | no, yes, done | - | offers; the end of a move or of a choice of targets |
    | turn | what to do next | a Hero's own turn |
    | token | an action of the Hero asked | the action of the round |
    | area, climb | an area | steps, centres, lines, ties |
    | enemy, ally | a figure | targets, order, stand-ins, ties |
    | amount | 0 to 15 | stamina paid, Evade, shares |
    | lock, type, ability, attack type, condition | each its own | the rest |

    Legal actions: `info["action_mask"]` (int8), `action_masks()` (bool), `legal_actions()`, and
    `MaskInObservation` for those who want them in the observation. `explain(action)` says why
    an action is illegal. `step` takes any action; see `illegal`.

    ## Observation Space
    `Box(-100, 100, (N_OBSERVATION,), float32)`, scaled to about [-1, 1]: what lies open on the
    table, as seen by whoever is asked, and what is asked. `agemonia_env.agemonia.layout.OBS` names
    every number. Hidden things, the order of decks and the streams of chance, are not in it.

    ## Rewards
    `sparse`: +1 for a scenario won, -1 for one lost, 0 before. `shaped` adds
    `gamma * potential(after) - potential(before)`, the potential of an ended scenario being 0:
    this changes how fast one learns, never what is best. With `side="enemy"` the signs turn.

    ## Starting State
    The scenario as set up, the decks shuffled, the first decision asked. `reset(seed=)` fixes all
    chance; without a seed the next game of the same sequence begins, with
    `options={"core_seed": n}` the game of that number. With `scenario="random"` map,
    Enemies and objective are drawn as well, for each game anew (see `scenario_seed`).

    ## Episode End
    Terminated when the scenario ends, or by an illegal action with `illegal="terminate"` (-1).
    Truncated after `max_decisions` steps.

    ## Information
    `action_mask` (int8, all ones when the scenario has ended), `decision` (its name),
    `side` (of the decision: `"hero"`, `"enemy"`), `illegal_action` (bool), `denial` (its name, with
    an illegal action), `ruleset` (fingerprint of rules and content), `scenario_seed` (of a drawn
    scenario); at the end `is_success` and `episode_statistics`: win, ending, rounds,
    exhausted_heroes, damage_dealt, damage_taken, decisions.

    ## Arguments
    | name | default | meaning |
    |---|---|---|
    | `scenario` | `"ford"` | a scenario of the pack, or `"random"`: drawn from a seed |
    | `heroes` | `2` | how many, 1 to 4, or a list of names or of mappings (see below) |
    | `pack` | `"core"` | name or folder of the content pack |
    | `level` | `None` | level of the Heroes, 1 to 5; `None` is that of the scenario |
    | `difficulty` | `"normal"` | or `"easy"`, `"hard"`, `"brutal"` |
    | `enemy_will` | `"card"` | `"free"`: Enemies choose among all legal destinations and targets |
    | `side` | `"hero"` | whose decisions are asked: `"enemy"`, `"both"` (see below) |
    | `opponent` | `"greedy"` | or `"random"`: plays the side that is not asked |
    | `ties` | `"ask"` | ties that the players choose: `"auto"` takes the first |
    | `illegal` | `"noop"` | an illegal action changes nothing; `"raise"`, `"terminate"` |
    | `reward` | `"sparse"` | or `"shaped"` |
    | `gamma` | `0.99` | discount of the shaping |
    | `max_decisions` | `5000` | steps until an episode is truncated |
    | `scenario_seed` | `None` | of `"random"`: a number fixes the scenario; `"train"` (`None`), |
    | | | `"test"` or `[first, last]`: one of these seeds for each game |
    | `log` | `False` | `info["events"]`: what the step brought, in sentences |
    | `render_mode` | `None` | `"ansi"` or `"rgb_array"` |

    A Hero as a mapping: `{"hero": "orsa", "level": 3, "class": "Chainhand", "skills": [...],
    "items": [...], "wounds": 2, "injuries": [...], "conditions": [...], "inspiration": 1,
    "achievement": 4}`; all keys but `hero` may be left out.

    `side="hero"`: decisions of the Heroes and, as the rules have it, ties of the Enemies' cards;
    with `enemy_will="free"` the opponent decides for the Enemies. `"enemy"`: what the cards leave
    open, or free will; the opponent plays the Heroes, and a scenario that they lose is won. A game
    in which the Enemies are asked nothing is over at `reset`; its first step, whatever the action,
    ends the episode. `"both"`: all decisions, `info["side"]` says whose; rewards and `is_success`
    are the Heroes'.

    ## Version History
    - v0: first version.
    """

    # The version of api.play_lanes for the arrays of `_allot`, which are alike in every instance:
    # finding it takes 6 ms.
    _play: ClassVar[Callable[..., int] | None] = None

    # Gymnasium declares it for instances and reads it from the class.
    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        scenario: str = "ford",
        heroes: int | Sequence[HeroChoice] = 2,
        *,
        log: bool = False,
        render_mode: str | None = None,
        **choices: Unpack[ScenarioChoices],
    ) -> None:
        """Read and compile the scenario. Raises ValueError naming the wrong argument."""
        if render_mode not in (None, *self.metadata["render_modes"]):
            allowed = ", ".join(map(repr, (None, *self.metadata["render_modes"])))
            raise ValueError(f"render_mode={render_mode!r}: must be one of {allowed}")
        self.arguments = check_arguments(scenario, heroes, **choices)
        self.render_mode = render_mode
        self._log = bool(log)
        self._shelf = Shelf(self.arguments)
        self._scenario_seed = self._shelf.first()
        self.compiled: Compiled = self._shelf.take(self._scenario_seed)
        self.action_space = spaces.Discrete(N_ACTIONS)
        self.observation_space = spaces.Box(
            -OBSERVATION_BOUND, OBSERVATION_BOUND, (N_OBSERVATION,), np.float32
        )
        self._core_seed = 0
        self._clones = 0
        self._steps = 0
        self._disqualified = False
        self._potential = 0.0
        self._allot()

    def _allot(self) -> None:
        """Lay out the arrays that the core works on; what is read often gets a view of its own."""
        self._states = zeros(STATE, 1)
        self._raw = self._states.view(np.uint8).reshape(1, STATE.itemsize)
        self._lanes = zeros(LANE, 1)
        self._episode = self._plain_episode()
        self._which = np.zeros(1, np.int16)
        self._actions = np.zeros(1, np.int64)
        self._rows = fresh_rows() if self._log or self.render_mode else api.NO_ROWS
        self._masks = np.zeros((1, N_ACTIONS), np.uint8)
        self._observations = np.zeros((1, N_OBSERVATION), np.float32)
        self._other_arguments = (
            self._lanes,
            self._actions,
            self._episode,
            self._rows,
            self._masks,
            np.zeros((1, N_SEEN), np.int16),
            np.zeros((1, N_CODES), np.int8),
            self._observations,
            np.zeros((0, N_CODES), np.int8),
            np.zeros((0, N_OBSERVATION), np.float32),
        )
        self._sign = -1.0 if self.arguments.side == "enemy" else 1.0
        self._shaped = self.arguments.reward == "shaped"
        self._ending = np.asarray(self._states["ending"])
        self._won = np.asarray(self._states["won"])
        self._decision = np.asarray(self._states["decision"])
        self._asked = np.asarray(self._states["asked"])
        self._denial = np.asarray(self._lanes["denial"])
        self._mask_now: NDArray[np.uint8] = self._masks[0]
        self._observation_now: NDArray[np.float32] = self._observations[0]

    def _plain_episode(self) -> np.ndarray[Any, Any]:
        """What the core is told: rewards, limits and illegal actions are dealt with here."""
        episode = zeros(EPISODE)
        episode["seating"] = self.arguments.seating()
        episode["max_decisions"] = np.iinfo(np.int32).max
        episode["autoreset"] = Autoreset.DISABLED
        episode["shaped"] = self.arguments.reward == "shaped"
        return episode

    # ---- Gymnasium --------------------------------------------------------------------------
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Set the scenario up -> (observation, info).

        options: {"core_seed": n} begins the very game of that number, 0 to 2**63 - 1, as the rows
        of `simulate` name it. Raises ValueError for a seed that is negative or too large.
        """
        super().reset(seed=check_seed(seed))
        told = (options or {}).get(CORE_SEED)
        self._begin(draw_core_seed(self.np_random) if told is None else check_core_seed(told))
        return self._observe(), self._inform()

    def _begin(self, core_seed: int) -> None:
        """Start the game that `core_seed` fixes."""
        self._core_seed = core_seed
        self._clones = 0
        self._steps = 0
        self._disqualified = False
        self._scenario_seed = self._shelf.draw(core_seed)
        self.compiled = self._shelf.take(self._scenario_seed)
        self._set_up(core_seed)

    def _set_up(self, core_seed: int) -> None:
        """Set up the scenario compiled, with the chance that `core_seed` fixes."""
        clear(self._rows)
        self._lanes["next_seed"] = core_seed
        self._call(Call.BEGIN)
        self._potential = self._read_potential()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Answer what is asked -> (observation, reward, terminated, truncated, info).

        Raises ValueError if `action` is outside the action space, or illegal with
        `illegal="raise"`.
        """
        was_over = self._is_over() and self._steps > 0
        number = self._check_action(action)
        clear(self._rows)
        if not self._is_over():
            self._call(number)
        self._steps += 1
        denial = Denial.SCENARIO_ENDED if was_over else self._denial.item(0)
        if denial and self.arguments.illegal != "noop":
            self._refuse(denial)
        over = self._is_over()
        truncated = not over and self._steps >= self.arguments.max_decisions
        reward = self._reward(over and not was_over)
        info = self._inform()
        if denial:
            info["illegal_action"] = True
            info["denial"] = DENIAL_NAMES[denial]
        if over or truncated:
            info |= self._conclude()
        return self._observe(), reward, over, truncated, info

    def _call(self, action: int) -> None:
        """Play an action, or one of `Call`, and on to the next question."""
        self._actions[0] = action
        arguments = (self._states, self._raw, self.compiled.content, *self._other_arguments)
        if AgemoniaEnv._play is None:
            api.play_lanes(*arguments)
            AgemoniaEnv._play = direct(api.play_lanes, *arguments)
        else:
            AgemoniaEnv._play(*arguments)

    def _look(self) -> None:
        """Find out how the position stands that has been put there."""
        self._lanes["over"] = self._lanes["terminated"] = 0
        self._call(Call.STAY)

    def render(self) -> Any:
        """The board: text for `ansi`, uint8 (height, width, 3) for `rgb_array`, else None."""
        if self.render_mode == "ansi":
            return write_board(self._states[0], self.compiled, self.happened())
        if self.render_mode == "rgb_array":
            return draw_board(self._states[0], self.compiled, self.happened())
        return None

    def happened(self) -> list[str]:
        """What the last step brought, one sentence each; nothing without `log` or `render_mode`."""
        return story(self._rows, self._states[0], self.compiled)

    # ---- legality in words ------------------------------------------------------------------
    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (N_ACTIONS,); all of them when the scenario has ended."""
        return self._mask().view(np.bool_)

    def legal_actions(self) -> NDArray[np.int64]:
        """The legal actions, ascending, int64."""
        return np.flatnonzero(self._mask())

    def action_meaning(self, action: int) -> str:
        """What `action` means now, such as "attack Bog rat 2". ValueError outside the space."""
        return action_text(self._states[0], self.compiled, self._check_action(action))

    def question(self) -> str:
        """What is asked now, as a sentence."""
        return question_text(self._states[0], self.compiled)

    def explain(self, action: int) -> str:
        """Why `action` is illegal now, as a sentence, or "legal". ValueError outside the space."""
        denials = np.zeros(N_ACTIONS, np.int16)
        checked = self._check_action(action)
        api.write_denials(self._states, self.compiled.content, self._which, 0, denials)
        return DENIALS[Denial(int(denials[checked]))]

    # ---- planning ---------------------------------------------------------------------------
    def get_state(self) -> bytes:
        """The whole position, its luck included: the bytes of the state record and a trailer."""
        drawn = NOT_DRAWN if self._scenario_seed is None else self._scenario_seed
        return self._states.tobytes() + TRAILER.pack(
            self._core_seed,
            self._steps,
            self._disqualified,
            drawn,
            _short(self.compiled.fingerprint),
        )

    def set_state(self, position: bytes) -> None:
        """Go to a position of `get_state`, of any environment with the same scenario and Heroes.

        Raises ValueError if it is not one.
        """
        size = STATE.itemsize
        if not isinstance(position, bytes) or len(position) != size + TRAILER.size:
            raise ValueError(f"not a position: get_state() gives {size + TRAILER.size} bytes")
        core_seed, steps, disqualified, drawn, fingerprint = TRAILER.unpack(position[size:])
        compiled, scenario_seed = self.compiled, self._scenario_seed
        if scenario_seed is not None and drawn not in (NOT_DRAWN, scenario_seed):
            compiled, scenario_seed = self._shelf.take(drawn), drawn
        if fingerprint != _short(compiled.fingerprint):
            raise ValueError("the position is of another scenario, other Heroes or other rules")
        self.compiled, self._scenario_seed = compiled, scenario_seed
        self._core_seed, self._steps, self._disqualified = core_seed, steps, disqualified
        self._raw[0] = np.frombuffer(position, np.uint8, size)
        clear(self._rows)
        self._look()
        self._potential = self._read_potential()

    def clone(self, reseed: bool | int = True) -> AgemoniaEnv:
        """An independent environment at the same position.

        reseed: True gives it chance of its own, another one with each clone, and shuffles what
        is left in the decks, so that a planner cannot see what is coming; a whole number does so
        from that seed; False keeps this game's own luck. The game cloned is not touched.
        """
        copy = type(self).__new__(type(self))
        copy.__setstate__(self.__getstate__() | {"_np_random": None, "_np_random_seed": None})
        if reseed is False:
            return copy
        if reseed is True:
            self._clones += 1
            source = np.random.SeedSequence([self._core_seed, self._clones])
        else:
            source = np.random.SeedSequence(check_seed(reseed))
        copy._core_seed = int(source.generate_state(1, np.uint64)[0])
        copy._clones = 0
        api.set_chance(copy._states, 0, np.uint64(copy._core_seed))
        return copy

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs: all but the arrays of the core, and the position."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ARRAYS}
        return kept | {"_position": self._states.tobytes()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Build the arrays anew: a copied view would no longer look at the copied state."""
        position = kept.pop("_position")
        self.__dict__.update(kept)
        self._allot()
        self._raw[0] = np.frombuffer(position, np.uint8)
        self._look()

    # ---- inside -----------------------------------------------------------------------------
    def _is_over(self) -> bool:
        return self._disqualified or self._ending.item(0) != Ending.NONE

    def _check_action(self, action: Any) -> int:
        """`action` as int in [0, N_ACTIONS)."""
        number = whole_number(action)
        if number is None or not 0 <= number < N_ACTIONS:
            raise ValueError(f"action={action!r}: must be a whole number, 0 to {N_ACTIONS - 1}")
        return number

    def _refuse(self, denial: int) -> None:
        """An illegal action, with `illegal` at "raise" or "terminate"."""
        if self.arguments.illegal == "raise":
            self._steps -= 1
            action = int(self._actions[0])
            text = action_text(self._states[0], self.compiled, action)
            raise ValueError(f"action {action} ({text}) is illegal: {DENIALS[Denial(denial)]}")
        self._disqualified = True

    def _reward(self, just_ended: bool) -> float:
        """Of the step just made."""
        reward = self._score() if just_ended else 0.0
        if self._shaped:
            before, self._potential = self._potential, self._read_potential()
            reward += self._sign * (self.arguments.gamma * self._potential - before)
        return reward

    def _score(self) -> float:
        """What the end just reached is worth."""
        return 1.0 if self._is_success() else -1.0

    def _is_success(self) -> bool:
        """Whether the scenario has ended as the side played wants it."""
        if self._disqualified or self._ending.item(0) == Ending.NONE:
            return False
        return bool(self._won.item(0)) == (self._sign > 0)

    def _read_potential(self) -> float:
        """The potential of the position; 0 without shaping and at the end."""
        if not self._shaped or self._is_over():
            return 0.0
        potential: float = self._lanes["potential"].item(0)
        return potential

    def _observe(self) -> NDArray[np.float32]:
        """The observation in memory of its own, float32 (N_OBSERVATION,)."""
        return self._observation_now.copy()

    def _mask(self) -> NDArray[np.uint8]:
        """The mask in memory of its own, uint8 (N_ACTIONS,)."""
        if self._disqualified:
            return np.ones(N_ACTIONS, np.uint8)
        return self._mask_now.copy()

    def _inform(self) -> dict[str, Any]:
        decision = self._decision.item(0)
        info: dict[str, Any] = {
            "action_mask": self._mask().view(np.int8),
            "decision": DECISION_NAMES[decision],
            "side": side_asked(decision, self._asked.item(0)),
            "illegal_action": False,
            "ruleset": self.compiled.fingerprint,
        }
        if self._scenario_seed is not None:
            info["scenario_seed"] = self._scenario_seed
        if self._log:
            info["events"] = self.happened()
        return info

    def _conclude(self) -> dict[str, Any]:
        """What `info` tells beside that when the episode has ended."""
        return {
            "is_success": self._is_success(),
            "episode_statistics": episode_statistics(self._states[0]),
        }


def _short(fingerprint: str) -> bytes:
    """16 bytes that tell rulesets apart."""
    return fingerprint.encode()[:16].ljust(16)


ARRAYS = frozenset(
    {
        "_states",
        "_raw",
        "_lanes",
        "_episode",
        "_which",
        "_actions",
        "_rows",
        "_masks",
        "_observations",
        "_other_arguments",
        "_mask_now",
        "_observation_now",
        "_asked",
        "_denial",
        "_sign",
        "_shaped",
        "_ending",
        "_won",
        "_decision",
    }
)
