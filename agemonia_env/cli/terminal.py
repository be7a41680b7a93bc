"""Playing and watching in a terminal."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.display.lines import fold
from agemonia_env.display.pages import UnknownPageError, contents
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.files.writing import write_whole
from agemonia_env.policies import Policy
from agemonia_env.warmup import compile_if_cold

if TYPE_CHECKING:
    from PIL.Image import Image

HELP = """\
  NUMBER       take the action with this number
  ENTER        show the whole board
  look NUMBER  describe an action: its card, and what it would do now
  look NAME    describe a hero, card, item, enemy, place, condition or keyword; look lists them
  why NUMBER   why an action is illegal, or what it does;  why alone lists all illegal actions
  goal         how the scenario is won and lost, and the progress so far
  undo         take back the last decision (dice, too);    log   the events of this round
  again        restart the same game
  quit         leave"""
FIRST = (
    "Type the number of an action. ENTER shows the board, look NUMBER explains an action, look "
    "WORD a word such as shield, goal shows the objective; help lists the rest."
)
NEXT = "undo takes back the last decision, again restarts the same game, quit leaves."
COMMANDS = ("look", "why", "goal", "undo", "log", "again", "help", "quit")
SHORT = {
    "l": "look",
    "w": "why",
    "g": "goal",
    "u": "undo",
    "q": "quit",
    "exit": "quit",
    "?": "help",
}
LONGEST = 200  # characters of an input line
MARGIN = 7  # columns before an option's text
WIDEST = 100  # columns of output; longer lines are hard to read
FRAME = 1.0  # seconds per picture of an animation


def console() -> Console:
    """A console that replaces characters that the terminal cannot encode."""
    import sys

    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    return Console()


def prompt() -> Callable[[], str]:
    """A function that reads the next line, with a history in a terminal."""
    import sys

    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - input() uses it once it is loaded

    def ask() -> str:
        try:
            return input("> ")
        except KeyboardInterrupt:
            print()  # start a new line
            raise

    return ask


def board(env: RulesetEnv, happened: Sequence[str] = (), width: int = WIDEST) -> str:
    """The board of `env` as text, with recent events."""
    return env.ruleset.write_board(env.states[0], env.compiled, happened, width)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers with runs shortened: "4 to 13, 17"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in runs)


# ---- playing ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Start:
    """Where a game starts: with a seed, or at a position. again: what starts it there again."""

    seed: int
    again: str
    text: str
    position: bytes | None = None

    @classmethod
    def of_seed(cls, seed: int) -> Start:
        """The start of the game of a seed."""
        return cls(seed, f"--seed {seed}", f"Seed {seed}.")


class TerminalGame:
    """A game in the terminal: the environment, undo history and recent events."""

    def __init__(self, env: RulesetEnv, console: Console, begins: Start | int = 0) -> None:
        self.env, self.console = env, console
        self.begins = Start.of_seed(begins) if isinstance(begins, int) else begins
        self.begin()

    def begin(self) -> None:
        """Clear the history."""
        self.before: list[tuple[bytes, list[str], list[str]]] = []
        self.happened: list[str] = []  # since the last decision
        self.events: list[str] = []  # in this round
        self.explained: set[int] = set()  # questions, by number, whose meaning has been told
        self.over = False

    @property
    def width(self) -> int:
        """Columns of output."""
        return min(self.console.width, WIDEST)

    def say(self, text: str) -> None:
        """Print `text` verbatim, without markup."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    # ---- the board ------------------------------------------------------------------------------
    def start(self) -> None:
        """Start the game and show its goal."""
        self.begin()
        if self.begins.position is None:
            self.env.reset(seed=self.begins.seed)
        else:
            self.env.set_state(self.begins.position)
            self.over = bool(self.env.states["ending"][0])
        self.listen()
        self.say(f"{self.begins.text}\n")
        self.goal()
        self.say("")
        self.show()
        self.say(fold(f"\n{NEXT if self.over else FIRST}", self.width))

    def show(self, whole: bool = True) -> None:
        """Print the board, the question and the numbered legal actions.

        whole: always the whole board; otherwise a brief one if the whole does not fit the screen.
        """
        text = board(self.env, self.happened, self.width)
        options = [self.option(int(action)) for action in self.env.legal_actions()]
        high = text.count("\n") + sum(option.plain.count("\n") + 1 for option in options) + 2
        if not whole and self.console.is_terminal and high > self.console.height:
            rules, state = self.env.ruleset, self.env.states[0]
            text = rules.write_brief(state, self.env.compiled, self.happened, self.width)
        self.say(text)
        if not self.over:
            self.introduce(whole)
            for option in options:
                self.console.print(option, soft_wrap=True)

    def introduce(self, whole: bool) -> None:
        """Say what a question is about: below a whole board, or at its first time in a game."""
        state = self.env.states[0]
        decision, about = int(state["decision"]), self.env.ruleset.question_help(state)
        if about and (whole or decision not in self.explained):
            self.console.print(Text(fold(f"   {about}", self.width, hang=0), "dim"), soft_wrap=True)
        self.explained.add(decision)

    def option(self, action: int) -> Text:
        """A numbered action, and what it does, dimmed, beside or below it."""
        rules, state = self.env.ruleset, self.env.states[0]
        name = fold(f"  {action:>3}  {self.env.action_meaning(action)}", self.width)
        detail = rules.action_help(state, self.env.compiled, action)
        if not detail:
            return Text(name)
        if len(name) + 3 + len(detail) <= self.width:
            return Text.assemble(name, (f" - {detail}", "dim"))
        below = fold(" " * MARGIN + detail, self.width, hang=0)
        return Text.assemble(name, "\n", (below, "dim"))

    # ---- decisions ------------------------------------------------------------------------------
    def act(self, number: int) -> None:
        """Take an action if it is legal; otherwise say why it is not."""
        env = self.env
        if self.over:
            self.say("The game is over: undo, again, or quit.")
        elif number >= env.ruleset.N_ACTIONS:
            self.say(f"There is no action {number}; {self.legal()}")
        elif number not in env.legal_actions():
            self.say(f"{env.action_meaning(number)}: {env.explain(number)} {self.legal()}")
        else:
            self.do(number)

    def legal(self) -> str:
        """The legal action numbers."""
        return f"legal: {ranges(self.env.legal_actions().tolist())}"

    def do(self, action: int) -> None:
        """Take a legal action and show the result."""
        self.before.append((self.env.get_state(), self.happened, self.events))
        _, _, terminated, truncated, info = self.env.step(action)
        self.over = terminated or truncated
        self.listen()
        self.sum_up(info)
        self.show(whole=self.over)
        if self.over:
            self.close()

    def listen(self) -> None:
        """Record the events; a new round starts a new list."""
        self.happened = self.env.happened()
        begun = [k for k, event in enumerate(self.happened) if event.startswith("Round ")]
        self.events = self.happened[begun[-1] :] if begun else self.events + self.happened

    def sum_up(self, info: dict[str, Any]) -> None:
        """Print the result of a gauntlet stage that has ended."""
        stage = info.get("stage_statistics")
        if stage and (self.over or stage["ending"] != self.env.ruleset.ENDINGS[GOING_ON]):
            result = "won" if stage["win"] else "lost"
            self.say(
                f"Stage {stage['stage']} of {info['stages']} is {result} after {stage['rounds']} "
                f"rounds: {stage['damage_dealt']} damage dealt, {stage['damage_taken']} taken, "
                f"heroes exhausted: {stage['exhausted_heroes']}."
            )

    def close(self) -> None:
        """Say how the game ended, and what to type next."""
        self.say("")
        self.say(fold(ending(self.env), self.width))
        self.say(fold(NEXT, self.width))
        self.say(f"{self.begins.again} starts this game again.")

    def undo(self) -> None:
        """Go back by one decision."""
        if not self.before:
            self.say("There is nothing to undo.")
            return
        position, self.happened, self.events = self.before.pop()
        self.env.set_state(position)
        self.over = False
        self.show()

    # ---- asking ---------------------------------------------------------------------------------
    def why(self, number: int | None) -> None:
        """Explain one action, or all illegal ones that would answer the question."""
        env = self.env
        if number is None:
            self.explain_all()
        elif number >= env.ruleset.N_ACTIONS:
            self.say(f"There is no action {number}; {self.legal()}")
        elif not self.over and number in env.legal_actions():
            self.say(fold(f"legal: {env.describe(number)}", self.width))
        else:
            self.say(fold(f"{env.action_meaning(number)}: {env.explain(number)}", self.width))

    def explain_all(self) -> None:
        """List illegal actions that would answer the question, with the reason.

        After the end, say how the game was won or lost.
        """
        if self.over:
            self.say(fold(ending(self.env), self.width))
            return
        refused = self.env.refused_answers()
        for action, reason in refused.items():
            text = f"{self.env.action_meaning(action)}: {reason}"
            self.say(fold(f"  {action:>3}  {text}", self.width))
        if not refused:
            self.say("Every action that answers the question is legal.")

    def look(self, name: str) -> None:
        """Describe an action or a thing; without a name list all things."""
        env = self.env
        try:
            if is_number(name):
                number = int(name)
                known = number < env.ruleset.N_ACTIONS
                text = env.describe(number) if known else f"There is no action {name}."
            elif name:
                text = env.look(name)
            else:
                text = contents(env.ruleset.help_pages(env.states[0], env.compiled))
        except UnknownPageError as error:
            text = str(error)
        self.say(fold(text, self.width))

    def goal(self) -> None:
        """How the scenario is won and lost."""
        text = self.env.ruleset.goal_page(self.env.states[0], self.env.compiled)
        self.say(fold(text, self.width))

    # ---- what is typed --------------------------------------------------------------------------
    def obey(self, line: str) -> bool:
        """Run the command that the player typed; False = quit."""
        if len(line) > LONGEST:
            self.say(f"That line has {len(line)} characters; at most {LONGEST} are allowed.")
            return True
        words = line.split()
        command = SHORT.get(words[0].lower(), words[0].lower()) if words else ""
        rest = words[1:]
        number = int(rest[0]) if len(rest) == 1 and is_number(rest[0]) else None
        match command, rest:
            case "", _:
                self.show()
            case "quit", []:
                return False
            case "undo", []:
                self.undo()
            case "again", []:
                self.start()
            case "help", []:
                self.say(HELP)
            case "goal", []:
                self.goal()
            case "log", []:
                events = "\n".join(f"  * {event}" for event in self.events)
                self.say(fold(events, self.width) or "Nothing yet.")
            case "look", _:
                self.look(" ".join(rest))
            case "why", _ if not rest or number is not None:
                self.why(number)
            case _, [] if is_number(command):
                self.act(int(command))
            case _:
                self.say(self.unknown(" ".join(words)))
        return True

    def unknown(self, typed: str) -> str:
        """One line about an unknown command, with a suggestion."""
        legal = [] if self.over else self.env.legal_actions().tolist()
        named = {self.env.action_meaning(action): action for action in legal}
        near = [text for text in named if typed.lower() in text.lower()]
        if len(near) == 1:
            return f"{typed!r} is not a command; to {near[0]}, type {named[near[0]]}"
        hint = did_you_mean(typed.split()[0], COMMANDS) or "; type a number, or help"
        return f"{typed!r} is not a command{hint}"


def is_number(text: str) -> bool:
    """Whether a text is a whole number of plausible size, in ASCII digits."""
    return text.isascii() and text.isdigit() and len(text) < 10


def play(env: RulesetEnv, console: Console, begins: Start | int, ask: Callable[[], str]) -> None:
    """Play one scenario; `ask` returns the next input line, and raises EOFError at the end.

    begins: where; a number is a seed. A line that cannot be decoded is rejected. KeyboardInterrupt
    (Ctrl-C) is passed on.
    """
    game = TerminalGame(env, console, begins)
    compile_if_cold(game.say, env.ruleset.env_id)
    game.start()
    while True:
        try:
            line = ask()
        except EOFError:
            game.say("")
            return
        except UnicodeDecodeError:
            game.say("That line is not text in this terminal's encoding.")
            continue
        if not game.obey(line):
            return


def ending(env: RulesetEnv) -> str:
    """How and why the game ended, in a few lines."""
    return env.ruleset.ending_text(env.states[0], env.compiled)


# ---- watching -----------------------------------------------------------------------------------
def watch(
    env: RulesetEnv,
    console: Console,
    seed: int,
    policy: Policy,
    delay: float,
    gif: Path | None = None,
    png: Path | None = None,
    frame: float = FRAME,
) -> None:
    """Show a game that a policy plays, with `delay` seconds between decisions.

    gif: save an animation with `frame` seconds per picture. png: save the last board. Both are
    also written if the game is stopped with Ctrl-C.
    """
    game = TerminalGame(env, console, seed)
    compile_if_cold(game.say, env.ruleset.env_id)
    env.reset(seed=seed)
    frames = [drawing(env).quantize()] if gif else []
    try:
        _watch(game, policy, delay, frames if gif else None)
        game.say(fold(ending(env), game.width))
    finally:
        if gif:
            write_gif(frames, gif, frame)
            game.say(f"Written: {gif} ({len(frames)} pictures, {len(frames) * frame:.0f} s)")
        if png:
            write_png(drawing(env), png)
            game.say(f"Written: {png} (the last board)")


def _watch(game: TerminalGame, policy: Policy, delay: float, frames: list[Image] | None) -> None:
    """Play to the end, printing every event and appending pictures to `frames`."""
    env = game.env
    game.say(board(env, env.happened(), game.width))
    round_ = int(env.states[0]["round"])
    while not game.over:
        action = env.choose(policy)
        game.say(fold(f"{env.question()}  {env.action_meaning(action)}", game.width))
        _, _, terminated, truncated, info = env.step(action)
        game.over = terminated or truncated
        for event in env.happened():
            game.say(fold(f"  * {event}.", game.width))
        game.sum_up(info)
        shown, round_ = round_, int(env.states[0]["round"])
        if shown != round_ or game.over:
            game.say(board(env, (), game.width))
        if frames is not None:
            frames.append(drawing(env).quantize())  # a third of the memory
        time.sleep(delay)


# ---- pictures -----------------------------------------------------------------------------------
def drawing(env: RulesetEnv) -> Image:
    """The board of `env` with recent events, as a picture."""
    from PIL import Image

    from agemonia_env.display.pixels import pixels_of

    board = env.ruleset.draw_board(env.states[0], env.compiled, env.happened())
    return Image.fromarray(pixels_of(board))


def write_gif(frames: Sequence[Image], path: Path, frame: float) -> None:
    """Write pictures as an animation, `frame` seconds each."""
    options: dict[str, Any] = {
        "append_images": frames[1:],
        "duration": round(1000 * frame),
        "loop": 0,
    }
    image = io.BytesIO()
    frames[0].save(image, "gif", save_all=True, **options)
    write_whole(path, image.getvalue())


def write_png(picture: Image, path: Path) -> None:
    """Write one picture."""
    image = io.BytesIO()
    picture.save(image, "png")
    write_whole(path, image.getvalue())
