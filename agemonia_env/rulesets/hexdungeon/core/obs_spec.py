"""The observation: what is open on the table, each value once, scaled to about [-1, 1].

Each value is an int8 integer divided by a scale. A block is rewritten only when its records have
changed; the head, up to `ground`, is written at every step.
"""

from enum import IntEnum

import numpy as np

from agemonia_env.core.obs_encoding import (
    F32,
    numbered,
    numbered_of,
    scaled,
    scales_of,
    with_scalar_type,
)

from .hexset import MAX_HEXES
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
from .terms import N_DECISIONS, Effect, Goal, Mode, Phase, Source

# Scales of hit points, rounds and damage, small numbers, hexes of a column or a row, initiatives,
# cards of a modifier deck
HEALTH, POINTS, SMALL, AWAY, FIRST, CARDS = 20, 10, 4, 16, 99, 20
N_CONDITIONS = 8  # poison to strengthen
REACHES = 4  # ranges for which retaliate is given
N_OP_PLACES = 24  # of terms.Op, some free: a new one leaves networks trained before as they are


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
        ("minus_two", scaled(SMALL)),  # cards in the draw pile: -2 or worse
        ("minus_one", scaled(SMALL)),
        ("zero", scaled(SMALL)),
        ("plus_one", scaled(SMALL)),
        ("plus_two", scaled(SMALL)),  # or better
        ("double", scaled(SMALL)),  # that are no bless
        ("null", scaled(SMALL)),  # that are no curse
        ("bless", scaled(SMALL)),
        ("curse", scaled(SMALL)),
        ("rolling", scaled(SMALL)),
        ("effects", scaled(SMALL)),  # with any effect
        ("discards", scaled(CARDS)),
        ("shuffle", F32),  # 0/1: at the end of the round
    ]
)

KIND_IN_PLAY = np.dtype(
    [  # a monster type
        ("card", numbered(scaled(N_MONSTER_CARDS))),  # turned this round: its number + 1
        ("initiative", scaled(FIRST)),  # of that card
        ("shuffle", F32),  # 0/1: at the end of the round
        ("to_come", numbered(F32), (N_MONSTER_CARDS,)),  # 0/1: still in the draw pile
    ]
)

ACTIVE_CARD = np.dtype(
    [  # a card in an active area
        ("owner", scaled(N_HEROES)),  # slot of the character + 1
        ("card", numbered(scaled(N_HAND))),  # its number + 1
        ("bonus", numbered(scaled(POINTS))),  # of the pack, + 1; 0 = it keeps a summon alone
        ("token", scaled(SMALL)),  # space of the token; 0 = not tracked
        ("loss", F32),  # 0/1: it counts as lost
        ("summon", scaled(N_FIGURES)),  # slot of the figure it keeps in play + 1
    ]
)

HAND = np.dtype(
    [  # what a character has beside its figure
        ("hero_class", scaled(SMALL)),  # of the pack, + 1; 0 = nobody is in the slot
        ("exhausted", F32),  # 0/1
        ("xp", scaled(POINTS)),
        ("loot", scaled(SMALL)),  # tokens taken
        ("second_initiative", scaled(FIRST)),
        ("lead", numbered(scaled(N_HAND))),  # card chosen for the round + 1
        ("second", numbered(scaled(N_HAND))),  # likewise
        ("resting", F32),  # 0/1: a long rest
        ("used", F32, (8,)),  # 0/1: by 4 * card of the turn + terms.Half
        (
            "place",
            numbered(F32),
            (4, N_HAND),
        ),  # 0/1: cards in hand, discarded, lost, active
    ]
)

BODY = np.dtype(
    [  # a figure on the board
        ("kind", numbered(scaled(N_KINDS))),  # of the content + 1; 0 = a character
        ("elite", F32),  # 0/1
        ("flying", F32),  # 0/1
        ("fresh", F32),  # 0/1: it came in this round
        ("acted", F32),  # 0/1: in this round
        ("hp", scaled(HEALTH)),
        ("max_hp", scaled(HEALTH)),
        ("column", scaled(AWAY)),  # of its hex
        ("row", scaled(AWAY)),
        ("initiative", scaled(FIRST)),  # this round; 0 = not known yet
        ("standee", scaled(POINTS)),  # number of a monster
        ("move", scaled(SMALL)),  # of its stat card, likewise the next two
        ("attack", scaled(SMALL)),
        ("range", scaled(SMALL)),
        ("shield", scaled(SMALL)),  # standing, without cards in the active area
        ("round_shield", scaled(SMALL)),  # until the end of the round
        ("retaliate", scaled(SMALL), (REACHES,)),  # against attackers 1, 2, 3 and 4 hexes away
        ("round_retaliate", scaled(SMALL)),  # the part of it, at 1, that ends with the round
        ("condition", scaled(2), (N_CONDITIONS,)),  # turn ends left; poison, wound: 1 = held
    ]
)

OBS = np.dtype(
    [
        # the question, and the round
        ("decision", F32, (N_DECISIONS,)),  # what is asked, one-hot
        ("asked", F32, (N_HEROES,)),  # whose player decides, one-hot; none = all together
        ("about", scaled(N_FIGURES)),  # figure, card or effect that the question is about, + 1
        ("phase", F32, (len(Phase),)),  # one-hot
        ("round", scaled(POINTS)),
        ("rounds_left", scaled(POINTS)),  # until the scenario is lost
        ("goal", F32, (len(Goal),)),  # one-hot
        ("goal_left", scaled(POINTS)),  # rounds, or loot tokens, still to come
        ("room", numbered(F32), (N_ROOMS,)),  # 0/1: open
        ("element", scaled(2), (N_ELEMENTS,)),  # terms.Element
        ("bless", scaled(POINTS)),  # supplies
        ("curse_monster", scaled(POINTS)),
        ("curse_hero", scaled(POINTS)),
        # what is going on
        ("half", F32, (8,)),  # of the turn: 4 * card + terms.Half, one-hot
        ("line", scaled(SMALL)),  # of a half or a monster's card: its place
        ("op", F32, (N_OP_PLACES,)),  # of that line, one-hot
        ("row", numbered(scaled(AWAY)), (2,)),  # its number in the pack: sixteens and the rest
        ("amount", scaled(SMALL)),  # of the line
        ("used_line", F32),  # 0/1: something was done of the half
        ("lost_card", scaled(N_HAND)),  # of a short rest, + 1
        ("move_points", scaled(SMALL)),  # left
        ("move_mode", F32, (len(Mode),)),  # one-hot
        ("force_left", scaled(SMALL)),  # hexes; below 0 = of a pull
        ("force_begun", F32),  # 0/1
        ("harm", scaled(POINTS)),  # damage of the source that is dealt with
        ("harm_source", F32, (len(Source),)),  # one-hot
        ("harm_first", scaled(N_HAND)),  # the first of two discards lost to it, + 1
        # the attack ability going on, all 0 without
        ("strike_value", scaled(POINTS)),  # printed
        ("strike_range", scaled(SMALL)),  # 0 = melee
        ("strike_left", scaled(SMALL)),  # targets that may still be chosen
        ("strike_added", scaled(SMALL)),  # added targets, likewise
        ("strike_pierce", scaled(SMALL)),
        ("strike_bonus", scaled(SMALL)),
        ("strike_doublings", scaled(SMALL)),
        ("strike_odds", scaled(SMALL)),  # instances of advantage less those of disadvantage
        ("strike_template", scaled(N_KINDS)),  # of the pack, + 1; 0 = none
        ("strike_orientation", scaled(12)),  # chosen, + 1
        ("strike_placed", F32),  # 0/1: the template is
        ("strike_on_added", F32),  # 0/1: the present target is an added one
        ("strike_null", F32),  # 0/1: a null applies
        ("strike_drawn", scaled(POINTS)),  # value after the cards
        ("strike_damage", scaled(POINTS)),  # after Shield
        ("strike_cursor", scaled(CARDS)),  # effect that is dealt with
        ("strike_effect", scaled(SMALL), (len(Effect),)),  # of the ability: amount, or 1
        ("strike_drawn_effect", scaled(SMALL), (len(Effect),)),  # of the cards that apply
        ("strike_condition", F32, (N_CONDITIONS,)),  # 0/1: of active cards
        ("part", PART, (N_FIGURES,)),
        # rewritten only if their records have changed
        ("ground", numbered(scaled(AWAY)), (MAX_HEXES,)),  # bits of obs_spec.Ground
        ("mark", numbered(scaled(AWAY)), (MAX_HEXES,)),  # bits of obs_spec.Mark
        ("trap", scaled(POINTS), (N_TRAPS,)),  # damage of the traps not yet sprung, in their order
        ("trap_conditions", scaled(AWAY), (N_TRAPS,)),  # their conditions: bits, poison = 1
        ("active", ACTIVE_CARD, (N_ACTIVE,)),
        ("type", KIND_IN_PLAY, (N_TYPES,)),
        ("pile", PILE, (N_DECKS,)),  # that of the monsters, and one for each character
        ("hand", HAND, (N_HEROES,)),
        ("body", BODY, (N_FIGURES,)),
    ]
)

SCALES = np.array(scales_of(OBS), F32)  # float32 (N_OBSERVATION,): observation = int8 / SCALES
NUMBERED = np.array(numbered_of(OBS))  # bool: see numbered
OBS = with_scalar_type(OBS, F32)  # without the metadata, which makes np.save complain
N_OBSERVATION = len(SCALES)
OBS_INT8 = with_scalar_type(OBS, np.int8)  # the integers behind it, as the core writes them
N_OBS_INT8 = -(-N_OBSERVATION // 8) * 8  # bytes of a row of obs_int8: whole words
N_HEAD = OBS_INT8.fields["ground"][1]  # numbers of the head
