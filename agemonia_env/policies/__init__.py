"""Policies: everything that chooses actions, in many games at once.

scripted.py      the compiled core's own policies: random, greedy
planner.py       Monte Carlo tree search in the compiled core
network.py       a trained network, on disk and in numpy
learned.py       a policy that plays a trained model
own.py           policies of one's own: objects, and classes in files
named.py         policies by name: "greedy", "planner:200", "model.npz"
model_record.py  what a model was trained on, as JSON
saving.py        saves models of one's own
archives.py      reading model files safely
trainers.py      loads the trainers, which are not part of the package
"""

from agemonia_env.rulesets.policy import Policy

from .named import (
    FORCE,
    LIKELIEST,
    check_policy,
    code_of,
    forget_policies,
    load_policy,
    model_file,
    policy_of,
)
from .own import OwnPolicy, as_own, given_policy
from .saving import record_of, save_model
from .scripted import ScriptedPolicy

__all__ = [
    "FORCE",
    "LIKELIEST",
    "OwnPolicy",
    "Policy",
    "ScriptedPolicy",
    "as_own",
    "check_policy",
    "code_of",
    "forget_policies",
    "given_policy",
    "load_policy",
    "model_file",
    "policy_of",
    "record_of",
    "save_model",
]
