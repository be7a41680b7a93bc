"""Command lines of trainers: every key of the configuration as an option, with clear errors."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, Union, get_args, get_origin

from agemonia_env.display.messages import not_allowed, shown
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.rulesets.doors import RULESETS

from .config import MIX, Config, ConfigError, config_names, named_config, option, read_config
from .reviews import FOLDER, MOST_REVIEWS

# Keys by topic, as --help groups them
GROUPS = {
    "what is played": (
        *("env", "pack", "scenario", "scenario_seed", "generator", "heroes", "level"),
        *("difficulty", "mix", "ties", "side", "opponent", "enemy_will", "reward"),
    ),
    "how much": ("total_steps", "n_envs", "checkpoint_steps", "seed"),
    "learning": (
        *("n_steps", "batch_size", "n_epochs", "learning_rate", "learning_rate_end", "gamma"),
        *("gae_lambda", "clip_range", "ent_coef", "vf_coef", "max_grad_norm"),
    ),
    "network": ("net_arch", "action_features", "greedy_prior"),
    "imitation": ("teacher", "own_share", "trust", "imitation_steps"),
    "machine": ("device", "threads", "half_batches", "bfloat16", "tensorboard"),
}
SCORED = "action_features", "greedy_prior"
TAUGHT = "teacher", "own_share", "trust", "imitation_steps"
# Options that an algorithm does not use. Its configuration file may have such keys, since several
# algorithms share a file; on the command line they are errors, because they would do nothing.
UNUSED = {
    "ppo": TAUGHT,
    "maskable_ppo": ("from", *SCORED, *TAUGHT, "half_batches", "bfloat16"),
    "imitation": ("trust", "imitation_steps", "clip_range", "ent_coef"),
    "expert": ("imitation_steps", "clip_range", "ent_coef", "half_batches"),
    "self_play": ("side", "half_batches", "tensorboard", "reviews"),
    "shared": (
        *("from", "resume", "force", "reviews", "mix", "side", *SCORED, *TAUGHT),
        *("half_batches", "bfloat16"),
    ),
}
# Of `agemonia train`; the first is its default
TRAIN = ("ppo", "maskable_ppo", "imitation", "expert")
SHAPES = {  # metavars that do not follow from the type
    "env": "|".join(RULESETS),
    "scenario_seed": "SEED|FIRST-LAST|train|test",
    "generator": "varied|{KNOB: NUMBER, ...}",
    "heroes": "NUMBER|NAME,NAME",
    "mix": "[{KEY: VALUE, ...}, ...]",
    "net_arch": "[NUMBER, ...]",
    "bfloat16": "auto|true|false",
}
SIGNS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}


class Parser(argparse.ArgumentParser):
    """An argument parser that raises ConfigError, with a suggestion."""

    algorithm = ""  # its UNUSED options are explained

    def __init__(self, **about: Any) -> None:
        super().__init__(**about | {"allow_abbrev": False})

    def parse_args(self, arguments: Any = None, namespace: Any = None) -> Any:
        """As argparse, but the error for an unknown option suggests the closest one."""
        options, unknown = self.parse_known_args(arguments, namespace)
        if unknown:
            self.error(self._unknown(unknown[0].partition("=")[0]))
        return options

    def _unknown(self, word: str) -> str:
        key = word.removeprefix("--").replace("-", "_")
        if key in UNUSED.get(self.algorithm, ()):
            others = [name for name, unused in UNUSED.items() if key not in unused]
            return f"{word}: not an option of {self.algorithm}, only of {', '.join(others)}"
        known = [name for action in self._actions for name in action.option_strings]
        return f"{shown(word)}: unknown option (--help lists all){did_you_mean(word, known)}"

    def error(self, message: str) -> NoReturn:
        """Raise ConfigError, which the trainers print on one line."""
        raise ConfigError(" ".join(message.split())[:1000])


def number(low: int, high: int) -> Any:
    """An argparse type: a whole number from low to high."""

    def whole(text: str) -> int:
        digits = text.removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) < 20 and low <= int(text) <= high:
            return int(text)
        message = f"{shown(text)}: must be a whole number, {low:,} to {high:,}"
        raise argparse.ArgumentTypeError(message)

    return whole


def parser_of(algorithm: str, out: Path, default: Path, warm: str = "", **about: Any) -> Parser:
    """The command line that all trainers share.

    default: its configuration file; warm: help of --from, "" if it has none; about: prog and
    description.
    """
    shown_at = default.relative_to(Path.cwd()) if default.is_relative_to(Path.cwd()) else default
    epilog = (
        f"Defaults come from {shown_at}; for HexDungeon-v0, from hexdungeon.yaml beside it. "
        "Values are written as in these files."
    )
    parser = Parser(epilog=epilog, **about)
    parser.algorithm, unused = algorithm, UNUSED[algorithm]
    group = parser.add_argument_group("the run")
    add = group.add_argument
    if algorithm in TRAIN:
        add(
            "--algorithm",
            default=algorithm,
            metavar="|".join(TRAIN),
            help="The algorithm; agemonia train --algorithm NAME --help lists its options "
            f"(default {TRAIN[0]}).",
        )
    add(
        "--config",
        type=named_config,
        metavar="FILE|NAME",
        help=f"YAML file, or the name of one that comes with the trainers: "
        f"{', '.join(config_names())} (default {shown_at}).",
    )
    add(
        "--out",
        type=Path,
        default=out,
        metavar="FOLDER",
        help="Folder for results (default %(default)s).",
    )
    if "resume" not in unused:
        add("--resume", action="store_true", help="Continue from the last checkpoint in --out.")
    if "force" not in unused:
        add("--force", action="store_true", help="Accept a model made for another ruleset.")
    parser.set_defaults(warm=None, reviews=0)
    if "reviews" not in unused:
        add(
            "--reviews",
            type=number(0, MOST_REVIEWS),
            metavar="NUMBER",
            help=f"Games of the trained model to write as review files, in --out/{FOLDER} "
            "(default 0).",
        )
    if warm:
        add("--from", dest="warm", type=Path, metavar="PATH", help=warm)
    add_overrides(parser, algorithm, default)
    return parser


def add_overrides(parser: argparse.ArgumentParser, algorithm: str, default: Path) -> None:
    """Add an option for every key of Config that the algorithm uses, with its help."""
    values = read_config(default, {})
    for title, keys in GROUPS.items():
        group = parser.add_argument_group(title)
        for key in keys:
            if key not in UNUSED[algorithm]:
                text = help_of(key, getattr(values, key))
                group.add_argument(option(key), dest=key, metavar=metavar_of(key), help=text)


def overrides_of(options: argparse.Namespace) -> dict[str, str]:
    """The keys of Config given on the command line, as YAML texts."""
    given = {key: getattr(options, key, None) for key in Config.model_fields}
    return {key: text for key, text in given.items() if text is not None}


def metavar_of(key: str) -> str:
    """The metavar of a key: what its value looks like."""
    if key in SHAPES:
        return SHAPES[key]
    kinds = [
        kind for kind in _branches(Config.model_fields[key].annotation) if kind is not NoneType
    ]
    if get_origin(kinds[0]) is Literal:
        return "|".join(get_args(kinds[0]))
    return {bool: "true|false", int: "NUMBER", float: "NUMBER", str: "TEXT"}[kinds[0]]


def help_of(key: str, value: Any) -> str:
    """The --help line of a key: its sentence, range and default."""
    field = Config.model_fields[key]
    kind = ["whole number"] if field.annotation is int else []
    unset = "none" if key == MIX else "the environment's"
    default = unset if value is None else _written(value)
    limits = ", ".join([*kind, *_range(field.metadata), f"default {default}"])
    return f"{str(field.description).removesuffix('.')} ({limits}).".replace("%", "%%")


def _range(metadata: Sequence[Any]) -> list[str]:
    """The limits of a number in words: `1 to 1,000`, `above 0`, `at most 1`."""
    limits = {sign: getattr(one, sign) for one in metadata for sign in SIGNS if hasattr(one, sign)}
    if {"ge", "le"} <= set(limits):
        return [f"{limits['ge']:,} to {limits['le']:,}"]
    return [f"{SIGNS[sign]} {limit:,}" for sign, limit in limits.items()]


def _written(value: Any) -> str:
    """A value as YAML, on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}".replace(",", "_") if isinstance(value, int) else str(value)


def _branches(annotation: Any) -> Sequence[Any]:
    """The types of a union, or the one type."""
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def check_algorithm(given: str, own: str) -> None:
    """Raise ValueError if --algorithm names another algorithm than the trainer's own."""
    if given not in TRAIN:
        raise ValueError(f"--algorithm: {not_allowed(given, TRAIN)}")
    if given != own:
        raise ValueError(
            f"--algorithm {given}: this is {own}; run agemonia train --algorithm {given}"
        )
