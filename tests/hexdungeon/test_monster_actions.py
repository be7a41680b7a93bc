"""G13 in play: turns of monsters and summons, line by line."""

from agemonia_env.rulesets.hexdungeon.core.layout import (
    ALL_TARGETS,
    FIRST_MONSTER,
    FIRST_SUMMON,
    MOST_RETALIATE,
)
from agemonia_env.rulesets.hexdungeon.core.terms import (
    Decision,
    Denial,
    Effect,
    Event,
    Mode,
    Op,
    Proc,
)
from tests.hexdungeon.table import GUARD, RAT, WOLF, Block, Content, Table

M, S = FIRST_MONSTER, FIRST_SUMMON
MOVE, ATTACK = (Op.MOVE, {}), (Op.ATTACK, {})


def position(*lines, heroes=(((9, -1), 10),), rat=(1, 0), content=None, **stats):
    """A rat with a card of these lines; heroes: (hex, initiative). It has Move 2 and Attack 2."""
    content = content or Content(heroes=len(heroes))
    content.stats(RAT, **stats)
    content.monster_card(RAT, 50, *(lines or (MOVE, ATTACK)))
    t = Table(content, begin=False)
    for h, (at, initiative) in enumerate(heroes):
        t.hero(h, at, initiative=initiative)
    t.rat(0, rat, initiative=50)
    t.in_decks(*["+0"] * 20)
    t.s["type"]["card"][RAT] = 0
    t.s["turn"] = M
    t.log()
    return t


def act(t, f=M):
    t.s["turn"] = f
    t.s["line"], t.s["focus"], t.s["wanted"] = 0, -1, 0
    t.push(Proc.MONSTER_NEXT)
    return t


def hexes(t, decision):
    return {h for h in t.case.hexes() if t.denial(decision, t.case.number(h)) == Denial.NONE}


def figures(t):
    return [f for f in range(31) if t.denial(Decision.FOCUS, f) == Denial.NONE]


def attacks(t):
    """The figures attacked, in order."""
    return [target for *_, target in t.events(Event.ATTACK)]


def settle(t):
    """Take the first hex of every tie, decline everything else."""
    while t.decision != Decision.NONE:
        if t.decision == Decision.END_HEX:
            t.answer(Block.HEX, int(t.s["tie"][0]["end"]))
        elif t.decision == Decision.FOCUS:
            t.answer(Block.FIGURE, figures(t)[0])
        else:
            t.answer(Block.NO)


# ---- moving and attacking ------------------------------------------------------------------------
def test_g13_11_goes_the_fewest_points_and_attacks():
    t = act(position(heroes=[((4, 0), 10)], rat=(1, 0)))
    settle(t)
    assert t.at(M) == (3, 0)
    assert attacks(t) == [0]
    assert t.figure(0)["hp"] == 8


def test_g13_12_goes_nearer_and_does_not_attack_out_of_reach():
    t = act(position(heroes=[((8, -1), 10)], rat=(1, 0)))
    settle(t)
    assert t.at(M) in [(3, 0), (3, -1)]
    assert attacks(t) == []


def test_g13_3_only_what_is_on_the_card():
    t = act(position(ATTACK, heroes=[((4, 0), 10)]))
    settle(t)
    assert t.at(M) == (1, 0)
    assert attacks(t) == []
    t = act(position(MOVE, heroes=[((4, 0), 10)]))
    settle(t)
    assert t.at(M) == (3, 0)
    assert attacks(t) == []


def test_g13_3_the_card_adds_to_the_stat_card():
    lines = (Op.MOVE, {"amount": -1}), (Op.ATTACK, {"amount": 1})
    t = act(position(*lines, heroes=[((3, 0), 10)], move=2, attack=3))
    settle(t)
    assert t.at(M) == (2, 0)
    assert t.figure(0)["hp"] == 6
    t = act(position(*lines, heroes=[((4, 0), 10)], move=2, attack=3))
    settle(t)
    assert t.at(M) == (2, 0)
    assert t.figure(0)["hp"] == 10


def test_g13_4_stunned_disarmed_immobilized():
    for effect, end, attacked in (
        (Effect.STUN, (1, 0), []),
        (Effect.DISARM, (3, 0), []),
        (Effect.IMMOBILIZE, (1, 0), []),
    ):
        t = position(MOVE, ATTACK, (Op.SHIELD, {"amount": 2}), heroes=[((4, 0), 10)])
        t.afflict(M, effect)
        settle(act(t))
        assert (t.at(M), attacks(t)) == (end, attacked), effect
        assert t.figure(M)["round_shield"] == (0 if effect == Effect.STUN else 2)


def test_g13_8_without_focus_the_other_lines_are_done():
    t = position(MOVE, ATTACK, (Op.SHIELD, {"amount": 1}), heroes=[((2, 0), 10)])
    t.afflict(0, Effect.INVISIBLE)
    settle(act(t))
    assert t.at(M) == (1, 0)
    assert attacks(t) == []
    assert t.figure(M)["round_shield"] == 1


def test_g3_9_range_targets_and_template_of_the_cards():
    heroes = [((4, 0), 10), ((4, -1), 20)]
    t = act(position(ATTACK, heroes=heroes, range=3))
    settle(t)
    assert attacks(t) == [0]
    t = act(position((Op.ATTACK, {"range": 4}), heroes=[((5, 0), 10)], range=3))
    settle(t)
    assert attacks(t) == [0]
    t = act(position(ATTACK, heroes=heroes, range=3, targets=2))
    settle(t)
    assert attacks(t) == [0, 1]
    t = act(position((Op.ATTACK, {"targets": ALL_TARGETS}), heroes=heroes, range=3))
    settle(t)
    assert attacks(t) == [0, 1]


def test_g5_1_a_template_covers_several():
    content = Content(heroes=2)
    template = content.c["template"][0]
    template["grey"], template["n_cells"], template["n_orientations"] = 1, 2, 1
    template["orientation"][0, :2] = (1, 0), (0, 1)
    heroes = [((4, 0), 20), ((3, 1), 10)]
    lines = MOVE, (Op.ATTACK, {"template": 0})
    t = act(position(*lines, heroes=heroes, rat=(1, 0), content=content))
    settle(t)
    assert t.at(M) == (3, 0)
    assert sorted(attacks(t)) == [0, 1]


def test_g12_7_and_g12_6_fliers_and_jumpers_pass_figures_and_traps():
    for mode, flying in ((Mode.WALK, 0), (Mode.JUMP, 0), (Mode.WALK, 1)):
        ring = [(2, 0), (1, 1), (0, 1), (0, 0), (1, -1), (2, -1)]
        content = Content(obstacle=[h for h in ring if h in Content().case.hexes()])
        lines = (Op.MOVE, {"mode": mode}), ATTACK
        t = position(*lines, heroes=[((4, 0), 10)], content=content)
        t.figure(M)["flying"] = flying
        settle(act(t))
        assert t.at(M) == ((3, 0) if flying or mode == Mode.JUMP else (1, 0))


# ---- ties ----------------------------------------------------------------------------------------
def test_g13_18_players_choose_the_hex():
    t = act(position(heroes=[((2, 0), 10)], rat=(1, 0), range=3))
    assert t.decision == Decision.END_HEX
    assert t.s["asked"] == -1
    options = hexes(t, Decision.END_HEX)
    assert len(options) > 1
    assert (9, 0) not in options
    end = max(options)
    t.answer(Block.HEX, t.case.number(end))
    assert t.at(M) == end
    assert attacks(t) == [0]


def test_g13_18_players_choose_the_focus():
    t = act(position(ATTACK, heroes=[((2, 0), 10), ((1, 1), 10), ((9, 0), 5)], rat=(1, 0)))
    assert t.decision == Decision.FOCUS
    assert figures(t) == [0, 1]
    t.answer(Block.FIGURE, 1)
    settle(t)
    assert attacks(t) == [1]
    assert t.s["focus"] == 1


def test_g13_18_players_choose_the_targets_beside_the_focus():
    heroes = [((2, 0), 10), ((1, 1), 20), ((0, 1), 20)]
    t = act(position(ATTACK, heroes=heroes, rat=(1, 0), targets=2))
    assert t.decision == Decision.FOCUS
    assert figures(t) == [1, 2]
    t.answer(Block.FIGURE, 2)
    settle(t)
    assert attacks(t) == [0, 2]


def test_g5_13_the_focus_is_attacked_first():
    heroes = [((2, 0), 30), ((1, 1), 20)]
    t = act(position(ATTACK, heroes=heroes, rat=(1, 0), targets=2))
    settle(t)
    assert attacks(t) == [1, 0]


# ---- on the way ----------------------------------------------------------------------------------
def corridor(**terrain):
    """A walled row of hexes from (0, 0) on."""
    free = [(q, -(q // 2)) for q in range(10)]
    return [h for h in Content().case.hexes() if h not in free], free


def trapped(conditions=0, damage=1, **stats):
    """A rat whose only way leads over a trap."""
    walls, free = corridor()
    content = Content(wall=walls, trap=[free[2]])
    t = position(heroes=[(free[4], 10)], rat=free[1], content=content, **stats)
    trap = t.s["trap"][0]
    trap["at"], trap["damage"], trap["conditions"] = t.case.number(free[2]), damage, conditions
    return t, free


def test_g12_4_a_trap_on_the_way_springs_and_the_move_goes_on():
    t, free = trapped()
    settle(act(t))
    assert t.at(M) == free[3]
    assert t.figure(M)["hp"] == 9
    assert attacks(t) == [0]


def test_g12_4_immobilize_from_a_trap_ends_the_move_stun_the_turn_death_everything():
    t, free = trapped(1 << Effect.IMMOBILIZE, 0, range=2)
    settle(act(t))
    assert t.at(M) == free[2]
    assert attacks(t) == [0]
    t, free = trapped(1 << Effect.STUN, 0, range=2)
    settle(act(t))
    assert t.at(M) == free[2]
    assert attacks(t) == []
    t, free = trapped(0, 10)
    settle(act(t))
    assert t.at(M) is None
    assert t.figure(M)["dead"]
    assert attacks(t) == []


def test_g13_14_a_way_around_a_trap_is_taken_within_the_move():
    t = position(heroes=[((4, 0), 10)], content=Content(trap=[(2, 0), (2, 1)]), move=3)
    settle(act(t))
    assert t.figure(M)["hp"] == 10
    assert not t.events(Event.TRAP)
    assert attacks(t) == [0]


# ---- several attacks -----------------------------------------------------------------------------
def test_g13_16_a_second_attack_is_on_the_focus_while_it_lives_then_on_a_new_one():
    heroes = [((2, 0), 10), ((1, 1), 20)]
    t = act(position(ATTACK, ATTACK, heroes=heroes))
    settle(t)
    assert attacks(t) == [0, 0]
    t = position(ATTACK, ATTACK, heroes=heroes)
    t.figure(0)["hp"] = 2
    settle(act(t))
    assert attacks(t) == [0, 1]


def test_g13_16_no_new_focus_while_the_old_one_lives_out_of_reach():
    row = {"effect": [Effect.PUSH] + [0] * 7, "effect_amount": [2] + [0] * 7}
    t = act(position((Op.ATTACK, row), ATTACK, heroes=[((2, 0), 10), ((1, 1), 20)]))
    while t.decision != Decision.NONE:
        if t.decision == Decision.FORCE:
            t.answer(Block.DIRECTION, 0)
        else:
            t.answer(Block.NO)
    assert t.at(0) == (4, 0)
    assert attacks(t) == [0]


# ---- summons -------------------------------------------------------------------------------------
def test_g13_2_a_summon_moves_and_attacks_by_its_own_numbers():
    content = Content()
    content.stats(WOLF, move=2, attack=3)
    t = position(heroes=[((9, -1), 10)], rat=(4, 0), content=content)
    t.summon(0, (1, 0), owner=0)
    settle(act(t, S))
    assert t.at(S) == (3, 0)
    assert attacks(t) == [M]
    assert t.figure(M)["hp"] == 7


def test_g13_7_a_summon_ranks_before_its_owner():
    t = position(ATTACK, heroes=[((2, 0), 10)])
    t.summon(0, (1, 1), owner=0)
    settle(act(t))
    assert attacks(t) == [S]


def test_g13_17_monsters_walk_through_each_other():
    walls, free = corridor()
    t = position(heroes=[(free[5], 10)], rat=free[2], content=Content(wall=walls), move=4)
    t.rat(1, free[3], kind=GUARD)
    settle(act(t))
    assert t.at(M) == free[4]
    assert t.at(M + 1) == free[3]
    assert attacks(t) == [0]


def test_retaliate_of_a_round_stops_at_the_end_of_its_range():
    t = act(position(*[(Op.RETALIATE, {"amount": 64, "range": 1})] * 4))
    settle(t)
    assert t.figure(M)["round_retaliate"][1] == MOST_RETALIATE
