"""Rules about files: real content of the declared type and size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from diorama.apps.zendesk.rules.attachments import content_of
from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import ZENDESK, rule

BEGINS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "application/pdf": b"%PDF-",
    "application/zip": b"PK\x03\x04",
}
ENDS = {"image/png": b"IEND\xaeB`\x82", "image/jpeg": b"\xff\xd9", "application/pdf": b"%%EOF", "application/zip": b""}
SAMPLED = 200
"""At most this many files are read."""
LOOKED_AT = 4_000
"""About how many bytes of a file are counted."""


@rule(ZENDESK)
def files_have_real_content(records: Records) -> Iterator[str]:
    """A file is as long as it says, begins and ends as its type does, and is not mostly one byte."""
    files = [one for one in records.files if one.comment_id is not None]
    for file in files[:: max(1, len(files) // SAMPLED)]:
        content = content_of(file)
        begins, ends = BEGINS.get(file.content_type), ENDS.get(file.content_type, b"")
        some = content[:: max(1, len(content) // LOOKED_AT)]
        often = Counter(some).most_common(1)[0][1] if some else 0
        wrong = len(content) != file.size or begins is None or not content.startswith(begins)
        wrong = wrong or not content.rstrip().endswith(ends) or often > 0.3 * len(some)
        yield f"file {file.id} ({file.file_name}, {file.content_type}, {file.size} bytes)" if wrong else ""


@rule(ZENDESK)
def files_are_of_many_sizes(records: Records) -> Iterator[str]:
    """Hardly two files have the same size, and each belongs to a comment that lists it."""
    listed = {
        one.id: one for comments in records.comments.values() for comment in comments for one in comment.attachments
    }
    sizes = Counter(file.size for file in records.files)
    for file in (one for one in records.files if one.comment_id is not None):
        named = listed.get(file.id)
        wrong = named is None or named.size != file.size or sizes[file.size] > max(3, len(records.files) // 50)
        yield f"file {file.id} ({file.file_name}, {file.size} bytes)" if wrong else ""
