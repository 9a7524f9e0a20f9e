"""Messy writing: messages, replies with history, forwards and autoresponders as pure functions of dice and facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from html import escape
from typing import Any

import msgspec

from diorama.kernel import Dice
from diorama.people.grammar import Renderer
from diorama.people.material import load
from diorama.people.names import Person
from diorama.people.typos import add_typos
from diorama.people.voices import VOICES, Voice, apply_voice, capitalised

LANGUAGES = ("en", "de", "fr", "es", "nl")


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """A person who writes, and how they write."""

    person: Person
    email: str
    voice: str = "plain"
    phone: str = ""
    company: str = ""
    shop: str = ""
    """What they call the company they write to."""
    shop_name: str = ""

    def facts(self) -> dict[str, str]:
        """Return the facts that a writer can always state about themselves."""
        person = self.person
        known = {"given": person.given, "family": person.family, "name": person.name, "initials": person.initials}
        known["email"] = self.email
        if self.phone:
            known["phone"] = self.phone
        if self.company:
            known["company"] = self.company
        if self.shop:
            known |= {"shop": self.shop, "shop_name": self.shop_name}
        return known


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """One message, and the facts it states."""

    subject: str
    body: str
    language: str
    voice: str
    used: dict[str, str]


def letter(
    dice: Dice,
    writer: Writer,
    topic: Mapping[str, Sequence[str]],
    facts: Mapping[str, str],
    lists: Mapping[str, Sequence[str]],
    language: str = "",
    voice: str = "",
    embroider: bool = True,
    calm: bool = False,
) -> Letter:
    """Write a first message about a topic; without `embroider` it contains only the problem and the request.

    A `calm` topic gets no asides and no pressure.
    """
    language = language or writer.person.language
    manner = VOICES[voice or writer.voice]
    renderer = Renderer(dice, {**writer.facts(), **facts}, lists)
    subject = renderer.fill(_subject(renderer, topic["subjects"], manner, language))
    if renderer.dice.chance(manner.short) and renderer.usable(topic["short"]):
        sentences = [renderer.pick(topic["short"])]
    else:
        sentences = [renderer.pick(topic["say"])]
        if embroider:
            low, high = manner.more
            for phrase in dice.sample(renderer.usable(topic["more"]), dice.integer(low, high)):
                sentences.append(renderer.render(phrase))
        if dice.chance(manner.ask) or not embroider:
            sentences.append(renderer.pick(topic["ask"]))
    if embroider and not calm:
        sentences = _padded(renderer, sentences, manner, language)
    sentences = [sentence for sentence in sentences if sentence]
    if not sentences:
        raise ValueError(f"no phrase about {subject!r} can do with the facts {sorted(facts)} in {language}")
    body = _page(renderer, sentences, manner, language)
    return Letter(subject=subject, body=body, language=language, voice=manner.name, used=renderer.used)


def dress(
    dice: Dice,
    writer: Writer,
    matter: Sequence[str],
    facts: Mapping[str, str] | None = None,
    language: str = "",
    voice: str = "",
    embroider: bool = False,
    keep: Sequence[str] = (),
) -> str:
    """Write given sentences in a person's voice: add greeting, style, typos and signature, but no new statement.

    Sentences may have `{slots}` (filled from facts) and `[a|b]`. Slots, everything with a digit or an `@`, and the
    strings of `keep` are never changed.
    """
    language = language or writer.person.language
    manner = VOICES[voice or writer.voice]
    renderer = Renderer(dice, {**writer.facts(), **(facts or {})})
    sentences = [renderer.render(protect_facts(renderer, sentence, keep)) for sentence in matter if sentence]
    if embroider:
        sentences = _padded(renderer, sentences, manner, language)
    return _page(renderer, sentences, manner, language)


_LITERAL = re.compile(r"[^\s,;:!?()\[\]|{}]*[\d@][^\s,;!?()\[\]|{}]*(?<![.:])")


def protect_facts(renderer: Renderer, text: str, keep: Sequence[str] = ()) -> str:
    """Replace everything that must not be changed by placeholders."""
    for string in keep:
        if string:
            text = text.replace(string, renderer.hole(string))
    return _LITERAL.sub(lambda found: renderer.hole(found[0]), text)


def _subject(renderer: Renderer, subjects: Sequence[str], voice: Voice, language: str) -> str:
    subject = renderer.pick(subjects)
    if voice.name == "angry" and renderer.dice.chance(0.35):
        subject = subject.upper()
    elif voice.name in ("phone", "terse") and renderer.dice.chance(0.4):
        subject = subject.lower()
    if renderer.dice.chance(0.04):
        subject = f"Re: {subject}"
    return add_typos(renderer.dice, subject, voice.typo_rate, language)


def _padded(renderer: Renderer, sentences: list[str], voice: Voice, language: str) -> list[str]:
    """Add an aside before or after the first sentence, and pressure at the end."""
    material, dice = load(language), renderer.dice
    asides = material["asides"].get(voice.name) or material["asides"]["polite"]
    if voice.aside and dice.chance(voice.aside):
        aside = renderer.pick(asides)
        place = 0 if language == "en" and dice.chance(0.3) else 1
        sentences = [*sentences[:place], aside, *sentences[place:]]
    press = dice.weighted(("", "mild", "firm", "furious"), voice.press)
    if press:
        sentences = [*sentences, renderer.pick(material["press"][press])]
    return sentences


def _page(renderer: Renderer, sentences: list[str], voice: Voice, language: str) -> str:
    """Assemble greeting, body, closing and footer."""
    material, dice = load(language), renderer.dice
    greeting = renderer.pick(material["greetings"][voice.name])
    running = language == "de" and greeting.endswith(",")
    first, *rest = sentences
    sentences = [first if running else capitalised(first), *map(capitalised, rest)]
    body = apply_voice(dice, voice, sentences, language)
    closing = renderer.pick(material["closings"][voice.name])
    out = []
    if greeting:
        inline = voice.name in ("phone", "terse") and dice.chance(0.6)
        out.append(greeting + (" " if inline else "\n\n" if dice.chance(0.7) else "\n"))
    out.append(body)
    if closing:
        out.append(("\n" if "\n" not in closing and dice.chance(0.5) else "\n\n") + closing)
    if dice.chance(voice.footer):
        out.append("\n\n" + renderer.pick(material["footers"]["phone"]))
    elif dice.chance(voice.legal):
        out.append("\n\n" + renderer.pick(material["footers"]["legal"]))
    return renderer.fill("".join(out))


# --- history under a message


def quoted(text: str, depth: int = 1) -> str:
    """Quote lines with a mark in front, as mail programs do."""
    return "\n".join("> " * depth + line for line in text.split("\n"))


def with_history(
    dice: Dice, text: str, earlier: str, who: str, address: str, moment: datetime, to: str, subject: str, language: str
) -> str:
    """Write a reply with the earlier message quoted, in the style of some mail program."""
    renderer = Renderer(dice, _headers(who, address, moment, to, subject, language))
    head = renderer.fill(renderer.pick(load(language)["quoting"]["wrote"]))
    below = earlier if head.startswith("---") else quoted(earlier)
    if dice.chance(0.06):
        return f"{head}\n{below}\n\n{text}"
    return f"{text}\n\n{head}\n{below}"


def forwarded(
    dice: Dice, earlier: str, who: str, address: str, moment: datetime, to: str, subject: str, language: str
) -> str:
    """Forward a message with a short introduction."""
    material = load(language)["quoting"]
    renderer = Renderer(dice, _headers(who, address, moment, to, subject, language))
    return renderer.fill(
        f"{renderer.pick(material['passing_on'])}\n\n{renderer.pick(material['forwarded'])}\n\n{earlier}"
    )


def autoresponse(dice: Dice, writer: Writer, subject: str, back: datetime, language: str) -> tuple[str, str]:
    """Return subject and body of an out-of-office reply."""
    material = load(language)["autoresponders"]
    facts = {**writer.facts(), "subject": subject, "date": long_date(back, language)}
    facts.setdefault("company", "")
    renderer = Renderer(dice, facts)
    return renderer.fill(renderer.pick(material["subject"])), renderer.fill(renderer.pick(material["body"])).strip()


def html_mail(text: str, dice: Dice | None = None) -> str:
    """Convert a text into an HTML mail body, in the style of some mail program."""
    safe = escape(text, quote=False)
    style = dice.pick(("plain", "outlook", "web", "phone")) if dice is not None else "plain"
    if style == "outlook":
        lines = "".join(f'<p class="MsoNormal">{line or "&nbsp;"}</p>' for line in safe.split("\n"))
        return f'<div class="WordSection1" style="font-family:Calibri,sans-serif;font-size:11pt">{lines}</div>'
    if style == "web":
        return '<div dir="ltr">' + "".join(f"<div>{line or '<br>'}</div>" for line in safe.split("\n")) + "</div>"
    if style == "phone":
        return f'<div style="overflow-wrap: break-word;">{safe.replace(chr(10), "<br>")}</div>'
    return "".join(f"<p>{part.replace(chr(10), '<br>')}</p>" for part in safe.split("\n\n"))


def _headers(who: str, address: str, moment: datetime, to: str, subject: str, language: str) -> dict[str, str]:
    return {
        "who": who,
        "address": address,
        "to": to,
        "subject": subject,
        "date": long_date(moment, language),
        "time": f"{moment:%H:%M}",
    }


# --- dates and money as people write them


def date_facts(moment: datetime, language: str) -> dict[str, Any]:
    """Return the parts from which a date is written."""
    material = load(language)["dates"]
    day, month = moment.day, material["months"][moment.month - 1]
    ending = "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return {
        "day": day,
        "dd": f"{day:02d}",
        "month": month,
        "mon": month[:3],
        "mm": f"{moment.month:02d}",
        "year": moment.year,
        "month_number": moment.month,
        "ordinal": f"{day}{ending}",
        "weekday": material["weekdays"][moment.weekday()],
    }


def long_date(moment: datetime, language: str) -> str:
    """Return a date in full."""
    return str(load(language)["dates"]["long"].format(**date_facts(moment, language)))


def say_date(dice: Dice, moment: datetime, language: str) -> str:
    """Return a date in one of the forms people use."""
    return str(dice.pick(load(language)["dates"]["forms"]).format(**date_facts(moment, language)))


def written_day(dice: Dice, day: date, language: str, with_year: bool) -> str:
    """Return a day with the name of its month, as people write it: 5 March, March 5, 5. März, 5 de marzo."""
    parts = date_facts(datetime(day.year, day.month, day.day, tzinfo=UTC), language)
    forms = [one for one in load(language)["dates"]["forms"] if one in MONTH_NAMED] or ["{day} {month}"]
    if with_year:
        forms = [load(language)["dates"]["long"]]
    return str(dice.pick(forms).format(**parts))


MONTH_NAMED = ("{day} {month}", "{month} {day}", "{day} {mon}", "{day}. {month}", "{day} de {month}")
"""The forms of dates that cannot be read as another day or as a fraction."""


def say_amount(dice: Dice, cents: int, currency: str, language: str) -> str:
    """Return the exact amount in one of the forms people use."""
    whole, rest = divmod(cents, 100)
    comma = "." if language == "en" else ","
    figure = f"{whole}{comma}{rest:02d}" if rest or dice.chance(0.5) else str(whole)
    sign = {"EUR": "€", "GBP": "£", "USD": "$", "CAD": "$"}.get(currency, f"{currency} ")
    word = EUROS.get(language, "euros") if currency == "EUR" else "dollars" if currency == "CAD" else currency
    if language == "en":
        forms = (f"{sign}{figure}", f"{sign}{figure}", f"{figure} {word}", f"{figure} {currency}")
    else:
        forms = (f"{figure} {sign}", f"{figure}{sign}", f"{figure} {word}", f"{figure} {currency}")
    return dice.pick(forms)


EUROS = {"en": "euro", "nl": "euro", "de": "Euro"}


def calendar_words() -> set[str]:
    """Return every word that a written date or amount may contain, in lower case."""
    found = {"eur", "gbp", "cad", "euro", "euros", "pounds", "dollars", "st", "nd", "rd", "th", "of", "the", "de"}
    for language in LANGUAGES:
        dates = load(language)["dates"]
        for word in (*dates["months"], *dates["weekdays"]):
            found |= {word.lower(), word[:3].lower()}
    return found
