"""Chat: channels, threads and files of a team; a product in the manner of Slack."""

from diorama.kit import App

from harbour.apps.chat import api, damage, faults, rules, schema, search, seed, tools
from harbour.apps.chat.schema import APP

__all__ = ["APP", "api", "app", "damage", "faults", "rules", "schema", "search", "seed", "tools"]


def app(team: str) -> App:
    """Install Chat for a company: the API at one host, the files at another."""
    return APP.install(f"{team}.chat.example", files=f"files-{team}.chat.example")
