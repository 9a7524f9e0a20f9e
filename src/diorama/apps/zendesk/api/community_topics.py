"""API operations for topics of the community."""

from __future__ import annotations

from diorama.apps.zendesk.api.help_center import guide_page
from diorama.apps.zendesk.api.pagination import Page, given_fields
from diorama.apps.zendesk.api.request_parts import required, set_location
from diorama.apps.zendesk.rules import community, help_center
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.community import Topic
from diorama.apps.zendesk.wire.community import TopicObject, TopicRequest, TopicResponse, TopicsResponse, topic_object
from diorama.kernel import Tx

ROOT = "/api/v2/community/topics"
FIELDS = ("name", "description", "position", "manageable_by", "user_segment_id")


def topic_shape(tx: Tx, topic: Topic, me: User | None) -> TopicObject:
    """Return a topic as a reader sees it."""
    manages = me is not None and (me.role == "admin" or (me.staff and topic.manageable_by == "staff"))
    return topic_object(topic, help_center.locales(tx)[0], manages)


@APP.get(ROOT, public=True)
def list_topics(tx: Tx, page: Page) -> TopicsResponse:
    """List the topics that the caller may read."""
    me = help_center.reader(tx)
    found, around = guide_page(tx, page, Topic, *community.readable_topics(tx, me))
    return TopicsResponse(topics=[topic_shape(tx, one, me) for one in found], **around)


@APP.get(f"{ROOT}/{{topic_id}}", public=True)
def show_topic(tx: Tx, topic_id: int) -> TopicResponse:
    """Show a topic."""
    me = help_center.reader(tx)
    return TopicResponse(topic_shape(tx, community.topic_for(tx, topic_id, me), me))


@APP.post(ROOT, role="admin", status=201)
def create_topic(tx: Tx, body: TopicRequest) -> TopicResponse:
    """Create a topic."""
    made = community.add_topic(tx, given_fields(required(body.topic, "topic"), *FIELDS))
    set_location(tx, f"community/topics/{made.id}")
    return TopicResponse(topic_shape(tx, made, help_center.reader(tx)))


@APP.put(f"{ROOT}/{{topic_id}}", role="admin")
def update_topic(tx: Tx, topic_id: int, body: TopicRequest) -> TopicResponse:
    """Update a topic."""
    fields = given_fields(required(body.topic, "topic"), *FIELDS)
    changed = community.change_topic(tx, tx.get(Topic, topic_id), fields)
    return TopicResponse(topic_shape(tx, changed, help_center.reader(tx)))


@APP.delete(f"{ROOT}/{{topic_id}}", role="admin")
def delete_topic(tx: Tx, topic_id: int) -> None:
    """Delete a topic with its posts."""
    community.delete_topic(tx, tx.get(Topic, topic_id))
