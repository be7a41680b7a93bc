"""`Agemonia-v0`: one game as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from agemonia_env.envs.single import RulesetEnv

from ..arguments import AgemoniaArguments, ScenarioChoices
from ..content.compile import Compiled
from ..content.party import HeroChoice
from ..ruleset import AGEMONIA


class AgemoniaEnv(RulesetEnv):
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
    means now, actions.py where each block begins.

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
    table, as seen by whoever is asked, and what is asked. `OBS` in obs_spec.py names
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
    | `enemy_will` | `None` | `"card"`, or `"free"`: Enemies choose among all legal destinations |
    | | | and targets; `None` is `"free"` with `side="enemy"` or `"both"`, else `"card"` |
    | `side` | `"hero"` | whose decisions are asked: `"enemy"`, `"both"` (see below) |
    | `opponent` | `"greedy"` | plays the side that is not asked: `"random"`, `"planner:50"`, a |
    | | | trained model's file (`"model.npz"`), or a `Policy` |
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
    "achievement": 4, "without": [...]}`; all keys but `hero` may be left out. `without` names
    actions that the Hero is not to have, to see what they are worth.

    `side="hero"`: decisions of the Heroes and, as the rules have it, ties of the Enemies' cards;
    with `enemy_will="free"` the opponent decides for the Enemies. `"enemy"`: where Enemies go and
    whom they attack, or, with `enemy_will="card"`, the nine ties that the cards leave open in a
    game; the opponent plays the Heroes, and a scenario that they lose is won. A game
    in which the Enemies are asked nothing is over at `reset`; its first step, whatever the action,
    ends the episode. `"both"`: all decisions, `info["side"]` says whose; rewards and `is_success`
    are the Heroes'.

    The opponents `"greedy"` and `"random"` play within the compiled step. All others are asked in
    between, in all games of a vector env at once; what they answer is part of the step as well.
    They answer to `ties` as everybody else: with `"auto"` nobody is asked.

    ## Version History
    - v0: first version.
    """

    ruleset = AGEMONIA
    arguments: AgemoniaArguments
    compiled: Compiled

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
        super().__init__(scenario, heroes, log=log, render_mode=render_mode, **choices)
