"""API operations for dynamic content: items and their variants."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import MOST, Page, given_fields, page_of, parts_of, single_page
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required, set_location
from diorama.apps.zendesk.rules import audit_logs, dynamic_content
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, DynamicItem, DynamicVariant, User
from diorama.apps.zendesk.wire.dynamic_content import (
    ItemObject,
    ItemRequest,
    ItemResponse,
    ItemsResponse,
    ManyVariantsRequest,
    VariantInput,
    VariantObject,
    VariantRequest,
    VariantResponse,
    VariantsResponse,
    item_object,
    variant_object,
)
from diorama.kernel import Tx


def _variants(tx: Tx, item: DynamicItem) -> list[VariantObject]:
    found = tx.all(DynamicVariant, "item_id = ?", item.id, order="id")
    newest = max((one.updated_at for one in found if one.default), default=item.created_at)
    return [variant_object(one, not one.default and one.updated_at < newest) for one in found]


def _shape(tx: Tx, item: DynamicItem) -> ItemObject:
    return item_object(item, _variants(tx, item))


@APP.get("/api/v2/dynamic_content/items", role="agent")
def list_dynamic_contents(tx: Tx, page: Page) -> ItemsResponse:
    """List dynamic content items."""
    found, around = page_of(tx, page, DynamicItem)
    return ItemsResponse(items=[_shape(tx, item) for item in found], **around)


@APP.get("/api/v2/dynamic_content/items/show_many", role="agent")
def show_many_dynamic_contents(tx: Tx, identifiers: str | None = None) -> ItemsResponse:
    """Show several items by the identifiers in their placeholders."""
    if not identifiers:
        raise refusals.parameter_missing("identifiers")
    names = ["{{dc." + part.removeprefix("dc.") + "}}" for part in parts_of(identifiers)]
    if len(names) > MOST:
        raise refusals.too_many()
    found = tx.all(DynamicItem, f"placeholder IN ({', '.join('?' * len(names))})", *names, order="id")
    shapes = [_shape(tx, item) for item in found]
    return ItemsResponse(items=shapes, **single_page(shapes))


@APP.get("/api/v2/dynamic_content/items/{dynamic_content_item_id}", role="agent")
def show_dynamic_content_item(tx: Tx, dynamic_content_item_id: int) -> ItemResponse:
    """Show an item."""
    return ItemResponse(_shape(tx, tx.get(DynamicItem, dynamic_content_item_id)))


def _add(tx: Tx, me: User, item: DynamicItem, asked: VariantInput) -> DynamicVariant:
    moment = now(tx)
    locale_id = required(asked.locale_id, "locale_id")
    words = asked.content or ""
    dynamic_content.check_variant(tx, item, locale_id, words)
    made = DynamicVariant(
        item_id=item.id,
        locale_id=locale_id,
        content=words,
        active=asked.active is not False,
        created_at=moment,
        updated_at=moment,
    )
    variant = audit_logs.add(tx, me, made)
    return dynamic_content.make_default(tx, item, variant) if asked.default is True else variant


@APP.post("/api/v2/dynamic_content/items", role="manage_dynamic_content", status=201)
def create_dynamic_content(tx: Tx, me: Me, body: ItemRequest) -> ItemResponse:
    """Create an item with its variants."""
    asked, moment = required(body.item, "item"), now(tx)
    name = asked.name.strip() if asked.name is not UNSET else ""
    placeholder = dynamic_content.free_placeholder(tx, name)
    locale_id = asked.default_locale_id if asked.default_locale_id is not UNSET else 1
    listed = list(asked.variants or ())
    if asked.content is not UNSET:
        listed.insert(0, VariantInput(locale_id=locale_id, content=asked.content, default=True))
    if not listed:
        raise refusals.blank("variants", "Variants")
    made = DynamicItem(
        name=name, placeholder=placeholder, default_locale_id=locale_id, created_at=moment, updated_at=moment
    )
    item = audit_logs.add(tx, me, made)
    for one in listed:
        variant = _add(tx, me, tx.get(DynamicItem, item.id), one)
        if variant.locale_id == locale_id and not variant.default:
            dynamic_content.make_default(tx, item, variant)
    dynamic_content.check_item(tx, item)
    set_location(tx, f"dynamic_content/items/{item.id}")
    return ItemResponse(_shape(tx, tx.get(DynamicItem, item.id)))


@APP.put("/api/v2/dynamic_content/items/{dynamic_content_item_id}", role="manage_dynamic_content")
def update_dynamic_content_item(tx: Tx, me: Me, dynamic_content_item_id: int, body: ItemRequest) -> ItemResponse:
    """Rename an item; its placeholder does not change."""
    item = tx.get(DynamicItem, dynamic_content_item_id)
    fields = given_fields(required(body.item, "item"), "name")
    return ItemResponse(_shape(tx, dynamic_content.change_item(tx, me, item, fields)))


@APP.delete("/api/v2/dynamic_content/items/{dynamic_content_item_id}", role="manage_dynamic_content")
def delete_dynamic_content_item(tx: Tx, me: Me, dynamic_content_item_id: int) -> None:
    """Delete an item and its variants."""
    item = tx.get(DynamicItem, dynamic_content_item_id)
    for variant in tx.all(DynamicVariant, "item_id = ?", item.id):
        tx.remove(variant)
    audit_logs.remove(tx, me, item)


# --- variants


def _variant(tx: Tx, item_id: int, number: int) -> DynamicVariant:
    return get_owned(tx, DynamicVariant, number, item_id=item_id)


def _one(tx: Tx, variant: DynamicVariant) -> VariantObject:
    shapes = _variants(tx, tx.get(DynamicItem, variant.item_id))
    return next(shape for shape in shapes if shape.id == variant.id)


@APP.get("/api/v2/dynamic_content/items/{dynamic_content_item_id}/variants", role="agent")
def dynamic_content_list_variants(tx: Tx, dynamic_content_item_id: int, page: Page) -> VariantsResponse:
    """List the variants of an item."""
    shapes = _variants(tx, tx.get(DynamicItem, dynamic_content_item_id))
    start, size = page.offset.skip, page.offset.size
    return VariantsResponse(variants=shapes[start : start + size], **page.around(len(shapes)))


@APP.get("/api/v2/dynamic_content/items/{dynamic_content_item_id}/variants/{dynamic_content_variant_id}", role="agent")
def show_dynamic_content_variant(
    tx: Tx, dynamic_content_item_id: int, dynamic_content_variant_id: int
) -> VariantResponse:
    """Show a variant."""
    return VariantResponse(_one(tx, _variant(tx, dynamic_content_item_id, dynamic_content_variant_id)))


@APP.post("/api/v2/dynamic_content/items/{dynamic_content_item_id}/variants", role="manage_dynamic_content", status=201)
def create_dynamic_content_variant(
    tx: Tx, me: Me, dynamic_content_item_id: int, body: VariantRequest
) -> VariantResponse:
    """Create a variant."""
    item = tx.get(DynamicItem, dynamic_content_item_id)
    return VariantResponse(_one(tx, _add(tx, me, item, required(body.variant, "variant"))))


@APP.post(
    "/api/v2/dynamic_content/items/{dynamic_content_item_id}/variants/create_many",
    role="manage_dynamic_content",
    status=201,
)
def create_many_dynamic_content_variants(
    tx: Tx, me: Me, dynamic_content_item_id: int, body: ManyVariantsRequest
) -> VariantsResponse:
    """Create several variants."""
    item = tx.get(DynamicItem, dynamic_content_item_id)
    made = [_add(tx, me, tx.get(DynamicItem, item.id), one) for one in required(body.variants, "variants")]
    return VariantsResponse(variants=[_one(tx, one) for one in made])


def _change(tx: Tx, me: User, item: DynamicItem, variant: DynamicVariant, asked: VariantInput) -> DynamicVariant:
    fields: dict[str, Any] = given_fields(asked, "content", "locale_id", "active")
    return dynamic_content.change_variant(tx, me, item, variant, fields, asked.default)


@APP.put("/api/v2/dynamic_content/items/{dynamic_content_item_id}/variants/update_many", role="manage_dynamic_content")
def update_many_dynamic_content_variants(
    tx: Tx, me: Me, dynamic_content_item_id: int, body: ManyVariantsRequest
) -> VariantsResponse:
    """Update several variants."""
    item = tx.get(DynamicItem, dynamic_content_item_id)
    done = [
        _change(tx, me, item, _variant(tx, item.id, required(one.id, "id")), one)
        for one in required(body.variants, "variants")
    ]
    return VariantsResponse(variants=[_one(tx, one) for one in done])


@APP.put(
    "/api/v2/dynamic_content/items/{dynamic_content_item_id}/variants/{dynamic_content_variant_id}",
    role="manage_dynamic_content",
)
def update_dynamic_content_variant(
    tx: Tx, me: Me, dynamic_content_item_id: int, dynamic_content_variant_id: int, body: VariantRequest
) -> VariantResponse:
    """Update a variant."""
    item = tx.get(DynamicItem, dynamic_content_item_id)
    variant = _variant(tx, item.id, dynamic_content_variant_id)
    return VariantResponse(_one(tx, _change(tx, me, item, variant, required(body.variant, "variant"))))


@APP.delete(
    "/api/v2/dynamic_content/items/{dynamic_content_item_id}/variants/{dynamic_content_variant_id}",
    role="manage_dynamic_content",
)
def delete_dynamic_content_variant(
    tx: Tx, me: Me, dynamic_content_item_id: int, dynamic_content_variant_id: int
) -> None:
    """Delete a variant; the one in the item's default language cannot be deleted."""
    variant = _variant(tx, dynamic_content_item_id, dynamic_content_variant_id)
    dynamic_content.delete_variant(tx, me, variant)
