"""The page docs/results.md: every policy in every setting, from its training to its number.

card.py      what is trained and played: agents/configs/results.yaml
training.py  models that are not there yet, each by one command
playing.py   games of every cell of the page, kept as Parquet files
known.py     what is known of a cell and a model
facts.py     all that the page says: docs/results.json
page.py      docs/results.md
picture.py   learning curves and win rates

The command line is `python -m agents.results`.
"""
