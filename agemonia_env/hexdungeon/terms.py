"""Words of the rulebook as numbers."""

from enum import IntEnum


class Terrain(IntEnum):
    """What a hex may be; several kinds may lie on one."""

    WALL = 0  # G4.2
    DOOR = 1  # a closed one; open doors are plain hexes (G12.9)
    OBSTACLE = 2
    TRAP = 3
    HAZARD = 4
    DIFFICULT = 5


class Mode(IntEnum):
    """How a figure moves."""

    WALK = 0  # G12.2
    JUMP = 1  # G12.6
    FLY = 2  # G12.7


class Draw(IntEnum):
    """How an attack draws from its modifier deck (G2.1)."""

    NORMAL = 0
    ADVANTAGE = 1
    DISADVANTAGE = 2


class Worth(IntEnum):
    """What a modifier card does to the attack value (G1.4)."""

    PLUS = 0  # adds its number, which may be below 0
    DOUBLE = 1
    NULL = 2


class Effect(IntEnum):
    """What a modifier card adds to an attack (G1.15); those from PUSH on have an amount."""

    NONE = 0
    POISON = 1
    WOUND = 2
    IMMOBILIZE = 3
    DISARM = 4
    STUN = 5
    MUDDLE = 6
    INVISIBLE = 7
    STRENGTHEN = 8
    FIRE = 9
    ICE = 10
    AIR = 11
    EARTH = 12
    LIGHT = 13
    DARK = 14
    CURSE = 15
    ADD_TARGET = 16
    PUSH = 17
    PULL = 18
    PIERCE = 19
    HEAL = 20
