"""The Help Center: categories, sections and articles in several languages, votes, comments and subscriptions."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse

"""The company's source language."""
Shelf = Literal["category", "section", "article"]


@APP.record("guide_segments", ids=sparse(360_001_204_880, 64))
class UserSegment(Record):
    """Who may read: staff only, or all signed-in users; an article without a segment is public."""

    name: str
    user_type: Literal["signed_in_users", "staff"]
    built_in: bool = True
    created_at: datetime
    updated_at: datetime


@APP.record("guide_permission_groups", ids=sparse(360_000_311_520, 64))
class PermissionGroup(Record):
    """Who may write: all staff, or administrators only."""

    name: str
    admins_only: bool = False
    built_in: bool = True
    created_at: datetime
    updated_at: datetime


@APP.record("guide_categories", ids=sparse(360_002_770_112, 96), index=[("position", "id")])
class Category(Record):
    """A group of sections; its name is in its translations."""

    position: int = 0
    source_locale: str
    created_at: datetime
    updated_at: datetime


@APP.record("guide_sections", ids=sparse(360_007_410_336, 96), index=[("category_id", "position")])
class Section(Record):
    """A group of articles."""

    category_id: int
    parent_section_id: int | None = None
    position: int = 0
    sorting: str = "manual"
    source_locale: str
    created_at: datetime
    updated_at: datetime


@APP.record(
    "guide_articles",
    ids=sparse(360_018_905_440, 256),
    index=[("section_id", "position"), ("author_id",), ("updated_at", "id")],
)
class Article(Record):
    """A Help Center article; its text is in its translations."""

    section_id: int
    author_id: int
    position: int = 0
    promoted: bool = False
    comments_disabled: bool = False
    source_locale: str
    user_segment_id: int | None = None
    permission_group_id: int
    label_names: tuple[str, ...] = ()
    content_tag_ids: tuple[str, ...] = ()
    vote_sum: int = 0
    vote_count: int = 0
    archived: bool = False
    created_at: datetime
    updated_at: datetime
    edited_at: datetime


@APP.record(
    "guide_translations",
    ids=sparse(360_024_118_208, 128),
    unique=[("source_type", "source_id", "locale")],
    search=("title", "body"),
)
class Translation(Record):
    """The text of a category, a section or an article in one language."""

    source_type: Shelf
    source_id: int
    locale: str
    draft: bool = False
    outdated: bool = False
    hidden: bool = False
    created_by_id: int
    updated_by_id: int
    created_at: datetime
    updated_at: datetime
    title: str
    body: str = ""


@APP.record("guide_labels", ids=sparse(360_003_519_744, 64), unique=[("name",)])
class Label(Record):
    """A search label of articles."""

    name: str
    created_at: datetime
    updated_at: datetime


@APP.record("guide_comments", ids=sparse(360_004_660_224, 128), index=[("article_id", "id"), ("author_id",)])
class ArticleComment(Record):
    """A comment by a reader on an article."""

    article_id: int
    author_id: int
    locale: str
    vote_sum: int = 0
    vote_count: int = 0
    created_at: datetime
    updated_at: datetime
    body: str


@APP.record(
    "guide_votes",
    ids=sparse(360_011_874_912, 64),
    index=[("user_id",)],
    unique=[("item_type", "item_id", "user_id")],
)
class Vote(Record):
    """A reader's vote on an article, a post, or a comment on one of them."""

    item_type: Literal["Article", "Comment", "Post", "PostComment"]
    item_id: int
    user_id: int
    value: int
    created_at: datetime
    updated_at: datetime


@APP.record(
    "guide_subscriptions",
    ids=sparse(360_006_093_184, 64),
    unique=[("content_type", "content_id", "user_id")],
)
class GuideSubscription(Record):
    """A reader's subscription to changes of an article, or to new articles in a section."""

    content_type: Literal["Article", "Section"]
    content_id: int
    user_id: int
    locale: str
    include_comments: bool = False
    created_at: datetime
    updated_at: datetime
