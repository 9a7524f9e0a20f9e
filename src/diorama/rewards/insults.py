"""Insults: words that call a person names, in the five languages of the reader."""

from __future__ import annotations

import re

from diorama.rewards.claims.folding import fold

_NAMES = (
    # English
    "liars?", "thief", "thieves", "crooks?", "idiots?", "idiotic", "morons?", "stupid", "scammers?", "fraudsters?",
    "swindlers?", "cheaters?", "scum", "bastards?", "assholes?", "go to hell", "shut up", "piss off",
    # German
    "lügner(?:in)?", "dieb(?:in|e)?", "betrüger(?:in)?", "gauner", "dumm(?:kopf|e[rs]?)?", "arschloch", "trottel",
    # French
    "menteu(?:r|se)s?", "voleu(?:r|se)s?", "escrocs?", "fraudeu(?:r|se)s?", "imbeciles?", "cretins?", "connards?",
    # Spanish
    "mentiros[oa]s?", "ladron(?:a|es)?", "estafador(?:a|es)?", "imbecil(?:es)?", "estupid[oa]s?",
    # Dutch
    "leugenaars?", "dieven", "oplichters?", "sukkels?", "klootzak(?:ken)?",
)  # fmt: skip
_INSULT = re.compile(rf"(?<!\w)(?:{'|'.join(_NAMES)})(?!\w)")


def insults_in(text: str, thread: str = "") -> list[str]:
    """Return the words of a text that call a person names; words that stand in the thread may be cited."""
    cited = fold(thread)
    return [word for word in dict.fromkeys(_INSULT.findall(fold(text))) if word not in cited]
