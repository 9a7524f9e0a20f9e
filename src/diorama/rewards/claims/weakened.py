"""Deeds that a sentence names and does not tell: `I have almost refunded`, `my colleague claims to have sent`.

A deed of the episode that is weakened so is denied. A sentence that looks back ("we should have refunded it on Friday")
denies nothing if another one says plainly that the same deed was done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import compile_patterns, re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import read_claims
from diorama.rewards.claims.missed import is_missed
from diorama.rewards.claims.relations import Wrong
from diorama.rewards.claims.spans import by_sentence
from diorama.rewards.claims.weakened_words import DID, DO, HARD, NOUNS, PARTS, SOFT, YOU
from diorama.rewards.claims.wording import done

MONEY = frozenset({"refund", "credit"})
GOODS = frozenset({"part", "replacement_machine", "reshipment"})
WEAKENED_BY: dict[str, frozenset[str]] = {
    "money": MONEY,
    "goods": GOODS,
    "end": frozenset({"cancellation"}),
    "pause": frozenset({"pause", "skip"}),
    "label": frozenset({"label"}),
    "address": frozenset({"address_change"}),
    "plan": frozenset({"plan_change", "resumption"}),
}
"""The kinds of deeds that each list of verbs may mean."""
SAID_AS = {"money": MONEY, "goods": GOODS}
"""Kinds of claims that mean several kinds of deeds."""


def weakened(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield sentences that name a deed of the episode as nearly done, tried, possible, reported, undone or untrue."""
    if not case.new_deeds:
        return
    for sentence in by_sentence(clauses):
        first = sentence[0]
        open_ones = [one for one in sentence if not one.question]
        said = without_signs(" ".join(one.words for one in open_ones))
        if not open_ones or not (_any_weak(first.language).search(said) or "xamount" in said):
            continue
        deeds = _weakly_told(case, first.language, said, open_ones, clauses)
        if deeds:
            yield first, ("denied", done(deeds), "the text does not say that it was done")


def _weakly_told(
    case: Case, language: str, said: str, sentence: Sequence[Clause], clauses: Sequence[Clause]
) -> list[Deed]:
    """Return the deeds that a sentence weakens."""
    for name, kinds in WEAKENED_BY.items():
        new = [one for one in case.new_deeds if one.kind in kinds]
        if not new:
            continue
        hard = _pattern(language, name, hard=True).search(said)
        soft = None if hard else _pattern(language, name, hard=False).search(said)
        if (
            (hard or soft)
            and (found := meant(new, sentence))
            and (hard or not is_told_elsewhere(kinds, found, sentence, clauses))
        ):
            return found
    paid = [one for one in case.new_deeds if one.kind in MONEY]
    return _in_part(language, paid, sentence) if paid and "xamount" in said else []


def meant(deeds: Sequence[Deed], sentence: Sequence[Clause]) -> list[Deed]:
    """Return which deeds a sentence may be about, by the records and the amounts that it states."""
    values = [value for one in sentence for value in one.values]
    records = {one.value for one in values if one.kind == "record"}
    amounts = {int(reading) for one in values if one.kind == "amount" for reading in one.readings}
    named = [one for one in deeds if records & {name.upper() for name in (one.subject, *one.names)}]
    if named or (
        records and any(name in one.value for one in values if one.kind == "record" for name in ("KW-", "LK-"))
    ):
        deeds = named
    return [one for one in deeds if not amounts or one.cents is None or one.cents in amounts]


def is_told_elsewhere(
    kinds: frozenset[str], deeds: Sequence[Deed], sentence: Sequence[Clause], clauses: Sequence[Clause]
) -> bool:
    """Check whether another sentence says plainly that the same deed was done."""
    language = sentence[0].language
    names = {name.upper() for one in deeds for name in (one.subject, *one.names)}
    others = [one for one in clauses if one.sentence != sentence[0].sentence or _follows_a_failing(one, sentence)]
    for claim in read_claims(others):
        if not claim.says or not SAID_AS.get(claim.kind, frozenset({claim.kind})) & kinds:
            continue
        if any(_pattern(language, name, hard=False).search(claim.clause.words) for name in WEAKENED_BY):
            continue
        records = {one.value for one in claim.clause.values if one.kind == "record"}
        amounts = {int(one.value) for one in claim.clause.values if one.kind == "amount"}
        if (not records or records & names) and (not amounts or amounts & {one.cents for one in deeds}):
            return True
    return False


def _follows_a_failing(clause: Clause, sentence: Sequence[Clause]) -> bool:
    """Check whether a clause stands after what should have been done earlier: `..., but now it is refunded`."""
    missed = next((one for one in sentence if is_missed(one.words, one.language)), None)
    return missed is not None and clause.start >= missed.end and not is_missed(clause.words, clause.language)


def _in_part(language: str, paid: Sequence[Deed], sentence: Sequence[Clause]) -> list[Deed]:
    """Return the payments that a sentence says were paid only in part, or less."""
    for clause in sentence:
        found = PARTS[language].search(clause.words)
        if found is None or not verb_of(language, "money").search(" ".join(one.words for one in sentence)):
            continue
        place = clause.words.count("xamount", 0, found.end()) - 1
        values = [one for one in clause.values if one.kind == "amount"]
        cents = {int(one) for one in values[place].readings} if 0 <= place < len(values) else set()
        if whole := [one for one in meant(paid, sentence) if one.cents in cents]:
            return whole
    return []


@lru_cache(maxsize=64)
def verb_of(language: str, name: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{DID[language][name]}|{DO[language][name]})\b")


@lru_cache(maxsize=128)
def _pattern(language: str, name: str, *, hard: bool) -> re.Pattern[str]:
    """Return the patterns of a language for one list of verbs."""
    yours = (one.replace("<gap>", GAP_OF_YOURS) for one in YOU[language].get(name, ()))
    lists = [*HARD[language], *yours] if hard else SOFT[language]
    return re.compile(
        "|".join(
            one.replace("<did>", f"(?:{DID[language][name]})")
            .replace("<do>", f"(?:{DO[language][name]})")
            .replace("<noun>", f"(?:{NOUNS[language][name]})")
            .replace("<gap>", GAP)
            for one in lists
        )
    )


def compile_weakened() -> None:
    """Compile the patterns of every language; else each is compiled when a text first needs it."""
    for language in DID:
        _any_weak(language)
        for name in WEAKENED_BY:
            verb_of(language, name)
            for hard in (True, False):
                _pattern(language, name, hard=hard)
    compile_patterns()


def without_signs(said: str) -> str:
    """Return words without the signs between clauses."""
    return _SIGNS.sub("", said)


_SIGNS = re.compile(r"[,:;]")
GAP = r"(?:\s(?!(?:but|aber|mais|pero|maar|sondern|jetzt|now)\b)\S+){0,14}?\s"
"""A few words that belong to one statement."""
GAP_OF_YOURS = r"(?:\s(?!(?:but|aber|mais|pero|maar|sondern|jetzt|now|nu|wir|ich|we|wij|ik)\b)\S+){0,14}?\s"
"""A few words about the customer, up to a word of ours: `you are right, we have refunded it`."""


@lru_cache(maxsize=8)
def _any_weak(language: str) -> re.Pattern[str]:
    """Return the words without which no sentence weakens a deed."""
    cues = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "nl": _NL}[language]
    return re.compile(rf"\b(?:{cues})")


_EN = (
    r"almost|nearly|hardly|barely|scarcely|supposed|alleged|purported|perhaps|maybe|possibly|presumably|practically"
    r"|virtually|theor|hypoth|may|might|could|should|would|ought|will|'ll|shall|going|tried|attempt|pretend|fail|forg"
    r"|want|hope|meant|plan|intend|dream|imagin|about|it is|it was|it's|und|revers|revok|rescind|take|took|void|stop"
    r"|cancel|claim|says|said|believ|think|alleg|you have|you've|as good|half|try"
)
_DE = (
    r"fast|beinahe|nahezu|quasi|vielleicht|angeblich|wom|möglich|eventuell|vermutlich|theoretisch|sozusagen|so gut"
    r"|kaum|scheinbar|hätte|könnte|dürfte|sollte|müsste|werde|versuch|vorg|vergessen|getan|woll|es ist|gerücht|muss"
    r"|rück|zurück|widerruf|behaupt|meint|glaubt|sagt|will|sie haben|du hast|mag|wäre|würde"
)
_FR = (
    r"presque|peut|soi|preten|quasi|peine|theor|event|prob|prat|aura|auri|failli|essay|tent|semblant|oubli|voul|omis"
    r"|faux|vrai|rumeur|mensonge|erreur|inexact|annul|reven|retir|revoq|affirm|croit|dit|assur|vous avez|tu as|du\b"
)
_ES = (
    r"casi|quiza|tal vez|acaso|supuest|posible|lo mejor|prob|apenas|pract|habr|hubi|deber|podr|puede|tendr|intent|trat"
    r"|fing|olvid|quer|preten|pens|punto|falso|cierto|verdad|mentira|rumor|error|des|anul|rev|retir|afirm|dice|asegur"
    r"|cree|usted|ha |has "
)
_NL = (
    r"bijna|missch|zogen|wellicht|mogelijk|vermoed|haast|nauw|zogez|verluidt|theor|zou|zal|zul|geprobeerd|alsof|verget"
    r"|geveins|will|wild|wou|niet waar|onjuist|onwaar|gerucht|leugen|niet zo|fout|terug|ongedaan|ingetrok|intrek|beweer"
    r"|zegt|denkt|meent|u he|je he|jij he|had"
)
