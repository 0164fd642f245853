"""Positions with known best moves: endgames analysed to the last card, and some on which all players agree.

Each is a deal, the moves that led there (one letter each, by the numbers of actions), and the best move. All were reached by
partners who keep to the conventions.
"""

from __future__ import annotations

from string import ascii_letters
from typing import NamedTuple

from tamaya import Game, read_rules


class Position(NamedTuple):
    """The idea of the position, the rules, the seed of the deal, the moves, and the best move."""

    idea: str
    rules: str
    seed: int
    moves: str
    best: str

    @property
    def game(self) -> Game:
        game = Game(read_rules(self.rules), seed=self.seed)
        for letter in self.moves:
            game.act(ascii_letters.index(letter))
        return game


SMALL = [
    Position(
        "with two cards left to draw, tell the card that comes next, not the one after it",
        "players=2 colours=1 hand_size=3",
        0,
        "helie",
        "clue 1 3",
    ),
    Position(
        "play the known 4 before the deck is empty: the 5 needs a turn, too",
        "players=2 colours=2 hand_size=3 mistakes=1",
        0,
        "iegdmgdbifajdkdcalfhd",
        "play 1",
    ),
    Position(
        "give a clue rather than draw the last card: the partner needs two turns",
        "players=2 colours=2 hand_size=3 mistakes=1",
        0,
        "iegdmgdbifajdkdcalfhdc",
        "clue 2 4",
    ),
    Position(
        "in the last round, play what counting alone proves",
        "players=2 colours=2 hand_size=3 mistakes=1",
        0,
        "iegdmgdbifajdkdcalfhdca",
        "play 1",
    ),
    Position(
        "play a 5 that is known, for the point and for the token",
        "players=2 colours=2 hand_size=3 mistakes=1",
        1,
        "kgfmgejbhfgeaebdbhea",
        "play 1",
    ),
    Position(
        "without tokens, play the card that opens the way for three others",
        "players=2 colours=1 multicolour=five multicolour_named=no hand_size=3",
        0,
        "hhdfifljfkcjkfi",
        "play 3",
    ),
    Position(
        "a 3 that counting proves is played before anything is discarded",
        "players=2 colours=1 multicolour=five multicolour_named=no hand_size=3",
        0,
        "hhdfifljfkcjkfif",
        "play 3",
    ),
    Position(
        "of two 4s play the one that is not on the firework already",
        "players=2 colours=1 multicolour=five multicolour_named=no hand_size=3",
        0,
        "hhdfifljfkcjkfiffc",
        "play 2",
    ),
    Position(
        "one card to draw: an untold card that probably fits is worth the try",
        "players=2 colours=1 multicolour=five multicolour_named=no hand_size=3",
        1,
        "hheglalklklbhfbcife",
        "play 3",
    ),
    Position(
        "the last turn of all belongs to the card that fits",
        "players=2 colours=1 multicolour=five multicolour_named=no hand_size=3",
        1,
        "hheglalklklbhfbcifekbj",
        "play 2",
    ),
    Position(
        "two cards to draw: tell the 3 that one's own 5 waits for",
        "players=2 colours=1 multicolour=five multicolour_named=no hand_size=3",
        2,
        "hdieidaeljfke",
        "clue 1 3",
    ),
    Position(
        "the newer of two 3s is the one that the clue was about",
        "players=2 colours=1 multicolour=five multicolour_named=no hand_size=3",
        2,
        "hdieidaeljfkej",
        "play 3",
    ),
    Position(
        "on the last turn, try the card that is likelier to fit",
        "players=2 colours=1 multicolour=five multicolour_named=no hand_size=3",
        2,
        "hdieidaeljfkejfkff",
        "play 3",
    ),
    Position(
        "in the last round, a 5 that is known is played",
        "players=3 colours=1 hand_size=2",
        0,
        "fmcdedkjca",
        "play 2",
    ),
    Position(
        "three last turns: play the 3 that lets the 4 follow",
        "players=3 colours=1 hand_size=2",
        1,
        "fpcbajhd",
        "play 1",
    ),
    Position(
        "the 4 before the 5: there is no turn for both",
        "players=3 colours=1 hand_size=2",
        1,
        "fpcbajhdc",
        "play 2",
    ),
    Position(
        "no token is left, and the 4 is sure: play it, discard nothing",
        "players=2 colours=2 hand_size=3 clue_tokens=2",
        0,
        "iegdabhfmcajdcmclkd",
        "play 3",
    ),
    Position(
        "one card to draw: try the card that may fit, a clue helps nobody",
        "players=2 colours=2 hand_size=3 clue_tokens=2",
        0,
        "iegdabhfmcajdcmclkdfa",
        "play 3",
    ),
    Position(
        "the last card of the game: the 3 that fits, not the 3 that is on the firework",
        "players=2 colours=2 hand_size=3 clue_tokens=2",
        0,
        "iegdabhfmcajdcmclkdfahak",
        "play 3",
    ),
    Position(
        "in the last round, tell the partner which card is the 5",
        "players=2 colours=2 hand_size=3 clue_tokens=2",
        1,
        "kbifgeakfbahfaiakahagfb",
        "clue 1 5",
    ),
    Position(
        "a 5 told in the last round is played in the last turn",
        "players=2 colours=2 hand_size=3 clue_tokens=2",
        1,
        "kbifgeakfbahfaiakahagfbm",
        "play 3",
    ),
    Position(
        "say which cards can go, so that the partner does not discard the 3",
        "players=2 colours=2 hand_size=3 clue_tokens=2",
        2,
        "ifaejfmbakebmblfamf",
        "clue 1 red",
    ),
    Position(
        "no token, one card to draw: play what may fit rather than discard what is useless",
        "players=2 colours=2 hand_size=3 clue_tokens=2",
        2,
        "ifaejfmbakebmblfamfghf",
        "play 3",
    ),
    Position(
        "of two known 3s play the colour that is still open",
        "players=2 colours=2 hand_size=3 clue_tokens=2",
        2,
        "ifaejfmbakebmblfamfghfak",
        "play 2",
    ),
    Position(
        "three players, last turn: play the 3 that is known",
        "players=3 colours=2 hand_size=2 clue_tokens=3",
        0,
        "gacrahanfdqajcbkcbcaoadpe",
        "play 2",
    ),
    Position(
        "three players, last turn: play the 5",
        "players=3 colours=2 hand_size=2 clue_tokens=3",
        1,
        "ecagachdjckdaaaphddqadra",
        "play 2",
    ),
]
"""Few cards: all worlds can be searched without a compiler."""

FULL_DECKS = [
    Position(
        "one card to draw, both 5s in reach: tell the partner's 5 before playing one's own",
        "players=2",
        18,
        "mmagpinjkrgjdgnjqhrfdatddpctcpjnhdcpleqjmffdfkbdbsjdqjhqjgfgb",
        "clue 1 5",
    ),
    Position(
        "try the untold card: it may be the 4 for which one's own 5 waits",
        "players=2",
        7,
        "tpjtgahqjaaatbtldbtbtbocmjqjdrjdmepjrpgjcnhljrigggbcbtboolplkcljfpa",
        "play 5",
    ),
    Position(
        "name the 5 by its colour, as another 5 does not fit yet",
        "players=2",
        17,
        "pfohtrfmjqitegljekfbdcdtdcecljlgebkkpdqckjfpfnhfibohsjcfcmfkend",
        "clue 1 blue",
    ),
    Position(
        "in the last round, the clue by which the partner finds the 3 is surer than trying one's own",
        "players=2",
        11,
        "ppfljojqofkkfigatbamjqjbhbbmjrjkdtenacsierjoecnjichcmjtfckjffbf",
        "clue 1 green",
    ),
    Position(
        "two cards to draw, nothing to play: pass with a clue, discard nothing",
        "players=2",
        3,
        "rpiojtgaobpjsfkgpdteakfrbkjetibqhridlhbnjcgnicojpibcmdfeanjktlpkbnb",
        "clue 1 4",
    ),
    Position(
        "play the card that fits on the last turn, with every firework but one done",
        "players=2",
        5,
        "tpftfafqfolghqjbgojbfpjnjbpdcrgkfdkhmcrjarjdatbnjdmjfhmgcfataas",
        "play 5",
    ),
    Position(
        "two last turns: the 5 that is known",
        "players=2",
        1,
        "ppjapfgtoiagkjaapjalilrbekjpsjecnjafbmjtdaojdkjamjdasfmjhojafa",
        "play 1",
    ),
    Position(
        "one card to draw: play the card that has just come, though nobody told it",
        "players=2",
        19,
        "tpfthbasckenjljbertmtbtbtbtbpjogaodtpekjpepeghojfogbmjgatbbodtpscnjbmbmb",
        "play 5",
    ),
    Position(
        "three players, one card to draw: tell the next card of another hand instead of drawing",
        "players=3",
        7,
        "AzbjxBiaDgexkDepehrejmehDgpciDdqkhguhAfjgcojcmffchCfjff",
        "clue 3 4",
    ),
    Position(
        "three players: the clue that sets off three plays in the last round",
        "players=3",
        26,
        "uiaDgaxaABxCtlCadvbqqidtfDalieujezejthjatidhpijvjcgnicqgha",
        "clue 1 3",
    ),
    Position(
        "three last turns: a clue on the 4 makes the next player play the 3 before it",
        "players=3",
        18,
        "ujspgiagyabCavdnohsjgzajbaflgflggArhjbrcfafkjxkiqgjbpdf",
        "clue 1 4",
    ),
    Position(
        "three last turns: tell the next player's 3 so that the 4 after it can follow",
        "players=3",
        40,
        "zDjaygppjfpggaCahmfjoioqjgwhaafohfCajmjygxiacaabaDyjaoCnh",
        "clue 2 white",
    ),
    Position(
        "three players, no token: a newcomer that counting proves is played at once",
        "players=3",
        42,
        "ufpyjvafaiwisbjtcjblybcdxojcimjDdfxqbcmbmsslsclbrcjyjigCsjjg",
        "play 5",
    ),
    Position(
        "three players: the middle card of three that all have to be played in the last round",
        "players=3",
        14,
        "psfjnwjjffygbzahvbiagvgttiifmgfqfglfCaiaaaaDygpajkatDjCa",
        "play 2",
    ),
    Position(
        "the 2 that lets a 3 and a 4 follow is told first",
        "players=2",
        120,
        "mpimhdtcfqjkjdkifriohdnjfdlgapfctcnjbtcpddd",
        "clue 1 2",
    ),
    Position(
        "with all tokens there, tell the card that fits now",
        "players=2",
        117,
        "ppfthaljnflgbibabtblbreojaeneleme",
        "clue 1 2",
    ),
]
"""The usual rules."""
