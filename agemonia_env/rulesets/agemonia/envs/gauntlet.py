"""`AgemoniaGauntlet-v0`: several scenarios in a row, played by one party."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.display.messages import one_of
from agemonia_env.envs.guard import OneThread
from agemonia_env.envs.positions import read, write
from agemonia_env.envs.scenario_cache import DRAWN_BY_SEED, Choice
from agemonia_env.packs.folders import path_text
from agemonia_env.rulesets.arguments import check_choices, check_names, check_party
from agemonia_env.rulesets.fits import Fit
from agemonia_env.rulesets.ruleset import OUTCOME

from ..arguments import PARTY, Choices
from ..content import schema
from ..content.compile import Compiled
from ..content.journey import Traveller, at_level, gather, go_on
from ..content.load import load_pack
from ..content.pack import Pack
from ..content.party import HeroChoice, read_member
from .single import AgemoniaEnv

STAGE = 0x57A6E  # separates the randomness of later stages from all other uses of the seed
SUMS = ("rounds", "exhausted_heroes", "damage_dealt", "damage_taken", "decisions")


class AgemoniaGauntletEnv(AgemoniaEnv):
    """The stages of a gauntlet in one episode, with the same party throughout.

    ## Description
    A gauntlet is several scenarios in a row, its stages. Each is played as in `AgemoniaEnv`: same
    actions, same observations. Losing a stage ends the episode; after a win the same heroes go on
    to the next.

    What they take along (R4.7, R19.12):

    | what | before the next stage |
    |---|---|
    | items, Injury cards, gems | stay, except items that either stage has to collect |
    | stamina spent or locked | is restored |
    | damage, conditions | gone if the pack has the stage begin with a `rest`, else they stay |
    | a badly hurt hero | has at least as many blue chips as the red side of its disk (R13.4) |
    | an exhausted hero | is back, with just so many and no conditions, or healed by a rest |
    | level | that of the next stage: chips, action tokens, skills and the gem of level 4 |

    ## Rewards
    `sparse`: 1 / number of stages for each stage won, so the return is the share of
    stages won; nothing for a loss. `shaped` adds the same shaping as in `AgemoniaEnv`,
    divided by the number of stages.

    ## Starting State
    The first stage, the same game that `AgemoniaEnv` plays with this seed. The seed also fixes the
    randomness of the later stages.

    ## Episode End
    Terminated when a stage is lost or the last one is won; truncated after `max_decisions` steps,
    all stages together.

    ## Information
    As `AgemoniaEnv`, and `stage` (the one being played, from 1), `stages` and `stage_statistics`:
    those of the stage so far, on the step that ends a stage those of that one, whose `ending` is
    then not `"none"`. `is_success` is True once all stages are won; `episode_statistics` has the
    sums of all stages, and `stages_won`.

    ## Arguments
    Those of `AgemoniaEnv`, except these.

    | name | default | meaning |
    |---|---|---|
    | `gauntlet` | `"first-watch"` | a gauntlet of the pack, in place of `scenario` |
    | `heroes` | `2` | how many of those recommended for the first stage, or which |
    | `max_decisions` | `20000` | steps until an episode is truncated |

    There is no `level`, which the stages set, and no `side`: the agent plays the heroes. A hero as
    a mapping may name its `class`, which counts from level 2 on, and `skills`, learned in this
    order; all other keys are its initial state.

    ## Version History
    - v0: first version.
    """

    def __init__(
        self,
        gauntlet: str = "first-watch",
        heroes: int | Sequence[HeroChoice] = 2,
        *,
        pack: str | Path = "core",
        max_decisions: int = 20_000,
        log: bool = False,
        render_mode: str | None = None,
        **choices: Unpack[Choices],
    ) -> None:
        """Read the gauntlet, compile its first stage. ValueError names the wrong argument."""
        pack = path_text(pack)
        check_names(pack=pack)
        check_choices(choices, type(self), Choices.__annotations__)
        loaded = load_pack(pack)
        self.gauntlet = _named(loaded, gauntlet)
        self._gathered = gather(loaded, self.gauntlet, check_party(heroes, read_member, PARTY))
        self._stage = 0
        self._party = self._gathered
        self._behind: dict[str, int] = {}  # sums over the stages won
        self._closing: list[str] = []  # how the stage ended that the last step won
        self._one_thread = OneThread()  # from one stage to the next, too
        first = self.gauntlet.stages[0]
        super().__init__(
            scenario=first.scenario,
            heroes=at_level(loaded, self._gathered, first.level),
            pack=pack,
            level=first.level,
            max_decisions=max_decisions,
            scenario_seed=None,
            side="hero",
            log=log,
            render_mode=render_mode,
            **choices,
        )
        self._origin = self._fingerprint()

    @property
    def stages(self) -> int:
        """How many stages there are."""
        return len(self.gauntlet.stages)

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """As AgemoniaEnv.step; after a win the observation is of the next stage."""
        with self._one_thread():
            return self._step(action)

    def _step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        self._closing = []
        observation, reward, terminated, truncated, info = super().step(action)
        slot, won = self._slots[0], None
        while self._stage + 1 < self.stages and slot["success"]:
            steps = int(slot["steps"])
            won = self._enter_next_stage()
            slot["steps"] = steps
            reward += self._opening()
        if won is None:
            return observation, reward, terminated, truncated, info
        terminated = bool(slot["terminated"])
        truncated = not terminated and slot["steps"] >= self.arguments.max_decisions
        info = self._info()
        if not terminated:
            info["stage_statistics"] = won
        return self._observe(), reward, terminated, truncated, info

    def _opening(self) -> float:
        """The shaping that a new stage adds to the reward of the step that won the last one."""
        slot = self._slots[0]
        if self._states["ending"][0] == GOING_ON:
            return float(self.arguments.gamma * slot["potential"])
        # Over before any question
        self._observe_position(steps=int(slot["steps"]), disqualified=False)
        return float(self._arrays.episode["won" if slot["success"] else "lost"][0])

    @classmethod
    def from_review(cls, *file: Any, **choices: Any) -> Self:
        """Raise ValueError: a review has one scenario."""
        raise ValueError("a review has one scenario, not a gauntlet: use AgemoniaEnv.from_review")

    def happened(self) -> list[str]:
        """As AgemoniaEnv.happened; after a win, the end of the stage and the start of the next."""
        return self._closing + super().happened()

    def _enter_next_stage(self) -> dict[str, Any]:
        """Take the party to the next stage and set it up -> statistics of the one just won."""
        state, names = self._states[0], self.compiled.names
        statistics = self._stage_statistics()
        self._closing = self.happened()
        before, after = self.gauntlet.stages[self._stage : self._stage + 2]
        pack = load_pack(self.arguments.pack)
        party = go_on(pack, self._party, state, names, before, after)
        compiled = self._compile(self._stage + 1, party)
        self._behind = {key: self._behind.get(key, 0) + statistics[key] for key in SUMS}
        self._stage, self._party = self._stage + 1, party
        source = np.random.SeedSequence([STAGE, self._core_seed, self._stage])
        self._set_up(compiled, int(source.generate_state(1, np.uint64)[0]))
        return statistics

    def _compile(self, stage: int, party: list[Traveller]) -> Compiled:
        """A stage, for the party before it."""
        card = self.gauntlet.stages[stage]
        heroes = at_level(load_pack(self.arguments.pack), party, card.level)
        compiled: Compiled = replace(
            self.arguments, scenario=card.scenario, heroes=tuple(heroes), level=card.level
        ).compile()
        return compiled

    def _begin(self, core_seed: int, choice: Choice = DRAWN_BY_SEED) -> None:
        """Start the gauntlet that `core_seed` fixes."""
        self._stage, self._party, self._behind, self._closing = 0, self._gathered, {}, []
        super()._begin(core_seed, choice)

    def _new_fit(self) -> Fit | None:
        """As AgemoniaEnv's, but of all columns: games decide what the party takes along."""
        fit = super()._new_fit()
        return fit and replace(fit, columns=np.arange(self.ruleset.N_OBSERVATION))

    def _new_episode(self) -> NDArray[Any]:
        """As AgemoniaEnv's, with a share of the reward for each stage, and none for a loss."""
        episode = super()._new_episode()
        episode["won"] = episode["weight"] = 1.0 / self.stages
        episode["lost"] = 0.0
        return episode

    def _stage_statistics(self) -> dict[str, Any]:
        """The statistics of the stage so far."""
        outcome = self._states[OUTCOME].item(0)
        return self.ruleset.episode_statistics(outcome) | {"stage": self._stage + 1}

    def _info(self) -> dict[str, Any]:
        """As AgemoniaEnv's, of all stages together, and about the stage."""
        statistics = self._stage_statistics()
        sums = {key: self._behind.get(key, 0) + statistics[key] for key in SUMS}
        won = self._stage + self._success.item(0)
        success = won == self.stages
        return super()._info() | {
            "stage": self._stage + 1,
            "stages": self.stages,
            "is_success": success,
            "stage_statistics": statistics,
            "episode_statistics": statistics | sums | {"win": success, "stages_won": won},
        }

    # ---- planning ---------------------------------------------------------------------------
    def _saved(self) -> bytes:
        """The position within the stage, as AgemoniaEnv._saved, and the history of the party."""
        history = json.dumps([self._stage, self._party, self._behind]).encode()
        trailer = self._trailer()._replace(fingerprint=self._origin)
        return write(self.ruleset, self._states, trailer, history)

    def set_state(self, position: bytes) -> None:
        """Go to a position of `get_state`, of any environment with the same gauntlet and Heroes.

        Trusted as AgemoniaEnv.set_state says. Raises ValueError if it is not one.
        """
        trailer, history = read(self.ruleset, position)
        if trailer.fingerprint != self._origin:
            raise ValueError("the position is of another gauntlet, other Heroes or other rules")
        stage, party, behind = json.loads(history)
        with self._one_thread(), self._guard():
            same = (stage, party) == (self._stage, self._party)
            compiled = self.compiled if same else self._compile(stage, party)
            self._go_to(position, trailer, compiled)
            self._stage, self._party, self._behind, self._closing = stage, party, behind, []

    def _fingerprint(self) -> str:
        """16 hex digits of the stages and of the initial party."""
        stages = [stage.model_dump() for stage in self.gauntlet.stages]
        identity = json.dumps([stages, self._gathered, self.compiled.fingerprint])
        return hashlib.sha256(identity.encode()).hexdigest()[:16]


def _named(pack: Pack, name: str) -> schema.Gauntlet:
    """A gauntlet of the pack. ValueError lists the known ones."""
    if not isinstance(name, str) or name not in pack.gauntlets:
        raise ValueError(one_of("gauntlet", name, sorted(pack.gauntlets)))
    return pack.gauntlets[name]
