"""The observation: what lies open on the table, each number once, scaled to about [-1, 1].

Of whole numbers, int8, that are divided by a scale. A block is written anew only when the records
behind it have changed; the head, up to `ground`, at every step.
"""

from enum import IntEnum

import numpy as np

from agemonia_env.core.obs_encoding import F32, over, scales_of, typed

from .hexset import MOST_HEXES
from .layout import (
    N_ACTIVE,
    N_DECKS,
    N_ELEMENTS,
    N_FIGURES,
    N_HAND,
    N_HEROES,
    N_KINDS,
    N_MONSTER_CARDS,
    N_ROOMS,
    N_TRAPS,
    N_TYPES,
)
from .terms import N_DECISIONS, Effect, Goal, Mode, Op, Phase, Source

# Scales of hit points, rounds and damage, small numbers, hexes of a column or a row, initiatives,
# cards of a modifier deck
HEALTH, POINTS, SMALL, AWAY, FIRST, CARDS = 20, 10, 4, 16, 99, 20
N_CONDITIONS = 8  # poison to strengthen
REACHES = 4  # distances at which retaliate is told


class Ground(IntEnum):
    """Bits of what a hex is, the harder to pass the larger; 0 = open floor."""

    DIFFICULT = 1
    HAZARD = 2
    TRAP = 4
    OBSTACLE = 8
    DOOR = 16  # closed
    WALL = 32  # or outside the board


class Mark(IntEnum):
    """Bits of what else there is to a hex."""

    LINED = 1  # times 1, 2, 4: a wall line on its edge in direction 0, 1, 2
    EXIT = 8
    LOOT = 16
    OPTION = 32  # the present tie may end there


PART = np.dtype(
    [  # a figure's part in what is going on, 0/1
        ("turn", F32),  # in its own turn
        ("subject", F32),  # the question is about it
        ("target", F32),  # of the attack, push or pull going on
        ("waiting", F32),  # still to be attacked, or to be reached by the line going on
        ("done", F32),  # attacked by the ability going on
        ("option", F32),  # among those of a tie
    ]
)

PILE = np.dtype(
    [  # a modifier deck; the order of its draw pile is hidden
        ("minus_two", over(SMALL)),  # cards in the draw pile: -2 or worse
        ("minus_one", over(SMALL)),
        ("zero", over(SMALL)),
        ("plus_one", over(SMALL)),
        ("plus_two", over(SMALL)),  # or better
        ("double", over(SMALL)),  # that are no bless
        ("null", over(SMALL)),  # that are no curse
        ("bless", over(SMALL)),
        ("curse", over(SMALL)),
        ("rolling", over(SMALL)),
        ("effects", over(SMALL)),  # with any effect
        ("discards", over(CARDS)),
        ("shuffle", F32),  # 0/1: at the end of the round
    ]
)

KIND_IN_PLAY = np.dtype(
    [  # a monster type
        ("card", over(N_MONSTER_CARDS)),  # turned this round: its number + 1
        ("initiative", over(FIRST)),  # of that card
        ("shuffle", F32),  # 0/1: at the end of the round
        ("to_come", F32, (N_MONSTER_CARDS,)),  # 0/1: still in the draw pile
    ]
)

ACTIVE_CARD = np.dtype(
    [  # a card in an active area
        ("owner", over(N_HEROES)),  # slot of the character + 1
        ("card", over(N_HAND)),  # its number + 1
        ("bonus", over(POINTS)),  # of the pack, + 1; 0 = it keeps a summon alone
        ("token", over(SMALL)),  # space of the token; 0 = not tracked
        ("loss", F32),  # 0/1: it counts as lost
        ("summon", over(N_FIGURES)),  # slot of the figure it keeps in play + 1
    ]
)

HAND = np.dtype(
    [  # what a character has beside its figure
        ("hero_class", over(SMALL)),  # of the pack, + 1; 0 = nobody is in the slot
        ("exhausted", F32),  # 0/1
        ("xp", over(POINTS)),
        ("loot", over(SMALL)),  # tokens taken
        ("second_initiative", over(FIRST)),
        ("lead", over(N_HAND)),  # card chosen for the round + 1
        ("second", over(N_HAND)),  # likewise
        ("resting", F32),  # 0/1: a long rest
        ("used", F32, (8,)),  # 0/1: by 4 * card of the turn + terms.Half
        ("place", F32, (4, N_HAND)),  # 0/1: ability cards in hand, discarded, lost, active
    ]
)

BODY = np.dtype(
    [  # a figure on the board
        ("kind", over(N_KINDS)),  # of the content + 1; 0 = a character
        ("elite", F32),  # 0/1
        ("flying", F32),  # 0/1
        ("fresh", F32),  # 0/1: it came in this round
        ("acted", F32),  # 0/1: in this round
        ("hp", over(HEALTH)),
        ("max_hp", over(HEALTH)),
        ("column", over(AWAY)),  # of its hex
        ("row", over(AWAY)),
        ("initiative", over(FIRST)),  # this round; 0 = not known yet
        ("standee", over(POINTS)),  # number of a monster
        ("move", over(SMALL)),  # of its stat card, likewise the next two
        ("attack", over(SMALL)),
        ("range", over(SMALL)),
        ("shield", over(SMALL)),  # standing, without cards in the active area
        ("round_shield", over(SMALL)),  # until the end of the round
        ("retaliate", over(SMALL), (REACHES,)),  # against attackers 1, 2, 3 and 4 hexes away
        ("round_retaliate", over(SMALL)),  # the part of it, at 1, that ends with the round
        ("condition", over(2), (N_CONDITIONS,)),  # turn ends left; poison, wound: 1 = held
    ]
)

OBS = np.dtype(
    [
        # the question, and the round
        ("decision", F32, (N_DECISIONS,)),  # what is asked, one-hot
        ("asked", F32, (N_HEROES,)),  # whose player decides, one-hot; none = all together
        ("about", over(N_FIGURES)),  # figure, card or effect that the question is about, + 1
        ("phase", F32, (len(Phase),)),  # one-hot
        ("round", over(POINTS)),
        ("rounds_left", over(POINTS)),  # until the scenario is lost
        ("goal", F32, (len(Goal),)),  # one-hot
        ("goal_left", over(POINTS)),  # rounds, or loot tokens, still to come
        ("room", F32, (N_ROOMS,)),  # 0/1: open
        ("element", over(2), (N_ELEMENTS,)),  # terms.Element
        ("bless", over(POINTS)),  # supplies
        ("curse_monster", over(POINTS)),
        ("curse_hero", over(POINTS)),
        # what is going on
        ("half", F32, (8,)),  # of the turn: 4 * card + terms.Half, one-hot
        ("line", over(SMALL)),  # of a half or a monster's card: its place
        ("op", F32, (len(Op),)),  # of that line, one-hot
        ("row", over(AWAY), (2,)),  # its number in the pack: sixteens and the rest
        ("amount", over(SMALL)),  # of the line
        ("used_line", F32),  # 0/1: something was done of the half
        ("lost_card", over(N_HAND)),  # of a short rest, + 1
        ("move_points", over(SMALL)),  # left
        ("move_mode", F32, (len(Mode),)),  # one-hot
        ("force_left", over(SMALL)),  # hexes; below 0 = of a pull
        ("force_begun", F32),  # 0/1
        ("harm", over(POINTS)),  # damage of the source that is dealt with
        ("harm_source", F32, (len(Source),)),  # one-hot
        ("harm_first", over(N_HAND)),  # the first of two discards lost to it, + 1
        # the attack ability going on, all 0 without
        ("strike_value", over(POINTS)),  # printed
        ("strike_range", over(SMALL)),  # 0 = melee
        ("strike_left", over(SMALL)),  # targets that may still be chosen
        ("strike_added", over(SMALL)),  # added targets, likewise
        ("strike_pierce", over(SMALL)),
        ("strike_bonus", over(SMALL)),
        ("strike_doublings", over(SMALL)),
        ("strike_odds", over(SMALL)),  # instances of advantage less those of disadvantage
        ("strike_template", over(N_KINDS)),  # of the pack, + 1; 0 = none
        ("strike_orientation", over(12)),  # chosen, + 1
        ("strike_placed", F32),  # 0/1: the template is
        ("strike_on_added", F32),  # 0/1: the present target is an added one
        ("strike_null", F32),  # 0/1: a null applies
        ("strike_drawn", over(POINTS)),  # value after the cards
        ("strike_damage", over(POINTS)),  # after Shield
        ("strike_cursor", over(CARDS)),  # effect that is dealt with
        ("strike_effect", over(SMALL), (len(Effect),)),  # of the ability: amount, or 1
        ("strike_drawn_effect", over(SMALL), (len(Effect),)),  # of the cards that apply
        ("strike_condition", F32, (N_CONDITIONS,)),  # 0/1: of active cards
        ("part", PART, (N_FIGURES,)),
        # written anew only if what is behind them has changed
        ("ground", over(AWAY), (MOST_HEXES,)),  # bits of sheet.Ground
        ("mark", over(AWAY), (MOST_HEXES,)),  # bits of sheet.Mark
        ("trap", over(POINTS), (N_TRAPS,)),  # damage of the traps not yet sprung, in their order
        ("trap_conditions", over(AWAY), (N_TRAPS,)),  # their conditions: bits, poison = 1
        ("active", ACTIVE_CARD, (N_ACTIVE,)),
        ("type", KIND_IN_PLAY, (N_TYPES,)),
        ("pile", PILE, (N_DECKS,)),  # that of the monsters, and one for each character
        ("hand", HAND, (N_HEROES,)),
        ("body", BODY, (N_FIGURES,)),
    ]
)

SCALES = np.array(scales_of(OBS), F32)  # float32 (N_OBSERVATION,): observation = codes / SCALES
OBS = typed(OBS, F32)  # metadata of a dtype makes np.save complain
N_OBSERVATION = len(SCALES)
CODES = typed(OBS, np.int8)  # the whole numbers behind it, as the core writes them
N_CODES = -(-N_OBSERVATION // 8) * 8  # bytes of a row of codes: whole words
N_HEAD = CODES.fields["ground"][1]  # numbers of the head
