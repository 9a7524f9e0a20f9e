"""The skills of Larkspur's agents, and the queues by which the desk would assign work."""

from __future__ import annotations

from collections.abc import Mapping

from diorama.apps.zendesk.rules import skill_based_routing
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Condition, Conditions, Group, User
from diorama.apps.zendesk.schema.queues import Queue
from diorama.kernel import Tx
from diorama.worlds.larkspur.company import AT_THE_DESK, BILLING, FIRST_LINE, ORDERS, WHOLESALE, WORKSHOP

LANGUAGES = {"en": "English", "de": "German", "es": "Spanish", "fr": "French", "nl": "Dutch"}
MACHINES = {"Lever machines": "tern lever", "Boilers": "duet calla atelier", "Grinders": "finch heron burrs"}
"""The workshop's skills, and the words in a ticket that require them."""
QUEUES = (
    ("VIPs", ("current_tags", "includes", "vip"), 1, (FIRST_LINE,), (BILLING, ORDERS)),
    ("Machines", ("subject_includes_word", "includes", "leak broken pump steam"), 2, (WORKSHOP,), ()),
    ("Wholesale", ("current_tags", "includes", "wholesale"), 2, (WHOLESALE,), (FIRST_LINE,)),
    ("Everything else", ("status", "less_than", "solved"), 5, (FIRST_LINE,), ()),
)


def add_skills(tx: Tx, staff: Mapping[str, User], groups: Mapping[str, Group]) -> None:
    """Add skills by agent and queues by group; all agents start offline, so no ticket is assigned."""
    tongue, craft = skill_based_routing.add_skill(tx, "Language"), skill_based_routing.add_skill(tx, "Machine")
    spoken = {code: skill_based_routing.add_value(tx, tongue, name).id for code, name in LANGUAGES.items()}
    known = [
        skill_based_routing.add_value(
            tx, craft, name, Conditions((Condition("subject_includes_word", "includes", words),))
        ).id
        for name, words in MACHINES.items()
    ]
    for colleague in AT_THE_DESK:
        skills = [spoken[code] for code in colleague.languages]
        if WORKSHOP in colleague.groups:
            skills += known
        skill_based_routing.set_skills(tx, "agent", staff[colleague.email].id, skills)
    moment = now(tx)
    for place, (name, test, priority, primary, secondary) in enumerate(QUEUES, 1):
        tx.add(
            Queue(
                name=name,
                definition=Conditions((Condition(*test),)),
                priority=priority,
                position=place,
                primary_group_ids=tuple(groups[one].id for one in primary),
                secondary_group_ids=tuple(groups[one].id for one in secondary),
                created_at=moment,
                updated_at=moment,
            )
        )
