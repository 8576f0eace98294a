// The squared distance from a sprite's centre, 1 at its edge, at a place in the square that it is
// drawn in, -1 to 1. On a face of the cube around the camera (SPHERE), distance is an angle seen
// from the camera: if the body is at P on the plane at distance one, and the place at P + q, the
// sine of the angle between them is |P x q| / (|P| |P + q|). `oblong`: an outward vector of length
// sqrt(1 - 1 / |P|); the square's size relative to the sprite's width; the sine of the sprite's
// radius.
#ifdef SPHERE
float from_middle(vec2 at, vec4 oblong)
{
    bool whole = max(abs(at.x), abs(at.y)) <= 1.0;
    at *= oblong.z;
    float outwards = dot(oblong.xy, at);
    vec2 across = at - oblong.xy * outwards;
    float farther = 1.0 + oblong.w * (2.0 * sqrt(2.0 - dot(oblong.xy, oblong.xy)) * outwards + oblong.w * dot(at, at));
    // A drawn sprite ends at its square; a computed one would extend to the end of its tile.
    return whole ? dot(across, across) / max(farther, 0.01) : 2.0;
}
#else
#define from_middle(at, oblong) dot(at, at)
#endif
