"""`python -m agemonia_env` is the command line `agemonia`."""

from agemonia_env.cli.main import app

if __name__ == "__main__":
    app(prog_name="agemonia")
