"""The commands `agemonia hexdungeon ...`; they import what they need when they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from agemonia_env.display.messages import not_allowed

if TYPE_CHECKING:
    from rich.table import Table

    from .odds import Distribution

app = typer.Typer(help="Tools for HexDungeon.", no_args_is_help=True)

Count = Annotated[int, typer.Option(min=0, max=10, help="How many of these cards to add.")]
DECK = "standard, or cards separated by commas: '+1,rolling +1 push 1,x2,null'."


@app.callback()
def hexdungeon() -> None:
    """Tools for HexDungeon."""


@app.command()
def odds(
    value: Annotated[int, typer.Argument(help="The printed attack value.")],
    deck: Annotated[str, typer.Option(help=DECK)] = "standard",
    bless: Count = 0,
    curse: Count = 0,
    bonus: Annotated[int, typer.Option(help="Added before the card is drawn.")] = 0,
    doublings: Annotated[int, typer.Option(help="How often the sum is doubled.")] = 0,
    poisoned: Annotated[bool, typer.Option("--poisoned", help="The target is poisoned.")] = False,
    shield: Annotated[int, typer.Option(help="Sum of the target's Shields.")] = 0,
    pierce: Annotated[int, typer.Option(help="Shield points ignored.")] = 0,
    mode: Annotated[
        str | None, typer.Option(help="normal, advantage or disadvantage; without it all three.")
    ] = None,
    fractions: Annotated[bool, typer.Option("--fractions", help="Print exact fractions.")] = False,
) -> None:
    """Print the exact chance of every amount of damage that an attack may deal."""
    from rich.console import Console

    from ..content import modifier_cards
    from ..core.terms import Draw
    from .odds import Attack, damage_of

    modes = [draw.name.lower() for draw in Draw]
    given = (
        modifier_cards.STANDARD
        if deck == "standard"
        else [card.strip() for card in deck.split(",")]
    )
    try:
        if mode not in (None, *modes):
            raise ValueError(f"--mode: {not_allowed(mode, modes)}")
        attack = Attack(value, bonus, doublings, poisoned, shield, pierce)
        full = [*given, *["bless"] * bless, *["curse"] * curse]
        shown = modes if mode is None else [mode]
        found = {name: damage_of(attack, full, Draw[name.upper()]) for name in shown}
    except ValueError as error:
        typer.echo(f"agemonia hexdungeon odds: {error}", err=True)
        raise typer.Exit(2) from None
    Console().print(table(found, fractions))


def table(distributions: dict[str, Distribution], fractions: bool) -> Table:
    """One row for every amount of damage, one column for every way to draw; the means below."""
    from rich.table import Table

    from .odds import mean

    rows = Table("damage", box=None, pad_edge=False)
    for name in distributions:
        rows.add_column(name, justify="right")
    columns = distributions.values()
    for damage in sorted({damage for column in columns for damage in column}):
        shares = [column.get(damage, 0) for column in columns]
        cells = [str(x) if fractions else f"{float(100 * x):.2f} %" for x in shares]
        rows.add_row(str(damage), *cells)
    means = [mean(column) for column in columns]
    rows.add_section()
    rows.add_row("mean", *(str(x) if fractions else f"{float(x):.3f}" for x in means))
    return rows
