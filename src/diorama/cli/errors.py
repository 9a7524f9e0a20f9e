"""What a person did wrong, as commands raise it."""

from diorama.episodes.usage import Misuse

__all__ = ["Misuse"]
