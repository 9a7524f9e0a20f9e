"""Roles: who may call an operation is declared beside its path and checked before its handler."""

from typing import Annotated

import msgspec
import pytest

from diorama.kernel import Actor, Refusal, Tx
from diorama.kit import Caller, Operation, Product
from diorama.kit.openapi import document
from diorama.kit.product import REFUSAL_KINDS
from tests.kit.library import ANA, APP, BEN, library, send


def test_a_role_check_accepts_the_right_callers() -> None:
    assert send(library(), "GET", "/desk", by=ANA).json() == {"name": ANA.name}
    assert send(library(), "DELETE", "/desk", by=ANA).status == 202


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_role_check_refuses_in_the_vendors_words(method: str) -> None:
    reply = send(library(), method, "/desk", by=BEN)
    assert (reply.status, reply.json()["error"], reply.refused) == (403, "StaffOnly", "StaffOnly")


def test_the_cheap_check_is_used_if_the_caller_is_not_needed() -> None:
    role = APP.product.roles["librarian"]
    assert role.find is not role.check
    assert {one.name: one.caller for one in APP.product.operations if one.role} == {"show_desk": "me", "close_desk": ""}


def test_the_openapi_document_shows_the_role() -> None:
    paths = document(APP)["paths"]
    assert paths["/desk"]["get"]["x-role"] == "librarian"
    assert paths["/desk"]["get"]["parameters"] == []
    assert "x-role" not in paths["/books"]["get"]


def test_an_undeclared_role_is_refused_when_the_product_is_installed() -> None:
    product = Product(
        "half",
        title="Half",
        refusals={kind: Refusal(400, kind) for kind in REFUSAL_KINDS},
        envelope=lambda refusal: ("application/json", msgspec.json.encode(refusal.code)),
    )

    @product.get("/x", role="king")
    def show(tx: Tx) -> None:
        """Show nothing."""

    with pytest.raises(ValueError, match="half: show asks for the undeclared role 'king'"):
        product.install("half.example")

    @product.role("king")
    def king(tx: Tx) -> Actor:
        """Return the king."""
        return tx.actor

    assert product.install("half.example").name == "half"
    with pytest.raises(ValueError, match="declares the role 'king' twice"):
        product.role("king")(king)


def test_a_caller_without_a_role_and_a_public_role_are_refused() -> None:
    def show(tx: Tx, me: Annotated[Actor, Caller]) -> None:
        """Show the caller."""

    with pytest.raises(ValueError, match="'me' asks for the caller, but there is no role"):
        Operation(show, "GET", "/x")
    with pytest.raises(ValueError, match="a public operation cannot ask for the role 'king'"):
        Operation(show, "GET", "/x", public=True, role="king")
