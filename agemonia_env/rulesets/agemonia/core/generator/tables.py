"""What the rules look up about a drawn map: borders, distances, sight, lines (content/board.py)."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.grid_lines import add
from agemonia_env.core.jit import kernel

from ..layout import LINE_BITS, LINE_MAX, N_AREAS, N_CROSSINGS, N_LINES, N_PAIRS, N_SIZES
from ..rules.enemy_turn import beside
from ..terms import Border
from .plan import Line
from .shapes import N_FROM, N_LEADING, WAY_MAX

DRAWN_CROSSINGS = 6  # kept of the sets that the lines of one pair cross


@kernel
def write_tables(work, ways, c):
    """Write the tables of the map; ways: those of its grid of blocks, int8 (n, WAY_MAX + 1)."""
    plan = work.plan
    write_borders(plan, c)
    write_steps(plan, c)
    write_sets(c)
    find_lines(work, ways)
    write_sight(work, c)
    write_crossings(work, c)
    write_lines(work, c)


# ---- borders and distances ----------------------------------------------------------------------
@kernel
def write_borders(plan, c):
    """terms.Border from either side, and the areas beyond each kind as bits."""
    n = plan.n_areas
    for low in range(n):
        for high in range(low + 1, n):
            line = plan.border[low, high]
            if line != Line.NONE:
                write_border(c, low, high, line)
                write_border(c, high, low, line)
    for size in range(N_SIZES):
        for x in range(n):
            c.fits[size] |= int(c.capacity[x] >= size) << x


@kernel
def write_border(c, here, there, line):
    """One side of a border."""
    bit = 1 << there
    if line == Line.BARRIER:
        c.border[here, there] = Border.BARRIER
    elif line != Line.DOUBLE:
        c.border[here, there] = Border.SINGLE
        c.single[here] |= bit
    elif c.level[here] > c.level[there]:
        c.border[here, there] = Border.DOUBLE_DOWN
        c.down[here] |= bit
    else:
        c.border[here, there] = Border.DOUBLE_UP
        c.up[here] |= bit


@kernel
def write_steps(plan, c):
    """R7.22 - fewest line crossings; Q42 - those over single lines at one level."""
    level = 0
    for x in range(plan.n_areas):
        level |= int(c.level[x]) << x
    for start in range(plan.n_areas):
        reached, front = 1 << start, 1 << start
        flat, flat_front = reached, reached
        same = level if (level >> start) & 1 else ~level
        steps = 0
        while front != 0 or flat_front != 0:
            write_number(c.range[start], front, steps)
            write_number(c.melee[start], flat_front, steps)
            steps += 1
            c.within[steps, start], c.melee_within[steps, start] = reached, flat
            front = beside(c, front, True) & ~reached
            flat_front = beside(c, flat_front, False) & same & ~flat
            reached |= front
            flat |= flat_front
        for n in range(steps + 1, N_AREAS + 1):
            c.within[n, start], c.melee_within[n, start] = reached, flat


@kernel
def write_number(numbers, areas, number):
    """Write a number for each of some areas, bits."""
    while areas != 0:
        numbers[lowest(areas)] = number
        areas &= areas - 1


@kernel
def write_sets(c):
    """The areas that are no higher than each, those that do not exist included."""
    for x in range(N_AREAS):
        for y in range(N_AREAS):
            c.not_above[x] |= int(c.level[y] <= c.level[x]) << y


# ---- lines --------------------------------------------------------------------------------------
@kernel
def find_lines(work, ways):
    """Write the clear lines (R7.24) over the blocks into work.line, each once, ended by 0.

    A line is packed: area + 1 in LINE_BITS bits each, the first area in the highest ones.
    """
    plan, found = work.plan, 0
    work.found[:] = 0
    for k in range(len(ways)):
        if ways[k, 0] < 0:
            break
        line = line_of(plan, ways[k])
        if line != 0 and add(work.found, line):
            if is_clear(plan, line):
                work.line[found] = line
                found += 1
    work.line[found] = 0


@kernel
def line_of(plan, way):
    """The packed line of a way, from its lower end to its higher one; 0 = it does not count."""
    here = int(plan.cell[way[0]])
    if here < 0:
        return 0
    packed, back, shift, areas = here + 1, here + 1, LINE_BITS, 1
    first = here
    for k in range(1, WAY_MAX):
        if way[k] < 0:
            break
        there = int(plan.cell[way[k]])
        if there < 0:
            return 0
        if there != here:
            if plan.border[min(here, there), max(here, there)] == Line.BARRIER:
                return 0
            packed = (packed << LINE_BITS) | (there + 1)
            back |= (there + 1) << shift
            shift += LINE_BITS
            areas += 1
            here = there
    if first == here or areas > WAY_MAX:
        return 0
    return packed if first < here else back


@kernel
def is_clear(plan, line):
    """R7.24 - each border with a height symbol has its higher side in an end of the line."""
    last, first = (line & 31) - 1, 0
    rest = line
    while rest != 0:
        first = (rest & 31) - 1
        rest >>= LINE_BITS
    here, rest = last, line >> LINE_BITS
    while rest != 0:
        there = (rest & 31) - 1
        kind = plan.border[min(here, there), max(here, there)]
        if kind == Line.HEIGHT or kind == Line.DOUBLE:
            higher = here if plan.level[here] > plan.level[there] else there
            if higher != first and higher != last:
                return False
        here = there
        rest >>= LINE_BITS
    return True


@kernel
def pair_of(low, high):
    """The number of a pair of areas."""
    return high * (high + 1) // 2 + low


@kernel
def ends_of(line):
    """The first and last area of a packed line, and the bits of all others."""
    last, here, between, rest = (line & 31) - 1, 0, 0, line
    while rest != 0:
        here = (rest & 31) - 1
        between |= 1 << here
        rest >>= LINE_BITS
    return here, last, between & ~(1 << here) & ~(1 << last)


@kernel
def write_sight(work, c):
    """R7.24 - what each area sees; Q9 - the least sets of areas that lines of each pair cross."""
    work.n_sets[:] = 0
    for x in range(c.n_areas):
        c.seen[x] = 1 << x
        work.n_sets[pair_of(x, x)], work.set[pair_of(x, x), 0] = 1, 0
    k = 0
    while work.line[k] != 0:
        first, last, between = ends_of(work.line[k])
        c.seen[first] |= 1 << last
        c.seen[last] |= 1 << first
        add_set(work, pair_of(first, last), between)
        k += 1


@kernel
def add_set(work, pair, bits):
    """Add a set, unless a part of it is there; what it is a part of goes."""
    n, kept = int(work.n_sets[pair]), 0
    for k in range(n):
        if int(work.set[pair, k]) & ~bits == 0:
            return
    for k in range(n):
        if bits & ~int(work.set[pair, k]) != 0:
            work.set[pair, kept] = work.set[pair, k]
            kept += 1
    if kept == N_LEADING:
        work.plan.linking.failed = 1
        return
    work.set[pair, kept] = bits
    work.n_sets[pair] = kept + 1


@kernel
def write_crossings(work, c):
    """The smallest of the sets, by their numbers of areas, then as numbers."""
    total = 0
    for pair in range(N_PAIRS):
        n = int(work.n_sets[pair])
        for k in range(1, n):
            bits, j = int(work.set[pair, k]), k
            while j > 0 and comes_before(bits, int(work.set[pair, j - 1])):
                work.set[pair, j] = work.set[pair, j - 1]
                j -= 1
            work.set[pair, j] = bits
        n = min(n, DRAWN_CROSSINGS)
        if total + n > N_CROSSINGS:
            work.plan.linking.failed = 1
            n = 0
        for k in range(n):
            c.crossing[total + k] = work.set[pair, k]
        total += n
        c.crossing_first[pair + 1] = total


@kernel
def comes_before(bits, other):
    """Whether a set is smaller, or of equal ones the lower number."""
    size, other_size = n_bits(bits), n_bits(other)
    return size < other_size or (size == other_size and bits < other)


@kernel
def n_bits(bits):
    """How many bits are set."""
    n = 0
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n


@kernel
def write_lines(work, c):
    """R9.27 - lines cut to LINE_MAX areas after the first, without beginnings of others."""
    work.n_from[:] = 0
    k = 0
    while work.line[k] != 0:
        list_line(work, turned(work.line[k]))
        list_line(work, work.line[k])
        k += 1
    total = 0
    for area in range(N_AREAS):
        c.line_first[area] = total
        n = int(work.n_from[area])
        for k in range(n):
            line = int(work.from_line[area, k])
            if k + 1 < n and begins(line, int(work.from_line[area, k + 1])):
                continue
            if total == N_LINES:
                work.plan.linking.failed = 1
                return
            c.line[total] = unpacked(line)
            total += 1
    c.line_first[N_AREAS] = total


@kernel
def turned(line):
    """A packed line from its other end."""
    back = 0
    while line != 0:
        back = (back << LINE_BITS) | (line & 31)
        line >>= LINE_BITS
    return back


@kernel
def list_line(work, line):
    """Add a line to those from its first area, cut: its highest bits are the first area."""
    back, cut, areas, met = turned(line), 0, 0, 0
    first = (back & 31) - 1
    while back != 0 and areas <= LINE_MAX:
        area = (back & 31) - 1
        if (met >> area) & 1 == 0:
            cut = (cut << LINE_BITS) | (area + 1)
            areas += 1
            met |= 1 << area
        back >>= LINE_BITS
    cut <<= LINE_BITS * (LINE_MAX + 1 - areas)
    n = int(work.n_from[first])
    j = n
    while j > 0 and work.from_line[first, j - 1] > cut:
        j -= 1
    if j > 0 and work.from_line[first, j - 1] == cut:
        return
    if n == N_FROM:
        work.plan.linking.failed = 1
        return
    for k in range(n, j, -1):
        work.from_line[first, k] = work.from_line[first, k - 1]
    work.from_line[first, j] = cut
    work.n_from[first] = n + 1


@kernel
def begins(line, other):
    """Whether a cut line is the beginning of another one."""
    shift = 0
    while (line >> shift) & 31 == 0:
        shift += LINE_BITS
    return line >> shift == other >> shift


@kernel
def unpacked(line):
    """A cut line as layout.CONTENT has it: without its first area, the next one lowest."""
    out = 0
    for k in range(LINE_MAX):
        out |= ((line >> (LINE_BITS * (LINE_MAX - 1 - k))) & 31) << (LINE_BITS * k)
    return out
