"""Command lines of training runs of a few steps."""

SMALL = {
    "total_steps": "256",
    "checkpoint_steps": "128",
    "n_envs": "8",
    "n_steps": "8",
    "batch_size": "32",
    "n_epochs": "1",
    "net_arch": "[8]",
    "threads": "1",
}


def arguments(out, *more, small=SMALL, **changes):
    """Words of a run into a folder; changes: other values."""
    words = (f"--{key.replace('_', '-')}={value}" for key, value in (small | changes).items())
    return ["--out", str(out), *more, *words]
