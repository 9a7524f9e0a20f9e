"""What a person asked for that cannot be done."""


class Misuse(Exception):
    """A wrong request: the message says what happened, to what, and what to do. Commands answer it with exit code 2."""
