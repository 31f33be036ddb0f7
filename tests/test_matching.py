from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ome_select.matching import differences, label, matches
from ome_select.resources import (
    BaseModel,
    DiffusionComponent,
    DiffusionPipeline,
    SupportedModelFormat,
    VersionedName,
)
from ome_select.versions import version_accepts
from tests.builders import compiled_entry, compiled_model, entry, model, named
from tests.strategies import entries, models, versioned_names


def found(written: SupportedModelFormat, asked: BaseModel) -> list[str]:
    return differences(compiled_entry(written), compiled_model(asked))


def names_agree(wanted: VersionedName | None, given: VersionedName | None) -> bool:
    if wanted is None or given is None:
        return wanted is given
    if wanted.version is None or given.version is None:
        return wanted.name == given.name and wanted.version is given.version
    accepted = version_accepts(entry=wanted.version, operator=wanted.operator, model=given.version)
    return wanted.name == given.name and accepted


def components_agree(wanted: DiffusionComponent | None, given: DiffusionComponent | None) -> bool:
    if wanted is None or given is None:
        return wanted is None
    return wanted.library in ("", given.library) and wanted.type in ("", given.type)


def pipelines_agree(wanted: DiffusionPipeline | None, given: DiffusionPipeline | None) -> bool:
    if wanted is None or given is None:
        return wanted is None
    parts = ("scheduler", "text_encoder", "tokenizer", "transformer", "vae")
    others = given.additional_components or {}
    return (
        wanted.class_name in (None, given.class_name)
        and all(components_agree(getattr(wanted, part), getattr(given, part)) for part in parts)
        and all(components_agree(part, others.get(key)) for key, part in (wanted.additional_components or {}).items())
    )


class TestEntryMatches:
    """Rule 5: every dimension agrees, each on its own."""

    @given(entries(), models())
    def test_nothing_differs_exactly_where_every_dimension_agrees(
        self, written: SupportedModelFormat, asked: BaseModel
    ) -> None:
        agrees = (
            asked.distribution != "Sharded"
            and pipelines_agree(written.diffusion_pipeline, asked.diffusion_pipeline)
            and written.model_architecture == asked.model_architecture
            and written.quantization == asked.quantization
            and written.model_format is not None
            and names_agree(written.model_format, asked.model_format)
            and names_agree(written.model_framework, asked.model_framework)
        )
        assert (found(written, asked) == []) == agrees
        assert matches(compiled_entry(written), compiled_model(asked)) == agrees

    @given(models())
    def test_an_entry_made_from_the_model_matches_where_its_versions_parse(self, asked: BaseModel) -> None:
        written = entry(
            replace(asked.model_format, operator="Equal"),
            asked.model_framework and replace(asked.model_framework, operator="Equal"),
            model_architecture=asked.model_architecture,
            quantization=asked.quantization,
            diffusion_pipeline=asked.diffusion_pipeline,
        )
        texts = [
            side.version for side in (asked.model_format, asked.model_framework) if side and side.version is not None
        ]
        parse = all(version_accepts(entry=text, model=text) for text in texts)
        assert (found(written, replace(asked, distribution=None)) == []) == parse

    @given(entries(), models(), versioned_names(), st.text())
    def test_what_counts_for_nothing(
        self, written: SupportedModelFormat, asked: BaseModel, other: VersionedName, text: str
    ) -> None:
        """The entry's own name and version, all weights and priorities, and the model's operators."""
        assert asked.model_format is not None
        changed = replace(
            written,
            name=text,
            version=text,
            priority=7,
            auto_select=None,
            model_cache_providers=(text,),
            model_format=written.model_format and replace(written.model_format, weight=other.weight),
        )
        other_model = replace(
            asked,
            name=text,
            disabled=True,
            model_parameter_size=text,
            model_format=replace(asked.model_format, operator=other.operator, weight=other.weight),
        )
        assert found(changed, other_model) == found(written, asked)


class TestDifferences:
    """Rule 5: all the differences of an entry, each with its text."""

    @pytest.mark.parametrize(
        ("wanted", "given", "text"),
        [
            ("A", "A", None),
            (None, None, None),
            ("", "", None),
            ("A", "B", "{what} mismatch (model=B, runtime=A)"),
            ("A", "a", "{what} mismatch (model=a, runtime=A)"),
            ("A", None, "model has no {what} but runtime requires A"),
            (None, "A", "model has {what} A but runtime has no {what} requirement"),
            ("", None, "model has no {what} but runtime requires "),
            ("A", "", "{what} mismatch (model=, runtime=A)"),
        ],
    )
    @pytest.mark.parametrize(
        ("field", "what"), [("model_architecture", "architecture"), ("quantization", "quantization")]
    )
    def test_architecture_and_quantization(
        self, field: str, what: str, wanted: str | None, given: str | None, text: str | None
    ) -> None:
        expected = [] if text is None else [text.format(what=what)]
        assert found(entry(**{field: wanted}), model(**{field: given})) == expected

    NAMES: ClassVar[list[Any]] = [
        (named("x"), named("x"), None),
        (named("x", "1.0.0"), named("x", "1.0"), None),
        (named("x", "1.8.0", "GreaterThan"), named("x", "1.7.0"), None),
        (named("x"), named("y"), "{what} name mismatch (model=y, runtime=x)"),
        (named("x"), named("X"), "{what} name mismatch (model=X, runtime=x)"),
        (named("x", "1"), named("y", "2"), "{what} name mismatch (model=y, runtime=x)"),  # versions not compared
        (named("x", "1.0.0"), named("x", "2.0"), "{what} version mismatch (model=2.0, runtime=1.0.0)"),
        (named("x", "bad"), named("x", "bad"), "{what} version mismatch (model=bad, runtime=bad)"),
        (named("x", "1.0.0"), named("x", "bad"), "{what} version mismatch (model=bad, runtime=1.0.0)"),
        (named("x", "1.8"), named("x"), "model has no {what} version but runtime requires 1.8"),
        (named("x"), named("x", "1.8"), "model has {what} version but runtime has no version requirement"),
    ]

    @pytest.mark.parametrize(("wanted", "given", "text"), NAMES)
    def test_format(self, wanted: VersionedName, given: VersionedName, text: str | None) -> None:
        assert found(entry(wanted), model(given)) == ([] if text is None else [text.format(what="format")])

    @pytest.mark.parametrize(
        ("wanted", "given", "text"),
        [
            *NAMES,
            (None, None, None),
            (named("x", "1"), None, "model has no framework but runtime requires x"),
            (None, named("x", "1"), "model has framework x but runtime has no framework requirement"),
        ],
    )
    def test_framework(self, wanted: VersionedName | None, given: VersionedName | None, text: str | None) -> None:
        expected = [] if text is None else [text.format(what="framework")]
        assert found(entry(framework=wanted), model(framework=given)) == expected

    def test_the_models_operator_counts_for_nothing(self) -> None:
        """Only the entry says which versions it accepts."""
        assert found(entry(named("x", "1.8.0")), model(named("x", "1.9.0", "GreaterThan"))) != []

    def test_an_entry_without_a_format(self) -> None:
        """It never matches, and says so only where nothing else differs."""
        assert found(entry(None), model()) == ["unknown mismatch"]
        assert found(entry(None, quantization="q"), model()) == ["model has no quantization but runtime requires q"]

    def test_all_in_order(self) -> None:
        written = entry(
            named("x", "2"),
            named("f"),
            model_architecture="A",
            quantization="q",
            diffusion_pipeline=DiffusionPipeline(),
        )
        asked = model(named("x", "1"), None, model_architecture="B", quantization="p", distribution="Sharded")
        assert found(written, asked) == [
            "no model cache provider is configured for sharded model loading",
            "diffusion pipeline required by runtime but not specified in model",
            "architecture mismatch (model=B, runtime=A)",
            "quantization mismatch (model=p, runtime=q)",
            "format version mismatch (model=1, runtime=2)",
            "model has no framework but runtime requires f",
        ]

    @pytest.mark.parametrize(("distribution", "count"), [("Sharded", 1), ("PerNode", 0), (None, 0), ("sharded", 0)])
    def test_only_sharded_models_need_a_cache_provider(self, distribution: str | None, count: int) -> None:
        """Rule 18.2: and no provider can be configured, whatever the entry lists."""
        written = entry(model_cache_providers=("model_cache",))
        assert len(found(written, model(distribution=distribution))) == count


class TestLabel:
    """Rule 5: `mt:`, the format's name, and what else the model has."""

    @pytest.mark.parametrize(
        ("asked", "text"),
        [
            (model(), "mt:safetensors"),
            (model(named("a", "1"), named("f", "2"), model_architecture="A", quantization="q"), "mt:a:1:A:q:f:2"),
            (model(framework=named("f")), "mt:safetensors:f"),
            (model(quantization="fp8"), "mt:safetensors:fp8"),
            (model(named("a", ""), model_architecture=""), "mt:a::"),
        ],
    )
    def test_table(self, asked: BaseModel, text: str) -> None:
        assert label(compiled_model(asked)) == text


def part(library: str = "", kind: str = "") -> DiffusionComponent:
    return DiffusionComponent(library=library, type=kind)


PARTS = {
    "scheduler": "scheduler",
    "text_encoder": "textEncoder",
    "tokenizer": "tokenizer",
    "transformer": "transformer",
    "vae": "vae",
}


class TestDiffusionPipeline:
    """Rule 6: the first difference only; what the entry leaves out accepts everything."""

    def pipeline(self, wanted: DiffusionPipeline | None, given: DiffusionPipeline | None) -> str | None:
        texts = found(entry(diffusion_pipeline=wanted), model(diffusion_pipeline=given))
        assert len(texts) <= 1
        return texts[0] if texts else None

    @pytest.mark.parametrize(
        "given", [None, DiffusionPipeline(), DiffusionPipeline(class_name="A", vae=part("l", "t"))]
    )
    def test_no_pipeline_on_the_entry_passes(self, given: DiffusionPipeline | None) -> None:
        assert self.pipeline(None, given) is None

    @pytest.mark.parametrize("wanted", [DiffusionPipeline(), DiffusionPipeline(class_name="A")])
    def test_none_on_the_model(self, wanted: DiffusionPipeline) -> None:
        assert self.pipeline(wanted, None) == "diffusion pipeline required by runtime but not specified in model"

    @pytest.mark.parametrize(
        ("wanted", "given", "text"),
        [
            ("A", "A", None),
            (None, "A", None),
            ("A", "B", "pipeline class mismatch (model=B, runtime=A)"),
            ("A", "a", "pipeline class mismatch (model=a, runtime=A)"),
            ("A", None, "pipeline class mismatch (model=<nil>, runtime=A)"),
            ("A", "", "pipeline class mismatch (model=, runtime=A)"),
            ("", "A", "pipeline class mismatch (model=A, runtime=)"),
        ],
    )
    def test_class(self, wanted: str | None, given: str | None, text: str | None) -> None:
        assert self.pipeline(DiffusionPipeline(class_name=wanted), DiffusionPipeline(class_name=given)) == text

    @pytest.mark.parametrize(
        ("wanted", "given", "text"),
        [
            (part("l", "t"), part("l", "t"), None),
            (part(), part("l", "t"), None),
            (None, part("l", "t"), None),
            (None, None, None),
            (part(), None, "component {name} required by runtime but not specified in model"),
            (part("l", "t"), None, "component {name} required by runtime but not specified in model"),
            (part("l", "t"), part("m", "u"), "{name} library mismatch (model=m, runtime=l)"),
            (part("l", "t"), part("l", "u"), "{name} type mismatch (model=u, runtime=t)"),
            (part("", "t"), part("m", "u"), "{name} type mismatch (model=u, runtime=t)"),
            (part("l"), part(), "{name} library mismatch (model=, runtime=l)"),
            (part("l"), part("L"), "{name} library mismatch (model=L, runtime=l)"),
        ],
    )
    @pytest.mark.parametrize(("field", "name"), PARTS.items())
    def test_components(
        self,
        field: str,
        name: str,
        wanted: DiffusionComponent | None,
        given: DiffusionComponent | None,
        text: str | None,
    ) -> None:
        expected = None if text is None else text.format(name=name)
        assert self.pipeline(DiffusionPipeline(**{field: wanted}), DiffusionPipeline(**{field: given})) == expected

    def test_the_first_difference_in_order(self) -> None:
        wanted = DiffusionPipeline(
            class_name="A", **dict.fromkeys(PARTS, part("l")), additional_components={"x": part("l")}
        )
        given = DiffusionPipeline()
        shown = [self.pipeline(wanted, given)]
        for change in [{"class_name": "A"}, *({field: part("l")} for field in PARTS)]:
            given = replace(given, **change)
            shown.append(self.pipeline(wanted, given))
        assert shown == [
            "pipeline class mismatch (model=<nil>, runtime=A)",
            "component scheduler required by runtime but not specified in model",
            "component textEncoder required by runtime but not specified in model",
            "component tokenizer required by runtime but not specified in model",
            "component transformer required by runtime but not specified in model",
            "component vae required by runtime but not specified in model",
            "diffusion pipeline missing required additional components",
        ]

    @pytest.mark.parametrize(
        ("wanted", "given", "text"),
        [
            (None, {"a": part("l")}, None),
            ({}, None, None),
            ({"a": part("l")}, {"a": part("l"), "b": part()}, None),
            ({"a": part()}, {"a": part("l", "t")}, None),
            ({"a": part()}, None, "diffusion pipeline missing required additional components"),
            ({"a": part()}, {}, "diffusion pipeline missing required additional components"),
            ({"a": part()}, {"b": part()}, "diffusion component a missing in model"),
            ({"a": part("l")}, {"a": part("m")}, "a library mismatch (model=m, runtime=l)"),
            ({"a": part("l", "t")}, {"a": part("l")}, "a type mismatch (model=, runtime=t)"),
            (
                {"b": part("l"), "a": part("l")},
                {"b": part("m"), "a": part("n")},
                "a library mismatch (model=n, runtime=l)",
            ),
            (
                {"b": part("l"), "a": part("l")},
                {"b": part("m"), "a": part("l")},
                "b library mismatch (model=m, runtime=l)",
            ),
            ({"b": part(), "a": part()}, {"c": part()}, "diffusion component a missing in model"),
        ],
    )
    def test_additional_components(
        self,
        wanted: dict[str, DiffusionComponent] | None,
        given: dict[str, DiffusionComponent] | None,
        text: str | None,
    ) -> None:
        pipelines = [DiffusionPipeline(additional_components=components) for components in (wanted, given)]
        assert self.pipeline(*pipelines) == text
