"""The site: it builds without a warning, every link leads somewhere, and a browser shows it as it should.

There are functions only, no classes, so that one test process builds the site once.
"""

from __future__ import annotations

import dataclasses
import functools
import http.server
import json
import re
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

import ome_select
from ome_select import resources
from ome_select.cli import VERBS
from tests.browser import Browser, find_chromium

ROOT = Path(__file__).resolve().parents[1]
REGISTER = yaml.safe_load((ROOT / "fixtures" / "scenarios.yaml").read_text(encoding="utf-8"))["scenarios"]
NOTEBOOKS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "notebooks").glob("*.ipynb")}
PHONE, DESKTOP = 390, 1280

needs_chromium = pytest.mark.skipif(
    find_chromium() is None, reason="no Chromium on the PATH: apt-get install chromium (.ci/run does)"
)


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The site, built anew as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(folder / "read"), "docs"]
    run = subprocess.run([*command, str(folder / "html")], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    return folder / "html"


@pytest.fixture(scope="session")
def pages(site) -> dict[str, BeautifulSoup]:
    """Every page by its path within the site."""
    return {
        path.relative_to(site).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in sorted(site.rglob("*.html"))
    }


def anchors(page: BeautifulSoup) -> set[str]:
    return {tag["id"] for tag in page.find_all(id=True)}


def texts_of(notebook: dict) -> list[dict]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and cell["outputs"]]


def test_every_source_is_a_page(pages):
    sources = {path.stem for path in (ROOT / "docs").glob("*.md")} | {f"notebooks/{name}" for name in NOTEBOOKS}
    assert {f"{name}.html" for name in sources} <= set(pages)
    # The front page's menu leads to all of them.
    menu = {link["href"] for link in pages["index.html"].select(".sidebar-tree a")}
    assert {f"{name}.html" for name in sources - {"index"}} <= menu


def test_every_link_leads_somewhere(site, pages):
    everywhere = {name: anchors(page) for name, page in pages.items()}
    broken = []
    for name, page in pages.items():
        for tag, attribute in (("a", "href"), ("img", "src"), ("link", "href"), ("script", "src")):
            for element in page.find_all(tag, attrs={attribute: True}):
                address = urlsplit(element[attribute])
                if address.scheme or address.netloc:
                    continue
                target = (site / name).parent / unquote(address.path) if address.path else site / name
                if not target.is_file():
                    broken.append(f"{name}: {element[attribute]}")
                elif address.fragment and target.suffix == ".html":
                    known = everywhere[target.resolve().relative_to(site.resolve()).as_posix()]
                    if unquote(address.fragment) not in known:
                        broken.append(f"{name}: {element[attribute]} has no such anchor")
    assert broken == []


def test_no_anchor_stands_twice_on_a_page(pages):
    for name, page in pages.items():
        counts = Counter(tag["id"] for tag in page.find_all(id=True))
        assert [anchor for anchor, count in counts.items() if count > 1] == [], name


def test_pages_ask_no_other_server(pages):
    for name, page in pages.items():
        for tag, attribute in (("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src")):
            for element in page.find_all(tag, attrs={attribute: re.compile(r"^(https?:)?//")}):
                pytest.fail(f"{name} loads {element[attribute]}")


def test_every_picture_has_a_text(pages):
    pictures = [(name, picture) for name, page in pages.items() for picture in page.find_all("img")]
    assert pictures, "notebooks have plots"
    for name, picture in pictures:
        text = picture.get("alt", "").strip()
        assert len(text.split()) >= 3, f"{name}: {picture['src']} has the text {text!r}"
        assert not text.startswith("<"), f"{name}: {text} says nothing about the picture"


def test_notebooks_show_their_stored_outputs(pages):
    for name, notebook in NOTEBOOKS.items():
        page = pages[f"notebooks/{name}.html"]
        assert len(page.select("div.cell_output")) == len(texts_of(notebook)), f"{name}: run `make store`"
    stored = "".join(texts_of(NOTEBOOKS["00-start-here"])[0]["outputs"][0]["text"])
    assert stored.strip() in pages["notebooks/00-start-here.html"].get_text()


def test_every_claim_leads_to_its_cell(pages):
    by_anchor = {name: {tag["id"]: tag for tag in page.find_all(id=True)} for name, page in pages.items()}
    for scenario in REGISTER:
        item = by_anchor["scenarios.html"][f"claim-{scenario['id']}"]
        assert item.get_text().strip().startswith(scenario["claim"])
        if "pending" in scenario:
            assert scenario["pending"] in item.get_text()
            assert item.find("a") is None
            continue
        page, anchor = item.find("a")["href"].split("#")
        assert anchor == f"scenario-{scenario['id']}"
        line = by_anchor[page][anchor].find_parent("p")
        assert "cell" in line.find_next_sibling()["class"]


def test_the_register_counts(pages):
    rows = [
        [cell.get_text().strip() for cell in row.find_all("td")] for row in pages["scenarios.html"].select("tbody tr")
    ]
    pending = sum("pending" in scenario for scenario in REGISTER)
    assert rows[-1] == ["all", str(len(REGISTER)), str(len(REGISTER) - pending), str(pending)]
    assert [sum(int(row[column]) for row in rows[:-1]) for column in (1, 2, 3)] == [int(cell) for cell in rows[-1][1:]]


def test_every_section_of_the_rules_has_a_lasting_anchor(pages):
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", text, re.MULTILINE)
    assert len(numbers) > 20
    assert {f"section-{number}" for number in numbers} <= anchors(pages["rules.html"])


def test_every_public_name_is_described(pages):
    known = anchors(pages["python-api.html"])
    assert [name for name in ome_select.__all__ if f"ome_select.{name}" not in known] == []


@pytest.mark.parametrize("record", ["ServingRuntime", "SupportedModelFormat", "BaseModel", "InferenceService"])
def test_every_field_that_replace_takes_is_listed(pages, record):
    section = pages["python-api.html"].find(id=f"ome_select.resources.{record}").find_parent("section")
    listed = {row.find("code").get_text() for row in section.select("tbody tr")}
    fields = {field.name for field in dataclasses.fields(getattr(resources, record))}
    assert listed == fields - {"origin"}


def test_every_verb_is_described(pages):
    known = {heading.get_text().rstrip("¶") for heading in pages["command-line.html"].find_all("h2")}
    assert [verb for verb in VERBS if f"ome-select {verb}" not in known] == []


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="session")
def address(site):
    """Where a server on this machine serves the site."""
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    program = find_chromium()
    assert program is not None
    with Browser(program, tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@needs_chromium
def test_pages_load_without_errors_and_fit_a_phone(browser, address, pages):
    browser.width(PHONE)
    wrong = {}
    for name in pages:
        problems = browser.open(f"{address}/{name}")
        if (width := browser.evaluate("document.documentElement.scrollWidth")) > PHONE:
            problems.append(f"is {width} pixels wide")
        if problems:
            wrong[name] = problems
    assert wrong == {}


@needs_chromium
def test_the_browser_sees_what_is_wrong(browser, address, site):
    """A test that finds nothing proves something only when it can find something."""
    broken = site / "broken.html"
    broken.write_text(
        "<!doctype html><script>console.error('oh'); throw new Error('no')</script><img src=none.png>"
        "<div style='width: 999px'>wide</div>"
    )
    try:
        problems = "\n".join(browser.open(f"{address}/broken.html"))
        assert browser.evaluate("document.documentElement.scrollWidth") > PHONE
    finally:
        broken.unlink()
    assert "console: ['oh']" in problems
    assert "exception: Uncaught" in problems
    assert "network: 404" in problems


@needs_chromium
def test_a_phone_finds_the_menu(browser, address):
    browser.width(PHONE)
    browser.open(f"{address}/index.html")
    in_sight = "document.querySelector('.sidebar-drawer').getBoundingClientRect().left >= 0"
    assert not browser.evaluate(in_sight)
    browser.evaluate("document.querySelector('label[for=__navigation]').click()")
    assert browser.wait_for(in_sight)


@needs_chromium
@pytest.mark.parametrize(("words", "page"), [("annotation", "classes-and-modes.html"), ("distance", "selection.html")])
def test_search_finds_pages(browser, address, words, page):
    browser.width(DESKTOP)
    assert browser.open(f"{address}/search.html?q={words}") == []
    links = "[...document.querySelectorAll('#search-results ul.search li a')].map(link => link.getAttribute('href'))"
    assert browser.wait_for(f"{links}.some(link => link.startsWith('{page}'))"), browser.evaluate(links)


@needs_chromium
def test_a_claim_is_one_click_from_its_cell(browser, address):
    scenario = next(scenario["id"] for scenario in REGISTER if "pending" not in scenario)
    browser.width(PHONE)
    browser.open(f"{address}/scenarios.html")
    link = f"document.getElementById('claim-{scenario}').querySelector('a')"
    # The click comes after the answer, which the page that it leads away from could not give any more.
    browser.evaluate(f"void setTimeout(() => {link}.click(), 0)")
    place = f"document.getElementById('scenario-{scenario}')?.getBoundingClientRect().top"
    assert browser.wait_for(f"0 < {place} && {place} < innerHeight")
