"""Topics, posts and comments of the community as the API shows and takes them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import HOST
from diorama.apps.zendesk.schema.community import Post, PostComment, Topic
from diorama.apps.zendesk.wire.help_center import GuideList
from diorama.apps.zendesk.wire.pagination import Id
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.users import UserObject

_NOT_IN_LINKS = re.compile(r"[^A-Za-z0-9]+")


def _link(noun: str, number: int, title: str, locale: str) -> str:
    slug = _NOT_IN_LINKS.sub("-", title).strip("-")[:80]
    return f"https://{HOST}/hc/{locale}/community/{noun}/{number}" + (f"-{slug}" if slug else "")


class TopicObject(Struct, kw_only=True):
    id: int
    url: str
    html_url: str
    name: str
    description: str
    position: int
    follower_count: int
    manageable_by: str | UnsetType
    user_segment_id: int | None
    created_at: datetime
    updated_at: datetime


def topic_object(topic: Topic, locale: str, manages: bool) -> TopicObject:
    """Return the API object of a topic; only those who manage it see who may."""
    return shaped(
        TopicObject,
        topic,
        f"community/topics/{topic.id}",
        html_url=_link("topics", topic.id, topic.name, locale),
        follower_count=0,
        manageable_by=topic.manageable_by if manages else UNSET,
    )


class TopicResponse(Struct):
    topic: TopicObject


class TopicsResponse(GuideList, kw_only=True):
    topics: list[TopicObject]


class PostObject(Struct, kw_only=True):
    id: int
    url: str
    html_url: str
    title: str
    details: str
    author_id: int
    topic_id: int
    closed: bool
    featured: bool
    pinned: bool
    status: str
    content_tag_ids: tuple[str, ...]
    vote_sum: int
    vote_count: int
    comment_count: int
    follower_count: int
    non_author_editor_id: int | None
    non_author_updated_at: datetime | None
    created_at: datetime
    updated_at: datetime
    type: str | UnsetType = UNSET
    result_type: str | UnsetType = UNSET


def post_object(post: Post, locale: str, **more: Any) -> PostObject:
    """Return the API object of a post."""
    return shaped(
        PostObject,
        post,
        f"community/posts/{post.id}",
        html_url=_link("posts", post.id, post.title, locale),
        follower_count=0,
        **more,
    )


class PostResponse(Struct, kw_only=True):
    post: PostObject
    users: list[UserObject] | UnsetType = UNSET
    topics: list[TopicObject] | UnsetType = UNSET


class PostsResponse(GuideList, kw_only=True):
    posts: list[PostObject]
    users: list[UserObject] | UnsetType = UNSET
    topics: list[TopicObject] | UnsetType = UNSET


class FoundPostsResponse(GuideList, kw_only=True):
    results: list[PostObject]


class PostCommentObject(Struct, kw_only=True):
    id: int
    url: str
    html_url: str
    body: str
    author_id: int
    post_id: int
    official: bool
    vote_sum: int
    vote_count: int
    non_author_editor_id: int | None
    non_author_updated_at: datetime | None
    created_at: datetime
    updated_at: datetime


def post_comment_object(comment: PostComment, locale: str) -> PostCommentObject:
    """Return the API object of a comment on a post."""
    place = f"posts/{comment.post_id}/comments/{comment.id}"
    return shaped(
        PostCommentObject,
        comment,
        f"community/{place}",
        html_url=f"https://{HOST}/hc/{locale}/community/{place}",
    )


class PostCommentResponse(Struct):
    comment: PostCommentObject


class PostCommentsResponse(GuideList, kw_only=True):
    comments: list[PostCommentObject]


# --- bodies


class TopicInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    manageable_by: str | UnsetType = UNSET
    user_segment_id: Id | UnsetType | None = UNSET


class TopicRequest(Struct):
    topic: TopicInput | UnsetType = UNSET


class PostInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    details: str | UnsetType = UNSET
    topic_id: Id | UnsetType = UNSET
    author_id: Id | UnsetType = UNSET
    closed: bool | UnsetType = UNSET
    featured: bool | UnsetType = UNSET
    pinned: bool | UnsetType = UNSET
    status: str | UnsetType | None = UNSET
    content_tag_ids: list[str] | UnsetType | None = UNSET


class PostRequest(Struct):
    post: PostInput | UnsetType = UNSET


class PostCommentInput(Struct, kw_only=True):
    body: str | UnsetType = UNSET
    author_id: Id | UnsetType = UNSET
    official: bool | UnsetType = UNSET


class PostCommentRequest(Struct):
    comment: PostCommentInput | UnsetType = UNSET
