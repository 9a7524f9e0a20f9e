"""API operations for locales."""

from __future__ import annotations

from typing import Annotated

from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me, or_not_found
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import APP, Locale
from diorama.apps.zendesk.wire.locales import LocaleResponse, LocalesResponse, locale_object
from diorama.kernel import Tx
from diorama.kit import Query


def _page(tx: Tx, page: Page, where: str = "") -> LocalesResponse:
    found, around = page_of(tx, page, Locale, where)
    return LocalesResponse(locales=[locale_object(one) for one in found], **around)


@APP.get("/api/v2/locales", role="user")
def list_locales(tx: Tx, page: Page) -> LocalesResponse:
    """List the locales of the account."""
    return _page(tx, page, "public = 1")


@APP.get("/api/v2/locales/agent", role="user")
def list_locales_for_agent(tx: Tx, page: Page) -> LocalesResponse:
    """List the locales that agents can use."""
    return _page(tx, page, "agent = 1")


@APP.get("/api/v2/locales/public", role="user")
def list_available_public_locales(tx: Tx, page: Page) -> LocalesResponse:
    """List all available locales."""
    return _page(tx, page)


@APP.get("/api/v2/locales/current", role="user")
def show_current_locale(tx: Tx, me: Me) -> LocaleResponse:
    """Show the caller's locale."""
    return LocaleResponse(locale_object(_named(tx, me.locale) or _default(tx)))


@APP.get("/api/v2/locales/detect_best_locale", role="user")
def detect_best_locale(
    tx: Tx,
    me: Me,
    available_locales: Annotated[list[str] | None, Query("available_locales[]")] = None,
) -> LocaleResponse:
    """Show the available locale that best matches the caller's."""
    mine = me.locale
    offered = available_locales or [row[0] for row in tx.rows("SELECT locale FROM zendesk_locales WHERE public = 1")]
    near = [one for one in offered if one == mine] + [one for one in offered if one.split("-")[0] == mine.split("-")[0]]
    return LocaleResponse(locale_object((_named(tx, near[0]) if near else None) or _default(tx)))


def _named(tx: Tx, name: str) -> Locale | None:
    return tx.first(Locale, "lower(locale) = ?", name.lower())


def _default(tx: Tx) -> Locale:
    return or_not_found(tx.first(Locale, '"default" = 1'))


@APP.get("/api/v2/locales/{locale_id}", role="user")
def show_locale_by_id(tx: Tx, locale_id: str) -> LocaleResponse:
    """Show a locale by id or code."""
    number = parse_id(locale_id)
    return LocaleResponse(locale_object(or_not_found(tx.find(Locale, number) if number else _named(tx, locale_id))))
