"""What a new account is set up with around its desk: brand, form, statuses, roles, languages and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from diorama.apps.zendesk.rules import pictures
from diorama.apps.zendesk.rules.acting import now
from diorama.apps.zendesk.rules.content import placeholder_of
from diorama.apps.zendesk.rules.roles import PLAIN
from diorama.apps.zendesk.schema import (
    BRAND_ID,
    CUSTOM_STATUS,
    FORM_ID,
    HOST,
    AccountSetting,
    Brand,
    Condition,
    Conditions,
    CustomRole,
    CustomStatus,
    DynamicItem,
    DynamicVariant,
    FormCondition,
    Locale,
    OAuthClient,
    Option,
    OrganizationField,
    Picture,
    SupportAddress,
    TicketField,
    TicketForm,
    UserField,
    Workspace,
)
from diorama.apps.zendesk.seed.settings import SETTINGS
from diorama.kernel import Tx
from diorama.kit.grants import mint

LOCALES: tuple[tuple[int, str, str, str], ...] = (
    (1, "en-US", "English", "English"),
    (2, "es", "Spanish", "español"),
    (8, "de", "German", "Deutsch"),
    (16, "fr", "French", "français"),
    (19, "pt-BR", "Portuguese (Brazil)", "português (Brasil)"),
    (22, "it", "Italian", "italiano"),
    (66, "ar", "Arabic", "العربية"),
    (67, "ja", "Japanese", "日本語"),
    (1005, "nl", "Dutch", "Nederlands"),
    (1176, "en-GB", "English (United Kingdom)", "English (United Kingdom)"),
)
SPOKEN = ("en-US", "de", "fr", "es", "it", "nl")
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


def furnish_account(tx: Tx, name: str, support_address: str) -> None:
    """Everything that a new account has besides its fields, rules and people."""
    moment = now(tx)
    tx.add(
        Brand(
            id=BRAND_ID,
            name=name,
            subdomain=HOST.partition(".")[0],
            default=True,
            ticket_form_ids=(FORM_ID,),
            logo=pictures.keep(tx, f"{name.lower().replace(' ', '_')}_logo", pictures.LOGO),
            created_at=moment,
            updated_at=moment,
        )
    )
    tx.add(
        SupportAddress(
            name=name,
            email=support_address,
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
    for number, locale, english, native in LOCALES:
        tx.add(
            Locale(
                id=number,
                locale=locale,
                name=english,
                native_name=native,
                presentation_name=english if english == native else f"{english} - {native}",
                rtl=locale == "ar",
                default=number == 1,
                public=locale in SPOKEN,
                agent=locale != "ar",
                created_at=moment,
                updated_at=moment,
            )
        )
    for place, (section, values) in enumerate(SETTINGS.items(), 1):
        tx.add(AccountSetting(id=place, section=section, values=values))
    _usual_roles(tx)
    _partners(tx)


PARTNERS = (
    ("zendesk_support_ios", "Zendesk Support for iOS", "The agents' app for telephones"),
    ("zendesk_support_android", "Zendesk Support for Android", "The agents' app for telephones"),
)


def _partners(tx: Tx) -> None:
    """The vendor's own programs, which every account knows; nobody has let them in yet."""
    moment = now(tx)
    for place, (identifier, name, description) in enumerate(PARTNERS):
        tx.add(
            OAuthClient(
                identifier=identifier,
                name=name,
                kind="public",
                company="Zendesk",
                description=description,
                secret=mint(tx, "partner secret", place),
                user_id=-1,
                global_=True,
                created_at=moment,
                updated_at=moment,
            )
        )


def photo(tx: Tx, email: str) -> Picture:
    """The picture that somebody put beside their name."""
    return pictures.keep(tx, f"profile_image_{email.partition('@')[0].replace('.', '_')}")


def default_form(tx: Tx) -> TicketForm:
    """The form that every ticket has unless another is chosen; it shows every field that there is by now."""
    moment = now(tx)
    numbers = tuple(field.id for field in tx.all(TicketField, "active = 1", order="position, id"))
    return tx.add(
        TicketForm(
            id=FORM_ID,
            name="Default Ticket Form",
            display_name="Default Ticket Form",
            position=1,
            default=True,
            end_user_visible=True,
            ticket_field_ids=numbers,
            created_at=moment,
            updated_at=moment,
        )
    )


_ROLES: tuple[tuple[str, int, str, dict[str, Any]], ...] = (
    ("Staff", 0, "Can edit tickets within their groups", {"ticket_access": "all"}),
    (
        "Team lead",
        0,
        "Can manage all tickets and forums",
        {"ticket_deletion": True, "ticket_merge": True, "view_access": "full", "macro_access": "full",
         "manage_suspended_tickets": True, "organization_editing": True, "view_deleted_tickets": True},
    ),
    (
        "Advisor",
        0,
        "Can automate ticket workflows, manage channels and make private comments on tickets",
        {"ticket_comment_access": "none", "manage_business_rules": True, "manage_dynamic_content": True},
    ),
    (
        "Light agent",
        1,
        "Can view and add private comments to tickets",
        {"light_agent": True, "ticket_comment_access": "none", "ticket_editing": False, "view_access": "readonly",
         "macro_access": "readonly", "ticket_bulk_edit": False, "ticket_tag_editing": False},
    ),
)  # fmt: skip


def _usual_roles(tx: Tx) -> None:
    moment = now(tx)
    for name, kind, description, more in _ROLES:
        configuration = {**PLAIN, **more}
        tx.add(
            CustomRole(
                name=name,
                description=description,
                role_type=kind,
                configuration=configuration,
                created_at=moment,
                updated_at=moment,
            )
        )


def add_form(
    tx: Tx,
    name: str,
    fields: Iterable[TicketField],
    *,
    agent_conditions: Iterable[FormCondition] = (),
    end_user_conditions: Iterable[FormCondition] = (),
    visible: bool = True,
) -> TicketForm:
    """One more ticket form."""
    moment = now(tx)
    return tx.add(
        TicketForm(
            name=name,
            display_name=name,
            position=tx.count(TicketForm) + 1,
            end_user_visible=visible,
            ticket_field_ids=tuple(field.id for field in fields),
            agent_conditions=tuple(agent_conditions),
            end_user_conditions=tuple(end_user_conditions),
            created_at=moment,
            updated_at=moment,
        )
    )


def add_custom_status(
    tx: Tx, category: str, label: str, end_user_label: str = "", description: str = ""
) -> CustomStatus:
    """One more status in a category."""
    moment = now(tx)
    return tx.add(
        CustomStatus(
            status_category=category,
            agent_label=label,
            end_user_label=end_user_label or label,
            description=description,
            created_at=moment,
            updated_at=moment,
        )
    )


def add_content(tx: Tx, name: str, texts: Mapping[str, str]) -> DynamicItem:
    """One more text in several languages; the first one is the item's own."""
    moment = now(tx)
    numbers = {locale: number for number, locale, _, _ in LOCALES}
    own = numbers[next(iter(texts))]
    item = tx.add(
        DynamicItem(
            name=name, placeholder=placeholder_of(name), default_locale_id=own, created_at=moment, updated_at=moment
        )
    )
    for locale, content in texts.items():
        number = numbers[locale]
        tx.add(
            DynamicVariant(
                item_id=item.id,
                locale_id=number,
                content=content,
                default=number == own,
                created_at=moment,
                updated_at=moment,
            )
        )
    return item


def add_user_field(
    tx: Tx, key: str, title: str, type: str = "text", options: Iterable[tuple[str, str]] = ()
) -> UserField:
    """One more field of users."""
    return tx.add(UserField(**_profile(tx, tx.count(UserField), key, title, type, options)))


def add_organization_field(
    tx: Tx, key: str, title: str, type: str = "text", options: Iterable[tuple[str, str]] = ()
) -> OrganizationField:
    """One more field of organizations."""
    return tx.add(OrganizationField(**_profile(tx, tx.count(OrganizationField), key, title, type, options)))


def _profile(tx: Tx, place: int, key: str, title: str, type: str, options: Iterable[tuple[str, str]]) -> dict[str, Any]:
    moment = now(tx)
    listed = tuple(
        Option(name, value, 18_416_286_000_000 + 100 * place + n) for n, (name, value) in enumerate(options, 1)
    )
    shape = {"key": key, "title": title, "type": type, "options": listed, "position": place}
    return {**shape, "created_at": moment, "updated_at": moment}


def add_workspace(
    tx: Tx, title: str, form: TicketForm, field: str, value: Any, macros: Iterable[int] = ()
) -> Workspace:
    """One more workspace, for tickets where a field has a value."""
    moment = now(tx)
    return tx.add(
        Workspace(
            title=title,
            activated=True,
            position=tx.count(Workspace) + 1,
            ticket_form_id=form.id,
            macro_ids=tuple(macros),
            conditions=Conditions((Condition(field, "is", value),)),
            created_at=moment,
            updated_at=moment,
        )
    )
