"""The rules of the game, each written once, as plain functions over one flat array of bytes (`tamaya.engine.instances`).

Arguments are not checked and no objects are made here; `tamaya.engine.Game` is the object-oriented interface.
"""
