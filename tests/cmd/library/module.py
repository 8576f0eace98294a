"""The Python module: films, pictures, simulations, errors."""

import os
import signal
import subprocess
import sys

import gravreel
import numpy as np

random = np.random.default_rng(1)
n = 300
x, v, m = random.normal(size=(n, 3)), 0.2 * random.normal(size=(n, 3)).astype("f4"), np.full(n, 1 / n)
small = {"size": "64x36", "frames": 6, "y": True}


def refused(sentence, call):
    try:
        call()
    except gravreel.GravreelError as error:
        assert sentence in str(error), str(error)
    else:
        raise AssertionError(f"not refused: {sentence}")


def film(name, **options):
    with gravreel.Film(name, **{**small, **options}) as made:
        for k in range(4):
            made.frame(0.1 * k, x + 0.1 * k * v, v, mass=m, heat=np.arange(n), components={"a": 100, "b": n - 100})


def bad(*arrays, **more):
    with gravreel.Film("bad.mp4", **small) as made:
        made.frame(0, *arrays, **more)


film("film.mp4", settings={"look.color": "quantity", "look.quantity": "heat"})
assert os.path.getsize("film.mp4") > 1000 and len(os.listdir("film.mp4.bodies")) == 4
refused("shape (300, 2)", lambda: bad(x[:, :2], v, mass=m))
refused("shape (299, 3)", lambda: bad(x, v[1:], mass=m))
refused("not finite, of body 7", lambda: bad(np.where(np.arange(n)[:, None] == 7, np.nan, x), v, mass=m))
refused("type complex64", lambda: bad(x.astype("c8"), v, mass=m))
refused("no array mass", lambda: bad(x, v))
refused("unknown key 'look.colour'", lambda: film("typo.mp4", settings={"look.colour": "speed"}))
refused("exists already", lambda: film("film.mp4", y=False))

# Two films at once, of which one is given up.
a, b = gravreel.Film("a.mp4", **small), gravreel.Film("b.mp4", **small)
for k in range(3):
    a.frame(k, x, v, mass=m)
    b.frame(k, x + k, v, mass=m)
a.close()
b.close()
assert os.path.getsize("a.mp4") > 500 and os.path.getsize("b.mp4") > 500

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

picture = gravreel.still(x, v, m, size="64x36")
assert picture.shape == (36, 64, 3) and picture.max() > 50
later = gravreel.simulate(x, v, m, until=0.25)
assert later["pos"].shape == (n, 3) and 0.01 < abs(later["pos"] - x).max() < 1
assert np.allclose(later["mass"], m)
