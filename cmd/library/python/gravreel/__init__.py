"""Films of N-body simulations, from NumPy arrays.

The program `gravreel` does the work, in a process of its own: $GRAVREEL names it, else it is found on the path.
Arrays are anything that NumPy, DLPack or `__cuda_array_interface__` (through CuPy) can hand over, with a row for
each body: positions and velocities [n, 3], masses and columns [n]. Units are those in which G = 1, unless a scene or
`units` says otherwise.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

__version__ = "1.0.0"
__all__ = ["Film", "GravreelError", "still", "simulate"]

_TYPES = {"f": (4, 8), "i": (4, 8), "u": (4, 8)}


class GravreelError(RuntimeError):
    """What the program said: one sentence. `code` is its exit code."""

    def __init__(self, sentence: str, code: int = 1):
        super().__init__(sentence)
        self.code = code


def _program() -> str:
    named = os.environ.get("GRAVREEL") or "gravreel"
    found = shutil.which(named)
    if not found:
        raise GravreelError(f"there is no program '{named}'; install gravreel, or name it in $GRAVREEL", 127)
    return found


def _host(array: Any) -> np.ndarray:
    """The array in host memory; without a copy where it is there already."""
    if hasattr(array, "__cuda_array_interface__"):
        import cupy

        return cupy.asnumpy(cupy.asarray(array))
    if hasattr(array, "__dlpack__") and not isinstance(array, np.ndarray):
        try:
            return np.from_dlpack(array)
        except (AttributeError, BufferError, RuntimeError, TypeError):
            pass
    return np.asarray(array)


def _numbers(name: str, array: Any, shape: tuple) -> np.ndarray:
    found = _host(array)
    if found.shape != shape:
        raise GravreelError(f"the array {name} has the shape {found.shape}, and not {shape}", 2)
    if found.dtype.kind == "f" and found.dtype.itemsize == 2 or found.dtype.kind in "iu" and found.dtype.itemsize < 4:
        found = found.astype(f"{found.dtype.kind}4")
    if found.dtype.kind == "b":
        found = found.astype("i4")
    if found.dtype.kind not in _TYPES or found.dtype.itemsize not in _TYPES[found.dtype.kind]:
        raise GravreelError(f"the array {name} has the type {found.dtype}; use floats or whole numbers of 32 or 64 bits", 2)
    if found.dtype.kind == "f" and name in ("pos", "vel", "mass") and not np.isfinite(found).all():
        row = int(np.argwhere(~np.isfinite(found))[0][0])
        raise GravreelError(f"the array {name} has a number that is not finite, of body {row}", 2)
    return np.ascontiguousarray(found, dtype=found.dtype.newbyteorder("<"))


def _options(scene: Optional[str], settings: Mapping[str, Any], options: Mapping[str, Any]) -> list:
    """scene, {"look.color": "speed"}, {"size": "1280x720", "y": True} as on a command line."""
    words = [] if scene is None else [os.fspath(scene)]
    for key, value in settings.items():
        words += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    for name, value in options.items():
        option = f"-{name}" if len(name) == 1 else "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, str(value)]
    return words


def _sentence(text: str, code: int) -> str:
    said = [line[len("gravreel: "):] for line in text.splitlines() if line.startswith("gravreel: ")]
    return said[-1] if said else text.strip() or f"the program ended with code {code} and said nothing"


def _run(words: Sequence[str], given: Optional[bytes] = None) -> bytes:
    ended = subprocess.run([_program(), *words], input=given, stdin=None if given is not None else subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ended.returncode:
        raise GravreelError(_sentence(ended.stderr.decode(errors="replace"), ended.returncode), ended.returncode)
    return ended.stdout


def _archive(pos: Any, vel: Any, mass: Any, columns: Mapping[str, Any]) -> bytes:
    count = len(_host(pos))
    arrays = {"pos": _numbers("pos", pos, (count, 3)), "vel": _numbers("vel", vel, (count, 3)),
              "mass": _numbers("mass", mass, (count,))}
    arrays.update({name: _numbers(name, column, (count,)) for name, column in columns.items()})
    archive = io.BytesIO()
    np.savez(archive, **arrays)
    return archive.getvalue()


class Film:
    """A film of a simulation while it runs.

        with gravreel.Film("film.mp4", size="1280x720") as film:
            for t, x, v in steps:
                film.frame(t, x, v, mass=m)

    output: the film, or a pattern of pictures. scene: how it is shown; None: the default. settings: keys of the
    scene, {"look.color": "speed"}. units: (cm, g, cm/s). Other arguments are options of `gravreel render`, such as
    size="1280x720", duration=20, y=True. The film is made when the block ends.
    """

    def __init__(self, output: Union[str, os.PathLike], scene: Optional[str] = None,
                 settings: Optional[Mapping[str, Any]] = None, units: Optional[Sequence[float]] = None, **options: Any):
        words = ["render", *_options(scene, settings or {}, options), "--frames-from", "-", "-o", os.fspath(output)]
        self._messages = tempfile.TemporaryFile()
        self._process = subprocess.Popen([_program(), *words], stdin=subprocess.PIPE, stderr=self._messages)
        head = {"gravreel": "frames", "format": 1}
        if units is not None:
            head["units"] = dict(zip(("length_cm", "mass_g", "velocity_cms"), map(float, units)))
        self._write(json.dumps(head).encode() + b"\n")

    def _write(self, data: Any) -> None:
        try:
            self._process.stdin.write(data)
        except (BrokenPipeError, ValueError):
            self.close()
            raise GravreelError("the film is closed; open another one", 1) from None

    def frame(self, time: float, pos: Any, vel: Any, mass: Any = None, id: Any = None,
              components: Optional[Mapping[str, int]] = None, **columns: Any) -> None:
        """Hands over a frame: pos and vel [n, 3], mass [n] (in the first frame, or in all), id [n] if bodies come, go
        or change places, components {"gas": 100, "stars": 900} if rows are of several kinds, and columns [n] by which
        bodies can be coloured."""
        count = len(_host(pos))
        arrays = {"pos": _numbers("pos", pos, (count, 3)), "vel": _numbers("vel", vel, (count, 3))}
        for name, column in {"mass": mass, "id": id, **columns}.items():
            if column is not None:
                arrays[name] = _numbers(name, column, (count,))
        line = {"time": float(time), "bodies": count,
                "arrays": [f"{name} {array.dtype.str[1:]}" for name, array in arrays.items()]}
        if components:
            line["components"] = {name: int(number) for name, number in components.items()}
        self._write(json.dumps(line).encode() + b"\n")
        for array in arrays.values():
            self._write(array.data.cast("B") if array.size else b"")

    def close(self) -> None:
        """Waits until the film is made."""
        if self._process.returncode is not None:
            return
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        code = self._process.wait()
        self._messages.seek(0)
        said = self._messages.read().decode(errors="replace")
        self._messages.close()
        if code:
            raise GravreelError(_sentence(said, code), code)

    def __enter__(self) -> "Film":
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        try:
            self.close()
        except GravreelError:
            if kind is None:  # else the block's own exception says more
                raise


def still(pos: Any, vel: Any, mass: Any, scene: Optional[str] = None, settings: Optional[Mapping[str, Any]] = None,
          **options: Any) -> "np.ndarray":
    """A picture of bodies as an array [height, width, 3] of bytes: pos and vel [n, 3], mass [n]. options are those of
    `gravreel still`, such as size="640x360"."""
    from PIL import Image

    options = {"at": "start", **options}
    words = ["still", *_options(scene, settings or {}, options), "--bodies-from", "-", "-o", "-"]
    return np.asarray(Image.open(io.BytesIO(_run(words, _archive(pos, vel, mass, {})))).convert("RGB"))


def simulate(pos: Any, vel: Any, mass: Any, until: float, settings: Optional[Mapping[str, Any]] = None,
             **options: Any) -> dict:
    """Moves bodies to a later time by their gravity: pos and vel [n, 3], mass [n]. Returns {"pos": ..., "vel": ...,
    "mass": ...}. settings are keys of the scene, {"simulation.dt": 0.01}."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["simulate", *_options(None, settings or {}, options), "--bodies-from", "-", "--every", repr(float(until)),
                 "--until", repr(float(until)), "-y", "-o", os.path.join(folder, "bodies_%d.npz")]
        _run(words, _archive(pos, vel, mass, {}))
        with np.load(os.path.join(folder, "bodies_1.npz")) as found:
            return {name: found[name] for name in ("pos", "vel", "mass")}
