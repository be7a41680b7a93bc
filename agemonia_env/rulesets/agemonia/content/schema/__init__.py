"""What a content file may say: one model per thing, unknown keys refused.

Sheets, Enemy cards, attacks and maps use the keys and defaults of the rule cases, so that cases and
packs go through the same compiler. Rule numbers are those of the rulebook. The text below a key is
its entry in docs/packs.md.
"""

from .basics import *  # noqa: F403
from .decks import *  # noqa: F403
from .effects import *  # noqa: F403
from .enemies import *  # noqa: F403
from .heroes import *  # noqa: F403
from .items import *  # noqa: F403
from .maps import *  # noqa: F403
from .pack import *  # noqa: F403
from .scenarios import *  # noqa: F403
