"""All games of an entry: several at a time, resumed from the row of an earlier run."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from agemonia_env.display.messages import shown
from agemonia_env.files.locking import locked_file
from agemonia_env.files.stopping import Interrupted
from agemonia_env.files.writing import check_out_file
from agemonia_env.rulesets.arguments import MAX_THREADS, check_number, positive

from .decision import MOST_NAME, check_name
from .entries import Entry, Player
from .referee import Referee, Stopped
from .row import GameRow, Row, RowError, make_row, read_row
from .settings import BUDGET_MS, SALT, Report, Setting, set_named

SAVE_S = 10.0  # seconds between two writings of the row
GLANCE_S = 0.2  # ... between two looks at what the threads do
MOST_SALT = 200  # characters
NONE_OVER = "no game is over yet"


@dataclass
class Challenge:
    """An entry and what it plays.

    name: of the entry in tables, "" for its own. env_id: only settings of this environment. salt:
    of the seeds; another one gives fresh games. Raises ValueError naming what is wrong.
    """

    entry: Entry
    out: Path
    set_name: str = "standard"
    name: str = ""
    env_id: str | None = None
    budget_ms: int = BUDGET_MS
    salt: str = SALT
    workers: int = 1
    games: dict[str, dict[int, GameRow]] = field(init=False)  # by setting and number

    def __post_init__(self) -> None:
        """Check everything that can be known before a game is played."""
        self.set = set_named(self.set_name)
        self.settings = self.set.of(self.env_id)
        check_number("budget_ms", self.budget_ms, 1, BUDGET_MS)
        positive("workers", self.workers, MAX_THREADS)
        if not 1 <= len(self.salt) <= MOST_SALT or not self.salt.isprintable():
            wanted = f"must have 1 to {MOST_SALT} characters, all printable"
            raise ValueError(f"salt={shown(self.salt)}: {wanted}")
        check_name(self.name)
        check_out_file(self.out, ".json")
        self.games = {setting.name: {} for setting in self.settings}
        self._first: Player | None = None
        self._lock, self._stop = threading.Lock(), threading.Event()
        self._players: list[Player] = []

    @property
    def total(self) -> int:
        """How many games there are."""
        return self.set.games * len(self.settings)

    @property
    def done(self) -> int:
        """How many games were played."""
        return sum(map(len, self.games.values()))

    def resume(self) -> None:
        """Take over the games of `out`. Raises RowError if it is a row of something else."""
        if not self.out.exists():
            return
        old = read_row(self.out)
        if (self.entry.kind, self.entry.text) == (old.entry.kind, old.entry.text):
            self.name = self.name or old.entry.name
        same = self.row()
        for key in ("entry", "set", "salt", "budget_ms", "versions", "protocol"):
            mine, theirs = getattr(same, key), getattr(old, key)
            if key == "entry":
                mine, theirs = (f"{one.name} ({one.kind} {one.text})" for one in (mine, theirs))
            if mine != theirs:
                raise RowError(
                    f"{self.out}: holds another challenge: {key} is {shown(theirs)}, now "
                    f"{shown(mine)}; choose another --out, or delete it"
                )
        for mine, theirs in zip(same.settings, old.settings, strict=False):
            if mine.model_copy(update={"result": theirs.result, "games": theirs.games}) != theirs:
                raise RowError(
                    f"{self.out}: rules or content of {theirs.name} have changed since; choose "
                    "another --out, or delete it"
                )
        if len(same.settings) != len(old.settings):
            raise RowError(f"{self.out}: holds other settings; choose another --out, or delete it")
        self.games = {one.name: {game.game: game for game in one.games} for one in old.settings}

    def row(self) -> Row:
        """The row of all games that were played so far."""
        with self._lock:
            games = [(one, list(self.games[one.name].values())) for one in self.settings]
        name = self.name or self.entry.text[:MOST_NAME]
        return make_row(self.entry, name, self.set_name, self.salt, self.budget_ms, games)

    def play(self, report: Report = lambda done: None) -> Row:
        """Play what is missing, write the row to `out` and return it.

        report: is called after each game with the number of games done, in any thread. Raises
        EntryError if the entry cannot play, and Interrupted after Ctrl-C; what was played is
        written all the same, and another call goes on.
        """
        with locked_file(self.out):
            self.resume()
            self._stop.clear()
            self._players.clear()
            try:
                self._first = self._new_player()  # an entry that cannot play fails here
                self.name = self.name or self._first.name
                self._play_missing(report)
            except KeyboardInterrupt:
                saved = f"{self.done} of {self.total} games are in {self.out}"
                saved += "; the same command goes on"
                raise Interrupted(f"stopped; {saved if self.done else NONE_OVER}") from None
            finally:
                self._halt()
                if self.done:
                    self.row().write(self.out)
        return self.row()

    # ---- threads --------------------------------------------------------------------------------
    def _play_missing(self, report: Report) -> None:
        """Play on several threads, and write the row from time to time."""
        todo, saved = self._missing(), time.monotonic()
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                running: set[Future[None]] = {
                    pool.submit(self._work, todo, report) for _ in range(self.workers)
                }
                while running:
                    finished, running = wait(running, GLANCE_S, FIRST_EXCEPTION)
                    for one in finished:
                        one.result()
                    if time.monotonic() - saved > SAVE_S and self.done:
                        self.row().write(self.out)
                        saved = time.monotonic()
            except BaseException:  # Ctrl-C at any moment, too
                self._halt()
                raise

    def _missing(self) -> Iterator[tuple[Setting, int]]:
        """The games that are not played yet."""
        for setting in self.settings:
            for game in range(self.set.games):
                if game not in self.games[setting.name]:
                    yield setting, game

    def _work(self, todo: Iterator[tuple[Setting, int]], report: Report) -> None:
        """Play games until none is left, or the challenge is stopped."""
        referee: Referee | None = None
        player: Player | None = None
        try:
            while not self._stop.is_set():
                with self._lock:
                    task = next(todo, None)
                    first, self._first = self._first, None
                if task is None:
                    break
                setting, game = task
                player = player or first or self._new_player()
                if referee is None or referee.setting != setting:
                    referee = Referee(setting, player, self.salt, self.budget_ms)
                row = referee.play(game, self._stop)
                with self._lock:
                    self.games[setting.name][game] = row
                report(self.done)
        except Stopped:
            return
        if player is not None and not self._stop.is_set():
            player.close()

    def _new_player(self) -> Player:
        """A player that is ready. Raises EntryError."""
        player = self.entry.player()
        with self._lock:
            self._players.append(player)  # before it starts, which takes time, so it can be killed
        player.start()
        return player

    def _halt(self) -> None:
        """Stop all threads after the decision at hand; commands are killed."""
        self._stop.set()
        for player in list(self._players):
            player.kill()
