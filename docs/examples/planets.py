"""Films planets that REBOUND moves: pip install rebound."""
import gravreel
import rebound

sim = rebound.Simulation()
sim.add(m=1)
sim.add(m=1e-3, a=1, e=0.1)
sim.add(m=5e-4, a=1.6, e=0.2)
sim.move_to_com()
with gravreel.Film("planets.mp4", "figure-eight", size="1280x720", y=True) as film:
    for k in range(400):
        sim.integrate(0.1 * k)
        p = sim.particles
        film.frame(sim.t, [b.xyz for b in p], [b.vxyz for b in p], mass=[b.m for b in p])
