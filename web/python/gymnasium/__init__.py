"""The names of Gymnasium that are needed without an environment."""

import logging

logger = logging.getLogger("gymnasium")
