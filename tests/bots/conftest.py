from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bots.support import site


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with site(tmp_path):
        yield tmp_path
