"""Content tags of articles and community posts."""

from __future__ import annotations

from collections.abc import Iterable

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema.community import Post
from diorama.apps.zendesk.schema.content_tags import ContentTag
from diorama.apps.zendesk.schema.help_center import Article
from diorama.kernel import Tx

LONGEST_NAME, MOST_ON_ONE = 255, 100
_TAGGED = "EXISTS (SELECT 1 FROM json_each(content_tag_ids) t WHERE t.value = ?)"


def _check(tx: Tx, name: str, besides: str = "") -> str:
    name = " ".join(name.split())
    if not name:
        raise refusals.blank("name", "Name")
    if len(name) > LONGEST_NAME:
        raise refusals.invalid("name", f"Name: is too long (maximum is {LONGEST_NAME} characters)", "ValueTooLong")
    if tx.rows("SELECT 1 FROM zendesk_content_tags WHERE name = ? COLLATE NOCASE AND id <> ?", name, besides):
        raise refusals.invalid("name", f"Name: {name} has already been taken", "DuplicateValue")
    return name


def add(tx: Tx, name: str) -> ContentTag:
    """Add a content tag; no two have the same name."""
    return tx.add(ContentTag(name=_check(tx, name), created_at=now(tx), updated_at=now(tx)))


def rename(tx: Tx, tag: ContentTag, name: str) -> ContentTag:
    """Rename a content tag."""
    name = _check(tx, name, tag.id)
    return tag if tag.name == name else tx.change(tag, name=name, updated_at=now(tx))


def delete(tx: Tx, tag: ContentTag) -> None:
    """Delete a content tag, and take it off everything that has it."""
    tagged: list[Article | Post] = [*tx.all(Article, _TAGGED, tag.id), *tx.all(Post, _TAGGED, tag.id)]
    for one in tagged:
        tx.change(one, content_tag_ids=tuple(other for other in one.content_tag_ids if other != tag.id))
    tx.remove(tag)


def known(tx: Tx, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of content tags, each once; raise 422 for those that do not exist."""
    listed = tuple(dict.fromkeys(ids))
    if len(listed) > MOST_ON_ONE:
        raise refusals.too_many(MOST_ON_ONE)
    for one in listed:
        if tx.find(ContentTag, one) is None:
            raise refusals.invalid("content_tag_ids", f"Content tag: {one} does not exist", "RecordNotFound")
    return listed
