"""Heroes against Enemies: whose a question is, and who has done damage to the other side."""

from agemonia_env.core.counting import added
from agemonia_env.core.jit import kernel

from .layout import N_ALLIES
from .terms import ENEMY_CHOICES, Decision, Side, Will


@kernel
def side_of(s):
    """The terms.Side that the decision now asked belongs to, if an agent plays the Enemies."""
    theirs = s.decision in ENEMY_CHOICES or (s.decision == Decision.TRAP_AREA and s.asked < 0)
    return Side.ENEMIES.value if theirs else Side.HEROES.value


@kernel
def enemies_choose(c):
    """Whether the Enemies choose for themselves."""
    return c.enemy_will == Will.FREE


@kernel
def credit(s, a, points):
    """Count damage that ally a has done to the other side; -1 = nobody's."""
    if a >= 0:
        s.dealt[a] = added(s.dealt[a], points)


@kernel
def credit_enemy(s, e, points):
    """Count damage that enemy e does to the other side."""
    kind = N_ALLIES + s.enemy[e].type
    s.dealt[kind] = added(s.dealt[kind], points)
