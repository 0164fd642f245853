"""Who sits at a game of the league: bots that are shown views, and policies that are shown sights."""

from __future__ import annotations

from tamaya.bots import SeatedBot, load_bot
from tamaya.bots.policies import CHEATS, find_policy
from tamaya.bots.policy import PolicyBuilder, interpreted_policy
from tamaya.bots.protocol import illegal_choice
from tamaya.engine import Game
from tamaya.engine.kernel import EVERYBODY, interpreted_kernel
from tamaya.rules import Action, Rules, action_of
from tamaya.rules.actions import number_of


class BotSeat:
    """A bot, which is asked as at any table."""

    def __init__(self, name: str, seat: int) -> None:
        self._bot, self._seat = SeatedBot(load_bot(name).make()), seat

    def act(self, game: Game) -> Action:
        """The bot's choice."""
        return self._bot.act(game.view(self._seat))


class PolicySeat:
    """A policy, interpreted. Of the game's array it gets what its seat may see, or every hand if it is one that cheats."""

    def __init__(self, builder: PolicyBuilder, seat: int, eyes: int, rules: Rules) -> None:
        self._functions, self._policy = interpreted_kernel(rules), interpreted_policy(builder, rules)
        self._seat, self._eyes = seat, eyes
        self._memory = [0] * self._policy.words
        self._sight = bytearray()
        self._policy.begin(self._memory)

    def look(self, state: bytearray) -> None:
        """Take a note of what has changed."""
        before, self._sight = self._sight, bytearray(len(state))
        self._functions.see(state, self._eyes, self._sight)
        if before:
            self._policy.notice(self._memory, self._seat, before, self._sight)

    def act(self, game: Game) -> Action:
        """The policy's choice."""
        action = action_of(self._policy.choose(self._memory, self._sight), game.rules, self._seat)
        if action not in game.legal_actions():
            raise illegal_choice(str(action))
        return action


class Table:
    """A game with everybody at their seats; where policies sit, with its array beside it for them to look at."""

    def __init__(self, game: Game, seed: int, names: tuple[str, ...]) -> None:
        self._game, self._functions = game, interpreted_kernel(game.rules)
        self._seats = [_seated(name, seat, game.rules) for seat, name in enumerate(names)]
        self._lookers = [seat for seat in self._seats if isinstance(seat, PolicySeat)]
        self._array = bytearray(self._functions.layout.size)
        if self._lookers:
            self._functions.deal(self._array, *divmod(seed, 1 << 32))
            self._show()

    def take_turn(self, seat: int) -> None:
        """The action of whose turn it is."""
        action = self._seats[seat].act(self._game)
        self._game.act(action)
        if self._lookers:
            number = number_of(action, self._game.rules, seat)
            assert number is not None
            self._functions.apply(self._array, number)
            self._show()

    def _show(self) -> None:
        for seat in self._lookers:
            seat.look(self._array)


def _seated(name: str, seat: int, rules: Rules) -> BotSeat | PolicySeat:
    builder, eyes = find_policy(name), EVERYBODY if name in CHEATS else seat
    return PolicySeat(builder, seat, eyes, rules) if builder else BotSeat(name, seat)
