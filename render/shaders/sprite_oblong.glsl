// The shape of a round body on one of the faces of the cube around the camera (SPHERE): elongated,
// increasingly towards the edge. A flat picture shows it round. Precedes sprite.vert and
// sprite_adaptive.glsl.
#ifdef SPHERE
uniform float focal; // pixels of the face per unit of tan(angle)
#ifdef SPLATS
vec4 oblong; // see sprite_round.glsl
#else
#ifdef STREAK
#define oblong streak_oblong
#endif
flat out vec4 oblong;
#endif
float stretched; // elongation of this body, along the line through the face's middle
float square;    // side of its bounding square, in widths
#endif

// The factor by which a body at this place appears wider than in the face's middle; it is elongated
// by the same factor. Limited beyond the corners.
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

// The side of the bounding square, relative to the width in pixels of the face.
float lengthen(float wide)
{
#ifdef SPHERE
    oblong.w = 0.5 * wide / (focal * stretched); // sine of the angular radius
    oblong.z = square / max(1.0 - oblong.w * sqrt(stretched * stretched - 1.0), 0.3);
    return oblong.z;
#else
    return 1.0;
#endif
}

// Applies a change of the drawn size.
void shrink(float factor)
{
#ifdef SPHERE
    oblong.w *= factor;
#endif
}
