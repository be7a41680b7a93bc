"""Play a game of Agemonia, write it as rule cases, and run them: status 1 if one fails.

python -m tests.agemonia.traces tithe --seed 3 --out game.yaml
"""

import argparse
import sys
from pathlib import Path

import yaml

from agemonia_env.rulesets.agemonia.content.load import scenarios
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.case_files import run_files

from ..game_steps import play
from .compose import Composer
from .position import Game


def main(arguments):
    parser = argparse.ArgumentParser(prog="tests.agemonia.traces", description=__doc__)
    parser.add_argument("scenario", choices=scenarios(), help="of the pack core")
    parser.add_argument("--out", type=Path, required=True, help="the case file to write")
    parser.add_argument("--seed", type=int, default=0, help="of all randomness (default: 0)")
    parser.add_argument("--heroes", default="2", help="1 to 4, or names: orsa,tamsin (default: 2)")
    parser.add_argument("--policy", choices=["greedy", "random"], default="greedy")
    parser.add_argument("--level", type=int, help="1 to 5 (default: the scenario's)")
    parser.add_argument("--difficulty", default="normal", help="easy, normal, hard or brutal")
    options = parser.parse_args(arguments)
    heroes = int(options.heroes) if options.heroes.isdigit() else options.heroes.split(",")
    composer = Composer(Game(options.scenario, heroes, options.level, options.difficulty))
    composer.trace(play(composer.game.compiled, options.seed, Policy[options.policy.upper()]))
    notes = [" ".join(arguments), *(f"without a case: {what}" for what in composer.left_out)]
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump(composer.cases, None, dumper, sort_keys=False, default_flow_style=None)
    options.out.write_text("".join(f"# {note}\n" for note in notes) + text, encoding="utf-8")
    return run_files([options.out])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
