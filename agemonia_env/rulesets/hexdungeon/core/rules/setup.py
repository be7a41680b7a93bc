"""Setting up a scenario."""

from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import push

from .. import hexset
from ..layout import MAX_EFFECTS, N_ACTIVE, N_FIGURES, N_HEROES, N_TRAPS, N_TYPES, SUPPLY
from ..terms import Place, Proc, Side, Stream
from . import rooms
from .deck import shuffle
from .figures import put_on


@kernel
def clear(s):
    """A zeroed state becomes an empty table: nothing that has a number is there."""
    for f in range(N_FIGURES):
        s.figure[f].at = -1
        s.figure[f].kind = -1
        s.figure[f].owner = -1
    for h in range(N_HEROES):
        s.hero[h].lead = -1
        s.hero[h].second = -1
    for slot in range(N_ACTIVE):
        active = s.active[slot]
        active.owner = -1
        active.card = -1
        active.bonus = -1
        active.summon = -1
    for kind in range(N_TYPES):
        s.type[kind].card = -1
    for k in range(N_TRAPS):
        s.trap[k].at = -1
    clear_turn(s)
    s.bless = SUPPLY
    s.curse_monster = SUPPLY
    s.curse_hero = SUPPLY


@kernel
def clear_turn(s):
    """Nobody acts and nothing is asked."""
    s.asked = -1
    s.subject = -1
    s.answer = -1
    s.turn = -1
    s.half = -1
    s.row = -1
    s.card = -1
    s.actor = -1
    s.lost_card = -1
    s.focus = -1
    s.sprung = -1
    s.shared = -1
    s.move.by = -1
    s.strike.by = -1
    s.strike.target = -1
    s.strike.template = -1
    s.strike.aimed = -1
    s.strike.orientation = -1
    s.force.by = -1
    s.force.target = -1
    s.harm.to = -1
    s.harm.first = -1
    s.harm.by = -1


@kernel
def set_up(s, c):
    """A zeroed state, its streams of chance seeded, becomes a scenario begun: round 1 is next."""
    clear(s)
    copy_board(c.board, s.board)
    hexset.keep(s.loot, hexset.of(c.loot))
    s.n_traps = c.n_traps
    for k in range(c.n_traps):
        s.trap[k].at = c.trap[k].at
        s.trap[k].damage = c.trap[k].damage
        s.trap[k].conditions = c.trap[k].conditions
    for d in range(c.n_heroes + 1):
        make_deck(s, c, d)
    for h in range(c.n_heroes):
        place_hero(s, c, h)
    for kind in range(c.n_types):
        make_ability_deck(s, c, kind)
    for k in range(c.n_spawns):
        s.left += c.spawn[k].room > 0
    rooms.reveal(s, c, 0)
    push(s, Proc.ROUND_START)


@kernel
def copy_board(source, board):
    """A board as another one is."""
    board.width = source.width
    board.height = source.height
    board.stride = source.stride
    board.share = source.share
    board.n_walls = source.n_walls
    board.n_lines = source.n_lines
    board.terrain = source.terrain
    board.lined = source.lined
    board.linked = source.linked
    board.hexes = source.hexes
    board.floor = source.floor
    board.wall_x = source.wall_x
    board.wall_y = source.wall_y
    board.line = source.line


@kernel
def make_deck(s, c, d):
    """G1.1, G1.2 - a standard modifier deck, shuffled."""
    deck = s.deck[d]
    deck.n_own = c.n_deck
    deck.n_pile = c.n_deck
    for k in range(c.n_deck):
        deck.pile[k] = k
        card, source = deck.card[k], c.deck[k]
        card.number = source.number
        card.worth = source.worth
        card.rolling = source.rolling
        card.supplied = source.supplied
        for i in range(MAX_EFFECTS):
            card.effect[i] = source.effect[i]
            card.amount[i] = source.amount[i]
    shuffle(deck, s.chance, Stream.MODIFIERS + d)


@kernel
def make_ability_deck(s, c, kind):
    """G13.1 - the ability cards of a monster type, shuffled."""
    deck = s.type[kind]
    deck.n_pile = c.kind[kind].n_cards
    for k in range(deck.n_pile):
        deck.pile[k] = k
    shuffle(deck, s.chance, Stream.MONSTER_CARDS)


@kernel
def place_hero(s, c, h):
    """A character comes on its start hex with all its cards in hand."""
    figure, sheet = s.figure[h], c.hero[h]
    figure.side = Side.HERO
    put_on(s, h, int(sheet.start))
    figure.hp = sheet.hp
    figure.max_hp = sheet.hp
    for card in range(sheet.n_cards):
        s.hero[h].place[card] = Place.HAND
