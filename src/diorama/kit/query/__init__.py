"""A kit for vendors' query languages: declare a grammar and a table of fields, get SQL and a naive evaluator.

    query = parse(GRAMMAR, 'status:open -tags:vip "steam wand"')
    condition = compile_query(TABLE, context, query.where)

`Grammar` says how the vendor writes queries, `parse` makes a tree of And, Or, Not, Test, FunctionCall and Text,
`write` turns it into text again. A `Table` says what each field means: `compile_query` makes SQL, `evaluate` answers
for one plain record, for property tests. `QueryError` says what is wrong with a query; the app words it as its vendor
does.
"""

from diorama.kit.query.compile import compile_order, compile_query
from diorama.kit.query.errors import LIMITS, QueryError, QueryLimits
from diorama.kit.query.evaluate import evaluate, ordered
from diorama.kit.query.fields import COMPARES, EQUALS, MATCHES, column, combined, contains, like, members, words
from diorama.kit.query.full_text import full_text
from diorama.kit.query.grammar import Grammar
from diorama.kit.query.parse import parse
from diorama.kit.query.sql import FALSE, TRUE, Sql, both, either, negate, one_of
from diorama.kit.query.table import Function, QueryField, Row, Table
from diorama.kit.query.tree import (
    And,
    FunctionCall,
    Node,
    Not,
    Or,
    Order,
    ParsedQuery,
    Test,
    Text,
    Value,
    all_of,
    alternatives,
    any_of,
    leaves,
    parts_of,
)
from diorama.kit.query.values import (
    Dates,
    Reader,
    Span,
    bad_value,
    flag,
    integer,
    nullable,
    ranged,
    text,
    with_functions,
)
from diorama.kit.query.write import write

__all__ = [
    "COMPARES",
    "EQUALS",
    "FALSE",
    "LIMITS",
    "MATCHES",
    "TRUE",
    "And",
    "Dates",
    "Function",
    "FunctionCall",
    "Grammar",
    "Node",
    "Not",
    "Or",
    "Order",
    "ParsedQuery",
    "QueryError",
    "QueryField",
    "QueryLimits",
    "Reader",
    "Row",
    "Span",
    "Sql",
    "Table",
    "Test",
    "Text",
    "Value",
    "all_of",
    "alternatives",
    "any_of",
    "bad_value",
    "both",
    "column",
    "combined",
    "compile_order",
    "compile_query",
    "contains",
    "either",
    "evaluate",
    "flag",
    "full_text",
    "integer",
    "leaves",
    "like",
    "members",
    "negate",
    "nullable",
    "one_of",
    "ordered",
    "parse",
    "parts_of",
    "ranged",
    "text",
    "with_functions",
    "words",
    "write",
]
