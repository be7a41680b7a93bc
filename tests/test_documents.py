"""Untrusted files: read within limits, refused with a clear line."""

import base64
import gzip
import os
import time

import pytest

from agemonia_env.files import documents, embedded
from agemonia_env.files.documents import DocumentError, parse_json, parse_yaml, read_json, read_text


def bomb(form):
    lines = ["x0: &x0 [1, 1]"]
    lines += [f"x{i}: &x{i} " + form.format(", ".join([f"*x{i - 1}"] * 9)) for i in range(1, 30)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1:30", {"a": "1:30"}),  # 90 in YAML 1.1
        ("[yes, no, on, off, y, n]", ["yes", "no", "on", "off", "y", "n"]),
        ("[true, False, NULL, ~, '']", [True, False, None, None, ""]),
        ("[1_000, -3, +4, 0, 1e-3, .5, 1.0]", [1000, -3, 4, 0, 0.001, 0.5, 1.0]),
        ("[0x10, 0o17, 1__0, 2024-01-01, .inf]", ["0x10", "0o17", "1__0", "2024-01-01", ".inf"]),
        ("1: a", {"1": "a"}),
        ("\ufeffa: 1", {"a": 1}),
        ("a: &a [1]\nb: *a\nc: {d: *a}", {"a": [1], "b": [1], "c": {"d": [1]}}),
        ("", None),
    ],
)
def test_scalars_have_these_values(text, value):
    found = parse_yaml(text).value
    assert found == value
    assert repr(found) == repr(value)  # true is not 1, and 1.0 is not 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:\n\tb: 1", "line 2: is indented by a tab; use spaces"),
        ("name: a\n? [a, b]\n: 3", "line 2: a key must be text"),
        ("{a: 1}: 3", "line 1: a key must be text"),
        ("a: 1\na: 2", "line 2: key 'a' is given twice"),
        ("text: no\nheroes: &a [*a]", "line 2: a value contains itself"),
        ("a: &a {b: {c: *a}}", "line 1: a value contains itself"),
        ("[" * 100_000, "line 1: is nested more than 50 deep"),
        ("{a: " * 100_000, "line 1: is nested more than 50 deep"),
        ("- " * 50_000, "line 1: is nested more than 50 deep"),
        (bomb("[{}]"), "has more than 100,000 values"),
        (bomb("{{<<: [{}]}}"), "line 2: merge keys (<<) are not allowed; write the keys out"),
        ("[" + "1," * 200_000 + "]", "has more than 100,000 values"),
        ("a: !!int ''", "line 1: tags (!!int) are not allowed"),
        ("!!bool x", "tags (!!bool) are not allowed"),
        ("!!python/object/apply:os.system [x]", "tags (!!python/object/apply:os.system) are not"),
        ("!x : 1", "tags (!x) are not allowed"),
        ("a: 010", "line 1: 010 is ambiguous; write 10, or '010' for text"),
        ("9" * 5000, "has 5,000 digits; at most 18"),
        ("1e400", "1e400 is too large"),
        ("a: 1\n---\nb: 1", "line 2: has a second document; remove the line ---"),
        ("a: \udcff", "is not UTF-8 text"),
    ],
)
def test_a_text_that_is_refused_at_once(text, message):
    began = time.process_time()
    with pytest.raises(DocumentError) as refused:
        parse_yaml(text)
    assert message in str(refused.value)
    assert len(str(refused.value)) < 400
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\n\xff", "line 2: is not UTF-8 text"),
        ("a".encode("utf-16"), "it looks like UTF-16: save it as UTF-8"),
        (b"a\n\0", "line 2: contains a NUL character"),
        (b"a" * (documents.MOST_BYTES + 1), "is larger than 1 MiB"),
    ],
)
def test_bytes_that_are_not_text_are_refused(tmp_path, data, message):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(DocumentError, match=message):
        read_text(tmp_path / "file")


def test_only_regular_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nowhere").symlink_to("gone")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    (tmp_path / "self").symlink_to("self")
    for name, message in (
        ("pipe", "it is a pipe or a device, not a file"),
        ("zeros", "it is a pipe or a device, not a file"),
        (".", "it is a folder, not a file"),
        ("nowhere", "it is a broken link"),
        ("self", "Too many levels of symbolic links"),
        ("gone", "No such file or directory"),
        ("a\0b", "No such file or directory"),
        ("x" * 300, "File name too long"),
    ):
        with pytest.raises(DocumentError) as refused:
            read_text(tmp_path / name)
        assert str(refused.value) == f"cannot be read: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "is nested more than 50 deep"),
        ('{"a": 1, "a": 2}', "key 'a' is given twice"),
        ("[1,\nNaN]", "NaN is not a number"),
        ("9" * 5000, "has 5,000 digits; at most 18"),
        ('"\\ud800"', "contains a lone surrogate"),
        ("[1,\n", "line 2: is not JSON"),
    ],
)
def test_json_that_is_refused(text, message):
    with pytest.raises(DocumentError) as refused:
        parse_json(text)
    assert message in str(refused.value)


def test_packed_json_is_unpacked_up_to_a_limit(tmp_path):
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b'{"a": [1, true]}'))
    assert read_json(path) == {"a": [1, True]}
    path.write_bytes(gzip.compress(b"[" + b" " * 10_000_000))
    with pytest.raises(DocumentError, match="is larger than 1 MiB when unpacked"):
        read_json(path)
    path.write_bytes(gzip.compress(b"[" * 1000)[:-9])
    with pytest.raises(DocumentError, match="is damaged, or not a gzip file"):
        read_json(path)


# ---- limits of JSON -----------------------------------------------------------------------------
def test_a_key_given_twice_among_many_is_found_in_time():
    text = "{" + ",".join(f'"{i:x}": 0' for i in range(200_000)) + ', "ff": 0}'
    began = time.process_time()
    with pytest.raises(DocumentError, match="key 'ff' is given twice"):
        parse_json(text)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("part", ["[],", '{"":1},', "1,", "[[],{}],"])
def test_values_are_counted_before_they_take_memory(part, monkeypatch):
    monkeypatch.setattr(documents.json, "loads", lambda *_, **__: pytest.fail("parsed"))
    with pytest.raises(DocumentError, match="has more than 1,000,000 values"):
        parse_json("[" + part * documents.MOST_JSON_VALUES + "0]")


def test_a_record_that_unpacks_to_many_small_objects_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "MOST_JSON_VALUES", 1000)
    text = b'{"format": "agemonia-review-1", "game": [' + b'{"": 1}, ' * 1000 + b"0]}"
    packed = base64.b64encode(gzip.compress(text)).decode()
    (tmp_path / "a.html").write_text(f"{embedded.START}{packed}{embedded.END}")
    with pytest.raises(DocumentError, match="has more than 1,000 values"):
        embedded.extract(tmp_path / "a.html")
