"""The commands `agemonia odds ...`; they import what they need when they run."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from .odds import Distribution

app = typer.Typer(help="Exact odds of Agemonia's attacks and checks.", no_args_is_help=True)

LEAST = 5e-5  # chance of an amount or more at which a table ends

Pack = Annotated[str, typer.Option(help="The pack whose dice are rolled.")]
Stamina = Annotated[int, typer.Option(min=0, help="Stamina that may be spent on S-symbols.")]
Fractions = Annotated[bool, typer.Option("--fractions", help="Print exact fractions.")]
ActionDice = Annotated[int, typer.Argument(help="Action dice rolled.")]


@app.callback()
def odds() -> None:
    """Exact odds of Agemonia's attacks and checks."""


@app.command()
def attack(
    dice: ActionDice,
    bonus: Annotated[int, typer.Option(help="Added to the damage, as of a weapon.")] = 0,
    stamina: Stamina = 0,
    shield: Annotated[int, typer.Option(min=0, help="The Enemy's shield, less pierce.")] = 0,
    obstructed: Annotated[bool, typer.Option("--obstructed", help="Aim is obstructed.")] = False,
    pack: Pack = "core",
    fractions: Fractions = False,
) -> None:
    """Print the chance of every amount of damage that an attack may deal, and of at least it."""
    given = {"bonus": bonus, "stamina": stamina, "shield": shield, "obstructed": obstructed}
    show("attack", "damage", lambda of: of.attack(of.action_dice(dice, pack), **given), fractions)


@app.command()
def check(
    dice: ActionDice,
    modifier: Annotated[int, typer.Option(help="Added to the successes.")] = 0,
    stamina: Stamina = 0,
    hindered: Annotated[bool, typer.Option("--hindered", help="The Hero is Hindered.")] = False,
    pack: Pack = "core",
    fractions: Fractions = False,
) -> None:
    """Print the chance of every total of an active check, and that it reaches a number."""
    given = {"modifier": modifier, "stamina": stamina, "hindered": hindered}
    show("check", "total", lambda of: of.check(of.action_dice(dice, pack), **given), fractions)


@app.command()
def hit(
    dice: Annotated[int, typer.Argument(help="Reaction dice rolled.")],
    value: Annotated[int, typer.Argument(min=0, help="Value of the Enemy's attack.")],
    bonus: Annotated[int, typer.Option(help="Shields that are added.")] = 0,
    h_worth: Annotated[int, typer.Option(min=0, help="Successes of each H-symbol.")] = 0,
    pack: Pack = "core",
    fractions: Fractions = False,
) -> None:
    """Print the chance of every amount that gets through to an Ally, and of at least it."""
    given = {"bonus": bonus, "h_worth": h_worth}
    show(
        *("hit", "gets through"),
        lambda of: of.hit(of.reaction_dice(dice, pack), value, **given),
        fractions,
    )


def show(
    command: str, what: str, find: Callable[[ModuleType], Distribution], fractions: bool
) -> None:
    """Print the distribution that `find` makes with the module `odds`; a mistake on one line."""
    from rich.console import Console

    from . import odds as of

    try:
        found = find(of)
    except ValueError as error:
        typer.echo(f"agemonia odds {command}: {error}", err=True)
        raise typer.Exit(2) from None
    Console().print(table(what, found, fractions))


def table(what: str, found: Distribution, fractions: bool) -> Table:
    """A row for each amount that is likely enough to show, and the mean below."""
    from rich.table import Table

    from .odds import at_least, mean

    text: Callable[..., str] = str if fractions else lambda share: f"{float(100 * share):.2f} %"
    rows = Table(what, box=None, pad_edge=False)
    for head in ("chance", "this or more"):
        rows.add_column(head, justify="right")
    shown = [n for n in found if at_least(found, n) >= LEAST]
    for n in shown:
        rows.add_row(str(n), text(found[n]), text(at_least(found, n)))
    rows.add_section()
    rows.add_row("mean", f"{float(mean(found)):.3f}", "")
    return rows
