"""Put the cards that a plan names together, and what it says of set-up, objective and events.

Rows and numbers come in the order in which content/compile.py gives them, so that a drawn scenario
is, byte for byte, the one compiled from its file.
"""

from agemonia_env.core.jit import kernel

from ..layout import (
    EXTRA_MANEUVER,
    N_ALLIES,
    N_ATTACKS,
    N_EFFECTS,
    N_PASSIVES,
    N_STRIKES,
    N_TOKENS,
)
from ..terms import Objective, Op, Trait, Trigger, When
from .plan import Line

PRINTED = EXTRA_MANEUVER + 1  # tokens on every Hero board


@kernel
def put_together(work, library, contents, c):
    """Write everything but the tables of the map into c, which is library.content.

    contents: the rows of the library's parts from library.first_row on.
    """
    plan, t = work.plan, work.plan.linking
    clear(t)
    write_areas(plan, t, c)
    write_setup(plan, t, library, contents, c)
    name_items(plan, t, library, c)
    add_allies(plan, t, library, contents, c)
    write_sections(plan, t, c)
    write_end(plan, t, library, c)
    write_events(plan, t, c)
    add_items(t, library, contents, c)


@kernel
def clear(t):
    """Nothing has a row or a number yet."""
    t.failed = 0
    t.token, t.attack, t.strike, t.effect, t.passive = 0, 0, 0, 0, 0
    t.type_of[:] = -1
    t.item_of[:] = -1
    t.figure_of[:] = -1
    t.ally_of[:] = -1
    t.used[:] = 0


# ---- numbers ------------------------------------------------------------------------------------
@kernel
def number_of(t, numbers, cards, n, card):
    """The number of a card of the pack in the scenario: one of n, or n if it comes along now."""
    if numbers[card] < 0:
        if n == len(cards):
            t.failed = 1
            return 0
        numbers[card] = n
        cards[n] = card
    return int(numbers[card])


@kernel
def type_number(t, c, enemy):
    """The number of an Enemy card."""
    number = number_of(t, t.type_of, t.type, c.n_types, enemy)
    c.n_types = max(c.n_types, number + 1)
    return number


@kernel
def item_number(t, c, item):
    """The number of an item; without its card it has one trait."""
    number = number_of(t, t.item_of, t.item, c.n_items, item)
    c.n_items = max(c.n_items, number + 1)
    c.traits[number + 1] |= Trait.ITEM.value
    return number


@kernel
def figure_number(t, c, figure):
    """The number of a token or pet."""
    number = number_of(t, t.figure_of, t.figure, c.n_figures, figure)
    c.n_figures = max(c.n_figures, number + 1)
    return number


# ---- parts --------------------------------------------------------------------------------------
@kernel
def add_part(t, c, part, own):
    """Add the rows of a part, but tokens, at the end of each table.

    Rows of the part that refer to others are moved; see the `moved` kernels.
    """
    fits = t.attack + part.n_attacks <= N_ATTACKS and t.strike + part.n_strikes <= N_STRIKES
    fits = fits and t.passive + part.n_passives <= N_PASSIVES
    if not fits or t.effect + part.n_effects - 1 > N_EFFECTS:
        t.failed = 1
        return
    for k in range(part.n_types):
        type_number(t, c, part.type[k])
    for k in range(part.n_items):
        item_number(t, c, part.item[k])
    for k in range(part.n_figures):
        figure_number(t, c, part.figure[k])
    for k in range(part.n_effects - 1):
        row, own_row = c.effect[t.effect + k], own.effect[k + 1]
        row.op, row.amount, row.range = own_row.op, own_row.amount, own_row.range
        row.a, row.b = moved_subject(t, part, own_row), own_row.b
    for k in range(part.n_attacks):
        c.attack[t.attack + k] = own.attack[k]
    for k in range(part.n_strikes):
        c.strike[t.strike + k] = own.strike[k]
    for k in range(part.n_passives):
        c.passive[t.passive + k] = own.passive[k]


@kernel
def end_part(t, part):
    """The rows of the part are in use."""
    t.effect += part.n_effects - 1
    t.attack += part.n_attacks
    t.strike += part.n_strikes
    t.passive += part.n_passives


@kernel
def moved_subject(t, part, row):
    """What a row of effects names, in the scenario."""
    a = int(row.a)
    match row.op:
        case Op.ATTACK:
            return a + t.attack
        case Op.STRIKE:
            return a + t.strike
        case Op.LOCK:
            return a + t.passive
        case Op.SUMMON | Op.COMMAND:
            return int(t.figure_of[part.figure[a]])
        case Op.SPAWN:
            return int(t.type_of[part.type[a]])
        case Op.SUMMON_ALLY:
            return int(t.ally_of[part.ally[a]])
        case _:
            return a


@kernel
def moved_effect(t, first):
    """Where the effects of a part that begin at a row begin in the scenario; 0 = none."""
    return t.effect + first - 1 if first > 0 else 0


# ---- map and Enemies ----------------------------------------------------------------------------
@kernel
def write_areas(plan, t, c):
    """Areas, and what lies in them."""
    c.n_areas = plan.n_areas
    for x in range(plan.n_areas):
        c.capacity[x], c.level[x], c.trap_at[x] = plan.capacity[x], plan.level[x], plan.trap[x]
        if plan.portal[x]:
            c.token_colour[x], c.token_active[x] = 0, 1
        for k in range(plan.n_at[x]):
            c.item_at[x, k] = item_number(t, c, plan.item_at[x, k])


@kernel
def write_setup(plan, t, library, contents, c):
    """Enemies placed at set-up, and the cards of all that may come."""
    for k in range(plan.n_setup):
        type_number(t, c, plan.setup_type[k])
    for k in range(plan.n_setup):
        enemy, area = plan.setup_type[k], plan.setup_area[k]
        c.setup_type[k], c.setup_area[k] = t.type_of[enemy], area
        t.used[area] += library.size[enemy]
        if t.used[area] > plan.capacity[area]:
            t.failed = 1
    c.n_setup = plan.n_setup
    for k in range(plan.n_events):
        if plan.reinforces[k] >= 0:
            type_number(t, c, plan.reinforces[k])
    k = 0
    while k < c.n_types and not t.failed:
        add_type(plan, t, library, contents, c, k)
        k += 1


@kernel
def add_type(plan, t, library, contents, c, k):
    """The card of type k."""
    enemy = t.type[k]
    part = library.part[library.first_enemy + enemy]
    own = contents[library.first_row + library.first_enemy + enemy]
    add_part(t, c, part, own)
    c.type[k] = own.type[0]
    card = c.type[k]
    for j in range(plan.n_setup):
        if plan.setup_type[j] == enemy:
            card.base, card.per_hero = library.tough_base[enemy], library.tough_per_hero[enemy]
    card.figures = k
    for eye in range(3):
        card.strike[eye] += t.strike if card.strike[eye] >= 0 else 0
        card.horns_first[eye] = moved_effect(t, card.horns_first[eye])
    card.snake_first = moved_effect(t, card.snake_first)
    card.defeat_first = moved_effect(t, card.defeat_first)
    if card.leave >= 0:
        card.leave = t.item_of[part.item[card.leave]]
    c.types_by_colour[card.colour] |= 1 << k
    for eye in range(4):
        c.attack_value[k, eye] = own.attack_value[0, eye]
        c.attack_reach[k, eye] = own.attack_reach[0, eye]
    end_part(t, part)


# ---- Allies -------------------------------------------------------------------------------------
@kernel
def name_items(plan, t, library, c):
    """Items that Heroes carry, or that are to be collected."""
    for k in range(library.n_party):
        part = library.part[plan.hero[k]]
        for j in range(part.n_items):
            item_number(t, c, part.item[j])
    if plan.objective == Objective.COLLECT:
        item_number(t, c, plan.subject)


@kernel
def add_allies(plan, t, library, contents, c):
    """Heroes, the Ally to escort, and the one that the party may summon."""
    first_effect = t.effect  # of tokens without effects
    c.n_heroes = library.n_party
    for slot in range(library.n_party):
        own = contents[library.first_row + plan.hero[slot]]
        c.start[slot] = start_area(plan, t, 1)
        c.sheet[slot] = own.sheet[0]
        for k in range(PRINTED):
            c.token[t.token] = own.token[k]
            c.token[t.token].first = first_effect
            c.sheet[slot].token[k] = t.token
            t.token += 1
    c.n_allies = library.n_party
    if plan.objective == Objective.ESCORT:
        add_companion(plan, t, library, contents, c, plan.subject, False)
    summoned = summoned_ally(plan, t, library, c)
    if summoned >= 0 and t.ally_of[summoned] < 0:
        add_companion(plan, t, library, contents, c, summoned, True)
    for slot in range(library.n_party):
        add_board(t, library, contents, c, plan.hero[slot], slot, PRINTED)
    for slot in range(library.n_party, c.n_allies):
        for ally in range(library.n_allies):
            if t.ally_of[ally] == slot:
                add_board(t, library, contents, c, library.first_ally + ally, slot, 0)


@kernel
def add_companion(plan, t, library, contents, c, ally, waits):
    """R18.1 - a Non-Hero Ally at the start, or waiting off the map."""
    slot = int(c.n_allies)
    if slot == N_ALLIES:
        t.failed = 1
        return
    t.ally_of[ally] = slot
    c.sheet[slot] = contents[library.first_row + library.first_ally + ally].sheet[0]
    c.start[slot] = -1 if waits else start_area(plan, t, int(c.sheet[slot].size))
    c.sheet[slot].waiting = waits
    c.n_allies += 1


@kernel
def summoned_ally(plan, t, library, c):
    """R18.6 - the Ally that effects of the party or of items here summon; -1 = none.

    A party that summons two is refused.
    """
    found = -1
    for k in range(library.n_party + c.n_items):
        if k < library.n_party:
            part = int(plan.hero[k])
        else:
            part = library.first_item + t.item[k - library.n_party]
        ally = library.summons[part]
        escorted = ally >= 0 and t.ally_of[ally] >= 0
        if ally >= 0 and not escorted:
            if found >= 0 and found != ally:
                t.failed = 1
            found = ally
    return found


@kernel
def start_area(plan, t, size):
    """R4.2 - the start area, or an area next to it that has room."""
    for near in range(3):
        for x in range(plan.n_areas):
            line = plan.border[min(x, plan.start), max(x, plan.start)]
            walkable = line == Line.SINGLE or line == Line.HEIGHT
            wanted = (near == 0 and x == plan.start) or (near == 1 and walkable)
            wanted = wanted or (near == 2 and (walkable or line == Line.DOUBLE))
            if wanted and t.used[x] + size <= plan.capacity[x]:
                t.used[x] += size
                return x
    t.failed = 1
    return 0


@kernel
def add_board(t, library, contents, c, number, slot, printed):
    """The actions of an Ally, part `number`, and what its board says of them."""
    part, own, sheet = library.part[number], contents[library.first_row + number], c.sheet[slot]
    if t.token + part.n_tokens - printed > len(c.token):
        t.failed = 1
        return
    add_part(t, c, part, own)
    for k in range(printed, part.n_tokens):
        c.token[t.token] = own.token[k]
        c.token[t.token].first = moved_effect(t, own.token[k].first)
        t.token += 1
    base = t.token - part.n_tokens
    for k in range(N_TOKENS):
        if sheet.token[k] >= 0 and k >= printed:
            sheet.token[k] = base + own.sheet[0].token[k]
    for k in range(len(sheet.item)):
        if sheet.item[k] >= 0:
            sheet.item[k] = t.item_of[part.item[sheet.item[k]]]
    sheet.skills += t.passive if sheet.skills >= 0 else 0
    end_part(t, part)


# ---- the rest -----------------------------------------------------------------------------------
@kernel
def add_row(t, c, op, amount, a, b):
    """Add a row of effects."""
    if t.effect == N_EFFECTS:
        t.failed = 1
        return
    row = c.effect[t.effect]
    row.op, row.amount, row.range, row.a, row.b = op, amount, 0, a, b
    t.effect += 1


@kernel
def write_sections(plan, t, c):
    """R19.11 - story sections with a check, each a step of the objective."""
    for k in range(plan.n_gates):
        section = c.section[k]
        section.area, section.trigger, section.range = plan.gate[k], Trigger.CHOICE, 0
        section.repeats, section.maneuver = 0, 1
        section.number, section.abilities = plan.gate_number[k], plan.gate_abilities[k]
        section.first, section.n = t.effect, 1
        add_row(t, c, Op.ADVANCE, 1, -1, -1)
        section.fail_first, section.fail_n = t.effect, 1
        add_row(t, c, Op.HARM, 1, -1, -1)
        c.by_choice |= 1 << k
    c.n_stories = plan.n_gates


@kernel
def write_end(plan, t, library, c):
    """Objective and last round."""
    c.objective, c.objective_number = plan.objective, plan.number
    c.objective_subject = -1
    match plan.objective:
        case Objective.DEFEAT_TYPE:
            c.objective_subject = t.type_of[plan.subject]
        case Objective.COLLECT:
            c.objective_subject = t.item_of[plan.subject]
        case Objective.ESCORT:
            c.objective_subject = t.ally_of[plan.subject]
    c.goal = (1 << plan.goal) if plan.goes_to else 0
    c.last_round = max(1, plan.last_round + library.rounds)


@kernel
def write_events(plan, t, c):
    """Reinforcements, and traps that are set again."""
    for k in range(plan.n_events):
        event, enemy = c.event[k], plan.reinforces[k]
        event.when, event.number, event.subject = When.ROUND, plan.round[k], -1
        event.first = t.effect
        if enemy >= 0:
            op = Op.REINFORCE_PER_HERO if plan.per_hero else Op.REINFORCE
            add_row(t, c, op, 1, t.type_of[enemy], plan.goal)
        else:
            for j in range(plan.n_places[k]):
                add_row(t, c, Op.TRAP, 1, -1, plan.place[k, j])
        event.n = t.effect - event.first
    c.n_events = plan.n_events


@kernel
def add_items(t, library, contents, c):
    """Cards of the items that can occur, and of all tokens and pets."""
    n = int(c.n_items)
    for k in range(n):
        number = library.first_item + t.item[k]
        part, own = library.part[number], contents[library.first_row + number]
        add_part(t, c, part, own)
        c.item[k] = own.item[0]
        item = c.item[k]
        item.first = moved_effect(t, item.first)
        item.passive += t.passive if item.passive >= 0 else 0
        if item.pet >= 0:
            item.pet = t.figure_of[part.figure[item.pet]]
        c.traits[k + 1] = own.traits[1]
        end_part(t, part)
    for k in range(c.n_figures):
        c.figure[k] = library.figure[t.figure[k]]
