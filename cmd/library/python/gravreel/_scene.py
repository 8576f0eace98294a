"""Scenes as dicts of the key table."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Union

from ._program import run


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=str)
    except ValueError:
        return text


def scene(name: Union[str, "os.PathLike[str]"]) -> Dict[str, Dict[str, Any]]:
    """A scene with every key and its value, {"bodies": {"model": "plummer", ...}, "look": {...}, ...}: a built-in scene,
    or a file. Change it, and hand it to Film or still. docs/scene.md describes the keys; one that does not exist is an
    error when the scene is used."""
    found: Dict[str, Dict[str, Any]] = {}
    section: Dict[str, Any] = {}
    items: List[Dict[str, Any]] = []
    for line in run(["scenes", "--resolved", os.fspath(name)]).decode().splitlines():
        indent = len(line) - len(line.lstrip())
        key, _, value = line.lstrip(" -").partition(":")
        if indent == 0:
            section = found[key] = {}
        elif indent == 2 and value:
            section[key] = _value(value[1:])
        elif indent == 2:
            items = section[key] = []
        else:
            if line[4] == "-":
                items.append({})
            items[-1][key] = _value(value[1:])
    return found
