"""Split a text into sentences and clauses, and find what is quoted, asked or conditional."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.charges_undone import as_refund
from diorama.rewards.claims.implicatives import as_done
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, Language, breaks_of, evidence, words
from diorama.rewards.claims.misspelled import spelled_right
from diorama.rewards.claims.values import CHARACTERS, Value

CLAUSES = 400
"""How many clauses of one text are read; a text with more of them is not one that a person reads."""
LONGEST_CLAUSE = 400
"""How many characters of a clause are read at once; a longer one is read in pieces that overlap."""
OVERLAP = 120
FEW_WORDS = 3
"""A sentence of so few words belongs to what stands before it: `Your subscription. Cancelled.`"""
LEADING = 1
"""A condition after so few words of its clause belongs to the clauses around it; after more, to its own."""
LONGEST_HEADING = 6
"""How many words a heading has at most."""


class Clause(msgspec.Struct, frozen=True, gc=False):
    """One clause of a folded text, with values replaced by words such as `xamount`."""

    start: int
    end: int
    sentence: tuple[int, int]
    words: str
    language: str
    conditional: bool = False
    """It states a condition."""
    depends: bool = False
    """A condition stands in the same sentence; what is stated as done does not depend on it."""
    question: bool = False
    apart: bool = False
    """The condition stands inside another clause of the sentence, so it may belong to that clause alone."""
    values: tuple[Value, ...] = ()
    aside: bool = False
    """It stands in brackets, and the sentence around it goes on about its own subject."""


_SENTENCE_END = re.compile(r"(?<![.!?\u2026])[.!?\u2026]++[\"')\]]*+(?=\s|$)|\n\s*|;\s|\s[-\u2013\u2022*]\s|\s=\s")
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|nr|no|st|co|ca|z|b|d|h|u|a|sr|sra|srta|mme|mlle|m|dhr|mevr|mw|bzw|inkl|zzgl|approx"
    r"|tel|evtl|ggf|art"
    r"|jan|feb|fev|febr|mar|apr|jun|jul|aug|sep|sept|okt|oct|nov|dec|dez|janv|fevr|avr|juil|ene|abr|dic|mrt"
    r"|(?<=\d )ago|(?<=de )ago))$"
)
_BREAK = re.compile(r"[,;:()\[\]|\u2013\u2014\u2192\u2794]\s|\s[(\u2013]|\)")


_EVEN_IF = words(
    "whenever you are|whenever you like|whenever you want|whenever it suits you|wann immer|quand vous voulez|"
    "quand vous voudrez|cuando quiera|cuando quieras|wanneer je wilt|wanneer u wilt|"
    "wurde+auf wunsch|wurden+auf wunsch|haben+auf wunsch|habe+auf wunsch|ist+auf wunsch|sind+auf wunsch|"
    "auf ihren wunsch|auf deinen wunsch|a peticion suya|a peticion tuya|a su peticion|a tu peticion|at your request|"
    "a votre demande|a ta demande|op uw verzoek|op je verzoek|is op verzoek|zijn op verzoek|werd+op verzoek"
    "|hebben+op verzoek|"
    "just in case.|just in case,|zowel+als|even if|as if|meme si|auch wenn|selbst wenn|aun si|ook als|zelfs als"
    "|as well as|wie auch|"
    "this once|just once|once more|once again|at once|only once|for once|more than once|"
    "once and for all|als verloren|als vermist|als kwijt|als zoek|als bezorgd|als afgeleverd|als voltooid"
    "|een keer als|una vez mas|en cuanto a|en cuanto al|selon nous|segun nosotros|"
    "at the moment|at this moment|for the moment|segun el transportista|segun dhl|segun dpd|segun ups|segun correos|"
    "segun el seguimiento|segun nuestro*|segun nuestra*|segun los datos|segun el registro|segun su banco|segun la"
)
"""Words that look like a condition and are none."""


_BRACKETS = re.compile(r"\([^()\n]{2,200}\)")


def sentences(text: str, values: Sequence[Value] = ()) -> list[tuple[int, int]]:
    """Return the places of the sentences of a folded text.

    A full stop inside a value ends none, and neither does a semicolon in brackets.
    """
    return list(each_sentence(text, values))


def each_sentence(text: str, values: Sequence[Value] = ()) -> Iterator[tuple[int, int]]:
    """Yield the places of the sentences of a folded text, one after the other: see `sentences`."""
    whole = bytearray(len(text) + 1)
    for one in values:
        whole[one.start + 1 : one.end] = b"\1" * (one.end - one.start - 1)
    brackets = [one.span() for one in _BRACKETS.finditer(text)] if "(" in text and ";" in text else []
    start = 0
    for found in _SENTENCE_END.finditer(text):
        place, end = found.span()
        mark = text[place]
        if mark == ";" and any(first < place < last for first, last in brackets):
            continue
        if mark == ".":
            if end - place == 1 and _ABBREVIATION.search(text, max(0, place - 8), place):
                continue
            if whole[place]:
                continue
        if end > start and not text[start:end].isspace():
            yield start, end
        start = end
    if text[start:].strip():
        yield start, len(text)


def language_of(text: str, otherwise: str = "en") -> str:
    """Return the language that most of the small words belong to."""
    weights = evidence()
    counts = [0] * len(NAMES)
    for word in _SMALL.findall(text):
        for place, weight in weights.get(word, ()):
            counts[place] += weight
    best = max(range(len(NAMES)), key=lambda place: (counts[place], NAMES[place] == otherwise, NAMES[place]))
    return NAMES[best] if counts[best] > 0 else otherwise


_SMALL = re.compile(r"[a-zäöü']+")


def read_clauses(text: str, values: Sequence[Value]) -> list[Clause]:
    """Return the clauses of a folded text, in order, up to the caps."""
    text = text[:CHARACTERS]
    main = language_of(text)
    undone = _undone(text)
    starts = [one.start for one in values]
    found: list[Clause] = []
    before: list[Clause] = []
    for start, end in sentences(text, values):
        if len(found) > CLAUSES:
            break
        name = language_of(text[start:end], main)
        inside = values[bisect_left(starts, start) : bisect_left(starts, end)]
        here = _clauses_of(text, start, end, LANGUAGES[name], inside)
        here = _unpromised(_refused(text, here))
        if undone:
            here = [_denied(one) if any(a <= one.start < b for a, b in undone) else one for one in here]
        found += here + _with_headings(text, [one for one in before if one.sentence[1] == start], here)
        before = here
    return found


_UNDONE = re.compile(
    r"(?:^|(?<=[\n.!?;]))[ \t*\u2022-]*(?:(?:what|was|wat|ce que|ce qui|lo que|things?|points?|dinge|choses"
    r"|cosas|zaken)\b[^\n.!?:;]{0,30}?"
    r"\b(?:not|n't|haven't|hasn't|didn't|couldn't|nicht|pas|no|niet|left alone)\b[^\n.!?:;]{0,30}"
    r"|(?:not|nicht|pas|non|no|niet)(?: yet| noch| encore| aun| todavia| nog)?\s"
    r"(?:done|changed|made|gemacht|getan|erledigt|geändert|fait|change|modifie|hecho|cambiado|gedaan"
    r"|gewijzigd|veranderd))"
    r"\s?:(?P<rest>[^\n]*)(?P<list>(?:\n[ \t]*[*\u2022\u2013-][^\n]*)*)"
)
"""A heading that says that what follows was not done: `What I did not do: send a new parcel`."""
_NOT = {"en": "not", "de": "nicht", "fr": "pas", "es": "no", "nl": "niet"}


def _undone(text: str) -> list[tuple[int, int]]:
    """Return the places of what stands under a heading that denies it: its sentence, or the list below it."""
    found = []
    for one in _UNDONE.finditer(text) if ":" in text else ():
        stop = next((end.start() for end in _SENTENCE_END.finditer(text, one.start("rest"), one.end("rest"))), None)
        last = one.end("list") if not one["rest"].strip() or stop is None else stop
        found.append((one.start("rest"), last))
    return found


def _denied(clause: Clause) -> Clause:
    return msgspec.structs.replace(clause, words=f"{_NOT[clause.language]} {clause.words}")


def _refused(text: str, here: list[Clause]) -> list[Clause]:
    """Return the clauses of a sentence; what stands before a colon and `no` is denied: `refund to the card: no`."""
    for place, (heading, status) in enumerate(pairwise(here)):
        if _NO.match(status.words) and _COLON.search(text, heading.start, status.start + 1) and _is_heading(heading):
            here = [*here[:place], _denied(heading), *here[place + 1 :]]
    return here


_NO = re.compile(r"\W*(?:no|none|nein|keine?r?s?|non|aucun|aucune|ninguno|ninguna|nee|geen)\W*$")


def _unpromised(here: list[Clause]) -> list[Clause]:
    """Return the clauses of a sentence; those between a promise and that it is nowhere written are denied."""
    first = next((place for place, one in enumerate(here) if _PROMISE.search(one.words)), None)
    if first is None:
        return here
    language = LANGUAGES[here[first].language]
    last = next(
        (
            place
            for place, one in enumerate(here)
            if _NOTED.search(one.words) and (words(language.negation).search(one.words) or _NOWHERE.search(one.words))
        ),
        None,
    )
    if last is None:
        return here
    reach = range(first, last + 1) if last > first else range(last, len(here))
    return [_denied(one) if place in reach and place != last else one for place, one in enumerate(here)]


_PROMISE = re.compile(
    r"\b(?:promise|promised|commitment|assurance|zusage|zugesagt|versprechen|versprochen|zusicherung|promesse|promis"
    r"|engagement|promesa|prometi\w*|prometido|compromiso|toezegging|toegezegd|belofte|beloofd)\b"
)
_NOTED = re.compile(
    r"\b(?:record|recorded|on file|noted|written|found|find|exists?|trace|festgehalten|vermerkt|notiert|dokumentiert"
    r"|hinterlegt|finden|gefunden|steht|trace|note\w*|consigne\w*|inscrit\w*|ecrite?|figure|trouv\w+|consta|anotad\w"
    r"|registrad\w|figura|aparece|encontr\w+|vastgelegd|genoteerd|terug te vinden|gevonden|terugvinden|staat)\b"
)
_NOWHERE = re.compile(
    r"\b(?:nowhere|no|none|nirgends|nirgendwo|kein\w*|nulle part|aucune?|ningun\w*|ninguna parte|nergens|geen)\b"
)


def _with_headings(text: str, before: list[Clause], here: list[Clause]) -> list[Clause]:
    """Join a few words with the heading that they belong to: `Refund: 19.00 EUR - done`, `Your plan. Cancelled.`"""
    found = []
    if (
        before
        and here
        and len(here[0].words.split()) <= FEW_WORDS
        and not _ANSWER.match(here[0].words)
        and "\n\n" not in text[before[-1].end - 2 : here[0].start]
        and not (len(here) > 1 and here[1].words.startswith(LANGUAGES[here[1].language].link + " "))
    ):
        whole = [one for one in before if _is_heading(one) and not (_has_record(one) and _has_record(here[0]))]
        if len(whole) == len(before) and sum(len(one.words.split()) for one in whole) <= LONGEST_HEADING:
            found.append(_joined([*whole, here[0]]))
    for heading, status in pairwise(here):
        few = len(status.words.split()) <= FEW_WORDS and len(heading.words.split()) <= LONGEST_HEADING
        if (
            few
            and _is_heading(heading)
            and not status.question
            and _COLON.search(text, heading.start, status.start + 1)
        ):
            found.append(_joined([heading, status]))
    return found


_ANSWER = re.compile(r"\W*(?:no|nope|yes|yep|nein|ja|non|oui|sy|si|nee)\W*$")
"""A word that answers the reader, and belongs to what follows: `Your plan is cancelled. No, you need not call.`"""


def _has_record(clause: Clause) -> bool:
    """Check whether a clause names a record, so that it is about that one."""
    return any(one.kind == "record" for one in clause.values)


def _is_heading(clause: Clause) -> bool:
    """Check whether a clause says nothing by itself: it has no auxiliary, no question, no condition, no brackets."""
    if clause.question or clause.conditional or clause.aside:
        return False
    return words(LANGUAGES[clause.language].perfect).search(clause.words) is None


_COLON = re.compile(r"[:|=\u2192\u2794\u2013]\s*$|[:|=\u2192\u2794\u2013]\s.?$")


def _joined(clauses: Sequence[Clause]) -> Clause:
    """Return one clause for several."""
    return msgspec.structs.replace(
        clauses[-1],
        start=clauses[0].start,
        sentence=(clauses[0].sentence[0], clauses[-1].sentence[1]),
        words=" ".join(one.words for one in clauses),
        language=clauses[0].language,
        values=tuple(value for one in clauses for value in one.values),
    )


def _covered(text: str, start: int, end: int, inside: Sequence[Value]) -> bytearray:
    """Return for each character of a sentence whether a sign there ends no clause: in values and what is put in."""
    covered = bytearray(end - start + 1)
    for one in inside:
        if one.end - one.start > 1:
            covered[one.start - start : one.end - start - 1] = b"\1" * (one.end - one.start - 1)
    for aside in _ASIDE.finditer(text, start, end) if "(" in text[start:end] else ():
        if _holds_a_value(text, aside.start() + 1, aside.end() - 1, inside):
            first = max(aside.start() - 1, start) - start
            covered[first : aside.end() - start] = b"\1" * (aside.end() - start - first)
    for comma in _inner_commas(text, start, end, inside):
        covered[comma - start] = 1
    return covered


def _clauses_of(text: str, start: int, end: int, language: Language, inside: Sequence[Value]) -> list[Clause]:
    covered = _covered(text, start, end, inside)
    brackets = [one.span() for one in _BRACKETS.finditer(text, start, end)] if "(" in text[start:end] else []
    places = [start]
    for pattern in (_BREAK, breaks_of(language.name)):
        for cut in pattern.finditer(text, start, end):
            if not covered[cut.start() - start]:
                places.append(cut.end() if pattern is _BREAK else cut.start())
    places += [found.end() for found in _RESUMES[language.name].finditer(text, start, end)]
    places = sorted({*places, end})
    asks = text[start:end].rstrip("\"') \n").endswith("?")
    starts = [one.start for one in inside]
    clauses: list[Clause] = []
    condition = False
    reach = CLAUSES  # the clauses before this place are apart from the condition
    for piece, until in (one for first, last in pairwise(places) for one in _pieces(text, first, last)):
        near = inside[bisect_left(starts, piece) : bisect_left(starts, until)]
        here = [one for one in near if one.end <= until]
        said = as_done(spelled_right(_masked(text, piece, until, here), language.name), language.name)
        masked = as_refund(said, language.name)
        if not masked.strip(" ,.:()-"):
            continue
        stated = words(language.conditional).search(plain := _EVEN_IF.sub(" ", masked))
        own = stated is not None and not (
            (stated[0].startswith("sollte") and _AFTER_ITS_VERB.match(plain))
            or (_HAPPENED[language.name].match(masked) and any(text[one.start : one.end] in _TODAY for one in here))
        )
        condition = condition or (own and not _is_past(plain, language.name))
        stated = stated if own else None
        if stated is not None and len(lead := plain[: stated.start()].split()) <= LEADING:
            reach = min(reach, len(clauses) if lead == [language.link] else 0)
        bracketed = any(first < piece and until <= last + 1 for first, last in brackets)
        clauses.append(
            Clause(
                piece, until, (start, end), masked, language.name, own, condition, values=tuple(here), aside=bracketed
            )
        )
        if len(clauses) > CLAUSES:
            break  # the text costs success
    if condition:  # what is promised before "if" depends on it too; what is already done does not
        clauses = [
            msgspec.structs.replace(one, depends=True, apart=place < reach and not one.conditional)
            for place, one in enumerate(clauses)
        ]
    if asks and clauses:
        asks_from = next((one.start for one in clauses if _begins_a_question(text, one)), end)
        taken = _PRESUPPOSES.search(text, start, end)
        clauses = [
            msgspec.structs.replace(one, question=True)
            if (taken is None or one.end <= taken.end())
            and (one.start >= asks_from or one is clauses[-1] or "\u00bf" in one.words)
            else one
            for one in clauses
        ]
    return _without_what_is_late(text, clauses)


_AFTER_ITS_VERB = re.compile(r"\W*(?:\w+\s){0,2}\w+en sollte\w*\s")
"""What is expected, with the verb first, and no condition: `kommen sollte es am 4. März`."""
_INSET = re.compile(
    r",\s(?:as|just as|wie|so wie|comme|como|tal como|zoals)\s"
    r"(?!well|if|soon|long|though|you|we|i|it|sie|du|wir|ich|es|vous|nous|si|usted|u|je|we"
    r"|ik)[\w'-]+(?:\s[\w'-]+)?,(?=\s)"
)
"""A few words between commas that interrupt a clause: `nothing went, as requested, to the card`."""


_TOWN_FOLLOWS = re.compile(r",\s(?:[a-z]{1,2}-)?(?=[\da-z]*\d[\da-z]*\s)[\da-z]{3,6}(?:\s[a-z\d]{2,3})?\s[a-z]")
"""A postcode and a town after a street."""


def _inner_commas(text: str, start: int, end: int, inside: Sequence[Value]) -> Iterator[int]:
    """Yield the commas that do not end a clause: inside an address, and around a few words that interrupt it."""
    for one in inside:
        if one.kind == "street" and _TOWN_FOLLOWS.match(text, one.end, end):
            yield one.end
    for inset in _INSET.finditer(text, start, end):
        yield inset.start()
        yield inset.end() - 1


def _begins_a_question(text: str, clause: Clause) -> bool:
    """Check whether a question begins with a clause: at the beginning of its sentence, or after a colon."""
    if clause.start != clause.sentence[0] and not text[clause.sentence[0] : clause.start].rstrip().endswith(":"):
        return False
    return _ASKS[clause.language].match(clause.words) is not None


def _without_what_is_late(text: str, clauses: list[Clause]) -> list[Clause]:
    """Return the clauses of a sentence; what it is too late for claims nothing."""
    late = _TOO_LATE.search(text, *clauses[0].sentence) if clauses else None
    return [
        msgspec.structs.replace(one, conditional=True)
        if late is not None and one.start <= late.start() and _FOR.match(one.words)
        else one
        for one in clauses
    ]


_TOO_LATE = re.compile(
    r"\b(?:you are|you're|it is|it's|that is|sind sie|bist du|ist es|il est|c'est|es|ben je|bent u"
    r"|is het)\s(?:[\w']+\s){0,4}?"
    r"(?:too late|zu spat|zu spät|trop tard|(?:demasiado )?tarde|te laat)\b"
)
_FOR = re.compile(
    r"\W*(?:(?:so|also|daher|donc|asi que|por lo que|dus|and|und|et|y|en)\s)?(?:for|für|fur|pour|para|voor)\s"
)
"""What it is too late for was not done: `pour un remboursement, il est trop tard`."""


_ASIDE = re.compile(r"\([^()\n]{2,60}\)")
FEW_BESIDE = 2
"""How many words beside a value make no clause of their own: `(order LK-10001)`."""


def _holds_a_value(text: str, start: int, end: int, values: Sequence[Value]) -> bool:
    """Check whether words in brackets are values and hardly more, so that the clause around them goes on."""
    here = [one for one in values if start <= one.start and one.end <= end]
    if not here or any(one.kind in {"amount", "number"} for one in here):
        return False
    return len(_WORDS.findall(_masked(text, start, end, here))) - len(here) <= FEW_BESIDE


_WORDS = re.compile(r"\w+")


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a clause, or the overlapping pieces of a long one."""
    while end - start > LONGEST_CLAUSE:
        yield start, start + LONGEST_CLAUSE
        start += LONGEST_CLAUSE - OVERLAP
    yield start, end


_ASKS = {
    "en": re.compile(
        r"\W*(?:and |but |so |or |then )?(?:who|what|when|where|why|which|how|whose|do|does|did|is|are|was|were|am|have|has|had|can|could|"  # noqa: E501 - one pattern, one line
        r"will|would|shall|should|may|might|isn't|aren't|don't|didn't|wouldn't|couldn't|any)\b"
    ),
    "de": re.compile(
        r"\W*(?:und |aber |oder )?(?:wer|was|wann|wo|warum|wieso|weshalb|welche\w*|wie|ob|ist|sind|war|waren|hat|haben|habe|hatten|kann|"  # noqa: E501 - one pattern, one line
        r"können|könnten|soll|sollen|sollten|darf|dürfen|möchten|wollen|würden|wären|werden|wird|passt|reicht)\b"
    ),
    "fr": re.compile(
        r"\W*(?:et |mais |ou )?(?:qui|que|quoi|quand|ou|pourquoi|quel\w*|comment|combien|est-\w+|est ce|avez|avons|souhaitez|voulez|"  # noqa: E501 - one pattern, one line
        r"pouvez|pourriez|pouvons|devons|dois|puis|peut-\w+|a-t-\w+|y a-t-\w+|sont-\w+|preferez|desirez)\b"
    ),
    "es": re.compile(r"\W*\u00bf|\W*(?:quien|que|cuando|donde|por que|cual\w*|como|cuanto)\b"),
    "nl": re.compile(
        r"\W*(?:en |maar |of )?(?:wie|wat|wanneer|waar|waarom|welke?|hoe|is|zijn|was|waren|heb|hebt|hebben|heeft|kan|kun|kunt|kunnen|"  # noqa: E501 - one pattern, one line
        r"zal|zullen|zou|zouden|mag|mogen|wil|wilt|willen|moet|moeten|klopt)\b"
    ),
}
"""How a sentence begins that is a question as a whole; of others, only the last clause is asked."""


_PRESUPPOSES = re.compile(
    r"\b(?:(?:seen|noticed|heard|aware|know|knew|realised|realized|great|nice|glad|believe) that"
    r"|(?:gesehen|bemerkt|gehört|gewusst|wissen sie|wussten sie|schön|toll),? dass"
    r"|(?:vu|remarque|su|saviez-vous|savez-vous) que|(?:visto|notado|sabia|sabe) que"
    r"|(?:gezien|gemerkt|gehoord|wist u|wist je|weet u),? dat)"
    r"\s(?:we|i|wir|ich|nous|j'|hemos|he|le|wij|ik|your|ihr|votre|su|uw)\b"
)
"""Questions whose statement is taken as known: `have you seen that we sent you a machine?`"""


def _is_past(said: str, language: str) -> bool:
    """Check whether a clause says when something happened, which is not a condition: `when we unpacked it`."""
    return language in _WHEN and _WHEN[language].match(said) is not None


_WHEN = {
    "en": re.compile(
        r"\W*(?:and |but |only )?when (?:i|we|they|it|you|he|she|(?:the|your|our) \w+) (?:\w+ly |also |first |just )?"
        r"(?:(?!need|feed|proceed|succeed)\w{3,}ed|was|were|came|got|went|found|saw|did|had|took|sent|paid|wrote"
        r"|left)\b"
    ),
    "fr": re.compile(
        r"\W*(?:et |mais )?(?:quand|lorsqu(?:e |'))(?:nous |j'|vous |on |il |elle |(?:le|la|votre|notre) \w+ )?"
        r"(?:l'|les |vous |nous )?(?:avons|ai|avez|a|ont|etait|avait)\b"
    ),
    "es": re.compile(
        r"\W*(?:y |pero )?cuando (?:lo |la |los |las |le |nos )?(?:he|hemos|ha|han|abrimos|revisamos|contamos"
        r"|desempaquetamos|miramos|llego|llegaron|volvio|volvieron|salio|se perdio|escribio|escribiste)\b"
    ),
}
"""When something happened, in the past tense; German and Dutch have words of their own for it."""
_HAPPENED = {
    "en": re.compile(
        r"\W*when (?:i|we) (?:(?:just|also|already) )?(?:have |had )?(?:(?:just|also|already) )?"
        r"(?:\w{3,}ed|sent|gave|paid|put|made)\b"
    ),
    "de": re.compile(r"\W*als (?:ich|wir)\b"),
    "fr": re.compile(r"\W*(?:quand|lorsque) (?:j'|nous )(?:\w+ )?(?:ai|avons)\b"),
    "es": re.compile(r"\W*cuando (?:le )?(?:he|hemos)\b"),
    "nl": re.compile(r"\W*toen (?:ik|we|wij)\b"),
}
_TODAY = frozenset({"today", "heute", "aujourd'hui", "hoy", "vandaag"})
"""A time clause about what we did today: it states the deed."""


def _resumes(conditions: str, subject: str) -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{conditions})(?=\s)(?:\s(?!(?:that|think|believe|feel|sure|why|what|que|dass"
        rf"|dat)\b)[\w'-]{{1,24}}){{2,12}}?"
        rf"(?<!\bthat)(?<!think)(?<!sure)(?<!\bque)(?<!\bdat)(?=\s{subject})"
    )


_RESUMES = {
    "en": _resumes(
        "if|when|once|after|as soon as|in case|should you",
        r"(?:i|we)(?:'ve|\s(?:have|had|also|just|already|immediately|then|at once|\w{3,}ed|sent|put|gave|paid|made|took)\b)",  # noqa: E501 - one pattern, one line
    ),
    "de": _resumes("wenn|als|falls|sobald|nachdem", r"(?:habe|haben) (?:ich|wir)\b"),
    "fr": _resumes("si|quand|lorsque|des que", r"(?:j'ai|nous (?:vous )?(?:l')?avons)\b"),
    "es": _resumes("si|cuando|en cuanto|una vez", r"(?:(?:le|lo|la|se|te|les) )?(?:he|hemos)\b"),
    "nl": _resumes("als|indien|zodra|toen|wanneer|nadat", r"(?:heb ik|hebben (?:we|wij))\b"),
}
"""Where a main clause follows a condition without a comma: `when I read this I refunded you`."""


def _masked(text: str, start: int, end: int, values: Sequence[Value]) -> str:
    """Return a stretch of text with its values replaced by words, and without letters that are set apart."""
    parts, place = [], start
    for one in values:
        if one.start >= end:
            break
        parts += [text[place : one.start], " x" + one.kind + " "]
        place = one.end
    parts.append(text[place:end])
    words = _TICK.sub(" done ", " ".join("".join(parts).split()))
    words = _SPACED.sub(lambda found: re.sub(r"[\W_]", "", found[0]), words)
    return _LEET.sub(lambda found: found[0].translate(_DIGIT_LETTERS), words)


_TICK = re.compile(r"[\u2705\u2713\u2714\u2611]\ufe0f?")
_SPACED = re.compile(r"(?<![\w'])(?:[a-zäöü][ ._*~|-]{1,2}){3,40}[a-zäöü](?![\w'])")
"""Letters that are set apart: `c a n c e l l e d`."""
_LEET = re.compile(
    r"\b[a-z]{1,12}(?:[013457]{1,2}[a-z]{1,12}){1,6}(?:[013457]{1,2})?\b"
    r"|\b[013457]{1,2}[a-z]{1,12}(?:[013457]{1,2}[a-z]{1,12}){1,6}(?:[013457]{1,2})?\b"
    r"|\b[a-z]{2,12}[013457]{1,2}[a-z][a-z013457]{1,12}\b"
)
"""Digits inside a word: `c4nc3ll3d`."""
_DIGIT_LETTERS = str.maketrans("013457", "oleast")


_QUOTED = re.compile(r"(?m)^[ \t]*>.*$|\"[^\"\n]{8,600}\"")


def quotations(text: str, thread: str) -> list[tuple[int, int]]:
    """Return the places of quotations in a folded text that stand verbatim in the folded thread."""
    found = []
    for quote in _QUOTED.finditer(text):
        inner = " ".join(quote[0].strip('"> \t').split())
        if inner and inner in thread:
            found.append((quote.start(), quote.end()))
    return found
