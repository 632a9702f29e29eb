"""The order of registry versions (Semantic Versioning 2.0.0, section 11)."""


def is_older(version: str, than: str) -> bool:
    """Whether `version` precedes `than`; what follows a "+" does not count."""
    return _key(version) < _key(than)


def _key(version: str) -> tuple[tuple[int, ...], bool, list[tuple[bool, int, str]]]:
    core, _, pre_release = version.partition("+")[0].partition("-")
    numbers = tuple(int(number) for number in core.split("."))
    return numbers, not pre_release, [_identifier(each) for each in pre_release.split(".") if pre_release]


def _identifier(text: str) -> tuple[bool, int, str]:
    """Numbers precede words, and are compared as numbers."""
    return (False, int(text), "") if text.isascii() and text.isdigit() else (True, 0, text)
