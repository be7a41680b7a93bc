"""Case files and packs of the twin, which are those of Agemonia."""

from agemonia_env.rulesets.agemonia.cases.runner import run_cases
from agemonia_env.rulesets.agemonia.content.compile import check

__all__ = ["check", "reads_cases", "run_cases"]


def reads_cases(document):
    return document.file.endswith(".twin.yaml")
