"""What JSON allows and no order or entry may hold: the same field twice in one object."""

from __future__ import annotations

import json
from typing import Any


class _Doubled(Exception):  # noqa: N818  a finding about a text
    pass


def doubled_field(text: bytes | str) -> str | None:
    """The first field that stands twice in one object of a JSON text; None where none does.

    Readers differ about which of the two holds, so that one text would be two orders. `text` has been read before:
    what is no JSON has no doubled field either.
    """
    try:
        _DECODER.decode(text if isinstance(text, str) else text.decode())
    except _Doubled as doubled:
        return str(doubled)
    except (ValueError, RecursionError):
        return None
    return None


def _checked(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise _Doubled(name[:40])
        seen.add(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_checked, parse_int=str, parse_float=str)
