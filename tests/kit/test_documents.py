"""Texts of documents: office files, PDF, RTF and archives are read within limits; what cannot be read is told."""

import io
import time
import zipfile
import zlib

import pytest

from diorama.kit.documents import FILES_AT_MOST, READ_AT_MOST, TAGS_AT_MOST, Files, document

REFUNDED = "We have refunded 900.00 EUR."
PARTS = ("We have re", "funded 900.00 EUR.")


def zipped(members: dict[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return out.getvalue()


def pdf(stream: bytes, filters: bytes = b"", more: bytes = b"") -> bytes:
    head = b"%PDF-1.4\n1 0 obj<</Producer (Maker 1.2) /CreationDate (D:20260217)>>endobj " + more
    return head + b"2 0 obj<</Length %d%s>>stream\n%s\nendstream endobj\n%%%%EOF" % (len(stream), filters, stream)


SHOWN = b"BT /F1 12 Tf 72 720 Td (" + REFUNDED.encode() + b") Tj ET"
KERNED = b"BT [(W) 20 (e) -250 (ha) 3 (ve) -300 (refun) -12 (ded) -250 (900.00) -250 (EUR.)] TJ ET"
LETTERS = b"BT " + b" ".join(b"(%s) Tj 5 0 Td" % bytes([one]) for one in REFUNDED.encode()) + b" ET"
HEX = b"BT <" + REFUNDED.encode().hex().encode() + b"> Tj ET"
OCTAL = b"BT (" + b"".join(b"\\%03o" % one for one in REFUNDED.encode()) + b") Tj ET"
FLATE = b"/Filter/FlateDecode"
RUNS = "".join(f"<w:r><w:t xml:space='preserve'>{one}</w:t></w:r>" for one in PARTS)


@pytest.mark.parametrize(
    "content",
    [
        pdf(SHOWN),
        pdf(zlib.compress(SHOWN), FLATE),
        pdf(zlib.compress(SHOWN), b"/Filter [ /FlateDecode ]"),
        pdf(zlib.compress(KERNED), FLATE),
        pdf(zlib.compress(LETTERS), FLATE),
        pdf(zlib.compress(HEX), FLATE),
        pdf(zlib.compress(OCTAL), FLATE),
        zipped({"word/document.xml": f"<w:document><w:p>{RUNS}</w:p></w:document>", "word/styles.xml": "<w:styles/>"}),
        zipped({"xl/workbook.xml": "<workbook/>", "xl/sharedStrings.xml": f"<sst><si><t>{REFUNDED}</t></si></sst>"}),
        zipped({"content.xml": f"<office:text><text:p>{REFUNDED}</text:p></office:text>", "mimetype": "x"}),
        zipped({"note.txt": REFUNDED}),
        zipped({"inner.zip": zipped({"note.txt": REFUNDED})}),
        b"{\\rtf1\\ansi We have \\'72efunded \\b 900.00\\b0  EUR.}",
        REFUNDED.encode(),
        REFUNDED.encode("utf-16"),
    ],
)
def test_ordinary_documents_are_read(content: bytes) -> None:
    found = document(content)
    assert found.readable
    assert any(REFUNDED in " ".join(one.split()) for one in found.texts), found.texts


def test_a_backslash_before_other_digits_is_left_out() -> None:
    assert "Room 89" in document(pdf(rb"BT (Room \8\9) Tj ET")).texts


def test_text_files_are_read_whatever_they_are_called() -> None:
    assert document("Rückzahlung".encode("latin-1")).texts == ("Rückzahlung",)
    assert REFUNDED in document(f"<html><body><p>{REFUNDED}</p></body></html>".encode()).texts
    assert document(b"") == ((), True)


def test_the_date_of_a_document_is_not_read_and_its_program_apart() -> None:
    core = "<dc:title>Hi</dc:title><dcterms:created x='y'>2026-02-17T09:00:00Z</dcterms:created>"
    office = document(zipped({"word/document.xml": "<w:p>Hi</w:p>", "docProps/core.xml": core}))
    said = " ".join((*document(pdf(SHOWN)).texts, *office.texts))
    assert "2026" not in said
    assert "Maker 1.2" in document(pdf(SHOWN)).texts


PRODUCER = f"({REFUNDED}) /Creator (x)".encode()
XMP = f"<?xpacket?><rdf:RDF><dc:description>{REFUNDED}</dc:description></rdf:RDF>"
FIELD = f'<w:fldSimple w:instr="QUOTE {REFUNDED}"/>'


@pytest.mark.parametrize(
    "content",
    [
        b"%PDF-1.4\n1 0 obj<</Producer " + PRODUCER + b">>endobj\n%%EOF",
        pdf(XMP.encode()),
        zipped({"word/document.xml": f"<w:document><w:p>Hi{FIELD}</w:p></w:document>"}),
        zipped({"word/document.xml": "<w:p>Hi</w:p>", "word/styles.xml": f"<w:style>{REFUNDED}</w:style>"}),
    ],
)
def test_attributes_and_metadata_of_documents_are_read(content: bytes) -> None:
    found = document(content)
    assert found.readable
    assert any(REFUNDED in one for one in found.texts), found.texts


def test_an_html_file_that_hides_or_changes_words_cannot_be_read() -> None:
    for trick in (
        "<style>p {color: red}</style>",
        "<b style='display:none'>x</b>",
        "<img src='data:image/png;base64,x'>",
    ):
        assert not document(f"<html><p>Hi</p>{trick}</html>".encode()).readable
    assert document(b"<html><p style='color:#333'>Hi</p></html>").readable


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x02",
        b"\x1f\x8b" + zlib.compress(SHOWN),
        pdf(SHOWN, more=b"9 0 obj<</Encrypt 5 0 R>>endobj "),
        pdf(b"\xff\xd8", b"/Subtype/Image/Filter/DCTDecode"),
        pdf(SHOWN, b"/Filter/LZWDecode"),
        pdf(SHOWN, FLATE),
        zipped({"word/document.xml": "<w:p>Hi</w:p>", "word/media/image1.png": b"\x89PNG\r\n\x1a\n\0\0\0\r"}),
        b"PK\x03\x04 broken",
        zipped({f"{number}.txt": "x" for number in range(300)}),
        b"x" * (READ_AT_MOST + 1),
    ],
)
def test_what_cannot_be_read_is_told(content: bytes) -> None:
    assert not document(content).readable


MEGABYTES = 20 << 20


@pytest.mark.parametrize(
    "content",
    [
        zipped({"word/document.xml": b" " * MEGABYTES}),
        pdf(zlib.compress(b" " * MEGABYTES), FLATE),
        pdf(b"(" * (READ_AT_MOST - 200)),
        pdf(b"(a" * (READ_AT_MOST // 2 - 200)),
        pdf(b"(a)" * (READ_AT_MOST // 3 - 200)),
        pdf(b"<a" * (READ_AT_MOST // 2 - 200)),
        pdf(b"stream\n" * (READ_AT_MOST // 7 - 200)),
        b"{\\rtf" + b"\\'" * (READ_AT_MOST // 2 - 200),
        zipped({"content.xml": b"<created>" * (READ_AT_MOST // 9 - 200)}),
        b"<p " * (READ_AT_MOST // 3 - 200),
    ],
)
def test_hostile_documents_are_read_in_bounded_time(content: bytes) -> None:
    began = time.thread_time()
    document(content)
    assert time.thread_time() - began < 3.0


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_that_unpack_without_a_limit_are_not_read(method: int) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        packed.writestr("a.txt", REFUNDED)
    assert not document(out.getvalue()).readable


def test_archives_in_an_archive_share_its_room() -> None:
    inner = {f"{number}.zip": zipped({"a.txt": f"{number} " + "a " * (READ_AT_MOST // 8)}) for number in range(10)}
    assert document(zipped({"0.zip": inner["0.zip"]})).readable
    read = document(zipped(dict(inner)))
    assert not read.readable
    assert sum(map(len, read.texts)) <= READ_AT_MOST


def test_a_member_that_says_it_is_too_large_is_not_unpacked() -> None:
    assert not document(zipped({"a.txt": b"\0" * (READ_AT_MOST + 1)})).readable


def test_html_with_very_many_tags_is_not_read() -> None:
    assert document(b"<p>" + b"<b>a</b>" * (TAGS_AT_MOST // 2 - 1)).readable
    assert not document(b"<p>" + b"<b>a</b>" * TAGS_AT_MOST).readable
    shared = {f"{number}.html": b"<p>" + b"<b>a</b>" * (TAGS_AT_MOST // 4) for number in range(3)}
    assert not document(zipped(dict(shared))).readable


def test_a_bounded_number_of_different_files_is_read() -> None:
    files = Files()
    for number in range(FILES_AT_MOST):
        assert files.read(b"%d" % number).readable
        assert files.read(b"%d" % number).readable
    assert not files.read(b"another").readable
    assert files.too_many
    assert files.read(b"0").readable
