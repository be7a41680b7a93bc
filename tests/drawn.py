"""Drawn scenarios of any ruleset: beside their files, and vector envs beside single ones."""

import numpy as np

ENDS = "least", "most"


def knob_ends(table):
    """Settings of every knob at both ends, and of every kind of goal alone, by a name."""
    ends = {}
    for knob in table.knobs:
        if isinstance(knob.default, dict):
            ends |= {f"{knob.name}-{name}": {knob.name: name} for name in knob.default}
        else:
            ends |= {f"{knob.name}-{end}": {knob.name: getattr(knob, end)} for end in ENDS}
    return ends


def check_files(rules, generator, seeds):
    """The record of each seed is that of its file, field by field, as are names of figures."""
    for seed in seeds:
        drawn = generator.draw(seed)
        expected = generator.look(drawn.plan[0], seed)
        differing = [
            name
            for name in rules.CONTENT.names
            if np.asarray(drawn.content[name]).tobytes()
            != np.asarray(expected.content[name]).tobytes()
        ]
        assert not differing, (seed, differing)
        figures = {
            column: [found.names[k] for k in found.numbers[0, : found.n[0]]]
            for column, found in generator.figures(drawn.plan).items()
        }
        assert figures == rules.figure_names(expected), seed


def check_beside_single_envs(many, singles, steps):
    """Games of a vector env, reset with a seed, are those of single ones; several end."""
    seen, infos = many.reset(seed=4)
    chance, games = np.random.default_rng(0), 0
    alone = [env.reset(seed=4 + i) for i, env in enumerate(singles)]
    ended = np.zeros(len(singles), np.bool_)
    for _ in range(steps):
        for i, (observation, info) in enumerate(alone):
            assert seen[i].tobytes() == observation.tobytes()
            assert infos["scenario_seed"][i] == info["scenario_seed"]
        actions = [int(chance.choice(np.flatnonzero(mask))) for mask in infos["action_mask"]]
        for i, env in enumerate(singles):
            alone[i] = env.reset() if ended[i] else env.step(actions[i])[::4]
        seen, _, terminated, truncated, infos = many.step(actions)
        ended = terminated | truncated
        games += ended.sum()
    assert games > 5
