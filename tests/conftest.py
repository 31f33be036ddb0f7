"""Settings for every test: the environment of kernels, hypothesis, and the promise that tests leave notebooks alone."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import settings

# Importing the runner sets the environment that kernels and Jupyter's own imports need.
from notebooks import run

# Times on a shared machine say nothing about a property, and a run in CI has to say the same thing twice.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def digests() -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in run.NOTEBOOKS.glob("*.ipynb")}


@pytest.fixture(scope="session", autouse=True)
def notebooks_stay_as_they_are():
    """No test writes a notebook: the stored outputs are what the tests compare with."""
    before = digests()
    yield
    assert digests() == before, "a notebook in notebooks/ changed while the tests ran"


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return run.ROOT
