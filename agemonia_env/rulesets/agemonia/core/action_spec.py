"""The features of an action: what an answer to the question now asked is and does.

A row for each legal action, so that a network can score actions of cards, items, figures and areas
that it has never seen. Each value is an int8 integer divided by a scale, as in obs_spec.
"""

import numpy as np

from agemonia_env.core.obs_encoding import F32, scaled, scales_of, with_scalar_type

from .actions import N_BLOCKS, N_TURN
from .obs_spec import CHIPS, HEALTH, POINTS, SMALL
from .terms import Op, Shape, Wear

STEPS = 10  # scale of steps and of values in points of damage
N_CONDITIONS = 10
# Places of ops among the features: those of actions and items, from 1 on, then those of scenario
# events and story sections; those of Enemies have none. A new op with a number between gets a place
# that was kept free, so networks trained before read the others as they did
EVENT_OPS_AT = Op.ADD_MOVE - 1
N_OP_PLACES = EVENT_OPS_AT + 21
PLACE_OF_OP = np.full(max(Op) + 1, -1, np.int16)
for _op in Op:
    if Op.NONE < _op < Op.ADD_MOVE:
        PLACE_OF_OP[_op] = _op - 1
    elif _op >= Op.REINFORCE:
        PLACE_OF_OP[_op] = EVENT_OPS_AT + _op - Op.REINFORCE

ACTION_FIGURE = np.dtype(
    [  # the Ally or Enemy that the action names, or the Enemy card
        ("ally", F32),  # 0/1
        ("enemy", F32),  # 0/1
        ("itself", F32),  # 0/1: the Ally that decides
        ("hero", F32),  # 0/1
        ("wanted", F32),  # 0/1: the objective is about it
        ("acted", F32),  # 0/1
        ("elite", F32),  # 0/1
        ("fly", F32),  # 0/1
        ("mirror", F32),  # 0/1
        ("revenge", F32),  # 0/1
        ("wounded", F32),  # 0/1
        ("health", scaled(HEALTH)),  # left, of Heroes chips on the disk / HEALTH
        ("missing", scaled(HEALTH)),  # damage taken / HEALTH
        ("spent", scaled(CHIPS)),  # chips / CHIPS
        ("shield", scaled(SMALL)),  # / SMALL
        ("provoke", scaled(SMALL)),  # value / SMALL
        ("size", scaled(SMALL)),  # capacity used / SMALL
        ("strike", scaled(POINTS)),  # largest value of its attacks / 10
        ("reach", scaled(STEPS)),  # areas that it may move and attack over / 10
        ("due", F32),  # 0/1: an Enemy that still attacks this round
        ("hit_value", scaled(POINTS)),  # of the Enemy's attack going on / 10
        ("conditions", F32, (N_CONDITIONS,)),  # 0/1 by number
    ]
)

ACTION_AREA = np.dtype(
    [  # the area that it names or leads to, or where the figure stands; else the own area
        ("exists", F32),  # 0/1
        ("other", F32),  # 0/1: not the own area
        ("range", scaled(STEPS)),  # areas from here / 10; 24 areas: no path
        ("higher", scaled(SMALL)),  # levels above the own area / SMALL
        ("room", scaled(SMALL)),  # capacity left / SMALL
        ("allies", scaled(SMALL)),  # standing there / SMALL
        ("enemies", scaled(SMALL)),  # standing there / SMALL
        ("trap", F32),  # 0/1
        ("items", scaled(SMALL)),  # lying there / SMALL
        ("goal", F32),  # 0/1: a goal area of the objective
        ("story", F32),  # 0/1: a section there has not been read
        ("fall", F32),  # 0/1: the way there is a fall
        ("distance", scaled(STEPS)),  # steps from there to where the objective sends the Ally / 10
        ("nearer", scaled(SMALL)),  # steps nearer than here / SMALL
        ("nearest", scaled(STEPS)),  # range from there to the nearest Enemy / 10
        ("attackers", scaled(SMALL)),  # Enemies that can move and attack a figure there / SMALL
        ("exposure", scaled(20)),  # sum of the values of their attacks / 20
        ("due_attackers", scaled(SMALL)),  # of these, as the card of the round has it / SMALL
        ("due_exposure", scaled(20)),  # sum of the values of the attacks still to come / 20
        ("gain", scaled(STEPS)),  # in a move: value of the own action from there / 10
    ]
)

ACTION_DOES = np.dtype(
    [  # what the action token, item, section or attack that it names does
        ("colour", F32, (3,)),  # initiative, one-hot
        ("special", F32, (3,)),  # 0/1: First, Last, After
        ("cost", scaled(SMALL)),  # stamina / SMALL
        ("gem", scaled(SMALL)),  # Inspiration gems / SMALL
        ("maneuver", F32),  # 0/1: beside the action
        ("once", F32),  # 0/1: once in a scenario
        ("number", scaled(POINTS)),  # of the check before it works / 10
        ("ops", F32, (N_OP_PLACES,)),  # 0/1: terms.Op among its effect rows
        ("restores", scaled(POINTS)),  # amounts that restore or heal / 10
        ("amounts", scaled(POINTS)),  # other amounts / 10
        ("range", scaled(STEPS)),  # longest of its effects and attacks / 10
        ("damage", scaled(POINTS)),  # expected of its attack, before aim and shield / 10
        ("types", F32, (3,)),  # 0/1: attack types to choose from
        ("shape", F32, (len(Shape),)),  # of its attack, one-hot
        ("targets", scaled(SMALL)),  # Enemies at most / SMALL
        ("radius", scaled(SMALL)),  # of an area attack / SMALL
        ("pierce", scaled(SMALL)),  # / SMALL
        ("push", scaled(SMALL)),  # areas, negative = pull / SMALL
        ("conditions", F32, (N_CONDITIONS,)),  # 0/1 by number: given to either side
        # while it is locked or in use
        ("need", scaled(SMALL)),  # chips / SMALL
        ("reactive", scaled(SMALL), (3,)),  # successes on reactive checks / SMALL
        ("dice", scaled(SMALL), (3,)),  # dice added to attacks / SMALL
        ("evade", scaled(SMALL)),  # points each turn / SMALL
        ("move", scaled(SMALL)),  # movement points / SMALL
        ("riposte", scaled(SMALL)),  # damage / SMALL
        ("mirror", F32),  # 0/1
        ("revenge", F32),  # 0/1
        ("fly", F32),  # 0/1
        # of an item
        ("wear", F32, (len(Wear),)),  # terms.Wear, one-hot
        ("weapon", F32, (3,)),  # attack type of a weapon, one-hot
        ("bonus", scaled(SMALL)),  # the weapon's modifier / SMALL
        ("weight", scaled(SMALL)),  # / SMALL
        ("boost", scaled(SMALL), (3,)),  # successes on checks for discarding it / SMALL
        ("wanted", F32),  # 0/1: the objective is about it
    ]
)

ACTION = np.dtype(
    [
        ("kind", F32, (N_BLOCKS,)),  # which kind of answer, one-hot: actions.Block
        ("turn", F32, (N_TURN,)),  # actions.Turn, one-hot
        ("amount", scaled(POINTS)),  # the number named, or what is moved or recovered / 10
        ("cost", scaled(SMALL)),  # stamina to be paid for it now / SMALL
        ("damage", scaled(POINTS)),  # expected damage to those named, after aim and shield / 10
        ("defeat", scaled(100)),  # chance to defeat the Enemy named
        ("healing", scaled(POINTS)),  # chips healed or restored / 10
        ("provoked", scaled(SMALL)),  # points of damage of the Enemies that it provokes / SMALL
        ("greedy_score", scaled(STEPS)),  # value in points of damage, for the side asked, / 10
        ("greedy_choice", F32),  # 0/1: the greedy policy takes it
        ("figure", ACTION_FIGURE),  # whom it names
        ("area", ACTION_AREA),  # where it leads
        ("does", ACTION_DOES),  # what it does
    ]
)

ACTION_SCALES = np.array(scales_of(ACTION), F32)  # float32 features = int8 / ACTION_SCALES
ACTION = with_scalar_type(ACTION, F32)  # without the metadata, which makes np.save complain
N_ACTION_FEATURES = len(ACTION_SCALES)
ACTION_INT8 = with_scalar_type(ACTION, np.int8)  # the integers behind it, as the core writes them
