"""The Python module with arrays on a GPU, for tests/gpu: films and pictures of CuPy's, PyTorch's and JAX's arrays have the
bytes of NumPy's, an error is an exception, and what a frame costs. Usage: devices.py [LIBRARY...], in an empty folder"""

import os
import statistics
import sys
import time

import gravreel
import numpy as np

random = np.random.default_rng(1)
n = 300
x, v, m = (a.astype("f4") for a in (random.normal(size=(n, 3)), 0.2 * random.normal(size=(n, 3)), np.full(n, 1 / n)))
small = {"size": "64x36", "frames": 6, "y": True}


class Interface:
    """An array that has nothing but __cuda_array_interface__."""

    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


class Lent:
    """An array that has nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def libraries():
    """Yields (name, function that copies an array to the GPU)."""
    try:
        import cupy
        cupy.zeros(1)
        yield "cupy", cupy.asarray
        yield "cupy, strided", lambda a: cupy.asarray(np.stack([a, a], axis=-1))[..., 1]
        yield "cupy, its interface", lambda a: Interface(cupy.asarray(a))
        yield "cupy, its DLPack", lambda a: Lent(cupy.asarray(a))
    except Exception as error:
        print(f"note: cupy is not used: {error}")
    try:
        import torch
        yield "torch", lambda a: torch.tensor(a, device="cuda")
        yield "torch, with a gradient", lambda a: torch.tensor(a, device="cuda", requires_grad=True)
    except Exception as error:
        print(f"note: torch is not used: {error}")
    try:
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        import jax
        gpu = jax.devices("gpu")[0]
        yield "jax", lambda a: jax.device_put(a, gpu)
    except Exception as error:
        print(f"note: jax is not used: {error}")


def film(folder, put):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    with gravreel.Film("film.mp4", **small) as made:
        for k in range(4):
            made.frame(0.1 * k, put(x + np.float32(0.1 * k) * v), put(v), mass=put(m), heat=put(np.arange(n, dtype="i4") % 7 + 1.0 * k))
    os.chdir("..")
    with open(folder + "/film.mp4", "rb") as file:
        return file.read()


def refused(kind, words, *arrays, **more):
    made = gravreel.Film("bad.mp4", **small)
    try:
        made.frame(0, *arrays, **more)
    except kind as error:
        assert words in str(error) and isinstance(error, gravreel.GravreelError), str(error)
        print(f"note: {kind.__name__}: {error}")
    else:
        raise AssertionError(f"not refused: {words}")
    try:
        made.close()
    except gravreel.GravreelError:
        pass  # there is no frame


def milliseconds(put):
    bodies = [put(a) for a in (random.normal(size=(65536, 3)).astype("f4"), random.normal(size=(65536, 3)).astype("f4"),
                               np.full(65536, 1 / 65536, dtype="f4"))]
    times = []
    made = gravreel.Film("time.mp4", **small)
    for k in range(30):
        before = time.perf_counter()
        made.frame(k, *bodies)
        times.append(1e3 * (time.perf_counter() - before))
        time.sleep(0.012)
    made.close()
    return statistics.median(times)


plain = film("numpy", np.asarray)
picture = gravreel.still(x, v, m, size="64x36")
print(f"note: numpy: a frame of 65536 bodies takes {milliseconds(np.asarray):.2f} ms")
found = 0
for name, put in libraries():
    if len(sys.argv) > 1 and name not in sys.argv[1:]:
        continue
    assert film(name, put) == plain, f"{name}: the film differs from NumPy's"
    assert (gravreel.still(put(x), put(v), put(m), size="64x36") == picture).all(), f"{name}: the picture differs"
    found += 1
    if "," in name:
        print(f"note: {name}: the bytes of NumPy's")
        continue
    print(f"note: {name}: the bytes of NumPy's; a frame of 65536 bodies takes {milliseconds(put):.2f} ms")
    nan = np.where(np.arange(n)[:, None] == 7, np.float32(np.nan), x)
    refused(gravreel.ArrayShapeError, "the shape (300, 2)", put(x[:, :2].copy()), put(v), mass=put(m))
    refused(gravreel.ArrayShapeError, "the shape (299, 3)", put(x), put(v[1:].copy()), mass=put(m))
    refused(gravreel.ArrayValueError, "not finite, of body 7", put(nan), put(v), mass=put(m))
    refused(gravreel.ArrayTypeError, "type complex64", put(x.astype("c8")), put(v), mass=put(m))
if not found:
    print("skip: neither CuPy nor PyTorch nor JAX can use the GPU here")
    sys.exit(77)
if "torch" in sys.modules:
    meta = sys.modules["torch"].zeros((n, 3), device="meta")
    refused(gravreel.ArrayDeviceError, "the array pos cannot be copied to host memory", meta, v, mass=m)
if "cupy" in sys.modules:
    lent = Interface(sys.modules["cupy"].asarray(x))
    sys.modules["cupy"] = None  # as if it were not installed
    refused(gravreel.ArrayDeviceError, "is in the memory of a GPU", lent, v, mass=m)
later = gravreel.simulate(x, v, m, until=0.25, backend="cuda")
assert 0.01 < abs(later["pos"] - x).max() < 1
print("note: simulate with CUDA")
