"""Errors for wrong usage, such as an unknown scenario or agent."""


class Misuse(Exception):
    """An invalid request: the message says what happened, to what, and what to do. Commands exit with code 2."""
