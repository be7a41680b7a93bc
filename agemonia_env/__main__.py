"""`python -m agemonia_env` is the command line `agemonia`."""

from .cli import app

if __name__ == "__main__":
    app(prog_name="agemonia")
