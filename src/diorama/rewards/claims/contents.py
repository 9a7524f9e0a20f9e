"""What an order contains and which machine a deed was for: goods and serial numbers beside a record of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.relations import Wrong, is_new
from diorama.rewards.claims.sendings import Mention, contents_of, fits_sku, is_lately_sent, kinds_of, mentions_of
from diorama.rewards.claims.values import Value


def contents(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that put goods into an order that does not contain them, or name another machine."""
    if not case.things:
        return
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers and one.goods}
    machines = {one.id.upper() for one in case.things if one.kind == "machine"}
    for place, clause in enumerate(clauses):
        if clause.question or clause.conditional:
            continue
        if (wrong := _holds(case, clauses, place, text) or _returned(case, clause, text)) is not None:
            yield clause, wrong
            continue
        for value in clause.values:
            if value.kind != "record":
                continue
            if value.value in orders:
                order = orders[value.value]
                wrong = _other_goods(case, clauses, place, text, order, value) or _only(case, clause, text, order)
            else:
                wrong = _other_machine(case, clauses, place, value) if value.value in machines else None
            if wrong:
                yield clause, wrong
                break


# --- goods beside the number of an order


_SMALL = (
    r"the|your|my|order|number|no|der|die|das|dem|den|ihrer|ihre|ihren|deiner|bestellung|auftrag|le|la|les"
    r"|votre|commande"
    r"|el|los|las|su|tu|pedido|het|je|uw|jouw|bestelling|nr|n|xrecord|a|an|ein|eine|einen|einem|un|une|una|een"
    r"|des|du|unos|unas|some|einige|del"
)
_SIZE = re.compile(r"(?<![\w.,-])(\d+(?:[.,]\d+)?)\s?(ml|g|kg|mm|l)\b")
_OF = re.compile(
    r"(?:\s(?:de\s)?\d+(?:[.,]\d+)?\s?(?:ml|g|kg|mm|l)\b|,?\s[a-zäöü]{4,9})?"
    r"\s?\(?\s?,?(?:of|from|in|under|aus|von|vom|zu|zur|unter|de|del|dans|du|d'|en|van|uit)?\s?\(?"
    rf"(?:(?:{_SMALL})\b\.?\s?)*"
)
"""What stands between goods and the order that they are of: `the jug of order`."""
_HAS = re.compile(
    r"\s?\)?,?\s?(?:\(|with|containing|(?:which|that) (?:contain\w*|held|had|was)|contain\w*|mit|(?:die"
    r"|das) enth\w+|enth\w+"
    r"|avec|(?:qui )?conten\w+|(?:qui )?comprenai?t|con|(?:que )?(?:conten|lleva|traia|inclu)\w*|includ\w+"
    r"|beinhalt\w+|umfasst\w*|(?:qui )?inclu\w+|met|(?:die|dat|waarin) bevat\w*|bevat\w*|,)?"
    rf"\s?(?:(?:{_SMALL})\b\.?\s?)*"
)
"""What stands between an order and its goods: `which contained a`."""


def _other_goods(
    case: Case, clauses: Sequence[Clause], place: int, text: str, order: Thing, value: Value
) -> Wrong | None:
    """Return the contradiction if goods right beside the number of an order are not in it."""
    clause = clauses[place]
    near = [clause]
    if place + 1 < len(clauses) and clauses[place + 1].sentence == clause.sentence:
        near.append(clauses[place + 1])
    if any(words(LANGUAGES[one.language].negation).search(one.words) for one in near):
        return None
    held = frozenset().union(*(kinds_of(good) for good in order.goods)) | _sent_for(case, order)
    for other in near:
        for good in mentions_of(case, other, text):
            start, end = other.start + good.start, other.start + good.end
            if end <= value.start:
                near_by = other is clause and value.start - end < REACH
                beside = near_by and _OF.fullmatch(text, end, value.start) is not None
            else:
                near_by = 2 < start - value.end < REACH and not _acts(text, end, other)
                beside = near_by and _HAS.fullmatch(text, value.end, start) is not None
            if beside and (wrong := _not_in(case, order, held, good, _after(text, end))):
                return wrong
    return None


REACH = 44
"""How many characters may stand between goods and the number of their order."""
_ACTS = words(
    "is | are | was | were | has | have | went | goes | left | will | ist | sind | wurde | wurden | geht "
    "| ging | wird | est"
    " | sont | a | ont | part | sera | esta | estan | fue | va | sale | ha | is | zijn | werd | gaat | ging | wordt"
)


def _acts(text: str, end: int, clause: Clause) -> bool:
    """Check whether goods after a comma are the subject of a clause of their own: `for LK-1, the jug was sent`."""
    rest = text[end : min(clause.end, end + 40)]
    verb = _ACTS.search(rest)
    return verb is not None and "," not in rest[: verb.start()]


_CONTAINS = re.compile(
    r"\W*(?:(?:and|und|et|y|en|which|that|die|das|der|qui|que|dat)\s)?(?:it |es |er |sie |il |elle |het |hij )?"
    r"(?:also )?(?:contain\w*|holds?|held|enthalt\w*|enthielt\w*|beinhalte\w*|conten\w+|contient|contiene\w*|incluy\w+"
    r"|comprend|comprenait|lleva|bevat\w*|consisted|bestand|bestaat|se componia|consist\w+)\b"
)
"""How a clause begins that says what the parcel named before it contains."""


def _holds(case: Case, clauses: Sequence[Clause], place: int, text: str) -> Wrong | None:
    """Return the contradiction if the order or parcel named before is said to contain goods of no such order."""
    clause = clauses[place]
    if _CONTAINS.match(clause.words) is None or words(LANGUAGES[clause.language].negation).search(clause.words):
        return None
    before = [one for one in clauses[:place] if one.sentence == clause.sentence]
    numbers = [value.value for one in before for value in one.values if value.kind == "record"][-1:]
    orders = [one for one in case.things if one.kind == "order" and one.goods and set(numbers) & set(one.numbers)]
    if len(orders) != 1:
        return None
    held = frozenset().union(*(kinds_of(good) for good in orders[0].goods)) | _sent_for(case, orders[0])
    for good in mentions_of(case, clause, text):
        if wrong := _not_in(case, orders[0], held, good, _after(text, clause.start + good.end)):
            return wrong
    return None


_ONLY = re.compile(
    r"\b(?:contain\w*|consist\w*(?: of)?|held|enthielt|enthalt|bestand|besteht|contenait|comprenait|contient"
    r"|contenia|contiene|se componia de|bevatte|bevat|bestond|bestaat)\s(?:only|just|nothing but|nur|lediglich"
    r"|ausschlieslich"
    r"|uniquement|seulement|que|solo|solamente|unicamente|alleen|enkel|slechts)\b"
)
"""Words that say that an order contains one kind of goods and nothing else."""


def _only(case: Case, clause: Clause, text: str, order: Thing) -> Wrong | None:
    """Return the contradiction if an order is said to contain only goods that are a part of it."""
    if _ONLY.search(clause.words) is None or len(order.goods) < 2:
        return None
    named = mentions_of(case, clause, text)
    if len(named) != 1 or all(named[0].kinds & kinds_of(good) for good in order.goods):
        return None
    return "subject", f"{order.numbers[0]} contains {', '.join(order.goods)}", f"the text says only {named[0].said!r}"


_LABELS = re.compile(
    r"\b(?:return label|returns label|label|retourlabel|retouretiket|rucksendeetikett|rücksendeetikett|retourenlabel"
    r"|retourenetikett|etiquette de retour|etiqueta de devolucion)\b"
)


def _returned(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if a return label is said to be for goods that the only new return is not for."""
    made = [one for one in case.new_deeds if one.kind == "label" and one.to.get("sku")]
    if len(made) != 1 or _LABELS.search(clause.words) is None:
        return None
    if clause.depends or words(LANGUAGES[clause.language].negation).search(clause.words):
        return None
    sku = str(made[0].to["sku"])
    own = [kinds_of(fold(one)) for one in case.products if fits_sku(one, sku)]
    named = [one for one in mentions_of(case, clause, text) if not one.kinds <= {"machine", "coffee"}]
    if not own or not named or any(one.kinds & kinds for one in named for kinds in own):
        return None
    if not all(any(one.kinds & kinds_of(good) for thing in case.things for good in thing.goods) for one in named):
        return None
    return "subject", f"a return of {sku}", f"the text says {named[0].said!r}"


def _sent_for(case: Case, order: Thing) -> frozenset[str]:
    """Return the kinds of parts and machines that were sent for the machine of an order."""
    names = {order.id, *order.numbers}
    deeds = [one for one in case.deeds if one.kind in GOODS and names & {one.subject, *one.names}]
    return frozenset().union(*(contents_of(case, one) for one in deeds))


def _after(text: str, end: int) -> str:
    """Return the few characters after goods that may state their size, with the whole last word."""
    found = _FEW.match(text, end)
    return found[0] if found else ""


_FEW = re.compile(r".{0,14}\w*", re.DOTALL)


def _not_in(case: Case, order: Thing, held: frozenset[str], good: Mention, after: str) -> Wrong | None:
    """Return the contradiction if an order has no goods of this kind, or only in another size."""
    number = order.numbers[0]
    if good.kinds & {"machine", "coffee"} == good.kinds:
        return None
    if not good.kinds & held:
        elsewhere = any(good.kinds & kinds_of(one) for thing in case.things for one in thing.goods)
        listed = elsewhere or good.said in case.goods
        return (
            ("subject", f"{number} contains {', '.join(order.goods)}", f"the text says {good.said!r}")
            if listed
            else None
        )
    size = _SIZE.search(after)
    own = {(one[1].replace(",", "."), one[2]) for name in order.goods for one in _SIZE.finditer(name)}
    fitting = [name for name in order.goods if good.kinds & kinds_of(name)]
    sizes = {(one[1].replace(",", "."), one[2]) for name in fitting for one in _SIZE.finditer(name)}
    if size and sizes and (size[1].replace(",", "."), size[2]) not in own:
        return "subject", f"{number} contains {', '.join(order.goods)}", f"the text says {size[0]!r}"
    return None


# --- the machine that something was sent for


_ARRANGED = words(
    "sent | send | sending | ship* | order* | book* | exchang* | replac* | swap* | dispatch* | register* | logged"
    " | geschickt | verschickt | versandt | gebucht | bestellt | getauscht | ausgetauscht | ersetzt "
    "| angelegt | umgetauscht"
    " | envoy* | expédi* | commandé* | échang* | remplac* | enregistré* | enviado | enviamos | pedido "
    "| cambiado | cambiamos"
    " | sustituido | sustituimos | registrado | gestuurd | verstuurd | besteld | geboekt | omgeruild "
    "| vervangen | geruild"
)


def _other_machine(case: Case, clauses: Sequence[Clause], place: int, value: Value) -> Wrong | None:
    """Return the contradiction if what was sent now is said to be for a machine that nothing was done for."""
    done = [
        one
        for one in case.deeds
        if one.kind in {"part", "replacement_machine", "label"} and (is_new(case, one) or is_lately_sent(case, one))
    ]
    if not any(one.seq for one in done) or any(value.value in _upper(one) for one in done):
        return None
    family = value.value.partition("-")[0]  # a replacement is of the same kind, and has a number of its own
    if any(one.kind == "replacement_machine" and one.subject.partition("-")[0] == family for one in done if one.seq):
        return None
    sentence = [one for one in clauses if one.sentence == clauses[place].sentence]
    if any(one.conditional or words(LANGUAGES[one.language].negation).search(one.words) for one in sentence):
        return None
    near = sentence if len(sentence) < 3 else clauses[max(0, place - 1) : place + 1]
    found = next((fits for one in near if (fits := _ARRANGED.search(one.words))), None)
    if found is None or any(one.kind == "order" for one in case.new_deeds):
        return None
    others = {one.value for clause in sentence for one in clause.values if one.kind == "record"}
    if any(others & _upper(one) for one in done if one.seq):
        return None
    own = ", ".join(sorted({one.subject for one in done if one.seq}))
    return "subject", f"what was done was for {own}", f"the text says {value.value}"


def _upper(deed: Deed) -> set[str]:
    return {one.upper() for one in (deed.subject, *deed.names)}
