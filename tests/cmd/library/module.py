"""The Python module: films, pictures, simulations, errors."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys

import gravreel
import numpy as np

random = np.random.default_rng(1)
n = 300
x, v, m = random.normal(size=(n, 3)), 0.2 * random.normal(size=(n, 3)).astype("f4"), np.full(n, 1 / n)
small = {"size": "64x36", "frames": 6, "y": True}


def refused(sentence, call, kind=gravreel.GravreelError):
    try:
        call()
    except kind as error:
        assert sentence in str(error) and isinstance(error, gravreel.GravreelError), str(error)
    else:
        raise AssertionError(f"not refused: {sentence}")


def film(name, **options):
    with gravreel.Film(name, **{**small, **options}) as made:
        for k in range(4):
            made.frame(0.1 * k, x + 0.1 * k * v, v, mass=m, heat=np.arange(n), components={"a": 100, "b": n - 100})


def bad(*arrays, **more):
    with gravreel.Film("bad.mp4", **small) as made:
        made.frame(0, *arrays, **more)


def bad2(time):
    with gravreel.Film("bad.mp4", **small) as made:
        made.frame(time, x, v, mass=m)


film("film.mp4", settings={"look.color": "quantity", "look.quantity": "heat"})
assert os.path.getsize("film.mp4") > 1000 and len(os.listdir("film.mp4.bodies")) == 4
kept = subprocess.run([os.environ["GRAVREEL"], "info", "film.mp4.bodies/frame_000003.hdf5"], stdout=subprocess.PIPE, text=True).stdout
assert "a                100 bodies" in kept and "b                200 bodies" in kept and "heat" in kept, kept


class Device:
    """An array in the memory of a GPU, as DLPack and CUDA's interface describe it."""

    __cuda_array_interface__ = {"shape": (n, 3), "typestr": "<f8", "data": (4096, False), "version": 3}

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return (2, 0)


class Copied(Device):
    """And its library copies it: CuPy's get, Numba's copy_to_host, PyTorch's cpu."""

    def __init__(self, array, method):
        super().__init__(array)
        setattr(self, method, lambda: self.array)


class Lent:
    """An array in host memory that has nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


shape, kind, value, device = (gravreel.ArrayShapeError, gravreel.ArrayTypeError, gravreel.ArrayValueError, gravreel.ArrayDeviceError)
assert issubclass(shape, ValueError) and issubclass(kind, TypeError) and issubclass(value, ValueError)
refused("shape (300, 2)", lambda: bad(x[:, :2], v, mass=m), shape)
refused("shape (299, 3)", lambda: bad(x, v[1:], mass=m), shape)
refused("shape ()", lambda: bad(x, v, mass=1.0), shape)
refused("the array pos has the shape ()", lambda: bad(1.0, v, mass=m), shape)
refused("the array vel cannot be read", lambda: bad(x, [[0, 0, 0]] * (n - 1) + [[0, 0]], mass=m), shape)
refused("the array pos has the shape (3, 300); it must be (n, 3): transpose it", lambda: bad(x.T, v.T, mass=m), shape)
refused("the array vel has the shape (3, 300); it must be (300, 3): transpose it", lambda: bad(x, v.T, mass=m), shape)
refused("vel is None; it must be an array of the shape (300, 3)", lambda: bad(x, None, mass=m), kind)
refused("pos is of the type object; it must be an array of the shape (n, 3)", lambda: bad(object(), v, mass=m), kind)
refused("pos[7] is [nan nan nan], and not finite; leave that body out", lambda: bad(np.where(np.arange(n)[:, None] == 7, np.nan, x), v, mass=m), value)
refused("the array mass has masked values", lambda: bad(x, v, mass=np.ma.masked_less(m, 1)), value)
refused("type complex64", lambda: bad(x.astype("c8"), v, mass=m), kind)
refused("type object", lambda: bad(x, v, mass=m, heat=[None] * n), kind)
refused("type <U1", lambda: bad(x, v, mass=m, heat=["a"] * n), kind)
refused("is in the memory of a GPU", lambda: bad(Device(x), v, mass=m), device)
refused("time is nan", lambda: bad2(float("nan")))
refused("time is 'soon'; give a number", lambda: bad2("soon"))
refused("units are (1, 2); give three numbers: (cm, g, cm/s)", lambda: film("bad.mp4", units=(1, 2)))
refused("units are 5; give three numbers", lambda: film("bad.mp4", units=5))
refused("units of -1 cm, 1 g and 1 cm/s must be above 0", lambda: film("bad.mp4", units=(-1, 1, 1)))
class Handed(Device):
    """And it is handed over where it is: here an address of the host stands for the GPU's, since no CUDA is loaded."""

    copies = 0

    def __init__(self, array):
        super().__init__(array)
        self.shape = array.shape
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3)

    def __array_namespace__(self):
        return Namespace

    def get(self):
        Handed.copies += 1
        return self.array


class Namespace:
    @staticmethod
    def isfinite(array):
        return np.isfinite(array.array)


def film_of(name, put):
    with gravreel.Film(name, **small) as made:
        for k in range(3):
            made.frame(k, put(np.asfortranarray(x + k)), put(np.stack([v, v], axis=2)[::-1, :, 1]), mass=put(m[::-1]), heat=put(np.arange(n)))
    with open(name, "rb") as file:
        return [open(f"{name}.bodies/frame_00000{k}.hdf5", "rb").read() for k in range(3)]


assert film_of("host.mp4", np.asarray) == film_of("handed.mp4", Handed) and Handed.copies == 0
refused("pos[7] is [nan nan nan], and not finite", lambda: bad(Handed(np.where(np.arange(n)[:, None] == 7, np.nan, x)), v, mass=m), value)
refused("shape (300, 2)", lambda: bad(Handed(x[:, :2]), v, mass=m), shape)
refused("type complex64", lambda: bad(Handed(x.astype("c8")), v, mass=m), kind)
for method in ("get", "copy_to_host", "cpu"):
    assert gravreel._arrays.numbers("pos", Copied(x, method), (n, 3)) is not None
assert np.shares_memory(gravreel._arrays.numbers("pos", Lent(x), (n, 3)), x), "an array of DLPack is copied"
assert np.shares_memory(gravreel._arrays.numbers("pos", x, (n, 3)), x), "NumPy's array is copied"
refused("no array mass", lambda: bad(x, v))
refused("unknown key 'look.colour'", lambda: film("typo.mp4", settings={"look.colour": "speed"}))
refused("exists already", lambda: film("film.mp4", y=False))
def raises():
    with gravreel.Film("film.mp4", **small):
        raise gravreel.GravreelError("the simulation's own")


refused("the simulation's own", raises)
assert len(os.listdir("film.mp4.bodies")) == 4, "a film without frames removes those of the last one"

# Two films at once, of which one is given up.
a, b = gravreel.Film("a.mp4", **small), gravreel.Film("b.mp4", **small)
for k in range(3):
    a.frame(k, x, v, mass=m)
    b.frame(k, x + k, v, mass=m)
a.close()
b.close()
assert os.path.getsize("a.mp4") > 500 and os.path.getsize("b.mp4") > 500

# One that nobody closes is made when Python ends; the module's library is the one beside the program.
unclosed = """
import gravreel, numpy as np
film = gravreel.Film("unclosed.mp4", size="64x36", frames=6)
for k in range(3):
    film.frame(k, np.eye(3) + k, np.ones((3, 3)), mass=np.ones(3))
    """
subprocess.run([sys.executable, "-c", unclosed], check=True)
assert os.path.getsize("unclosed.mp4") > 500 and len(os.listdir("unclosed.mp4.bodies")) == 3
a = gravreel.Film("closed.mp4", **small)
a.frame(0, x, v, mass=m)
a.frame(1, x, v)
a.close()
refused("the film is closed", lambda: a.frame(2, x, v))

# A simulation that is killed within a frame leaves the film so far.
killed = """
import os, sys, json, numpy as np
out = sys.stdout.buffer
out.write(b'{"gravreel": "frames", "format": 1}\\n')
for k in range(4):
    out.write(json.dumps({"time": k, "bodies": 9, "arrays": ["mass f8", "pos f8", "vel f8"]}).encode() + b"\\n")
    out.write(np.random.default_rng(1).normal(size=9 * 7 if k < 3 else 5).tobytes().replace(b"\\xbf", b"\\x3f"))
out.flush()
os.kill(os.getpid(), 9)
"""
writer = subprocess.Popen([sys.executable, "-c", killed], stdout=subprocess.PIPE)
ended = subprocess.run([os.environ["GRAVREEL"], "render", "--frames-from", "-", "--size", "64x36", "--frames", "5", "-o", "killed.mp4"],
                       stdin=writer.stdout, stderr=subprocess.PIPE, text=True)
assert writer.wait() == -signal.SIGKILL and ended.returncode == 0, ended.stderr
assert "ends within frame 3, which is left out" in ended.stderr and os.path.exists("killed.mp4"), ended.stderr

# One that its script leaves by being killed goes on alone, and says so unless it is quiet.
alone = """
import os, gravreel, numpy as np
film = gravreel.Film("alone.mp4", size="64x36", frames=6, y=True, quiet={})
for k in range(3):
    film.frame(k, np.eye(3) + k, np.ones((3, 3)), mass=np.ones(3))
while not os.path.exists("alone.mp4.bodies/frame_000001.hdf5"):
    pass
os.kill(os.getpid(), 9)
"""
for quiet in False, True:
    ended = subprocess.run([sys.executable, "-c", alone.format(quiet)], stderr=subprocess.PIPE, text=True)
    assert ended.returncode == -signal.SIGKILL and os.path.getsize("alone.mp4") > 500, ended
    said = re.fullmatch("gravreel: [23] frames received; making 'alone.mp4'\\n", ended.stderr)
    assert not ended.stderr if quiet else said, ended
    os.remove("alone.mp4")
    shutil.rmtree("alone.mp4.bodies")

# A frame that is refused: the sentence has the film's name, and says what the film is made of.
def backwards():
    with gravreel.Film("backwards.mp4", **small) as made:
        for time in 0, 1, 0.5:
            made.frame(time, x + time * v, v, mass=m)


refused("frame 2 of 'backwards.mp4' has time 0.5, but frame 1 has time 1; times must increase; the film is made of frames 0 to 1", backwards)
assert os.path.getsize("backwards.mp4") > 500

# A picture is an array that a notebook shows; so is a film.
picture = gravreel.still(x, v, m, size="64x36")
assert picture.shape == (36, 64, 3) and picture.max() > 50 and picture._repr_png_()[1:4] == b"PNG"
assert picture[1:]._repr_png_() is None and type(picture.max()) is np.uint8
made = gravreel.Film("shown.mp4", **small)
assert made._repr_html_() is None
for k in range(3):
    made.frame(k, x, v, mass=m)
made.close()
assert "data:video/mp4;base64,AAAA" in made._repr_html_()

# A scene is a dict of the key table, and reads back as the same scene.
names = subprocess.run([os.environ["GRAVREEL"], "scenes"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
for name in (line.split()[0] for line in names):
    with open("scene.yaml", "w") as file:
        json.dump(gravreel.scene(name), file)
    texts = [subprocess.run([os.environ["GRAVREEL"], "scenes", "--resolved", each], stdout=subprocess.PIPE).stdout
             for each in (name, "scene.yaml")]
    assert texts[0] == texts[1] and len(texts[0]) > 1000, name
scene = gravreel.scene("plummer")
assert scene["bodies"]["count"] == 16384 and scene["simulation"]["dt"] == 0.01 and scene["camera"]["target"] == [0, 0, 0]
scene["look"]["color"] = "speed"
assert (gravreel.still(x, v, m, scene, size="64x36") ==
        gravreel.still(x, v, m, "plummer", {"look.color": "speed"}, size="64x36")).all()
scene["look"]["colour"] = "speed"
refused("there is no option output here", lambda: gravreel.still(x, v, m, output="a.png"))
refused("until is 'soon'; give a number", lambda: gravreel.simulate(x, v, m, until="soon"))
refused("until is -1", lambda: gravreel.simulate(x, v, m, until=-1))
refused("unknown key 'colour'; did you mean 'color'", lambda: gravreel.still(x, v, m, scene, size="64x36"))

later = gravreel.simulate(x, v, m, until=0.25)
assert later["pos"].shape == (n, 3) and 0.01 < abs(later["pos"] - x).max() < 1
assert np.allclose(later["mass"], m)

# ---- a film that its script never closes: it is made before the script ends, and an error is printed ----
forgetful = """
import sys
import gravreel, numpy as np
random = np.random.default_rng(1)
x, v = random.normal(size=(50, 3)), random.normal(size=(50, 3))
film = gravreel.Film("forgotten.mp4", size="64x36", frames=6, y=True)
for k in range(int(sys.argv[1])):
    film.frame(k, x + k * v, v, mass=np.ones(50))
"""
for frames in 4, 1:
    ended = subprocess.run([sys.executable, "-c", forgetful, str(frames)], capture_output=True, text=True)
    assert ended.returncode == 0, ended
    if frames == 4:
        assert os.path.getsize("forgotten.mp4") > 1000 and ended.stderr == "", ended
        os.remove("forgotten.mp4")
assert ended.stderr == "gravreel: forgotten.mp4: 'forgotten.mp4' has 1 complete frame; a film needs at least two\n", ended
dropped = gravreel.Film("dropped.mp4", **small)
for k in range(2):
    dropped.frame(k, x + k * v, v, mass=m)
del dropped
assert os.path.getsize("dropped.mp4") > 1000
