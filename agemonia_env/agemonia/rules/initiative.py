"""Section 5: selection, the Initiative card and the order of turns."""

from ...kernel.jit import kernel
from .. import chance
from ..layout import N_ALLIES, N_ENEMIES
from ..terms import Denial, Kind, Special, Stream
from . import placing

FIRST_BAR, LAST_BAR = 0, 7  # R15.2, R15.3: before and after the six bars of the card


@kernel
def select_denial(s, c, a, token):
    """R5.2, R5.5 - may Hero a choose this action token for the round?"""
    if s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if s.ally[a].exhausted:
        return Denial.OUT_OF_ACTION
    return Denial.NONE if c.sheet[a].token[token] >= 0 else Denial.NO_SUCH_ACTION


@kernel
def select(s, c, a, token):
    """R5.2, R5.3 - mark the action; its colour is the Hero's initiative colour. Nothing is paid."""
    ally = s.ally[a]
    ally.token = token
    row = c.sheet[a].token[token]
    ally.colour = c.token[row].colour
    ally.special = c.token[row].special
    ally.flipped = 0
    ally.focus_rolled = 0


@kernel
def reveal(s, c):
    """R5.7, R5.12 - after a Shuffle card all cards are shuffled; then the top card is turned.

    -> cards in the deck at the draw
    """
    s.reshuffled = 0
    n = s.n_initiative_discard
    if s.n_initiative == 0 or (n > 0 and c.card[s.initiative_discard[n - 1]].shuffle):
        for k in range(n):
            s.initiative[s.n_initiative + k] = s.initiative_discard[k]
        s.n_initiative += n
        s.n_initiative_discard = 0
        s.reshuffled = 1
        chance.shuffle(s, Stream.INITIATIVE, s.initiative, s.n_initiative)
    there = s.n_initiative
    s.card = s.initiative[0]
    s.n_initiative -= 1
    for k in range(s.n_initiative):
        s.initiative[k] = s.initiative[k + 1]
    s.initiative_discard[s.n_initiative_discard] = s.card
    s.n_initiative_discard += 1
    s.result = there


@kernel
def is_bar_enemy(s, c):
    """R5.8 - whether the current bar is an Enemy bar."""
    return FIRST_BAR < s.bar < LAST_BAR and c.card[s.card].enemy[s.bar - 1]


@kernel
def acts_now(s, c, a):
    """R5.14, R15.2, R15.3, R15.8 [Q27] - does ally a take its turn on the current bar?"""
    ally = s.ally[a]
    if not placing.ally_stands(s, a) or ally.acted or ally.revived:
        return False
    if ally.special & Special.LAST:
        return s.bar == LAST_BAR
    if ally.special & Special.FIRST:
        return s.bar == FIRST_BAR
    if s.bar == FIRST_BAR or s.bar == LAST_BAR or c.card[s.card].enemy[s.bar - 1]:
        return False
    return ally.colour == c.card[s.card].colour[s.bar - 1]


@kernel
def ally_options(s, c):
    """R5.14, R5.16 - bits of the Allies that act on the current bar and have not acted."""
    bits = 0
    for a in range(N_ALLIES):
        if acts_now(s, c, a):
            bits |= 1 << a
    return bits


@kernel
def is_ready(s, e):
    """R5.13, R5.16, R10.11 - an Enemy on the map that has neither acted nor spawned this round."""
    enemy = s.enemy[e]
    return placing.enemy_stands(s, e) and not enemy.acted and not enemy.spawned


@kernel
def type_options(s, c):
    """R5.11, R5.15 - bits of the Enemy types of the current bar's colour with figures to act."""
    bits = 0
    if is_bar_enemy(s, c):
        colour = c.card[s.card].colour[s.bar - 1]
        for e in range(N_ENEMIES):
            if is_ready(s, e) and c.type[s.enemy[e].type].colour == colour:
                bits |= 1 << int(s.enemy[e].type)
    return bits


@kernel
def next_of_type(s, kind):
    """R5.15 - the ready figure of a type with the lowest number, or -1."""
    best = -1
    for e in range(N_ENEMIES):
        if is_ready(s, e) and s.enemy[e].type == kind:
            if best < 0 or s.enemy[e].number < s.enemy[best].number:
                best = e
    return best


@kernel
def has_bonus(s, c, a):
    """R5.10, R15.2 [Q63] - does this round's card give ally a the bonus maneuver?"""
    ally = s.ally[a]
    if ally.special != 0 or s.card < 0:
        return False
    for bar in range(6):
        card = c.card[s.card]
        if not card.enemy[bar] and card.colour[bar] == ally.colour:
            return card.bonus[bar] == 1
    return False
