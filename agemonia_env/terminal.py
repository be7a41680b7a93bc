"""Playing and watching in a terminal."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from .envs.faces.single import RulesetEnv
from .kernel.jit import zeros
from .policies import Policy
from .warmup import compile_if_cold
from .writing import write_whole

HELP = """\
  NUMBER      do what stands beside the number
  ENTER       show the board again
  why         list what is illegal now, and why       why NUMBER   explain one action
  undo        take the last decision back (dice too)  log          what has happened this round
  quit        leave"""


def state_of(env: RulesetEnv) -> NDArray[Any]:
    """A copy of the state of `env`, STATE records (1,)."""
    states = zeros(env.ruleset.STATE)
    states.view(np.uint8)[:] = np.frombuffer(env.get_state(), np.uint8, states.itemsize)
    return states


def board(env: RulesetEnv, happened: Sequence[str] = ()) -> str:
    """The board of `env` as text, with what has happened."""
    return env.ruleset.write_board(state_of(env)[0], env.compiled, happened)


# ---- playing ------------------------------------------------------------------------------------
class Table:
    """One game at the terminal: the environment, the way back, and what has happened."""

    def __init__(self, env: RulesetEnv, console: Console) -> None:
        self.env, self.console = env, console
        self.before: list[tuple[bytes, list[str], list[str]]] = []
        self.happened: list[str] = []  # since the last decision
        self.events: list[str] = []  # in this round
        self.over = False

    def show(self) -> None:
        """Print the board with the question, and the legal actions with their numbers."""
        self.say(board(self.env, self.happened))
        for action in self.env.legal_actions():
            self.say(f"  {action:>3}  {self.env.action_meaning(int(action))}")

    def say(self, text: str) -> None:
        """Print `text` as it is: names in brackets are no markup."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def act(self, action: int) -> None:
        """Do `action` if it is legal, else say why it is not."""
        if action not in self.env.legal_actions():
            self.say(f"{self.env.action_meaning(action)}: {self.env.explain(action)}")
            return
        self.before.append((self.env.get_state(), self.happened, self.events))
        _, _, terminated, truncated, info = self.env.step(action)
        self.over = terminated or truncated
        self.listen()
        self.sum_up(info)
        if not self.over:
            self.show()

    def listen(self) -> None:
        """Take note of what has happened; a new round begins a new list."""
        self.happened = self.env.happened()
        begun = [k for k, event in enumerate(self.happened) if event.startswith("Round ")]
        self.events = self.happened[begun[-1] :] if begun else self.events + self.happened

    def sum_up(self, info: dict[str, Any]) -> None:
        """Where a stage of a gauntlet has ended: what it amounted to."""
        told = info.get("stage_statistics")
        if told:
            self.say(
                f"Stage {told['stage']} of {info['stages']} is {'won' if told['win'] else 'lost'} "
                f"after {told['rounds']} rounds: {told['damage_dealt']} damage dealt, "
                f"{told['damage_taken']} taken, Heroes exhausted: {told['exhausted_heroes']}."
            )

    def undo(self) -> None:
        """Go back by one decision."""
        if not self.before:
            self.say("There is nothing to take back.")
            return
        position, self.happened, self.events = self.before.pop()
        self.env.set_state(position)
        self.show()

    def explain_all(self) -> None:
        """List the actions that would answer the question but are illegal, with the reason."""
        refused = "This does not answer what is asked now."
        shown: set[str] = set()  # of empty slots once
        for action in range(self.env.ruleset.N_ACTIONS):
            reason = self.env.explain(action)
            text = f"{self.env.action_meaning(action)}: {reason}"
            if reason not in ("legal", refused) and text not in shown:
                self.say(f"  {action:>3}  {text}")
                shown.add(text)
        if not shown:
            self.say("Nothing that would answer the question is illegal.")

    def is_action(self, text: str) -> bool:
        """Whether `text` is the number of an action."""
        return text.isascii() and text.isdigit() and int(text) < self.env.ruleset.N_ACTIONS

    def obey(self, line: str) -> bool:
        """Do what the player typed; False = leave."""
        words = line.split()
        match words:
            case []:
                self.show()
            case ["quit" | "q" | "exit"]:
                return False
            case ["undo" | "u"]:
                self.undo()
            case ["why" | "w"]:
                self.explain_all()
            case ["why" | "w", number] if self.is_action(number):
                self.say(f"{self.env.action_meaning(int(number))}: {self.env.explain(int(number))}")
            case ["log"]:
                self.say("\n".join(f"  * {event}" for event in self.events) or "Nothing yet.")
            case [number] if self.is_action(number):
                self.act(int(number))
            case _:
                self.say(HELP)
        return True


def play(env: RulesetEnv, console: Console, seed: int, ask: Callable[[], str]) -> None:
    """Play one scenario; `ask` returns the next line typed and raises EOFError at the end."""
    table = Table(env, console)
    compile_if_cold(table.say, env.ruleset.env_id)
    env.reset(seed=seed)
    table.say(f"Seed {seed}. Type a number, or help.\n")
    table.listen()
    table.show()
    while not table.over:
        try:
            line = ask()
        except (EOFError, KeyboardInterrupt):
            table.say("")
            return
        if not table.obey(line):
            return
    table.say(board(env, table.happened))
    table.say(ending(env))


def ending(env: RulesetEnv) -> str:
    """How the game ended, as a sentence."""
    state = state_of(env)[0]
    outcome = "The scenario is won" if state["won"] else "The scenario is lost"
    return f"{outcome} after {state['round']} rounds and {state['decisions']} decisions."


# ---- watching -----------------------------------------------------------------------------------
def watch(
    env: RulesetEnv,
    console: Console,
    seed: int,
    policy: Policy,
    delay: float,
    picture: Path | None,
) -> None:
    """Show a game that a policy plays; a picture (.gif or .png) of it is written if asked for."""
    table = Table(env, console)
    compile_if_cold(table.say, env.ruleset.env_id, policy.name)
    env.reset(seed=seed)
    frames = [drawing(env)] if picture else []
    table.say(env.render())
    round_ = int(state_of(env)[0]["round"])
    while not table.over:
        action = env.choose(policy)
        table.say(f"{env.question()}  {env.action_meaning(action)}")
        _, _, terminated, truncated, info = env.step(action)
        table.over = terminated or truncated
        for event in env.happened():
            table.say(f"  * {event}.")
        table.sum_up(info)
        shown, round_ = round_, int(state_of(env)[0]["round"])
        if shown != round_ or table.over:
            table.say(board(env))
        if picture:
            frames.append(drawing(env))
        time.sleep(delay)
    table.say(ending(env))
    if picture:
        write_picture(frames, picture, delay)
        table.say(f"Written: {picture}")


def drawing(env: RulesetEnv) -> NDArray[np.uint8]:
    """The board of `env` as a picture, uint8 (height, width, 3)."""
    return env.ruleset.draw_board(state_of(env)[0], env.compiled)


def write_picture(frames: list[NDArray[np.uint8]], path: Path, delay: float) -> None:
    """Write frames uint8 (height, width, 3): all of them as .gif, the last as .png."""
    from PIL import Image

    images = [Image.fromarray(frame) for frame in frames]
    image = io.BytesIO()
    if path.suffix == ".gif":
        pause = int(1000 * max(delay, 0.1))
        told = {"append_images": images[1:], "duration": pause, "loop": 0}
        images[0].save(image, "gif", save_all=True, **told)
    else:
        images[-1].save(image, "png")
    write_whole(path, image.getvalue())
