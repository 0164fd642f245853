"""The contract of every store for sessions and login links."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from tamaya.table import Session, SessionClaim, SessionStore, SignedOutError, Store, hash_secret
from tamaya.table.sessions import DAY, MAX_CLOCK_SKEW, MAX_LISTED, SEEN_RESOLUTION, SESSION_LIFETIME
from tests.contract.place import Place

Use = Callable[[Callable[[SessionStore], Awaitable[None]]], None]
NOW = 1000 * DAY


@pytest.fixture
def use(place: Place) -> Use:
    """Runs steps on the session store of one place, which is reopened each time."""

    def used(steps: Callable[[SessionStore], Awaitable[None]]) -> None:
        async def with_sessions(store: Store) -> None:
            await steps(store.sessions)

        place.use(with_sessions)

    return used


def session(name: str, person: str = "p-ann", seen: float = NOW) -> Session:
    return Session(hash_secret(name), person, NOW, seen, "Firefox · Linux")


def claim(name: str, person: str = "p-ann") -> SessionClaim:
    return SessionClaim(person, hash_secret(name))


def test_a_session_is_valid_until_it_is_ended_also_after_a_restart(use: Use) -> None:
    async def begin(store: SessionStore) -> None:
        assert await store.revoked([claim("phone")]) == {claim("phone")}, "an unknown session is not valid"
        await store.begin(session("phone"))

    async def end(store: SessionStore) -> None:
        assert await store.revoked([claim("phone"), SessionClaim("p-ann")]) == set()
        assert await store.end(claim("phone"), hash_secret("phone"))
        assert not await store.end(SessionClaim("p-ann"), hash_secret("phone"))

    async def look(store: SessionStore) -> None:
        assert await store.revoked([claim("phone"), SessionClaim("p-ann")]) == {claim("phone")}

    for steps in (begin, end, look):
        use(steps)


def test_people_cannot_end_or_claim_sessions_of_others(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        await store.begin(session("phone"))
        assert not await store.end(SessionClaim("p-eve"), hash_secret("phone"))
        await store.end_others(SessionClaim("p-eve"), NOW)
        assert await store.revoked([claim("phone"), claim("phone", "p-eve")]) == {claim("phone", "p-eve")}
        assert await store.sessions_of("p-eve") == []

    use(steps)


def test_the_last_used_sessions_are_listed_first_up_to_a_limit(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        for day in range(MAX_LISTED + 5):
            await store.begin(session(f"day {day}", seen=NOW + day * DAY))
        listed = await store.sessions_of("p-ann")
        assert listed == [session(f"day {day}", seen=NOW + day * DAY) for day in range(MAX_LISTED + 4, 4, -1)]

    use(steps)


def test_many_claims_can_be_checked_at_once(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        await store.begin(session("phone"))
        await store.end_others(SessionClaim("p-bob"), NOW)
        crowd = {SessionClaim(f"p-{n}", hash_secret(str(n))) for n in range(1200)} | {
            SessionClaim(f"p-{n}") for n in range(1200)
        }
        found = await store.revoked(crowd | {claim("phone"), SessionClaim("p-bob")})
        assert found == {one for one in crowd if one.session} | {SessionClaim("p-bob")}
        assert await store.revoked([]) == set()

    use(steps)


def test_ending_all_others_revokes_cookies_without_a_session_too(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        for name in ("phone", "laptop", "library"):
            await store.begin(session(name))
        await store.begin(session("bob's", "p-bob"))
        for _ in range(2):
            await store.end_others(claim("phone"), NOW)
        kept = [claim("phone"), claim("bob's", "p-bob"), SessionClaim("p-bob")]
        ended = {claim("laptop"), claim("library"), SessionClaim("p-ann")}
        assert await store.revoked([*kept, *ended]) == ended
        await store.begin(session("too late"))
        assert await store.revoked([claim("too late")]), "a cookie without a session can no longer begin one"

    use(steps)


def test_the_last_use_is_stored_roughly_and_corrects_a_wrong_clock(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        await store.begin(session("phone"))
        for now, seen in (
            (NOW + SEEN_RESOLUTION - 1, NOW),
            (NOW + SEEN_RESOLUTION + 1, NOW + SEEN_RESOLUTION + 1),
            (NOW + 365 * DAY, NOW + 365 * DAY),
            (NOW + 2 * SEEN_RESOLUTION, NOW + 2 * SEEN_RESOLUTION),
        ):
            await store.see([hash_secret("phone"), hash_secret("ended long ago")], now)
            assert await store.sessions_of("p-ann") == [session("phone", seen=seen)]

    use(steps)


def test_a_login_link_begins_only_one_session(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        await store.save_login_link(SessionClaim("p-ann"), "link", "Ann", NOW)
        assert [await store.get_login_link("link", NOW) for _ in range(2)] == ["Ann", "Ann"], "reading does not use it up"
        assert not await store.redeem_login_link("link", session("eve's", "p-eve"))
        assert not await store.redeem_login_link("another link", session("tablet"))
        assert [await store.redeem_login_link("link", session(name)) for name in ("tablet", "thief")] == [True, False]
        assert await store.get_login_link("link", NOW) is None
        assert await store.revoked([claim("tablet"), claim("thief")]) == {claim("thief")}

    use(steps)


@pytest.mark.parametrize("late", [DAY + 1, 365 * DAY, -MAX_CLOCK_SKEW - 1, -365 * DAY])
def test_a_login_link_is_valid_for_a_day_whatever_the_clock(use: Use, late: float) -> None:
    async def steps(store: SessionStore) -> None:
        await store.save_login_link(SessionClaim("p-ann"), "link", "Ann", NOW)
        assert await store.get_login_link("link", NOW + DAY - 1) == "Ann"
        assert await store.get_login_link("link", NOW + late) is None
        assert not await store.redeem_login_link("link", replace(session("tablet"), made=NOW + late))

    use(steps)


def test_a_new_login_link_replaces_the_old_and_ending_sessions_deletes_it(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        await store.begin(session("phone"))
        await store.save_login_link(SessionClaim("p-bob"), "bob's", "Bob", NOW)
        await store.save_login_link(SessionClaim("p-ann"), "first", "Ann", NOW)
        await store.save_login_link(SessionClaim("p-ann"), "second", "Ann", NOW)
        assert [await store.get_login_link(name, NOW) for name in ("first", "second")] == [None, "Ann"]
        await store.end(claim("phone"), hash_secret("gone before"))
        assert await store.get_login_link("second", NOW) is None
        await store.save_login_link(SessionClaim("p-ann"), "third", "Ann", NOW)
        await store.end_others(claim("phone"), NOW)
        assert [await store.get_login_link(name, NOW) for name in ("third", "bob's")] == [None, "Bob"]

    use(steps)


@pytest.mark.parametrize("old", [claim("thief"), SessionClaim("p-ann")], ids=["an ended session", "a cookie without a session"])
def test_a_signed_out_claim_can_neither_make_a_link_nor_end_sessions(use: Use, old: SessionClaim) -> None:
    async def steps(store: SessionStore) -> None:
        for name in ("phone", "thief"):
            await store.begin(session(name))
        await store.end_others(claim("phone"), NOW)
        await store.save_login_link(claim("phone"), "link", "Ann", NOW)
        with pytest.raises(SignedOutError):
            await store.save_login_link(old, "way back", "Ann", NOW)
        with pytest.raises(SignedOutError):
            await store.end(old, hash_secret("phone"))
        with pytest.raises(SignedOutError):
            await store.end_others(old, NOW)
        assert not await store.revoked([claim("phone")])
        assert [await store.get_login_link(name, NOW) for name in ("link", "way back")] == ["Ann", None]

    use(steps)


def test_long_unused_sessions_are_swept_a_few_at_a_time(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        for number in range(3):
            await store.begin(session(f"old {number}", seen=NOW - SESSION_LIFETIME - number - 1))
        for number in range(37):
            await store.begin(session(f"new {number}", seen=NOW - SESSION_LIFETIME + 1))
        await store.begin(session("newest"))
        assert [await store.sweep(NOW) for _ in range(3)] == [2, 1, 0]
        assert not await store.revoked([claim("new 0"), claim("newest")])

    use(steps)


def test_a_clock_years_ahead_ends_no_session(use: Use) -> None:
    async def steps(store: SessionStore) -> None:
        assert await store.sweep(NOW) == 0
        await store.begin(session("phone"))
        await store.save_login_link(SessionClaim("p-ann"), "link", "Ann", NOW)
        assert await store.sweep(NOW) == 0
        assert await store.get_login_link("link", NOW) == "Ann"
        assert await store.sweep(NOW + 9 * SESSION_LIFETIME) == 0
        assert not await store.revoked([claim("phone")])
        assert await store.get_login_link("link", NOW) is None

    use(steps)
