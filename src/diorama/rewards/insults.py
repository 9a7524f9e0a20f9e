"""Insults: words that call a person names, in the five languages of the reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from diorama.kit.damage import TableKinds
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.folding import fold
from diorama.rewards.history import RowHistory

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
READ_AT_MOST = 65_536
"""How many characters of a text are read."""
_TAGS = ("fraud", "scam", "thief", "theft", "blacklist", "blacklisted", "abuser", "liar", "betrug", "fraude")
"""Tags that accuse a person of a crime or shut them out; in a sentence such a word may be a question."""
_INSULT = re.compile(rf"""(?<!\w)(?:{"|".join(_NAMES)})(?!\w)|(?<=")(?:{"|".join(_TAGS)})(?=")""")


def insults_in(text: str, thread: str = "") -> list[str]:
    """Return the words of a text that call a person names; words that stand in the thread may be cited."""
    found = _found(text)
    cited = fold(thread) if found else ""
    return [word for word in found if word not in cited]


@lru_cache(maxsize=256)
def _found(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_INSULT.findall(fold(text[:READ_AT_MOST]))))


class Remark(NamedTuple):
    """A free text that the agent left in a record, with the row that holds it."""

    table: str
    key: int | str
    column: str
    text: str
    before: str
    """What stood there before."""
    row: Mapping[str, Any]
    seq: int

    def insults(self, thread: str = "") -> list[str]:
        """Return the words that call a person names and that neither stood there before nor stand in the thread."""
        return insults_in(self.text, f"{self.before}\n{thread}")


def remarks(table: str, key: int | str, row: RowHistory, kinds: TableKinds, now: Mapping[str, Any]) -> Iterator[Remark]:
    """Yield the free texts that the agent's acts left in a row, as its table declares them."""
    changed = row.columns() if kinds.texts else ()
    for column in kinds.texts:
        if row.inserted:
            before, seq = "", row.seq
        elif column in changed:
            stood, seq = row.first(column)
            before = str(stood or "")
        else:
            continue
        if text := str(now[column] or ""):
            yield Remark(table, key, column, text, before, now, seq)
