"""Grants: how an app gives out tokens inside a world and finds the person behind one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec import structs

from diorama.kernel import Actor, Defect, Refusal, Request, Tx, World
from diorama.kit.operation import Operation
from diorama.kit.tokens import TokenForm, Tokens

Holder = Callable[[Tx, str], "tuple[str, str] | tuple[str, str, str] | None"]
"""(transaction, token) -> the user, the id of the token's row and its kind of credential; None for an invalid token.

The kind is one of the product's; it may be left out if the token is of none of them.
"""
Check = Callable[[Tx, Operation, Request], "Actor | None"]
"""Refuses what a token does not allow; returns whom the request acts for, or None for the token's own user."""
H = TypeVar("H", bound=Holder)
C = TypeVar("C", bound=Check)

FORM = "0d1a{hex:60}"
"""The form of tokens where the product declares none; with fixed characters at its start, doors find them faster."""


class Grants:
    """How an app authenticates people by tokens that it issued."""

    def __init__(self, header: str, refused: Refusal, forms: Mapping[str, str] | None = None) -> None:
        """Declare the tokens of a product.

        `header`: passes the row id of the request's token to the gateway; no client can send it. `forms`: the vendor's
        format of each kind of token, as `CredentialKind.form` writes it.
        """
        self.header = header
        self.refused = refused
        self.forms = {kind: TokenForm(form) for kind, form in (forms or {"": FORM}).items()}
        self.tokens = Tokens(self.forms.values())
        self._holder: Holder | None = None
        self._check: Check | None = None

    def holder(self, function: H) -> H:
        """Declare the function that finds the user of a token."""
        self._holder = function
        return function

    def check(self, function: C) -> C:
        """Declare the function that refuses what a token does not allow."""
        self._check = function
        return function

    def held(self, tx: Tx, token: str) -> tuple[str, str, str] | None:
        """Return the user of a token, the id of its row and its kind of credential, or None."""
        found = self._holder(tx, token) if self._holder is not None else None
        if found is None:
            return None
        return found if len(found) == 3 else (*found, "")

    def admit(self, world: World, request: Request, token: str) -> tuple[Request, Actor] | None:
        """Return the request and actor for a token's user, or None if the token is invalid."""
        found = world.read(self.held, token, boundary="app")
        if found is None:
            return None
        headers = {**request.headers, self.header: found[1]}
        return structs.replace(request, headers=headers), Actor("agent", found[0], found[2])

    def mint(self, tx: Tx, purpose: str, number: int, kind: str = "") -> str:
        """Return a new token of one of the declared kinds; "" is the first one."""
        form = self.forms.get(kind) if kind else next(iter(self.forms.values()))
        if form is None:
            raise Defect(
                f"no token of the kind {kind!r} is declared; there are {', '.join(self.forms)}", boundary="app"
            )
        return form.mint(tx.dice(purpose, number, tx.now_us).text)

    def guard(self, tx: Tx, operation: Operation, request: Request) -> Actor:
        """Return whom a request acts for; refuse what its token does not allow."""
        return (self._check(tx, operation, request) if self._check is not None else None) or tx.actor
