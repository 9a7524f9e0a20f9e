"""Texts that assert nothing, or take back what an earlier one said: quotations, dreams, second thoughts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.relations import Wrong
from diorama.rewards.claims.spans import by_sentence

LEAD = 60
"""How many characters before a quotation are only a greeting."""
SHORT = 260
"""How long a mail is at most that only takes another one back."""
_NOT_SAID: Wrong = ("retraction", "words that hold", "the text says that it, or an earlier one, is not to be believed")
_NOT_OURS: Wrong = (
    "retraction",
    "words of the writer",
    "all that is told stands in a quotation, a dream or a signature",
)


def frames(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the places where a text says that nothing of it, or of an earlier one, is meant."""
    if not clauses:
        return
    if _QUOTED.search(text, 0, LEAD + 80) and _is_all_quoted(text):
        yield clauses[0], _NOT_OURS
    made, short, asked = bool(case.new_deeds), len(text) <= SHORT, False
    for sentence in by_sentence(clauses):
        first = sentence[0]
        answers, asked = asked, text[slice(*first.sentence)].rstrip().endswith("?")
        said = " ".join(_SIGNS.sub(" ", text[slice(*first.sentence)]).split())
        if asked:
            continue
        alone = not answers and _ALONE.fullmatch(said) is not None
        back = made and (_BACK.search(said) or (short and _BACK_ALONE.search(said)))
        if alone or back or _NOT_FOR_YOU.search(said):
            yield first, _NOT_SAID


def _is_all_quoted(text: str) -> bool:
    """Check whether a text is a greeting and then words of someone else, up to its end."""
    found = _QUOTED.search(text, 0, LEAD + 80)
    return found is not None and found.start() <= LEAD and len(text) - found.end() > LEAD // 2


_SIGNS = re.compile(r"[^\w']+")
_QUOTED = re.compile(
    r"-{3,} ?(?:original message|ursprüngliche nachricht|message d'origine|message original|mensaje original"
    r"|oorspronkelijk bericht)|(?:^|\n)-- ?\n"
    r"|\b(?:colleague|somebody|someone|swindler|scammer|stranger|kolleg\w+|jemand|betrüger|collegue|quelqu'un|escroc"
    r"|companer[oa]|alguien|estafador|collega|iemand|oplichter) (?:\w+ ){0,4}?(?:wrote|writes|said|says"
    r"|send \w+ this text"
    r"|schrieb|schreibt|sagte|a ecrit|ecrit|a dit|escribio|dijo|schreef|zei)(?: \w+){0,2}\s?:"
    r"|\b(?:(?:in a dream|dreamt|dreamed)|im traum|getraumt|geträumt|dans un reve|j'ai reve|en un sueno|sone"
    r"|in een droom"
    r"|gedroomd)\b[^.:\n]{0,40}:|\byou wrote that we said\s?:"
)
"""How words of someone else, a signature or a dream begin."""
_ALONE = re.compile(
    r"(?:(?:or )?at least (?:i|we) (?:dreamt|dreamed|imagined) (?:so|it|that)|(?:ha ?)+ ?of course not|well not really"
    r"|not really|(?:of course )?the (?:exact |very )?opposite is (?:true|the case)"
    r"|of course the opposite is the case|i wish"
    r"|unless (?:i|we) (?:clicked on|clicked|pressed|hit) the wrong (?:button|key|one)"
    r"|(?:zumindest|jedenfalls) habe ich das geträumt|(?:ha ?)+ ?natürlich nicht|na ja nicht wirklich|nicht wirklich"
    r"|das (?:genaue )?gegenteil ist (?:wahr|der fall|richtig)|es sei denn ich habe (?:auf )?den falschen knopf \w+"
    r"|du moins (?:je l'ai|l'ai je|l'ai-je) reve|(?:ha ?)+ ?bien sur que non|enfin pas vraiment|pas vraiment"
    r"|c'est (?:exactement |tout )?le contraire(?: qui est vrai)?|le contraire est vrai"
    r"|sauf si j'ai (?:clique|appuye) sur le mauvais bouton"
    r"|al menos (?:eso|asi) (?:lo )?(?:sone|he sonado)|(?:ja ?)+ ?claro que no|bueno no (?:realmente|de verdad"
    r"|del todo)"
    r"|(?:es )?(?:justo |exactamente )?(?:lo contrario|al contrario)(?: es (?:cierto|verdad))?"
    r"|a no ser que haya pulsado el boton equivocado"
    r"|tenminste dat heb ik gedroomd|(?:ha ?)+ ?natuurlijk niet|nou niet echt|niet echt"
    r"|het (?:tegendeel|omgekeerde) is waar|tenzij ik op de verkeerde knop heb (?:gedrukt|geklikt))"
)
"""Whole sentences that take back what stands before them."""
_WHO = r"(?:manager|lead|team lead|boss|supervisor)"
_BACK = re.compile(
    rf"\bmy {_WHO} (?:did not|didn't|does not|doesn't) (?:agree|approve)|\b(?:i|we)(?: have)? (?:mixed"
    rf"|confused) you (?:up )?with"
    r"|\bthis does not concern you|\bmail was meant for (?:another|someone|somebody)|\b(?:i"
    r"|we) wrote (?:to you )?too (?:early|soon)"
    r"|\byou paid too little|\bnothing will reach you"
    r"|\b(?:put|set) (?:everything|it all|all of it) back"
    r"(?! (?:as (?!it|they|things|everything)|on|onto|into|in|to your ))"
    r"|\bcolleague has (?:since|meanwhile|now) (?:reversed|undone|cancelled|revoked)|\bwrong you get nothing"
    r"|\b(?:meine|mein) (?:chefin|chef|teamleitung|vorgesetzter?) (?:hat nicht|war nicht|stimmt nicht|hat dem nicht)"
    r"|\b(?:habe|haben) sie (?:mit jemand\w* )?verwechselt|\b(?:habe|haben) (?:ich "
    r"|wir )?(?:ihnen )?zu früh geschrieben"
    r"|\bsie haben zu wenig (?:be)?gezahlt"
    r"|\b(?:habe|musste) (?:ich )?alles (?:wieder )?(?:zurückgenommen|zurückgestellt|zurückgesetzt"
    r"|zurücknehmen|zurückstellen|rückgängig)"
    r"|\bkolleg\w+ hat (?:es|das|alles) (?:inzwischen |seither |wieder )*(?:rückgängig|zurückgenommen|storniert)"
    r"|\bma (?:responsable|chef\w*) n'a pas (?:accepte|donne)|\b(?:vous ai|vous avons) confondu|\becrit trop tot"
    r"|\bvous avez (?:trop peu|pas assez) paye"
    r"|\b(?:tout remis|remettre tout|tout remettre) (?:comme|en (?:l'etat|place))"
    r"|\bcollegue l'a (?:annule|retire)|\b(?:mi jef[ae]|mi responsable|mi superior) no (?:estuvo|esta|lo ha|ha)"
    r"|\b(?:le he|te he|le hemos) confundido|\b(?:escribi|he escrito) demasiado pronto|\bpago demasiado poco"
    r"|\b(?:dejar|dejado|devolver) todo como estaba|\bcompaner[oa] lo ha (?:anulado|revertido|deshecho)"
    r"|\bmijn (?:leidinggevende|manager|chef|baas) (?:ging niet|is het niet|heeft het niet|was het niet)"
    r"|\b(?:heb|hebben) (?:ik |we )?u (?:met iemand (?:anders )?)?verward|\bte vroeg geschreven"
    r"|\bu hebt te weinig betaald"
    r"|\balles (?:terugzetten|teruggezet|teruggedraaid|terugdraaien)(?! (?:als|op|naar|in) )"
    r"|\bcollega heeft (?:het|dit|alles) (?:inmiddels |intussen |weer )*(?:teruggedraaid|ongedaan|geannuleerd"
    r"|ingetrokken)"
)
"""What takes a whole matter back, wherever it stands."""
_BACK_ALONE = re.compile(
    r"^(?:hello again |hello |hi )?(?:sorry |unfortunately )?(?:we|i) have (?:since |now )?stopped (?:it|this"
    r"|everything)$"
    r"|\bso it will not happen"
    r"|\bwird (?:es )?nicht (?:passieren|geschehen)|\bwir haben es gestoppt$"
    r"|\bnous l'avons (?:arrete|stoppe)$"
    r"|\blo hemos (?:parado|detenido)$|\bwe hebben het (?:gestopt"
    r"|tegengehouden)$"
    r"|\bgaat (?:het )?niet door$|\bcela ne se fera pas"
)
"""What takes a matter back in a mail of its own."""
_NOT_FOR_YOU = re.compile(
    r"\b(?:i|we)(?: have)? (?:mixed|confused) you (?:up )?with|\bmail was meant for (?:another|someone|somebody)"
    r"|\b(?:i|we) wrote (?:to you )?too (?:early|soon)|\b(?:habe|haben) (?:ich "
    r"|wir )?sie (?:mit \S+ (?:\S+ )?)?verwechselt"
    r"|\bzu früh geschrieben|\b(?:vous ai|vous avons) confondu|\becrit trop tot|\b(?:le|la|te) (?:he"
    r"|hemos) confundido con"
    r"|\b(?:escribi|he escrito) demasiado pronto|\bu (?:met iemand (?:anders )?)?verward|\bte vroeg geschreven"
)
"""What makes a mail one for someone else, or of no use, whatever was done."""
