from pathlib import Path

import pytest

from tests.contract.adapters import LASTING, STORES
from tests.contract.place import LastingPlace, Place


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A fresh place for each kind of store."""
    return Place(request.param, tmp_path)


@pytest.fixture(params=LASTING)
def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> LastingPlace:
    """A fresh place for each kind of store that outlives a process."""
    return LastingPlace(request.param, tmp_path)
