"""The page docs/results.md: trains and plays every policy in every setting, and writes the page.

page_config.py  what is trained and played: agents/configs/results.yaml
training.py     trains missing models, each by one command
playing.py      plays the games of every cell, stored as Parquet files
known.py        the known facts about a cell or model
facts.py        the data of the page: docs/results.json
page.py         docs/results.md
picture.py      learning curves and win rates

The command line is `python -m agents.results`.
"""
