"""Sent email and its delivery status in API format."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.wire.pagination import Listing


class DeliveryStatus(Struct, frozen=True):
    id: int
    name: str
    code: str
    message: str


class RecipientObject(Struct):
    user_id: int
    email_address: str
    delivery_status: DeliveryStatus


class EmailNotificationObject(Struct, kw_only=True):
    url: str
    notification_id: int
    email_id: str
    message_id: str
    ticket_id: int
    comment_id: int | None
    recipients: list[RecipientObject]
    created_at: datetime
    updated_at: datetime


class EmailNotificationResponse(Struct):
    email_notification: EmailNotificationObject


class EmailNotificationsResponse(Listing, kw_only=True):
    email_notifications: list[EmailNotificationObject]
