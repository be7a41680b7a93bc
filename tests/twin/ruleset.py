"""The twin as an object."""

from dataclasses import dataclass, replace

from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.arguments import Arguments


@dataclass(frozen=True, kw_only=True)
class TwinArguments(Arguments):
    def compile(self, scenario_seed=0):
        return compile_scenario(self.pack, self.scenario, self.heroes)


def check_arguments(
    scenario="tithe",
    heroes=1,
    pack="core",
    ties="auto",
    illegal="noop",
    reward="sparse",
    gamma=0.9,
    max_decisions=700,
):
    return TwinArguments(**locals())


TWIN = replace(
    AGEMONIA,
    name="twin",
    env_id="Twin-v0",
    version="twin 1",
    check_arguments=check_arguments,
    DECISIONS=tuple(f"twin {name}" for name in AGEMONIA.DECISIONS),
    ENDINGS=tuple(f"twin {name}" for name in AGEMONIA.ENDINGS),
    DENIALS=tuple(f"twin {name}" for name in AGEMONIA.DENIALS),
    DENIAL_TEXTS=tuple(f"Twin: {text}" for text in AGEMONIA.DENIAL_TEXTS),
    action_text=lambda state, compiled, action: f"twin {action}",
    RESULT_COLUMNS=(("twins", "texts", "their names"),),
    statistics=lambda states, compiled: {},
    figure_names=lambda compiled: {"twins": ["Ann", "Bea"]},
    behaviour_games=lambda pack: [{"scenario": scenario} for scenario in pack.scenarios],
)
