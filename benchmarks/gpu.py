"""The rules on an NVIDIA GPU: do they play the same games, and how fast?

    python -m benchmarks.gpu prepare --out build/gpu     without a GPU: code, and games of the CPU
    NUMBA_DISABLE_JIT=1 python -m benchmarks.gpu run build/gpu     on the card; compiles nothing

`prepare` plays 4,096 games of random legal play in all scenarios of each ruleset, and stores a
digest of each game's state, mask and observation after so many decisions. `run` plays the same on
the card and counts the digests that are equal, then times steps of more games: `play` the rules,
`write` masks and observations, `fused` both in one kernel. Where ptxas is installed, `prepare`
assembles the code for the cards named by --arch, with so many registers a thread; otherwise the
driver does, for minutes.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import io
import lzma
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import EPISODE, Autoreset
from agemonia_env.envs.batch import Batch, mix_entries
from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

GAMES = 4096
COMPARED = (0, 1, 10, 100, 500)  # after so many decisions
OWN_LOOP = 400  # decisions of the last leap, which one kernel plays on its own
SIZES = (GAMES, 65_536, 262_144)
WARM_UP, TIMED = 30, 10  # steps


# ---- without a GPU ----------------------------------------------------------------------------
def prepare(out: Path, arch: str, registers: Iterable[int]) -> None:
    """Write code and digests of both rulesets."""
    out.mkdir(parents=True, exist_ok=True)
    for env_id in RULESETS:
        rules = ruleset_of(env_id)
        ptx = out / f"{rules.name}.ptx"
        command = [sys.executable, "-m", "agemonia_env.gpu.ptx", "--env", env_id]
        subprocess.run([*command, "--out", str(ptx)], check=True)
        for most in registers if shutil.which("ptxas") else ():
            code = ptx.with_name(f"{rules.name}-{most}.cubin")
            options = [f"-arch={arch}", f"--maxrregcount={most}"]
            subprocess.run(["ptxas", *options, str(ptx), "-o", str(code)], check=True)
            packed = lzma.compress(code.read_bytes(), preset=1)
            write_whole(code.with_suffix(".cubin.xz"), packed)
            code.unlink()
        content = io.BytesIO()
        np.savez(content, **reference(rules))
        write_whole(out / f"{rules.name}.npz", content.getvalue())
        print(f"{env_id}: prepared", flush=True)


def reference(rules: Ruleset) -> dict[str, Any]:
    """The games of the CPU: what they are set up with, and their digests by decisions."""
    arguments = rules.check_arguments(reward="shaped")
    names = rules.load_pack(arguments.pack).scenarios
    mix = mix_entries(rules, arguments, [{"scenario": name} for name in names])
    batch = Batch(rules, GAMES, mix, Autoreset.SAME_STEP, dtype=np.dtype(np.int8))
    batch.reset(np.ones(GAMES, np.bool_), range(GAMES))
    actions, digests = np.zeros(GAMES, np.int64), []
    policy = int(rules.POLICIES["random"])
    for step in range(COMPARED[-1] + 1):
        if step:
            which = np.ascontiguousarray(batch.slots["which"])
            games = batch.states, batch.contents.rows, which
            rules.api.choose_actions(*games, policy, actions)
            batch.step(actions)
        if step in COMPARED:
            arrays = batch.arrays
            digests.append(digests_of(arrays.raw, arrays.masks, arrays.obs_int8))
    contents = batch.contents.rows
    return {
        "contents": contents.view(np.uint8).reshape(len(contents), -1),
        "episode": batch.arrays.episode.view(np.uint8),
        "bounds": batch._bounds,
        "digests": np.array(digests),
    }


def digests_of(*rows: NDArray[Any]) -> NDArray[np.uint64]:
    """A digest of each game, from its rows of all these arrays."""
    digests = np.empty(GAMES, np.uint64)
    for i in range(GAMES):
        digest = hashlib.blake2b(b"".join(row[i].tobytes() for row in rows), digest_size=8)
        digests[i] = np.frombuffer(digest.digest(), np.uint64)[0]
    return digests


# ---- on the card --------------------------------------------------------------------------------
def games_on_card(rules: Ruleset, folder: Path, code: Path, n: int, **how: Any) -> Any:
    """The first n games of the reference, on the card."""
    import torch as th

    from agemonia_env.gpu.driver import Code
    from agemonia_env.gpu.games import Games

    device, stored = th.device("cuda"), np.load(folder / f"{rules.name}.npz")
    image = lzma.decompress(code.read_bytes()) if code.suffix == ".xz" else code.read_bytes()
    episode = stored["episode"].view(EPISODE)
    scenarios = stored["contents"], episode, stored["bounds"]
    return Games(rules, Code(image, device), *scenarios, n, device=device, **how)


def compare(rules: Ruleset, folder: Path, code: Path) -> None:
    """Play the games of the reference -> a line: how many are equal, by decisions."""
    expected = np.load(folder / f"{rules.name}.npz")["digests"]
    begun = time.perf_counter()
    games, policy = games_on_card(rules, folder, code, GAMES), int(rules.POLICIES["random"])
    print(f"{code.name}: loaded in {time.perf_counter() - begun:.1f} s", flush=True)
    choose = games.launch("choose", *games.games, policy, *games.outputs, games.scratch)
    play_on = games.launch("play_on", *games.games, policy, OWN_LOOP, *games.played)
    done = 0
    for at, digests in zip(COMPARED, expected, strict=True):
        if at == 0:
            games.begin(range(GAMES))
        elif at - done == OWN_LOOP:
            play_on()
        else:
            for _ in range(at - done):
                choose()
                games.step()
        done = at
        rows = (part.cpu().numpy() for part in (games.states, games.masks, games.obs_int8))
        equal = int((digests_of(*rows) == digests).sum())
        print(f"  after {at:3} decisions {equal:,} of {GAMES:,} games are equal", flush=True)


def measure(rules: Ruleset, folder: Path, code: Path, n: int, width: int, threads: int) -> None:
    """Time the steps of n games -> lines of milliseconds, in the order of slots and of actions."""
    import torch as th

    how = {"width": width, "threads": threads}
    games, policy = games_on_card(rules, folder, code, n, **how), int(rules.POLICIES["random"])
    games.begin(range(n))
    for is_sorted in (False, True):
        order = th.arange(n, device=games.device) if is_sorted else None

        def sort(order: Any = order) -> None:
            if order is not None:
                order.copy_(th.argsort(games.actions))

        choose = games.launch("choose", *games.games, policy, *games.outputs, games.scratch)
        commanded = *games.games, games.commands
        parts: dict[str, Callable[[], Any]] = {
            "choose": choose,
            "sort": sort,
            "play": games.launch("play", *commanded, *games.played, order=order),
            "write": games.launch(
                "write", *commanded, *games.outputs, games.obs_scratch, order=order
            ),
        }
        together = {
            **{"choose": choose, "sort": sort},
            "fused": games.launch("play_on", *games.games, -1, 1, *games.played, order=order),
        }
        for calls in (parts, together):
            times = milliseconds(calls)
            step = sum(times.values()) - times["choose"]
            shown = ", ".join(f"{name} {taken:.2f}" for name, taken in times.items())
            rate = n / step / 1e3
            print(
                f"{code.name} n={n:,} width={width} threads={threads} "
                f"{'sorted' if is_sorted else 'in order'}: {shown} ms; {rate:.2f} M steps/s",
                flush=True,
            )


def milliseconds(calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The mean time of each call, by events on the card."""
    import torch as th

    event: Any = functools.partial(th.cuda.Event, enable_timing=True)
    for _ in range(WARM_UP):
        for call in calls.values():
            call()
    total = dict.fromkeys(calls, 0.0)
    for _ in range(TIMED):
        events: list[Any] = [event() for _ in range(len(calls) + 1)]
        events[0].record()
        for call, end in zip(calls.values(), events[1:], strict=True):
            call()
            end.record()
        th.cuda.synchronize()
        for name, start, end in zip(calls, events, events[1:], strict=False):
            total[name] += start.elapsed_time(end)
    return {name: taken / TIMED for name, taken in total.items()}


def run(folder: Path, sizes: Iterable[int], width: int, threads: int) -> None:
    """Compare, then measure, with all codes of the folder."""
    for env_id in RULESETS:
        rules = ruleset_of(env_id)
        codes = sorted(folder.glob(f"{rules.name}-*.cubin.xz")) or [folder / f"{rules.name}.ptx"]
        for code in codes:
            compare(rules, folder, code)
            for n in sizes:
                measure(rules, folder, code, n, width, threads)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    before = commands.add_parser("prepare")
    before.add_argument("--out", type=Path, default=Path("build/gpu"))
    before.add_argument("--arch", default="sm_90")
    before.add_argument("--registers", type=int, nargs="+", default=[255, 128])
    card = commands.add_parser("run")
    card.add_argument("folder", type=Path)
    card.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    card.add_argument("--width", type=int, default=64, help="threads of a block")
    card.add_argument("--threads", type=int, default=256, help="of each multiprocessor")
    options = parser.parse_args()
    if options.command == "prepare":
        prepare(options.out, options.arch, options.registers)
    else:
        run(options.folder, options.sizes, options.width, options.threads)


if __name__ == "__main__":
    main()
