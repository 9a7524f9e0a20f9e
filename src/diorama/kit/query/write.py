"""Write a tree in a vendor's language; parsing the result gives the same tree."""

from __future__ import annotations

import re

from diorama.kit.query.grammar import Grammar
from diorama.kit.query.strict import lexicon
from diorama.kit.query.tree import And, FunctionCall, Node, Not, Or, ParsedQuery, Test, Text, Value


def write(grammar: Grammar, query: ParsedQuery) -> str:
    """Return the text of a query; raise ValueError if the language cannot say it."""
    parts = [_node(grammar, query.where)] if query.where is not None else []
    if query.order:
        items = []
        for item in query.order:
            nulls = f" NULLS {item.nulls.upper()}" if item.nulls else ""
            items.append(f"{_field(grammar, item.field)}{' DESC' if item.descending else ''}{nulls}")
        parts.append(f"ORDER BY {', '.join(items)}")
    parts.extend(f"{name.upper()} {_value(grammar, Text(value))}" for name, value in query.clauses)
    return " ".join(parts)


def _node(grammar: Grammar, node: Node) -> str:
    if isinstance(node, And):
        word = f" {grammar.ands[0]} " if grammar.strict else " "
        return word.join(_inside(grammar, part) for part in node.parts)
    if isinstance(node, Or):
        if grammar.ors:
            return f" {grammar.ors[0]} ".join(_inside(grammar, part) for part in node.parts)
        if grammar.braces:
            return "{" + " ".join(_inside(grammar, part) for part in node.parts) + "}"
        raise ValueError("this language has no OR")
    if isinstance(node, Not):
        if grammar.signs:
            part = node.part  # two signs in a row would be one sign and a word
            return grammar.signs[0] + (_group(grammar, part) if isinstance(part, Not) else _inside(grammar, part))
        if grammar.nots:
            return f"{grammar.nots[0]} {_inside(grammar, node.part)}"
        raise ValueError("this language has no NOT")
    if isinstance(node, Test):
        return _test(grammar, node)
    return _value(grammar, node)


def _inside(grammar: Grammar, node: Node) -> str:
    return _group(grammar, node) if isinstance(node, And | Or) else _node(grammar, node)


def _group(grammar: Grammar, node: Node) -> str:
    if not grammar.strict and not grammar.groups:
        raise ValueError("this language has no groups")
    return f"({_node(grammar, node)})"


def _test(grammar: Grammar, test: Test) -> str:
    operator = next((written for written, name in grammar.operators.items() if name == test.operator), None)
    if operator is None:
        raise ValueError(f"this language has no operator {test.operator!r}")
    values = [_value(grammar, value) for value in test.values]
    if not grammar.strict:
        return test.field + operator + ",".join(values)
    if test.operator in grammar.list_operators and not isinstance(test.values[0], FunctionCall):
        return f"{_field(grammar, test.field)} {operator} ({', '.join(values)})"
    return f"{_field(grammar, test.field)} {operator} {values[0]}"


def _value(grammar: Grammar, value: Value) -> str:
    if isinstance(value, FunctionCall):
        if not grammar.calls:
            raise ValueError("this language has no functions")
        return f"{value.name}({', '.join(_value(grammar, arg) for arg in value.args)})"
    return _quoted(grammar, value.text) if value.quoted else value.text


def _field(grammar: Grammar, name: str) -> str:
    token = lexicon(grammar)
    found = token.token.fullmatch(name)
    plain = found is not None and found["word"] is not None and name not in token.reserved
    return name if plain else _quoted(grammar, name)


def _quoted(grammar: Grammar, text: str) -> str:
    if grammar.escape:
        special = re.escape(grammar.escape + grammar.quotes)
        text = re.sub(f"[{special}]", lambda found: grammar.escape + found[0], text)
        return f"{grammar.quotes[0]}{text}{grammar.quotes[0]}"
    quote = next((one for one in grammar.quotes if one not in text), None)
    if quote is None:
        raise ValueError("this language cannot quote a quote")
    return f"{quote}{text}{quote}"
