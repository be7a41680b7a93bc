"""The observation: what the acting side sees, each value once, scaled to about [-1, 1].

Each value is an int8 integer divided by a scale.
"""

import numpy as np

from agemonia_env.core.obs_encoding import (
    F32,
    numbered,
    numbered_of,
    scaled,
    scales_of,
    with_scalar_type,
)

from .layout import (
    N_ALLIES,
    N_AREAS,
    N_CARDS,
    N_CARRIED,
    N_ENEMIES,
    N_FIGURES,
    N_GROUND,
    N_ITEM_KINDS,
    N_LOCKS,
    N_PASSIVES,
    N_STORIES,
    N_TOKENS,
    N_TYPES,
)
from .terms import N_DECISIONS, Objective, RiposteWhen

# Scales of chips, health points, rounds, damage and dice totals, small numbers
CHIPS, HEALTH, ROUNDS, POINTS, SMALL = 12, 20, 12, 10, 4

OBS_ALLY_NOW = np.dtype(
    [  # an Ally's role in the current task
        ("active", F32),  # in its own turn
        ("asked", F32),  # its player decides
        ("subject", F32),  # the question is about it
        ("hindered", F32),  # 0/1 (R13.1)
        ("targeted", F32),  # named as target of the Enemy's attack going on
        ("hit_value", scaled(POINTS)),  # of that attack on it / 10
        ("struck", F32),  # dealt with in that attack
        ("away", scaled(POINTS)),  # areas from the figure that acts / 10; 24 areas: no path
        ("threats", scaled(SMALL)),  # Enemies whose attack of this round may still reach it / SMALL
        ("threat", scaled(HEALTH)),  # sum of the values of these attacks / HEALTH
        ("attackers", scaled(SMALL)),  # Enemies that may reach it with any of their attacks / SMALL
        ("exposure", scaled(HEALTH)),  # sum of the largest values of their attacks / HEALTH
    ]
)

OBS_ENEMY_NOW = np.dtype(
    [  # an Enemy's role in the current task
        ("active", F32),  # 0/1: in its own turn
        ("subject", F32),  # 0/1: the question is about it
        ("option", F32),  # among the options of a tie
        ("target", F32),  # named in the attack going on
        ("share", scaled(POINTS)),  # of a Cleave / 10
        ("damage", scaled(POINTS)),  # to come, before shield / 10
        ("away", scaled(POINTS)),  # areas from the figure that acts / 10; 24 areas: no path
        ("seen", F32),  # 0/1: by that figure (R7.24)
        ("due", scaled(POINTS)),  # value of its attack still to come this round / 10
        ("reaches", scaled(SMALL)),  # Allies whom that attack may reach / SMALL
        ("reaches_actor", F32),  # 0/1: the Ally that acts is among them
        ("attacks", scaled(SMALL)),  # Allies whom any of its attacks may reach / SMALL
        ("attacks_actor", F32),  # 0/1: the Ally that acts is among them
    ]
)

OBS_ALLY = np.dtype(
    [
        ("present", F32),  # 0/1: the slot is in use
        ("hero", F32),  # 0/1
        ("acted", F32),  # 0/1
        ("exhausted", F32),  # 0/1
        ("wounded", F32),  # 0/1
        ("revived", F32),  # 0/1: stood up this round (R13.9)
        ("flipped", F32),  # 0/1: Rethink was taken
        ("focus_rolled", F32),  # 0/1 (R3.22)
        ("fly", F32),  # 0/1
        ("mirror", F32),  # 0/1
        ("revenge", F32),  # 0/1
        ("riposte", scaled(SMALL)),  # amount / SMALL
        ("riposte_range", scaled(SMALL)),  # / SMALL; -0.25 = any
        ("riposte_type", F32, (3,)),  # 0/1 per attack type that it answers
        ("riposte_when", F32, (len(RiposteWhen),)),  # one-hot
        ("disk", scaled(CHIPS)),  # / CHIPS
        ("spent", scaled(CHIPS)),  # / CHIPS
        ("wounds", scaled(CHIPS)),  # / CHIPS
        ("lock", scaled(SMALL), (N_LOCKS,)),  # chips / SMALL
        (
            "locked",
            numbered(scaled(N_PASSIVES)),
            (N_LOCKS,),
        ),  # what they are on, (passive row + 1) / N_PASSIVES; 0 = the slot is empty
        ("health", scaled(HEALTH)),  # / HEALTH
        ("inspiration", scaled(SMALL)),  # gems / SMALL
        ("achievement", scaled(SMALL)),  # gems / SMALL
        ("evade", scaled(SMALL)),  # points left / SMALL
        ("evaded", scaled(SMALL)),  # points used this turn / SMALL
        ("missed", F32, (2,)),  # 0/1: action, maneuver (Q57)
        ("lapsing", F32),  # 0/1: a condition goes with the turn
        ("reactive", scaled(SMALL), (3,)),  # temporary bonus, dice, successes of H, / SMALL
        ("injury", scaled(SMALL), (3,)),  # dice fewer per ability, / SMALL
        ("injury_move", scaled(SMALL)),  # points fewer / SMALL
        ("injury_recover", scaled(SMALL)),  # recovered fewer / SMALL
        ("ability", scaled(SMALL), (3,)),  # / SMALL
        ("taunt", scaled(SMALL)),  # / SMALL
        ("blue", scaled(CHIPS)),  # chips when unhurt / CHIPS
        ("moves", scaled(SMALL), (2,)),  # movement points of its board, free and paid, / SMALL
        ("recovers", scaled(SMALL), (2,)),  # stamina and damage recovered / SMALL
        ("wanted", F32),  # 0/1: the objective is to bring it to a goal area
        ("collected", scaled(SMALL)),  # items carried that the objective asks for / SMALL
        ("armed", F32, (3,)),  # 0/1 per attack type
        (
            "item",
            numbered(scaled(N_ITEM_KINDS)),
            (N_CARRIED,),
        ),  # item carried there, (number + 1) / N_ITEM_KINDS
        ("in_use", scaled(2), (N_CARRIED,)),  # active or worn; 0.5 = but its lock has ended
        ("handled", F32, (N_CARRIED,)),  # 0/1: given, dropped or taken this turn
        ("worn_out", F32, (N_CARRIED,)),  # 0/1: used up for this scenario
        ("special", F32, (3,)),  # 0/1: First, Last, After (R15.1)
        ("uses", F32, (3,)),  # 0/1: the one used this round (R15.7)
        ("ability_bonus", scaled(SMALL), (3,)),  # levels added this round / SMALL
        ("attack_dice", scaled(SMALL), (3,)),  # dice added this turn, per attack type, / SMALL
        ("rerolls", scaled(SMALL)),  # left / SMALL
        ("waits", F32),  # 0/1: it waits for the turn of another Ally (R15.4)
        ("changed", F32),  # 0/1: the free change of active items is used
        ("open_slots", scaled(SMALL)),  # still empty / SMALL
        ("slot", numbered(F32), (N_TOKENS,)),  # 0/1: action tokens in slots
        ("once", numbered(F32), (N_TOKENS,)),  # 0/1: performed, and only once in a scenario
        ("conditions", F32, (10,)),  # by number
        ("token", numbered(scaled(N_TOKENS))),  # chosen action, (number + 1) / N_TOKENS
        ("colour", F32, (3,)),  # one-hot
        ("provoked", numbered(F32), (N_ENEMIES,)),  # 0/1 per Enemy: has provoked it this turn
        ("area", numbered(scaled(N_AREAS))),  # (number + 1) / N_AREAS; 0 = off the map
        ("retreat", numbered(scaled(N_AREAS))),  # (number + 1) / N_AREAS of R7.8; 0 = none
    ]
)

OBS_ENEMY = np.dtype(
    [
        ("present", F32),  # 0/1: it stands on the map
        ("acted", F32),  # 0/1
        ("spawned", F32),  # 0/1: this round
        ("health", scaled(HEALTH)),  # / HEALTH
        ("missing", scaled(HEALTH)),  # damage taken / HEALTH
        ("number", scaled(SMALL)),  # figure number / SMALL
        ("fly", F32),  # 0/1
        ("mirror", F32),  # 0/1
        ("revenge", F32),  # 0/1
        ("elite", F32),  # 0/1
        ("shield", scaled(SMALL)),  # / SMALL
        ("provoke", scaled(SMALL)),  # value / SMALL
        ("size", scaled(SMALL)),  # capacity used / SMALL
        ("last", F32),  # 0/1: acts after the bars this round (R15.10)
        ("wanted", F32),  # 0/1: the objective is to defeat its type
        # for each Eye
        ("move", scaled(SMALL), (3,)),  # movement points / SMALL
        ("strike", scaled(POINTS), (3,)),  # value of the attack / 10; 0 = it causes no damage
        ("range", scaled(SMALL), (3,)),  # areas / SMALL
        ("conditions", F32, (10,)),  # 0/1 by number
        ("colour", F32, (3,)),  # one-hot
        ("type", numbered(scaled(N_TYPES))),  # (number + 1) / N_TYPES
        ("area", numbered(scaled(N_AREAS))),  # (number + 1) / N_AREAS; 0 = off the map
        ("retreat", numbered(scaled(N_AREAS))),  # (number + 1) / N_AREAS of R7.8; 0 = none
    ]
)

OBS_BAR = np.dtype(
    [
        ("enemy", F32),  # 0/1: an Enemy bar
        ("bonus", F32),  # 0/1: bonus maneuver (R5.10)
        ("current", F32),  # 0/1: its figures act now
        ("passed", F32),  # 0/1: it is over
        ("horns", F32),  # 0/1
        ("snake", F32),  # 0/1
        ("colour", F32, (3,)),  # one-hot
        ("eye", F32, (3,)),  # one-hot on an Enemy bar
    ]
)

OBS_AREA = np.dtype(
    [
        ("exists", F32),  # 0/1
        ("room", scaled(SMALL)),  # capacity left / SMALL, negative above maximum
        ("capacity", scaled(SMALL)),  # maximum / SMALL
        ("level", scaled(SMALL)),  # height / SMALL
        ("allies", scaled(SMALL)),  # standing there / SMALL
        ("enemies", scaled(SMALL)),  # standing there / SMALL
        ("trap", F32),  # 0/1: a trap token
        (
            "item",
            scaled(N_ITEM_KINDS),
            (N_GROUND,),
        ),  # lying there, (number + 1) / N_ITEM_KINDS
        ("portal", scaled(SMALL)),  # teleport token there: colour + 1 / SMALL
        ("portal_active", F32),  # 0/1
        ("portal_range", scaled(SMALL)),  # areas / SMALL; 0 = infinite
        ("story_open", F32),  # 0/1: a section there has not been read
        ("story", F32),  # 0/1: entering triggers a section
        ("goal", F32),  # 0/1: a goal area of the objective
        ("wanted", scaled(SMALL)),  # items lying there that the objective asks for / SMALL
        ("option", F32),  # among the options of a tie
        ("line", F32),  # on the line chosen
        ("rope", F32),  # 0/1: a fixed rope leads on
        ("subject", F32),  # the question is about it
    ]
)

OBS_FIGURE = np.dtype(
    [
        ("present", F32),  # 0/1: a token or pet of this row stands on the map
        ("owner", scaled(N_ALLIES)),  # (ally slot + 1) / N_ALLIES
        ("spawned", F32),  # 0/1: this round
        ("acted", F32),  # 0/1: it has moved this turn
        ("area", numbered(scaled(N_AREAS))),  # (number + 1) / N_AREAS; 0 = off the map
    ]
)

OBS_SCENARIO = np.dtype(
    [
        ("objective", F32, (len(Objective),)),  # one-hot
        ("number", scaled(POINTS)),  # of it / 10
        ("last_round", scaled(ROUNDS)),  # / 12; 0 = no such limit
        ("heroes", scaled(SMALL)),  # in the party / SMALL
    ]
)

OBS = np.dtype(
    [
        ("decision", F32, (N_DECISIONS,)),  # what is asked, one-hot
        ("phase", F32, (4,)),  # one-hot
        ("round", scaled(ROUNDS)),  # / 12
        ("rounds_left", scaled(ROUNDS)),  # until the last round; 0 = no such limit
        ("limit", scaled(POINTS)),  # largest amount
        ("actions", F32),  # left in the own turn
        ("maneuvers", scaled(SMALL)),  # left in the own turn / SMALL
        ("together", F32),  # the players decide together
        ("first_bar", F32),  # 0/1: before the bars (R15.2)
        ("last_bar", F32),  # 0/1: after the bars (R15.3)
        ("timer", F32),  # a timer runs
        ("timer_sum", scaled(POINTS)),  # / 10
        ("timer_missing", scaled(POINTS)),  # until the event / 10
        ("fate_left", scaled(SMALL), (4,)),  # cards of value 0 to 3 and above still in the deck
        ("card_seen", F32, (N_CARDS,)),  # Initiative cards in the discard
        ("roll_dice", scaled(POINTS)),  # still to be rolled / 10
        ("roll_successes", scaled(POINTS)),  # / 10
        ("roll_symbols", scaled(SMALL)),  # S or H faces / SMALL
        ("roll_asked", scaled(SMALL)),  # S faces decided upon / SMALL
        ("roll_use", F32, (4,)),  # one-hot, terms.Roll
        ("check_number", scaled(POINTS)),  # difficulty or value / 10
        ("check_modifier", scaled(SMALL)),  # / SMALL
        ("check_ability", F32, (3,)),  # one-hot
        ("check_offered", F32, (3,)),  # abilities to pick from
        ("move_points", scaled(SMALL)),  # left / SMALL
        ("move_kind", F32, (3,)),  # one-hot, terms.Movement
        ("move_gem", F32),  # 0/1: a gem was used
        ("attack_type", F32, (3,)),  # one-hot
        ("attack_left", scaled(POINTS)),  # of a Cleave, still to be shared / 10
        ("attack_targets", scaled(SMALL)),  # named / SMALL
        ("attack_row", numbered(scaled(64))),  # / N_ATTACKS
        ("act_row", numbered(scaled(16)), (2,)),  # next effect row: sixteens and the rest / 16
        ("act_amount", scaled(POINTS)),  # / 10
        ("cursed", F32),  # 0/1: stamina spent turns red (R12.7)
        ("strike_value", scaled(POINTS)),  # / 10
        ("strike_loss", F32),  # 0/1
        ("strike_conditions", F32, (10,)),  # 0/1 by number
        ("flip_chips", scaled(SMALL)),  # locked chips still to flip / SMALL
        ("flip_excess", scaled(SMALL)),  # damage left after them / SMALL
        ("push_left", scaled(SMALL)),  # areas still to push or pull / SMALL, negative = pull
        ("attack_bonus", scaled(SMALL)),  # damage added by riders / SMALL
        ("attack_dice", scaled(SMALL)),  # dice added by riders / SMALL
        ("attack_pierce", scaled(SMALL)),  # Pierce added by riders / SMALL
        ("attack_conditions", F32, (10,)),  # 0/1 by number, added by riders
        (
            "attack_weapon",
            scaled(N_CARRIED),
        ),  # place of the weapon + 1 / N_CARRIED; 0 = none that is an item
        ("ridden", F32, (3,)),  # 0/1: poison, arrow, rune used on the attack
        ("boosted", F32, (N_CARRIED,)),  # 0/1: places whose kind of item has added to the check
        (
            "topic",
            scaled(N_CARRIED),
        ),  # GIVE_TO: place + 1; REROLL, ROPE: all = whole roll, fixing
        ("roll_spoiled", scaled(SMALL)),  # symbols that serve nothing more / SMALL
        ("section", numbered(F32), (N_STORIES,)),  # 0/1: read
        ("progress", scaled(POINTS)),  # steps towards the objective / 10
        ("story_tokens", scaled(POINTS)),  # on the Story card / 10
        ("disarmed", scaled(SMALL)),  # traps disarmed / SMALL
        ("enemy_side", F32),  # 0/1: the enemy side decides
        ("free_will", F32),  # 0/1: Enemies are not bound by their cards' choice
        ("spawn_left", scaled(SMALL)),  # figures still to appear / SMALL
        ("event_due", F32),  # 0/1: a scenario event is being played out
        ("defeated", numbered(scaled(POINTS)), (N_TYPES,)),  # figures per type / 10
        ("bar", OBS_BAR, (6,)),  # bars of the Initiative card, top first
        ("ally_now", OBS_ALLY_NOW, (N_ALLIES,)),  # ally slots: their role in the current task
        ("enemy_now", OBS_ENEMY_NOW, (N_ENEMIES,)),  # enemy slots: the same
        # written only if something of the block has changed
        ("figure", OBS_FIGURE, (N_FIGURES,)),  # summoned tokens and pets
        ("area", numbered(OBS_AREA), (N_AREAS,)),  # areas of the map
        ("scenario", OBS_SCENARIO),  # what stays the same in a game
        ("ally", OBS_ALLY, (N_ALLIES,)),  # ally slots
        ("enemy", OBS_ENEMY, (N_ENEMIES,)),  # enemy slots
    ]
)

SCALES = np.array(scales_of(OBS), F32)  # float32 (N_OBSERVATION,): observation = int8 / SCALES
NUMBERED = np.array(numbered_of(OBS))  # bool: see numbered
OBS = with_scalar_type(OBS, F32)  # without the metadata, which makes np.save complain
N_OBSERVATION = len(SCALES)
OBS_INT8 = with_scalar_type(OBS, np.int8)  # the integers behind it, as the core writes them
N_OBS_INT8 = -(-N_OBSERVATION // 8) * 8  # bytes of a row of obs_int8: whole words
N_HEAD = OBS_INT8.fields["figure"][1]  # numbers that are written at every step
