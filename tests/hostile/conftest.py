"""The runner limits memory by rlimits, which Windows lacks."""

import sys

collect_ignore = ["test_runner.py"] if sys.platform == "win32" else []
