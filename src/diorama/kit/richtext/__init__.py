"""One tree for formatted text, with readers and writers for plain text, HTML and Markdown.

    document = read_html("<p>Hello <b>Ann</b></p>")
    write_markdown(document)  # 'Hello **Ann**'

All of them take linear time, raise for no input, and carry nothing that runs: addresses with other schemes than those
of `kit.sanitizing` are dropped. `tidy` gives a tree its one form, so that trees of texts that look equal are equal;
`read_html(write_html(d)) == tidy(d)`, and the same holds for Markdown.

A vendor's format joins with its app: `read_mrkdwn(text) -> Document` and `write_mrkdwn(document) -> str` in a module
of the app (`apps/slack/mrkdwn.py`), or from and to the JSON of Slack's blocks or Jira's documents. A reader builds the
structs of `tree`, within `DEPTH_AT_MOST` and `TEXT_AT_MOST`, and returns `tidy(Document(...))`; a reader of signs makes
`Piece`s (words, marks, link) and lets `tidy_paragraphs` join them. A writer starts with `tidy(document)`. What a format
has and the tree lacks (colours, panels, task lists) becomes the nearest block; what the tree has and a format lacks
becomes text. People, groups and channels are a `Mention` with the vendor's own `kind` and `id`. The laws of
`tests/kit/richtext` hold for every pair: no error for any input, linear time, and equal trees after a round trip.
"""

from diorama.kit.richtext.html_reader import read_html
from diorama.kit.richtext.html_writer import write_html
from diorama.kit.richtext.markdown_blocks import read_markdown
from diorama.kit.richtext.markdown_writer import write_markdown
from diorama.kit.richtext.plain import read_plain, words_of, write_plain
from diorama.kit.richtext.tidying import Piece, tidy, tidy_line, tidy_paragraphs
from diorama.kit.richtext.tree import (
    DEPTH_AT_MOST,
    MARKS,
    TEXT_AT_MOST,
    Block,
    CodeBlock,
    Document,
    Emoji,
    Heading,
    Image,
    Inline,
    LineBreak,
    Link,
    List,
    ListItem,
    Mark,
    Mention,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
    safe_address,
)

__all__ = [
    "DEPTH_AT_MOST",
    "MARKS",
    "TEXT_AT_MOST",
    "Block",
    "CodeBlock",
    "Document",
    "Emoji",
    "Heading",
    "Image",
    "Inline",
    "LineBreak",
    "Link",
    "List",
    "ListItem",
    "Mark",
    "Mention",
    "Paragraph",
    "Piece",
    "Quote",
    "Rule",
    "Table",
    "Text",
    "read_html",
    "read_markdown",
    "read_plain",
    "safe_address",
    "tidy",
    "tidy_line",
    "tidy_paragraphs",
    "words_of",
    "write_html",
    "write_markdown",
    "write_plain",
]
