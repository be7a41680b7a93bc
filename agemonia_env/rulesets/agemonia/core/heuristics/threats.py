"""Who acts and where, and which attacks of the Enemies may reach it."""

from agemonia_env.core.jit import kernel

from ..layout import N_AREAS
from ..sides import side_of
from ..terms import Colour, Decision, Side

NO_WAY = N_AREAS  # as a range
NOBODY, NOWHERE = -1, -1


@kernel
def actor(s):
    """The Ally that acts or decides; NOBODY in questions of the Enemies and of all together."""
    match s.decision:
        case Decision.TURN:
            return int(s.active_ally)
        case Decision.STEP | Decision.JUMP | Decision.TELEPORT:
            return int(s.move.ally)
        case _:
            return int(s.asked) if side_of(s) == Side.HEROES else NOBODY


@kernel
def here_of(s):
    """The area of the figure that acts; NOWHERE off the map."""
    a = actor(s)
    if a != NOBODY:
        return int(s.ally[a].area)
    return int(s.enemy[s.active_enemy].area) if s.active_enemy >= 0 else NOWHERE


@kernel
def bars_of(s, c):
    """R5.9 - the Enemy bar of this round's card that Enemies of each colour read, 0 to 5."""
    red, blue, green = 0, 0, 0
    if s.card >= 0:
        card = c.card[s.card]
        for bar in range(5, -1, -1):
            if card.enemy[bar]:
                match card.colour[bar]:
                    case Colour.RED:
                        red = bar
                    case Colour.BLUE:
                        blue = bar
                    case _:
                        green = bar
    return red, blue, green


@kernel
def due_of(s, c, e, bars):
    """Of enemy e's attack that is still to come this round -> value, areas it may reach over.

    The areas are -1 if none is to come, or the card of the round is not known yet. bars: bars_of.
    """
    enemy = s.enemy[e]
    if s.card < 0 or enemy.acted or enemy.spawned:
        return 0, -1
    bar = bars[c.type[enemy.type].colour]
    if bar + 1 < s.bar and not enemy.last:
        return 0, -1
    eye = c.card[s.card].eye[bar]
    return int(c.attack_value[enemy.type, eye]), int(c.attack_reach[enemy.type, eye])


@kernel
def steps_between(c, here, there):
    """The range from one area to another, NO_WAY if there is none."""
    steps = int(c.range[here, there])
    return steps if steps >= 0 else NO_WAY
