"""What is said of plans: the day of the next delivery, how long one still runs, whether it rests, how many changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, Words, by_language, words
from diorama.rewards.claims.negation import is_negated, is_stated
from diorama.rewards.claims.relations import PAST, Wrong, is_asserted, is_new, is_own_act, roots_of
from diorama.rewards.claims.things import named_in
from diorama.rewards.claims.values import Value


class Planning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    starts: str
    first: str
    delivery: str
    later: str
    instead: str
    ends: str
    more: str
    charge: str
    coming: str
    stays: str
    rests: str
    until: str
    several: str
    again: str
    plural: str
    revived: str
    same: str
    ended: str
    since: str
    nothing_left: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Planning]:
    return by_language("plans", Planning)


def plans(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses about plans that contradict them."""
    every = [one for one in case.things if one.kind == "plan"]
    if not every:
        return
    made = [one for one in case.new_deeds if one.subject.startswith("sub_")]
    active = all(one.status == "active" for one in every)
    for place, clause in enumerate(clauses):
        if not made and not clause.question and (wrong := _next_day(case, every, clauses, place, text)):
            yield clause, wrong
            continue
        if clause.question or (active and not made and not clause.conditional):
            continue
        known = _known()[clause.language]
        cues = _cues(clause.language) if made else words(known.rests if clause.conditional else known.revived)
        if not any(one.search(clause.words) for one in (cues, _RESTS, _NEXT, _USUAL)):
            continue
        wrong = _untouched(case, every, clause, text, known)
        if wrong and _rests_again(case, clauses[place + 1 :]):
            continue
        if wrong is None and made:
            wrong = _like_others(every, made, clauses[place : place + 2], text, known)
            wrong = wrong or _ended_before(case, made, clauses[place : place + 2], known)
        if wrong or not made:
            if wrong:
                yield clause, wrong
            continue
        about = _about(every, made, clause, text)
        wrong = _not_over(case, clause, about, made, known)
        if not wrong and not clause.conditional:
            wrong = (
                _another_day(case, clause, about, made, known)
                or _another_end(case, clause, about, made, known)
                or _still_rests(clause, about, made, known)
                or _too_many(every, clause, text, made, known)
            )
        if wrong:
            yield clause, wrong


def _next_day(case: Case, every: Sequence[Thing], clauses: Sequence[Clause], place: int, text: str) -> Wrong | None:
    """Compare the day of the next delivery of a plan that no one changed with the plan."""
    clause = clauses[place]
    known = _known()[clause.language]
    if clause.conditional or not words(known.first).search(clause.words) or not _DAY.search(clause.words):
        return None
    live = [one for one in every if one.status == "active" and one.days]
    near = [one for one in clauses[max(0, place - 3) : place + 1] if one.sentence == clause.sentence]
    spoken = any(_PLAN.search(one.words) for one in near) or named_in(live, text[clause.start : clause.end])
    about = _about(live, (), clause, text) or (live[0] if len(live) == 1 else None)
    return _another_day(case, clause, about, (), known) if spoken and about else None


def _untouched(case: Case, every: Sequence[Thing], clause: Clause, text: str, known: Planning) -> Wrong | None:
    """Check that no plan is said to have been paused or switched on again in a case where none was."""
    kinds = {one.kind for one in case.deeds if one.subject.startswith("sub_") and one.stands}
    about = _spoken_of(every, clause, text)
    revived = words(known.revived).search(clause.words) if "resumption" not in kinds else None
    if revived and about and is_asserted(clause, *revived.span()) and any(one.status != "active" for one in about):
        return "claimed", "the records show that no plan was resumed", f"the text says {revived[0]!r}"
    if every and all(one.status == "cancelled" for one in every) and not kinds & {"pause", "skip", "resumption"}:
        rests = _RESTS.search(clause.words)
        if rests and about and not (is_own_act(clause) or clause.conditional or is_negated(clause, rests.end())):
            return "state", "a plan that was cancelled", f"the text says {rests[0]!r}"
    if not clause.conditional or kinds & {"pause", "skip"} or any(one.status == "paused" for one in every):
        return None
    rests = words(known.rests).search(clause.words)
    if rests and about and is_stated(clause, [rests.span()]) and is_asserted(clause, *rests.span()):
        return "claimed", "the records show that no plan was paused", f"the text says {rests[0]!r}"
    return None


_RESTS = words(
    "is paused | is only paused | is on pause | is just paused | remains paused"
    " | ist pausiert | ist nur pausiert | pausiert nur | ruht nur"
    " | est en pause | est seulement en pause | est suspendu | está en pausa | está solo en pausa | está pausado"
    " | está pausada | sigue en pausa | staat op pauze | is gepauzeerd | is alleen gepauzeerd | staat alleen op pauze"
)
"""That a plan rests now."""


def _rests_again(case: Case, after: Sequence[Clause]) -> bool:
    """Check whether a plan was paused now and what follows says so: `I resumed it and paused it until 28 April`."""
    if not any(one.kind == "pause" for one in case.new_deeds):
        return False
    return any(
        (found := words(_known()[one.language].rests).search(one.words)) is not None and is_asserted(one, *found.span())
        for one in after
    )


def _spoken_of(every: Sequence[Thing], clause: Clause, text: str) -> list[Thing]:
    """Return the plans that a clause can be about: those that are named up to it, or all if it says `plan`."""
    said = text[max(0, clause.sentence[0] - BEFORE) : clause.end]
    return [one for one, _, _ in named_in(every, said)] or (list(every) if _PLAN.search(said) else [])


_PLAN = words(
    "plan | plans | subscription | subscriptions | abo | abos | kaffee-abo | abonnement | formule | suscripción"
    " | koffieabonnement | koffieplan"
)


def _like_others(
    every: Sequence[Thing], made: Sequence[Deed], clauses: Sequence[Clause], text: str, known: Planning
) -> Wrong | None:
    """Check that `I did the same for the others` is said only of plans that were changed too."""
    clause, end = clauses[0], clauses[0].end
    found = words(known.same).search(clause.words)
    if found is None or not is_asserted(clause, *found.span()):
        return None
    if not (found[0].startswith("did") or is_stated(clause, [found.span()])):
        return None
    for one in clauses[1:]:
        language = LANGUAGES[one.language]
        begins = one.words.startswith(language.link + " ") or bool(named_in(every, text[one.start : one.end]))
        begins = begins and not words(language.perfect).search(one.words)
        end = one.end if begins and one.sentence == clause.sentence else end
    changed = {one.subject for one in made}
    wrong = [one for one, _, _ in named_in(every, text[clause.start : end]) if one.id not in changed]
    return ("subject", f"no change of {wrong[0].name}", f"the text says {found[0]!r}") if wrong else None


def _ended_before(case: Case, made: Sequence[Deed], clauses: Sequence[Clause], known: Planning) -> Wrong | None:
    """Check that a plan that was cancelled now is not said to have been cancelled on an earlier day."""
    clause = clauses[0]
    ended = [one for one in made if one.kind == "cancellation"]
    if not ended or any(one.kind == "cancellation" and one not in made for one in case.deeds):
        return None
    left = words(known.nothing_left).search(clause.words)
    ours = _OURS.search(clause.words) or PAST.search(clause.words)
    if left and ours and not (is_own_act(clause) or words(roots_of(clause).you).search(clause.words)):
        return "denied", "the plan was cancelled just now", f"the text says {left[0]!r}"
    found = words(known.ended).search(clause.words)
    if found is None or not is_asserted(clause, *found.span()):
        return None
    near = [one for one in clauses if one.sentence == clause.sentence]
    near = near if len(near) > 1 and words(known.since).match(near[1].words) else near[:1]
    days = [value for one in near for value in one.values if value.kind == "date"]
    said = " ".join(one.words for one in near)
    if len(days) != 1 or _YOU_DID.search(said) or not _is_dated(said, found.start(), found.end(), known):
        return None
    early = all(_is_ahead(case.today[:10], day) for day in days[0].readings)
    if not early or _says(days[0], [one.day for one in ended]):
        return None
    return "state", f"a cancellation on {ended[0].day}", f"the text says {days[0].value}"


def _is_dated(said: str, start: int, end: int, known: Planning) -> bool:
    """Check whether a day stands right after some words, or with a word for `since` before them."""
    if _SINCE.search(said, 0, start):
        return True
    between = said[end:].partition("xdate")[0]
    return len(between.split()) <= GAP and words(known.since).search(between) is not None


GAP = 3
"""How many words may stand between what was done and its day."""
_SINCE = re.compile(
    r"\b(?:seit|schon am|bereits am|sinds|al op|reeds op|since|depuis|desde)\s(?:dem\s|le\s|el\s)?xdate"
)
_YOU_DID = re.compile(r"\b(?:you|du|sie|vous|usted|je hebt|heb je|u hebt|u heeft|heeft u|had je|je had|u had)\b")
_OURS = words("i | me | we | us | ich | mir | wir | uns | je | nous | n'ai | j'ai | he | hemos | ik | mij | ons | wij")


@lru_cache(maxsize=len(NAMES))
def _cues(language: str) -> Words:
    """Return a pattern for the words without which no check finds anything."""
    known = _known()[language]
    lists = (known.starts, known.first, known.ends, known.more, known.rests, known.again)
    return words("|".join((*lists, known.revived, known.same, known.ended, known.nothing_left)))


def _about(every: Sequence[Thing], made: Sequence[Deed], clause: Clause, text: str) -> Thing | None:
    """Return the plan that a clause is about: the one that it names, or the last one before, or the changed one."""
    said = text[clause.start : clause.end]
    here = [one for one in named_in(every, said) if not said[: one[1]].rstrip().endswith(".")]
    if here:
        return here[0][0] if len(here) == 1 else None
    start = max(0, clause.sentence[0] - BEFORE)
    before = [one for plan in every for one in _places(plan, text, start, clause.start)]
    changed = [one for one in every if one.id in {deed.subject for deed in made}]
    if before:
        return max(before, key=lambda one: one[0])[1]
    return changed[0] if len(changed) == 1 else None


BEFORE = 160
"""How many characters before a sentence a plan may be named that it is about."""


def _places(plan: Thing, text: str, start: int, end: int) -> list[tuple[int, Thing]]:
    found = named_in([plan], text[start:end])
    return [(one[1], plan) for one in found]


def _day_of(clause: Clause, known: Planning, today: str, *, any_lead: bool = False) -> Value | None:
    """Return the only day of a clause that is still to come and holds, or with `any_lead` also if a word denies it."""
    days = [one for one in clause.values if one.kind in {"date", "day"}]
    if len(days) != 1 or not any(_is_ahead(day, today) for day in days[0].readings):
        return None
    place = _DAY.search(clause.words)
    lead = clause.words[: place.start()].rstrip() if place else ""
    lead = re.sub(r"(?:\s(?:the|on|on the|am|dem|den|le|el|op|de))+$", "", " " + lead).strip()
    found = [one for one in words(known.instead).finditer(lead) if one.end() == len(lead)]
    return None if found and not any_lead else days[0]


_DAY = re.compile(r"\bx(?:date|day)\b")


def _is_ahead(day: str, today: str) -> bool:
    """Check whether a day is after another one; if one of them has no year, by month and day."""
    if day.startswith("-") or today.startswith("-"):
        return day[-5:] > today[-5:]
    return day > today


def _says(day: Value, days: Sequence[str]) -> bool:
    known = {*days, *("-" + one[4:] for one in days)}
    return bool(known & set(day.readings))


def _another_day(
    case: Case, clause: Clause, about: Thing | None, made: Sequence[Deed], known: Planning
) -> Wrong | None:
    """Compare the day of the next delivery or of a new start with the plan."""
    if about is None or about.status == "cancelled":
        return None
    starts, first = words(known.starts).search(clause.words), words(known.first).search(clause.words)
    if starts is None and (first is None or words(known.delivery).search(clause.words) is None):
        return None
    late = _NOT_BEFORE.search(clause.words) is not None
    day, cue = _day_of(clause, known, case.today[:10], any_lead=late), starts or first
    if day is None or cue is None or (clause.depends and not _SO.match(clause.words)):
        return None
    if not late and (words(known.later).search(clause.words) or is_negated(clause, cue.end())):
        return None
    if words(LANGUAGES[clause.language].exempt).search(clause.words):
        return None
    today = case.today[:10]
    right = [one.day for one in made if one.subject == about.id and one.day]
    right += [one.to["until"] for one in made if one.subject == about.id and one.to.get("until")]
    right += [day for day in about.days if day >= today][:1] + [day for day in about.days if day > today][:1]
    if not right or _says(day, right):
        return None
    return "state", f"{about.name} on {', '.join(sorted(set(right)))}", f"the text says {day.value}"


_SO = re.compile(r"\W*(?:so|and so|also|daher|deshalb|donc|por eso|asi que|dus|daarom)\b")
_NOT_BEFORE = words(
    "not+until | isn't until | won't+until | not before | n't before | erst | pas avant | no+hasta | pas op"
)


def _not_over(case: Case, clause: Clause, about: Thing | None, made: Sequence[Deed], known: Planning) -> Wrong | None:
    """Check that a plan that has ended is not said to run on: to a later day, or for one more delivery."""
    ended = {one.subject for one in made if one.kind == "cancellation" and one.to.get("at", "now") == "now"}
    rests = {one.subject: one.to["until"] for one in made if one.kind == "pause" and one.to.get("until")}
    if about is None or about.id not in {*ended, *rests}:
        return None
    found = words(known.ends).search(clause.words) if about.id in ended else None
    over = None if about.id in ended else words(known.ends).search(clause.words)
    if over and _FOR_GOOD.search(clause.words) and not (clause.conditional or is_negated(clause, over.end())):
        return "state", f"{about.name} rests and goes on", f"the text says {over[0]!r}"
    to_a_day = found is not None and _UNTIL.search(found[0]) is not None
    day = _day_of(clause, known, case.today[:10], any_lead=to_a_day)
    unclear = words(LANGUAGES[clause.language].exempt).search(clause.words)
    if found and day and not unclear and not is_negated(clause, found.end()):
        return "state", f"{about.name} has ended", f"the text says that it ends on {day.value}"
    way = any(one.moves(case.today) and "coffee" in _kinds(one) for one in case.things)
    record = any(one.kind == "record" for one in clause.values)
    after = _NEXT.search(clause.words) if about.id in ended and day and not (unclear or record) else None
    if after and not (_VOID.search(clause.words) or words(LANGUAGES[clause.language].negation).search(clause.words)):
        return "state", f"{about.name} has ended", f"the text says {after[0]!r}"
    more = words(known.more).search(clause.words) or (_USUAL.search(clause.words) if about.id in rests else None)
    charge, coming = words(known.charge).search(clause.words), words(known.coming).search(clause.words)
    if not (more and charge and coming) or record or is_negated(clause, more.end(), [more.span()]):
        return None
    until = rests.get(about.id, "")
    before = day is not None and (about.id in ended or _is_ahead(until, day.readings[0]))
    if before or (about.id in ended and not way and _BILLED.search(clause.words)):
        return "state", f"{about.name} has ended or rests", f"the text says {more[0]!r}"
    return None


_UNTIL = re.compile(r"\b(?:until|bis|jusqu'au|hasta|tot)\b")
_NEXT = words(
    "next charge | next renewal | next delivery | next payment | next bag | next shipment | nächste abbuchung"
    " | nächste lieferung | nächste verlängerung | nächste zahlung | prochain prélèvement | prochaine livraison"
    " | prochain renouvellement | prochain envoi | prochain paiement | próximo cobro | próximo cargo | próxima entrega"
    " | próxima renovación | próximo envío | próximo pago | volgende afschrijving | volgende levering"
    " | volgende verlenging | volgende betaling | volgende zending"
)
"""What a plan does again; one that has ended does not."""
_VOID = words(
    "cancel* | stopped | dropped | falls away | off | void | would | had | was"
    " | entfällt | entfallen | fällt | storniert"
    " | gestrichen | gestoppt | hinfällig | wäre | annul* | supprimé* | tombe | était | aurait | anulad* | cancelad*"
    " | suprimid* | habría | era | iba | vervalt | vervallen | geschrapt | gestopt | zou | was"
)
"""Words that say that something does not take place, or would have."""
_USUAL = words(
    "as usual | as always | as planned | like always | wie gewohnt | wie immer | wie geplant | wie üblich"
    " | comme d'habitude | comme prévu | comme toujours | como siempre | como de costumbre | como estaba previsto"
    " | gewoon | zoals altijd | zoals gewoonlijk | zoals gepland"
)


_FOR_GOOD = words(
    "for good | permanently | definitively | endgültig | für immer | définitivement | definitivamente | para siempre"
    " | definitief | voorgoed"
)


_BILLED = words(
    "charge* | bill* | abgebucht | abbuch* | berechnet | belastet | prelev* | factur* | debit* | cobr* | cargo"
    " | afgeschreven | afschrijving"
)


def _kinds(order: Thing) -> set[str]:
    return {"coffee"} if order.renews or any(" g" in one or " kg" in one for one in order.goods) else set()


def _another_end(
    case: Case, clause: Clause, about: Thing | None, made: Sequence[Deed], known: Planning
) -> Wrong | None:
    """Compare the day until which a plan is said to rest with its pause; the day before is meant inclusively."""
    until = next((one.to["until"] for one in made if about and one.subject == about.id and one.to.get("until")), "")
    days = [one for one in clause.values if one.kind in {"date", "day"}]
    rests = words(known.rests).search(clause.words)
    if about is None or not until or len(days) != 1 or rests is None or not is_asserted(clause, *rests.span()):
        return None
    lead = clause.words.partition(" xda")[0]
    if words(known.stays).search(clause.words) or PAST.search(clause.words):
        return None
    if not words(known.until).search(lead[-24:]):
        return None
    ahead = any(_is_ahead(day, case.today[:10]) for day in days[0].readings)
    right = [until, (date.fromisoformat(until[:10]) - timedelta(days=1)).isoformat()]
    if not ahead or _says(days[0], right):
        return None
    return "state", f"{about.name} rests until {until}", f"the text says until {days[0].value}"


def _still_rests(clause: Clause, about: Thing | None, made: Sequence[Deed], known: Planning) -> Wrong | None:
    """Check that a plan that was resumed is not said to stay paused."""
    resumed = {one.subject for one in made if one.kind == "resumption"}
    if about is None or about.id not in resumed:
        return None
    stays, rests = words(known.stays).search(clause.words), words(known.rests).search(clause.words)
    if stays and rests and is_asserted(clause, *rests.span()):
        return "denied", f"{about.name} was resumed", "the text says that it stays paused"
    return None


def _too_many(every: Sequence[Thing], clause: Clause, text: str, made: Sequence[Deed], known: Planning) -> Wrong | None:
    """Check that each of several plans was changed that a clause says were resumed or paused."""
    for root, status, kinds in ((known.again, "", {"resumption"}), (known.rests, "paused", {"pause", "skip"})):
        changed = {one.subject for one in made if one.kind in kinds}
        changed |= {one.id for one in every if one.status == status} if changed else set()
        found = words(root).search(clause.words)
        if found is None or not changed:
            continue
        several = words(known.several).search(text, clause.sentence[0], clause.end)
        if several is not None and not words(known.plural).search(text, clause.sentence[0], clause.end):
            several = None
        plain = words(known.several).sub(lambda one: " " * len(one[0]), clause.words)
        if not is_asserted(msgspec.structs.replace(clause, words=plain), *found.span()):
            continue
        number = (3 if _THREE.search(several[0]) else 2) if several else 0
        listed = _listed(every, text[clause.start : clause.end])
        others = [one for one in listed if one.id not in changed]
        if len(changed) < number or others:
            right = ", ".join(one.name for one in every if one.id in changed)
            return "subject", f"only {right}", f"the text says {found[0]!r} of others too"
    return None


def _listed(every: Sequence[Thing], said: str) -> list[Thing]:
    """Return the plans that stand in a list with only a conjunction between them, unless a verb of its own follows."""
    named = named_in(every, said)
    if len(named) < 2 or any(_AND.fullmatch(said[a[2] : b[1]]) is None for a, b in pairwise(named)):
        return []
    return [] if _GOES_ON.match(said, named[-1][2]) else [one for one, _, _ in named]


_AND = re.compile(
    r"(?:\s(?:plan|blend|abo|plans))?[\s,]*(?:and|und|et|y|en|als|as well as|sowie|&|plus)[\s,]*"
    r"(?:(?:the|your|das|den|die|le|la|el|de|ihr)\s)?"
)
_GOES_ON = re.compile(
    r"\W*(?:goes|go|continue\w*|run|runs|keep\w*|stay\w*|will|is|läuft|lauft|laufen|bleib\w*|reste\w*|sigue\w*|loopt"
    r"|lopen|blijf\w*)\b(?!\s(?:all|both|now|again|paus|on hold|on pause))"
)
"""A verb of the last plan of a list alone: `I paused the first and the second goes on`."""
_THREE = re.compile(r"three|drei|trois|tres|drie")


def was_resting(case: Case, clause: Clause) -> bool:
    """Check whether a clause tells of the pause that a resumption of the episode ended."""
    resumed = any(one.kind == "resumption" and is_new(case, one) for one in case.deeds)
    return resumed and (PAST.search(clause.words) or _BEEN.search(clause.words)) is not None


_BEEN = words("been")
