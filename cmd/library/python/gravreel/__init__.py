"""Films of N-body simulations, from NumPy arrays.

The program `gravreel` does the work, in a process of its own: $GRAVREEL names it, else it is the one within this package
(a wheel has it), else the one on the path. Arrays are anything that NumPy, DLPack or `__cuda_array_interface__` can hand
over, with a row for each body: positions and velocities [n, 3], masses and columns [n]. Units are those in which G = 1,
unless a scene or `units` says otherwise. All functions may be called from any thread.
"""

from ._arrays import ArrayDeviceError, ArrayShapeError, ArrayTypeError, ArrayValueError
from ._bodies import Picture, simulate, still
from ._film import Film
from ._program import GravreelError
from ._scene import scene

__version__ = "1.0.0"
__all__ = ["ArrayDeviceError", "ArrayShapeError", "ArrayTypeError", "ArrayValueError", "Film", "GravreelError", "Picture",
           "scene", "simulate", "still"]
