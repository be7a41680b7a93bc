"""The result of a search: what was found, on fresh seeds, and everything that was tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import isfinite
from typing import Any

from rich.console import Group
from rich.text import Text

from agemonia_env.display.messages import counted
from agemonia_env.display.reports import text_table
from agemonia_env.simulation.interval import wilson

from .measures import WON, Estimate, Measure
from .page import Page, Section
from .parameters import value_of, with_values
from .pareto import front_of, miss_text, miss_unit, picture_of
from .plots import aims as aims_picture
from .study_config import condition, condition_text
from .study_result import StudyResult
from .targets import NO, UNSURE, YES, Aim
from .trials import LONGER, SearchStudy, Trial, miss, misses, rank

ROUNDS = "rounds"  # the unit of lengths
MOST_MISSED = 2  # targets whose miss the headline says


@dataclass(frozen=True)
class Line:
    """One row of the result: a measure of some games, before and after.

    aim: None where it has no target and is only shown.
    """

    game: str
    conditions: tuple[int, ...]
    measure: Measure
    aim: Aim | None
    before: Estimate
    after: Estimate

    @property
    def met(self) -> str | None:
        """Whether the target is met; None without one."""
        return None if self.aim is None else self.aim.met(self.after.low, self.after.high)

    @property
    def target(self) -> str:
        """The target as text."""
        return "-" if self.aim is None else self.aim.text

    def shown(self, value: float) -> str:
        """A value of the measure as text."""
        aim = self.aim or Aim(self.measure, (0.0, 0.0), self.conditions)
        return aim.shown(value)

    def texts(self) -> list[str]:
        """The row of the table."""
        values = [f"{self.shown(one.value)}{one.who and f' ({one.who})'}"
                  for one in (self.before, self.after)]  # fmt: skip
        interval = f"{self.shown(self.after.low)} to {self.shown(self.after.high)}"
        label = f"{self.measure.label}, %" if self.measure.percent else self.measure.label
        return [self.game, label, self.target, *values, interval, self.met or "-"]


@dataclass(frozen=True, repr=False)
class SearchResult(StudyResult):
    """The result of a search.

    tried: all trials; again: the finalists with more games, best first; before, after: the
    unchanged pack and the winner on fresh seeds. front: with targets of several kinds, the
    finalists that none is better than in everything, on fresh seeds, the winner first.
    """

    search: SearchStudy
    tried: tuple[Trial, ...]
    again: tuple[Trial, ...]
    before: Trial
    after: Trial
    front: tuple[Trial, ...] = ()

    @property
    def changes(self) -> list[str]:
        """The winner as changes of the pack."""
        config, values = self.search.config, self.after.values.items()
        return [
            f"{path} = {to}"
            for path, to in values
            if to != value_of(config.tools, config.pack, path)
        ]

    @cached_property
    def labels(self) -> dict[str, str]:
        """Every number in words, by path."""
        config = self.search.config
        return config.tools.words(config.pack).of_paths(config.values)

    def _in_words(self, trial: Trial) -> str:
        """The values of a trial that are not those of the pack, in words."""
        config = self.search.config
        return "; ".join(
            f"{self.labels[path]} = {to}"
            for path, to in trial.values.items()
            if to != value_of(config.tools, config.pack, path)
        )

    @cached_property
    def pack(self) -> str:
        """The text of the pack with the winner's values."""
        return self._pack(self.after)

    def _pack(self, trial: Trial) -> str:
        config = self.search.config
        return with_values(config.tools, config.pack, trial.values)

    @cached_property
    def lines(self) -> list[Line]:
        """The win rate of every condition and all targets, condition by condition."""
        return list(lines_of(self.search, self.before, self.after))

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The lines before and after, with interval and target; shares are from 0 to 1.

        party: None where several are measured together. met: see Aim.met; None without a target.
        """
        return [self._row(line) for line in self.lines]

    def _row(self, line: Line) -> dict[str, Any]:
        ends = line.aim.target if line.aim else (None, None)
        low, high = (end if end is not None and isfinite(end) else None for end in ends)
        here = condition(self.search.base[line.conditions[0]])
        if len(line.conditions) > 1:
            here["party"] = None
        return {
            **here,
            "measure": line.measure.label,
            "who": line.after.who,
            "games": self.search.config.confirm,
            "before": line.before.value,
            "after": line.after.value,
            "low": line.after.low,
            "high": line.after.high,
            "target_low": low,
            "target_high": high,
            "met": line.met,
        }

    def record(self) -> dict[str, Any]:
        """The result, JSON-able."""
        return {
            **self.search.record(),
            "trials_made": [self._trial_record(trial) for trial in self.tried],
            "finalists": [self._trial_record(trial) for trial in self.again],
            "front": [
                {**self._trial_record(t), "pack": self._pack(t)}
                | {"results": list(map(self._row, lines_of(self.search, self.before, t)))}
                for t in self.front
            ],
            "changes": self.changes,
            "pack_found": self.pack,
            "results": self.rows,
        }

    def _trial_record(self, t: Trial) -> dict[str, Any]:
        return {
            "values": t.values,
            "won": t.won(),
            "games": t.games,
            "refused": t.refused,
            "miss": miss(self.search, t),
            "misses": list(misses(self.search, t)),
            "measured": [one.value for one in t.found],
        }

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Trials, finalists and front: values by path, and what was measured."""
        return {
            "trials": [self._table_row(trial) for trial in self.tried],
            "finalists": [self._table_row(trial) for trial in self.again],
            "front": [self._table_row(trial) for trial in self.front],
        }

    def _table_row(self, t: Trial) -> dict[str, Any]:
        names = [f"won: {condition_text(plan)}" for plan in self.search.base]
        won = dict.fromkeys(names) | dict(zip(names, t.won(), strict=not t.refused))
        others = {
            f"{aim.measure.label}: {game_of(self.search, aim.conditions)}": found
            for aim, found in zip(self.search.aims, t.found or [None] * len(self.search.aims),
                                  strict=True)
            if aim.measure != WON
        }  # fmt: skip
        values = {name: found and found.value for name, found in others.items()}
        rest = {"miss": miss(self.search, t), "games": t.games, "refused": t.refused}
        return {**t.values, **won, **values, **rest}

    # ---- for readers -------------------------------------------------------------------------
    @property
    def headline(self) -> str:
        """What was found, in a sentence."""
        aimed = [line.met for line in self.lines if line.met is not None]
        some, whole = len(aimed) > 1, all(one == YES for one in aimed)
        text = f"{aimed.count(YES)} of {len(aimed)} targets are met" if some else (
            "The target is met" if whole else "The target is not met")  # fmt: skip
        if UNSURE in aimed:
            unsure = f"of {aimed.count(UNSURE)} that" if some else "that"
            text = f"{text if some else 'The target may be met'}; {unsure} is not sure, "
            text += f"as {self.search.config.confirm:,} games (confirm) are too few"
        missed = list(self._missed())
        text += "".join(f"; {one}" for one in missed[:MOST_MISSED])
        more = len(missed) - MOST_MISSED
        text += f"; {more} more {'is' if more == 1 else 'are'} missed" * (more > 0)
        n = sum(self._trades(trial) for trial in self.front[1:])
        trade = "trades" if n == 1 else "trade"
        others = f" {counted(n, 'other pack')} {trade} one target for another." * (n > 0)
        if not self.changes:
            next_best = self._next_best() if NO in aimed and not others else ""
            return f"No values beat the unchanged pack. {text}.{next_best}{others}"
        between = " with" if whole else "; nearest is"
        return f"{text}{between} {self._in_words(self.after)}.{others}"

    def _trades(self, trial: Trial) -> bool:
        """Whether, on fresh seeds, each of a trial and the winner is better in something."""
        return len(front_of(self.search, [self.after, trial])) == 2

    def _missed(self) -> Iterator[str]:
        """How far off each target that is not met is."""
        for line in self.lines:
            if line.aim is None or line.met != NO:
                continue
            (low, high), found = line.aim.target, line.after.value
            scale, unit = (100, " points") if line.measure.percent else (1, " rounds")
            far, side = (low - found, "below") if found < low else (found - high, "above")
            off = f"{scale * far:.{1 if scale > 1 else 2}f}{unit} {side} {line.target}"
            off += " %" * line.measure.percent
            what = "" if line.measure == WON else f", {line.measure.label},"
            yield f"{line.game}{what} is {off}"

    def _next_best(self) -> str:
        """What comes next to the unchanged pack, as a sentence; empty if nothing else was tried."""
        others = [trial for trial in self.again if trial.values != self.after.values]
        if not others:
            return ""
        own = zip(self.search.measures, misses(self.search, others[0]), strict=True)
        off = " and ".join(miss_text(*one) for one in own)
        return f" Next comes {self._in_words(others[0])}, {off} off the targets."

    def page(self) -> Page:
        """The result for the browser."""
        config, longer = self.search.config, f"{LONGER} times as many games as a trial; best first."
        heads = (*self._heads(), *self.labels.values())
        tried = self._listed(sorted(self.tried, key=partial(rank, self.search)))
        found = Section(
            "The values found, on fresh seeds",
            "None of these games was used to choose the values.",
            self._pictures(),
            HEADS,
            [line.texts() for line in self.lines],
        )
        scenarios = dict.fromkeys(plan.kinds[0].scenario for plan in self.search.base)
        return Page(
            title=f"Values for {', '.join(scenarios)}",
            text=config.text,
            lead=[self.headline, *self._policies()],
            provenance=self.search.provenance() | {"pack found": self.pack},
            libraries=("optuna",),
            sections=[
                found,
                *self._front_section(),
                Section("The finalists", longer, "", heads, self._listed(self.again)),
                Section("All trials, best first", "", "", heads, tried),
            ],
        )

    def _policies(self) -> list[str]:
        """Whose play the values were found for."""
        policies = self.search.config.policy
        if len(policies) > 1:
            return [f"Found for {', '.join(policies)} together."]
        return [f"Found for {policies[0]} play alone: before the pack is changed, compare both "
                "with another policy."]  # fmt: skip

    def _front_section(self) -> list[Section]:
        """The front, if there are targets of several kinds."""
        if not self.front:
            return []
        text = (
            "Each dot is a trial, by how far it misses the targets of each kind; the corner at the "
            "bottom left meets them all. Blue: finalists than which none was better in everything, "
            "drawn by their games on fresh seeds, by which one may be behind another. The ring: "
            "the compromise above. The columns of the table are the blue dots, the compromise "
            "first."
        )
        picture = picture_of(self.search, self.tried, self.front)
        return [Section("What can be traded", text, picture, *self._front_table())]

    def _front_table(self) -> tuple[list[str], list[list[str]]]:
        """The front as columns: heads; rows of values, then of what was measured."""
        heads = ["", "target", *(str(k) for k in range(1, len(self.front) + 1))]
        values = [
            [self.labels[path], "", *(str(trial.values[path]) for trial in self.front)]
            for path in self.search.config.values
        ]
        columns = [list(lines_of(self.search, self.before, trial)) for trial in self.front]
        found = [
            [f"{lines[0].game}: {lines[0].texts()[1]}", lines[0].target,
             *(line.shown(line.after.value) for line in lines)]
            for lines in zip(*columns, strict=True)
        ]  # fmt: skip
        return heads, [*values, *found]

    def _pictures(self) -> str:
        """Shares and lengths, before and after, each with their targets."""
        pictures = []
        for unit in ("%", ROUNDS):
            own = [line for line in self.lines if line.measure.percent == (unit == "%")]
            if own:
                pictures.append(picture_of_lines(own, unit))
        return "".join(pictures)

    def _heads(self) -> list[str]:
        """Of columns with measures: all win rates, other targets, misses."""
        base = self.search.base
        heads = [f"won, %: {condition_text(plan)}" for plan in base]
        for aim in self._others():
            heads.append(f"{aim.measure.label}, {aim.unit}: {game_of(self.search, aim.conditions)}")
        if len(self.search.measures) == 1:
            return [*heads, f"miss, {miss_unit(self.search.measures[0])[0]}"]
        return [
            *heads,
            *(f"miss, {miss_unit(one)[0]}: {one.label}" for one in self.search.measures),
        ]

    def _others(self) -> list[Aim]:
        """Targets of other measures than the win rate."""
        return [aim for aim in self.search.aims if aim.measure != WON]

    def _listed(self, trials: Sequence[Trial]) -> list[list[str]]:
        return [[*self._shown(trial), *map(str, trial.values.values())] for trial in trials]

    def _shown(self, trial: Trial) -> list[str]:
        """What was measured in a trial, and its misses, as text."""
        if trial.refused:
            return [trial.refused, *[""] * (len(self._heads()) - 1)]
        won = [f"{100 * share:.1f}" for share in trial.won()]
        both = zip(self.search.aims, trial.found, strict=True)
        others = [aim.shown(found.value) for aim, found in both if aim.measure != WON]
        own = zip(self.search.measures, misses(self.search, trial), strict=True)
        off = [f"{miss_unit(measure)[1] * one:.2f}" for measure, one in own]
        return [*won, *others, *off]

    def __rich__(self) -> Group:
        """The result for the terminal."""
        parts: list[Any] = [text_table("", HEADS, [line.texts() for line in self.lines], names=2)]
        if self.front:
            heads, rows = self._front_table()
            parts.append(text_table("What can be traded, on fresh seeds", heads, rows, names=2))
        return Group(*parts, Text(self.headline), Text(f"pack: {self.pack}"))


HEADS = ("game", "measure", "target", "before", "after", "95 % interval", "met")


def game_of(search: SearchStudy, conditions: Sequence[int]) -> str:
    """The games of a target in words."""
    first = search.base[conditions[0]]
    if len(conditions) == 1:
        return condition_text(first)
    (kind,) = first.kinds
    return f"{kind.scenario}, {len(conditions)} parties, {first.policy}"


def lines_of(search: SearchStudy, before: Trial, after: Trial) -> Iterator[Line]:
    """The win rate of every condition and all targets, condition by condition."""
    both = list(zip(search.aims, before.found, after.found, strict=True))
    for i in range(len(search.base)):
        own = [one for one in both if one[0].conditions[0] == i]
        won = [one for one in own if one[0].measure == WON]
        if not won:
            game = condition_text(search.base[i])
            yield Line(game, (i,), WON, None, _won(before, i), _won(after, i))
        for aim, old, new in (*won, *(one for one in own if one not in won)):
            yield Line(game_of(search, aim.conditions), aim.conditions, aim.measure, aim, old, new)


def _won(trial: Trial, i: int) -> Estimate:
    """The win rate in a condition without a target."""
    low, high = wilson(trial.wins[i], trial.games)
    return Estimate(trial.won()[i], low, high, 0.0, 0.0)


def picture_of_lines(lines: Sequence[Line], unit: str) -> str:
    """Lines of one unit, before and after, with their targets."""
    scale = 100.0 if unit == "%" else 1.0
    won = all(line.measure == WON for line in lines)
    names = [line.game if won else f"{line.game}\n{line.measure.label}" for line in lines]
    spans = [
        (scale * line.after.value, scale * line.after.low, scale * line.after.high)
        for line in lines
    ]
    wanted = [_scaled(line.aim, scale) for line in lines]
    label = "games won, %" if won else "% of games" if unit == "%" else ROUNDS
    before = [scale * line.before.value for line in lines]
    most = 100.0 if unit == "%" else 1.1 * max(*before, *(span[2] for span in spans))
    return aims_picture(names, before, spans, wanted, f"{label}, 95 % interval", most)


def _scaled(aim: Aim | None, scale: float) -> tuple[float, float] | None:
    """A target as the picture's axis counts."""
    return None if aim is None else (scale * aim.target[0], scale * aim.target[1])
