"""Goods that a text says were sent: each has to be in what a deed of the episode sent, or still be on its way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims import lexicon
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, Words, by_language, words
from diorama.rewards.claims.relations import Wrong, is_asserted, is_new
from diorama.rewards.claims.things import short_name
from diorama.rewards.claims.values import Value

RECENT_DAYS = 14
"""How many days ago goods may have been sent so that a text can speak of them without their day."""


class Sending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    sends: str
    again: str
    new: str
    now: str
    done: str
    away: str
    lost: str
    stock: str
    goods: dict[str, str]
    """For each kind of goods the nouns that name it."""


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Sending]:
    return by_language("goods", Sending)


@lru_cache(maxsize=len(NAMES))
def _nouns(language: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern for all nouns of a language, the longest first, and the kind of goods of each."""
    kinds = {noun: kind for kind, text in _known()[language].goods.items() for noun in lexicon.alternatives(text)}
    ordered = sorted(kinds, key=lambda noun: (-len(noun), noun))
    return re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, ordered)) + r")(?![\w-])"), kinds


@lru_cache(maxsize=512)
def kinds_of(name: str) -> frozenset[str]:
    """Return the kinds of goods that a folded name of the catalogue stands for, and its own short name."""
    pattern, kinds = _nouns("en")
    found = {kinds[one] for one in pattern.findall(name)}
    if not found and _WEIGHT.search(name):
        found.add("coffee")
    return frozenset({short_name(name), *found})


_WEIGHT = re.compile(r"\s\d+\s?k?g\b")
"""The size of a bag of coffee, which has no noun in its name."""


class Mention(msgspec.Struct, frozen=True):
    """Goods that a clause names."""

    start: int
    end: int
    kinds: frozenset[str]
    said: str


def sendings(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say that goods were sent which no deed of the episode sent."""
    if not case.things or case.expected & GOODS:
        return
    for place, one in enumerate(clauses):
        known = _known()[one.language]
        if one.question or words(known.sends).search(one.words) is None:
            continue
        clause = _with_list(clauses, place)
        if (one.conditional or one.depends) and words(known.stock).search(text, *one.sentence):
            clause = msgspec.structs.replace(clause, conditional=False, depends=False)
        if clause.conditional:
            continue
        found = words(known.sends).search(clause.words)
        away = words(known.away).search(clause.words) or _TO_US.search(clause.words)
        if found is None or away or not is_asserted(clause, *found.span()):
            continue
        wrong = _unsent(case, clause, text, known) or _meant_before(case, clauses, place, text, known)
        if wrong:
            shown = wrong.said.replace("_", " ")
            yield clause, ("claimed", f"no {shown} that was sent", f"the text says that {shown!r} was sent")


_TO_US = re.compile(r"\b(?:to us|zu uns|an uns|vers nous|jusqu'a nous|hacia nosotros|a nosotros|naar ons)\b")
"""What comes to the company is a return."""


def _with_list(clauses: Sequence[Clause], place: int) -> Clause:
    """Return a clause with those that only go on with its list: `I sent the cups` and `and the jug again`."""
    first = last = clauses[place]
    language = LANGUAGES[first.language]
    for one in clauses[place + 1 : place + 3]:
        begins = one.words.startswith((language.link + " ", "plus ")) or (
            last.words.endswith((",", ":")) and _NAMES.match(one.words) is not None
        )
        verbs = words(language.perfect).search(one.words) or words(language.aux).search(one.words)
        if one.sentence != first.sentence or one.start != last.end or not begins or verbs or one.conditional:
            break
        last = one
    if last is first:
        return first
    chain = [one for one in clauses[place : place + 3] if one.start <= last.start]
    return msgspec.structs.replace(
        first,
        end=last.end,
        words=" ".join(one.words for one in chain),
        values=tuple(value for one in chain for value in one.values),
    )


_NAMES = re.compile(
    r"(?:\w+\s){0,2}x(?:product|machine|part)\b|(?:an?|the|eine?n?|une?|una?|een) (?:new|neue[nrs]?"
    r"|nouve\w+|nuev[oa]|nieuwe?)\s"
)
"""Goods at the beginning of a clause, after an article."""


def _unsent(case: Case, clause: Clause, text: str, known: Sending) -> Mention | None:
    """Return goods of a clause that are said to be sent now, and were not."""
    mentions = mentions_of(case, clause, text)
    days = [one for one in clause.values if one.kind in {"date", "day"}]
    if not mentions or not all(_is_recent(case, one) for one in days):
        return None
    today = any(case.today[:10] in one.readings for one in days)
    again = words(known.again).search(clause.words) is not None
    now = today or words(known.now).search(clause.words) is not None
    earlier = bool(days) and not today
    done = words(known.done).search(clause.words) is not None
    sent = _sent(case, today=now and again)
    if sent is None:
        return None
    way = _on_the_way(case, clause)
    mentions = _of_the_verb(clause, text[clause.start : clause.end], mentions, known)
    for one in _objects(text[clause.start : clause.end], mentions, clause.language):
        named = one.kinds - {"coffee"} or one.kinds
        if named & sent:
            continue
        new = _is_new_one(text[clause.start : clause.end], one, known)
        if again or new:
            regular = "coffee" in one.kinds and _regular(case) and not done
            if not regular:
                return one
        elif not earlier and (now or done) and not words(known.lost).search(clause.words) and not named & way:
            return one
    return None


def _of_the_verb(clause: Clause, said: str, mentions: list[Mention], known: Sending) -> list[Mention]:
    """Return the goods that belong to the verb of sending, not to another one: `left the grinder and sent a pump`."""
    links = list(re.finditer(rf"\s{LANGUAGES[clause.language].link}\s", said))
    for link in reversed(links):
        before = [one for one in mentions if one.end <= link.start()]
        after = [one for one in mentions if one.start >= link.end()]
        between = said[before[-1].end : link.start()].strip(" ,") if before else ""
        if after and between and not words(known.sends).search(_LEFT_ALONE.sub(" ", said[: link.start()])):
            return after
    return mentions


_LEFT_ALONE = re.compile(r"\b(?:left|leave|leaving) (?:[\w'-]+ ){1,4}?(?:alone|untouched|as (?:it|they)|out|where)\b")


def _meant_before(case: Case, clauses: Sequence[Clause], place: int, text: str, known: Sending) -> Mention | None:
    """Return goods of the clause before, if a clause says that they are on their way by a pronoun and they are not."""
    clause = clauses[place]
    if place == 0 or clauses[place - 1].sentence != clause.sentence or _IT.match(clause.words) is None:
        return None
    sent = _sent(case, today=False)
    mentions = _objects(*_said(case, clauses[place - 1], text))
    if sent is None or len(mentions) != 1 or not words(known.now).search(clause.words):
        return None
    one = mentions[0]
    return None if one.kinds & (sent | _on_the_way(case, clause)) or mentions_of(case, clause, text) else one


def _said(case: Case, clause: Clause, text: str) -> tuple[str, list[Mention], str]:
    return text[clause.start : clause.end], mentions_of(case, clause, text), clause.language


_IT = re.compile(r"\W*(?:and |und |et |y |en )?(?:it|it's|they|they're|er|sie|es|il|elle|ils|hij|ze|het)\b")


def mentions_of(case: Case, clause: Clause, text: str) -> list[Mention]:
    """Return the goods that a clause names, by their names in the catalogue or by usual nouns."""
    found = []
    taken: list[tuple[int, int]] = []
    for one in clause.values:
        if one.kind in {"product", "machine", "part"}:
            found.append(Mention(one.start - clause.start, one.end - clause.start, _named(case, one.value), one.value))
        taken.append((one.start - clause.start, one.end - clause.start))
    pattern, kinds = _nouns(clause.language)
    for fits in pattern.finditer(text[clause.start : clause.end]):
        if not any(first < fits.end() and fits.start() < last for first, last in taken):
            named = _AMBIGUOUS.get(fits[0]) or frozenset({kinds[fits[0]]})
            found.append(Mention(fits.start(), fits.end(), named, fits[0]))
    return sorted(found, key=lambda one: one.start)


_AMBIGUOUS = {one: frozenset({"probe", "sensor"}) for one in ("sonde", "sonda")}
"""Nouns that name goods of two kinds."""


def _named(case: Case, name: str) -> frozenset[str]:
    """Return the kinds of goods with this name, also where it is the beginning of a longer one."""
    full = [one for one in map(fold, (*case.products, *case.parts, *case.machines)) if one.startswith(name)]
    found = frozenset().union(*map(kinds_of, full or [name]))
    machine = any(fold(one).startswith(name) for one in case.machines)
    return found | ({"machine"} if machine and not found & {"grinder"} else set())


_PART_OF = {
    "en": re.compile(r"\b(?:for|of|from|with|belongs? to|fits)\s(?:(?:the|your|our|its)\s)?(?:\w+\s)?$"),
    "de": re.compile(
        r"\b(?:für|fur|von|vom|aus|mit|zu|zur|zum|des|der)\s(?:(?:die|den|das|dem|der|ihre|ihren|ihrer|ihrem"
        r"|ihr|deine|deinen)\s)?$"
    ),
    "fr": re.compile(
        r"\b(?:pour|de|du|des|d'|avec|appartient a|va avec|destinee? a)\s?(?:(?:la|le|les|l'|votre|vos|ta|ton)\s?)?$"
    ),
    "es": re.compile(
        r"\b(?:para|de|del|con|pertenece a|corresponde a)\s(?:(?:la|el|los|las|su|sus|tu|tus|otra|otro)\s){0,2}$"
    ),
    "nl": re.compile(r"\b(?:voor|van|uit|met|hoort bij|past op)\s(?:(?:de|het|je|jouw|uw|andere)\s){0,2}$"),
}
"""What stands before goods that others are for or a part of."""
_MEASURE = re.compile(
    r"\b(?:packs?|sets?|pairs?|box|kits?|kilos?|bags?|pieces?|tin|packets?|satz|packung|paar|beutel|lot"
    r"|paquets?|jeu|paire|sachets?"
    r"|paquetes?|juego|par|bolsas?|pak|pakje|setje|zak|zakje|doos)\s(?:of|de|d'|mit|van|con)?\s?(?:\w+\s)?$"
)


def _objects(said: str, mentions: Sequence[Mention], language: str) -> list[Mention]:
    """Return the goods that were sent: not those that others are for, unless a replacement for them was sent."""
    lead = _PART_OF[language]
    own = [
        one
        for one in mentions
        if (not lead.search(said[: one.start]) or _MEASURE.search(said[: one.start])) and not _needs_it(said, one)
    ]
    if own:
        return own
    return list(mentions[:1]) if _REPLACED.search(said) else []


def _needs_it(said: str, one: Mention) -> bool:
    """Check whether goods are what others are needed for: `the part that your Aria needs`."""
    before, after = said[: one.start].split(), said[one.end :].split()
    near = f"{' '.join(before[-4:])} | {' '.join(after[:3])}"
    return _NEEDS.search(near) is not None and _THAT.search(" ".join(before[-6:])) is not None


_NEEDS = re.compile(
    r"\b(?:needs?|require[sd]?|missing|lacks?|takes|benotigt|benötigt|braucht|fehlt|besoin|faut|necessite"
    r"|manque|convient"
    r"|necesita\w*|requiere|falta|hace falta|nodig|mist|ontbreekt)\b"
)
_THAT = re.compile(r"\b(?:that|which|what|das|die|den|der|was|que|qu'\w*|dont|dat|wat)(?:\W|$)")


_REPLACED = re.compile(
    r"\b(?:a|your|the)\s(?:replacement|new one)\b|\bersatz\b|\b(?:ein neues|eine neue)\s(?:für|fur)\b"
    r"|\bun remplacement\b|\bun reemplazo\b|\been vervang\w+\b"
)


def _is_new_one(said: str, one: Mention, known: Sending) -> bool:
    """Check whether a word for new stands beside the noun."""
    before = " ".join(said[: one.start].split()[-3:])
    after = " ".join(said[one.end :].split()[:2])
    return any(words(known.new).search(text) is not None for text in (before, after))


RECENT = 7
"""Up to how many days ago a sending may be dated so that it is still said of this matter."""


def _is_recent(case: Case, value: Value) -> bool:
    """Check whether a day is not before the last week, and not one on which goods were sent."""
    if case.day is None:
        return False
    since = (case.day - timedelta(days=RECENT)).isoformat()
    sent = {one.day for one in case.deeds if one.kind in GOODS and one.stands and not one.seq}
    sent |= {"-" + day[4:] for day in sent}
    bare = "-" + since[4:]
    return any(day >= (bare if day.startswith("-") else since) for day in value.readings) and not sent & set(
        value.readings
    )


def _sent(case: Case, *, today: bool) -> frozenset[str] | None:
    """Return the kinds of goods that were sent lately; None if a parcel has contents that are not known."""
    since = (case.day - timedelta(days=0 if today else RECENT_DAYS)).isoformat() if case.day else ""
    found: set[str] = set()
    for one in case.deeds:
        if one.kind not in GOODS or not one.stands or not (is_new(case, one) or (one.day and one.day >= since)):
            continue
        contents = contents_of(case, one)
        if not contents:
            return None
        found |= contents
    return frozenset(found)


def is_lately_sent(case: Case, deed: Deed) -> bool:
    """Check whether a deed sent goods in the episode or in the last days."""
    since = (case.day - timedelta(days=RECENT_DAYS)).isoformat() if case.day else ""
    return deed.stands and (is_new(case, deed) or bool(deed.day and deed.day >= since))


def sending_words(clause: Clause) -> Words:
    """Return the words of sending in the language of a clause."""
    return words(_known()[clause.language].sends)


def goods_of(case: Case, clause: Clause, text: str) -> list[Mention]:
    """Return the goods that a clause names, not those that others are for."""
    return _objects(*_said(case, clause, text))


def contents_of(case: Case, deed: Deed) -> set[str]:
    """Return the kinds of goods of one deed: the lines of its order, or the machine or part that it sends."""
    numbers = {one.upper() for one in (deed.subject, *deed.names)}
    if deed.kind in {"part", "replacement_machine"}:
        sku = str(deed.to.get("sku") or next((one for one in deed.names if one.startswith("PT-")), ""))
        found = set().union(*(kinds_of(fold(one)) for one in (*case.parts, *case.products) if fits_sku(one, sku)))
        if deed.kind == "replacement_machine":
            own = [one.name for one in case.things if one.kind == "machine" and numbers & {one.id.upper()}]
            found |= {"machine", "grinder"}.union(*(_named(case, name) for name in own))
        return found
    goods = {
        good
        for one in case.things
        if one.kind == "order" and numbers & {one.id.upper(), *one.numbers}
        for good in one.goods
    }
    found = set().union(*map(kinds_of, goods))
    if "grinder" not in found and any(good.startswith(fold(name)) for good in goods for name in case.machines):
        found.add("machine")
    return found


@lru_cache(maxsize=512)
def fits_sku(name: str, sku: str) -> bool:
    """Check whether a name of the catalogue can be that of a part number: PT-OPV is the over-pressure valve."""
    body = sku.partition("-")[2].replace("-", "").lower()
    if not body:
        return False
    parts = [one for one in re.findall(r"[a-z]+", fold(name)) if one not in {"of", "the", "with"}]
    initials = "".join(one[0] for one in parts)
    if any(one.rstrip("s") in body for one in parts if len(one) > 3) or any(
        len(one) == 3 and one in body for one in parts
    ):
        return True
    letters = re.sub(r"\d", "", body)
    return len(letters) == 3 and initials.startswith(letters)


def _on_the_way(case: Case, clause: Clause) -> frozenset[str]:
    """Return the kinds of goods of orders that are open, on their way or named in a clause, and of plans."""
    said = {one.value for one in clause.values if one.kind == "record"}
    orders = [one for one in case.things if one.moves(case.today) or (one.kind == "order" and _has(one, said))]
    found = frozenset().union(*(kinds_of(good) for one in orders for good in one.goods))
    if not _regular(case):
        return found
    plans = {one.name for one in case.things if one.kind == "plan" and one.status != "cancelled"}
    bags = {short_name(fold(one)) for one in case.products if "coffee" in kinds_of(fold(one))}
    return found | plans | {"coffee"} | (set() if plans <= bags else bags)  # other plans send any coffee


def _has(one: Thing, numbers: set[str]) -> bool:
    return bool(numbers & set(one.numbers))


def _regular(case: Case) -> bool:
    return any(one.kind == "plan" and one.status != "cancelled" for one in case.things)


def tells_of_an_order(case: Case, clause: Clause, text: str) -> bool:
    """Check whether a clause only tells what an earlier order sent: it names its goods, and a record, day or loss."""
    known = _known()[clause.language]
    if words(known.again).search(clause.words) or any(case.today[:10] in one.readings for one in clause.values):
        return False
    dated = any(one.kind in {"record", "date", "day"} for one in clause.values)
    said = text[clause.start : clause.end]
    mentions = _objects(said, mentions_of(case, clause, text), clause.language)
    if not mentions or not (dated or words(known.lost).search(clause.words)):
        return False
    held = set().union(*(kinds_of(good) for one in case.things if one.kind == "order" for good in one.goods))
    return all(one.kinds & held and not _is_new_one(said, one, known) for one in mentions)


def tells_of_an_earlier_part(case: Case, clause: Clause) -> bool:
    """Check whether a clause only tells of a part that was sent some days ago for another machine than the new one."""
    if words(_known()[clause.language].again).search(clause.words):
        return False
    machines = {one.id: one.name for one in case.things if one.kind == "machine"}
    sent = [one for one in case.deeds if one.kind in {"part", "replacement_machine"} and is_lately_sent(case, one)]
    earlier = {machines.get(one.subject, "") for one in sent if one.kind == "part" and not is_new(case, one)}
    earlier -= {machines.get(one.subject, "") for one in sent if is_new(case, one)}
    return any(one.kind == "machine" and short_name(one.value) in earlier for one in clause.values)
