"""Ctrl-C and SIGTERM end a command whatever it is doing."""

import signal
import subprocess
import sys
import time

import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.files.stopping import STATUS

COMMAND = """
import sys, time, typer
from numba import njit, types
from agemonia_env.cli.output import plain_errors

@njit(types.int64(types.int64), nogil=True)
def never_ending(n):
    while n != 0:
        n = (n * 5 + 2) & 1023 | 1
    return n

try:
    with plain_errors():
        print("busy", flush=True)
        WORK
except typer.Exit as end:
    sys.exit(end.exit_code)
"""
IDLE, BUSY = "time.sleep(600)", "never_ending(7)"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("work", [IDLE, BUSY])
def test_a_signal_ends_a_command(work, number):
    if work == BUSY and not COMPILED:
        pytest.skip("as plain Python nothing is compiled")
    command = subprocess.Popen(
        [sys.executable, "-c", COMMAND.replace("WORK", work)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stdout.readline() == "busy\n"
    time.sleep(0.3)
    command.send_signal(number)
    _, said = command.communicate(timeout=60)
    assert command.returncode == STATUS
    assert said.startswith("agemonia: stopped")
