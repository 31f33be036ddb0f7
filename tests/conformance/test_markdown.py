"""Markdown → page: every construct that documentation sites use, with the right lines."""

from textwrap import dedent

import pytest

from ome_select.conformance.markdown import read_page
from ome_select.conformance.markdown_parts import slug


def page(text):
    return read_page("page.md", dedent(text).lstrip("\n"))


class TestTexts:
    def test_code_stays_marked_and_links_and_emphasis_go(self):
        read = page("A [link](x.md) with `code`, *emphasis* and **[`linked` code](y.md)**.")
        assert read.prose[0].marked == "A link with `code`, emphasis and `linked` code."
        assert [code.text for code in read.prose[0].codes] == ["code", "linked"]

    def test_lines_of_wrapped_sentences(self):
        read = page("First one. Second\nstarts here. Third `v1.3` is\non line three `x.` and on.")
        assert [(text.plain, text.line) for text in read.prose] == [
            ("First one.", 1),
            ("Second starts here.", 1),
            ("Third v1.3 is on line three x. and on.", 2),
        ]
        assert [code.line for code in read.prose[2].codes] == [2, 3]

    @pytest.mark.parametrize("text", ["See e.g. `x` or so.", "In `a. B` there is a stop.", "Version 1.3 is out."])
    def test_what_does_not_end_a_sentence(self, text):
        assert len(page(text).prose) == 1

    def test_the_description_of_the_front_matter_is_prose(self):
        read = page("---\ntitle: T\ndescription: 'Bounds are inclusive.'\n---\n\nText.")
        assert [(text.plain, text.line) for text in read.prose] == [("Bounds are inclusive.", 3), ("Text.", 6)]


class TestTables:
    TABLE = """
        | `min` | [max](m.md) | Passes |
        | :-- | --- | --: |
        | `1 \\| 2` | **b** | Yes |
        | c |
    """

    def test_headers_cells_and_lines(self):
        (table,) = page(self.TABLE).tables
        assert [header.plain for header in table.headers] == ["min", "max", "Passes"]
        assert [[cell.plain for cell in row.cells] for row in table.rows] == [["1 | 2", "b", "Yes"], ["c", "", ""]]
        assert [row.line for row in table.rows] == [3, 4]

    def test_columns_by_header(self):
        (table,) = page(self.TABLE).tables
        assert table.column("MAX") == 1
        assert table.column("m", avoid="min") == 1
        assert table.column("none") is None

    def test_one_odd_cell_does_not_change_what_a_column_is(self):
        rows = "\n".join(f"| {value} |" for value in "1234x")
        (table,) = page(f"| n |\n| --- |\n{rows}").tables
        assert table.mostly(0, lambda cell: cell.plain.isdigit())
        assert not table.mostly(0, lambda cell: cell.plain == "x")


class TestBlocks:
    def test_admonitions_hold_text_and_code(self):
        read = page('!!! warning "Reads as `0`"\n    Body `4b`.\n\n    ```yaml title="a.yaml"\n    a: 1\n    ```\n')
        assert [text.plain for text in read.prose] == ["Reads as 0", "Body 4b."]
        (fence,) = read.fences
        assert (fence.language, fence.title, fence.text, fence.first_line) == ("yaml", "a.yaml", "a: 1\n", 5)

    def test_directives_hold_text_and_code(self):
        read = page("```{note}\nBody `4b`.\n```\n\n```{code-block} yaml\na: 1\n```\n")
        assert [(text.plain, text.line) for text in read.prose] == [("Body 4b.", 2)]
        assert [(fence.language, fence.text) for fence in read.fences] == [("yaml", "a: 1\n")]

    def test_numbered_lists_keep_their_order(self):
        read = page("Like this:\n\n1. one\n   - inner\n2. two\n   more\n")
        (block,) = read.lists
        assert [(item.plain, item.line) for item in block.items] == [("one", 3), ("two more", 5)]
        assert block.intro.plain == "Like this:"

    def test_indented_code_is_a_block(self):
        (fence,) = page("Text:\n\n    runtime is disabled\n").fences
        assert (fence.text, fence.first_line) == ("runtime is disabled\n", 3)


class TestCommands:
    def test_output_follows_its_command(self):
        read = page("```bash\nkubectl a \\\n  --b c\n```\n\nIt prints:\n\n```output\nx\n```\n\n```text\ny\n```\n")
        assert [fence.command for fence in read.fences] == [None, "kubectl a --b c", "kubectl a --b c"]

    def test_not_after_other_paragraphs_or_headings(self):
        read = page("```bash\nkubectl a\n```\n\nOne.\n\nTwo.\n\n```text\ny\n```\n")
        assert read.fences[1].command is None
        read = page("```bash\nkubectl a\n```\n\n## Next\n\n```text\ny\n```\n")
        assert read.fences[1].command is None

    def test_a_console_block_holds_both(self):
        first, second = page("```console\n$ kubectl a\nout\n  put\n```\n").fences
        assert first.text == "$ kubectl a"
        assert (second.text, second.command, second.first_line) == ("out\n  put", "kubectl a", 3)


class TestAnchors:
    @pytest.mark.parametrize(
        ("heading", "anchor"),
        [
            ("Tie-breaks", "tie-breaks"),
            ("The `min` field", "the-min-field"),
            ("What's new?", "whats-new"),
            ("A & B", "a--b"),
        ],
    )
    def test_github(self, heading, anchor):
        assert slug(heading.replace("`", "")) == anchor
        assert anchor in page(f"# {heading}").anchors

    def test_repeated_headings_are_numbered(self):
        assert {"a", "a-1", "a-2"} <= page("# A\n\n# A\n\n# A\n").anchors

    def test_explicit_ones(self):
        read = page('# A {#own}\n\n(target)=\n\n<a id="html"></a>\n\nText <span name="inline">x</span>.\n')
        assert {"own", "target", "html", "inline"} <= read.anchors
        assert read.headings[0].text.plain == "A"

    def test_links_have_lines(self):
        read = page("One [a](b.md#c)\ntwo [d](e.md).\n\n| [f](g.md) |\n| --- |\n| [h](#i) |\n")
        assert [(link.target, link.line) for link in read.links] == [("b.md#c", 1), ("e.md", 2), ("g.md", 4), ("#i", 6)]
