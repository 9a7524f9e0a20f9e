"""Kinds of credentials: what people and bots authenticate with at a product, in the vendor's own token formats."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import msgspec

ALPHABETS = {
    "digits": "0123456789",
    "hex": "0123456789abcdef",
    "lower": "abcdefghijklmnopqrstuvwxyz",
    "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "alnum": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "url": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_",
}
SLOT = re.compile(r"\{(\w+):(\d+)\}")


class Issued(msgspec.Struct, frozen=True):
    """One person's new credential: what a request shows, what it is verified with, and what the client gets."""

    kind: str
    shown: str
    secret: str
    """The secret that signs; "" if the client shows its secret."""
    credentials: dict[str, str]


class CredentialKind(msgspec.Struct, frozen=True):
    """One kind of credential: its name, the form of its secret, and how it is handed to a client.

    `form` holds slots such as `{digits:12}`: `xoxb-{digits:12}-{digits:13}-{alnum:24}`. Clients that sign their
    requests get the id of a key too: `key` is its form, and `credentials` is called with (person, secret, key). Events
    record the name (`Actor.seat`), so only the single kind of a product may be without one. A client gets the secret as
    `token`, or as `bot_token` if the kind is called `bot`, unless `credentials` says otherwise. `scheme` names the only
    scheme in which it may be shown (`basic`), if the product has several.
    """

    name: str = ""
    form: str = "{hex:40}"
    credentials: Callable[..., dict[str, str]] | None = None
    key: str = ""
    scheme: str = ""

    def __post_init__(self) -> None:
        if "#" in self.name or "@" in self.name:
            raise ValueError(
                f"the name of a credential kind is recorded after a #: {self.name!r} must not contain # or @"
            )
        if self.key:
            check_form(self.key)

    def issue(self, person: str, draw: Callable[[int, str], str]) -> Issued:
        """Return a new credential for a person; `draw(length, alphabet)` gives random characters."""
        secret = drawn(self.form, draw)
        if not self.key:
            return Issued(self.name, secret, "", self._shown(person, secret))
        key = drawn(self.key, draw)
        return Issued(self.name, key, secret, self._shown(person, secret, key))

    def _shown(self, *made: str) -> dict[str, str]:
        """Return what a client is given: by `credentials`, or the secret as a token."""
        if self.credentials is not None:
            return self.credentials(*made)
        return {self.name if self.name.endswith("token") else f"{self.name}_token".lstrip("_"): made[1]}


def kinds_by_name(kinds: tuple[CredentialKind, ...]) -> dict[str, CredentialKind]:
    """Return a product's kinds of credentials by name; raise ValueError if events could not tell them apart."""
    named = {kind.name: kind for kind in kinds}
    if len(named) < len(kinds) or (len(kinds) > 1 and "" in named):
        raise ValueError(f"give each of several kinds its own name; got {', '.join(repr(kind.name) for kind in kinds)}")
    for kind in kinds:
        check_form(kind.form)
    shown: dict[str, str] = {}
    for kind in kinds:
        made = kind.issue("person", partial(_sample, kind.name)).credentials
        for key, value in made.items():
            if shown.setdefault(key, value) != value:
                raise ValueError(f"two credential kinds give a client different values as {key!r}; name them apart")
    return named


def _sample(name: str, length: int, alphabet: str) -> str:
    return f"{name}{alphabet[0] * length}"


def drawn(form: str, draw: Callable[[int, str], str]) -> str:
    """Return a secret of a form; `draw(length, alphabet)` gives random characters."""
    return SLOT.sub(lambda slot: draw(int(slot[2]), ALPHABETS[slot[1]]), form)


def check_form(form: str) -> None:
    """Raise ValueError unless every slot of a secret's form is known and the secret cannot be guessed."""
    strength = 0.0
    for name, length in SLOT.findall(form):
        if name not in ALPHABETS:
            raise ValueError(f"unknown slot {{{name}:{length}}} in {form!r}; known: {', '.join(ALPHABETS)}")
        strength += int(length) * (len(ALPHABETS[name]).bit_length() - 1)
    if strength < 64:
        raise ValueError(f"a secret of the form {form!r} could be guessed: it needs at least 64 random bits")
