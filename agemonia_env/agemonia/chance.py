"""Every random event of the game, by name. A loaded face or card is used before chance.

| event | stream | draws |
|---|---|---|
| roll_action_die | ACTION_DICE | 1 |
| roll_reaction_die | REACTION_DICE | 1 |
| shuffle_initiative | INITIATIVE | cards - 1 |
| shuffle_fate | FATE | cards - 1 |
| draw_trap | TRAP | 1 |
| draw_injury | INJURY | 1 |
"""

from ..kernel.chance import draw_below
from ..kernel.jit import kernel
from .layout import N_FACES
from .terms import Die, Stream


@kernel
def take_loaded(s, stream, owner):
    """The next scripted value of `stream` for `owner`, or -1 if nothing is loaded for it."""
    for k in range(s.n_loaded):
        entry = s.loaded[k]
        if entry.stream == stream and (entry.owner == -1 or entry.owner == owner):
            value = int(entry.value)
            s.n_loaded -= 1
            for j in range(k, s.n_loaded):
                s.loaded[j].stream = s.loaded[j + 1].stream
                s.loaded[j].owner = s.loaded[j + 1].owner
                s.loaded[j].value = s.loaded[j + 1].value
            return value
    return -1


@kernel
def roll_die(s, c, die, a):
    """R3.1, R3.6 - a face of the die rolled by ally a: 0, 1, 2, FACE_EXTRA or FACE_SYMBOL."""
    stream = Stream.ACTION_DICE if die == Die.ACTION else Stream.REACTION_DICE
    if s.n_loaded > 0:
        face = take_loaded(s, stream, a)
        if face >= 0:
            return face
    k = draw_below(s.chance, stream, N_FACES)
    return int(c.action_die[k] if die == Die.ACTION else c.reaction_die[k])


@kernel
def shuffle(s, stream, cards, n):
    """Shuffle cards[:n], or put them in the order loaded for `stream`."""
    if s.n_loaded > 0:
        first = take_loaded(s, stream, -1)
        if first >= 0:
            cards[0] = first
            for k in range(1, n):
                cards[k] = take_loaded(s, stream, -1)
            return
    for k in range(n - 1, 0, -1):
        j = draw_below(s.chance, stream, k + 1)
        card = cards[k]
        cards[k] = cards[j]
        cards[j] = card


@kernel
def draw_trap(s, c):
    """R19.8 - the top Trap card, drawn from all and shuffled back; -1 if there are none."""
    if c.n_traps == 0:
        return -1
    if s.n_loaded > 0:
        card = take_loaded(s, Stream.TRAP, -1)
        if card >= 0:
            return card
    return draw_below(s.chance, Stream.TRAP, c.n_traps)


@kernel
def draw_injury(s, c):
    """R13.14 - an Injury card that nobody holds, or any if all are held; 0 if none exist [P8]."""
    free = 0
    for card in range(c.n_injuries):
        free += is_injury_free(s, card)
    if free == 0:
        return draw_below(s.chance, Stream.INJURY, max(1, c.n_injuries))
    k = draw_below(s.chance, Stream.INJURY, free)
    for card in range(c.n_injuries):
        if is_injury_free(s, card):
            if k == 0:
                return card
            k -= 1
    return 0


@kernel
def is_injury_free(s, card):
    """Whether no Ally holds the Injury card."""
    for a in range(len(s.ally)):
        if s.ally[a].injury[card] > 0:
            return False
    return True
