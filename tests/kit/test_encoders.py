"""Encoders: JSON by default, XML by declaration, and the same for errors."""

from datetime import UTC, date, datetime
from typing import Annotated, Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kernel import Defect, Refusal, Reply, Request, Tx
from diorama.kernel.testing import fresh
from diorama.kit import Encoder, Product, Xml
from diorama.kit.encoders import Attribute, Content, Item, xml_encode
from diorama.kit.openapi import document
from diorama.kit.product import REFUSAL_KINDS
from tests.kit.parlour import EVA, parlour

XMLNS = "http://storage.example/doc/2006-03-01/"


class Grantee(msgspec.Struct, rename="pascal"):
    """Who was given something."""

    kind: Annotated[str, Attribute()] = msgspec.field(name="xsi:type")
    display_name: str


class Note(msgspec.Struct):
    """A text with a language."""

    lang: Annotated[str, Attribute]
    text: Annotated[str, Content]


class Bucket(msgspec.Struct, rename="pascal", tag="ListBucketResult", tag_field="-"):
    """A list of objects."""

    name: str
    created: datetime
    day: date
    is_truncated: bool = False
    contents: list[str] = []
    users: Annotated[list[Grantee], Item("member")] = []
    marker: str | None = None
    more: str | msgspec.UnsetType = msgspec.UNSET
    size: float = 1.5
    note: Note | None = None
    raw: bytes = b"\x00"
    tags: dict[str, Any] = {}


def test_xml_follows_the_declared_types() -> None:
    value = Bucket(
        name="a & <b>",
        created=datetime(2026, 3, 2, 9, 0, 0, 123_456, tzinfo=UTC),
        day=date(2026, 3, 2),
        contents=["1", "2"],
        users=[Grantee(kind="User", display_name="Eva")],
        note=Note("de", "so"),
        tags={"k": [1, 2]},
    )
    assert xml_encode(value, attributes={"xmlns": XMLNS}).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<ListBucketResult xmlns="{XMLNS}"><Name>a &amp; &lt;b&gt;</Name><Created>2026-03-02T09:00:00.123Z</Created>'
        "<Day>2026-03-02</Day><IsTruncated>false</IsTruncated><Contents>1</Contents><Contents>2</Contents>"
        '<Users><member xsi:type="User"><DisplayName>Eva</DisplayName></member></Users><Size>1.5</Size>'
        '<Note lang="de">so</Note><Raw>AA==</Raw><Tags><k>1</k><k>2</k></Tags></ListBucketResult>'
    )


@given(st.text())
def test_every_text_becomes_valid_xml(text: str) -> None:
    encodable = text.encode("utf-8", "replace").decode()
    root = ElementTree.fromstring(xml_encode(Note(lang=encodable, text=encodable)))
    plain = "".join(char if char in "\t\n\r" or char >= " " else "\ufffd" for char in encodable)
    assert (root.text or "").replace("\n", "\r") == plain.replace("\ufffe", "\ufffd").replace(
        "\uffff", "\ufffd"
    ).replace("\r\n", "\r").replace("\n", "\r")


def test_an_invalid_xml_name_is_a_defect() -> None:
    with pytest.raises(ValueError, match="'a b' cannot be the name of an XML element"):
        xml_encode({"a b": 1})


def test_an_operation_may_have_its_own_encoder() -> None:
    reply = parlour().send("parlour", Request("GET", "/", host="photos.files.parlour.example"), EVA)
    assert reply.headers["content-type"] == "application/xml"
    assert reply.text.endswith("<ListBucketResult><DisplayName>photos</DisplayName></ListBucketResult>")
    gone = parlour().send("parlour", Request("GET", "/", host="gone.files.parlour.example"), EVA)
    assert (gone.status, gone.headers["content-type"]) == (404, "application/xml")
    assert "<error>NoSuchBucket</error>" in gone.text


def _product(**options: Any) -> Product:
    return Product("store", title="Store", refusals={kind: Refusal(400, kind) for kind in REFUSAL_KINDS}, **options)


class Error(msgspec.Struct, rename="pascal"):
    """An error."""

    code: str


def test_a_whole_product_may_use_xml() -> None:
    product = _product(encoder=Xml(xmlns=XMLNS), envelope=lambda refusal: Error(refusal.code))

    @product.get("/")
    def show(tx: Tx) -> Note:
        """Show a note."""
        return Note("en", "hello")

    world = fresh([product.install("store.example")])
    assert world.send("store", Request("GET", "/"), EVA).text.endswith(f'<Note xmlns="{XMLNS}" lang="en">hello</Note>')
    refused = world.send("store", Request("GET", "/nowhere"), EVA)
    assert f'<Error xmlns="{XMLNS}"><Code>unknown_path</Code></Error>' in refused.text
    assert refused.refused == "unknown_path"
    replies = document(product.install("store.example"))["paths"]["/"]["get"]["responses"]
    assert list(replies["200"]["content"]) == ["application/xml"]


def test_any_function_may_be_an_encoder() -> None:
    product = _product(
        encoder=Encoder("text/csv", lambda value: ",".join(value).encode()), envelope=lambda refusal: "no"
    )

    @product.get("/")
    def show(tx: Tx) -> list[str]:
        """Show a row."""
        return ["a", "b"]

    reply = fresh([product.install("store.example")]).send("store", Request("GET", "/"), EVA)
    assert (reply.headers["content-type"], reply.text) == ("text/csv", "a,b")


def test_an_error_reply_that_is_not_marked_refused_is_a_defect() -> None:
    product = _product(envelope=lambda refusal: {"error": refusal.code})

    @product.get("/silent")
    def silent(tx: Tx) -> Reply:
        """Answer an error as if it were a success."""
        return Reply(422, {}, b"{}")

    @product.get("/honest")
    def honest(tx: Tx) -> Reply:
        """Answer an error and say so."""
        return Reply(422, {}, b"{}", "invalid")

    world = fresh([product.install("store.example")])
    assert world.send("store", Request("GET", "/honest"), EVA).refused == "invalid"
    with pytest.raises(Defect, match="silent answered 422 without saying what it refused"):
        world.send("store", Request("GET", "/silent"), EVA)
