"""What the names of actions and decisions mean, for the generated pages of actions."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Words:
    """The texts of a ruleset's page.

    about: below the head of the page; answers: the heading of what is said of a decision; blocks,
    turns: what a name stands for; decisions: where the source says too little for a stranger.
    """

    about: str
    answers: str
    blocks: dict[str, str]
    turns: dict[str, str] = field(default_factory=dict)
    decisions: dict[str, str] = field(default_factory=dict)


AGEMONIA = Words(
    about="""\
At each step the environment asks a question, a *decision* such as PAY or STEP, and an action \
answers it by naming something: an area, an enemy, an amount. An action is therefore the start of \
its block plus the number of what it names, as in `docs/layout.md`. \
`env.action_meaning(action)` says it in words. Numbers such as R5.2 are rules of \
[the rulebook](agemonia-rules.md), Q49 one of its [rulings](agemonia-rules.md#21-rulings). `ally` \
and `subject` are fields of the state: who is asked, and about what.

*Allies* are heroes and their companions. A *tie* is a choice among enemies or areas that a card \
leaves open; with `ties="auto"` it is settled without asking. *Free will* is `enemy_will="free"`: \
a policy moves the enemies ([Agemonia-v0](env-agemonia.md#arguments)).""",
    answers="what it is answered by",
    blocks={
        "NO": "no, or none of what is offered",
        "YES": "yes",
        "DONE": "the end of a move or of a choice",
        "TURN": "what to do next in a turn, see below",
        "TOKEN": "an action token of the hero: one of its actions (R5.2)",
        "AREA": "an area of the map",
        "CLIMB": "an area reached over a fixed rope (R7.17)",
        "ENEMY": "an enemy figure",
        "ALLY": "a hero or companion",
        "AMOUNT": "a number from 0",
        "LOCK": "an action or item that stamina chips are locked on (R14.1)",
        "TYPE": "a kind of enemy",
        "ABILITY": "might, agility or will",
        "ATTACK_TYPE": "melee, ranged or magic",
        "CONDITION": "a condition by its number (R12.1 to R12.10); 0 is never legal",
        "PORTAL": "an area reached by teleport token (R7.46)",
        "ITEM": "an item carried, by its place",
        "GROUND": "an item lying in the area, by its place",
        "STORY": "a section of a story card (R19.11)",
        "SPECIAL": "first, last or after an ally: a special initiative (R15.1)",
    },
    turns={
        "ACT": "perform the action chosen for this round (R6.1)",
        "RETHINK_MOVE": "1 movement point instead of that action (R6.8)",
        "RETHINK_RESTORE": "restore 1 spent stamina instead of that action (R6.8)",
        "MOVE_FREE": "maneuver: the move without a cost (R6.5)",
        "MOVE_PAID": "maneuver: the longer move, for stamina (R6.5)",
        "RECOVER_STAMINA": "maneuver: restore spent stamina (R6.7)",
        "RECOVER_DAMAGE": "maneuver: heal damage (R6.7)",
        "DISCARD_BLEEDING": "spend a maneuver to discard the condition Bleeding (R6.4)",
        "DISCARD_HELD": "spend a maneuver to discard the condition Held (R6.4)",
        "END_TURN": "end the turn; what is left is forfeited (R6.2)",
        "USE_ITEM": "use an item that works once (R6.11)",
        "DROP_ITEM": "drop an item (R17.5)",
        "TAKE_ITEM": "pick an item up (R17.5)",
        "GIVE_ITEM": "give an item to a hero in the same area (R17.5)",
        "WEAR_ITEM": "put an item to use or away (R17.2)",
        "FIX_ROPE": "fix a rope to a height edge (R7.17)",
        "TAKE_ROPE": "take a fixed rope back (R7.17)",
        "PLACE_PET": "place the pet on the map (R18.8)",
        "MOVE_PET": "move the pet (R18.8)",
        "RECALL_PET": "take the pet back (R18.8)",
        "READ_STORY": "use a section of a story card (R19.11)",
    },
    decisions={
        "NONE": "no question: the scenario has ended",
        "ATTACK_TYPE": "ATTACK_TYPE: melee, ranged or magic (R9.1)",
        "INSPIRATION": "YES / NO: pay an Inspiration gem for two more dice (R3.23)",
        "BLESSED": "YES / NO: use the condition Blessed (R12.2)",
        "ACHIEVEMENT": "YES / NO: pay an Achievement gem for one more success or point (R3.24)",
        "PAY": "AMOUNT of stamina paid on a stamina symbol of the dice (R3.3)",
        "ENEMY_STOP": "AREA as near as possible to a destination out of reach, a tie of Q49",
    },
)

HEXDUNGEON = Words(
    about="""\
At each step the environment asks a question, a *decision* such as TARGET or STEP, and an action \
answers it by naming something: a card, a figure, a hex. An action is therefore the start of its \
block plus the number of what it names, as in `docs/hexdungeon-layout.md`. \
`env.action_meaning(action)` says it in words. Numbers such as G5.2 are rules of \
[the rulebook](hex-rules.md).

Every ability card has a top and a bottom *half*. A *template* is a shape of red hexes that an \
attack covers (G5.1); it is laid by naming an enemy to cover, then one of up to twelve \
orientations, then which red hex lies on that enemy. An *active area* holds cards whose bonus \
lasts (G11.1).""",
    answers="what it asks",
    blocks={
        "NO": "no, or none of what is offered",
        "YES": "yes",
        "DONE": "the end of a turn, a move or a choice",
        "REST": "a long rest (G14.4)",
        "CARD": "an ability card of the character, by its place on the sheet",
        "HALF": "4 times the card of the turn (0 or 1), plus 0 top, 1 bottom, 2 Attack 2 instead "
        "of a top, 3 Move 2 instead of a bottom (G14.2)",
        "FIGURE": "a character, summon or monster",
        "DIRECTION": "one of the six neighbours of a hex",
        "ORIENTATION": "one of up to twelve ways to turn and mirror a template (G5.3)",
        "CELL": "a red hex of the template",
        "HEX": "a hex of the board",
        "ACTIVE": "a card in an active area, moved to its pile (G11.13)",
    },
    decisions={
        "NONE": "nothing: the scenario has ended",
        "STEP": "the next step of a move of one's own (G12.1)",
        "ORIENTATION": "how the template is turned and mirrored (G5.2)",
        "LOSE": "whether a card is lost instead of damage, and which (G7.13)",
        "LOSE_SECOND": "the second discard, if two are lost instead of damage (G7.13)",
        "RECIPIENT": "who gets a heal or a condition, or which enemy is pushed (G8.14)",
        "SUMMON": "where a summoned figure is placed (G11.18)",
        "REST_LOSE": "the discarded card lost to a long rest (G14.4)",
        "REST_KEEP": "whether a card in the active area stays there at a rest (G11.14)",
        "SHORT_REST": "whether to take a short rest at the end of the round (G14.4)",
        "INSTEAD": "whether to take 1 damage and lose another card to a short rest (G14.4)",
        "RECOVER": "which lost card an effect takes back",
        "FOCUS": "a monster's focus or its targets, where several are equally good (G13.18)",
        "END_HEX": "where a monster ends its move, where several hexes are as good (G13.18)",
        "MONSTER_CHOICE": "whom a line of a monster's card is for (G8.17)",
        "NEXT_TYPE": "which of the monster types with the same initiative acts first (G13.1)",
    },
)
