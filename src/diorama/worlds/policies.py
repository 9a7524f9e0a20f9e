"""The pages that say what a company gives its customers, as text: its Help Center, and the form of a solved ticket."""

from __future__ import annotations

import re

import msgspec

from diorama.apps.zendesk.schema.help_center import Article, Section, Translation
from diorama.kernel import Tx, World
from diorama.kit.text import plain_text

_CELLS = re.compile(r"</t[dh]>")
_ROWS = re.compile(r"</tr>")


class Policy(msgspec.Struct, frozen=True):
    """One page: where it stands, who may read it, and what it says."""

    title: str
    section: str
    staff_only: bool
    text: str


def policies(world: World) -> list[Policy]:
    """Return the pages of a company's Help Center in its own language, without drafts."""
    return world.read(_policies)


def _policies(tx: Tx) -> list[Policy]:
    names = {one.id: _words(tx, "section", one.id, one.source_locale) for one in tx.all(Section)}
    found = []
    for page in tx.all(Article, "archived = 0", order="section_id, position, id"):
        words = _words(tx, "article", page.id, page.source_locale)
        if words is None or words.draft:
            continue
        section = names.get(page.section_id)
        staff = page.user_segment_id is not None
        text = plain_text(_ROWS.sub("<br>", _CELLS.sub(" | ", words.body)))
        found.append(Policy(words.title, section.title if section else "", staff, text.strip()))
    return found


def _words(tx: Tx, kind: str, number: int, locale: str) -> Translation | None:
    return tx.first(Translation, "source_type = ? AND source_id = ? AND locale = ?", kind, number, locale)


def as_text(found: list[Policy]) -> str:
    """Return the pages as Markdown, one heading each."""
    return "\n".join(
        f"## {one.title}\n{one.section}{', not public' if one.staff_only else ''}\n\n{one.text}\n" for one in found
    )
