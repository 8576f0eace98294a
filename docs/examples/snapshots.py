"""Films snapshots that pynbody reads, in their own units: pip install pynbody."""
import glob
import gravreel
import pynbody

files = sorted(glob.glob("snapshot_*.hdf5"))
first = pynbody.load(files[0])
units = [float(first[name].units.in_units(unit)) for name, unit in (("pos", "cm"), ("mass", "g"), ("vel", "cm s**-1"))]
with gravreel.Film("snapshots.mp4", units=units, size="1280x720", y=True) as film:
    for file in files:
        s = pynbody.load(file)
        film.frame(float(s.properties["time"]), s["pos"], s["vel"], s["mass"], id=s["iord"])
