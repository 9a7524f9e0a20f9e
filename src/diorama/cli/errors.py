"""What a person did wrong, as commands raise it."""

from diorama.rollout.misuse import Misuse

__all__ = ["Misuse"]
