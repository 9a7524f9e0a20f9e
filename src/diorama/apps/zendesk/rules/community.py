"""The community of the Help Center: who reads and writes topics, posts and comments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import content_tags
from diorama.apps.zendesk.rules.current_user import change_if_different, now
from diorama.apps.zendesk.rules.search import read
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.community import MANAGEABLE_BY, POST_STATUSES, Post, PostComment, Topic
from diorama.apps.zendesk.schema.help_center import UserSegment, Vote
from diorama.kernel import Tx
from diorama.kit.query import Test, Text, full_text, leaves
from diorama.kit.sanitizing import linked, sanitized

LONGEST_TITLE = 255
FOUND_AT_MOST = 1000
_BY_STAFF = frozenset({"closed", "featured", "pinned", "status"})


# --- topics


def readable_topics(tx: Tx, me: User | None) -> tuple[str, list[Any]]:
    """Return the SQL condition for topics that a user may read; None means anonymous."""
    if me is not None and me.staff:
        return "1", []
    segments = [one.id for one in tx.all(UserSegment) if me is not None and one.user_type == "signed_in_users"]
    listed = f" OR user_segment_id IN ({', '.join('?' * len(segments))})" if segments else ""
    return f"(user_segment_id IS NULL{listed})", segments


def readable_posts(tx: Tx, me: User | None) -> tuple[str, list[Any]]:
    """Return the SQL condition for posts that a user may read."""
    where, args = readable_topics(tx, me)
    return ("1", []) if where == "1" else (f"topic_id IN (SELECT id FROM zendesk_community_topics WHERE {where})", args)


def topic_for(tx: Tx, topic_id: int, me: User | None) -> Topic:
    """Return a topic that the user may read."""
    where, args = readable_topics(tx, me)
    found = tx.first(Topic, f"id = ? AND {where}", topic_id, *args)
    if found is None:
        raise refusals.not_found()
    return found


def post_for(tx: Tx, post_id: int, me: User | None) -> Post:
    """Return a post that the user may read."""
    where, args = readable_posts(tx, me)
    found = tx.first(Post, f"id = ? AND {where}", post_id, *args)
    if found is None:
        raise refusals.not_found()
    return found


def _check_topic(tx: Tx, fields: Mapping[str, Any]) -> None:
    if "name" in fields and not str(fields["name"]).strip():
        raise refusals.blank("name", "Name")
    if len(str(fields.get("name", ""))) > LONGEST_TITLE:
        raise refusals.invalid("name", f"Name: is too long (maximum is {LONGEST_TITLE} characters)", "ValueTooLong")
    if fields.get("manageable_by", MANAGEABLE_BY[0]) not in MANAGEABLE_BY:
        raise refusals.not_listed("manageable_by", "Manageable by", fields["manageable_by"])
    if fields.get("user_segment_id") is not None:
        tx.get(UserSegment, fields["user_segment_id"])


def add_topic(tx: Tx, fields: Mapping[str, Any]) -> Topic:
    """Add a topic."""
    _check_topic(tx, {"name": "", **fields})
    return tx.add(Topic(**fields, created_at=now(tx), updated_at=now(tx)))


def change_topic(tx: Tx, topic: Topic, fields: Mapping[str, Any]) -> Topic:
    """Change a topic."""
    _check_topic(tx, fields)
    return change_if_different(tx, topic, fields)


def delete_topic(tx: Tx, topic: Topic) -> None:
    """Delete a topic with its posts."""
    for post in tx.all(Post, "topic_id = ?", topic.id):
        _remove_post(tx, post)
    tx.remove(topic)


# --- posts


def _checked(tx: Tx, me: User, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a post as they are stored; only staff close, feature, pin and answer posts."""
    out = dict(fields)
    if not me.staff and not _BY_STAFF.isdisjoint(out):
        raise refusals.forbidden()
    if "title" in out:
        out["title"] = str(out["title"]).strip()
        if not out["title"]:
            raise refusals.blank("title", "Title")
        if len(out["title"]) > LONGEST_TITLE:
            too_long = f"Title: is too long (maximum is {LONGEST_TITLE} characters)"
            raise refusals.invalid("title", too_long, "ValueTooLong")
    if "details" in out:
        out["details"] = linked(sanitized(out["details"] or ""))
    if "status" in out and (out["status"] or "none") not in POST_STATUSES:
        raise refusals.not_listed("status", "Status", out["status"])
    if "status" in out:
        out["status"] = out["status"] or "none"
    if "topic_id" in out:
        topic_for(tx, out["topic_id"], me)
    if "content_tag_ids" in out:
        out["content_tag_ids"] = content_tags.known(tx, out["content_tag_ids"] or ())
    return out


def add_post(tx: Tx, me: User, author: User, fields: Mapping[str, Any]) -> Post:
    """Add a post to a topic."""
    checked = _checked(tx, me, {"title": "", **fields})
    if "topic_id" not in checked:
        raise refusals.blank("topic_id", "Topic")
    return tx.add(Post(**checked, author_id=author.id, created_at=now(tx), updated_at=now(tx)))


def change_post(tx: Tx, me: User, post: Post, fields: Mapping[str, Any]) -> Post:
    """Change a post; only its author and staff may."""
    _check_author(me, post)
    checked = _checked(tx, me, fields)
    changed = {name: value for name, value in checked.items() if getattr(post, name) != value}
    if not changed:
        return post
    return tx.change(post, **changed, **_editor(tx, me, post, changed, ("title", "details")), updated_at=now(tx))


def _editor(tx: Tx, me: User, item: Post | PostComment, changed: Mapping[str, Any], texts: tuple[str, ...]) -> Any:
    """Return who edited another person's text."""
    if me.id == item.author_id or changed.keys().isdisjoint(texts):
        return {}
    return {"non_author_editor_id": me.id, "non_author_updated_at": now(tx)}


def delete_post(tx: Tx, me: User, post: Post) -> None:
    """Delete a post with its comments and votes; only its author and staff may."""
    _check_author(me, post)
    _remove_post(tx, post)


def _remove_post(tx: Tx, post: Post) -> None:
    for comment in tx.all(PostComment, "post_id = ?", post.id):
        _remove_votes(tx, "PostComment", comment.id)
        tx.remove(comment)
    _remove_votes(tx, "Post", post.id)
    tx.remove(post)


def _remove_votes(tx: Tx, kind: str, number: int) -> None:
    for cast in tx.all(Vote, "item_type = ? AND item_id = ?", kind, number):
        tx.remove(cast)


def _check_author(me: User, item: Post | PostComment) -> None:
    if not me.staff and me.id != item.author_id:
        raise refusals.forbidden()


# --- comments


def _text(body: str) -> str:
    clean = linked(sanitized(body))
    if not clean.strip():
        raise refusals.blank("body", "Body")
    return clean


def comment_on(tx: Tx, me: User, author: User, post: Post, body: str, official: bool = False) -> PostComment:
    """Add a comment to a post that is not closed; only staff write official ones."""
    if official and not me.staff:
        raise refusals.forbidden()
    if post.closed:
        raise refusals.invalid("base", "Post: is closed for comments", "InvalidValue")
    made = PostComment(
        post_id=post.id,
        author_id=author.id,
        official=official,
        body=_text(body),
        created_at=now(tx),
        updated_at=now(tx),
    )
    tx.change(post, comment_count=post.comment_count + 1)
    return tx.add(made)


def change_comment(tx: Tx, me: User, comment: PostComment, fields: Mapping[str, Any]) -> PostComment:
    """Change a comment; its author and staff change the text, staff make it official."""
    _check_author(me, comment)
    out = dict(fields)
    if "official" in out and not me.staff:
        raise refusals.forbidden()
    if "body" in out:
        out["body"] = _text(out["body"])
    changed = {name: value for name, value in out.items() if getattr(comment, name) != value}
    if not changed:
        return comment
    return tx.change(comment, **changed, **_editor(tx, me, comment, changed, ("body",)), updated_at=now(tx))


def delete_comment(tx: Tx, me: User, comment: PostComment) -> None:
    """Delete a comment with its votes; only its author and staff may."""
    _check_author(me, comment)
    post = tx.get(Post, comment.post_id)
    tx.change(post, comment_count=post.comment_count - 1)
    _remove_votes(tx, "PostComment", comment.id)
    tx.remove(comment)


# --- search


def search(tx: Tx, text: str, me: User | None, where: str = "", args: tuple[Any, ...] = ()) -> list[Post]:
    """Return readable posts with all these words, best match first."""
    terms = [leaf.word if isinstance(leaf, Test) else leaf for leaf in leaves(read(text))]
    wanted = [match for term in terms if isinstance(term, Text) and (match := full_text(term.text, prefix=True))]
    if not wanted:
        return []
    seen, more = readable_posts(tx, me)
    clause = f"{seen} AND {where}" if where else seen
    return tx.match(Post, " AND ".join(dict.fromkeys(wanted)), clause, *more, *args, limit=FOUND_AT_MOST)
