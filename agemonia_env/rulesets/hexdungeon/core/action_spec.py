"""The features of an action: what an answer to the question now asked is, and what it does.

A network that scores each legal action by its features can play scenarios and parties that it has
never seen. Like the observation, each value is an int8 integer divided by a scale, and everything
is open on the table. What does not apply to an action is 0.
"""

import numpy as np

from agemonia_env.core.obs_encoding import F32, scaled, scales_of, with_scalar_type

from .actions import N_BLOCKS
from .obs_spec import AWAY, FIRST, HEALTH, N_CONDITIONS, POINTS, SMALL
from .terms import Half

QUARTERS = 40  # expected damage is in quarters of a point, so that 1.0 is 10 points
PERCENT = 100

TARGET = np.dtype(
    [  # the figure that the answer is about
        ("hero", F32),  # 0/1: a character
        ("summon", F32),  # 0/1
        ("monster", F32),  # 0/1
        ("elite", F32),  # 0/1
        ("flying", F32),  # 0/1
        ("acted", F32),  # 0/1: in this round
        ("hp", scaled(HEALTH)),  # hit points left
        ("max_hp", scaled(HEALTH)),  # of a figure unhurt
        ("missing", scaled(HEALTH)),  # hit points lost
        ("shield", scaled(SMALL)),  # cards in the active area included
        ("retaliate", scaled(SMALL)),  # against the figure that acts, from where it stands
        ("condition", F32, (N_CONDITIONS,)),  # 0/1: held, poison to strengthen
        ("initiative", scaled(FIRST)),  # this round; 0 = not known yet
        ("away", scaled(AWAY)),  # range from the figure that acts
        ("attack", scaled(SMALL)),  # of the stat card of a monster or summon
        ("reach", scaled(SMALL)),  # its move and range: how far away it attacks
    ]
)

DESTINATION = np.dtype(
    [  # the hex that a figure comes to, or stays on
        ("objective_before", scaled(AWAY)),  # steps to exit, loot or closed door, + 1; 0 = no way
        ("objective_after", scaled(AWAY)),  # the same from the hex
        ("enemy_before", scaled(AWAY)),  # range to the nearest enemy of the figure, + 1; 0 = none
        ("enemy_after", scaled(AWAY)),  # the same from the hex
        ("threats", scaled(POINTS)),  # enemies that may attack the figure there: move and range
        ("threat_damage", scaled(HEALTH)),  # the sum of their attack values
        ("beside_enemies", scaled(SMALL)),  # adjacent enemies of the figure
        ("beside_allies", scaled(SMALL)),  # and adjacent allies
        ("hazard", F32),  # 0/1
        ("trap", F32),  # 0/1: not yet sprung
        ("obstacle", F32),  # 0/1
        ("door", F32),  # 0/1: closed
        ("loot", F32),  # 0/1
        ("exit", F32),  # 0/1
    ]
)

USE = np.dtype(
    [  # what half a card does, by its lines
        ("attack", scaled(SMALL)),  # the highest value
        ("range", scaled(SMALL)),  # of that attack; 0 = melee
        ("targets", scaled(SMALL)),  # of that attack, at most 12, or red hexes of its template
        ("pierce", scaled(SMALL)),  # of that attack
        ("in_reach", scaled(POINTS)),  # enemies in range of it now, after the moves before it
        ("move", scaled(SMALL)),  # movement points
        ("jump", F32),  # 0/1
        ("heal", scaled(SMALL)),  # hit points
        ("shield", scaled(SMALL)),  # for the round, or by an active bonus
        ("retaliate", scaled(SMALL)),  # likewise
        ("harm", scaled(SMALL)),  # damage that is no attack's
        ("force", scaled(SMALL)),  # hexes of a push or pull
        ("loot", scaled(SMALL)),  # range within which loot is taken
        ("summon", F32),  # 0/1
        ("recover", F32),  # 0/1: a lost card
        ("bonus", scaled(POINTS)),  # value of the active bonus that begins, in points of damage
        ("others", F32),  # 0/1: a line is for allies, too
        ("condition", F32, (N_CONDITIONS,)),  # 0/1: given, poison to strengthen
        ("loss", F32),  # 0/1: the loss symbol
        ("persistent", F32),  # 0/1: the card stays active until it is removed or used up
    ]
)

ACTION = np.dtype(
    [
        ("kind", F32, (N_BLOCKS,)),  # what it names, one-hot: actions.Block
        ("half", F32, (len(Half),)),  # of the block HALF, one-hot: terms.Half
        ("greedy_score", scaled(QUARTERS)),  # of the greedy policy, points of damage, clipped
        ("greedy_choice", F32),  # 0/1: the greedy policy takes it
        ("amount", scaled(POINTS)),  # points, hexes or damage that the question is about
        ("cost", scaled(SMALL)),  # movement points
        ("loses", F32),  # 0/1: a card is lost by it
        ("damage", scaled(QUARTERS)),  # expected, to monsters; of a card to one of those in reach
        ("defeat", scaled(PERCENT)),  # chance that the target, or the likeliest one, is defeated
        ("suffers", scaled(QUARTERS)),  # expected damage to characters and summons
        ("healing", scaled(POINTS)),  # hit points that are regained
        ("targets", scaled(SMALL)),  # figures attacked
        ("gives", F32, (N_CONDITIONS,)),  # 0/1: conditions that its figures gain
        ("curse", F32),  # 0/1: they gain a curse
        # the ability card that it is about
        ("initiative", scaled(FIRST)),  # of the card; 99 = a long rest
        ("discarded", F32),  # 0/1: the card lies in the discards
        ("active", F32),  # 0/1: the card is in an active area
        ("top", USE),  # of the card; of the block HALF only what is used
        ("bottom", USE),  # likewise
        ("target", TARGET),  # the figure it is about
        ("hex", DESTINATION),  # where the figure comes to
    ]
)

ACTION_SCALES = np.array(scales_of(ACTION), F32)  # action features = int8 / ACTION_SCALES
ACTION = with_scalar_type(ACTION, F32)
N_ACTION_FEATURES = len(ACTION_SCALES)
ACTION_INT8 = with_scalar_type(ACTION, np.int8)  # the integers behind it, as the core writes them
