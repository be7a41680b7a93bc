"""Generates docs/results.md: trains and plays every policy in every setting.

page_config.py  what to train and play: agents/configs/results.yaml
training.py     trains missing models, each by one command
playing.py      plays the games of every cell and stores them as Parquet files
known.py        the known facts about a cell or model
facts.py        the data of the page, docs/results.json
page.py         the page, docs/results.md
picture.py      learning curves and win rates

The command line is `python -m agents.results`.
"""
