"""Usage errors that commands raise."""

from diorama.episodes.usage import Misuse

__all__ = ["Misuse"]
