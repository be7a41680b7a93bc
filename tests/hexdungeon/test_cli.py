"""`agemonia hexdungeon ...`."""

import pytest
from typer.testing import CliRunner

from agemonia_env.cli.main import app


def run(*arguments):
    return CliRunner().invoke(app, ["hexdungeon", *arguments])


def rows(output):
    return [line.split() for line in output.splitlines() if line.strip()]


def test_odds_of_the_standard_deck():
    printed = rows(run("odds", "3").output)
    assert printed[0] == ["damage", "normal", "advantage", "disadvantage"]
    assert printed[1] == ["0", "5.00", "%", "0.00", "%", "10.00", "%"]
    assert printed[-1] == ["mean", "3.000", "3.768", "2.232"]


def test_odds_in_fractions_for_a_given_deck():
    deck = "+1, rolling +1, x2"
    arguments = ("odds", "3", "--deck", deck, "--mode", "advantage", "--fractions")
    assert rows(run(*arguments).output) == [
        ["damage", "advantage"],
        ["5", "1/3"],
        ["6", "1/3"],
        ["8", "1/3"],
        ["mean", "19/3"],
    ]


def test_odds_with_everything():
    options = ("--bonus=2", "--doublings=1", "--poisoned", "--shield=3", "--pierce=1")
    arguments = ("odds", "3", "--deck=-1", *options, "--curse=1", "--mode=normal")
    assert rows(run(*arguments).output)[1:] == [
        ["0", "50.00", "%"],
        ["9", "50.00", "%"],
        ["mean", "4.500"],
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("3", "--deck", "+1,foo"), "'foo' is none of"),
        (("300",), "value 300; 0 to 99 is allowed"),
        (
            ("3", "--mode", "luck"),
            "--mode: 'luck' is not allowed; allowed: normal",
        ),
    ],
)
def test_bad_input_ends_in_one_line(arguments, said):
    done = run("odds", *arguments)
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1
