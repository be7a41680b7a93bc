"""Language models as players: the challenge in words, and a text environment.

    answers.py    the action that a text names
    prompts.py    rules, position, question and options as texts
    chat.py       chat models as entries of the challenge, and recordings of what they said
    text_env.py   a game as an environment of texts

Nothing here uses the network: a chat model is any function from messages to text.
docs/language-models.md shows it at work.
"""
