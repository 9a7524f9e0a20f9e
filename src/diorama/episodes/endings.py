"""How an episode and its agent end, and how an agent is told."""

from typing import Literal

from diorama.episodes.result import Ended
from diorama.kernel import Refusal, Reply
from diorama.kit import App

Left = Ended | Literal["gone", "lost"]
"""How an episode ended that an agent is told about: with a result, or without one."""

WHY: dict[Left, str] = {
    "done": "it was finished",
    "gave_up": "the agent gave up",
    "step_limit": "all of its turns are used",
    "time_limit": "its time is over",
    "token_limit": "the token limit is reached",
    "void": "internal failure of the environment",
    "gone": "it was deleted, or its lease ran out",
    "lost": "the worker process that ran it has ended (WorkerLost)",
}


class Overtime(BaseException):
    """The agent took too long; a BaseException, so that the agent's own `except Exception` cannot catch it."""


class OutOfTokens(Exception):
    """The model reached its own token limit: the agent's ending, with a score."""


class AgentFailed(Exception):
    """The agent raised an exception or broke its process: it has given up. The message says how."""


def end_text(ended: Left) -> str:
    """Return what an agent reads when its episode has ended."""
    return f"the episode has ended ({ended}): {WHY[ended]}; nothing more can be done in it"


def refuse_ended(app: App, ended: Left) -> Reply:
    """Refuse a request after the end, in the vendor's shape.

    The status is 403: clients of vendors raise it with its message and do not try again. A vendor that answers refusals
    with status 200 does so here too.
    """
    status = app.product.refusal("unauthorized", "").status
    text = end_text(ended)
    refusal = Refusal(403 if status >= 400 else status, "episode_ended", text[0].upper() + text[1:] + ".", kind="ended")
    return app.refuse(refusal)
