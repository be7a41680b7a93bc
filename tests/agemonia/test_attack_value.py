"""Values of attacks from all areas at once, against the rules asked about one area at a time."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.agemonia.core.heuristics import attack_value, objective_routes
from agemonia_env.rulesets.agemonia.core.layout import N_AREAS, N_ENEMIES
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.rules import (
    aim,
    ally_attack,
    gear,
    lock,
    placing,
    teleport,
)
from agemonia_env.rulesets.agemonia.core.terms import Border, Denial, Op, Shape
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games

pytestmark = pytest.mark.skipif(
    COMPILED, reason="kernels are called by themselves, which only plain Python can: its run does"
)
GAMES = [("watchtower", 3), ("beacon", 2), ("snares", 3), ("weir", 2)]
DECISIONS = 60


@pytest.fixture(params=GAMES, ids=lambda game: game[0])
def positions(request):
    """Every tenth position of the opening of a greedy game -> (state, content)."""
    games, found = Games(AGEMONIA, *request.param, [3]), []
    for k in range(DECISIONS):
        if k % 10 == 9:
            found.append((games.states.copy()[0], games.contents[0]))
        games.step(games.chosen(Policy.GREEDY))
    return found


def new_work(s, c):
    work = np.empty(1, attack_value.WORK)[0]
    attack_value.clear(c, work)
    attack_value.survey(s, c, work)
    return work


def attacks(s, c):
    """(ally, attack row, type) of every attack among the actions of the Allies on the map."""
    for a in range(c.n_allies):
        if placing.ally_stands(s, a):
            for token in c.sheet[a].token[: c.sheet[a].n_tokens]:
                for k in range(c.token[token].first, c.token[token].first + c.token[token].n):
                    if c.effect[k].op == Op.ATTACK:
                        row = int(c.effect[k].a)
                        yield from ((a, row, t) for t in range(3) if c.attack[row].types >> t & 1)


def slow_gain(s, c, a, row, attack_type, work):
    """Value of an attack from where ally a stands, the rules asked about every Enemy and area."""
    attack = c.attack[row]
    if aim.weapon_denial(s, c, a, attack_type) != Denial.NONE:
        return 0.0
    damage = attack_value.expected(s, c, a, row, attack_type, work)
    enemies = [e for e in range(N_ENEMIES) if placing.enemy_stands(s, e)]
    here = int(s.ally[a].area)
    if attack.shape == Shape.LINE:
        best = 0.0
        for k in range(c.line_first[here], c.line_first[here + 1]):
            line = [ally_attack.on_line(c, k, j) for j in range(attack.length)]
            on = [[e for e in enemies if s.enemy[e].area == x] for x in line]
            values = [[attack_value.gain_on(s, c, e, damage, attack.pierce) for e in x] for x in on]
            best = max(best, sum(max(x, default=0.0) for x in values))
        return best
    if attack.shape == Shape.AREA:
        centres = range(c.n_areas) if attack.has_centre else [here]
        return max(
            [
                attack_value.area_gain(s, c, a, row, attack_type, x, work)
                for x in centres
                if not attack.has_centre
                or aim.armed_denial(s, c, a, row, attack_type, gear.ANY, x) == Denial.NONE
            ],
            default=0.0,
        )
    gains = [0.0, 0.0]
    for e in enemies:
        if aim.target_denial(s, c, a, row, attack_type, e) == Denial.NONE:
            loss = ally_attack.aim_penalty(s, c, a, row, attack_type, s.enemy[e].area)
            gains.append(attack_value.gain_on(s, c, e, damage - loss, attack.pierce))
    first, second = sorted(gains)[:-3:-1]
    if attack.shape == Shape.MULTI:
        return first + second
    return first + (0.5 if attack.shape == Shape.CLEAVE and second > 0 else 0.0)


def test_an_attack_is_worth_what_the_rules_say_of_each_area(positions):
    valued = 0
    for s, c in positions:
        work = new_work(s, c)
        for a, row, attack_type in attacks(s, c):
            for arms in work.arms:
                arms.known = 0  # `work` serves one Ally at a time
            work.attack[:] = 0.0
            attack_value.raise_gains(s, c, a, row, attack_type, (1 << int(c.n_areas)) - 1, work)
            home = int(s.ally[a].area)
            for area in range(c.n_areas):
                s.ally[a].area = area
                expected = slow_gain(s, c, a, row, attack_type, work)
                assert work.attack[area] == expected, (a, row, attack_type, area)
                valued += expected > 0.1
            s.ally[a].area = home
    assert valued > 20


def test_distances_are_those_of_the_cheapest_way(positions):
    for s, c in positions:
        for a in range(c.n_allies):
            if not placing.ally_stands(s, a):
                continue
            found = np.zeros(N_AREAS, np.int64)
            objective_routes.write_distances(s, c, a, found)
            np.testing.assert_array_equal(found[: c.n_areas], slow_distances(s, c, a))
            goals, fly = objective_routes.places(s, c, a), lock.flies(s, c, a)
            for area in range(c.n_areas if goals else 0):
                steps = objective_routes.steps_between(s, c, 1 << area, goals, fly)
                assert steps == found[area]


def slow_distances(s, c, a):
    """Bellman and Ford over every pair of areas."""
    goals = objective_routes.places(s, c, a)
    far = objective_routes.FAR if goals else 0
    steps = [0 if goals >> x & 1 else far for x in range(c.n_areas)]
    fly = lock.flies(s, c, a)

    def cost(x, y):
        if c.capacity[y] == 0 and not fly:
            return far
        border = c.border[x, y]
        stepped = border in (Border.SINGLE, Border.DOUBLE_DOWN)
        if stepped or (border == Border.DOUBLE_UP and fly) or teleport.leads_to(s, c, x, y):
            return 1
        return objective_routes.CLIMB if s.rope[x] >> y & 1 else far

    for _ in range(c.n_areas):
        for y in range(c.n_areas):
            for x in range(c.n_areas):
                steps[x] = min(steps[x], steps[y] + cost(x, y))
    return steps
