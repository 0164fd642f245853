"""The rules of the game, written once, as plain functions over one flat array of bytes (`tamaya.engine.instances`).

Nothing here checks its arguments or knows objects; `tamaya.engine.Game` is the friendly face.
"""
