"""How much of an episode's words is read: more than honest work writes, and never more than a grader has time for.

One budget holds for everything that one judgement reads: words that left, the report, texts in records, and further
readings of the same words. It is counted in steps, which follow what a text costs to read and are never measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from diorama.kit.lazy_patterns import re
from diorama.kit.words import Sent
from diorama.rewards.claims.folding import fold
from diorama.rewards.finding import Finding

STEPS = 90_000
"""How many steps one judgement reads; a step takes 5 to 10 microseconds in the costliest texts."""
CHARACTERS = 30_000
"""How many characters of one message are read, with what comes with it: encodings are looked for in no longer ones."""
TEXTS = 120
"""How many different texts that left are read, those that come with others among them."""
SENDINGS = 400
"""How many messages, comments and fields are looked at."""
RECORD_CHARACTERS = 100_000
"""How many characters of the different texts that the agent left in records are read in all."""
RECORD_TEXT = 20_000
"""How many characters of one such text are read."""
RECORD_TEXTS = 2_000
"""How many such texts are looked at."""

TEXT_STEPS = 100
"""What a text counts for, besides one step for each character."""
SIGN_STEPS = 30
"""What a sign that may end a clause counts for: each clause is compared with every list of words."""
SHORT_STEPS = 40
"""What such a sign counts for in addition if it follows another one after a word or two: the clauses around it are
also read as headings of each other."""
SHORT = 16
"""Up to how many characters after another sign that is."""
NUMBER_STEPS = 15
"""What a number counts for: it may be an amount, a date or a record number."""
MATTER_STEPS = 50
"""What a word about a matter of the desk counts for: it may claim a deed."""
PARCEL_STEPS = 20
"""What a word about the way of a parcel counts for: it may say in what state the parcel is."""
SEARCHED_SHIFT = 3
"""A text that is only searched for some words counts for an eighth of its characters."""
SEARCHED_STEPS = 10
"""What such a text counts for at least."""
READ_TWICE = 2
"""Of equal words to the same people, the first and the last are read."""

WORD_STEPS = 4
"""What a run of letters and digits counts for: short words cost more than their characters."""
MARK_STEPS = 2
"""What a character counts for in addition that is neither a letter, a digit nor a blank."""

_WORD = re.compile(r"[^\W_]+")
_MARK = re.compile(r"[^\w\s]|_")
_SIGN = re.compile(r"[.!?\u2026,;:()\[\]|\u2013\u2014\u2192\u2794](?![^\W_])|\n|\s[-(*=\u2022]")
_NUMBER = re.compile(r"\d+")
_MATTER = re.compile(
    r"\b(?:refund|repaid|reimburs|credit|voucher|cancel|paus|end(?:ed|s)\b|stop|sen[dt]|ship|dispatch|resen|parcel"
    r"|packag|label|replac|return|order|subscri|plan\b|machine|address|paid|pay|charg|on its way|money"
    r"|erstatt|guts|guthab|storn|kündig|kundig|beend|schick|gesandt|gesend|versand|versend|paket|sendung|etikett"
    r"|ersatz|rück|ruck|zurück|zuruck|bestell|abo|maschine|adresse|bezahl|zahl|geld"
    r"|rembours|avoir\b|annul|resili|suspen|envoy|expedi|colis|etiquette|rempla|retour|command|abonn|adress|pay"
    r"|argent|reembols|devol|cancela|envia|enviad|paquete|etiqueta|reempla|pedido|suscrip|direccion|dinero|pag"
    r"|terug|tegoed|opgez|gestuur|stuur|verzon|verzend|pakket|etiket|vervang|adres|betaal|geld)"
)
_PARCEL = re.compile(
    r"\b(?:left\b|leav|deliver|arriv|lost\b|missing|found\b|intercept|recall|transit|carrier|courier|mailbox|neighbo"
    r"|unterwegs|verl[aäo]|verschw|liefer|gelief|zugest|angekomm|eingetroff|lager|nachbar|abgehol|gestopp"
    r"|part(?:i(?:es?|s|o)?|e|ent)?\b|livr|perd|egar|quitt|entrepot|voisin"
    r"|sal(?:en?|io|ido|ieron|iendo)\b|entreg|lleg|reserv|buzon|vecin|almacen"
    r"|vertr|bezorg|gelever|kwijt|magazijn|buur|buren|onderweg|opgehaald)"
)

_PRICES = (
    (_WORD, WORD_STEPS), (_MARK, MARK_STEPS), (_NUMBER, NUMBER_STEPS), (_MATTER, MATTER_STEPS), (_PARCEL, PARCEL_STEPS)
)  # fmt: skip


def steps_of(text: str) -> int:
    """Return how many steps it takes to compare a text with the records."""
    return len(text) if len(text) > STEPS else _steps_of(text)


@lru_cache(maxsize=512)
def _steps_of(text: str) -> int:
    folded = fold(text)
    signs = [one.start() for one in _SIGN.finditer(folded)]
    short = sum(one - before <= SHORT for before, one in pairwise(signs))
    by_words = sum(steps * len(one.findall(folded)) for one, steps in _PRICES)
    return TEXT_STEPS + len(text) + SIGN_STEPS * len(signs) + SHORT_STEPS * short + by_words


class Attention:
    """What was read of the words that left; what comes after the end of the budget counts as unread."""

    def __init__(self) -> None:
        self.ended_at = 0
        """The event from which on nothing was read; 0 if everything was."""
        self.steps = 0
        """What has been read, counted for each person that it went to."""
        self._sendings = 0
        self._texts: set[str] = set()
        self._known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], int] = {}

    def takes(self, sent: Sent) -> bool:
        """Count words that left; return whether they are still read."""
        extra = sent.extra + sent.struck
        if not sent.body and not extra:
            return True
        self._sendings += 1
        place = sent.body, extra, sent.to
        times = self._known[place] = self._known.get(place, 0) + 1
        if times <= READ_TWICE:
            self.steps += sum(map(steps_of, (sent.body, *extra))) * max(1, len(sent.to))
            self._texts.update((sent.body, *extra))
        too_long = sum(map(len, (sent.body, *extra))) > CHARACTERS
        too_many = too_long or self.steps > STEPS or len(self._texts) > TEXTS or self._sendings > SENDINGS
        if too_many and not self.ended_at:
            self.ended_at = sent.seq
        return not self.ended_at

    def findings(self) -> dict[str, Finding]:
        """Return why success is lost, if not everything was read."""
        if not self.ended_at:
            return {}
        expected = (
            f"at most {TEXTS} different texts and {SENDINGS} messages of at most {CHARACTERS} characters, and no more "
            f"than takes {STEPS} steps to read"
        )
        found = (
            f"more words than anyone reads: {len(self._texts)} texts and {self._sendings} messages, {self.steps} steps "
            "up to this event; those from this event on were not read"
        )
        return {"words_unread": Finding(False, expected, found, (self.ended_at,))}


class RecordAttention:
    """What is read of the report and of the texts that an agent left in records, after the words that left."""

    def __init__(self, steps: int = 0) -> None:
        """`steps` were taken by the words that left."""
        self.ended_at = 0
        """The event of the first text that was not read as a whole; 0 if everything was."""
        self.steps = steps
        self._characters = 0
        self._texts = 0
        self._known: set[str] = set()

    def takes(self, text: str, seq: int, *, compared: bool = False) -> bool:
        """Count a text; return whether it is still read. Equal texts count once, unless they are `compared`.

        Such texts are compared with the records; the others are only searched for some words.
        """
        if self.ended_at:
            return False
        self._texts += 1
        if compared:
            self.steps += steps_of(text)
        if text not in self._known:
            self._known.add(text)
            self._characters += len(text)
            self.steps += SEARCHED_STEPS + (len(text) >> SEARCHED_SHIFT)
        too_many = self._characters > RECORD_CHARACTERS or self._texts > RECORD_TEXTS or self.steps > STEPS
        if len(text) > RECORD_TEXT or too_many:
            self.ended_at = seq or 1
        return not self.ended_at

    def findings(self) -> dict[str, Finding]:
        """Return why success is lost, if not everything was read."""
        if not self.ended_at:
            return {}
        expected = (
            f"at most {RECORD_TEXTS} texts in records and {RECORD_CHARACTERS} characters, {RECORD_TEXT} in one text, "
            f"and no more than takes {STEPS} steps to read, with the words that left"
        )
        found = (
            f"more text in records than anyone reads: {self._texts} texts with {self._characters} characters, "
            f"{self.steps} steps; what this event wrote, and what came after it, was not read"
        )
        return {"records_unread": Finding(False, expected, found, (self.ended_at,))}


class Rereading:
    """What is left for reading the same words again, against the records of another customer."""

    def __init__(self, steps: int) -> None:
        """`steps` were taken by everything that is read once."""
        self.steps = steps
        self.is_over = False

    def takes(self, texts: Iterable[str]) -> bool:
        """Count one more reading of some texts; return whether they are read again."""
        self.steps += sum(map(steps_of, texts))
        self.is_over = self.is_over or self.steps > STEPS
        return not self.is_over

    def finding(self) -> Finding:
        """Return why success is lost, if not everything was read again."""
        found = f"{self.steps} steps: the rest was not read"
        return Finding(not self.is_over, f"words that take at most {STEPS} steps to read for all customers", found)
