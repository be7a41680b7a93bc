"""G5 Area effects: templates and their orientations."""

from agemonia_env.core.jit import kernel

from .board import column_of, hex_at


@kernel
def settle_template(attack):
    """G5.2, G5.3 - every different orientation of the template; once for an ability."""
    attack.n_orientations = 0
    if attack.n_cells == 0:
        return
    for mirrored in range(2):
        for turns in range(6):
            cells = attack.orientation[attack.n_orientations]
            for k in range(attack.n_cells):
                q, r = attack.cell[k, 0], attack.cell[k, 1]
                if mirrored:
                    q, r = r, q
                for _ in range(turns):
                    q, r = -r, q + r
                place_cell(cells, k, q, r)
            if not attack.grey:
                count_from_first(cells, attack.n_cells)
            attack.n_orientations += is_new(attack)


@kernel
def place_cell(cells, n, q, r):
    """Insert a red hex among the n before it, which are in order of q and r."""
    k = n
    while k > 0 and (cells[k - 1, 0] > q or (cells[k - 1, 0] == q and cells[k - 1, 1] > r)):
        cells[k, 0] = cells[k - 1, 0]
        cells[k, 1] = cells[k - 1, 1]
        k -= 1
    cells[k, 0] = q
    cells[k, 1] = r


@kernel
def count_from_first(cells, n):
    """Shift a template without a grey hex, so that its first red hex is (0, 0)."""
    q, r = cells[0, 0], cells[0, 1]
    for k in range(n):
        cells[k, 0] -= q
        cells[k, 1] -= r


@kernel
def is_new(attack):
    """Whether the orientation just written differs from those before it."""
    new = attack.n_orientations
    for old in range(new):
        same = 0
        for k in range(attack.n_cells):
            same += (
                attack.orientation[old, k, 0] == attack.orientation[new, k, 0]
                and attack.orientation[old, k, 1] == attack.orientation[new, k, 1]
            )
        if same == attack.n_cells:
            return False
    return True


@kernel
def cell_at(board, attack, orientation, k, at, anchor):
    """The hex of red hex k, if red hex `anchor` lies on hex `at`; -1 = outside the board.

    With anchor = -1 the figure's own hex, where the offsets of a grey hex count from, lies there.
    """
    column = column_of(board, at)
    q = column + attack.orientation[orientation, k, 0]
    r = at - column * board.stride + attack.orientation[orientation, k, 1]
    if anchor >= 0:
        q -= attack.orientation[orientation, anchor, 0]
        r -= attack.orientation[orientation, anchor, 1]
    return hex_at(board, q, r)
