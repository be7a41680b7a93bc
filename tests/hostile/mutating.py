"""Seeded damage to files: hostile values in a sound document, hostile bytes, hostile file types."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import yaml

from .runner import Content, folder, link, pipe, unreadable

MARK = "HOSTILE9VALUE"  # stands in a dumped document for YAML that no value dumps to

# YAML of values that hardly anything allows
VALUES = (
    *("null", "true", "false", "yes", "off", "-1", "0", "1", "2", "99", "100", "1000000", "1.5"),
    *("1e400", "-.inf", ".nan", "1:30", "010", "0x10", "0o17", "1_000", "2024-01-01", "''", "' '"),
    *("18446744073709551616", "-9223372036854775809", "9" * 5000, "1e9", "3.0", "=", "<<", "~"),
    *('"$\\\\frac{"', '"[red]x[/]"', "'[/]'", "{x}", '"\\0"', '"\\ud800"', '"\\e[31m"', '"a\\nb"'),
    *("!!int ''", "!!bool x", "!!timestamp x", "!!binary '#'", "!!null x", "!!float x", "!!map []"),
    *("!!python/object/apply:os.system [true]", "!!set {a, b}", "!!omap [a: 1]", "!!pairs [a: 1]"),
    *("!here x", "!<tag:yaml.org,2002:int> 5", "&a [*a]", "*nowhere", "&a 1", "{<<: {a: 1}}"),
    *("[]", "{}", "[[]]", "{a: 1}", "[1, 2]", "[null]", "{null: null}", "{[a]: b}", "{{a: 1}: 2}"),
    "'✗ 🐀 \u202e'",
    *("{a: 1, a: 2}", "[true, 1.0]", "'" + "x" * 100_000 + "'", "[" + "0, " * 20_000 + "0]"),
    *(
        "[" * 200 + "]" * 200,
        "[" * 20_000,
        "{a: " * 20_000,
        "'✗ 🐀 \u202e'",
        '"\\x85\\u2028"',
        "|\n",
    ),
)


def bomb(levels: int, width: int, form: str) -> str:
    """Aliases of aliases: width ** levels values. form: of a line, with {name} and {parts}."""
    lines = ["x0: &x0 {a: 1}" if "<<" in form else "x0: &x0 [1, 1]"]
    for i in range(1, levels):
        parts = ", ".join([f"*x{i - 1}"] * width)
        lines.append(form.format(i=i, parts=parts))
    return "\n".join(lines) + "\n"


def whole_files() -> dict[str, Content]:
    """Files that are hostile as a whole, whatever is expected."""
    texts: dict[str, Content] = {
        name: text.encode()
        for name, text in {
            "empty": "",
            "brackets": "[" * 100_000,
            "braces": "{a: " * 100_000,
            "dashes": "- " * 50_000,
            "questions": "? " * 50_000,
            "closed brackets": "[" * 5000 + "]" * 5000,
            "alias bomb": bomb(30, 9, "x{i}: &x{i} [{parts}]"),
            "merge bomb": bomb(30, 9, "x{i}: &x{i} {{<<: [{parts}]}}"),
            "long alias": "a: *" + "x" * 100_000,
            "long key": "x" * 300_000 + ": 1",
            "many keys": "".join(f"k{i}: 1\n" for i in range(100_000)),
            "10 MB": "a: '" + "x" * 10_000_000 + "'",
            "10 MB of numbers": "[" + "1," * 5_000_000 + "]",
            "tab": "a:\n\tb: 1\n",
            "two documents": "a: 1\n---\nb: 2\n",
            "directive": "%YAML 9.9\n---\na: 1\n",
            "control": "a: \x07\n",
            "scalar": "just words",
            "unclosed": "a: 'b\n",
            "BOM": "\ufeffa: 1\n",
        }.items()
    }
    return texts | {
        "NUL": b"a: 1\n\0\n",
        "UTF-16": "a: 1\n".encode("utf-16"),
        "Latin-1": "a: \xe4\n".encode("latin-1"),
        "binary": bytes(range(256)) * 100,
        "gzip": b"\x1f\x8b\x08\x00" + b"\0" * 50,
        "pipe": pipe,
        "folder": folder,
        "unreadable": unreadable,
        "dangling link": link("nowhere"),
        "link to itself": lambda path: path.symlink_to(path.name),
        "link to zeros": link("/dev/zero"),
        "link to a foreign file": link("/etc/passwd"),
        "link to the process": link("/proc/self/maps"),
    }


def hostile_file(random: Random) -> Content:
    """One of them."""
    files = whole_files()
    return files[random.choice(list(files))]


# ---- documents ------------------------------------------------------------------------------
def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document, the top first."""
    found = [place]
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            found += places(part, (*place, key))
    return found


def within(value: Any, place: tuple[Any, ...]) -> Any:
    """The value at a place."""
    for key in place:
        value = value[key]
    return value


def damage(random: Random, document: Any) -> str:
    """YAML of a document after one to three hostile changes; the document itself changes, too."""
    raw: list[str] = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        inner = [place for place in places(document) if place]
        if not inner:
            break
        *around, key = random.choice(inner)
        change_one(random, within(document, tuple(around)), key, raw)
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=10**9)
    for yaml_text in raw:
        text = text.replace(MARK, yaml_text, 1)
    return text


def change_one(random: Random, owner: Any, key: Any, raw: list[str]) -> None:
    """Change the value of a key."""
    kind = random.randrange(8)
    if kind == 0:
        del owner[key]
    elif kind == 1 and isinstance(owner, dict):
        owner[typo(random, str(key))] = owner.pop(key)
    elif kind == 2 and isinstance(owner, dict):
        owner[MARK] = owner[key]
        raw.append(random.choice(VALUES))
    elif kind == 3 and isinstance(owner[key], list):
        owner[key] = owner[key] * random.choice((0, 2, 30))
    elif kind == 4 and isinstance(owner[key], int):
        owner[key] += random.choice((-1, 1, 7, 10**4))
    elif kind == 5 and isinstance(owner[key], str):
        owner[key] = typo(random, owner[key])
    else:
        owner[key] = MARK
        raw.append(random.choice(VALUES))


def typo(random: Random, word: str) -> str:
    """A word with a letter missing, doubled, swapped or strange."""
    i = random.randrange(len(word) or 1)
    return random.choice(
        (
            word[:i] + word[i + 1 :],
            word[: i + 1] + word[i:],
            word[:i] + word[i + 1 : i + 2] + word[i : i + 1] + word[i + 2 :],
            word + "s",
            word.upper(),
            word[:i] + random.choice("\t$[]{}:;,'\"\\%é🐀 ") + word[i:],
        )
    )


SPECIAL = b"\0\t\n:-[]{}&*!|>'\"%@`#,?\xff\xc3 0x"


def scramble(random: Random, data: bytes) -> bytes:
    """Bytes changed, lost, doubled, or cut off somewhere."""
    for _ in range(random.randint(1, 4)):
        i = random.randrange(len(data) + 1)
        j = min(len(data), i + random.choice((1, 1, 3, 20, 400)))
        data = random.choice(
            (
                data[:i] + data[j:],
                data[:i] + data[i:j] * 2 + data[j:],
                data[:i] + bytes(random.choices(SPECIAL, k=2)) + data[i:],
                data[:i],
            )
        )
    return data


def hostile_yaml(random: Random, text: str) -> Content:
    """A sound YAML text after damage of one kind or another."""
    kind = random.random()
    if kind < 0.7:
        return damage(random, yaml.safe_load(text)).encode("utf-8", "surrogatepass")
    return scramble(random, text.encode()) if kind < 0.85 else hostile_file(random)


def hostile_json(random: Random, text: str) -> bytes:
    """The same of JSON."""
    if random.random() < 0.3:
        return scramble(random, text.encode())
    document = json.loads(text)
    yaml_text = damage(random, document)
    try:
        return json.dumps(yaml.safe_load(yaml_text), default=str).encode()
    except Exception:  # PyYAML itself stumbles over some values
        return yaml_text.encode("utf-8", "surrogatepass")
