"""The parts of headers: encoded words, addresses, dates, ids and parameters, in linear time and for any text."""

from __future__ import annotations

import binascii
import re
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import unquote_to_bytes

from diorama.kit.mail.message import (
    ADDRESSES_AT_MOST,
    PARAMETERS_AT_MOST,
    REFERENCES_AT_MOST,
    Address,
    one_line,
    plain_address,
)

CHARSETS = {
    "big5": "big5", "cp1251": "cp1251", "cp1252": "cp1252", "cp932": "cp932", "euc-jp": "euc_jp", "euc-kr": "euc_kr",
    "gb18030": "gb18030", "gb2312": "gb18030", "gbk": "gb18030", "iso-2022-jp": "iso2022_jp", "koi8-r": "koi8_r",
    "koi8-u": "koi8_u", "ks_c_5601-1987": "cp949", "latin1": "cp1252", "macintosh": "mac_roman",
    "shift_jis": "cp932", "shift-jis": "cp932", "tis-620": "tis_620", "utf-16": "utf_16", "utf-16be": "utf_16_be",
    "utf-16le": "utf_16_le", "utf-32": "utf_32", "iso-8859-1": "cp1252",
    **{f"windows-{page}": f"cp{page}" for page in (874, *range(1250, 1259))},
    **{f"iso-8859-{part}": f"iso8859_{part}" for part in (*range(2, 12), 13, 14, 15, 16)},
}  # fmt: skip
"""Character sets that are read. All others, and wrong ones, are UTF-8 or else Windows-1252."""
_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_DATE = re.compile(
    r"(?:[A-Za-z]{3,9}\.?,?\s{0,9})?([0-9]{1,2})\s{1,9}([A-Za-z]{3})[a-z]{0,6}\s{1,9}([0-9]{4}|[0-9]{2})\s{1,9}"
    r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?\s{0,9}([+-][0-9]{4}|[A-Za-z]{1,5})?"
)
_ZONES = {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
_ID = re.compile(r"<[^<>\s]{1,900}>")
_BARE_ID = re.compile(r"[^\s<>,;]{1,450}@[^\s<>,;]{1,450}")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SPECIALS = frozenset('()<>[]:;@\\,."')
_SAFE_IN_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!*+-/")

# --- texts


def decoded(content: bytes, charset: str) -> str:
    """Return bytes as text, by their character set if it is known and right."""
    codec = CHARSETS.get(charset.partition("*")[0].strip("\"' ").lower(), "utf-8")
    if codec == "utf-8":
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            codec = "cp1252"
    return content.decode(codec, errors="replace")


def words_of(text: str) -> str:
    """Return a header with its encoded words decoded; blanks between two of them are dropped."""
    if "=?" not in text:
        return text
    out, at = list[str](), 0
    run, charset = list[bytes](), ""
    for found in _ENCODED.finditer(text):
        between = text[at : found.start()]
        if run and (between.strip() or found[1].lower() != charset):
            out.append(decoded(b"".join(run), charset))
            run = []
        if between.strip() or not at:
            out.append(between)
        charset = found[1].lower()
        run.append(_word_bytes(found[2], found[3]))
        at = found.end()
    if run:
        out.append(decoded(b"".join(run), charset))
    return "".join([*out, text[at:]])


def _word_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    return from_base64(raw) if encoding in "bB" else binascii.a2b_qp(raw, header=True)


def from_base64(content: bytes) -> bytes:
    """Return what base64 stands for, as far as it can be read."""
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", content.partition(b"=")[0] if content.count(b"=") <= 2 else content)
    kept = kept[: len(kept) - 1] if len(kept) % 4 == 1 else kept
    return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4))


def encoded(text: str, *, first: int = 20) -> str:
    """Return a text for a header, folded: as it is if it is short ASCII, otherwise as encoded words."""
    plain = one_line(text)
    if plain.isascii() and "=?" not in plain and all(len(word) < 900 for word in plain.split()):
        return folded(plain, first)
    return "\r\n ".join(_encoded_words(plain))


def folded(text: str, first: int = 20) -> str:
    """Return a header with line breaks before blanks, so that lines are short where they can be."""
    lines, width = list[str](), first
    for token in re.findall(r"\s*\S+", text):
        if lines and width + len(token) > 76:
            lines.append("\r\n")
            width = 0
        lines.append(token)
        width += len(token)
    return "".join(lines)


def _encoded_words(text: str) -> list[str]:
    words, part, size = list[str](), list[str](), 0
    for character in text:
        raw = character.encode("utf-8")
        written = "".join(chr(one) if one in _SAFE_IN_WORD else "_" if one == 32 else f"={one:02X}" for one in raw)
        if size + len(written) > 48:
            words.append(f"=?UTF-8?Q?{''.join(part)}?=")
            part, size = [], 0
        part.append(written)
        size += len(written)
    return [*words, f"=?UTF-8?Q?{''.join(part)}?="] if part else words


# --- addresses


def read_addresses(text: str) -> tuple[Address, ...]:
    """Return the mailboxes of a header; names of groups and comments are dropped."""
    found = list[Address]()
    for entry in _entries(text):
        name, angle, comment = (" ".join(one_line(words_of(one)).split()) for one in entry)
        email, shown = plain_address(angle), name
        if not email:
            first = next((word for word in name.split() if "@" in word), "")
            email, shown = plain_address(first), comment if first else name
        if email or shown:
            found.append(Address(email, shown if shown != email else ""))
        if len(found) >= ADDRESSES_AT_MOST:
            break
    return tuple(found)


_IN_COMMENT = re.compile(r"\\.|[()]", re.DOTALL)
_PIECES = re.compile(r"\"((?:[^\"\\]|\\.)*)\"?|<([^<>]*)>?|([(])|([,;])|(:)|([^\"<(,;:]+)|(.)", re.DOTALL)


def _entries(text: str) -> list[tuple[str, str, str]]:
    """Return the name, the address in angle brackets and the comment of each mailbox."""
    out, names, angle, comments, at = list[tuple[str, str, str]](), list[str](), "", list[str](), 0
    while at < len(text):
        piece = _PIECES.match(text, at)
        if piece is None:
            break
        at = piece.end()
        if piece[1] is not None:
            quoted = re.sub(r"\\(.)", r"\1", piece[1], flags=re.DOTALL)
            at_sign = text.startswith("@", at)
            names.append(quoted + ("" if at_sign else " "))
        elif piece[2] is not None:
            angle = angle or piece[2]
        elif piece[3]:
            comment, at = _comment(text, at)
            comments.append(comment)
        elif piece[4]:
            out.append(("".join(names).strip(), angle, " ".join(comments)))
            names, angle, comments = [], "", []
        elif piece[5]:
            names = []  # the name of a group
        else:
            names.append(piece[0])
    out.append(("".join(names).strip(), angle, " ".join(comments)))
    return out


def _comment(text: str, at: int) -> tuple[str, int]:
    """Return a comment, and the place behind it; one that is not closed ends at the end of the text."""
    depth, start = 1, at
    for found in _IN_COMMENT.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return text[start : found.start()], found.end()
    return text[start:], len(text)


def write_address(address: Address) -> str:
    """Return a mailbox as it stands in a header."""
    email, name = plain_address(address.email), " ".join(one_line(address.name).split())
    if not name:
        return email if "@" in email or not email else f"<{email}>"
    if not name.isascii() or "=?" in name or max(map(len, name.split())) > 900:
        name = "\r\n ".join(_encoded_words(name))
    elif _SPECIALS & set(name):
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        name = f'"{quoted}"'
    return f"{name} <{email}>"


# --- dates and ids


def read_date(text: str) -> datetime | None:
    """Return the date of a header; None if it is not one."""
    found = _DATE.search(text[:200])
    if found is None or found[2].lower() not in _MONTHS:
        return None
    year = int(found[3]) + (0 if len(found[3]) == 4 else 2000 if int(found[3]) < 50 else 1900)
    zone = (found[7] or "").lower()
    minutes = _ZONES.get(zone, 0) * 60
    if zone[:1] in ("+", "-"):
        minutes = (int(zone[1:3]) * 60 + int(zone[3:])) * (-1 if zone[0] == "-" else 1)
    try:
        place = timezone(timedelta(minutes=minutes)) if minutes else UTC
        month = _MONTHS.index(found[2].lower()) + 1
        date = datetime(year, month, int(found[1]), int(found[4]), int(found[5]), min(int(found[6] or 0), 59), 0, place)
        date.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return date


def write_date(date: datetime) -> str:
    """Return a date as it stands in a header; one without a zone is UTC."""
    aware = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    minutes = int((aware.utcoffset() or timedelta()).total_seconds()) // 60
    zone = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"
    month = _MONTHS[aware.month - 1].title()
    return f"{_DAYS[aware.weekday()]}, {aware.day:02d} {month} {aware.year:04d} {aware:%H:%M:%S} {zone}"


def read_ids(text: str) -> tuple[str, ...]:
    """Return the ids of mails in a header, each once."""
    found = _ID.findall(text) or [f"<{one}>" for one in _BARE_ID.findall(text)]
    ids = list(dict.fromkeys(found))
    return tuple(ids if len(ids) <= REFERENCES_AT_MOST else [ids[0], *ids[1 - REFERENCES_AT_MOST :]])


# --- parameters

_PARAMETER = re.compile(
    r"\s*+;?\s*+([^\s=;\"]{1,100}+)\s*+=\s*+(?:\"((?:[^\"\\]|\\.)*)\"?|([^\s;]*+))[^;]*+", re.DOTALL
)


def read_parameters(text: str) -> tuple[str, dict[str, str]]:
    """Return the value of a header and its parameters, with continued and encoded ones (RFC 2231) put together."""
    value, _, rest = text.partition(";")
    plain, parts = dict[str, str](), dict[str, dict[int, tuple[bool, str]]]()
    at = 0
    for _ in range(PARAMETERS_AT_MOST):
        found = _PARAMETER.match(rest, at)
        if found is None:
            at = rest.find(";", at) + 1
            if not at:
                break
            continue
        at = found.end()
        name = found[1].lower()
        shown = re.sub(r"\\(.)", r"\1", found[2], flags=re.DOTALL) if found[2] is not None else found[3]
        stem, star, tail = name.partition("*")
        number = tail.rstrip("*")
        if star and (not number or (number.isascii() and number.isdigit() and len(number) < 4)):
            parts.setdefault(stem, {}).setdefault(int(number or 0), (name.endswith("*"), shown))
        else:
            plain.setdefault(name, shown)
    return value.strip().lower(), {**plain, **{name: _continued(found) for name, found in parts.items()}}


def _continued(parts: dict[int, tuple[bool, str]]) -> str:
    charset, raw = "utf-8", list[bytes]()
    for place, number in enumerate(sorted(parts)):
        is_encoded, text = parts[number]
        if is_encoded and not place and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        raw.append(unquote_to_bytes(text) if is_encoded else text.encode("utf-8", "replace"))
    return decoded(b"".join(raw), charset)


def write_parameter(name: str, value: str) -> str:
    """Return a parameter for a header, on a line of its own."""
    if _TOKEN.fullmatch(value) and len(value) <= 60:
        return f";\r\n {name}={value}"
    if value.isascii() and len(value) <= 60 and "=?" not in value:
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f';\r\n {name}="{quoted}"'
    written = "".join(chr(one) if one in _SAFE_IN_WORD - {0x2A} else f"%{one:02X}" for one in value.encode())
    pieces = re.findall(r"(?:%..|.){1,20}", written)
    if len(pieces) <= 1:
        return f";\r\n {name}*=UTF-8''{written}"
    pieces[0] = f"UTF-8''{pieces[0]}"
    return "".join(f";\r\n {name}*{number}*={one}" for number, one in enumerate(pieces))
