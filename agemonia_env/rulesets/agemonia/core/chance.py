"""Every random event of the game, by name. A loaded face or card is used before chance.

| event | stream | draws |
|---|---|---|
| roll_action_die | ACTION_DICE | 1 |
| roll_reaction_die | REACTION_DICE | 1 |
| shuffle_initiative | INITIATIVE | 1 |
| shuffle_fate | FATE | cards - 1 |
| draw_trap | TRAP | 1 |
| draw_injury | INJURY | 1 |

A round, a turn and the end of a round each begin at a place of their own in every stream. Two
games that differ by one die thus draw the same numbers again in the next turn, which makes
comparisons of variants on the same seeds sharper (`python -m benchmarks.pairing`).
"""

from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import align_streams, draw, draw_below, draw_forced, is_forced, mix, sort

from .layout import N_ALLIES, N_ENEMIES, N_FACES
from .terms import Die, Stream

PLACES = N_ALLIES + N_ENEMIES + 2  # of a round: its start, the turns of all figures, its end


@kernel
def begin_round(s):
    """R5.1 - align the streams for a round, before its first turn."""
    align_streams(s.chance, s.round * PLACES)


@kernel
def begin_turn(s, figure):
    """R6.1, R10.9 - align the streams for a turn of an ally slot or N_ALLIES + Enemy slot."""
    align_streams(s.chance, s.round * PLACES + 1 + figure)


@kernel
def finish_round(s):
    """R5.18 - align the streams for what comes after the last turn."""
    align_streams(s.chance, s.round * PLACES + PLACES - 1)


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
    faces = c.action_die if die == Die.ACTION else c.reaction_die
    if is_forced(s.chance):
        return int(faces[draw_forced(s.chance, faces, N_FACES)])
    return int(faces[draw_below(s.chance, stream, N_FACES)])


@kernel
def shuffle_initiative(s, c):
    """R4.10, R5.7 - shuffle the Initiative deck, or put it in the order loaded.

    Every card draws a number by what is on it, and the numbers are put in order: a deck with one
    card less keeps the order of the others.
    """
    n = s.n_initiative
    if take_order(s, Stream.INITIATIVE, s.initiative, n):
        return
    if is_forced(s.chance):
        sort(s.initiative, n)
        return
    bits = draw(s.chance, Stream.INITIATIVE)
    for k in range(1, n):
        card = s.initiative[k]
        number = mix(bits + c.card[card].face)
        j = k
        while j > 0 and mix(bits + c.card[s.initiative[j - 1]].face) > number:
            s.initiative[j] = s.initiative[j - 1]
            j -= 1
        s.initiative[j] = card


@kernel
def shuffle_fate(s):
    """R4.10, R5.19 - shuffle the Fate deck, or put it in the order loaded."""
    n = s.n_fate
    if take_order(s, Stream.FATE, s.fate, n):
        return
    sort(s.fate, n)  # so that the order does not depend on how they were discarded
    if is_forced(s.chance):
        return
    for k in range(1, n):
        j = draw_below(s.chance, Stream.FATE, k + 1)
        card = s.fate[k]
        s.fate[k] = s.fate[j]
        s.fate[j] = card


@kernel
def take_top(s, cards, n):
    """R5.7, R5.19 - take the top card of cards[:n]; with forced chance it may be any of them."""
    at = draw_forced(s.chance, cards, n) if is_forced(s.chance) else 0
    card = cards[at]
    for k in range(at, n - 1):
        cards[k] = cards[k + 1]
    return card


@kernel
def take_order(s, stream, cards, n):
    """Put cards[:n] in the order loaded for `stream`. -> was one loaded?"""
    if s.n_loaded == 0 or n == 0:
        return False
    first = take_loaded(s, stream, -1)
    if first < 0:
        return False
    cards[0] = first
    for k in range(1, n):
        cards[k] = take_loaded(s, stream, -1)
    return True


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
