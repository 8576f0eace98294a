"""Draws bodies, or moves them to a later time."""

from __future__ import annotations

import io
import os
import tempfile
from typing import Any, Dict, Mapping, Optional

import numpy as np

from ._arrays import bodies
from ._program import GravreelError, Scene, options as words_of, real, run


class Picture(np.ndarray):
    """A picture as an array [height, width, 3] of bytes, red, green and blue, from the upper left; a notebook shows it."""

    png: Optional[bytes]

    def __array_finalize__(self, other: Any) -> None:
        self.png = None  # a part of a picture has no PNG

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return np.asarray(array)[()]  # results of arithmetic are not pictures

    def _repr_png_(self) -> Optional[bytes]:
        return self.png


def _archive(pos: Any, vel: Any, columns: Mapping[str, Any]) -> bytes:
    archive = io.BytesIO()
    np.savez(archive, **bodies(pos, vel, columns))  # type: ignore[arg-type,unused-ignore]
    return archive.getvalue()


def _no_output(options: Mapping[str, Any], result: str) -> None:
    for name in ("output", "o"):
        if name in options:
            raise GravreelError(f"there is no option {name} here: the function returns {result}", 2)


def still(pos: Any, vel: Any, mass: Any, scene: Scene = None, settings: Optional[Mapping[str, Any]] = None,
          **options: Any) -> Picture:
    """Draws bodies: pos and vel [n, 3], mass [n], in units in which G = 1, or the scene's.

    scene: a name, a file or a dict of gravreel.scene(); None: the default. settings: keys of the scene,
    {"look.color": "speed"}. options are those of `gravreel still`, such as size="640x360"."""
    from PIL import Image

    _no_output(options, "the picture, and its png is the file's bytes")
    with words_of(scene, settings, {"at": "start", **options}) as words:
        png = run(["still", *words, "--bodies-from", "-", "-o", "-"], _archive(pos, vel, {"mass": mass}))
    picture = np.array(Image.open(io.BytesIO(png)).convert("RGB")).view(Picture)
    picture.png = png
    return picture


def simulate(pos: Any, vel: Any, mass: Any, until: float, settings: Optional[Mapping[str, Any]] = None,
             **options: Any) -> Dict[str, np.ndarray]:
    """Moves bodies by their gravity from time 0 to `until`: pos and vel [n, 3], mass [n], in units in which G = 1.

    Returns {"pos": [n, 3], "vel": [n, 3], "mass": [n]} at that time, in the same order. settings are keys of the scene,
    {"simulation.dt": 0.01, "simulation.softening": 0.05}; what is left out is chosen from the bodies. options are those
    of `gravreel simulate`."""
    if not 0 < real("until", until) < float("inf"):
        raise GravreelError(f"until is {until}; give a time above 0", 2)
    _no_output(options, "the bodies")
    with tempfile.TemporaryDirectory() as folder, words_of(None, settings, options) as words:
        run(["simulate", *words, "--bodies-from", "-", "--every", repr(float(until)), "--until", repr(float(until)), "-y",
             "-o", os.path.join(folder, "bodies_%d.npz")], _archive(pos, vel, {"mass": mass}))
        with np.load(os.path.join(folder, "bodies_1.npz")) as found:
            return {name: found[name] for name in ("pos", "vel", "mass")}
