"""The Help Center in API format."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from diorama.apps.zendesk.schema import HOST
from diorama.apps.zendesk.schema.help_center import (
    Article,
    ArticleComment,
    Category,
    GuideSubscription,
    Label,
    PermissionGroup,
    Section,
    Translation,
    UserSegment,
    Vote,
)
from diorama.apps.zendesk.wire.pagination import Id
from diorama.apps.zendesk.wire.shapes import shaped

S = TypeVar("S", bound=Struct)
_GAPS = re.compile(r"[^\w]+")
_SHELVES = {"category": "categories", "section": "sections", "article": "articles"}


def _page(kind: str, number: int, locale: str, title: str) -> str:
    return f"https://{HOST}/hc/{locale}/{kind}/{number}-{_GAPS.sub('-', title).strip('-')}"


def _worded(shape: type[S], item: Category | Section | Article, words: Translation, **more: Any) -> S:
    """Return the API object of a category, section or article in one language."""
    shelf, locale = _SHELVES[words.source_type], words.locale
    page, outdated = _page(shelf, item.id, locale, words.title), words.outdated
    return shaped(
        shape,
        item,
        f"help_center/{locale}/{shelf}/{item.id}",
        html_url=page,
        name=words.title,
        locale=locale,
        outdated=outdated,
        **more,
    )


class GuideList(Struct, kw_only=True):
    """Page numbers or cursor of a Help Center list."""

    count: int | UnsetType = UNSET
    page: int | UnsetType = UNSET
    page_count: int | UnsetType = UNSET
    per_page: int | UnsetType = UNSET
    next_page: str | UnsetType | None = UNSET
    previous_page: str | UnsetType | None = UNSET
    sort_by: str | UnsetType = UNSET
    sort_order: str | UnsetType = UNSET
    meta: Any = UNSET
    links: Any = UNSET


class CategoryObject(Struct, kw_only=True):
    id: int
    url: str
    html_url: str
    position: int
    created_at: datetime
    updated_at: datetime
    name: str
    description: str
    locale: str
    source_locale: str
    outdated: bool


def category_object(category: Category, words: Translation) -> CategoryObject:
    """Return the API object of a category in one language."""
    return _worded(CategoryObject, category, words, description=words.body)


class CategoryResponse(Struct):
    category: CategoryObject


class CategoriesResponse(GuideList, kw_only=True):
    categories: list[CategoryObject]


class SectionObject(Struct, kw_only=True):
    id: int
    url: str
    html_url: str
    category_id: int
    parent_section_id: int | None
    position: int
    sorting: str
    created_at: datetime
    updated_at: datetime
    name: str
    description: str
    locale: str
    source_locale: str
    outdated: bool


def section_object(section: Section, words: Translation) -> SectionObject:
    """Return the API object of a section in one language."""
    return _worded(SectionObject, section, words, description=words.body)


class SectionResponse(Struct):
    section: SectionObject


class SectionsResponse(GuideList, kw_only=True):
    sections: list[SectionObject]
    categories: list[CategoryObject] | UnsetType = UNSET


class ArticleObject(Struct, kw_only=True):
    id: int
    url: str
    html_url: str
    author_id: int
    comments_disabled: bool
    draft: bool
    promoted: bool
    position: int
    vote_sum: int
    vote_count: int
    section_id: int
    created_at: datetime
    updated_at: datetime
    name: str
    title: str
    source_locale: str
    locale: str
    outdated: bool
    outdated_locales: list[str]
    edited_at: datetime
    user_segment_id: int | None
    permission_group_id: int
    content_tag_ids: tuple[str, ...]
    label_names: tuple[str, ...]
    body: str
    snippet: str | UnsetType = UNSET
    result_type: str | UnsetType = UNSET
    type: str | UnsetType = UNSET


def article_object(article: Article, words: Translation, outdated: list[str], **more: Any) -> ArticleObject:
    """Return the API object of an article in one language."""
    own = {"title": words.title, "body": words.body, "draft": words.draft, "outdated_locales": outdated}
    return _worded(ArticleObject, article, words, **own, **more)


class ArticleResponse(Struct):
    article: ArticleObject


class ArticlesResponse(GuideList, kw_only=True):
    articles: list[ArticleObject]
    users: list[Any] | UnsetType = UNSET
    sections: list[SectionObject] | UnsetType = UNSET
    categories: list[CategoryObject] | UnsetType = UNSET


class ExportedArticlesResponse(Struct, kw_only=True):
    articles: list[ArticleObject]
    count: int
    end_time: int | None
    next_page: str | None


class FoundArticlesResponse(GuideList, kw_only=True):
    results: list[ArticleObject]


class TranslationObject(Struct, kw_only=True):
    id: int
    url: str
    html_url: str
    source_id: int
    source_type: str
    locale: str
    title: str
    body: str
    outdated: bool
    draft: bool
    hidden: bool
    created_at: datetime
    updated_at: datetime
    updated_by_id: int
    created_by_id: int


def translation_object(words: Translation) -> TranslationObject:
    """Return the API object of a translation."""
    shelf = _SHELVES[words.source_type]
    return shaped(
        TranslationObject,
        words,
        f"help_center/{shelf}/{words.source_id}/translations/{words.locale}",
        html_url=_page(shelf, words.source_id, words.locale, words.title),
        source_type=words.source_type.capitalize(),
    )


class TranslationResponse(Struct):
    translation: TranslationObject


class TranslationsResponse(GuideList, kw_only=True):
    translations: list[TranslationObject]


class MissingLocalesResponse(Struct):
    locales: list[str]


class GuideLocalesResponse(Struct):
    locales: tuple[str, ...]
    default_locale: str


class LabelObject(Struct):
    id: int
    url: str
    name: str
    created_at: datetime
    updated_at: datetime


def label_object(label: Label) -> LabelObject:
    """Return the API object of a label."""
    return shaped(LabelObject, label, f"help_center/articles/labels/{label.id}")


class LabelResponse(Struct):
    label: LabelObject


class LabelsResponse(GuideList, kw_only=True):
    labels: list[LabelObject]


class ArticleCommentObject(Struct, kw_only=True):
    id: int
    url: str
    html_url: str
    body: str
    author_id: int
    source_id: int
    source_type: str
    locale: str
    vote_sum: int
    vote_count: int
    created_at: datetime
    updated_at: datetime


def article_comment_object(comment: ArticleComment) -> ArticleCommentObject:
    """Return the API object of a comment on an article."""
    place = f"articles/{comment.article_id}/comments/{comment.id}"
    return shaped(
        ArticleCommentObject,
        comment,
        f"help_center/{comment.locale}/{place}",
        html_url=f"https://{HOST}/hc/{comment.locale}/{place}",
        source_id=comment.article_id,
        source_type="Article",
    )


class ArticleCommentResponse(Struct):
    comment: ArticleCommentObject


class ArticleCommentsResponse(GuideList, kw_only=True):
    comments: list[ArticleCommentObject]


class VoteObject(Struct, kw_only=True):
    id: int
    url: str
    user_id: int
    value: int
    item_id: int
    item_type: str
    created_at: datetime
    updated_at: datetime


def vote_object(vote: Vote) -> VoteObject:
    """A reader's vote on an article or comment."""
    return shaped(VoteObject, vote, f"help_center/votes/{vote.id}")


class VoteResponse(Struct):
    vote: VoteObject


class VotesResponse(GuideList, kw_only=True):
    votes: list[VoteObject]


class GuideSubscriptionObject(Struct, kw_only=True):
    id: int
    url: str
    content_id: int
    content_type: str
    user_id: int
    locale: str
    include_comments: bool
    created_at: datetime
    updated_at: datetime


def guide_subscription_object(subscription: GuideSubscription) -> GuideSubscriptionObject:
    """Return the API object of a subscription."""
    shelf = _SHELVES[subscription.content_type.lower()]
    path = f"help_center/{shelf}/{subscription.content_id}/subscriptions/{subscription.id}"
    return shaped(GuideSubscriptionObject, subscription, path)


class GuideSubscriptionResponse(Struct):
    subscription: GuideSubscriptionObject


class GuideSubscriptionsResponse(GuideList, kw_only=True):
    subscriptions: list[GuideSubscriptionObject]


class SegmentObject(Struct):
    id: int
    name: str
    user_type: str
    built_in: bool
    created_at: datetime
    updated_at: datetime


def segment_object(segment: UserSegment) -> SegmentObject:
    """Return the API object of a user segment."""
    return shaped(SegmentObject, segment)


class SegmentResponse(Struct):
    user_segment: SegmentObject


class SegmentsResponse(GuideList, kw_only=True):
    user_segments: list[SegmentObject]


class PermissionGroupObject(Struct):
    id: int
    name: str
    built_in: bool
    edit: list[int]
    publish: list[int]
    created_at: datetime
    updated_at: datetime


def permission_group_object(group: PermissionGroup, staff: list[int]) -> PermissionGroupObject:
    """Return the API object of a permission group; administrators may always write."""
    who = [] if group.admins_only else staff
    return shaped(PermissionGroupObject, group, edit=who, publish=who)


class PermissionGroupsResponse(GuideList, kw_only=True):
    permission_groups: list[PermissionGroupObject]


# --- bodies


class ShelfInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    locale: str | UnsetType = UNSET
    position: int | UnsetType = UNSET
    category_id: Id | UnsetType = UNSET
    sorting: str | UnsetType = UNSET


class CategoryRequest(Struct):
    category: ShelfInput | UnsetType = UNSET


class SectionRequest(Struct):
    section: ShelfInput | UnsetType = UNSET


ArticleText = Annotated[str, Meta(max_length=200_000)]
"""The text of an article; the vendor documents no limit."""


class ArticleInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    body: ArticleText | UnsetType = UNSET
    locale: str | UnsetType = UNSET
    draft: bool | UnsetType = UNSET
    promoted: bool | UnsetType = UNSET
    position: int | UnsetType = UNSET
    comments_disabled: bool | UnsetType = UNSET
    section_id: Id | UnsetType = UNSET
    author_id: Id | UnsetType = UNSET
    user_segment_id: Id | UnsetType | None = UNSET
    permission_group_id: Id | UnsetType = UNSET
    label_names: list[str] | UnsetType = UNSET
    content_tag_ids: tuple[str, ...] | UnsetType = UNSET


class ArticleRequest(Struct):
    article: ArticleInput | UnsetType = UNSET
    notify_subscribers: bool | UnsetType = UNSET


class SourceLocaleRequest(Struct):
    article_locale: str = ""


class TranslationInput(Struct, kw_only=True):
    locale: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    body: ArticleText | UnsetType = UNSET
    draft: bool | UnsetType = UNSET
    outdated: bool | UnsetType = UNSET


class TranslationRequest(Struct):
    translation: TranslationInput | UnsetType = UNSET


class LabelInput(Struct):
    name: str = ""


class LabelRequest(Struct):
    label: LabelInput | UnsetType = UNSET


class ArticleCommentInput(Struct):
    body: str = ""
    locale: str = ""
    author_id: Id | UnsetType = UNSET


class ArticleCommentRequest(Struct):
    comment: ArticleCommentInput | UnsetType = UNSET


class SubscriptionInput(Struct):
    locale: str = ""
    source_locale: str | UnsetType = UNSET
    include_comments: bool = False
    user_id: Id | UnsetType = UNSET


class GuideSubscriptionRequest(Struct):
    subscription: SubscriptionInput | UnsetType = UNSET
