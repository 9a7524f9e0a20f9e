"""Pasts of the Help Center: pages that colleagues published on a past day."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from msgspec.structs import replace

from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.help_center import Article, Section, Translation
from diorama.kernel import Tx


def publish_page(
    tx: Tx, title: str, body: str, author: str, at: datetime, *, beside: str, labels: tuple[str, ...] = ()
) -> Article:
    """Add an article that `author` (an e-mail address) wrote at a past moment, for the readers of another article.

    Without labels it gets those of the other article.
    """
    known = tx.first(Translation, "title = ? AND locale = 'en-us'", beside)
    if known is None:
        raise LookupError(f"the Help Center has no article {beside!r}")
    neighbour = tx.get(Article, known.source_id)
    writer = tx.first(User, "email = ?", author) or tx.get(User, neighbour.author_id)
    made = help_center.add_article(
        tx,
        writer,
        tx.get(Section, neighbour.section_id),
        title,
        body,
        labels=labels or neighbour.label_names,
        user_segment_id=neighbour.user_segment_id,
        permission_group_id=neighbour.permission_group_id,
        id=_id_at(tx, Article, at),
    )
    for words in tx.all(Translation, "source_type = 'article' AND source_id = ?", made.id):
        tx.remove(words)
        tx.add(replace(words, id=_id_at(tx, Translation, at), created_at=at, updated_at=at))
    return tx.change(made, created_at=at, updated_at=at, edited_at=at)


def _id_at(tx: Tx, record: type[Article] | type[Translation], at: datetime) -> int:
    """Return a free id between those of the records before and after a moment; 0, for the next one, if none is after.

    If the records around the moment have adjacent ids, the nearest gap after them is used.
    """
    rows = tx.all(record, order="created_at, id")
    before = max((one.id for one in rows if one.created_at <= at), default=0)
    later = sorted(one.id for one in rows if one.id > before)
    if not before or not later:
        return 0
    low, high = next((low, high) for low, high in pairwise([before, *later, later[-1] + 100]) if high - low > 1)
    return tx.dice("id of a page", record.__name__, low, high).integer(low + 1, high - 1)
