// The square of the distance from a sprite's middle, of one where it ends, at a place in the square that it is drawn
// in, -1 to 1. On a face of the cube around the camera (SPHERE) of the angles seen from the camera: with P
// where the body is on the plane one away and P + q the place, the sine of the angle between them is
// |P x q| / (|P| |P + q|). `oblong`: towards the outside, the root of 1 - 1 / |P| long; how large the square is
// against the sprite's width; the sine of the sprite's radius.
#ifdef SPHERE
float from_middle(vec2 at, vec4 oblong)
{
    bool whole = max(abs(at.x), abs(at.y)) <= 1.0;
    at *= oblong.z;
    float outwards = dot(oblong.xy, at);
    vec2 across = at - oblong.xy * outwards;
    float farther = 1.0 + oblong.w * (2.0 * sqrt(2.0 - dot(oblong.xy, oblong.xy)) * outwards + oblong.w * dot(at, at));
    // What is drawn ends where the square does; what is computed would go on to the end of its tile.
    return whole ? dot(across, across) / max(farther, 0.01) : 2.0;
}
#else
#define from_middle(at, oblong) dot(at, at)
#endif
