"""How Pier's products and people meet: mails, hooks in both directions, and colleagues who read what they are told."""

from diorama import people
from diorama.apps.zendesk.rules.mail import receive_mail
from diorama.apps.zendesk.rules.oauth import give
from diorama.apps.zendesk.rules.satisfaction_ratings import rate
from diorama.apps.zendesk.rules.webhooks import new_secret
from diorama.apps.zendesk.schema import (
    Comment,
    OAuthClient,
    RequesterNotified,
    Ticket,
    TicketSolved,
    User,
)
from diorama.apps.zendesk.schema.webhooks import Webhook
from diorama.apps.zendesk.seed import add_trigger
from diorama.kernel import Product, Tx
from diorama.people import Conversation

from harbour.apps.chat import rules as chat
from harbour.apps.chat import seed
from harbour.apps.chat.schema import Channel, Member, Message, MessagePosted, OutgoingHook

LINKS = Product("pier_links", title="Pier's integrations", control=True)
WORD = "!ticket"


# --- hooks


def connect_hooks(tx: Tx, channel: Channel) -> None:
    """Let every new ticket be told in a channel, and let colleagues open tickets from there."""
    bot = tx.all(Member, "role = 'bot'")[0]
    lead = tx.all(User, "role = 'admin'")[0]
    webhook = tx.add(
        Webhook(
            name="Chat",
            endpoint=seed.add_incoming_hook(tx, channel, bot),
            signing_secret=new_secret(tx, "chat"),
            created_at=tx.now,
            created_by=lead.id,
            updated_at=tx.now,
            updated_by=lead.id,
        )
    )
    words = '{"text": "New ticket #{{ticket.id}}: {{ticket.title}}"}'
    add_trigger(
        tx,
        "Tell the channel of a new ticket",
        [("update_type", "is", "Create")],
        [("notification_webhook", [webhook.id, words])],
    )
    client = tx.add(
        OAuthClient(
            identifier="chat",
            name="Chat",
            secret=new_secret(tx, "client"),
            user_id=lead.id,
            created_at=tx.now,
            updated_at=tx.now,
        )
    )
    token = give(tx, client, lead.id, ["tickets:write"])
    tx.add(
        OutgoingHook(
            channel=channel.id,
            word=WORD,
            url="https://pier.zendesk.com/api/v2/tickets.json",
            headers={"authorization": f"Bearer {token.token}"},
            body={"ticket": {"subject": "{text}", "comment": {"body": "{text}"}, "requester": {"email": "{email}"}}},
            answer="A ticket is open.",
            author=bot.id,
        )
    )


# --- mail


@LINKS.on(RequesterNotified)
def mail_reaches_passenger(tx: Tx, notice: RequesterNotified) -> None:
    """Let a passenger read what the desk mailed; what a robot wrote counts as automatic."""
    comment = tx.find(Comment, notice.comment) if notice.comment else None
    author = tx.find(User, comment.author_id) if comment is not None else None
    if comment is None or author is None or author.role == "end-user":
        people.receive_message(tx, notice.to, "email", str(notice.ticket), notice.body, {"automatic": True})
        return
    facts = {"status": tx.get(Ticket, notice.ticket).status, "agent": author.name.split()[0]}
    people.receive_message(tx, notice.to, "email", str(notice.ticket), comment.body, facts)


@LINKS.on(TicketSolved)
def passenger_sees_it_is_solved(tx: Tx, notice: TicketSolved) -> None:
    """Let a passenger see that the ticket counts as solved."""
    requester = tx.get(User, tx.get(Ticket, notice.ticket).requester_id)
    people.receive_message(tx, requester.email or "", "email", str(notice.ticket), "", {"status": "solved"})


@LINKS.on(people.Rated)
def passenger_rates(tx: Tx, notice: people.Rated) -> None:
    """Answer the survey of a solved ticket."""
    ticket = tx.find(Ticket, int(notice.thread)) if notice.channel == "email" and notice.thread else None
    if ticket is not None and ticket.status in ("solved", "closed"):
        rate(tx, ticket.id, notice.score, notice.comment or None)


# --- chat


def place(message: Message) -> str:
    """Return the name of a message's thread for people: its channel and its first message."""
    return f"{message.channel}/{message.thread_ts or message.ts}"


@LINKS.on(MessagePosted)
def colleague_reads(tx: Tx, notice: MessagePosted) -> None:
    """Let a colleague who waits in a thread, or in a direct channel, read what others write there."""
    message = tx.get(Message, notice.message)
    channel, author = tx.get(Channel, message.channel), tx.get(Member, message.author)
    for waiting in tx.all(Conversation, "channel = 'chat' AND state IN ('waiting', 'content')"):
        persona = tx.get(people.Persona, waiting.persona_id)
        here = waiting.thread == place(message)
        here = here or (channel.kind == "direct" and waiting.thread.startswith(f"{channel.id}/"))
        if here and persona.email != author.email:
            people.receive_message(
                tx, persona.email, "chat", waiting.thread, message.text, {"agent": author.real_name.split()[0]}
            )


@LINKS.on(people.Spoke)
def person_writes(tx: Tx, notice: people.Spoke) -> None:
    """Put what a person says where it belongs: into a thread of Chat, or into the mailbox of the desk."""
    if notice.channel == "chat":
        channel, _, ts = notice.thread.partition("/")
        chat.post_as(tx, notice.person, channel, notice.text, ts)
        return
    thread = int(notice.thread) if notice.thread else None
    ticket = receive_mail(tx, notice.person, notice.subject, notice.text, thread, notice.name)
    if ticket and ticket != thread:
        people.set_thread(tx, notice.conversation, str(ticket))
