"""Films of a simulation while it runs."""

from __future__ import annotations

import base64
import ctypes
import os
import sys
import weakref
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Mapping, Optional, Sequence, Tuple, Type, Union

from ._arrays import bodies, handed
from ._library import Array, library
from ._program import GravreelError, Scene, options as words_of, real

_SHOWN = {".mp4": "video/mp4", ".webm": "video/webm"}


def _close(found: ctypes.CDLL, film: int, held: ExitStack) -> int:
    with held:
        return int(found.gravreel_close(film))


def _close_forgotten(output: str, found: ctypes.CDLL, film: int, held: ExitStack) -> None:
    if _close(found, film, held):
        print(f"gravreel: {output}: {found.gravreel_error().decode(errors='replace')}", file=sys.stderr)


def _units(units: Sequence[float]) -> Tuple[float, ...]:
    try:
        numbers = tuple(map(float, units))
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != 3:
        raise GravreelError(f"units are {units!r}; give three numbers: (cm, g, cm/s)", 2)
    return numbers


class Film:
    """A film of a simulation while it runs.

        with gravreel.Film("film.mp4", size="1280x720") as film:
            for t, x, v in steps:
                film.frame(t, x, v, mass=m)

    The film is made when the block ends, because camera and exposure depend on all of the motion. A film without a block
    is made by close(), or when nothing refers to it any more, at the latest when Python ends; then an error is printed.
    In a notebook, a film is shown as a video once it is made. Any number of films may be open; each is used by one
    thread at a time.
    """

    def __init__(self, output: Union[str, "os.PathLike[str]"], scene: Scene = None,
                 settings: Optional[Mapping[str, Any]] = None, units: Optional[Sequence[float]] = None, **options: Any):
        """output: the film, or a pattern of pictures. scene: how it is shown, a name, a file or a dict of
        gravreel.scene(); None: the default. settings: keys of the scene, {"look.color": "speed"}. units: those of the
        frames as (cm, g, cm/s); None: G = 1, or the scene's units. options are those of `gravreel render`, such as
        size="1280x720", duration=20, y=True."""
        self.output = os.fspath(output)
        numbers = None if units is None else _units(units)
        self._library = library()
        self._made: Optional[int] = None  # the exit code
        with ExitStack() as held:
            words = held.enter_context(words_of(scene, settings, options))
            listed = (ctypes.c_char_p * (len(words) + 1))(*(os.fsencode(word) for word in words), None)
            self._film = self._library.gravreel_open(os.fsencode(self.output), listed)
            self._held = held.pop_all()  # a scene's file, until the program has ended
        self._forgotten = weakref.finalize(self, _close_forgotten, self.output, self._library, self._film, self._held)
        if numbers is not None:
            self._check(self._library.gravreel_units(self._film, *numbers))

    def _check(self, code: int) -> None:
        if code:
            said = self._library.gravreel_error().decode(errors="replace")
            self._end()
            raise GravreelError(said, code)

    def _end(self) -> int:
        if self._made is None:
            self._forgotten.detach()
            self._made = _close(self._library, self._film, self._held)
        return self._made

    def frame(self, time: float, pos: Any, vel: Any, mass: Any = None, id: Any = None,
              components: Optional[Mapping[str, int]] = None, **columns: Any) -> None:
        """Hands over a frame. Times must increase; lengths, masses and velocities are in the film's units.

        pos, vel: [n, 3]. mass: [n], in the first frame, and again if it changes. id: [n] whole numbers, if bodies come,
        go or change places. components: {"gas": 100, "stars": 900}, if rows are of several kinds. columns: [n], by which
        bodies can be coloured. Arrays are anything that NumPy, DLPack or `__cuda_array_interface__` can hand over; they can
        be changed as soon as the call returns, and are sent meanwhile. Raises ArrayShapeError, ArrayTypeError, ArrayValueError or ArrayDeviceError before
        anything of the frame is sent, and GravreelError with the program's sentence, perhaps of an earlier
        frame."""
        if self._made is not None:
            raise GravreelError("the film is closed; open another one", 1)
        arrays = bodies(pos, vel, {"mass": mass, "id": id, **columns}, handed)
        time = real("time", time)
        if not abs(time) < float("inf"):
            raise GravreelError(f"a frame's time is {time}, not a finite number", 2)
        parts = components or {}
        names = (ctypes.c_char_p * len(parts))(*(name.encode() for name in parts))
        self._check(self._library.gravreel_components(self._film, len(parts), names, (ctypes.c_size_t * len(parts))(*map(int, parts.values()))))
        listed = (Array * len(arrays))(*(Array.of(name, array) for name, array in arrays.items()))
        self._check(self._library.gravreel_frame(self._film, time, arrays["pos"].shape[0], listed, len(arrays)))

    def close(self) -> None:
        """Waits until the film is made. Raises GravreelError if that fails."""
        if self._made is not None:
            return
        code = self._end()
        if code:
            raise GravreelError(self._library.gravreel_error().decode(errors="replace"), code)

    def __enter__(self) -> "Film":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        try:
            self.close()
        except GravreelError:
            if kind is None:  # otherwise the block's own exception says more
                raise

    def _repr_html_(self) -> Optional[str]:
        kind = _SHOWN.get(os.path.splitext(self.output)[1].lower())
        if kind is None or self._made != 0:
            return None
        with open(self.output, "rb") as file:
            film = base64.b64encode(file.read()).decode()
        return f'<video controls loop src="data:{kind};base64,{film}"></video>'
