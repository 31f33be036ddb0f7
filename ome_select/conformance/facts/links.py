"""Links between the pages given, and their anchors."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from ome_select.conformance.fact import Finding, judged, unchecked
from ome_select.conformance.page import Page
from ome_select.conformance.registry import kind_of_fact
from ome_select.conformance.world import World

_ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def _target(page: Page, path: str) -> str:
    folder = posixpath.dirname(page.path.replace("\\", "/"))
    return posixpath.normpath(posixpath.join(folder, path))


@kind_of_fact("link")
def links(page: Page, world: World) -> Iterator[Finding]:
    by_path = {posixpath.normpath(path.replace("\\", "/")): other for path, other in world.pages.items()}
    for link in page.links:
        path, _, anchor = link.target.partition("#")
        path, anchor = unquote(path), unquote(anchor)
        if _ELSEWHERE.match(link.target):
            yield unchecked(link.line, f"link to {link.target}", "it leads to the web")
            continue
        other = page if not path else by_path.get(_target(page, path))
        if other is None and path and not path.endswith((".md", "/")):
            other = by_path.get(_target(page, f"{path}.md"))
        if other is None:
            yield unchecked(link.line, f"link to {link.target}", "it leads to a page that was not given")
        elif not anchor:
            yield judged(True, link.line, f"link to {link.target}", "the page is there")
        else:
            near = ", ".join(sorted(other.anchors)[:8])
            yield judged(
                anchor in other.anchors or anchor.lower() in other.anchors,
                link.line,
                f"link to {link.target}",
                f"{posixpath.basename(other.path)} has the anchors {near}",
            )
