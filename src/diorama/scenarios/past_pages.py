"""Pasts of the Help Center: pages that colleagues published on a past day."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.help_center import Article, Section, Translation
from diorama.kernel import Tx


def publish_page(
    tx: Tx, title: str, body: str, author: str, at: datetime, *, beside: str, labels: tuple[str, ...] = ()
) -> Article:
    """Add an article that `author` (an e-mail address) wrote at a past moment, for the readers of another article."""
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
        labels=labels,
        user_segment_id=neighbour.user_segment_id,
        permission_group_id=neighbour.permission_group_id,
    )
    for words in tx.all(Translation, "source_type = 'article' AND source_id = ?", made.id):
        tx.change(words, created_at=at, updated_at=at)
    return tx.change(made, created_at=at, updated_at=at, edited_at=at)
