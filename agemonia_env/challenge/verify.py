"""Checks a row by playing all its games again from their moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agemonia_env.display.messages import shown
from agemonia_env.envs.single import RulesetEnv

from .decision import is_over, is_won
from .referee import begin, end_hash
from .row import GameRow, Result, Row, RowError, SettingRow, read_row, unpack_moves
from .settings import Setting

Report = Callable[[], None]  # called after each game


def verify(path: Path, report: Report = lambda: None) -> Row:
    """The row of a file, once everything in it that can be checked is right.

    Checked are the hash, that the settings are those of its set with the content and rules at hand,
    that every game is there and goes from the seed of its number, by its moves, to its result, and
    the results of settings. Times cannot be checked. Raises RowError with the first difference.
    """
    row = read_row(path)
    check_row(path, row, report)
    return row


def check_row(path: Path, row: Row, report: Report = lambda: None) -> None:
    """As `verify`, of a row that was read from a path."""
    try:
        _check(row, report)
    except ValueError as error:
        raise RowError(f"{path}: {error}") from None


def _check(row: Row, report: Report) -> None:
    """Raise ValueError with the first difference."""
    names = [one.name for one in row.settings]
    known = {setting.name: setting for setting in row.played.settings}
    unknown = [name for name in names if name not in known]
    if unknown or len(set(names)) < len(names) or not names:
        raise ValueError(f"settings {', '.join(names)}: must be some of {', '.join(known)}")
    for one in row.settings:
        setting = known[one.name]
        check_setting(one, setting, row.played.games)
        env = setting.make()
        for game in one.games:
            try:
                check_game(env, setting, row.salt, game)
            except ValueError as error:
                raise ValueError(f"{one.name}, game {game.game}: {error}") from None
            report()


def check_setting(one: SettingRow, setting: Setting, games: int) -> None:
    """Raise ValueError unless a setting is the one at hand, with all its games."""
    here = SettingRow.of(setting, one.games)
    for key in ("env", "arguments", "rules", "fingerprint"):
        mine, theirs = getattr(here, key), getattr(one, key)
        if mine != theirs:
            raise ValueError(f"{one.name}: {key} is {shown(theirs)}, here {shown(mine)}")
    numbers = [game.game for game in one.games]
    if numbers != list(range(games)):
        missing = [k for k in range(games) if k not in numbers]
        what = f"game {missing[0]} is missing" if missing else "its games are not in order"
        raise ValueError(f"{one.name}: {what}; it has {len(numbers)} of {games}")
    check_result(one.result, Result.of(one.games), one.name)


def check_result(theirs: Result, mine: Result, name: str) -> None:
    """Raise ValueError with the first number that does not follow from the games."""
    for key in Result.model_fields:
        if getattr(theirs, key) != getattr(mine, key):
            stated = f"{key} is {getattr(theirs, key)}"
            raise ValueError(f"{name}: {stated}; its games give {getattr(mine, key)}")


def check_game(env: RulesetEnv, setting: Setting, salt: str, game: GameRow) -> None:
    """Play a game again by its moves. Raises ValueError if it goes or ends otherwise."""
    begin(env, setting, salt, game.game)
    over = is_over(env)
    for k, move in enumerate(unpack_moves(game.moves, game.decisions)):
        if over:
            raise ValueError(f"it is over after {k} decisions, not {game.decisions}")
        legal = env.legal_actions()
        if move >= len(legal):
            raise ValueError(f"decision {k}: there are {len(legal)} legal actions, not {move + 1}")
        _, _, terminated, truncated, _ = env.step(int(legal[move]))
        over = terminated or truncated
    if over == bool(game.forfeit):
        raise ValueError("it was forfeited, but is over" if over else "it stops before its end")
    won = over and is_won(env)
    if won != game.won:
        raise ValueError(f"it says {in_words(game.won)}; its moves give {in_words(won)}")
    if game.end != end_hash(env):
        raise ValueError("it ends in another position: the rules or its moves have changed")


def in_words(won: bool) -> str:
    """`won` or `lost`."""
    return "won" if won else "lost"
