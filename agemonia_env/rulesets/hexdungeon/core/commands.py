"""Single rules on a position, outside the course of a game.

`perform` begins a verb of the rulebook on a state if the rules allow it; `flow` then runs it, with
questions as in a game. Cases and planners use it. Arguments are int32 (N_ARGUMENTS,); a figure is
its slot, a deck 0 for the monsters' or 1 + its character's slot, absent is -1.
"""

from enum import IntEnum

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from . import effects, hexset
from .hexset import EMPTY, MAX_HEXES
from .layout import N_FIGURES
from .rules import (
    advantage,
    area,
    attack,
    board,
    bonus,
    condition,
    deck,
    distance,
    figures,
    force,
    hand,
    hand_management,
    harm,
    heal,
    monster_actions,
    order,
    rounds,
    sight,
    terrain,
    travel,
)
from .terms import Denial, Effect, Event, Place, Source, Stream, Terrain

N_ARGUMENTS = 32
N_ANSWERS = MAX_HEXES


class Verb(IntEnum):
    """Verbs and their arguments."""

    LINE = 0  # figure, row; of an attack: added to its value, doublings
    DRAW = 1  # deck, terms.Draw, value
    SUPPLY = 2  # deck (-1: the figure's), figure, BLESS or CURSE, place from the top (-1: any)
    DAMAGE = 3  # figure, amount, terms.Source, Pierce
    GAIN = 4  # figure, bits of terms.Effect
    START_TURN = 5  # figure
    END_TURN = 6  # figure
    START_ROUND = 7
    END_ROUND = 8
    SELECT = 9  # character, card, card; with -1 a long rest
    PLAY = 10  # character, card, Use, loss, bonus, bits of figures served, summon
    REMOVE = 11  # character, card
    RECOVER = 12  # character, card
    REST = 13  # character, 0 short / 1 long, card lost, another in its place
    FORCE = 14  # figure, figure that is moved, hexes, 1 = pull
    LOSE_FLIGHT = 15  # figure
    PLACE_OBSTACLE = 16  # hex


class Use(IntEnum):
    """How a card is played (G14.2)."""

    PRINTED = 0
    BASIC = 1  # as Attack 2 or Move 2
    UNUSED = 2


class Query(IntEnum):
    """Questions about a position; answers go to int16 (N_ANSWERS,). The state is scratch."""

    RANGE = 0  # hex, hex -> range; -1 = there is no way
    SEES = 1  # hex, hex -> 0/1
    ORIENTATIONS = 2  # template -> number
    PLACEMENT = 3  # figure, template, n, hexes -> 0/1, orientation, red hex on the first of them
    HITS = 4  # figure, row, hex, orientation, red hex on that hex -> per figure 0/1
    ATTACKABLE = 5  # figure, row -> per figure 0/1
    COSTS = 6  # figure, terms.Mode -> per hex the fewest points to end there; -1 = it cannot
    FORCED = 7  # figure, figure, 1 = pull -> per direction the hex moved to; -1 = none
    SHIELD = 8  # figure -> Shield
    HEALED = 9  # monster, range -> per figure 0/1
    MAY_MOVE = 10  # figure -> 0/1
    TURN_ORDER = 11  # -> number of figures, figures
    MONSTER_TURN = 12  # figure, move, terms.Mode, row (-1 = no attack) -> number of outcomes


@kernel
def query(s, c, question, x, plan, out):
    """Answer a question about the position into out, int16 (N_ANSWERS,)."""
    a, b = int(x[0]), int(x[1])
    out[:] = 0
    match question:
        case Query.RANGE:
            out[0] = distance.range_between(s.board, a, b) if on_floor(s, a, b) else -1
        case Query.SEES:
            out[0] = on_floor(s, a, b) and sight.sees(s.board, a, b)
        case Query.ORIENTATIONS:
            area.settle_template(c.template[a])
            out[0] = c.template[a].n_orientations
        case Query.PLACEMENT:
            write_placement(s, c, x, out)
        case Query.HITS:
            write_hits(s, c, x, out)
        case Query.ATTACKABLE:
            write_attackable(s, c, a, b, out)
        case Query.COSTS:
            write_costs(s, a, b, out)
        case Query.FORCED:
            force.begin(s, a, b, 1, x[2], True)
            for direction in range(6):
                there = board.neighbour(s.board, int(s.figure[b].at), direction)
                out[direction] = there if force.is_open(s, direction) else -1
        case Query.MAY_MOVE:
            out[0] = travel.begin_denial(s, a) == Denial.NONE
        case Query.SHIELD:
            out[0] = bonus.standing_shield(s, c, a)
        case Query.HEALED:
            write_bits(heal.most_hurt(s, a, b), out)
        case Query.TURN_ORDER:
            write_turn_order(s, out)
        case _:
            out[0] = write_outcomes(s, c, a, b, int(x[2]), int(x[3]), plan)


@kernel
def on_floor(s, a, b):
    """Whether both hexes are on the board and no walls."""
    floor = hexset.of(s.board.floor)
    return min(a, b) >= 0 and hexset.has(floor, a) and hexset.has(floor, b)


@kernel
def write_bits(bits, out):
    """Figures of some bits, one answer each."""
    for f in range(N_FIGURES):
        out[f] = (bits >> f) & 1


@kernel
def red_hexes(s, c, template, own, at, orientation, cell):
    """Hexes of the board under a template whose red hex `cell` lies on hex `at`, if it may."""
    shape = c.template[template]
    red = EMPTY
    if shape.grey and area.cell_at(s.board, shape, orientation, cell, own, -1) != at:
        return red
    for k in range(shape.n_cells):
        if shape.grey:
            h = area.cell_at(s.board, shape, orientation, k, own, -1)
        else:
            h = area.cell_at(s.board, shape, orientation, k, at, cell)
        if h >= 0:
            red = hexset.union(red, hexset.only(h))
    return red


@kernel
def write_placement(s, c, x, out):
    """G5.2, G5.3 - whether some placement of a template covers just these hexes, and which."""
    own, template, n = int(s.figure[x[0]].at), int(x[1]), int(x[2])
    area.settle_template(c.template[template])
    wanted = EMPTY
    for k in range(n):
        wanted = hexset.union(wanted, hexset.only(int(x[3 + k])))
    for orientation in range(c.template[template].n_orientations):
        for cell in range(c.template[template].n_cells):
            red = red_hexes(s, c, template, own, int(x[3]), orientation, cell)
            if red == wanted:
                out[0] = 1
                out[1] = orientation
                out[2] = cell
                return


@kernel
def write_hits(s, c, x, out):
    """G5.4 to G5.8 - the figures attacked by a placement, if it is within range."""
    at, orientation, cell = int(x[2]), int(x[3]), int(x[4])
    attack.begin(s, c, int(x[0]), int(x[1]))
    if attack.is_placement(s, c, at, orientation, cell):
        write_bits(attack.covered_by(s, c, at, orientation, cell), out)


@kernel
def write_attackable(s, c, f, row, out):
    """G3, G5, G6 - the figures that an attack may hit, by any placement of its template."""
    if c.row[row].template >= 0:
        area.settle_template(c.template[c.row[row].template])
    attack.begin(s, c, f, row)
    for e in range(N_FIGURES):
        if c.row[row].template >= 0:
            out[e] = attack.aim_denial(s, c, e) == Denial.NONE
        else:
            out[e] = attack.reach_denial(s, e) == Denial.NONE


@kernel
def write_costs(s, f, mode, out):
    """G12.1 to G12.7 - fewest movement points to end on each hex; -1 = the figure cannot."""
    out[:] = -1
    ends = travel.places_to_end(s, f, mode)
    enter = travel.passable(s, f, mode)
    due, soon, seen = hexset.only(int(s.figure[f].at)), EMPTY, EMPTY
    points = 0
    while not hexset.is_empty(hexset.union(due, soon)):
        new = hexset.without(due, seen)
        seen = hexset.union(seen, new)
        step = hexset.common(board.neighbours(s.board, new), enter)
        due, soon = soon, EMPTY
        while not hexset.is_empty(step):
            h = hexset.lowest(step)
            step = hexset.without(step, hexset.only(h))
            if travel.cost_of(s, mode, h) > 1:
                soon = hexset.union(soon, hexset.only(h))
            else:
                due = hexset.union(due, hexset.only(h))
        rest = hexset.common(new, ends)
        while not hexset.is_empty(rest):
            h = hexset.lowest(rest)
            rest = hexset.without(rest, hexset.only(h))
            out[h] = points + (travel.landing_cost(s, mode, h) if points else 0)
        points += 1
    out[s.figure[f].at] = 0


@kernel
def write_turn_order(s, out):
    """G13.1, G13.2 - how many figures have a turn this round, and which, one after another."""
    s.turn = -1
    s.acted = 0
    f = order.next_figure(s)
    while f >= 0:
        out[0] += 1
        out[out[0]] = f
        s.turn = f
        s.acted |= 1 << int(f)
        f = order.next_figure(s)


@kernel
def write_outcomes(s, c, f, move, mode, row, plan):
    """G13 - all allowed outcomes of a monster's turn, targets as bits of figures -> how many.

    None = it stays where it is and attacks nobody; -1 = more than there is room for.
    """
    if figures.has(s, f, Effect.STUN):
        return 0
    if row >= 0 and c.row[row].template >= 0:
        area.settle_template(c.template[c.row[row].template])
    monster_actions.write_ties(s, c, f, move, mode, row, False, plan)
    for n in range(plan.n_outcomes):
        plan.outcome[n].attacked = monster_actions.figures_of(plan.turn, plan.outcome[n].attacked)
    return -1 if plan.overflow else plan.n_outcomes


# ---- verbs --------------------------------------------------------------------------------------
@kernel
def perform(s, c, verb, x):
    """Begin a verb with arguments x -> Denial; NONE = begun, run on with flow."""
    f, n = int(x[0]), int(x[1])
    match verb:
        case Verb.LINE:
            return perform_line(s, c, x)
        case Verb.DRAW:
            draw(s, f, n, int(x[2]))
        case Verb.SUPPLY:
            return supply(s, f, n, int(x[2]), int(x[3]))
        case Verb.PLACE_OBSTACLE:
            denial = terrain.obstacle_denial(s, f) if f >= 0 else Denial.WALL
            if denial == Denial.NONE:
                terrain.set_terrain(s, Terrain.OBSTACLE, f, True)
            return denial
        case Verb.SELECT | Verb.PLAY | Verb.REMOVE | Verb.RECOVER | Verb.REST:
            return perform_card(s, c, verb, x)
        case Verb.START_ROUND | Verb.END_ROUND:
            return perform_round(s, c, verb)
        case _:
            if not figures.is_present(s, f):
                return Denial.NO_SUCH_FIGURE
            return perform_figure(s, c, verb, x)
    return Denial.NONE


@kernel
def perform_line(s, c, x):
    """G7, G8, G12 - a figure performs a line of a card."""
    f, row = int(x[0]), int(x[1])
    if not figures.is_present(s, f):
        return Denial.NO_SUCH_FIGURE
    denial = effects.denial(s, c, f, row)
    if denial == Denial.NONE:
        if c.row[row].template >= 0:
            area.settle_template(c.template[c.row[row].template])
        s.card = -1
        effects.begin(s, c, f, row)
        s.strike.bonus += x[2]
        s.strike.doublings += x[3]
    return denial


@kernel
def supply(s, d, f, effect, position):
    """G1.9, G10.13 - a bless or curse for deck d, or for that of a figure (d = -1)."""
    if d < 0:
        if s.figure[f].dead:
            return Denial.DEAD
        d = figures.deck_of(s, f)
    if position > s.deck[d].n_pile:
        return Denial.NO_ROOM
    condition.add_card(s, d, effect, d == 0, position)
    return Denial.NONE


@kernel
def draw(s, d, mode, value):
    """G1, G2 - cards are drawn as for an attack of this value; nobody is attacked."""
    cards = s.deck[d]
    advantage.draw(cards, mode, value, s.chance, Stream.MODIFIERS + d)
    condition.return_revealed(s, d)
    for k in range(cards.n_drawn):
        log(s, Event.CARD, d, cards.drawn[k], -1, cards.applied[k])
    log(s, Event.STRIKE, -1, max(0, deck.modified(cards, value)), -1)


@kernel
def perform_figure(s, c, verb, x):
    """What happens to a figure on the board."""
    f, n = int(x[0]), int(x[1])
    match verb:
        case Verb.DAMAGE:
            if x[2] == Source.ATTACK:
                attack.suffer_attack(s, c, f, n, int(x[3]))
            else:
                harm.begin(s, f, n, x[2], -1)
        case Verb.GAIN:
            condition.gain_all(s, f, n)
        case Verb.FORCE:
            if not figures.is_present(s, n):
                return Denial.NO_SUCH_FIGURE
            if not figures.are_enemies(s, f, n):
                return Denial.NOT_AN_ENEMY
            force.begin(s, f, n, int(x[2]), x[3], True)
        case Verb.START_TURN:
            s.turn = f
            rounds.suffer_wound(s, f)
        case Verb.END_TURN:
            rounds.end_turn(s, f)
            if s.turn == f:
                s.turn = -1
        case _:
            terrain.lose_flight(s, c, f)
    return Denial.NONE


@kernel
def perform_card(s, c, verb, x):
    """G11, G14 - the ability cards of a character."""
    h, card = int(x[0]), int(x[1])
    if s.figure[h].exhausted:
        return Denial.DEAD
    match verb:
        case Verb.SELECT:
            return select_denial(s, h, card, int(x[2]))
        case Verb.PLAY:
            return play(s, c, x)
        case Verb.REST:
            return rest(s, x)
        case Verb.REMOVE:
            slot = hand.active_slot(s, h, card)
            if slot < 0:
                return Denial.NOT_ACTIVE
            bonus.remove(s, slot)
        case _:
            s.actor = h
            denial = effects.recover_denial(s, card)
            if figures.has(s, h, Effect.STUN):
                denial = Denial.STUNNED
            if denial == Denial.NONE:
                hand.put(s, h, card, Place.HAND)
            return denial
    return Denial.NONE


@kernel
def select_denial(s, h, lead, second):
    """G14.1 - why character h cannot choose two cards, or a long rest (-1) -> Denial."""
    if lead < 0:
        return hand_management.rest_denial(s, h)
    if lead == second:
        return Denial.CARD_USED
    denial = hand_management.lead_denial(s, h, lead)
    return denial if denial != Denial.NONE else hand_management.lead_denial(s, h, second)


@kernel
def rest(s, x):
    """G14.4 - a long rest, or a short one, whose random cards are given."""
    h, card, instead = int(x[0]), int(x[2]), int(x[3])
    denial = hand_management.rest_denial(s, h)
    if denial == Denial.NONE:
        denial = hand_management.lose_denial(s, h, card)
    if denial == Denial.NONE and instead >= 0:
        denial = hand_management.lose_denial(s, h, instead) if instead != card else Denial.CARD_USED
    if denial == Denial.NONE:
        if x[1]:
            hand_management.long_rest(s, h, card)
        else:
            hand_management.short_rest(s, h, instead if instead >= 0 else card, instead >= 0)
    return denial


@kernel
def play(s, c, x):
    """G14.2, G14.3, G11.1 - a card of the hand goes to the discards, lost or active."""
    h, card, loss = int(x[0]), int(x[1]), x[3] != 0
    if s.hero[h].place[card] != Place.HAND:
        return Denial.NOT_IN_HAND
    if x[2] != Use.UNUSED and figures.has(s, h, Effect.STUN):
        return Denial.STUNNED
    if x[2] == Use.PRINTED and x[4] >= 0:
        bonus.start(s, c, h, card, int(x[4]), loss, int(x[5]), int(x[6]))
    else:
        lost = loss and x[2] == Use.PRINTED
        hand.put(s, h, card, Place.LOST if lost else Place.DISCARD)
    return Denial.NONE


@kernel
def perform_round(s, c, verb):
    """G14.5, G14.6 - a round begins or ends; nobody chooses cards or rests."""
    if verb == Verb.START_ROUND:
        hand_management.exhaust(s)
    else:
        rounds.end_round(s, c)
    return Denial.NONE
