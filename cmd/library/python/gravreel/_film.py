"""Films of a simulation while it runs."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
import weakref
from contextlib import ExitStack
from types import TracebackType
from typing import IO, Any, Dict, Mapping, Optional, Sequence, Tuple, Type, Union

from ._arrays import bodies
from ._program import GravreelError, Scene, options as words_of, program, sentence

_SHOWN = {".mp4": "video/mp4", ".webm": "video/webm"}


def _finish(process: "subprocess.Popen[bytes]", messages: IO[bytes], held: ExitStack) -> Tuple[int, str]:
    """Ends the stream and waits until the film is made. Returns the exit code and what the program has said."""
    assert process.stdin
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    code = process.wait()
    messages.seek(0)
    said = messages.read().decode(errors="replace")
    held.close()
    return code, said


def _finish_forgotten(output: str, process: "subprocess.Popen[bytes]", messages: IO[bytes], held: ExitStack) -> None:
    code, said = _finish(process, messages, held)
    if code:
        print(f"gravreel: {output}: {sentence(said, code)}", file=sys.stderr)


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
        head: Dict[str, Any] = {"gravreel": "frames", "format": 1}
        if units is not None:
            length, mass, velocity = map(float, units)
            head["units"] = {"length_cm": length, "mass_g": mass, "velocity_cms": velocity}
        self.output = os.fspath(output)
        self._held = ExitStack()
        try:
            words = self._held.enter_context(words_of(scene, settings, options))
            self._messages = self._held.enter_context(tempfile.TemporaryFile())
            self._process = subprocess.Popen([program(), "render", *words, "--frames-from", "-", "-o", self.output],
                                             stdin=subprocess.PIPE, stderr=self._messages)
        except BaseException:
            self._held.close()
            raise
        self._forgotten = weakref.finalize(self, _finish_forgotten, self.output, self._process, self._messages, self._held)
        self._write(json.dumps(head).encode() + b"\n")

    def _write(self, data: Any) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(data)
            return
        except (BrokenPipeError, ValueError):
            pass
        self.close()  # raises what the program has said
        raise GravreelError("the film is closed; open another one", 1)

    def frame(self, time: float, pos: Any, vel: Any, mass: Any = None, id: Any = None,
              components: Optional[Mapping[str, int]] = None, **columns: Any) -> None:
        """Hands over a frame. Times grow; lengths, masses and velocities are in the film's units.

        pos, vel: [n, 3]. mass: [n], in the first frame, and again if it changes. id: [n] whole numbers, if bodies come,
        go or change places. components: {"gas": 100, "stars": 900}, if rows are of several kinds. columns: [n], by which
        bodies can be coloured. Arrays are anything that NumPy, DLPack or `__cuda_array_interface__` can hand over; those
        in host memory are not copied. Raises ArrayShapeError, ArrayTypeError, ArrayValueError or ArrayDeviceError before
        anything of the frame is sent, and GravreelError with the program's sentence."""
        arrays = bodies(pos, vel, {"mass": mass, "id": id, **columns})
        if not abs(float(time)) < float("inf"):
            raise GravreelError(f"a frame's time is {time}, not a finite number", 2)
        line: Dict[str, Any] = {"time": float(time), "bodies": len(arrays["pos"]),
                      "arrays": [f"{name} {array.dtype.str[1:]}" for name, array in arrays.items()]}
        if components:
            line["components"] = {name: int(number) for name, number in components.items()}
        self._write(json.dumps(line).encode() + b"\n")
        for array in arrays.values():
            self._write(array.data.cast("B") if array.size else b"")

    def close(self) -> None:
        """Waits until the film is made. Raises GravreelError if that fails."""
        if not self._forgotten.detach():
            return  # it is closed already
        code, said = _finish(self._process, self._messages, self._held)
        if code:
            raise GravreelError(sentence(said, code), code)

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
        if kind is None or self._process.returncode != 0:
            return None
        with open(self.output, "rb") as file:
            film = base64.b64encode(file.read()).decode()
        return f'<video controls loop src="data:{kind};base64,{film}"></video>'
