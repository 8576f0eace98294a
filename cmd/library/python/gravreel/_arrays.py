"""Arrays of bodies from any library, as numbers that the program reads. Each body is a row."""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._program import GravreelError

_HOST_MEMORY = (1, 3)  # devices of DLPack: host memory, and host memory that CUDA has pinned
_CHECKED = ("pos", "vel", "mass")  # all numbers have to be finite
_SIZES = {"f": (4, 8), "i": (4, 8), "u": (4, 8)}


class ArrayShapeError(GravreelError, ValueError):
    """An array has the wrong shape, or is ragged."""


class ArrayTypeError(GravreelError, TypeError):
    """An array has an unsupported type: complex, text, objects, or floats of 80 or 128 bits."""


class ArrayValueError(GravreelError, ValueError):
    """An array has a NaN, an infinity or a masked value."""


class ArrayDeviceError(GravreelError, ValueError):
    """An array is in the memory of a device, and no installed library copies it to the host."""


def _device(array: Any) -> bool:
    """Whether the array says that it is not in host memory."""
    try:
        return int(array.__dlpack_device__()[0]) not in _HOST_MEMORY
    except (AttributeError, TypeError, RuntimeError, BufferError):
        return hasattr(array, "__cuda_array_interface__")
    except ValueError:  # PyTorch's, of a device that DLPack has no number for
        return True


def _from_device(name: str, array: Any) -> Any:
    """Copies the array once, by a method of its own library (CuPy, Numba, PyTorch), by conversion (JAX), or by CuPy if it
    has only `__cuda_array_interface__` or DLPack."""
    for method in ("get", "copy_to_host", "cpu"):
        if callable(getattr(array, method, None)):
            return getattr(array, method)()
    if hasattr(array, "__array__"):
        return array
    try:
        import cupy  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ArrayDeviceError(f"the array {name} is in the memory of a GPU, and {type(array).__name__} cannot copy it to host "
                               "memory; install CuPy, or copy it to NumPy", 2) from None
    return cupy.asnumpy(cupy.asarray(array) if hasattr(array, "__cuda_array_interface__") else cupy.from_dlpack(array))


def host(name: str, array: Any) -> np.ndarray:
    """The array in host memory, without a copy if it is there already."""
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise ArrayValueError(f"the array {name} has masked values; fill them, or leave these bodies out", 2)
    if isinstance(array, np.ndarray):
        return np.asarray(array)
    try:
        array = array.detach() if callable(getattr(array, "detach", None)) else array  # PyTorch's, with a gradient
        if _device(array):
            array = _from_device(name, array)
        if hasattr(array, "__dlpack__"):
            try:
                return np.from_dlpack(array)
            except (BufferError, RuntimeError, TypeError, AttributeError):
                pass  # a type that DLPack or NumPy lacks
        return np.asarray(array)
    except GravreelError:
        raise
    except ValueError as error:
        raise ArrayShapeError(f"the array {name} cannot be read: {error}", 2) from error
    except Exception as error:  # raised by the library of the array
        raise ArrayDeviceError(f"the array {name} cannot be copied to host memory: {error}", 2) from error


def numbers(name: str, array: Any, shape: Tuple[int, ...]) -> np.ndarray:
    """The array as floats or whole numbers of 32 or 64 bits, little-endian, C-contiguous; without a copy if it is."""
    found = host(name, array)
    wanted = "(n, 3)" if name == "pos" else str(shape)
    if found.dtype.kind == "O" and not found.shape:
        what = "None" if found[()] is None else f"of the type {type(found[()]).__name__}"
        raise ArrayTypeError(f"{name} is {what}; it must be an array of the shape {wanted}", 2)
    if found.shape != shape:
        transposed = len(shape) == 2 and len(found.shape) == 2 and found.shape[0] == 3
        raise ArrayShapeError(f"the array {name} has the shape {found.shape}; it must be {wanted}{': transpose it' if transposed else ''}", 2)
    kind, size = found.dtype.kind, found.dtype.itemsize
    if kind == "b" or kind in "iu" and size < 4 or kind == "f" and size == 2:
        found = found.astype(f"{'i' if kind == 'b' else kind}4")
    elif size not in _SIZES.get(kind, ()):
        raise ArrayTypeError(f"the array {name} has the type {found.dtype}; use floats or whole numbers of 32 or 64 bits", 2)
    if name in _CHECKED and kind == "f" and not np.isfinite(found).all():
        row = int(np.argwhere(~np.isfinite(found))[0][0])
        raise ArrayValueError(f"{name}[{row}] is {found[row]}, and not finite; leave that body out", 2)
    return np.ascontiguousarray(found, dtype=found.dtype.newbyteorder("<"))


class DeviceArray(NamedTuple):
    """Numbers in the memory of a GPU, which libgravreel copies: as in `__cuda_array_interface__`."""

    shape: Tuple[int, ...]
    typestr: str
    pointer: int
    strides: Tuple[int, ...]


def _is_finite(array: Any) -> bool:
    """Whether the array's own library can tell, and all numbers are finite: PyTorch's has a method, JAX's a namespace of
    the array API, and NumPy hands the question on to CuPy."""
    try:
        if callable(getattr(array, "isfinite", None)):
            return bool(array.isfinite().all())
        return bool(getattr(array, "__array_namespace__", lambda: np)().isfinite(array).all())
    except Exception:  # raised by the library of the array, or it has no such function
        return False


def _on_device(name: str, array: Any, shape: Tuple[int, ...]) -> Optional[DeviceArray]:
    """The array where it is; None if it is in host memory, or has to be copied to it to be checked or converted."""
    try:
        array = array.detach() if callable(getattr(array, "detach", None)) else array
        if callable(getattr(array, "block_until_ready", None)):  # JAX's, perhaps not even queued yet
            array.block_until_ready()
        found = array.__cuda_array_interface__
        kind, size = found["typestr"][:2], int(found["typestr"][2:])
    except Exception:  # PyTorch's raises several, of an array that is not on a GPU
        return None
    packed = tuple(size * int(np.prod(shape[k + 1:])) for k in range(len(shape)))
    strides = tuple(found.get("strides") or packed)
    if (tuple(found["shape"]) != shape or shape[0] == 0 or strides[0] == 0 or kind[0] not in "<|" or
            size not in _SIZES.get(kind[1], ()) or found.get("mask") is not None or
            name in _CHECKED and kind[1] == "f" and not _is_finite(array)):
        return None
    return DeviceArray(shape, f"<{kind[1]}{size}", int(found["data"][0]), strides)


def handed(name: str, array: Any, shape: Tuple[int, ...]) -> Union[np.ndarray, DeviceArray]:
    """For libgravreel: the array on its device, else as numbers() has it."""
    found = _on_device(name, array, shape)
    return numbers(name, array, shape) if found is None else found


def bodies(pos: Any, vel: Any, columns: Mapping[str, Any], take: Callable[[str, Any, Tuple[int, ...]], Any] = numbers) -> Dict[str, Any]:
    """The arrays of n bodies, as `take` has them: pos and vel [n, 3], and columns [n] that are not None."""
    pos = pos if hasattr(pos, "shape") else host("pos", pos)
    count = int(pos.shape[0]) if len(pos.shape) else 0
    arrays = {"pos": take("pos", pos, (count, 3)), "vel": take("vel", vel, (count, 3))}
    for name, column in columns.items():
        if column is not None:
            arrays[name] = take(name, column, (count,))
    return arrays
