"""Who works at Pier, and what they wrote in Chat during the last three weeks."""

from datetime import timedelta

from diorama.kernel import Tx

from harbour.apps.chat import seed
from harbour.apps.chat.schema import Channel
from harbour.worlds.pier.topics import TOPICS

DOMAIN = "pier.example"
AGENT = f"noor@{DOMAIN}"
"""The person whose work an agent does."""
STAFF = {
    AGENT: ("Noor Haddad", "Passenger desk"),
    f"wanda@{DOMAIN}": ("Wanda Okoro", "Head of the desk"),
    f"lars@{DOMAIN}": ("Lars Brandt", "Terminal"),
    f"ines@{DOMAIN}": ("Inês Tavares", "Car deck"),
    f"tom@{DOMAIN}": ("Tom Akers", "Purser"),
    f"milan@{DOMAIN}": ("Milan Horvat", "Harbour office"),
    f"greta@{DOMAIN}": ("Greta Lind", "Housekeeping"),
    f"yusuf@{DOMAIN}": ("Yusuf Demir", "Ticket counter"),
    f"carla@{DOMAIN}": ("Carla Weiss", "Group travel"),
    f"oskar@{DOMAIN}": ("Oskar Nilsen", "Ticket counter"),
}
PRIVATE = ("captains",)
"""Channels that the desk is not in."""
SMALL_TALK = (
    "The coffee machine on deck 4 works again.",
    "Who has the key of the flag locker?",
    "Fog until nine, then clear, says the coast guard.",
    "Lunch is fish, again: https://kitchen.pier.example/menu",
    "Please put the life vests back where they belong.",
    "The printer at gate 2 eats boarding cards.",
)
NOTES = 8
"""How many old notes each topic has."""


def set_up_chat(tx: Tx) -> dict[str, Channel]:
    """Add the team, its channels and their history."""
    everybody = [
        seed.add_person(tx, email, name, title, owner=email.startswith("wanda"))
        for email, (name, title) in STAFF.items()
    ]
    bot = seed.add_bot(tx, "deskbot", "Desk bot")
    names = sorted({topic.channel for topic in TOPICS.values()})
    channels = dict.fromkeys(("general", *names), everybody)
    channels |= {"desk": [*everybody, bot], "captains": [one for one in everybody if one.email != AGENT]}
    made = seed.add_channels(tx, channels, private=PRIVATE)
    said: list[tuple[timedelta, str, str]] = []
    for name, topic in TOPICS.items():
        for number in range(NOTES):
            dice = tx.dice("pier note", name, number)
            value, booking = topic.value(dice), f"PN-{dice.integer(1000, 3999)}"
            text = topic.notes.format(booking=booking, value=value)
            said.append((timedelta(minutes=dice.integer(2_000, 30_000)), topic.channel, text))
    for number in range(40):
        dice = tx.dice("pier talk", number)
        where = dice.pick(("general", "general", "operations", "captains"))
        said.append((timedelta(minutes=dice.integer(600, 30_000)), where, dice.pick(SMALL_TALK)))
    for ago, where, text in sorted(said, key=lambda one: (-one[0], one[1:])):
        dice = tx.dice("pier author", text, ago // timedelta(minutes=1))
        others = [one for one in everybody if one.email != AGENT]
        seed.say(tx, dice.pick(others), made[where], text, tx.now - ago)
    return made
