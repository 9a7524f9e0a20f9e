"""The community of the Help Center: topics, posts and comments on posts."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse

PostStatus = Literal["planned", "not_planned", "answered", "completed", "none"]
POST_STATUSES: tuple[PostStatus, ...] = ("planned", "not_planned", "answered", "completed", "none")
ManageableBy = Literal["staff", "managers"]
MANAGEABLE_BY: tuple[ManageableBy, ...] = ("staff", "managers")


@APP.record("community_topics", ids=sparse(360_000_641_120, 64), index=[("position", "id")])
class Topic(Record):
    """A collection of posts on a subject; without a segment everyone may read it."""

    name: str
    description: str = ""
    position: int = 0
    manageable_by: ManageableBy = "managers"
    user_segment_id: int | None = None
    created_at: datetime
    updated_at: datetime


@APP.record(
    "community_posts",
    ids=sparse(360_040_118_912, 128),
    index=[("topic_id", "id"), ("author_id",), ("created_at", "id")],
    search=("title", "details"),
)
class Post(Record):
    """What a user shares with the community; `details` are HTML."""

    topic_id: int
    author_id: int
    title: str
    closed: bool = False
    featured: bool = False
    pinned: bool = False
    status: PostStatus = "none"
    content_tag_ids: tuple[str, ...] = ()
    vote_sum: int = 0
    vote_count: int = 0
    comment_count: int = 0
    non_author_editor_id: int | None = None
    non_author_updated_at: datetime | None = None
    created_at: datetime
    updated_at: datetime
    details: str = ""


@APP.record("community_comments", ids=sparse(360_006_227_840, 128), index=[("post_id", "id"), ("author_id",)])
class PostComment(Record):
    """A comment on a post; `official` if staff marked it as an answer of the company."""

    post_id: int
    author_id: int
    official: bool = False
    vote_sum: int = 0
    vote_count: int = 0
    non_author_editor_id: int | None = None
    non_author_updated_at: datetime | None = None
    created_at: datetime
    updated_at: datetime
    body: str
