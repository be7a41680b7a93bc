"""`HexDungeon-v0`: one game as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from agemonia_env.envs.single import RulesetEnv

from ..arguments import Choices, HexDungeonArguments
from ..content import Compiled
from ..content.party import HeroChoice
from ..ruleset import HEXDUNGEON


class HexDungeonEnv(RulesetEnv):
    """One scenario of HexDungeon, with one player for the whole party.

    ## Description
    One to four characters on a board of hexes, each with a hand of ability cards that is also
    their stamina: every round they play two cards, the top of one and the bottom of the other, and
    every rest loses one. Monsters act by their own cards; rules say whom they focus on, where they
    go and whom they hit. A deck of modifier cards changes every
    attack. Rooms lie behind closed doors; the scenario says what wins.

    The game is a sequence of small decisions: which cards, which half first, each step of a move,
    where a template lies, each target, whether an effect is applied, where somebody is pushed,
    whether a card is lost in place of damage, when to rest. Forced decisions are played at once.

    ## Action Space
    `Discrete(N_ACTIONS)`, one flat list of named blocks; `action_meaning(i)` says what an action
    means now; the page of actions lists every block and every question.

    | block | names | answers |
    |---|---|---|
    | no, yes, done | - | offers; the end of a turn, a move, an attack |
    | rest | a long rest | the cards of the round |
    | card | an ability card of the character asked | cards chosen, lost, taken back |
    | half | top, bottom, Attack 2 or Move 2, of either card | a character's turn |
    | figure | characters, summons, monsters | targets, recipients, ties |
    | direction | one of six | steps, pushes and pulls, where a summon comes |
    | orientation, cell | of a template (the shape of an attack, G5.1), and its red hex | where it |
    | | | lies |
    | hex | of the board | where a monster ends |
    | active | a card in an active area (G11.1) | its move to its pile, at any time |

    Legal actions: `info["action_mask"]` (int8), `action_masks()` (bool), `legal_actions()`, and
    the wrapper `MaskInObservation` puts them into the observation. `explain(action)` says why
    an action is illegal. `step` takes any action; see `illegal`.

    ## Observation Space
    `Box(-100, 100, (N_OBSERVATION,), float32)`, scaled to about [-1, 1]: everything open on
    the table, and the question. The page of the layout names every value. Hidden information, such
    as the order of decks, monsters behind doors and the random streams, is not in it.

    ## Rewards
    `sparse`: +1 for a scenario won, -1 for one lost, 0 before. `shaped` adds
    `gamma * potential(after) - potential(before)`, the potential of an ended scenario being 0:
    this changes the speed of learning, never the best policy. The potential is made of the
    characters' hit points, the share of the goal achieved, the way to its next part, and the
    monsters' hit points.

    ## Starting State
    The scenario as set up, the decks shuffled, the first decision asked. `reset(seed=)` fixes all
    randomness; without a seed the next game of the same sequence begins, and with
    `options={"core_seed": n}` the game of that number. With `scenario="random"` map,
    monsters and goal are also drawn, separately for each game (see `scenario_seed`); the
    options `scenario_seed` and `generator` choose them for one game.

    ## Episode End
    Terminated when the scenario ends, or by an illegal action with `illegal="terminate"` (-1).
    Truncated after `max_decisions` steps.

    ## Information
    The same entries after every reset and step, each of one shape and type: `action_mask` (int8,
    all ones when the scenario has ended), `decision` (name of the question), `side` (always
    `"hero"`), `illegal_action` (bool), `denial` (name of the reason, `"none"` of a legal action),
    `ruleset` (fingerprint: a hash of rules and content), `is_success` (bool, False before the end),
    `episode_statistics` (so far): win, ending (`"none"` before the end), rounds, exhausted_heroes
    (G14.5), damage_dealt, damage_taken, decisions; `scenario_seed` if scenarios are drawn; on
    request `action_features` (float32, a row for each action, zeros for illegal ones, see `ACTION`
    in the layout) and `events` (one text, a line for each event).

    ## Arguments
    | name | default | meaning |
    |---|---|---|
    | `scenario` | `"warm-cellar"` | a scenario of the pack, or `"random"`: drawn from a seed |
    | `heroes` | `2` | how many characters, 1 to 4, or a list of class names |
    | `pack` | `"hex-core"` | name or folder of the pack, the files with the game's content |
    | `level` | `1` | of the scenario, 0 to 3: monsters, traps and hazardous terrain |
    | `ties` | `"ask"` | ties of the monsters that players choose: `"auto"` takes the first |
    | `illegal` | `"noop"` | an illegal action changes nothing; `"raise"`, `"terminate"` |
    | `reward` | `"sparse"` | or `"shaped"` |
    | `gamma` | `0.99` | discount of the shaping |
    | `max_decisions` | `5000` | steps until an episode is truncated |
    | `scenario_seed` | `None` | of `"random"`: a number fixes the scenario; `"train"` (`None`), |
    | | | `"test"` or `[first, last]`: one of these seeds for each game |
    | `generator` | `None` | of `"random"`: `"varied"`, or a mapping of knobs (drawn-scenarios.md) |
    | `side` | `"hero"` | monsters have no choices of their own |
    | `action_features` | `False` | `info["action_features"]`: what each legal action is and does |
    | `observation` | `"full"` | `"fitted"`: only the numbers that can change in these games |
    | | | (vector-env.md) |
    | `log` | `False` | `info["events"]`: the events of the step, a sentence a line |
    | `render_mode` | `None` | `"ansi"`, `"rgb_array"` or `"svg"` |

    ## Version History
    - v0: first version.
    """

    ruleset = HEXDUNGEON
    arguments: HexDungeonArguments
    compiled: Compiled

    def __init__(
        self,
        scenario: str = "warm-cellar",
        heroes: int | Sequence[HeroChoice] = 2,
        *,
        log: bool = False,
        render_mode: str | None = None,
        **choices: Unpack[Choices],
    ) -> None:
        """Read and compile the scenario. Raises ValueError naming the wrong argument."""
        super().__init__(scenario, heroes, log=log, render_mode=render_mode, **choices)
