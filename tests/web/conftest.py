import gc

import pytest


@pytest.fixture(scope="module", autouse=True)
def _all_that_is_left_stays() -> None:
    """What other tests left behind stays to the end. Compiled loops leave a million objects: looking for rubbish, as a server
    does when it starts, need not walk through them again and again."""
    gc.collect()
    gc.freeze()
