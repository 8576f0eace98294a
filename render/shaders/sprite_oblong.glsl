// What is round for the camera, as one of the faces of the cube around it shows it (SPHERE): longer than wide, and
// more so outwards. A flat picture shows it round. Put in front of sprite.vert and of sprite_adaptive.glsl.
#ifdef SPHERE
uniform float focal; // pixels of the face that lie along a unit of its distance from the camera
#ifdef SPLATS
vec4 oblong; // see sprite_round.glsl
#else
#ifdef STREAK
#define oblong streak_oblong
#endif
flat out vec4 oblong;
#endif
float stretched; // of this body, along the line through the face's middle
float square;    // around it, as many times as wide
#endif

// How many times as wide as in the face's middle a body is seen where it lies; as many times as wide it is long.
// Further out than any corner it does not grow.
float find_stretch(vec4 place, float apart)
{
#ifdef SPHERE
    stretched = clamp(apart / max(place.w, 1e-6), 1.0, 2.0);
    vec2 outwards = place.xy / max(length(place.xy), 1e-30), part = outwards * outwards;
    oblong.xy = outwards * sqrt(1.0 - 1.0 / stretched);
    square = sqrt(1.0 + (stretched * stretched - 1.0) * max(part.x, part.y));
    return stretched;
#else
    return 1.0;
#endif
}

// How many times as long as its width, in pixels of the face, the square around it has to be.
float lengthen(float wide)
{
#ifdef SPHERE
    oblong.w = 0.5 * wide / (focal * stretched); // of the angle: its sine
    oblong.z = square / max(1.0 - oblong.w * sqrt(stretched * stretched - 1.0), 0.3);
    return oblong.z;
#else
    return 1.0;
#endif
}

// It is drawn so many times as large instead.
void shrink(float factor)
{
#ifdef SPHERE
    oblong.w *= factor;
#endif
}
