"""Names for the indices of a compiled record, for envs and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field

from agemonia_env.display.messages import unknown


def position(names: tuple[str, ...], name: str, what: str) -> int:
    """Index of `name`. ValueError lists the allowed names."""
    if name not in names:
        raise ValueError(unknown(what, name, names))
    return names.index(name)


@dataclass(frozen=True)
class Names:
    """Each tuple is indexed as the field of CONTENT or STATE that it names."""

    areas: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tokens: tuple[tuple[str, ...], ...] = ()  # per ally; [0] Focus, [1] Extra Maneuver
    passives: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()  # summoned tokens and pets
    portals: tuple[str, ...] = ()  # colours of teleport tokens
    stories: tuple[str, ...] = ()  # story sections
    injuries: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    events: tuple[str, ...] = ()  # their texts
    # what people read, by the names above
    pack: str = ""
    scenario: str = ""
    texts: dict[str, str] = field(default_factory=dict)

    def area(self, name: str) -> int:
        """Index of an area."""
        return position(self.areas, name, "area")

    def ally(self, name: str) -> int:
        """Slot of an Ally."""
        return position(self.allies, name, "ally")

    def type(self, name: str) -> int:
        """Index of an Enemy type."""
        return position(self.types, name, "enemy type")

    def item(self, name: str) -> int:
        """Index of an item."""
        return position(self.items, name, "item")

    def story(self, name: str) -> int:
        """Index of a story section."""
        return position(self.stories, name, "story section")
