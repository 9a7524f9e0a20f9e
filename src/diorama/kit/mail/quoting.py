"""What the sender of a mail wrote, without the mail that is quoted and the signature."""

from __future__ import annotations

import re

LINES_OF_ATTRIBUTION = 3
"""Over how many lines the sentence before a quote may run."""
_LONGEST_LINE = 400

_SENTENCE = re.compile(
    r"\s*(?:"
    r"On\b.{5,600}\bwrote\s?:"
    r"|(?:Am|Den)\b.{5,600}\bschrieb\b.{0,200}:"
    r"|Le\b.{5,600}\ba\s(?:é|e\u0301)crit\s?:"
    r"|El\b.{5,600}\bescribi(?:ó|o\u0301)\s?:"
    r"|Op\b.{5,600}\bschreef\b.{0,200}:"
    r"|.{3,300}(?:<\S{3,200}>|\S@\S{2,200})\s(?:wrote|schrieb|a écrit|escribió|schreef)(?:\s.{0,100})?\s?:"
    r")\s*",
    re.DOTALL,
)
"""The sentence before a quote: "On 5 Jan 2026, Ann wrote:", in five languages."""
_STARTS = re.compile(r"\s*(?:On|Am|Den|Le|El|Op)\b|.*(?:wrote|schrieb|écrit|escribió|schreef)")
_DIVIDER = re.compile(
    r"\s*(?:[-_]{2,}\s?(?:Original Message|Forwarded message|Original-Nachricht|Ursprüngliche Nachricht"
    r"|Weitergeleitete Nachricht|Message d'origine|Message original|Message transféré|Mensaje original"
    r"|Mensaje reenviado|Oorspronkelijk bericht|Doorgestuurd bericht)\s?[-_]{2,}|_{20,})\s*",
    re.IGNORECASE,
)
_FIRST_FIELD = re.compile(r"\s*\*?(?:From|Von|De|Van)\s?:\*?\s+\S")
_NEXT_FIELD = re.compile(
    r"\s*\*?(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado(?: el)?|Fecha|Para|Asunto"
    r"|Verzonden|Aan|Onderwerp)\s?:\*?(?:\s|$)"
)
_SIGNATURE = re.compile(r"-- ?")


def new_text(plain: str) -> str:
    """Return what the sender of a mail wrote: without quotes, the lines that announce them, and the signature.

    A sentence like "On 5 Jan 2026, Ann wrote:" cuts off everything after it, unless lines with `>` follow: then only
    those are dropped, and answers between them stay.
    """
    lines = plain.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept, at = list[str](), 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(">"):
            at += 1
            continue
        if _SIGNATURE.fullmatch(line) and kept:
            at = _after_signature(lines, at)
            continue
        length = _attribution(lines, at)
        if length and _is_quoted(lines, at + length):
            at += length
            continue
        if length or _divides(lines, at):
            break
        kept.append(line)
        at += 1
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in kept)).strip()


def _after_signature(lines: list[str], at: int) -> int:
    """Return the line behind a signature: the next quote, or the end."""
    while at < len(lines) and not lines[at].startswith(">"):
        at += 1
    return at


def _attribution(lines: list[str], at: int) -> int:
    """Return over how many lines the sentence before a quote runs; 0 if a line does not start one."""
    if len(lines[at]) > _LONGEST_LINE or not _STARTS.match(lines[at]):
        return 0
    for length in range(1, LINES_OF_ATTRIBUTION + 1):
        part = lines[at : at + length]
        if len(part) < length or not part[-1].strip() or len(part[-1]) > _LONGEST_LINE or part[-1].startswith(">"):
            return 0
        if part[-1].rstrip().endswith(":") and _SENTENCE.fullmatch(" ".join(part)):
            return length
    return 0


def _is_quoted(lines: list[str], at: int) -> bool:
    """Check whether the next line that is not empty is quoted."""
    for line in lines[at : at + 3]:
        if line.strip():
            return line.startswith(">")
    return False


def _divides(lines: list[str], at: int) -> bool:
    """Check whether a line starts a mail that is quoted as a whole: a divider, or the headers that Outlook writes."""
    line = lines[at][:_LONGEST_LINE]
    if _DIVIDER.fullmatch(line):
        return not line.strip().startswith("____") or any(
            _FIRST_FIELD.match(one[:200]) for one in lines[at + 1 : at + 3]
        )
    fields = [one for one in lines[at + 1 : at + 5] if _NEXT_FIELD.match(one[:200])]
    return _FIRST_FIELD.match(line) is not None and len(fields) >= 2
