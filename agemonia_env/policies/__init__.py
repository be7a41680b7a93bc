"""Policies under one small protocol: whoever chooses, in many games at once.

policy.py    the scripted policies of the compiled core: random, greedy
planner.py   Monte Carlo tree search in the compiled core
network.py   a trained network on disk and in numpy
learned.py   a trained model that plays
named.py     all of them by name: "greedy", "planner:200", "model.npz"
trainers.py  the trainers, which stand beside the package
"""

from agemonia_env.rulesets.policy import Policy

from .named import FORCE, LIKELIEST, check_policy, code_of, model_file, policy_of
from .policy import Scripted

__all__ = [
    "FORCE",
    "LIKELIEST",
    "Policy",
    "Scripted",
    "check_policy",
    "code_of",
    "model_file",
    "policy_of",
]
