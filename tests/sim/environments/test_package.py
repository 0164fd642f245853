"""The package itself: its names are found when they are used, and it says what is missing."""

import sys

import pytest

from tamaya.rules import MissingPartError
from tamaya.sim import environments


def test_every_public_name_is_there_and_no_other() -> None:
    assert all(callable(getattr(environments, name)) for name in environments.__all__)
    with pytest.raises(AttributeError):
        environments.parallel_env  # noqa: B018


@pytest.mark.parametrize(
    ("name", "package"),
    [("HanabiEnvironment", "pettingzoo"), ("env", "pettingzoo"), ("raw_env", "gymnasium"), ("HanabiVectorEnv", "gymnasium")],
)
def test_what_is_not_installed_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPartError, match=rf"needs the package {package}.*pip install 'tamaya\[rl\]'"):
        getattr(environments, name)
