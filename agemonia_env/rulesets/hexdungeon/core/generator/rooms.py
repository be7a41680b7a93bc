"""Rooms side by side, walls between them, doors in the walls; steps from cell to cell.

A map is at most MAX_COLUMNS x MAX_ROWS hexes. A cell is a hex by column and row, with a cell that
is outside around the map, so that every hex has six neighbours.
"""

import numpy as np

from agemonia_env.core.jit import kernel

from ..layout import MAX_HEXES
from .chance import below, between
from .shapes import MAX_COLUMNS, MAX_ROWS, PADDED, Cell, Draws, Knob

MOST_TRIES = 40  # to lay rooms side by side
LONE_ROOM = 5, 4  # least sides of a room that has to hold everything
FIRST_ROOM = 4, 3  # least sides of the one where the characters start
RIGHT, LEFT, ABOVE = 0, 1, 2  # sides of a room, and below it
BLOCKED = 1 << Cell.OUTSIDE | 1 << Cell.WALL | 1 << Cell.OBSTACLE  # nobody walks there
# Steps to the neighbours of a cell in an even and in an odd column, anticlockwise from the upper
# right, as BOARD has them
STEP = np.array(
    [
        [PADDED, 1, -PADDED, -PADDED - 1, -1, PADDED - 1],
        [PADDED + 1, 1, -PADDED + 1, -PADDED, -1, PADDED],
    ],
    np.int64,
)


@kernel
def cell_at(column, row):
    """The cell of a hex."""
    return (column + 1) * PADDED + row + 1


@kernel
def column_of(cell):
    """The column of a cell."""
    return cell // PADDED - 1


@kernel
def row_of(cell):
    """The row of a cell."""
    return cell % PADDED - 1


@kernel
def beside(cell, direction):
    """The cell one step away."""
    return cell + STEP[(cell // PADDED + 1) & 1, direction]


@kernel
def draw_rooms(work, knobs):
    """Rooms of the sizes that the knobs say, as many as there is space for, joined as a tree."""
    plan = work.plan
    wanted = between(work, Draws.MAP, knobs, Knob.ROOMS)
    least = LONE_ROOM if wanted == 1 else FIRST_ROOM
    room = plan.room[0]
    room.column, room.row, room.parent = 0, 0, -1
    room.door_column, room.door_row = -1, -1
    room.width = max(least[0], between(work, Draws.MAP, knobs, Knob.SIDES))
    room.height = max(least[1], between(work, Draws.MAP, knobs, Knob.SIDES))
    plan.n_rooms = 1
    for _ in range(MOST_TRIES):
        if plan.n_rooms == wanted:
            break
        add_room(work, knobs)
    cut_out(plan)
    plan.cell[:] = Cell.OUTSIDE.value
    for k in range(plan.n_rooms):
        room = plan.room[k]
        for column in range(room.column, room.column + room.width):
            for row in range(room.row, room.row + room.height):
                plan.cell[cell_at(column, row)] = Cell.FLOOR
    plan.n_doors = plan.n_rooms - 1
    for k in range(plan.n_doors):
        plan.door[k] = cell_at(plan.room[k + 1].door_column, plan.room[k + 1].door_row)
        plan.cell[plan.door[k]] = Cell.DOOR


@kernel
def add_room(work, knobs):
    """Lay a room beside another one, a wall between them, if there is space."""
    plan = work.plan
    parent = below(work, Draws.MAP, plan.n_rooms)
    side = below(work, Draws.MAP, 4)
    width = between(work, Draws.MAP, knobs, Knob.SIDES)
    height = between(work, Draws.MAP, knobs, Knob.SIDES)
    other = plan.room[parent]
    column, row = int(other.column), int(other.row)
    if side <= LEFT:
        column += other.width + 1 if side == RIGHT else -1 - width
        row += 1 - height + below(work, Draws.MAP, height + other.height - 1)
    else:
        row += other.height + 1 if side == ABOVE else -1 - height
        column += 1 - width + below(work, Draws.MAP, width + other.width - 1)
    if is_free(plan, column, row, width, height):
        room = plan.room[plan.n_rooms]
        room.column, room.row, room.parent = column, row, parent
        room.width, room.height = width, height
        draw_door(work, room, other)
        plan.n_rooms += not is_near_door(plan, room)


@kernel
def is_free(plan, column, row, width, height):
    """Whether a room there leaves a wall to every other one, and the map small enough."""
    left, right, low, high = column, column + width, row, row + height
    for k in range(plan.n_rooms):
        room = plan.room[k]
        end, top = room.column + room.width, room.row + room.height
        if column <= end and room.column <= column + width and row <= top:
            if room.row <= row + height:
                return False
        left, right = min(left, int(room.column)), max(right, int(end))
        low, high = min(low, int(room.row)), max(high, int(top))
    columns, rows = right - left, high - low
    fits = columns <= MAX_COLUMNS and rows <= MAX_ROWS
    return fits and columns * (rows + 1) <= MAX_HEXES


@kernel
def cut_out(plan):
    """Count columns and rows from the lower left corner of what the rooms take up."""
    left, low = 0, 0
    for k in range(plan.n_rooms):
        left, low = min(left, int(plan.room[k].column)), min(low, int(plan.room[k].row))
    plan.width, plan.height = 0, 0
    for k in range(plan.n_rooms):
        room = plan.room[k]
        room.column -= left
        room.row -= low
        room.door_column -= left
        room.door_row -= low
        plan.width = max(plan.width, room.column + room.width)
        plan.height = max(plan.height, room.row + room.height)


@kernel
def draw_door(work, room, other):
    """Choose a hex of the wall between two rooms that has hexes of both beside it."""
    low = max(room.row, other.row)
    rows = min(room.row + room.height, other.row + other.height) - low
    if rows > 0:
        room.door_column = max(room.column, other.column) - 1
        room.door_row = low + below(work, Draws.MAP, rows)
        return
    left = max(room.column, other.column)
    columns = min(room.column + room.width, other.column + other.width) - left
    room.door_column = left + below(work, Draws.MAP, columns)
    room.door_row = max(room.row, other.row) - 1


@kernel
def is_near_door(plan, new):
    """Whether the door of a room may be beside another one, which compile.py cannot tell apart."""
    for k in range(1, plan.n_rooms):
        room = plan.room[k]
        across, up = room.door_column - new.door_column, room.door_row - new.door_row
        if abs(across) <= 1 and abs(up) <= 1:
            return True
    return False


@kernel
def room_of(plan, cell):
    """The room that a cell lies in; -1 = none."""
    column, row = column_of(cell), row_of(cell)
    for k in range(plan.n_rooms):
        room = plan.room[k]
        across, up = column - room.column, row - room.row
        if 0 <= across < room.width and 0 <= up < room.height:
            return k
    return -1


@kernel
def draw_cell(work, stream, room):
    """Any cell of a room."""
    column = room.column + below(work, stream, room.width)
    return cell_at(column, room.row + below(work, stream, room.height))


@kernel
def spread(work, first, wanted, into):
    """Turn the floor nearest to a cell of it into something else, up to a number of cells.

    Doors are not passed. -> how many
    """
    plan, queue = work.plan, work.queue
    queue[0], plan.cell[first] = first, into
    done, end = 0, 1
    while done < end and end < wanted:
        for direction in range(6):
            there = beside(queue[done], direction)
            if plan.cell[there] == Cell.FLOOR and end < wanted:
                queue[end], plan.cell[there] = there, into
                end += 1
        done += 1
    return end


@kernel
def walk(work):
    """Write the steps from the nearest start hex into work.away, through doors; -1 = no way."""
    plan, queue, away = work.plan, work.queue, work.away
    away[:] = -1
    end = 0
    for column in range(plan.width):
        for row in range(plan.height):
            cell = cell_at(column, row)
            if plan.cell[cell] == Cell.START:
                queue[end], away[cell] = cell, 0
                end += 1
    done = 0
    while done < end:
        here = int(queue[done])
        for direction in range(6):
            there = beside(here, direction)
            if away[there] < 0 and not is_blocked(plan, there):
                away[there] = away[here] + 1
                queue[end] = there
                end += 1
        done += 1


@kernel
def is_blocked(plan, cell):
    """Whether nobody walks there."""
    return (BLOCKED >> int(plan.cell[cell])) & 1 != 0


@kernel
def farthest(work):
    """The free cell with the most steps from the start."""
    plan, best = work.plan, -1
    for column in range(plan.width):
        for row in range(plan.height):
            cell = cell_at(column, row)
            if plan.cell[cell] == Cell.FLOOR:
                if best < 0 or work.away[cell] > work.away[best]:
                    best = cell
    return best
