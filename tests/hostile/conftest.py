"""The runner limits memory by rlimits, which Windows lacks: tested on Linux and macOS."""

import sys

collect_ignore = ["test_games.py"] if sys.platform == "win32" else []
