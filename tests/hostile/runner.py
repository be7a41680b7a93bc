"""Run hostile inputs, each in a forked process of its own, and report faulty answers.

The parent imports and compiles once; a child is forked for each input, so a crash, a hang or a
memory bomb costs that child alone. A generator turns a `random.Random` into an `Attack`; kinds.py
lists the generators. `python -m tests.hostile` runs them.
"""

from __future__ import annotations

import faulthandler
import importlib
import os
import resource
import shutil
import signal
import stat
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

CLI = "agemonia_env.cli.main:app"
MOST_CPU = 10.0  # seconds; of the processor, since the machine may be busy with something else
MOST_WALL = 60.0  # seconds, for input that waits without working
MOST_MEMORY = 300 * 2**20  # bytes of a child above what it was forked with
ADDRESS_SPACE = 8 * 2**30  # where allocation fails at once, should it outrun the measurement
LONGEST_LINE = 2000  # characters of a message
MOST_LINES = 200  # of the messages of one refusal
POLL = 0.005  # seconds
FOREIGN = next(iter(Path("/etc/passwd").read_text().splitlines()), "")  # links lead there

Content = bytes | Callable[[Path], None]  # the bytes of a file, or whatever creates it


@dataclass(frozen=True)
class Attack:
    """One hostile input.

    arguments: of `entry`, a "module:function" that takes a list of strings (a typer app, too) and
    returns an exit status or None; it runs in a folder with `files`, by relative path and in this
    order. allowed: exit statuses; 2 means refused: a message, and no file written.
    """

    arguments: tuple[str, ...]
    files: Mapping[str, Content] = field(default_factory=dict)
    entry: str = CLI
    stdin: bytes = b""
    allowed: tuple[int, ...] = (0, 2)


@dataclass(frozen=True)
class Answer:
    """The result of an attack; status: negative = the signal that ended the process."""

    status: int
    out: str
    err: str
    cpu: float  # seconds
    memory: int  # bytes above the parent's
    written: tuple[str, ...]  # files that are new or different
    stopped: str  # the limit that the process was killed for


# ---- files ----------------------------------------------------------------------------------
def tree(source: Path) -> Content:
    """A copy of a folder."""
    return lambda path: shutil.copytree(source, path) and None


def link(target: str) -> Content:
    """A symbolic link."""
    return lambda path: path.symlink_to(target)


def pipe(path: Path) -> None:
    """A named pipe that nobody writes to."""
    os.mkfifo(path)


def folder(path: Path) -> None:
    """A folder where a file is expected."""
    path.mkdir()


def unreadable(path: Path) -> None:
    """A file without permission to read it; root can still read it."""
    path.write_bytes(b"a: 1\n")
    path.chmod(0)


def lay_out(attack: Attack, where: Path) -> None:
    """Create the files of an attack; a later one takes the place of an earlier one."""
    for name, content in attack.files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink() or path.is_file():
            path.unlink()
        if callable(content):
            content(path)
        else:
            path.write_bytes(content)


def snapshot(where: Path) -> dict[str, tuple[int, int, int]]:
    """Every file below a folder: its kind, size and time of change."""
    found = {}
    for path in where.rglob("*"):
        info = path.lstat()
        if not stat.S_ISDIR(info.st_mode):
            found[str(path.relative_to(where))] = (info.st_mode, info.st_size, info.st_mtime_ns)
    return found


# ---- one attack -----------------------------------------------------------------------------
def call(entry: str, arguments: list[str]) -> int:
    """Call an entry point as its console script would -> exit status."""
    module, _, name = entry.partition(":")
    function = getattr(importlib.import_module(module), name)
    sys.argv = [name, *arguments]
    try:
        return int(function(arguments) or 0)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1


def _child(attack: Attack, place: Path, streams: Path) -> None:
    """The work of the forked process; it never returns."""
    status = 70
    try:
        faulthandler.disable()  # of pytest
        os.setsid()
        os.chdir(place)
        os.environ["TMPDIR"] = str(streams)
        tempfile.tempdir = None
        for number, name in enumerate(("in", "out", "err")):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(streams / name, flags, 0o600), number)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        status = call(attack.entry, list(attack.arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status & 0xFF)


@dataclass
class Running:
    """An attack under way."""

    number: int
    attack: Attack
    home: Path
    began: float = field(default_factory=time.monotonic)
    stopped: str = ""

    def start(self) -> None:
        """Lay out the files and fork."""
        self.place, self.streams = self.home / "place", self.home / "streams"
        self.place.mkdir()
        self.streams.mkdir()
        (self.streams / "in").write_bytes(self.attack.stdin)
        lay_out(self.attack, self.place)
        self.before = snapshot(self.place)
        self.base = memory_of(os.getpid())
        self.pid = os.fork()
        if self.pid == 0:
            _child(self.attack, self.place, self.streams)

    def poll(self) -> Answer | None:
        """The result once it has ended, else None; kills it at a limit."""
        pid, status, used = os.wait4(self.pid, os.WNOHANG)
        if not pid:
            self._limit()
            return None
        self._kill()  # whatever it started itself
        after = snapshot(self.place)
        written = sorted(name for name in after if after[name] != self.before.get(name))
        answer = Answer(
            status=os.waitstatus_to_exitcode(status),
            out=(self.streams / "out").read_text(encoding="utf-8", errors="replace"),
            err=(self.streams / "err").read_text(encoding="utf-8", errors="replace"),
            cpu=used.ru_utime + used.ru_stime,
            memory=max(0, used.ru_maxrss * 1024 - self.base),
            written=tuple(written),
            stopped=self.stopped,
        )
        shutil.rmtree(self.home, ignore_errors=True)
        return answer

    def _limit(self) -> None:
        waited = time.monotonic() - self.began
        if memory_of(self.pid) - self.base > MOST_MEMORY:
            self.stopped = f"more than {MOST_MEMORY >> 20} MiB"
        elif waited > MOST_CPU and cpu_of(self.pid) > MOST_CPU:
            self.stopped = f"more than {MOST_CPU:.0f} s of work"
        elif waited > MOST_WALL:
            self.stopped = f"more than {MOST_WALL:.0f} s"
        if self.stopped:
            self._kill()

    def _kill(self) -> None:
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        except PermissionError:  # it has not come to setsid yet
            os.kill(self.pid, signal.SIGKILL)


def memory_of(pid: int) -> int:
    """Bytes of memory that a process occupies; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def cpu_of(pid: int) -> float:
    """Seconds that a process has worked; 0 if it has ended."""
    try:
        numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


# ---- faults of an answer ------------------------------------------------------------------------
def faults(attack: Attack, answer: Answer) -> Iterator[str]:
    """The faults of an answer."""
    if answer.stopped:
        yield answer.stopped
    elif answer.status < 0:
        yield f"crashed: {signal.Signals(-answer.status).name}"
    elif answer.status not in attack.allowed:
        yield f"exit status {answer.status}, not one of {attack.allowed}"
    if answer.memory > MOST_MEMORY and not answer.stopped:
        yield f"{answer.memory >> 20} MiB"
    if answer.cpu > MOST_CPU and not answer.stopped:
        yield f"{answer.cpu:.1f} s of work"
    if "Traceback (most recent call last)" in answer.err + answer.out:
        yield "a traceback"
    if FOREIGN and FOREIGN in answer.err + answer.out:
        yield "the content of a foreign file is shown"
    left = [name for name in answer.written if ".partial" in name or name.endswith(".tmp")]
    if left:
        yield f"half-written files left: {', '.join(left)}"
    if answer.status == 2:
        yield from _refusal_faults(answer)


def _refusal_faults(answer: Answer) -> Iterator[str]:
    """The faults of a refusal."""
    said = answer.err.strip() or answer.out.strip()
    lines = said.split("\n")
    if not said:
        yield "refused without a message"
    if len(lines) > MOST_LINES:
        yield f"a refusal of {len(lines)} lines"
    if max(map(len, lines)) > LONGEST_LINE:
        yield f"a message of {max(map(len, lines)):,} characters"
    if any(not line.isprintable() for line in lines):
        yield "a message with control characters"
    if answer.written:
        yield f"refused, but written: {', '.join(answer.written)}"


# ---- many attacks ---------------------------------------------------------------------------
def answers(
    attacks: Iterable[Attack], jobs: int = 2, keep: Path | None = None
) -> Iterator[tuple[int, Attack, Answer]]:
    """Run attacks, `jobs` at a time -> each with its position, in the order in which they end."""
    base = Path(tempfile.mkdtemp(prefix="hostile-", dir=keep))
    running: list[Running] = []
    waiting = enumerate(attacks)
    try:
        while True:
            while len(running) < jobs and (following := next(waiting, None)) is not None:
                home = base / str(following[0])
                home.mkdir()
                running.append(Running(*following, home))
                running[-1].start()
            if not running:
                return
            for one in list(running):
                answer = one.poll()
                if answer is not None:
                    running.remove(one)
                    yield one.number, one.attack, answer
            time.sleep(POLL)
    finally:
        for one in running:
            one._kill()
            os.waitpid(one.pid, 0)
        shutil.rmtree(base, ignore_errors=True)


def warm() -> None:
    """Import and compile in the parent what every child needs.

    Nothing here may start threads that children need: they do not live through a fork (polars and
    torch are left to the children, or to generators that know how).
    """
    import yaml  # noqa: F401

    from agemonia_env.cli import main, terminal  # noqa: F401
    from agemonia_env.envs import env_class
    from agemonia_env.packs import patches  # noqa: F401
    from agemonia_env.rulesets.agemonia.content.load import load_pack
    from agemonia_env.rulesets.doors import RULESETS
    from agemonia_env.rulesets.hexdungeon.content import load as hexdungeon
    from agemonia_env.warmup import warm_up

    for env in RULESETS:
        warm_up(env)
        env_class(env)
    load_pack("core")
    hexdungeon.load_pack("hex-core")
