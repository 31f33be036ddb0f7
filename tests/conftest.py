"""Settings for every test: the environment of kernels, hypothesis, coverage."""

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


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep nbval from measuring coverage inside its kernels.

    It would whenever pytest-cov is on, and it hands its kernels options that they cannot start with. Tests measure the
    core, notebooks show it; pytest-cov has read its options long before this.
    """
    session.config.option.cov_source = None


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return run.ROOT
