"""Pages that cannot be read, and pages that hold what nobody should write: clear words, and no traceback."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ome_select.conformance.markdown import read_page
from ome_select.conformance.runner import check, check_pages
from ome_select.errors import UsageError


def verdicts(text):
    return [(fact.line, fact.verdict, fact.kind) for fact in check([read_page("page.md", text)]).facts]


class TestFiles:
    def test_a_missing_one(self, tmp_path):
        with pytest.raises(UsageError, match=r"none\.md: cannot be read: No such file"):
            check_pages([tmp_path / "none.md"])

    def test_a_folder(self, tmp_path):
        with pytest.raises(UsageError, match="cannot be read: Is a directory"):
            check_pages([tmp_path])

    @pytest.mark.parametrize("data", [b"\xff\xfe\x00\x01", b"text \x00 text", "é".encode("latin-1")])
    def test_binary_data(self, tmp_path, data):
        (tmp_path / "page.md").write_bytes(data)
        with pytest.raises(UsageError, match="name a Markdown page"):
            check_pages([tmp_path / "page.md"])

    def test_no_page(self):
        with pytest.raises(UsageError, match="at least one"):
            check_pages([])

    def test_the_same_page_twice_is_one(self, tmp_path):
        (tmp_path / "page.md").write_text("The bounds are inclusive.")
        assert len(check_pages([tmp_path / "page.md"] * 2).facts) == 1


class TestManifests:
    def test_broken_yaml_is_contradicted_on_its_line(self):
        assert verdicts("# A\n\n```yaml\na: [1\nb: 2\n```\n") == [(5, "contradicted", "manifest")]

    @pytest.mark.parametrize(
        ("line", "number"),
        [
            ("  modelSizeRnge: {min: 2B}", 6),
            ("  modelSizeRange: {min: 2b}", 6),
            ("  modelSizeRange: {min: 2}", 6),
            ("  supportedModelFormats: [{modelFormat: {name: s, version: 1.08.0}}]", 6),
            ("  supportedModelFormats: [{modelFormat: {name: s, operator: GreatrThan}}]", 6),
            ("  supportedModelFormats: [{modelFormat: {name: s}, priority: 0}]", 6),
        ],
    )
    def test_slips(self, line, number):
        text = (
            "```yaml\napiVersion: ome.io/v1beta1\nkind: ClusterServingRuntime\nmetadata: {name: x}\nspec:\n"
            + line
            + "\n```\n"
        )
        assert (number, "contradicted", "manifest") in verdicts(text)

    def test_a_mistake_that_the_page_talks_about_is_meant(self):
        text = "OME reads `2b` as 0:\n\n```yaml\nspec:\n  modelSizeRange:\n    min: 2b\n```\n"
        assert {verdict for _, verdict, _ in verdicts(text)} == {"holds"}

    def test_templates_are_not_checked(self):
        assert verdicts("```yaml\nmetadata:\n  name: <your-name>\n```\n") == [(1, "not checked", "manifest")]

    def test_an_alias_bomb_is_refused(self):
        lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
        lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
        text = "```yaml\n" + "\n".join(lines) + "\n```\n"
        assert [verdict for _, verdict, _ in verdicts(text)] == ["contradicted"]

    def test_nothing_is_executed(self):
        assert [verdict for _, verdict, _ in verdicts("```yaml\nx: !!python/object/apply:os.abort []\n```\n")] != [
            "holds"
        ]


class TestSizes:
    def test_huge_tables(self):
        rows = "\n".join("| `1B` | `2B` | `3B` | No |" for _ in range(400))
        found = verdicts(f"| `min` | `max` | Model | Passes |\n| --- | --- | --- | --- |\n{rows}\n")
        assert len([line for line, _, kind in found if kind == "size example"]) == 400
        assert {verdict for _, verdict, _ in found} == {"holds"}

    def test_numbers_of_any_length(self):
        digits = "9" * 5000
        text = (
            f"`{digits}B` equals `1B`. ({digits} + 1) × 2 = 4. Its score is above {digits}. It is ² or 10^{digits}.\n"
        )
        assert "holds" not in [verdict for _, verdict, _ in verdicts(text)]


# Pieces of pages, one a line, in any order.
_PIECES = """
`min`
`max`
|
| --- |
1. `a`
- `b`
`3.21B`
`4b` as 0
a `1B` model passes `min: 1B`
(1 + 1) × 2 = 4
Yes
No
RUNTIME   SCOPE   COMPATIBLE
a   Cluster   Yes
```
```yaml
spec:
  modelSizeRange: {min: 2B}
OME ranks them in this order:
`weight: 0` counts as 10
[2B, inf)
kubectl ome runtime explain --model a
its score is above 0
the BaseModel `a` has the format `f` `1.0.0`
!!! note
# A
[x](#a)
ServingRuntimes come before ClusterServingRuntimes
its distance is 0
the three runtimes tie at 6
<x>
""".strip().split("\n")


class TestAnything:
    @given(st.lists(st.sampled_from([*_PIECES, ""]), max_size=40).map("\n".join))
    def test_any_page_has_an_answer(self, text):
        for fact in check([read_page("page.md", text)]).facts:
            assert fact.line >= 1
            assert fact.claim
            assert bool(fact.reason) == (fact.verdict == "not checked")

    @given(st.text(max_size=200))
    def test_any_text(self, text):
        check([read_page("page.md", text)])
