"""Films a cold sphere that JAX, or NumPy in its place, lets collapse: pip install jax."""
import gravreel
import jax
import jax.numpy as np

def step(x, v, dt=0.02):
    d = x[None] - x[:, None]
    v = v + dt * (d / ((d**2).sum(-1, keepdims=True) + 0.01) ** 1.5).mean(1)
    return x + dt * v, v

x, v = jax.random.normal(jax.random.key(1), (1000, 3)), np.zeros((1000, 3))
with gravreel.Film("collapse.mp4", size="1280x720", duration=10, y=True) as film:
    for k in range(200):
        film.frame(0.02 * k, x, v, mass=np.full(1000, 0.001))
        x, v = step(x, v)
