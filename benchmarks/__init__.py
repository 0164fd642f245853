"""How fast it all is, beside what others use, in one run: ``./dev bench engine``, ``web``, ``sim`` or ``bots``."""
