"""Benchmarks, side by side with other implementations in one run: ``./dev bench engine``, ``web``, ``sim``, ``bots`` …"""
