"""Playthroughs: whole games as text, to be read in diffs and compared line by line.

Run as `python tests/agemonia/playthroughs.py --write` to play the scenarios that have no file, and
with `--replay` to keep the actions of every file and write what they lead to now.

A file holds its scenario, party, seed and policy, the position at the start, and for each decision
what is asked, the action by number and name, what happened, and the figures that changed.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, not installed

from agemonia_env.core.event_log import clear_rows, empty_rows
from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.content.load import scenarios
from agemonia_env.rulesets.agemonia.core import api, layout, terms
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.view.event_text import event_texts
from agemonia_env.rulesets.agemonia.view.labels import (
    action_text,
    area_name,
    condition_names,
    enemy_name,
    question_text,
    token_name,
)

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "agemonia" / "playthroughs"
LONGEST = 250  # decisions of one file
SIZE = 60_000  # bytes of one file


class Game:
    """One game, written line by line."""

    def __init__(self, scenario, heroes, seed):
        self.compiled = compile_scenario("core", scenario, heroes)
        self.contents = self.compiled.content
        self.states, self.which = zeros(layout.STATE), np.zeros(1, np.int16)
        select, seeds = np.ones(1, np.uint8), np.array([seed], np.uint64)
        api.reset(self.states, self.contents, self.which, seeds, select, 0, api.NO_ROWS)
        self.rows = empty_rows()
        self.shown = {}
        self.lines = self.changes()

    @property
    def state(self):
        return self.states[0]

    def is_over(self):
        return self.state["ending"] != terms.Ending.NONE

    def chosen(self, policy):
        actions = np.zeros(1, np.int64)
        api.choose_actions(self.states, self.contents, self.which, int(policy), actions)
        return int(actions[0])

    def play(self, action):
        """Take an action and tell it."""
        question = question_text(self.state, self.compiled)
        answer = action_text(self.state, self.compiled, action)
        denials = np.zeros(1, np.int16)
        actions = np.array([action], np.int64)
        self.lines.append(f"> {action} {question} {answer}")
        clear_rows(self.rows)
        api.step(self.states, self.contents, self.which, actions, 0, self.rows, denials)
        if denials[0]:
            self.lines.append(f"  refused: {terms.Denial(int(denials[0])).name}")
        self.lines += [f"  * {text}" for text in event_texts(self.rows, self.state, self.compiled)]
        self.lines += self.changes()

    def changes(self):
        """Lines of the figures that changed since the last call."""
        now = {"round": round_line(self.state), **self.figures()}
        changed = [f"  {text}" for name, text in now.items() if self.shown.get(name) != text]
        changed += [f"  {name} is gone" for name in self.shown if name not in now]
        self.shown = now
        return changed

    def figures(self):
        """Every figure in one line each."""
        found = {}
        for a in range(int(self.contents["n_allies"][0])):
            name = self.compiled.names.allies[a]
            found[name] = f"{name} {ally_line(self.state['ally'][a], self.compiled, a)}"
        for e in range(layout.N_ENEMIES):
            if self.state["enemy"][e]["area"] >= 0:
                name = enemy_name(self.state, self.compiled, e)
                found[name] = f"{name} {enemy_line(self.state['enemy'][e], self.compiled)}"
        return found


def round_line(state):
    return f"round {state['round']}, {terms.Phase(int(state['phase'])).name.lower()}"


def ally_line(ally, compiled, a):
    """Place, chips as disk/spent/wounds (+ locked), chosen action, conditions."""
    chips = f"{ally['disk']}/{ally['spent']}/{ally['wounds']}"
    locked = int(sum(ally["lock_chips"].tolist()))
    words = [area_name(compiled, int(ally["area"])), chips + (f"+{locked}" if locked else "")]
    if ally["token"] >= 0:
        words.append(token_name(compiled, a, int(ally["token"])))
    words += [name for name in ("wounded", "exhausted") if ally[name]]
    return ", ".join(words + condition_names(int(ally["conditions"])))


def enemy_line(enemy, compiled):
    words = [area_name(compiled, int(enemy["area"])), str(enemy["health"])]
    return ", ".join(words + condition_names(int(enemy["conditions"])))


def transcript(scenario, heroes, seed, policy, actions=None):
    """The text of a game: of the given actions, else of a policy's."""
    game = Game(scenario, heroes, seed)
    head = f"{scenario}, {heroes} heroes, seed {seed}, policy {policy}"
    for k in range(LONGEST if actions is None else len(actions)):
        if game.is_over():
            break
        game.play(game.chosen(Policy[policy.upper()]) if actions is None else actions[k])
    state = game.state
    end = question_text(state, game.compiled) if game.is_over() else "To be continued."
    numbers = f"damage dealt {state['damage_dealt']}, taken {state['damage_taken']}"
    tail = f"{end} {state['decisions']} decisions, {numbers}, exhausted {state['n_exhausted']}"
    return "\n".join([head, *game.lines, tail]) + "\n"


def read(path):
    """(arguments of `transcript` with its actions, text) of a file."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    scenario, heroes, seed, policy = (part.split() for part in lines[0].split(", "))
    actions = [int(line.split()[1]) for line in lines if line.startswith("> ")]
    return (scenario[0], int(heroes[0]), int(seed[1]), policy[1], actions), text


def games():
    """(path, arguments of `transcript`) of every scenario: those of its file, if it has one."""
    for scenario in scenarios("core"):
        paths = list(FOLDER.glob(f"{scenario}-?.txt"))
        if paths:
            yield paths[0], read(paths[0])[0][:4]
        else:
            k = sum(scenario.encode())
            heroes, policy = 1 + k % 4, ("greedy", "greedy", "random")[k % 3]
            yield FOLDER / f"{scenario}-{heroes}.txt", (scenario, heroes, k, policy)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, arguments in games():
        if "--replay" in sys.argv:
            arguments = read(path)[0]
        elif "--write" not in sys.argv:
            sys.exit(__doc__)
        elif path.exists():
            continue
        path.write_text(transcript(*arguments), encoding="utf-8")
        print(path.relative_to(ROOT), path.stat().st_size, "bytes")
