"""Packs of the twin, which are those of Agemonia, with fewer statistics."""

from agemonia_env.rulesets.agemonia.content.pack_tools import AgemoniaPackTools


class TwinPackTools(AgemoniaPackTools):
    version = "twin 1"
    metrics = {}  # noqa: RUF012 (never changed)


PACK_TOOLS = TwinPackTools()
