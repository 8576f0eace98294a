// Positions of the sprites that show a body's motion (STREAK): equally spaced along its path in the
// picture, and equally bright. The spacing is too small to be visible, and the sprites' variance is
// the path's own, L^2 / 12.
uniform float spacing; // largest spacing, in radii of the sprite

// Number of sprites on a path of this length in pixels.
int streak_count(float path, float size)
{
    return clamp(int(ceil(path / (0.5 * spacing * size) + 0.5)), 1, STREAK_MOST);
}

// Position relative to the path's middle, in path lengths.
float streak_part(int i, int count)
{
    float n = float(count);
    return count > 1 ? ((float(i) + 0.5) / n - 0.5) * inversesqrt(1.0 - 1.0 / (n * n)) : 0.0;
}

// On a face of the cube around the camera, the relative brightness of a sprite where pixels are
// closer together, seen from the camera, than at the path's middle. `curve`: coefficients of the
// squared distance of the face there, relative to the middle.
float streak_light(float part, vec2 curve)
{
    float farther = 1.0 + part * (2.0 * curve.x + part * curve.y);
    return farther * sqrt(farther);
}

#ifdef SPLATS
// Computed twice, with identical results.
vec2 streak_middle(vec2 middle, vec2 path, int i, int count)
{
    precise vec2 at = middle + path * streak_part(i, count);
    return at;
}
#endif
