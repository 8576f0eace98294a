"""Films snapshots that pynbody reads: pip install pynbody."""
import glob
import gravreel
import pynbody

kpc, solar_mass, kms = 3.0857e21, 1.9885e33, 1e5  # in cm, g, cm/s
with gravreel.Film("snapshots.mp4", units=(kpc, solar_mass, kms), size="1280x720", duration=10, y=True) as film:
    for file in sorted(glob.glob("snapshot_*.hdf5")):
        s = pynbody.load(file)
        s.physical_units()  # kpc, Msol, km/s
        time = s.properties["time"].in_units("kpc km**-1 s")
        film.frame(time, s["pos"], s["vel"], s["mass"], id=s["iord"])
