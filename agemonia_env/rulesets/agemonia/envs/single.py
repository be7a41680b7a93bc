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
    """One scenario of Agemonia, with one player for the whole party.

    ## Description
    One to four heroes against enemies that are driven by cards. A handful of stamina chips is each
    hero's strength and life at once. The map consists of areas with limited room, at heights that
    block sight. Each round every hero picks an action, an Initiative card sets who acts when and
    how fierce the enemies are, and dice decide the rest. The scenario says how to win: defeat them
    all, hold out, get there in time.

    The game is a sequence of small decisions: which action, which maneuver (a move or a recovery
    beside the action), each step of a move, the target, how much stamina to pay on a die. Forced
    decisions are played at once. Numbers such as R6.4 are rules of the rulebook.

    ## Action Space
    `Discrete(N_ACTIONS)`, one flat list of named blocks; `action_meaning(i)` says what an action
    means now; the page of actions lists every block and every question.

    | block | names | answers |
    |---|---|---|
    | no, yes, done | - | offers; the end of a move or of a choice of targets |
    | turn | what to do next | a hero's own turn |
    | token | an action of the hero asked | the action of the round |
    | area, climb | an area | steps, areas of an attack, ties |
    | enemy, ally | a figure | targets, order, who takes a hit for another, ties |
    | amount | 0 to 15 | stamina paid, damage avoided (R8.9) or shared out (R9.29) |
    | lock, type, ability, attack type, condition | each its own | the rest |

    Legal actions: `info["action_mask"]` (int8), `action_masks()` (bool), `legal_actions()`, and
    the wrapper `MaskInObservation` puts them into the observation. `explain(action)` says why
    an action is illegal. `step` takes any action; see `illegal`.

    ## Observation Space
    `Box(-100, 100, (N_OBSERVATION,), float32)`, scaled to about [-1, 1]: everything open on
    the table, and the question to the acting side. The page of the layout names every value. Hidden
    information, such as the order of decks and the random streams, is not in it.

    ## Rewards
    `sparse`: +1 for a scenario won, -1 for one lost, 0 before. `shaped` adds
    `gamma * potential(after) - potential(before)`, the potential of an ended scenario being 0:
    this changes the speed of learning, never the best policy. The potential is made of the heroes'
    health, the share of the objective achieved, the way to its next part, and the enemies' health.
    With `side="enemy"` the signs are reversed.

    ## Starting State
    The scenario as set up, the decks shuffled, the first decision asked. `reset(seed=)` fixes all
    randomness; without a seed the next game of the same sequence begins, and with
    `options={"core_seed": n}` the game of that number. With `scenario="random"` map,
    enemies and objective are also drawn, separately for each game (see `scenario_seed`); the
    options `scenario_seed` and `generator` choose them for one game.

    ## Episode End
    Terminated when the scenario ends, or by an illegal action with `illegal="terminate"` (-1).
    Truncated after `max_decisions` steps.

    ## Information
    The same entries after every reset and step, each of one shape and type: `action_mask` (int8,
    all ones when the scenario has ended), `decision` (name of the question), `side` (whose it is:
    `"hero"`, `"enemy"`), `illegal_action` (bool), `denial` (name of the reason, `"none"` of a legal
    action), `ruleset` (fingerprint: a hash of rules and content), `is_success` (bool, False before
    the end), `episode_statistics` (so far): win, ending (`"none"` before the end), rounds,
    exhausted_heroes (out of action, R13.8), damage_dealt, damage_taken, decisions; `scenario_seed`
    if scenarios are drawn; on request `action_features` (float32, a row for each action, zeros for
    illegal ones, see `ACTION` in the layout) and `events` (one text, a line for each event).

    ## Arguments
    | name | default | meaning |
    |---|---|---|
    | `scenario` | `"ford"` | a scenario of the pack, or `"random"`: drawn from a seed |
    | `heroes` | `2` | how many, 1 to 4, or a list of names or of mappings (see below) |
    | `pack` | `"core"` | name or folder of the pack, the files with the game's content |
    | `level` | `None` | level of the heroes, 1 to 5; `None` is that of the scenario |
    | `difficulty` | `"normal"` | or `"easy"`, `"hard"`, `"brutal"` |
    | `enemy_will` | `None` | `"card"`, or `"free"`: a policy chooses among all legal destinations |
    | | | and targets of the enemies; `None` is `"free"` with `side="enemy"` or `"both"`, |
    | | | else `"card"` |
    | `side` | `"hero"` | whose decisions are asked: `"enemy"`, `"both"` (see below) |
    | `opponent` | `"greedy"` | plays the other side: `"random"`, `"planner:50"`, a |
    | | | trained model's file (`"model.npz"`), or a `Policy` |
    | `ties` | `"ask"` | choices among enemies, areas or targets that cards leave to the |
    | | | players are decisions; `"auto"` takes the first |
    | `illegal` | `"noop"` | an illegal action changes nothing; `"raise"`, `"terminate"` |
    | `reward` | `"sparse"` | or `"shaped"` |
    | `gamma` | `0.99` | discount of the shaping |
    | `max_decisions` | `5000` | steps until an episode is truncated |
    | `scenario_seed` | `None` | of `"random"`: a number fixes the scenario; `"train"` (`None`), |
    | | | `"test"` or `[first, last]`: one of these seeds for each game |
    | `generator` | `None` | of `"random"`: `"varied"`, or a mapping of knobs (drawn-scenarios.md) |
    | `action_features` | `False` | `info["action_features"]`: what each legal action is and does |
    | `observation` | `"full"` | `"fitted"`: only the numbers that can change in these games |
    | | | (vector-env.md) |
    | `log` | `False` | `info["events"]`: the events of the step, a sentence a line |
    | `render_mode` | `None` | `"ansi"`, `"rgb_array"` or `"svg"` |

    A hero as a mapping: `{"hero": "orsa", "level": 3, "class": "Chainhand", "skills": [...],
    "items": [...], "wounds": 2, "injuries": [...], "conditions": [...], "inspiration": 1,
    "achievement": 4, "without": [...]}`; all keys except `hero` are optional. Classes and
    skills are those of R20.3; `wounds` are red chips (R2.4), `injuries` Injury cards (R13.14),
    `conditions` names of R12.1 to R12.10, `inspiration` and `achievement` gems (R16.1, R16.4).
    `without` removes actions of the hero, to measure their value.

    `side="hero"`: the agent takes the decisions of the heroes and, by the rules, ties of the
    enemies' cards; with `enemy_will="free"` the opponent decides for the enemies. `"enemy"`: it
    decides where enemies go and whom they attack, or, with `enemy_will="card"`, about nine ties per
    game that the cards leave open; the opponent plays the heroes, and the agent wins if they lose.
    A game without a decision of the enemies is over at `reset`; its first step, with any action,
    ends the episode. `"both"`: it takes all decisions, and `info["side"]` says whose; rewards and
    `is_success` are the heroes'.

    The opponents `"greedy"` (scripted play) and `"random"` play within the compiled step. Others
    are asked in between, for all games of a vector env at once, as part of the same step. With
    `ties="auto"` they are not asked about ties either.

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
