"""The rules compile for NVIDIA GPUs, on a machine without one."""

import re
import subprocess
import sys

import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.gpu.kernels import kernel_name, leaves, parameters
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of

pytestmark = pytest.mark.skipif(not COMPILED, reason="compiles")


@pytest.fixture(scope="module", params=list(RULESETS))
def built(request, tmp_path_factory):
    """A ruleset and its PTX."""
    out = tmp_path_factory.mktemp("ptx") / "rules.ptx"
    command = [sys.executable, "-m", "agemonia_env.gpu.ptx", "--env", request.param]
    done = subprocess.run(
        [*command, "--out", str(out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return ruleset_of(request.param), out.read_text()


def test_every_function_has_a_kernel_with_its_arguments(built):
    rules, ptx = built
    for name, arguments in parameters(rules).items():
        found = re.search(rf"\.visible \.entry {kernel_name(name)}\((.*?)\)", ptx, re.DOTALL)
        numbers = 2 + sum(1 if leaf is None else 2 for leaf in leaves(tuple(arguments.values())))
        assert found, name
        assert found[1].count(".param .u64") + found[1].count(".param .b64") == numbers


def test_nothing_is_left_out_and_floats_are_rounded_as_on_the_cpu(built):
    _, ptx = built
    assert ".extern" not in ptx
    assert not re.findall(r"\bfma\.|\.approx|\.ftz", ptx)
