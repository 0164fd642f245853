"""Tests of the league run without a compiler unless marked; a cluster has one."""

from __future__ import annotations

import pytest

from tamaya.league import matches


@pytest.fixture(autouse=True)
def _uncompiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not any(map(request.node.get_closest_marker, ("compiler", "cluster"))):
        monkeypatch.setattr(matches, "can_compile", lambda: False)
