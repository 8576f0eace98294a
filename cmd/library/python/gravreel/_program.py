"""The program: where it is, its options, its errors."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Union

Scene = Union[str, "os.PathLike[str]", Mapping[str, Any], None]

_BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bundle", "bin", "gravreel")


class GravreelError(RuntimeError):
    """What failed, in one sentence. `code` is the exit code of the program: 2 for wrong usage, 5 for files."""

    def __init__(self, sentence: str, code: int = 1):
        super().__init__(sentence)
        self.code = code


def real(name: str, value: Any) -> float:
    """The value as a float."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise GravreelError(f"{name} is {value!r}; give a number", 2) from None


def program() -> str:
    """The program: $GRAVREEL, else the one in this package, else the one on the path."""
    named = os.environ.get("GRAVREEL") or (_BUNDLED if os.path.exists(_BUNDLED) else "gravreel")
    found = shutil.which(named)
    if not found:
        raise GravreelError(f"the program '{named}' was not found; install gravreel, or name it in $GRAVREEL", 127)
    return found


@contextmanager
def options(scene: Scene, settings: Optional[Mapping[str, Any]], others: Mapping[str, Any]) -> Iterator[List[str]]:
    """Makes the words of a command line from a scene, {"look.color": "speed"} and {"size": "1280x720", "y": True}. A scene
    that is a dict is written to a file that exists until the block ends."""
    words, file = [], None
    if isinstance(scene, Mapping):
        file = tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8")
        json.dump(scene, file)  # JSON is also YAML
        file.flush()
        words.append(file.name)
    elif scene is not None:
        words.append(os.fspath(scene))
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    for name, value in others.items():
        option = f"-{name}" if len(name) == 1 else "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, str(value)]
    try:
        yield words
    finally:
        if file:
            file.close()


def sentence(text: str, code: int) -> str:
    """The last sentence of the program's messages."""
    said = [line[len("gravreel: "):] for line in text.splitlines() if line.startswith("gravreel: ")]
    return said[-1] if said else text.strip() or (
        f"gravreel was killed (signal {-code})" if code < 0 else f"the program ended with code {code} and said nothing")


def run(words: Sequence[str], given: bytes = b"") -> bytes:
    """Runs the program with `given` as its standard input. Returns its output."""
    ended = subprocess.run([program(), *words], input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ended.returncode:
        raise GravreelError(sentence(ended.stderr.decode(errors="replace"), ended.returncode), ended.returncode)
    return ended.stdout
