"""Texts beside an internal note that colleagues can read: attributes of its HTML, and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.attachments import content_of
from diorama.apps.zendesk.schema.attachments import File
from diorama.kernel import Tx
from diorama.kit.documents import Document
from diorama.kit.unseen import name_words, unseen_texts

FILES_AT_MOST = 50
"""How many files of one note are read."""


def beside_a_note(
    tx: Tx, row: Mapping[str, Any], made: Callable[[str, int | str], bool], read: Callable[[bytes], Document]
) -> Iterator[tuple[str, str]]:
    """Yield the column and the text of what comes with an internal comment, but not files that were there before."""
    if row.get("public"):
        return  # read with everything that left
    for text in unseen_texts(str(row.get("html") or "")):
        yield "html", text
    for one in msgspec.json.decode(row.get("attachments") or "[]")[:FILES_AT_MOST]:
        file = tx.find(File, one["id"])
        if file is None or not made("zendesk_files", file.id):
            continue
        content = content_of(file)
        if any(
            not made("zendesk_files", other.id) and content_of(other) == content
            for other in tx.all(File, "size = ?", file.size)
        ):
            continue  # a copy, such as a merge makes
        yield "attachments", name_words(file.file_name)
        for text in read(content).texts:
            yield "attachments", text


__all__ = ["beside_a_note"]
