"""What prose says about accelerator classes and deployment modes (docs/rules.md, sections 3, 4, 12.5 and 16.1)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from ome_select.accelerators import component_class
from ome_select.admission import admit
from ome_select.cluster import Cluster
from ome_select.compiled import ACCELERATOR_CLASS, DEPLOYMENT_MODE
from ome_select.conformance.claims import Answer, Claims, Site
from ome_select.conformance.fact import Finding
from ome_select.conformance.page import Page
from ome_select.conformance.probes import MODEL, NAMESPACE, decide, judge, model, runtime, service
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.words import NUMBER, number
from ome_select.conformance.world import World
from ome_select.inheritance import INHERIT_FROM
from ome_select.objects import decode
from ome_select.resources import (
    AcceleratorClass,
    AcceleratorConstraints,
    AcceleratorSelector,
    Component,
    InferenceService,
    RuntimeRef,
)

claims = Claims()


def _asks(*classes: str) -> InferenceService:
    """A service that names a class for its engine, and another one for its decoder."""
    parts = [Component(accelerator_override=AcceleratorSelector(accelerator_class=name)) for name in classes]
    return service(**dict(zip(("engine", "decoder"), parts, strict=False)))


def _passes(listed: tuple[str, ...], *classes: str) -> bool:
    return judge(runtime(accelerator_classes=listed), isvc=_asks(*classes)).supports_model


@claims.says(
    r"\b(?:lists?|has|holds) (?P<word>every|each|all|any|one|some) (?:of the )?class(?:es)?,? that the "
    r"(?:InferenceService|service|isvc) names"
)
def every_class(match: re.Match[str], site: Site) -> Answer:
    every = _passes(("a", "b"), "a", "b") and not _passes(("a",), "a", "b")
    return (match["word"].lower() in ("every", "each", "all")) == every, "the runtime has to list every class"


@claims.says(r"\bcheck is a filter: it adds (?P<word>nothing|something|\w+) to a runtime's score")
def filters(match: re.Match[str], site: Site) -> Answer:
    plain, listing = runtime("plain"), runtime("listing", accelerator_classes=("a",))
    rows = {row.name: row.score for row in decide(plain, listing).rows}
    return (match["word"].lower() == "nothing") == (rows["plain"] == rows["listing"]), "it adds nothing to the score"


@claims.says(
    r"\b(?P<one>engine|decoder)'s and the (?P<two>engine|decoder|router)'s classes are "
    r"(?P<word>pooled|separate|checked one by one)"
)
def pooled(match: re.Match[str], site: Site) -> Answer:
    right = {match["one"].lower(), match["two"].lower()} == {"engine", "decoder"}
    pool = not _passes(("a",), "a", "b")
    return right and (match["word"].lower() == "pooled") == pool, "the classes of engine and decoder are pooled"


@claims.says(r"\bnames match (?P<exactly>exactly|loosely), (?P<word>including|excluding|ignoring|except for) case")
def case_counts(match: re.Match[str], site: Site) -> Answer:
    counts = not _passes(("Nvidia",), "nvidia")
    said = match["exactly"].lower() == "exactly" and match["word"].lower() == "including"
    return said == counts, "names match exactly, case included"


@claims.says(r"\bonly `(?P<field>\w+)` counts")
def only_field(match: re.Match[str], site: Site) -> Answer:
    if "accelerator" not in match["field"].lower():
        return None
    return match["field"] == "acceleratorClasses", "only acceleratorClasses counts"


@claims.says(r"\bOME (?P<word>ignores|reads|checks) the other `?acceleratorRequirements`? fields")
def other_fields(match: re.Match[str], site: Site) -> Answer:
    written = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "ClusterServingRuntime",
        "metadata": {"name": "x"},
        "spec": {"acceleratorRequirements": {"minMemory": 80, "requiredFeatures": ["f"]}},
    }
    read = decode(written)[0]
    bare = decode({**written, "spec": {}})[0]
    return (match["word"].lower() == "ignores") == (read == bare), "selection does not read them"


@claims.says(
    r"\breads a runtime's own `?acceleratorClasses`?, (?P<not>not|and also|as well as) the ones (?:that )?it inherits"
)
def own_classes(match: re.Match[str], site: Site) -> Answer:
    parent = runtime("parent", accelerator_classes=("a",))
    child = dataclasses.replace(runtime("child"), annotations={INHERIT_FROM: "parent"})
    reads_own = not decide(parent, child, isvc=_asks("a")).row("child").supports_model
    return (match["not"].lower() == "not") == reads_own, "auto-selection reads the runtime's own classes"


@claims.says(r"\bInferenceService (?P<with>without|with) `?spec\.model`? (?P<word>skips|fails|passes) this check")
def without_model(match: re.Match[str], site: Site) -> Answer:
    return (match["with"].lower() == "without") and match["word"].lower() in ("skips", "passes"), (
        "a service without spec.model is not checked"
    )


_PLACES: tuple[dict[str, object], ...] = (
    {"annotations": {ACCELERATOR_CLASS: "c"}},
    {"accelerator_selector": AcceleratorSelector(accelerator_class="c")},
    {"engine": Component(accelerator_override=AcceleratorSelector(accelerator_class="c"))},
    {"decoder": Component(accelerator_override=AcceleratorSelector(accelerator_class="c"))},
    {"router": Component(accelerator_override=AcceleratorSelector(accelerator_class="c"))},
)


@claims.says(rf"\b(?:can )?names? (?:its )?class(?:es)? in (?P<count>{NUMBER}) places")
def places(match: re.Match[str], site: Site) -> Answer:
    count = sum(not judge(runtime(), isvc=service(**place)).supports_model for place in _PLACES)
    return number(match["count"]) == count, f"there are {count}"


@claims.says(r"\ba `?policy`? or `?constraints`? (?P<not>doesn't|does not|don't|do not|can|does) filters? runtimes")
def policies(match: re.Match[str], site: Site) -> Answer:
    constraints = AcceleratorConstraints(min_memory=80)
    asked = service(accelerator_selector=AcceleratorSelector(policy="BestFit", constraints=constraints))
    filters = not judge(runtime(), isvc=asked).supports_model
    return (match["not"].lower() in ("can", "does")) == filters, "a policy or constraints require nothing"


@claims.says(
    r"\bempty value counts as (?P<word>a|no) class(?P<rest> that no runtime lists)?(?P<so>, so "
    r"auto-selection (?P<verb>rejects|accepts|passes) every runtime)?"
)
def empty_class(match: re.Match[str], site: Site) -> Answer:
    rejects = not _passes(("a", "b"), "") and not _passes((), "")
    said = match["word"].lower() == "a" and (match["verb"] or "rejects").lower() == "rejects"
    return said == rejects, "an empty class is a class that no runtime lists"


@claims.says(
    r"annotation counts (?P<only>only for matching|for everything)(?:: it gives (?P<no>no|every|each) "
    r"component a class)?"
)
def annotation(match: re.Match[str], site: Site) -> Answer:
    asked = InferenceService(
        name="s",
        namespace=NAMESPACE,
        annotations={ACCELERATOR_CLASS: "c"},
        engine=Component(),
        model=service().model,
        runtime=RuntimeRef(name="runtime"),
    )
    listing = runtime(accelerator_classes=("c",))
    chosen = component_class(Cluster([MODEL, listing, AcceleratorClass(name="c")]), isvc=asked, namespace=NAMESPACE)
    said = match["only"].lower().startswith("only") and (match["no"] or "no").lower() == "no"
    return said == (chosen.name is None), "the annotation gives no component a class"


@claims.says(
    r"\bruntime that (?:declares|has|names) no (?:deployment )?mode (?P<word>stays a candidate|is "
    r"rejected|is ruled out|passes)"
)
def no_mode(match: re.Match[str], site: Site) -> Answer:
    asked = service(engine=Component(annotations={DEPLOYMENT_MODE: "OMENative"}))
    passes = judge(runtime(), isvc=asked).supports_model
    return (match["word"].lower() in ("stays a candidate", "passes")) == passes, "a runtime without a mode passes"


@claims.says(
    r"\bruntimes? (?:that|which) lists? no class(?:es)? (?P<word>stays? a candidate|is rejected|are "
    r"rejected|is ruled out)"
)
@claims.says(r"\blists? no classes, so an InferenceService that names a class (?P<word>rules them out|keeps them)")
def no_class(match: re.Match[str], site: Site) -> Answer:
    passes = _passes((), "a")
    return (match["word"].lower().startswith(("stay", "keep"))) == passes, "a runtime without classes is rejected"


@claims.says(
    r"\bclass that (?:the runtime|runtimes) lists? is missing, the webhook "
    r"(?P<word>rejects|denies|accepts|admits) the runtime"
)
def missing_class(match: re.Match[str], site: Site) -> Answer:
    denied = not admit(Cluster(), runtime(accelerator_classes=("c",))).allowed
    return (match["word"].lower() in ("rejects", "denies")) == denied, "the webhook denies the runtime"


@claims.says(r"\bexcluded runtime with the (?P<word>first|last|only) check (?:that )?it failed")
def first_failure(match: re.Match[str], site: Site) -> Answer:
    both = judge(runtime(disabled=True, bounds=("1B", "2B")), model("9B")).reason
    return (match["word"].lower() == "first") == (both == judge(runtime(disabled=True)).reason), "it is the first one"


@claims.says(r"\blists (?P<count>both|two|three|one|all three) class(?:es)?\b")
def listed_classes(match: re.Match[str], site: Site) -> Answer:
    """The runtime in the block that follows."""
    after = [document for document in site.world.documents if document.line > site.sentence.line]
    found = site.world.runtime(str(after[0].value.get("metadata", {}).get("name"))) if after else None
    if found is None or not found.accelerator_classes:
        return None
    said = {"both": 2, "two": 2, "three": 3, "all three": 3, "one": 1}[match["count"].lower()]
    return len(found.accelerator_classes) == said, f"{found.name} lists {', '.join(found.accelerator_classes)}"


@kind_of_fact("class or mode in prose")
def class_claims(page: Page, world: World) -> Iterator[Finding]:
    yield from claims.check(page, world)
