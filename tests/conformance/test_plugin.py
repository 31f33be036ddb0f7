"""`pytest --ome-conform`: one test for each fact, and nothing at all without the option."""

import os
import runpy
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

import ome_select

PAGE = "The bounds are inclusive.\n\nThe score is the lowest.\n\n`4b` as 1 is how OME reads it.\n\n[x](gone.md)\n"
MODULE = "ome_select.conformance.pytest_plugin"


@pytest.fixture
def run_pytest(tmp_path):
    """Run pytest in a folder of its own; give its status and output."""
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    # A checkout that was set up before the plugin existed does not know its entry point yet.
    known = any(point.value == MODULE for point in entry_points(group="pytest11"))
    plugin = [] if known else ["-p", MODULE]

    def run(*arguments):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *arguments]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "PYTEST_"))}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    return run


class TestFacts:
    def test_each_fact_is_a_test(self, run_pytest):
        status, output = run_pytest("--ome-conform", "page.md", "-v")
        assert status == 1
        assert "page.md::1: size in prose: bounds are inclusive PASSED" in output
        assert "page.md::5: size in prose: `4b` as 1 FAILED" in output
        assert "page.md::7: link: link to gone.md SKIPPED" in output
        assert "page.md::3: sentence: The score is the lowest. SKIPPED" in output
        assert "1 failed, 1 passed, 2 skipped" in output

    def test_a_failure_says_what_the_page_says_and_what_ome_does(self, run_pytest):
        _, output = run_pytest("--ome-conform", "page.md")
        assert "the page: `4b` as 1\nOME:      `4b` reads as 0" in output
        assert "Traceback" not in output

    def test_links_between_the_pages_are_followed(self, run_pytest, tmp_path):
        (tmp_path / "gone.md").write_text("# X\n", encoding="utf-8")
        _, output = run_pytest("--ome-conform", "page.md", "gone.md", "-v")
        assert "page.md::7: link: link to gone.md PASSED" in output

    def test_a_page_that_cannot_be_read_is_an_error(self, run_pytest, tmp_path):
        (tmp_path / "page.md").write_bytes(b"\xff\xfe\x00")
        status, output = run_pytest("--ome-conform", "page.md")
        assert status == 2
        assert "is no text in UTF-8" in output


class TestWithoutTheOption:
    def test_pages_are_left_alone(self, run_pytest):
        status, output = run_pytest(".")
        assert status == 5
        assert "no tests ran" in output

    def test_nothing_but_pytest_is_imported(self):
        code = (
            f"import sys, {MODULE}\n"
            "print(*sorted(name for name in sys.modules if name.startswith(('ome_select', 'markdown_it', 'yaml'))))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["ome_select", "ome_select.conformance", MODULE, "ome_select.lazy"]

    def test_the_package_is_measured_although_pytest_loads_it_first(self):
        # Pytest imports its plugins before coverage begins, and with this one the package's front door.
        assert runpy.run_path(ome_select.__file__)["__version__"] == ome_select.__version__
