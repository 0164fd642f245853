from tests.sim.cuda import card

collect_ignore = [] if card.is_there() else ["test_card.py"]
