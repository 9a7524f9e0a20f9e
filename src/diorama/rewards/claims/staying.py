"""What stays as it is: a wish that nothing changes is granted by doing nothing."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause

_STAYS = {
    "en": re.compile(
        r"\b(?:stays?|remains?|remained|unchanged|untouched|as (?:it|they|things) (?:is|are|was|were)|left (?:it|all"
        r"|everything|them|your|the)|leave (?:it|everything|all)|leaving|keeps?|kept|goes on|continues?"
        r"|nothing (?:changes|has changed|changed|was|has been|is)|no change|not (?:changed|touched)"
        r"|haven't (?:changed|touched)|did not (?:change|touch))\b"
    ),
    "de": re.compile(
        r"\b(?:bleib(?:t|en|e)|geblieben|unverändert|wie (?:es|sie|er) (?:ist|war|sind|waren)|wie (?:bisher"
        r"|gehabt|zuvor)"
        r"|belassen|gelassen|lasse[n]?|beim alten|nichts (?:geändert|verändert)|ändert sich nichts|nichts wird geändert"
        r"|nicht (?:geändert|angefasst|angerührt)|läuft weiter|laufen weiter)\b"
    ),
    "fr": re.compile(
        r"\b(?:reste(?:nt|ra)?|inchangee?s?|rien ne (?:change|changera|bouge)|rien n'(?:a change|a ete|est)"
        r"|rien (?:change|modifie)|tel(?:le)?s? quel(?:le)?s?|comme (?:avant|c'est|c'etait)|laisse\w*|garde\w*"
        r"|continue\w*"
        r"|ne change(?:nt)? (?:pas|rien)|conserv\w+)\b"
    ),
    "es": re.compile(
        r"\b(?:sigue[n]?|queda[n]?|igual|sin cambios|no (?:cambia|ha cambiado|hemos cambiado|he cambiado|se cambia)\w*"
        r"|nada (?:cambia|ha cambiado)|como (?:esta|estaba|antes)[n]?|mantiene[n]?|mantenemos|dejado|dejo|dejamos"
        r"|conserva[n]?|continua[n]?)\b"
    ),
    "nl": re.compile(
        r"\b(?:blij(?:ft|ven|f)|gebleven|ongewijzigd|onveranderd|zoals (?:het|ze|hij) (?:is|was|zijn|waren)"
        r"|bij het oude"
        r"|gelaten|laten|niets (?:gewijzigd|veranderd|aangepast)|verandert (?:er )?niets|er verandert niets|loopt door"
        r"|loopt gewoon door|niet (?:gewijzigd|aangepast|veranderd))\b"
    ),
}
_AS_WISHED = re.compile(
    r"\b(?:as|just as|like|the way) you (?:\w+ )?(?:wish|want|ask|request|like|prefer)\w*|\bas (?:requested"
    r"|wished|asked)\b"
    r"|\b(?:in line|in keeping) with your (?:wish|request)\w*|\bwunsch\w*|\bgewünscht\b|\bsouhait\w+|\bdemand\w+"
    r"|\bvoul\w+"
    r"|\bdese\w+|\bpidi\w+|\bpedi\w+|\bquer\w+|\bgewenst\b|\bwens\w*|\bgevraagd\b|\bverzo\w+|\bwilde\w?\b"
)


def keeps_as_wished(clauses: Sequence[Clause], clause: Clause) -> bool:
    """Check whether a sentence says that, as the customer wished, everything stays as it is."""
    sentence = [one.words for one in clauses if one.sentence == clause.sentence]
    stays = _STAYS[clause.language]
    return _AS_WISHED.search(clause.words) is not None and any(stays.search(one) for one in sentence)
