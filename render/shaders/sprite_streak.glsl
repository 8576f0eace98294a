// Where the sprites lie that show a body's motion (STREAK): along its path in the picture, equally far apart and
// equally bright. They are nearer to one another than shows, and their spread is the path's own, L^2 / 12.
uniform float spacing; // at most, in radii of the sprite

// For a path of so many pixels.
int streak_count(float path, float size)
{
    return clamp(int(ceil(path / (0.5 * spacing * size) + 0.5)), 1, STREAK_MOST);
}

// In parts of the path from its middle.
float streak_part(int i, int count)
{
    float n = float(count);
    return count > 1 ? ((float(i) + 0.5) / n - 0.5) * inversesqrt(1.0 - 1.0 / (n * n)) : 0.0;
}

// How much brighter a sprite is there whose pixels lie nearer together, seen from the camera, than in the middle: on
// a face of the cube around it. `curve`: of the square of how far away the face is there, against the middle's.
float streak_light(float part, vec2 curve)
{
    float farther = 1.0 + part * (2.0 * curve.x + part * curve.y);
    return farther * sqrt(farther);
}

#ifdef SPLATS
// Twice found, and the same each time.
vec2 streak_middle(vec2 middle, vec2 path, int i, int count)
{
    precise vec2 at = middle + path * streak_part(i, count);
    return at;
}
#endif
