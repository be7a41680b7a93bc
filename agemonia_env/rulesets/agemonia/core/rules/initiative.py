"""Section 5: selection, the Initiative card and the order of turns."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from .. import chance
from ..layout import N_ALLIES, N_ENEMIES
from ..terms import Denial, Event, Kind, Special
from . import placing, stamina

TACTICS_COST = 1  # R5.6
SLOTS = 256  # more than there are: the number of a figure and its slot make one whole number
FIRST_BAR, LAST_BAR, DELAYED_BAR = 0, 7, 8  # R15.2, R15.3, R15.10: around the six bars


@kernel
def select_denial(s, c, a, token):
    """R5.2, R5.5 - may Hero a choose this action token for the round?"""
    if s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if s.ally[a].exhausted:
        return Denial.OUT_OF_ACTION
    row = c.sheet[a].token[token]
    if row < 0 or c.token[row].maneuver:
        return Denial.NO_SUCH_ACTION
    if (s.ally[a].once >> token) & 1:
        return Denial.USED_UP
    in_slot = (s.ally[a].slot >> token) & 1 or s.ally[a].open_slots > 0
    return Denial.NONE if in_slot else Denial.NOT_IN_SLOT  # R4.3, R4.4


@kernel
def select(s, c, a, token):
    """R5.2, R5.3 - mark the action; its colour is the Hero's initiative colour. Nothing is paid.

    A token from beside the board fills an open slot for good (R4.4).
    """
    ally = s.ally[a]
    if (ally.slot >> token) & 1 == 0:
        ally.slot |= 1 << token
        ally.open_slots -= 1
    ally.token = token
    row = c.sheet[a].token[token]
    ally.colour = c.token[row].colour
    ally.special = c.token[row].special
    ally.uses = default_use(ally.special)
    log(s, Event.SELECT, a, token, -1)
    ally.flipped = 0
    ally.focus_rolled = 0


@kernel
def default_use(special):
    """R15.2 to R15.4, R15.7 - which special initiative is used if nothing else is said: Last beats
    all, First goes before After-an-Ally, which stays an offer (Q27).
    """
    if special & Special.LAST:
        return Special.LAST.value
    if special & Special.FIRST:
        return Special.FIRST.value
    return int(special)


@kernel
def may_choose_special(s, a):
    """R15.7, R15.3 - has Hero a First and After-an-Ally, and not Last?"""
    both = Special.FIRST | Special.AFTER
    return placing.ally_stands(s, a) and s.ally[a].special == both and not s.ally[a].revived


@kernel
def use_special(s, a, special):
    """R15.7 - Hero a uses this one of its special initiatives (terms.Special)."""
    s.ally[a].uses = special
    log(s, Event.SPECIAL, a, special, -1)


@kernel
def special_denial(s, index):
    """R15.7 - may the Hero that is asked use special initiative 0 First, 1 Last, 2 After?"""
    has = (s.ally[s.asked].special >> index) & 1
    return Denial.NONE if has else Denial.NO_SUCH_ACTION


@kernel
def after_options(s):
    """R15.4, R5.16 - bits of the Heroes that may take their turn right after the one just ended."""
    return following(s) & allies_left(s)


@kernel
def following(s):
    """R15.4 - bits of the Allies with After-an-Ally."""
    bits = 0
    for a in range(N_ALLIES):
        bits |= int(s.ally[a].uses == Special.AFTER) << a
    return bits


@kernel
def may_wait(s, c):
    """R15.4 [P24] - can all Allies left on this bar let it pass, to follow one that acts later?"""
    options = ally_options(s, c)
    later = allies_left(s) & ~options
    return options & ~following(s) == 0 and later != 0 and s.bar != LAST_BAR


@kernel
def wait(s, c):
    """R15.4 - the Allies left on this bar wait for the turn of another one."""
    options = ally_options(s, c)
    for a in range(N_ALLIES):
        if (options >> a) & 1:
            s.ally[a].waits = 1


@kernel
def colour_denial(s, c, a, other):
    """R5.6 - may Hero a take the initiative colour of Ally `other` for 1 stamina?"""
    if not placing.ally_stands(s, a) or s.ally[a].kind != Kind.HERO or not c.sheet[a].tactics:
        return Denial.NO_SUCH_ACTION
    if not placing.ally_stands(s, other) or s.ally[other].colour == s.ally[a].colour:
        return Denial.SAME_AREA if other == a else Denial.NO_TARGET
    return stamina.spend_denial(s, a, TACTICS_COST)


@kernel
def take_colour(s, a, other):
    """R5.6 - Hero a acts with the colour of Ally `other` this round. Needs colour_denial NONE."""
    stamina.spend(s, a, TACTICS_COST)
    s.ally[a].colour = s.ally[other].colour
    log(s, Event.COLOUR, a, s.ally[a].colour, -1)


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
        chance.shuffle_initiative(s, c)
    there = s.n_initiative
    s.card = chance.take_top(s, s.initiative, there)
    s.n_initiative -= 1
    s.initiative_discard[s.n_initiative_discard] = s.card
    s.n_initiative_discard += 1
    s.result = there
    log(s, Event.CARD, -1, s.card, -1)


@kernel
def is_bar_enemy(s, c):
    """R5.8, R15.10 - whether the current bar is an Enemy bar, the one after all Allies included."""
    if s.bar == DELAYED_BAR:
        return True
    return FIRST_BAR < s.bar < LAST_BAR and c.card[s.card].enemy[s.bar - 1]


@kernel
def allies_left(s):
    """R5.16, R13.9 - bits of the Allies that have still to act this round."""
    bits = 0
    for a in range(N_ALLIES):  # without a jump: nothing foresees it, and it is asked at every bar
        ally = s.ally[a]
        left = placing.ally_stands(s, a) & (ally.acted == 0) & (ally.revived == 0)
        bits |= int(left) << a
    return bits


@kernel
def acts_now(s, c, a):
    """R5.14, R15.2, R15.3, R15.8 [Q27] - does ally a, still left, act on the current bar?"""
    ally = s.ally[a]
    if ally.uses == Special.LAST or ally.waits:
        return s.bar == LAST_BAR
    if ally.uses == Special.FIRST:
        return s.bar == FIRST_BAR
    if s.bar == FIRST_BAR or s.bar == LAST_BAR or c.card[s.card].enemy[s.bar - 1]:
        return False
    return ally.colour == c.card[s.card].colour[s.bar - 1]


@kernel
def ally_options(s, c):
    """R5.14, R5.16, R15.6 - bits of the Allies that act on the current bar and have not acted."""
    bits = rest = allies_left(s)
    while rest != 0:
        a = lowest(rest)
        rest &= rest - 1
        if not acts_now(s, c, a):
            bits ^= 1 << a
    return bits


@kernel
def enemies_now(s, c):
    """R5.11, R5.13, R5.16, R10.11, R15.10 [P26] - bits of the Enemies that take their turn on the
    current Enemy bar: on the map, and neither acted nor spawned this round.
    """
    delayed = s.bar == DELAYED_BAR
    types = -1 if delayed else int(c.types_by_colour[c.card[s.card].colour[s.bar - 1]])
    bits = 0
    for e in range(N_ENEMIES):  # without a jump: nothing foresees it, and it is asked every turn
        enemy = s.enemy[e]
        ready = placing.enemy_stands(s, e) & (enemy.acted == 0) & (enemy.spawned == 0)
        now = ready & ((enemy.last != 0) == delayed)
        bits |= (int(now) & (types >> max(0, int(enemy.type)))) << e
    return bits


@kernel
def bar_of(s, c, e):
    """R5.9, R5.11 - the Enemy bar of this round's card that enemy e reads, 0 to 5."""
    colour = c.type[s.enemy[e].type].colour
    card = c.card[s.card]
    bar = 0
    while not (card.enemy[bar] and card.colour[bar] == colour):
        bar += 1
    return bar


@kernel
def type_options(s, c):
    """R5.11, R5.15 - bits of the Enemy types with figures that act on the current bar."""
    return types_of(s, enemies_now(s, c)) if is_bar_enemy(s, c) else 0


@kernel
def types_of(s, enemies):
    """Bits of the types of these Enemies, bits too."""
    bits = 0
    while enemies != 0:
        bits |= 1 << int(s.enemy[lowest(enemies)].type)
        enemies &= enemies - 1
    return bits


@kernel
def next_of_type(s, enemies, kind):
    """R5.15 - of these Enemies, bits, the figure of a type with the lowest number, or -1."""
    nobody = best = SLOTS * SLOTS
    for e in range(N_ENEMIES):  # without a jump, as above
        of_type = (enemies >> e) & int(s.enemy[e].type == kind)
        best = min(best, SLOTS * int(s.enemy[e].number) + e if of_type else nobody)
    return best % SLOTS if best < nobody else -1


@kernel
def has_bonus(s, c, a):
    """R5.10, R15.2 [Q40, Q63] - does this round's card give ally a the bonus maneuver?"""
    ally = s.ally[a]
    if ally.special != 0 or s.card < 0:
        return False
    for bar in range(6):
        card = c.card[s.card]
        if not card.enemy[bar] and card.colour[bar] == ally.colour:
            return card.bonus[bar] == 1
    return False
