"""The observation: what the acting side sees, each number once, scaled to about [-1, 1].

Of whole numbers, int8, that are divided by a scale.
"""

import numpy as np

from agemonia_env.core.obs_encoding import F32, over, scales_of, typed

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
    N_STORIES,
    N_TOKENS,
    N_TYPES,
)
from .terms import N_DECISIONS

# Scales of chips, health points, rounds, damage and dice totals, small numbers
CHIPS, HEALTH, ROUNDS, POINTS, SMALL = 12, 20, 12, 10, 4

OBS_ALLY_NOW = np.dtype(
    [  # an Ally's part in what is going on
        ("active", F32),  # in its own turn
        ("asked", F32),  # its player decides
        ("subject", F32),  # it is what the question is about
        ("hindered", F32),  # 0/1 (R13.1)
        ("targeted", F32),  # named as target of the Enemy's attack going on
        ("hit_value", over(POINTS)),  # of that attack on it / 10
        ("struck", F32),  # dealt with in that attack
    ]
)

OBS_ENEMY_NOW = np.dtype(
    [  # an Enemy's part in what is going on
        ("active", F32),  # 0/1: in its own turn
        ("subject", F32),  # 0/1: it is what the question is about
        ("option", F32),  # among the options of a tie
        ("target", F32),  # named in the attack going on
        ("share", over(POINTS)),  # of a Cleave / 10
        ("damage", over(POINTS)),  # to come, before shield / 10
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
        ("riposte", over(SMALL)),  # amount / SMALL
        ("disk", over(CHIPS)),  # / CHIPS
        ("spent", over(CHIPS)),  # / CHIPS
        ("wounds", over(CHIPS)),  # / CHIPS
        ("lock", over(SMALL), (N_LOCKS,)),  # chips / SMALL
        ("health", over(HEALTH)),  # / HEALTH
        ("inspiration", over(SMALL)),  # gems / SMALL
        ("achievement", over(SMALL)),  # gems / SMALL
        ("evade", over(SMALL)),  # points / SMALL
        ("missed", F32, (2,)),  # 0/1: action, maneuver (Q57)
        ("lapsing", F32),  # 0/1: a condition goes with the turn
        ("reactive", over(SMALL), (3,)),  # temporary bonus, dice, worth of H, / SMALL
        ("injury", over(SMALL), (3,)),  # dice fewer per ability, / SMALL
        ("injury_move", over(SMALL)),  # points fewer / SMALL
        ("injury_recover", over(SMALL)),  # recovered fewer / SMALL
        ("ability", over(SMALL), (3,)),  # / SMALL
        ("taunt", over(SMALL)),  # / SMALL
        ("armed", F32, (3,)),  # 0/1 per attack type
        (
            "item",
            over(N_ITEM_KINDS),
            (N_CARRIED,),
        ),  # item carried there, (number + 1) / N_ITEM_KINDS
        ("in_use", over(2), (N_CARRIED,)),  # active or worn; 0.5 = but its lock has ended
        ("handled", F32, (N_CARRIED,)),  # 0/1: given, dropped or taken this turn
        ("worn_out", F32, (N_CARRIED,)),  # 0/1: used up for this scenario
        ("special", F32, (3,)),  # 0/1: First, Last, After (R15.1)
        ("uses", F32, (3,)),  # 0/1: the one used this round (R15.7)
        ("ability_bonus", over(SMALL), (3,)),  # levels added this round / SMALL
        ("attack_dice", over(SMALL), (3,)),  # dice added this turn, per attack type, / SMALL
        ("rerolls", over(SMALL)),  # left / SMALL
        ("waits", F32),  # 0/1: it waits for the turn of another Ally (R15.4)
        ("changed", F32),  # 0/1: the free change of active items is used
        ("open_slots", over(SMALL)),  # still empty / SMALL
        ("slot", F32, (N_TOKENS,)),  # 0/1: action tokens in slots
        ("once", F32, (N_TOKENS,)),  # 0/1: performed, and only once in a scenario
        ("conditions", F32, (10,)),  # by number
        ("token", F32, (N_TOKENS,)),  # chosen action, one-hot
        ("colour", F32, (3,)),  # one-hot
        ("provoked", F32, (N_ENEMIES,)),  # 0/1 per Enemy: has provoked it this turn
        ("area", F32, (N_AREAS,)),  # one-hot
    ]
)

OBS_ENEMY = np.dtype(
    [
        ("present", F32),  # 0/1: it stands on the map
        ("acted", F32),  # 0/1
        ("spawned", F32),  # 0/1: this round
        ("health", over(HEALTH)),  # / HEALTH
        ("missing", over(HEALTH)),  # damage taken / HEALTH
        ("number", over(SMALL)),  # figure number / SMALL
        ("fly", F32),  # 0/1
        ("mirror", F32),  # 0/1
        ("revenge", F32),  # 0/1
        ("elite", F32),  # 0/1
        ("shield", over(SMALL)),  # / SMALL
        ("provoke", over(SMALL)),  # value / SMALL
        ("size", over(SMALL)),  # capacity used / SMALL
        ("last", F32),  # 0/1: acts after the bars this round (R15.10)
        ("conditions", F32, (10,)),  # 0/1 by number
        ("colour", F32, (3,)),  # one-hot
        ("type", F32, (N_TYPES,)),  # one-hot
        ("area", F32, (N_AREAS,)),  # one-hot
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
        ("room", over(SMALL)),  # capacity left / SMALL, negative above maximum
        ("capacity", over(SMALL)),  # maximum / SMALL
        ("level", over(SMALL)),  # height / SMALL
        ("allies", over(SMALL)),  # standing there / SMALL
        ("enemies", over(SMALL)),  # standing there / SMALL
        ("trap", F32),  # 0/1: a trap token
        ("item", over(N_ITEM_KINDS), (N_GROUND,)),  # item lying there, (number + 1) / N_ITEM_KINDS
        ("portal", over(SMALL)),  # teleport token there: colour + 1 / SMALL
        ("portal_active", F32),  # 0/1
        ("portal_range", over(SMALL)),  # areas / SMALL; 0 = infinite
        ("story_open", F32),  # 0/1: a section there has not been read
        ("story", F32),  # 0/1: entering triggers a section
        ("goal", F32),  # 0/1: a goal area of the objective
        ("option", F32),  # among the options of a tie
        ("line", F32),  # on the line chosen
        ("rope", F32),  # 0/1: a fixed rope leads on
        ("subject", F32),  # what the question is about
    ]
)

OBS_FIGURE = np.dtype(
    [
        ("present", F32),  # 0/1: a token or pet of this row stands on the map
        ("owner", over(N_ALLIES)),  # (ally slot + 1) / N_ALLIES
        ("spawned", F32),  # 0/1: this round
        ("acted", F32),  # 0/1: it has moved this turn
        ("area", F32, (N_AREAS,)),  # one-hot
    ]
)

OBS = np.dtype(
    [
        ("decision", F32, (N_DECISIONS,)),  # what is asked, one-hot
        ("phase", F32, (4,)),  # one-hot
        ("round", over(ROUNDS)),  # / 12
        ("rounds_left", over(ROUNDS)),  # until the last round; 0 = no such limit
        ("limit", over(POINTS)),  # largest amount
        ("actions", F32),  # left in the own turn
        ("maneuvers", over(SMALL)),  # left in the own turn / SMALL
        ("together", F32),  # the players decide together
        ("first_bar", F32),  # 0/1: before the bars (R15.2)
        ("last_bar", F32),  # 0/1: after the bars (R15.3)
        ("timer", F32),  # a timer runs
        ("timer_sum", over(POINTS)),  # / 10
        ("timer_missing", over(POINTS)),  # until the event / 10
        ("fate_left", over(SMALL), (4,)),  # cards of value 0 to 3 and above still in the deck
        ("card_seen", F32, (N_CARDS,)),  # Initiative cards in the discard
        ("roll_dice", over(POINTS)),  # still to be rolled / 10
        ("roll_successes", over(POINTS)),  # / 10
        ("roll_symbols", over(SMALL)),  # S or H faces / SMALL
        ("roll_asked", over(SMALL)),  # S faces decided upon / SMALL
        ("roll_use", F32, (4,)),  # one-hot, terms.Roll
        ("check_number", over(POINTS)),  # difficulty or value / 10
        ("check_modifier", over(SMALL)),  # / SMALL
        ("check_ability", F32, (3,)),  # one-hot
        ("check_offered", F32, (3,)),  # abilities to pick from
        ("move_points", over(SMALL)),  # left / SMALL
        ("move_kind", F32, (3,)),  # one-hot, terms.Movement
        ("move_gem", F32),  # 0/1: a gem was used
        ("attack_type", F32, (3,)),  # one-hot
        ("attack_left", over(POINTS)),  # of a Cleave, still to be shared / 10
        ("attack_targets", over(SMALL)),  # named / SMALL
        ("attack_row", over(64)),  # / N_ATTACKS
        ("act_row", over(16), (2,)),  # next effect row: sixteens and the rest / 16
        ("act_amount", over(POINTS)),  # / 10
        ("cursed", F32),  # 0/1: stamina spent turns red (R12.7)
        ("strike_value", over(POINTS)),  # / 10
        ("strike_loss", F32),  # 0/1
        ("strike_conditions", F32, (10,)),  # 0/1 by number
        ("flip_chips", over(SMALL)),  # locked chips still to flip / SMALL
        ("flip_excess", over(SMALL)),  # damage left after them / SMALL
        ("push_left", over(SMALL)),  # areas still to push or pull / SMALL, negative = pull
        ("attack_bonus", over(SMALL)),  # damage added by riders / SMALL
        ("attack_dice", over(SMALL)),  # dice added by riders / SMALL
        ("attack_pierce", over(SMALL)),  # Pierce added by riders / SMALL
        ("attack_conditions", F32, (10,)),  # 0/1 by number, added by riders
        (
            "attack_weapon",
            over(N_CARRIED),
        ),  # place of the weapon + 1 / N_CARRIED; 0 = none that is an item
        ("ridden", F32, (3,)),  # 0/1: poison, arrow, rune used on the attack
        ("boosted", F32, (N_CARRIED,)),  # 0/1: places whose kind of item has added to the check
        (
            "topic",
            over(N_CARRIED),
        ),  # GIVE_TO: place + 1; REROLL, ROPE: all = whole roll, fixing
        ("roll_spoiled", over(SMALL)),  # symbols that serve nothing more / SMALL
        ("section", F32, (N_STORIES,)),  # 0/1: read
        ("progress", over(POINTS)),  # steps towards the objective / 10
        ("story_tokens", over(POINTS)),  # on the Story card / 10
        ("disarmed", over(SMALL)),  # traps disarmed / SMALL
        ("enemy_side", F32),  # 0/1: the enemy side decides
        ("free_will", F32),  # 0/1: Enemies are not bound by their cards' choice
        ("spawn_left", over(SMALL)),  # figures still to appear / SMALL
        ("event_due", F32),  # 0/1: a scenario event is being played out
        ("defeated", over(POINTS), (N_TYPES,)),  # figures per type / 10
        ("bar", OBS_BAR, (6,)),  # bars of the Initiative card, top first
        ("ally_now", OBS_ALLY_NOW, (N_ALLIES,)),  # ally slots: their part in what is going on
        ("enemy_now", OBS_ENEMY_NOW, (N_ENEMIES,)),  # enemy slots: the same
        # written only if something of the block has changed
        ("figure", OBS_FIGURE, (N_FIGURES,)),  # summoned tokens and pets
        ("area", OBS_AREA, (N_AREAS,)),  # areas of the map
        ("ally", OBS_ALLY, (N_ALLIES,)),  # ally slots
        ("enemy", OBS_ENEMY, (N_ENEMIES,)),  # enemy slots
    ]
)

SCALES = np.array(scales_of(OBS), F32)  # float32 (N_OBSERVATION,): observation = codes / SCALES
OBS = typed(OBS, F32)  # metadata of a dtype makes np.save complain
N_OBSERVATION = len(SCALES)
CODES = typed(OBS, np.int8)  # the whole numbers behind it, as the core writes them
N_CODES = -(-N_OBSERVATION // 8) * 8  # bytes of a row of codes: whole words
N_HEAD = CODES.fields["figure"][1]  # numbers that are written at every step
