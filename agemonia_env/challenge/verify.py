"""Checks a row by playing all its games again from their moves."""

from __future__ import annotations

from pathlib import Path

from agemonia_env.display.messages import shown
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.rulesets.arguments import check_number

from .decision import is_over, is_won
from .messages import ILLEGAL, PROTOCOL, TIME
from .referee import ANSWERS, begin, end_hash
from .row import GameRow, Result, Row, RowError, SettingRow, read_row, unpack_moves
from .settings import BUDGET_MS, Report, Setting


def verify(path: Path, report: Report = lambda done: None) -> Row:
    """The row of a file, once everything in it that can be checked is right.

    Checked are the hash, that the settings are those of its set with the content and rules at hand,
    that every game is there and goes from the seed of its number, by its moves, to its result, and
    the results of settings. Of times, refused answers and forfeits only contradictions are found.
    Raises RowError with the first difference.
    """
    row = read_row(path)
    check_row(path, row, report)
    return row


def check_row(path: Path, row: Row, report: Report) -> None:
    """As `verify`, of a row that was read from a path."""
    try:
        _check(row, report)
    except ValueError as error:
        raise RowError(f"{path}: {error}") from None


def _check(row: Row, report: Report) -> None:
    """Raise ValueError with the first difference."""
    if row.protocol != PROTOCOL:
        raise ValueError(f"its protocol is {row.protocol}, here {PROTOCOL}")
    check_number("budget_ms", row.budget_ms, 1, BUDGET_MS)
    done = 0
    for one, setting in zip(row.settings, row.known_settings(), strict=True):
        check_setting(one, setting, row.played.games)
        env = setting.make()
        for game in one.games:
            try:
                check_claims(game, row.budget_ms)
                check_game(env, setting, row.salt, game)
            except ValueError as error:
                raise ValueError(f"{one.name}, game {game.game}: {error}") from None
            done += 1
            report(done)


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


def check_claims(game: GameRow, budget_ms: int) -> None:
    """Raise ValueError if what nobody can check contradicts itself: times, refusals, forfeits."""
    asked, late = game.decisions + bool(game.forfeit), game.most_ms > budget_ms
    if game.most_ms > game.ms:
        raise ValueError(f"a decision took {game.most_ms} ms, all together {game.ms}")
    if game.ms > asked * (game.most_ms + 1):  # both are rounded
        raise ValueError(f"{asked} decisions took {game.ms} ms, none more than {game.most_ms}")
    if late and game.forfeit != TIME:
        raise ValueError(f"a decision took {game.most_ms} ms of {budget_ms}, yet it was not late")
    if game.forfeit == TIME and game.decisions and game.most_ms < budget_ms - 1:
        raise ValueError(f"it was late, but no decision took {budget_ms} ms")
    if game.forfeit == ILLEGAL and game.refused < ANSWERS:
        raise ValueError(f"it was lost by {ANSWERS} refused answers, but has {game.refused}")
    most = (ANSWERS - 1) * asked + (game.forfeit == ILLEGAL)
    if game.refused > most:
        raise ValueError(f"{game.refused} answers were refused; {asked} decisions allow {most}")


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
