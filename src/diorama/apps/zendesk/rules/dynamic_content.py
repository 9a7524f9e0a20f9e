"""Dynamic content: texts in several languages, named by placeholders like {{dc.greeting}}."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.schema import DynamicItem, DynamicVariant, Locale, User
from diorama.kernel import Tx

_NAMED = re.compile(r"\{\{\s*(dc\.[\w.-]+)\s*\}\}")
_ONE = (
    "SELECT v.content FROM zendesk_dynamic_items i JOIN zendesk_dynamic_variants v ON v.item_id = i.id "
    "LEFT JOIN zendesk_locales l ON l.id = v.locale_id WHERE i.placeholder = ? AND v.active = 1 "
    'ORDER BY l.locale = ? DESC, v."default" DESC, v.id LIMIT 1'
)


def placeholder_of(name: str) -> str:
    """Return the placeholder of an item."""
    return "{{dc." + (re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_") or "item") + "}}"


def text_of(tx: Tx, name: str, locale: str) -> str:
    """Return the text of `dc.something` in a language, or in the item's default language."""
    rows = tx.rows(_ONE, "{{" + name + "}}", locale)
    return rows[0][0] if rows else ""


def fill(tx: Tx, text: str, locale: str = "en-US") -> str:
    """Return a title or description with its dynamic content filled in."""
    if "{{" not in text:
        return text
    return _NAMED.sub(lambda found: text_of(tx, found[1], locale), text)


def outdated(item: DynamicItem, variants: list[DynamicVariant]) -> bool:
    """Check whether the text in the default language is newer than a translation."""
    newest = max((one.updated_at for one in variants if one.default), default=item.created_at)
    return any(one.updated_at < newest for one in variants if not one.default)


def check_variant(tx: Tx, item: DynamicItem, locale_id: int, content: str, besides: int = 0) -> None:
    """Require content, an existing locale, and no other variant of the item in this locale."""
    if not content.strip():
        raise refusals.blank("content", "Content")
    if tx.find(Locale, locale_id) is None:
        raise refusals.invalid("locale_id", f"Locale: {locale_id} is invalid", "InvalidValue")
    taken = tx.first(DynamicVariant, "item_id = ? AND locale_id = ?", item.id, locale_id)
    if taken is not None and taken.id != besides:
        raise refusals.invalid("locale_id", "Locale: has already been taken", "DuplicateValue")


def make_default(tx: Tx, item: DynamicItem, variant: DynamicVariant) -> DynamicVariant:
    """Make this variant's language the default of the item."""
    for other in tx.all(DynamicVariant, "item_id = ?", item.id):
        if other.default and other.id != variant.id:
            tx.change(other, default=False)
    tx.change(item, default_locale_id=variant.locale_id)
    return tx.change(variant, default=True, active=True)


def free_placeholder(tx: Tx, name: str) -> str:
    """Return the placeholder of a new item; raise 422 for a blank name or one that another item has."""
    if not name:
        raise refusals.blank("name", "Name")
    placeholder = placeholder_of(name)
    if tx.count(DynamicItem, "placeholder = ?", placeholder):
        raise refusals.invalid("name", f"Name: {name} has already been taken", "DuplicateValue")
    return placeholder


def check_item(tx: Tx, item: DynamicItem) -> None:
    """Raise 422 unless an item has a text in its own language."""
    if not tx.count(DynamicVariant, 'item_id = ? AND "default" = 1', item.id):
        raise refusals.invalid("default_locale_id", "Default locale: has no variant", "InvalidValue")


def change_item(tx: Tx, by: User, item: DynamicItem, fields: Mapping[str, Any]) -> DynamicItem:
    """Rename an item; its placeholder stays."""
    if "name" in fields and not fields["name"].strip():
        raise refusals.blank("name", "Name")
    return audit_logs.change(tx, by, item, fields)


def change_variant(
    tx: Tx, by: User, item: DynamicItem, variant: DynamicVariant, fields: Mapping[str, Any], default: Any = None
) -> DynamicVariant:
    """Change a translation; the one in the item's own language stays active. `default` True makes it that one."""
    words, locale_id = fields.get("content", variant.content), fields.get("locale_id", variant.locale_id)
    check_variant(tx, item, locale_id, words, variant.id)
    if variant.default and (fields.get("active") is False or default is False):
        raise refusals.invalid("active", "Active: the default variant is always active", "InvalidValue")
    variant = audit_logs.change(tx, by, variant, fields)
    return make_default(tx, item, variant) if default is True else variant


def delete_variant(tx: Tx, by: User, variant: DynamicVariant) -> None:
    """Delete a translation; the one in the item's own language stays."""
    if variant.default:
        raise refusals.invalid("base", "The default variant cannot be deleted", "InvalidValue")
    audit_logs.remove(tx, by, variant)
