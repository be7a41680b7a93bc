"""G7 Order of one attack: its numbers."""

from agemonia_env.core.jit import kernel


@kernel
def value_before_card(value, bonus, doublings, poisoned):
    """G7.2, G7.3, G10.2 - the value after step 2: all additions, poison too, then the doublings."""
    return (value + bonus + (1 if poisoned else 0)) << doublings


@kernel
def damage(value, shield, pierce):
    """G7.4 to G7.7, G8.1, G8.7 - damage of an attack value against the sum of all Shields."""
    return max(0, value - max(0, shield - pierce))
