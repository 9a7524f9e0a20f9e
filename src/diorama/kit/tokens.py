"""The forms of tokens that worlds mint: in the vendor's format, with the mark of the episode outside.

Inside a world a token is shorter: the mark belongs to the episode, and forks of a world must not share tokens.
Outside, the mark is masked by the rest of the token, so that two tokens of an episode have nothing in common.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256

from diorama.kernel import Company
from diorama.kit.credential_kinds import ALPHABETS, SLOT, check_form, drawn

MARK = 16
"""The number of hexadecimal digits of an episode's mark."""
_HEX = set(ALPHABETS["hex"])
_SAFE = re.compile(r"[A-Za-z0-9._~-]*")


class TokenForm:
    """The form of one kind of token, as clients see it: `xoxb-{digits:12}-{digits:13}-{alnum:24}`.

    The mark of the episode is the end of the last slot that has room for it. Begin the form with fixed characters if
    the vendor does: doors find such tokens faster.
    """

    def __init__(self, form: str) -> None:
        check_form(form)
        parts = SLOT.split(form)  # text, then name and length of a slot, then text, ...
        if not all(_SAFE.fullmatch(text) for text in parts[::3]):
            raise ValueError(f"the token form {form!r} has characters that URLs escape; use letters, digits and ._~-")
        slots = [(name, int(length)) for name, length in zip(parts[1::3], parts[2::3], strict=True)]
        marked = [at for at, slot in enumerate(slots) if slot[1] >= MARK and set(ALPHABETS.get(slot[0], "")) >= _HEX]
        if not marked:
            raise ValueError(f"the token form {form!r} needs a hex, alnum or url slot of at least {MARK} characters")
        self.form, self.start = form, parts[0].encode()
        texts = parts[::3]
        slots[marked[-1]] = (slots[marked[-1]][0], slots[marked[-1]][1] - MARK)
        self.inside = texts[0] + "".join(
            f"{{{name}:{length}}}{text}" for (name, length), text in zip(slots, texts[1:], strict=True)
        )
        check_form(self.inside)
        classes = [_class(name) for name, _ in slots]
        cut = marked[-1] + 1
        head = re.escape(texts[0]) + "".join(_pieces(slots[:cut], classes, texts[1:cut]))
        tail = re.escape(texts[cut]) + "".join(_pieces(slots[cut:], classes[cut:], texts[cut + 1 :]))
        before = f"(?<!{classes[0]})" if set(texts[0]) <= set(ALPHABETS[slots[0][0]]) else ""
        after = "" if texts[-1] else f"(?!{classes[-1]})"
        self.pattern_inside = f"{before}({head})({tail}){after}"
        self.pattern_outside = f"{before}({head})([0-9a-f]{{{MARK}}})({tail}){after}"

    def mint(self, draw: Callable[[int, str], str]) -> str:
        """Return a token as the world holds it; `draw(length, alphabet)` gives random characters."""
        return drawn(self.inside, draw)


def _class(name: str) -> str:
    return f"[{re.escape(ALPHABETS[name])}]"


def _pieces(slots: list[tuple[str, int]], classes: list[str], texts: list[str]) -> Iterable[str]:
    for at, (_, length) in enumerate(slots):
        yield f"{classes[at]}{{{length}}}{re.escape(texts[at]) if at < len(texts) else ''}"


class Tokens:
    """All forms of the tokens that a product or a company mints: finds them in data, and adds or removes marks."""

    def __init__(self, forms: Iterable[TokenForm]) -> None:
        known = list({form.form: form for form in forms}.values())
        self._starts = tuple(form.start for form in known)
        self._inside = re.compile("|".join(form.pattern_inside for form in known).encode())
        self._outside = re.compile("|".join(form.pattern_outside for form in known).encode())

    def _may_be_in(self, data: bytes) -> bool:
        for start in self._starts:  # noqa: SIM110 # any() takes twice as long, at four places of every request
            if start in data:
                return True
        return False

    def is_token(self, text: str) -> bool:
        """Check whether a text has the form of a token as the world holds it."""
        data = text.encode("utf-8", "replace")
        return self._may_be_in(data) and self._inside.fullmatch(data) is not None

    def found_in(self, data: bytes) -> list[str]:
        """Return the tokens in data, as the world holds them."""
        if not self._may_be_in(data):
            return []
        return [found[0].decode() for found in self._inside.finditer(data)]

    def outward(self, data: bytes, mark: str) -> bytes:
        """Add the episode's mark to every token in data for the client."""
        if not self._may_be_in(data):
            return data
        return self._inside.sub(lambda found: _joined(found, 2, mark), data)

    def inward(self, data: bytes, mark: str) -> bytes:
        """Remove the episode's mark from its own tokens in data for the world; leave other tokens unchanged."""
        if not self._may_be_in(data):
            return data
        return self._outside.sub(lambda found: _joined(found, 3) if _mark_of(found) == mark else found[0], data)

    def mark_in(self, data: bytes) -> str:
        """Return the episode mark of the first token in a text, or an empty string."""
        found = self._outside.search(data) if self._may_be_in(data) else None
        return _mark_of(found) if found else ""


def _groups(found: re.Match[bytes], count: int) -> tuple[bytes, ...]:
    """Return the groups of the form that was found, one of several alternatives."""
    last = found.lastindex or count
    return found.group(*range(last - count + 1, last + 1))


def _joined(found: re.Match[bytes], count: int, mark: str = "") -> bytes:
    groups = _groups(found, count)
    return groups[0] + (_masked(mark, groups[0] + groups[-1]) if mark else "").encode() + groups[-1]


def _mark_of(found: re.Match[bytes]) -> str:
    """Return the mark in a token as clients see it."""
    head, masked, tail = _groups(found, 3)
    return _masked(masked.decode(), head + tail)


def _masked(mark: str, rest: bytes) -> str:
    """Mask a mark with the rest of its token, or remove the mask."""
    return f"{int(mark, 16) ^ int.from_bytes(sha256(rest).digest()[: MARK // 2], 'big'):0{MARK}x}"


@lru_cache(maxsize=64)
def _tokens(forms: tuple[str, ...]) -> Tokens:
    return Tokens(map(TokenForm, forms))


def tokens_of(company: Company) -> Tokens | None:
    """Return the tokens that a company's apps mint, or None: one app may hold a token of another, so doors see all."""
    found = [getattr(app.product, "grants", None) for app in company.apps]
    forms = dict.fromkeys(form.form for grants in found if grants is not None for form in grants.forms.values())
    return _tokens(tuple(forms)) if forms else None
