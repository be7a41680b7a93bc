"""Write a plan into a CONTENT record: the map, and the cards of its monsters.

Rows and numbers come in the order in which content/compile.py gives them, so that a drawn scenario
is, byte for byte, the one compiled from its file.
"""

import numpy as np

from agemonia_env.core.jit import kernel

from .. import hexset
from ..rules.board import settle
from ..terms import Terrain
from .rooms import cell_at, column_of, room_of, row_of
from .shapes import MAX_COLUMNS, MAX_ROWS, N_OF_PACK, Cell, Rank

TRAP_DAMAGE = 2  # G12.4: and the scenario level
TERRAIN = (  # of each Cell; -1 = none
    *(Terrain.WALL.value, -1, Terrain.DOOR.value, Terrain.WALL.value, Terrain.OBSTACLE.value),
    *(Terrain.HAZARD.value, Terrain.DIFFICULT.value, Terrain.TRAP.value, -1, -1, -1, -1),
)
TERRAIN_OF = np.array(TERRAIN, np.int64)
LAST = (2 * MAX_ROWS + 1) * MAX_COLUMNS


@kernel
def write_content(work, library, c):
    """Write the scenario of work.plan into c, a copy of the party's record."""
    write_board(work, library, c)
    write_rooms(work, c)
    write_types(work, library, c)
    write_spawns(work, c)
    plan = work.plan
    c.goal, c.goal_amount, c.last_round = plan.goal, plan.goal_amount, plan.last_round


# ---- the map ------------------------------------------------------------------------------------
@kernel
def hex_of(board, cell):
    """The core's number of a hex, see hexset.py."""
    column = column_of(cell)
    return column * (board.height + 1) + row_of(cell) - column // 2


@kernel
def add(words, h):
    """Add a hex to a set in a record."""
    words[h >> 6] |= hexset.ONE << np.uint64(h & 63)


@kernel
def write_board(work, library, c):
    """Terrain, and what is numbered as a map is read: from the top, odd columns first."""
    plan, board, starts = work.plan, c.board, 0
    board.width, board.height = plan.width, plan.height
    for row in range(plan.height - 1, -1, -1):
        for odd in (1, 0):
            for column in range(odd, plan.width, 2):
                cell = cell_at(column, row)
                h, what = hex_of(board, cell), plan.cell[cell]
                terrain = TERRAIN_OF[what]
                if terrain >= 0:
                    add(board.terrain[terrain], h)
                if what == Cell.START and starts < c.n_heroes:
                    c.hero[starts].start = h
                    starts += 1
                elif what == Cell.TRAP:
                    c.trap[c.n_traps].at = h
                    c.trap[c.n_traps].damage = TRAP_DAMAGE + library.level
                    c.n_traps += 1
                elif what == Cell.EXIT:
                    add(c.exit, h)
                elif what == Cell.LOOT:
                    add(c.loot, h)
    settle(board)


@kernel
def write_rooms(work, c):
    """Rooms and doors, numbered as doors lead to them from the start."""
    plan, number, order = work.plan, work.room_number, work.queue
    number[:] = 0
    order[0], rooms, done = 0, 1, 0
    while done < rooms:
        after = 0
        for _ in range(plan.n_doors):
            door = next_door(plan, order[done], after)
            if door < 0:
                break
            after = place_in_map(plan.door[door])
            c.door[rooms - 1], c.door_room[rooms - 1] = hex_of(c.board, plan.door[door]), rooms
            number[door + 1] = rooms
            order[rooms] = door + 1
            rooms += 1
        done += 1
    c.n_rooms, c.n_doors = rooms, plan.n_doors


@kernel
def next_door(plan, room, after):
    """The first door from a room to others that is listed after a place; -1 = none."""
    found, first = -1, LAST
    for door in range(plan.n_doors):
        place = place_in_map(plan.door[door])
        if plan.room[door + 1].parent == room and after < place < first:
            found, first = door, place
    return found


@kernel
def place_in_map(cell):
    """A number from 1 to LAST that grows as a map is read."""
    column = column_of(cell)
    return ((MAX_ROWS - row_of(cell)) * 2 - (column & 1)) * MAX_COLUMNS + column


# ---- monsters -----------------------------------------------------------------------------------
@kernel
def write_types(work, library, c):
    """Cards of the monsters, in the order in which they are listed, then the party's summons."""
    plan, numbers = work.plan, work.number
    work.kind_of[:] = -1
    for k in range(N_OF_PACK):
        numbers[k] = library.number[k]
    rows, templates, kinds = int(library.n_rows), int(library.n_templates), 0
    for k in range(plan.n_monsters):
        if work.kind_of[plan.monster[k]] < 0:
            work.kind_of[plan.monster[k]] = kinds
            plan.kind[kinds] = plan.monster[k]
            kinds += 1
    plan.n_kinds = kinds
    move_summons(library, c, kinds)
    for k in range(kinds):
        part = library.monster[plan.kind[k]]
        for j in range(part.n_templates):
            if numbers[part.template[j]] < 0:
                numbers[part.template[j]] = templates
                c.template[templates] = library.template[part.template[j]]
                templates += 1
        c.kind[k] = part.kind
        for j in range(c.kind[k].n_cards):
            c.kind[k].card[j].first += rows
        for j in range(part.n_rows):
            c.row[rows + j] = part.row[j]
            if part.row[j].template >= 0:
                c.row[rows + j].template = numbers[part.row[j].template]
        rows += part.n_rows
    c.n_types = kinds


@kernel
def move_summons(library, c, kinds):
    """Number the party's summons behind the monsters."""
    for k in range(library.n_summons - 1, -1, -1):
        c.kind[kinds + k] = c.kind[k]
    for k in range(library.n_rows):
        if c.row[k].kind >= 0:
            c.row[k].kind += kinds


@kernel
def write_spawns(work, c):
    """The monsters that come with this number of characters, room by room."""
    plan, n = work.plan, 0
    for number in range(c.n_rooms):
        for k in range(plan.n_monsters):
            rank = plan.rank[k, c.n_heroes - 1]
            room = work.room_number[room_of(plan, plan.at[k])]
            if rank > Rank.NONE and room == number:
                spawn = c.spawn[n]
                spawn.kind, spawn.elite = work.kind_of[plan.monster[k]], rank == Rank.ELITE
                spawn.room, spawn.at = room, hex_of(c.board, plan.at[k])
                n += 1
    c.n_spawns = n
