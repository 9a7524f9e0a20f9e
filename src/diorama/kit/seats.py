"""Seats: the kinds of credentials that people and bots hold at a product, in the vendor's own token formats."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

ALPHABETS = {
    "digits": "0123456789",
    "hex": "0123456789abcdef",
    "lower": "abcdefghijklmnopqrstuvwxyz",
    "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "alnum": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "url": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_",
}
_SLOT = re.compile(r"\{(\w+):(\d+)\}")


class Seat(msgspec.Struct, frozen=True):
    """One kind of credential: its name, the form of its secret, and how it is handed to a client.

    `form` holds slots such as `{digits:12}`: `xoxb-{digits:12}-{digits:13}-{alnum:24}`.
    """

    name: str = ""
    form: str = "{hex:40}"
    credentials: Callable[[str, str], dict[str, str]] = lambda person, secret: {"token": secret}

    def secret(self, draw: Callable[[int, str], str]) -> str:
        """Return a new secret; `draw(length, alphabet)` gives random characters."""
        return _SLOT.sub(lambda slot: draw(int(slot[2]), ALPHABETS[slot[1]]), self.form)


def check_form(form: str) -> None:
    """Raise ValueError unless every slot of a secret's form is known and the secret cannot be guessed."""
    strength = 0.0
    for name, length in _SLOT.findall(form):
        if name not in ALPHABETS:
            raise ValueError(f"unknown slot {{{name}:{length}}} in {form!r}; known: {', '.join(ALPHABETS)}")
        strength += int(length) * (len(ALPHABETS[name]).bit_length() - 1)
    if strength < 64:
        raise ValueError(f"a secret of the form {form!r} could be guessed: it needs at least 64 random bits")
