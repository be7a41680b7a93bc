"""Lines of cards in words, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import schema

SERVED = {
    "self": "self",
    "ally": "self or one ally",
    "allies": "all allies",
    "party": "self and all allies",
    "enemies": "all enemies",
    "enemy": "one enemy",
}
TRIGGERS = {
    "none": "",
    "attacks": "on the next {} attacks",
    "attacked": "on the next {} attacks suffered",
    "attack_action": "on the next {} attack actions",
    "damage": "the next {} sources of damage",
}


def half_text(half: schema.Half) -> str:
    """Half a card, `Attack 3, range 2, poison; Move 2; 1 xp; loss`."""
    parts = [line_text(line) for line in half.lines]
    parts += [f"{half.xp} xp"] * bool(half.xp) + ["loss"] * half.loss
    return "; ".join(parts)


def lines_text(lines: Iterable[schema.MonsterLine]) -> str:
    """A monster's card."""
    return "; ".join(line_text(line) for line in lines) or "Nothing"


def line_text(line: schema.Line) -> str:
    """One line, `Attack 3, range 2, poison`."""
    value = getattr(line, line.verb)
    if isinstance(value, schema.Bonus):
        return f"{'This round' if line.verb == 'round' else 'Lasting'}: {bonus_text(value)}"
    if isinstance(value, list):
        value = ", ".join(word.capitalize() for word in value)
    elif isinstance(line, schema.MonsterLine) and line.verb in ("move", "attack"):
        value = f"{value:+d}"
    head = str(value) if line.verb == "affect" else f"{line.verb.capitalize()} {value}"
    return ", ".join([head, *_how(line)])


def _how(line: schema.Line) -> Iterator[str]:
    """Everything that a line says beside its verb."""
    if line.jump:
        yield "jump"
    if line.range:
        yield f"range {line.range}"
    if line.targets is not None:
        yield "all targets" if line.targets == "all" else f"target {line.targets}"
    if line.template is not None:
        yield line.template
    if line.add_target:
        yield f"add target {line.add_target}"
    if line.pierce:
        yield f"pierce {line.pierce}"
    if line.advantage:
        yield "advantage"
    for effect in line.effects:
        yield f"{effect.name} {effect.amount}" if effect.amount else effect.name
    if line.to is not None or line.verb in ("affect", "suffer"):
        yield SERVED[line.served or "self"]
    if isinstance(line, schema.HeroLine) and line.xp:
        yield f"{line.xp} xp"


def bonus_text(bonus: schema.Bonus) -> str:
    """An active bonus, `Shield 1, self` or `Attack +1, self, on the next 3 attacks`."""
    parts = [f"Attack {bonus.attack:+d}"] * bool(bonus.attack)
    for key in ("advantage", "disadvantage", "pierce", "shield", "retaliate"):
        if getattr(bonus, key):
            number = "" if key.endswith("vantage") else f" {getattr(bonus, key)}"
            parts.append(f"{key.capitalize()}{number}")
    if bonus.range > 1:
        parts.append(f"range {bonus.range}")
    parts += [word.capitalize() for word in bonus.conditions]
    parts += ["negate"] * bonus.negate
    parts += [f"{bonus.only} alone"] * (bonus.only != "both")
    parts.append(SERVED[bonus.to])
    parts += [TRIGGERS[bonus.trigger].format(bonus.spaces)] * bool(bonus.spaces)
    return ", ".join(parts)
