"""."""


def main() -> None: ...
