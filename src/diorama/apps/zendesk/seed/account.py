"""Set up a new account: brand, support address, statuses, locales, settings and its standard configuration."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from diorama.apps.zendesk.rules import photos
from diorama.apps.zendesk.rules.account import subdomain
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.groups import add_group
from diorama.apps.zendesk.rules.time_zones import zone_of
from diorama.apps.zendesk.schema import (
    APP,
    BRAND_ID,
    CUSTOM_STATUS,
    FORM_ID,
    GRANTS,
    Account,
    AccountSetting,
    Automation,
    Brand,
    CustomStatus,
    Group,
    Locale,
    OAuthClient,
    SupportAddress,
    Trigger,
)
from diorama.apps.zendesk.schema.account_settings import Plan
from diorama.apps.zendesk.seed.account_settings import SETTINGS, localization
from diorama.apps.zendesk.seed.automations import CLOSING, SURVEY, start_automations, usual_automations
from diorama.apps.zendesk.seed.custom_roles import usual_roles
from diorama.apps.zendesk.seed.help_center import open_guide
from diorama.apps.zendesk.seed.locales import LOCALE_IDS, LOCALES
from diorama.apps.zendesk.seed.macros import usual_macros
from diorama.apps.zendesk.seed.satisfaction_reasons import usual_reasons
from diorama.apps.zendesk.seed.ticket_fields import system_fields
from diorama.apps.zendesk.seed.ticket_forms import default_form
from diorama.apps.zendesk.seed.triggers import ANSWERED, RECEIVED, usual_triggers
from diorama.apps.zendesk.seed.views import usual_views
from diorama.kernel import Tx


class Standard(msgspec.Struct, frozen=True):
    """The account's standard notifications, needed for the audits of histories."""

    received: Trigger | None
    answered: Trigger | None
    survey: Automation | None
    closing: Automation | None


def set_up(
    tx: Tx,
    name: str,
    *,
    plan: Plan,
    time_zone: str,
    currency: str,
    locale: str,
    languages: Sequence[str] = (),
    help_center_languages: Sequence[str] = (),
    support_address: str = "",
    running: bool = True,
) -> Group:
    """Add a new account with its standard configuration; return the group that every agent starts in.

    `time_zone` is the product's name or an IANA one. `languages` are those that customers can choose besides `locale`;
    the Help Center has the same ones unless `help_center_languages` says otherwise. The support address is
    `support@` the account's host unless another one is given. Automations start at once if `running`; a world that
    writes a history first starts them itself.
    """
    if zone_of(time_zone) is None:
        raise ValueError(f"{name}: unknown time zone {time_zone!r}")
    host = APP.of(tx).host
    account = tx.add(
        Account(
            id=1,
            name=name,
            support_address=support_address or f"support@{host}",
            created_at=now(tx),
            number=tx.dice("account number", host).integer(10_000_000, 29_999_999),
            plan=plan,
            currency=currency,
            help_center_locales=tuple(
                one.lower() for one in dict.fromkeys((locale, *(help_center_languages or languages)))
            ),
        )
    )
    _add_locales(tx, locale, languages)
    group = add_group(tx, name="Support", description="Answers what customers ask")
    add_account_records(tx, account)
    settings = {**SETTINGS, "localization": localization(LOCALE_IDS[locale], time_zone)}
    for place, (section, values) in enumerate(settings.items(), 1):
        tx.add(AccountSetting(id=place, section=section, values=values))
    system_fields(tx)
    default_form(tx)
    usual_triggers(tx)
    usual_views(tx)
    usual_macros(tx)
    open_guide(tx)
    usual_automations(tx)
    usual_reasons(tx)
    if running:
        start_automations(tx)
    return group


def standard(tx: Tx) -> Standard:
    """Return the account's standard notifications, None for each that it no longer has."""
    return Standard(
        tx.first(Trigger, "title = ?", RECEIVED),
        tx.first(Trigger, "title = ?", ANSWERED),
        tx.first(Automation, "title = ? AND active = 1", SURVEY),
        tx.first(Automation, "title = ? AND active = 1", CLOSING),
    )


_LABELS = {
    "new": ("New", "Open", "Ticket is awaiting assignment to an agent", "We are working on a response for you"),
    "open": ("Open", "Open", "Staff is working on the ticket", "We are working on a response for you"),
    "pending": (
        "Pending",
        "Awaiting your reply",
        "Staff is waiting for the requester to reply",
        "We are waiting for you",
    ),
    "hold": ("On-hold", "Open", "Staff is waiting for a third party", "We are working on a response for you"),
    "solved": ("Solved", "Solved", "The ticket has been solved", "This ticket has been solved"),
}


def add_account_records(tx: Tx, account: Account) -> None:
    """Add the records of a new account besides its locales, settings, fields, rules and people."""
    name, moment = account.name, now(tx)
    tx.add(
        Brand(
            id=BRAND_ID,
            name=name,
            subdomain=subdomain(tx),
            default=True,
            ticket_form_ids=(FORM_ID,),
            logo=photos.store_photo(tx, f"{name.lower().replace(' ', '_')}_logo", photos.LOGO),
            created_at=moment,
            updated_at=moment,
        )
    )
    tx.add(
        SupportAddress(
            name=name,
            email=account.support_address,
            brand_id=BRAND_ID,
            default=True,
            forwarding_status="verified",
            spf_status="verified",
            cname_status="verified",
            domain_verification_status="verified",
            created_at=moment,
            updated_at=moment,
        )
    )
    for category, (label, end_user, description, told) in _LABELS.items():
        tx.add(
            CustomStatus(
                id=CUSTOM_STATUS[category],
                status_category=category,
                agent_label=label,
                end_user_label=end_user,
                description=description,
                end_user_description=told,
                default=True,
                created_at=moment,
                updated_at=moment,
            )
        )
    usual_roles(tx)
    _partners(tx)


def _add_locales(tx: Tx, own: str, languages: Sequence[str]) -> None:
    """Add the vendor's locales; the account's own is the default, and customers can choose the listed ones."""
    moment = now(tx)
    unknown = [locale for locale in (own, *languages) if locale not in LOCALE_IDS]
    if unknown:
        raise ValueError(f"unknown locales {', '.join(unknown)}; known: {', '.join(LOCALE_IDS)}")
    for number, locale, english, native in LOCALES:
        tx.add(
            Locale(
                id=number,
                locale=locale,
                name=english,
                native_name=native,
                presentation_name=english if english == native else f"{english} - {native}",
                rtl=locale == "ar",
                default=locale == own,
                public=locale == own or locale in languages,
                agent=locale != "ar",
                created_at=moment,
                updated_at=moment,
            )
        )


PARTNERS = (
    ("zendesk_support_ios", "Zendesk Support for iOS", "The agents' app for telephones"),
    ("zendesk_support_android", "Zendesk Support for Android", "The agents' app for telephones"),
)


def _partners(tx: Tx) -> None:
    """Add the vendor's own OAuth clients, which every account has; no user has authorized them yet."""
    moment = now(tx)
    for place, (identifier, name, description) in enumerate(PARTNERS):
        tx.add(
            OAuthClient(
                identifier=identifier,
                name=name,
                kind="public",
                company="Zendesk",
                description=description,
                secret=GRANTS.mint(tx, "partner secret", place),
                user_id=-1,
                global_=True,
                created_at=moment,
                updated_at=moment,
            )
        )
