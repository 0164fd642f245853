from pathlib import Path

import pytest

from tests.contract.adapters import STORES
from tests.contract.place import Place


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A fresh place for a store of every kind."""
    return Place(request.param, tmp_path)
