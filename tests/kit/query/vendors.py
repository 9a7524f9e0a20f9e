"""Query languages of six vendors in a few lines each, over one small table of issues."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from diorama.kernel import to_us
from diorama.kit import query as kit
from diorama.kit.query import (
    COMPARES,
    EQUALS,
    MATCHES,
    Dates,
    Function,
    FunctionCall,
    Grammar,
    Node,
    QueryField,
    Reader,
    Row,
    Sql,
    Table,
)

NOW = datetime(2026, 3, 2, 12, 30, tzinfo=UTC)


class Context(msgspec.Struct, frozen=True):
    """Who asks, and when."""

    me: str = "mara"
    now: datetime = NOW


class Vendor(msgspec.Struct, frozen=True):
    """A language, what its fields mean, and conditions to build queries of."""

    grammar: Grammar
    table: Table[Context]
    samples: str

    def conditions(self) -> list[Node]:
        """Return the sample conditions, parsed."""
        texts = " ".join(self.samples.split()).split("; ")
        return [node for text in texts if (node := kit.parse(self.grammar, text).where) is not None]


SCHEMA = """
CREATE TABLE issues (
    id INTEGER PRIMARY KEY, title TEXT, body TEXT, owner TEXT, points INTEGER, done INTEGER, labels TEXT,
    created INTEGER
);
CREATE VIRTUAL TABLE issues_search USING fts5(title, body, content='issues', content_rowid='id');
"""

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
COMPARED = {":": "=", "=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def _dates(dates: Dates) -> Reader[Context]:
    return dates.reader(lambda context: context.now)


def _words(columns: tuple[str, ...] = (), operators: dict[str, str] = MATCHES) -> QueryField[Context]:
    return kit.words(
        "issues_search", columns, operators, of="issues.id", keys=columns or ("title", "body"), prefix=True
    )


def _person(me: str) -> Reader[Context]:
    """Read a name; this word stands for the caller."""
    return lambda context, value: context.me if kit.text(context, value) == me else kit.text(context, value)


# --- JQL: strict, functions, lists, ORDER BY, NULL is unknown


def _null(read: Reader[Context]) -> Reader[Context]:
    return kit.nullable(read, "empty", "null")


_JQL_DATES: Reader[Context] = kit.with_functions(
    _dates(Dates({"h": HOUR, "d": DAY, "w": 7 * DAY}, unsigned="future")),
    {
        "now": lambda context, args: to_us(context.now),
        "startofday": lambda context, args: to_us(datetime(2026, 3, 2, tzinfo=UTC)),
    },
)
_PERSON: Reader[Context] = kit.with_functions(
    _person(""),
    {"currentuser": lambda context, args: context.me, "membersof": lambda context, args: ["mara", "oleg"]},
)
JQL = Vendor(
    Grammar(
        strict=True,
        operators={name: name for name in (*COMPARED, "~", "!~", "in", "not in", "is", "is not") if name != ":"},
        list_operators=frozenset({"in", "not in"}),
        aliases={"summary": "title"},
        quotes="\"'",
        escape="\\",
        ands=("AND", "&&"),
        ors=("OR", "||"),
        nots=("NOT", "!"),
        calls=True,
        order=True,
    ),
    Table(
        fields={
            "title": kit.combined(_words(("title",), {"~": "=", "!~": "!="}), kit.column("title", _null(kit.text))),
            "assignee": kit.column("owner", _null(_PERSON), EQUALS),
            "story points": kit.column("points", _null(kit.integer)),
            "labels": kit.members("labels", _null(kit.text)),
            "created": kit.column("created", _null(_JQL_DATES)),
        },
        three_valued=True,
    ),
    """
        title ~ steam; title ~ 'wand leaks'; summary !~ leak; title is EMPTY; title = "Steam wand";
        assignee = currentUser(); assignee != oleg; assignee in membersOf('x y'); assignee not in (mara, ana);
        assignee is not null; "story points" = 3; "Story Points" != 3; "story points" >= 2; "story points" < 5;
        "story points" in (1, 2, EMPTY); "story points" is EMPTY; labels in (bug, ui); labels not in (bug);
        labels is EMPTY; created >= -1d; created < 2026-03-01; created = 2026-03-01; created <= startOfDay();
        created > now()
    """,
)


# --- SOQL's WHERE: strict, LIKE, no mixing of AND and OR, NULL is a value

SOQL = Vendor(
    Grammar(
        strict=True,
        operators={
            "=": "=",
            "!=": "!=",
            "<>": "!=",
            "<": "<",
            "<=": "<=",
            ">": ">",
            ">=": ">=",
            "like": "like",
            "in": "in",
            "not in": "not in",
        },
        list_operators=frozenset({"in", "not in"}),
        quotes="'",
        escape="\\",
        ands=("AND",),
        ors=("OR",),
        nots=("NOT",),
        mixed=False,
        order=True,
        clauses=("LIMIT", "OFFSET"),
    ),
    Table(
        fields={
            "name": kit.combined(
                kit.column("title", kit.nullable(kit.text, "null"), nocase=True, null_differs=True),
                kit.like("title", {"like": "="}),
            ),
            "amount": kit.column("points", kit.nullable(kit.integer, "null"), null_differs=True),
            "isclosed": kit.column("done", kit.flag, EQUALS),
            "createddate": kit.column("created", _dates(Dates({}, {"today": 0, "yesterday": -1}))),
        }
    ),
    """
        Name = 'steam WAND'; Name != 'x'; Name LIKE '%leak%'; Name LIKE '_team%'; Name = null; Amount <> 3;
        Amount > 2; Amount != null; Amount NOT IN (1, 2); Amount <= 3; IsClosed = true; IsClosed != false;
        CreatedDate = YESTERDAY; CreatedDate > 2026-02-28T10:00:00Z; CreatedDate <= TODAY
    """,
)


# --- Gmail's q: lenient, braces, OR before AND

GMAIL = Vendor(
    Grammar(operators={":": ":"}, signs="-", ands=("AND",), ors=("OR",), groups=True, braces=True, or_first=True),
    Table(
        fields={
            "subject": _words(("title",)),
            "from": kit.contains("owner"),
            "label": kit.members("labels"),
            "after": kit.column("created", _dates(Dates({})), {":": ">="}),
            "before": kit.column("created", _dates(Dates({})), {":": "<"}),
            "newer_than": kit.column("created", _dates(Dates({"d": DAY})), {":": ">="}),
            "is": kit.column("done", lambda context, value: int(kit.text(context, value) == "read"), EQUALS),
        },
        text=_words(),
        lenient=True,
    ),
    """
        steam; "wand leaks"; ***; subject:steam; subject:"wand leaks"; from:mar; from:OLEG; label:bug; label:ui;
        after:2026-03-01; after:nonsense; before:2026-03-02; newer_than:2d; is:read; is:unread
    """,
)


# --- Slack: lenient and flat; repeated fields are alternatives

SLACK = Vendor(
    Grammar(operators={":": ":"}, signs="-"),
    Table(
        fields={
            "from": kit.column("owner", _person("me"), EQUALS),
            "has": kit.members("labels", lambda context, value: kit.text(context, value).strip(":")),
            "on": kit.column("created", _dates(Dates({}, {"today": 0, "yesterday": -1})), EQUALS),
        },
        text=_words(),
        lenient=True,
    ),
    """
        steam; "wand leaks"; from:me; from:oleg; has::bug:; on:yesterday; on:2026-03-02
    """,
)


# --- GitHub: lenient, comparisons, ranges, comma lists, hyphens in names

GITHUB = Vendor(
    Grammar(
        operators={":": ":", ":>": ">", ":>=": ">=", ":<": "<", ":<=": "<="},
        field_name=r"[A-Za-z][\w-]*",
        signs="-",
        ands=("AND",),
        ors=("OR",),
        nots=("NOT",),
        groups=True,
        commas=True,
    ),
    Table(
        fields={
            "label": kit.members("labels"),
            "assigned-to": kit.column("owner", _person("@me")),
            "comments": kit.column("points", kit.ranged(kit.integer), COMPARES),
            "created": kit.column("created", kit.ranged(_dates(Dates({}))), COMPARES),
            "no": QueryField(
                lambda context, test: Sql("labels = '[]'"), lambda context, test, row: row["labels"] == []
            ),
        },
        text=_words(),
        lenient=True,
    ),
    """
        steam; label:bug,"needs work"; label:ui; assigned-to:@me; assigned-to:oleg; comments:2..4; comments:>2;
        comments:<=3; comments:*..2; comments:*..*; comments:>many; created:2026-03-01..2026-03-02;
        created:<2026-03-01; created:2026-03-01; no:label
    """,
)


# --- OData's $filter: strict, word operators, functions that are conditions


def _name_and_text(call: FunctionCall) -> tuple[str, str]:
    if len(call.args) != 2 or any(isinstance(arg, FunctionCall) for arg in call.args):
        raise kit.QueryError("bad_value", call.name)
    return kit.text(None, call.args[0]), kit.text(None, call.args[1])


def _startswith(context: Context, call: FunctionCall) -> Sql:
    name, start = _name_and_text(call)
    return Sql(f"substr({name}, 1, ?) = ?", (len(start), start))


def _startswith_holds(context: Context, call: FunctionCall, row: Row) -> bool | None:
    name, start = _name_and_text(call)
    found: Any = row[name]
    return None if found is None else found.startswith(start)


ODATA = Vendor(
    Grammar(
        strict=True,
        operators={"eq": "=", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<=", "in": "in"},
        list_operators=frozenset({"in"}),
        quotes="'",
        ands=("and",),
        ors=("or",),
        nots=("not",),
        calls=True,
    ),
    Table(
        fields={"points": kit.column("points", kit.nullable(kit.integer, "null")), "owner": kit.column("owner")},
        functions={"startswith": Function(_startswith, _startswith_holds)},
        three_valued=True,
    ),
    """
        points eq 3; points ne null; points gt 2; points in (1, 3); owner eq 'mara'; owner lt 'n';
        startswith(owner, 'ma')
    """,
)

VENDORS = {"jql": JQL, "soql": SOQL, "gmail": GMAIL, "slack": SLACK, "github": GITHUB, "odata": ODATA}
