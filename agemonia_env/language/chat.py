"""Chat models as entries of the challenge, and recordings of what they said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypedDict

from agemonia_env.challenge.decision import WHY_NOT, WORDS, Decision, Start
from agemonia_env.display.messages import shown
from agemonia_env.files.documents import DocumentError, read_json
from agemonia_env.files.writing import write_json

from .answers import answer_in, no_answer
from .prompts import question_prompt, refusal_prompt, system_prompt


class Message(TypedDict):
    """A message of a chat. role: "system", "user" or "assistant"."""

    role: str
    content: str


class ChatModel(Protocol):
    """Any function from messages to the text that the model answers."""

    def __call__(self, messages: Sequence[Message]) -> str:
        """The answer to the last message."""


class ChatPlayer:
    """A chat model as an entry: an object with `act(decision)`.

    Every question is a chat of its own: the rules as system message, then the position. An answer
    without a legal action is refused with the reason, and the model is asked again in the same
    chat, as often as the challenge allows.
    """

    wants = (WORDS, WHY_NOT)

    def __init__(self, model: ChatModel, name: str = "") -> None:
        self.model, self.name = model, name
        self.messages: list[Message] = []
        self.unnamed = ""  # why the last answer named no action

    def begin(self, start: Start) -> None:
        """A game begins."""
        self.system = Message(role="system", content=system_prompt(start))

    def act(self, decision: Decision) -> int | str:
        """The action that the model names, or its text if it names none."""
        if decision.again:
            refused = refusal_prompt(decision, self.unnamed or decision.again)
            self.messages.append(Message(role="user", content=refused))
        else:
            question = Message(role="user", content=question_prompt(decision))
            self.messages = [self.system, question]
        answered = self.model(list(self.messages))
        text = answered if isinstance(answered, str) else ""  # None: a chat model without content
        self.messages.append(Message(role="assistant", content=text))
        answer = answer_in(text)
        self.unnamed = no_answer(answered) if answer is None else ""
        return text if answer is None else answer


class Recorder:
    """A chat model that keeps what another one was told and answered."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.exchanges: list[dict[str, object]] = []

    def __call__(self, messages: Sequence[Message]) -> str:
        """As the model, and remember it."""
        answered = self.model(messages)
        answer = answered if isinstance(answered, str) else ""
        self.exchanges.append({"messages": list(messages), "answer": answer})
        return answer

    def write(self, path: Path) -> None:
        """Write the exchanges as JSON, atomically."""
        write_json(path, self.exchanges)


class Recorded:
    """A chat model that says again what was recorded, if it is told the same."""

    def __init__(self, exchanges: Sequence[dict[str, object]]) -> None:
        self.exchanges, self.done = list(exchanges), 0

    @classmethod
    def read(cls, path: Path) -> Recorded:
        """The recording of a file. Raises ValueError unless it is one."""
        try:
            found = read_json(path, 2**26)
        except DocumentError as error:
            raise ValueError(f"{path}: {error}") from None
        exchanges: list[dict[str, object]] = []
        for one in found if isinstance(found, list) else [None]:
            if not isinstance(one, dict) or not all(
                isinstance(one.get(key), kind)
                for key, kind in (("messages", list), ("answer", str))
            ):
                raise ValueError(f"{path}: not a recording of a chat model")
            exchanges.append(dict(one))
        return cls(exchanges)

    def __call__(self, messages: Sequence[Message]) -> str:
        """The next answer. Raises ValueError if other messages were recorded, or none is left."""
        if self.done == len(self.exchanges):
            raise ValueError(f"the recording ends after {self.done} answers")
        exchange = self.exchanges[self.done]
        if exchange["messages"] != list(messages):
            told = shown(messages[-1]["content"])
            raise ValueError(f"answer {self.done} was recorded for other messages, not {told}")
        self.done += 1
        return str(exchange["answer"])
