from pathlib import Path

import pytest

from tests.contract.adapters import PERSISTENT_STORES, STORES
from tests.contract.place import PersistentPlace, Place


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A fresh place for each kind of store."""
    return Place(request.param, tmp_path)


@pytest.fixture(params=PERSISTENT_STORES)
def persistent(request: pytest.FixtureRequest, tmp_path: Path) -> PersistentPlace:
    """A fresh place for each kind of store that outlives a process."""
    return PersistentPlace(request.param, tmp_path)
