"""Two games that differ only in what an agent cannot see are the same environment to that agent."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, Rules
from tamaya.rules import number_of
from tamaya.sim.environments import HanabiEnvironment
from tests.sim.environments.support import VARIANTS, begun, choose, choose_illegal
from tests.tables import careful_action, random_action, rules
from tests.twins import twin_deck

SEEDS = st.integers(0, 2**64 - 1)


def told_to(environment: HanabiEnvironment, agent: str) -> list[Any]:
    """Everything that an environment tells an agent."""
    told = environment.observe(agent)
    everything: list[Any] = [told["observation"].tobytes(), told["action_mask"].tobytes(), environment.agent_selection]
    if agent in environment.agents:
        everything += [environment.terminations[agent], environment.infos[agent], environment._cumulative_rewards[agent]]
    if agent == environment.agent_selection:
        everything += [environment.render(), environment.last(observe=False)]
    return everything


@given(
    rules(), SEEDS, st.sampled_from([random_action, careful_action]), st.integers(0, 50), st.sampled_from(["mask", "penalise"])
)
def test_an_agent_cannot_distinguish_them(table: Rules, seed: int, style: Any, length: int, illegal: str) -> None:
    choice, game = random.Random(seed), Game(table, seed=seed)
    actions: list[int | None] = []
    while game.outcome is None and len(actions) < length:
        action, mover = style(game, choice), game.to_move
        assert mover is not None
        actions.append(number_of(action, table, mover))
        game.act(action)
    seat = choice.randrange(table.players)
    agent, decks = f"player_{seat}", (list(game.reveal_deck()), twin_deck(game, seat, choice))
    worlds = [HanabiEnvironment(table, illegal=illegal, render_mode="ansi") for _ in decks]
    for world, deck in zip(worlds, decks, strict=True):
        world.reset(seed=1, options={"deck": deck})
    assert told_to(worlds[0], agent) == told_to(worlds[1], agent)
    for number in actions:
        for world in worlds:
            if illegal == "penalise":
                world.step(-1)
            world.step(number)
        assert told_to(worlds[0], agent) == told_to(worlds[1], agent)
    if worlds[0].agent_selection == agent and game.outcome is None:
        refused = choose_illegal(worlds[0].observe(agent)["action_mask"], choice)
        for world in worlds:
            world.step(refused)
        taken = [world.infos[agent].get("taken") for world in worlds]
        assert taken[0] == taken[1]
        assert illegal == "mask" or told_to(worlds[0], agent) == told_to(worlds[1], agent)


@pytest.mark.parametrize("text", VARIANTS)
def test_another_agents_illegal_attempt_reveals_nothing(text: str) -> None:
    environment, choice = begun(VARIANTS[text], 3, 1, illegal="penalise"), random.Random(3)
    mover, others = environment.agent_selection, environment.agents.copy()
    others.remove(mover)
    before = [told_to(environment, agent) for agent in others]
    environment.step(choose_illegal(environment.observe(mover)["action_mask"], choice))
    assert environment.rewards == {agent: -1.0 * (agent == mover) for agent in environment.agents}
    assert [told_to(environment, agent) for agent in others] == before


def test_only_the_agent_to_move_gets_a_mask() -> None:
    environment = begun(Rules(players=5), 3, 6)
    mover = environment.agent_selection
    assert environment.observe(mover)["action_mask"].any()
    assert not any(environment.observe(agent)["action_mask"].any() for agent in environment.agents if agent != mover)
    assert not any("action_mask" in info for info in environment.infos.values())


def test_the_rendering_does_not_show_the_agents_own_cards() -> None:
    environment = begun(VARIANTS["players=3"], 3, 0, render_mode="ansi")
    choice = random.Random(3)
    for _ in range(8):
        lines = str(environment.render()).splitlines()
        own = next(line for line in lines if line.startswith(environment.agent_selection + "  "))
        assert set(own.split()[1:]) == {"??"}
        assert sum("??" in line for line in lines) == 1
        environment.step(choose(environment.observe(environment.agent_selection)["action_mask"], choice))
