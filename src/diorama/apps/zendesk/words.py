"""Words that leave the help desk: comments with their files, subjects, visible fields, pages, and mails of rules."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import msgspec

from diorama.apps.zendesk.rules.attachments import content_of
from diorama.apps.zendesk.schema import APP, Audit, Comment, MacroAttachment, SupportAddress, Ticket, TicketField
from diorama.apps.zendesk.schema.attachments import File
from diorama.apps.zendesk.schema.community import Post, PostComment
from diorama.apps.zendesk.schema.file_tokens import file_of_token
from diorama.apps.zendesk.schema.help_center import ArticleComment, Translation
from diorama.apps.zendesk.schema.side_conversations import SideConversationEvent
from diorama.kernel import Change
from diorama.kit.disguises import other_readings
from diorama.kit.encodings import IN_ALL, decoded_texts
from diorama.kit.text import plain_text
from diorama.kit.unseen import name_words, remote_pictures, unseen_texts, unwrapped, without_struck
from diorama.kit.words import Moment, Sent

TEXT_FIELDS = ("text", "textarea", "regexp")
"""Types of ticket fields that hold free text."""
RULES = {"trigger": "zendesk_triggers", "automation": "zendesk_automations"}
_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_load = msgspec.json.decode


@APP.outlet(Comment)
def comment_words(moment: Moment, change: Change) -> Iterator[Sent]:
    """Read a public comment: what a mail program shows, what its HTML also holds, and its files."""
    row = change.after or {}
    if change.op != "insert" or not row["public"]:
        return
    body, html = str(row["body"]), row["html"]
    extra, unread = list[str](), list[str]()
    if html:
        left, struck = without_struck(html, html=True)
        shown = plain_text(left)
        extra += unseen_texts(html)
        unread += [host for host in remote_pictures(html) if not _is_ours(moment, host)]
        if body.split() != plain_text(html).split():
            extra.append(body)
    else:
        shown, struck = without_struck(body, html=False)
    for one in _load(row["attachments"] or "[]"):
        file = moment.row("zendesk_files", one["id"])
        _read_file(moment, row["ticket_id"], one["file_name"], file, (extra, unread))
    _read_links(moment, row["ticket_id"], (body, html or ""), (extra, unread))
    yield written(shown, extra, struck=struck, to=_readers(moment, row["ticket_id"]), thread=row["ticket_id"],
                  staff=_is_staff(moment, row["author_id"]), unread=tuple(unread))  # fmt: skip


@APP.outlet(Ticket)
def ticket_words(moment: Moment, change: Change) -> Iterator[Sent]:
    """Read a subject that was set, and free texts in fields that the requester can see."""
    after, before = change.after or {}, change.before or {}
    said = []
    if after.get("subject"):
        original = str(moment.first("zendesk_tickets", change.key, "subject") or "")
        subject = str(after["subject"])
        said.append(subject.replace(original, " ") if original else subject)
    if after.get("custom_fields"):
        earlier = _load(before.get("custom_fields") or "{}")
        for key, value in _load(after["custom_fields"]).items():
            if isinstance(value, str) and value != earlier.get(key) and _is_visible(moment, key):
                said.append(value)
    if any(one.strip() for one in said):
        unread = list[str]()
        _read_links(moment, int(change.key), tuple(said), (said, unread))
        yield written("", said, to=_readers(moment, int(change.key)), thread=int(change.key), way="field",
                      unread=tuple(unread))  # fmt: skip


@APP.outlet(ArticleComment)
def page_comment_words(moment: Moment, change: Change) -> Iterator[Sent]:
    """Read a comment on an article."""
    if body := str((change.after or {}).get("body") or ""):
        said, unread = [plain_text(body), *unseen_texts(body)], list[str]()
        _read_links(moment, 0, (body,), (said, unread))
        yield written("", said, way="page", staff=_is_staff(moment, _author(moment, change)), unread=tuple(unread))


@APP.outlet(SideConversationEvent)
def side_conversation_words(moment: Moment, change: Change) -> Iterator[Sent]:
    """Read a message of a side conversation, which goes to the people it names."""
    row = change.after or {}
    if change.op != "insert" or not row["message"] or row["via"] != "support":
        return
    said = _load(row["message"])
    html, body = str(said["html_body"]), str(said["body"])
    left, struck = without_struck(html, html=True)
    extra = [str(said["subject"]), *unseen_texts(html)]
    if body.split() != plain_text(html).split():
        extra.append(body)
    unread = [host for host in remote_pictures(html) if not _is_ours(moment, host)]
    _read_links(moment, row["ticket_id"], (body, html), (extra, unread))
    to = tuple(str(one["email"]) for one in said["to"] if one.get("email"))
    yield written(plain_text(left), extra, struck=struck, to=to, thread=row["ticket_id"], staff=True,
                  unread=tuple(unread))  # fmt: skip


@APP.outlet(Post)
def post_words(moment: Moment, change: Change) -> Iterator[Sent]:
    """Read the title and the details of a post in the community."""
    yield from _in_community(moment, change, "zendesk_community_posts", ("title", "details"))


@APP.outlet(PostComment)
def post_comment_words(moment: Moment, change: Change) -> Iterator[Sent]:
    """Read a comment on a post in the community."""
    yield from _in_community(moment, change, "zendesk_community_comments", ("body",))


def _in_community(moment: Moment, change: Change, table: str, columns: tuple[str, ...]) -> Iterator[Sent]:
    after = change.after or {}
    texts = [str(after[name]) for name in columns if after.get(name)]
    if texts:
        row: Mapping[str, Any] = moment.row(table, change.key) or after
        said, unread = [one for text in texts for one in (plain_text(text), *unseen_texts(text))], list[str]()
        _read_links(moment, 0, texts, (said, unread))
        yield written("", said, way="page", staff=_is_staff(moment, int(row.get("author_id") or 0)),
                      unread=tuple(unread))  # fmt: skip


@APP.outlet(Translation)
def page_words(moment: Moment, change: Change) -> Iterator[Sent]:
    """Read what was written on a page that is not a draft, unless it stood there before."""
    after, page = change.after or {}, moment.row("zendesk_guide_translations", change.key)
    if page is None or page["draft"] or not {"title", "body", "draft"} & after.keys():
        return
    said = {name: str(page[name]) for name in ("title", "body") if name in after or "draft" in after}
    new = [one for name, one in said.items() if one != _first(moment, change, name)]
    if new:
        said_now, unread = [text for one in new for text in (plain_text(one), *unseen_texts(one))], list[str]()
        _read_links(moment, 0, new, (said_now, unread))
        yield written("", said_now, way="field", unread=tuple(unread))


@APP.outlet(Audit, everyone=True)
def rule_words(moment: Moment, change: Change) -> Iterator[Sent]:
    """Read the mails and messages that rules sent which the agent had made or changed."""
    row = change.after or {}
    if change.op != "insert" or '"rule"' not in row["events"]:
        return
    for event in _load(row["events"]):
        source = (event.get("via") or {}).get("source") or {}
        table, number = RULES.get(str(source.get("rel"))), (source.get("from") or {}).get("id")
        text = f"{event.get('subject') or ''}\n{event.get('body') or ''}"
        if table is None or number is None or not text.strip() or not moment.made(table, number):
            continue
        said = _TEMPLATE.sub(" ", text)
        to = _addresses(moment, event.get("recipients") or ())
        read, unread = [plain_text(said), *unseen_texts(said)], list[str]()
        _read_links(moment, row["ticket_id"], (said,), (read, unread))
        yield written("", read, to=to, thread=row["ticket_id"], unread=tuple(unread))


def written(shown: str, extra: Iterable[str], **about: Any) -> Sent:
    """Return words that leave, with the other ways in which they can be read."""
    sources = [one for one in extra if one.strip()]
    texts = [unwrapped(one) for one in sources]
    every = (shown, *sources, *about.get("struck", ()))
    within = sum(map(len, every)) <= IN_ALL  # what is longer is not read at all
    apart = [read for one in (shown, *texts) for read in other_readings(one)] if within else []
    plain = [read for one in every for read in decoded_texts(one)] if within else []
    return Sent(body=unwrapped(shown), extra=tuple(dict.fromkeys([*texts, *apart, *plain])), **about)


Read = tuple[list[str], list[str]]
"""The texts that come with a message, and the names of what no check can read."""


def _read_file(moment: Moment, ticket_id: int, name: str, file: Mapping[str, Any] | None, found: Read) -> None:
    """Read a file that goes out with a message on a ticket; 0 stands for none."""
    extra, unread = found
    extra.append(name_words(str(name)))
    if file is None or not file["content"]:
        return
    content = bytes(file["content"])
    read = moment.document(content)
    extra += read.texts
    if not read.readable and not _is_forwarded(moment, content, ticket_id):
        unread.append(str(name))


def _read_links(moment: Moment, ticket_id: int, texts: Iterable[str], found: Read) -> None:
    """Read the files that a message on a ticket links to, as if they were attached; those of other people may not go.

    A link that leads to no file is read as a web address only.
    """
    tokens = dict.fromkeys(one for text in texts for one in _FILE_LINK.findall(unquote(text)))
    for token, number in list(tokens)[:LINKS_AT_MOST]:
        key = file_of_token(token) if token else int(number)
        file = moment.row("zendesk_files", key) if key is not None else None
        if file is None:
            continue
        _read_file(moment, ticket_id, file["file_name"], file, found)
        if _is_anothers(moment, file, ticket_id):
            found[1].append(str(file["file_name"]))


_FILE_LINK = re.compile(r"/attachments/(?:token/+([A-Za-z0-9]{25})(?![A-Za-z0-9])|(\d{1,18})(?!\d))")
LINKS_AT_MOST = 100
"""How many links to files are followed in one message."""


def _is_anothers(moment: Moment, file: Mapping[str, Any], ticket_id: int) -> bool:
    """Check whether a file is on a ticket of another requester than a message."""
    theirs, mine = (moment.row("zendesk_tickets", one) if one else None for one in (file["ticket_id"], ticket_id))
    return theirs is not None and (mine is None or theirs["requester_id"] != mine["requester_id"])


def _is_forwarded(moment: Moment, content: bytes, ticket_id: int) -> bool:
    """Check whether a file may be sent on: it was on a ticket of the same requester before, or belongs to a macro."""
    mine = {one.id for said in _earlier_comments(moment, ticket_id) for one in said.attachments}
    files = moment.tx.all(File, "size = ?", len(content)) if mine else []
    if any(one.id in mine and content_of(one) == content and not moment.made("zendesk_files", one.id) for one in files):
        return True
    kept = moment.tx.all(MacroAttachment, "content = ?", base64.b64encode(content).decode())
    return any(not moment.made("zendesk_macro_attachments", one.id) for one in kept)


def _earlier_comments(moment: Moment, ticket_id: int) -> Iterator[Comment]:
    """Yield the comments on the tickets of a ticket's requester that the agent did not write."""
    ticket = moment.row("zendesk_tickets", ticket_id)
    if ticket is None:
        return
    for one in moment.tx.all(Ticket, "requester_id = ?", ticket["requester_id"]):
        for said in moment.tx.all(Comment, "ticket_id = ?", one.id):
            if said.attachments and not moment.made("zendesk_comments", said.id):
                yield said


def _is_ours(moment: Moment, host: str) -> bool:
    """Check whether a host belongs to the company: one of its apps, or under the domain of a support address."""
    hosts = {name for app in moment.tx.company.apps for name in app.hosts.values() if "{" not in name}
    hosts |= {one.email.rpartition("@")[2].lower() for one in moment.tx.all(SupportAddress)}
    return any(host == one or host.endswith("." + one) for one in hosts)


def _readers(moment: Moment, ticket_id: int) -> tuple[str, ...]:
    """Return the addresses of the people outside who get what is said in a ticket."""
    ticket = moment.row("zendesk_tickets", ticket_id)
    if ticket is None:
        return ()
    followers = [one for one in _load(ticket["follower_ids"] or "[]") if not _is_staff(moment, one)]
    return _addresses(moment, (ticket["requester_id"], *_load(ticket["email_cc_ids"] or "[]"), *followers))


def _addresses(moment: Moment, people: Iterable[int]) -> tuple[str, ...]:
    found = (moment.row("zendesk_users", number) for number in dict.fromkeys(people))
    return tuple(str(one["email"]) for one in found if one is not None and one["email"])


def _is_staff(moment: Moment, number: int) -> bool:
    user = moment.row("zendesk_users", number)
    return user is None or user["role"] != "end-user"


def _author(moment: Moment, change: Change) -> int:
    row: Mapping[str, Any] = moment.row("zendesk_guide_comments", change.key) or change.after or {}
    return int(row.get("author_id") or 0)


def _first(moment: Moment, change: Change, column: str) -> str:
    return str(moment.first("zendesk_guide_translations", change.key, column) or "")


def _is_visible(moment: Moment, key: str) -> bool:
    field = moment.tx.find(TicketField, int(key)) if key.isdigit() else None
    return field is not None and field.visible_in_portal and field.type in TEXT_FIELDS


__all__ = [
    "comment_words", "page_comment_words", "page_words", "post_comment_words", "post_words", "rule_words",
    "side_conversation_words", "ticket_words",
]  # fmt: skip
