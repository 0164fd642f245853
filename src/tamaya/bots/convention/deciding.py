"""What the convention bot does, and why."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.cards import SCALE
from tamaya.bots.convention.clues import NEVER
from tamaya.bots.convention.memory import Memory
from tamaya.bots.convention.reasons import CARD, REASON, SLOT, Reason
from tamaya.bots.convention.weights import places
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import CLUES, DRAWN, LAST_TURNS, MISTAKES, SEAT


def build_deciding(
    kernel: Kernel, jit: Jit, notes: Memory, picture: Parts, views: Parts, clues: Parts, calls: Parts, cards: Parts
) -> Parts:
    """The function that chooses."""
    plan = kernel.layout
    players, deck_size, clue_tokens, mistakes = plan.players, plan.deck_size, plan.clue_tokens, plan.mistakes
    discard_action, colour_action, empty_clues = plan.discard_action, plan.colour_action, plan.empty_clues
    hand_count, points, maximum, all_or_nothing = kernel.hand_count, kernel.points, kernel.maximum, plan.all_or_nothing
    playable_cards, dead_cards, critical_cards = picture.playable_cards, picture.dead_cards, picture.critical_cards
    alarm = clues.alarm
    look, best_clue, note_calls, note_clue = views.look, clues.best_clue, calls.note_calls, clues.note_clue
    called_play, known_play, cheapest, likeliest = cards.called_play, cards.known_play, cards.cheapest, cards.likeliest
    least_worth, play, reason = cards.least_worth, cards.play, notes.reason
    worths = places(notes.weights)
    urgent, stall, gamble = worths.URGENT, worths.STALL, worths.GAMBLE
    gambles, stalls, anything = int(Reason.GAMBLE), int(Reason.CLUE_STALL), int(Reason.ANY)

    @jit
    def tries(memory: Any, sight: Any, me: int, playable: int) -> int:
        """A play that may be a mistake, when the deck is as good as empty and a mistake does not end the game; -1 if none."""
        left = deck_size - sight[DRAWN]
        if mistakes - sight[MISTAKES] < 2 or left > 2 or all_or_nothing:
            return -1
        slot, likely = likeliest(memory, sight, me, playable)
        if likely <= (0 if sight[LAST_TURNS] > 0 else memory[gamble]):
            return -1
        memory[reason + REASON] = gambles
        memory[reason + SLOT] = slot
        memory[reason + CARD] = likely * 100 // SCALE
        return play(slot, 0)

    @jit
    def spares_no_discard(sight: Any) -> bool:
        """Whether each further discard costs a point, as there are not enough turns left."""
        return not all_or_nothing and points(sight) + deck_size - sight[DRAWN] + players <= maximum(sight)

    @jit
    def discard_or_else(
        memory: Any, sight: Any, me: int, tokens: int, action: int, playable: int, dead: int, critical: int
    ) -> int:
        """When there is nothing good to do: a discard if one is possible, else any clue, else any play."""
        if tokens < clue_tokens and hand_count(sight, me) > 0:
            return discard_action + cheapest(memory, sight, me, dead, critical)
        memory[reason + REASON] = anything
        if tokens > 0 and action >= 0:
            return action
        if tokens > 0 and empty_clues:
            return colour_action
        slot, _ = likeliest(memory, sight, me, playable)
        memory[reason + SLOT] = slot
        return play(slot, 0)

    @jit
    def choose(memory: Any, sight: Any) -> int:
        """The action of the seat to move."""
        me, tokens = sight[SEAT] + 0, sight[CLUES] + 0
        playable, dead = playable_cards(sight), dead_cards(sight)
        critical = critical_cards(sight, dead)
        look(memory, sight, playable, dead)
        action = called_play(memory, sight, me, playable, dead)
        if action >= 0:
            return action
        action = known_play(memory, sight, me, playable)
        clue, worth = -1, NEVER
        if tokens > 0:
            note_calls(memory, sight, me, playable, dead)
            if action < 0 or players == 2 or alarm(memory, sight, me, playable, dead, critical):
                clue, worth = best_clue(memory, sight, me, playable, dead, critical)
        if action >= 0 and worth < memory[urgent]:
            return action
        if clue >= 0 and worth >= least_worth(memory, sight, me, tokens, dead, critical):
            return note_clue(memory, sight, me, clue, playable, dead, critical)
        if action < 0:
            action = tries(memory, sight, me, playable)
        if action >= 0:
            return action
        if clue >= 0 and (tokens == clue_tokens or (spares_no_discard(sight) and worth > -memory[stall])):
            memory[reason + REASON] = stalls
            return clue
        return discard_or_else(memory, sight, me, tokens, clue, playable, dead, critical)

    return Parts(choose=choose)
