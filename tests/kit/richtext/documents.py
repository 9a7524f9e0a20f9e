"""Documents for tests: any tree, with words that look like markup."""

from hypothesis import strategies as st

from diorama.kit.richtext import (
    MARKS,
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
    Mention,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
    tidy,
)

SIGNS = [
    "*", "**", "_", "__", "~~", "~", "`", "``", "```", "[", "]", "(", ")", "![", "](", "<", ">", "<u>", "</u>", "<br>",
    "&", "&amp;", "&#65;", "\\", "|", "#", "##", "- ", "+ ", "---", "===", "1. ", "2) ", "> ", ":", ":a:", ":-|-", "!",
    "https://a.example/b", "http://", "[a]: b", " ", "\n", "\t", "\xa0", "a", "b", "Ann", "é", "\u200b", "\0", "\x85",
    "\u2003", '"', "'", "snake_case", "12:30", "-->", "<!--", "<script>", "😀", ".", "h", "@",
]  # fmt: skip
words = st.one_of(st.lists(st.sampled_from(SIGNS), max_size=6).map("".join), st.text(max_size=8))
marks = st.lists(st.sampled_from(MARKS), max_size=3).map(tuple)
addresses = st.one_of(
    st.sampled_from(["https://a.example/b_c", "mailto:a@b.example", "/path", "cid:x", "javascript:x", "data:x", "#a"]),
    words.map("https://a.example/{}".format),
    words,
)
texts = st.builds(Text, words, marks)
images = st.builds(Image, addresses, words, words)
mentions = st.builds(Mention, st.sampled_from(["user", "group", "X"]), words, words)
emoji = st.builds(Emoji, st.sampled_from(["wave", "+1", "a b", "100", "_", "-"]))
simple = st.one_of(texts, texts, texts, st.just(LineBreak()), mentions, emoji, images)
same = st.sampled_from(["https://a.example/", "mailto:a@b.example"]).map(
    lambda href: Link(href, (Text(href.removeprefix("mailto:")),))
)
links = st.one_of(st.builds(Link, addresses, st.lists(simple, max_size=3).map(tuple), words), same)
inlines: st.SearchStrategy[tuple[Inline, ...]] = st.lists(st.one_of(simple, simple, links), max_size=6).map(tuple)
code = st.lists(st.sampled_from(["x = 1", "\n", "\n\n", "  ", "\t", "```", "~~~~", "> ", "- a", "</pre>", "&lt;"]))
flat: st.SearchStrategy[Block] = st.one_of(
    st.builds(Paragraph, inlines),
    st.builds(Paragraph, inlines),
    st.builds(Heading, st.integers(0, 7), inlines),
    st.builds(CodeBlock, code.map("".join), st.sampled_from(["", "python", "c++", "a b"])),
    st.just(Rule()),
    st.builds(Table, st.lists(st.lists(inlines, max_size=3).map(tuple), max_size=3).map(tuple), st.booleans()),
    images,
)


def holders(inner: st.SearchStrategy[Block]) -> st.SearchStrategy[Block]:
    """Return lists and quotes of blocks."""
    blocks = st.lists(inner, max_size=3).map(tuple)
    items = st.lists(st.builds(ListItem, blocks), max_size=3).map(tuple)
    return st.one_of(
        st.builds(List, items, st.booleans(), st.sampled_from([-1, 0, 1, 7, 10**9])), st.builds(Quote, blocks)
    )


blocks = st.recursive(flat, holders, max_leaves=6)
documents = st.lists(blocks, max_size=4).map(lambda found: Document(tuple(found)))
"""Any tree."""
tidy_documents = documents.map(tidy)
