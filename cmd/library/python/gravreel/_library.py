"""libgravreel, which sends frames to the program on a thread of its own."""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Dict, Union

import numpy as np

from ._arrays import DeviceArray
from ._program import GravreelError, program

TYPES: Dict[str, int] = {"<f4": 0, "<f8": 1, "<i4": 2, "<i8": 3, "<u4": 4, "<u8": 5}


class Array(ctypes.Structure):
    """struct gravreel_array"""

    _fields_ = [("name", ctypes.c_char_p), ("unit", ctypes.c_char_p), ("type", ctypes.c_int), ("data", ctypes.c_void_p),
                ("y", ctypes.c_void_p), ("z", ctypes.c_void_p), ("stride", ctypes.c_ssize_t)]

    @classmethod
    def of(cls, name: str, array: Union[np.ndarray, DeviceArray]) -> "Array":
        if isinstance(array, np.ndarray):
            return cls(name.encode(), None, TYPES[array.dtype.str], array.ctypes.data, None, None, 0)
        row, *number = array.strides  # bytes from a body to the next and, of vectors, from x to y
        apart = bool(number) and number[0] != int(array.typestr[2:])
        y, z = (array.pointer + number[0], array.pointer + 2 * number[0]) if apart else (None, None)
        return cls(name.encode(), None, TYPES[array.typestr], array.pointer, y, z, row)


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The one that belongs to the program: beside its folder or, in a build, in it; else the system's."""
    folder = os.path.dirname(os.path.realpath(program()))
    for name in (os.path.join(folder, "..", "lib", "libgravreel.so.1"), os.path.join(folder, "libgravreel.so.1"), "libgravreel.so.1"):
        if os.sep in name and not os.path.exists(name):
            continue
        try:
            found = ctypes.CDLL(name)
            break
        except OSError as error:
            reason = error
    else:
        raise GravreelError(f"libgravreel, through which frames are sent, cannot be loaded: {reason}; install libgravreel-dev, or "
                            "add its folder to LD_LIBRARY_PATH", 127)
    film, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double
    texts, counts = ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_size_t)
    for name, result, arguments in (
            ("gravreel_open", film, [text, texts]),
            ("gravreel_units", ctypes.c_int, [film, number, number, number]),
            ("gravreel_components", ctypes.c_int, [film, ctypes.c_size_t, texts, counts]),
            ("gravreel_frame", ctypes.c_int, [film, number, ctypes.c_size_t, ctypes.POINTER(Array), ctypes.c_size_t]),
            ("gravreel_close", ctypes.c_int, [film]),
            ("gravreel_error", text, [])):
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found
