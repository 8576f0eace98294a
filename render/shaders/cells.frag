#ifdef SPREAD
#ifdef QUADS
in vec2 from_centre;
#else
#define from_centre (gl_PointCoord * 2.0 - 1.0)
#endif
#endif
layout(location = 0) out vec4 count;

void main()
{
#ifdef SPREAD
    float inside = max(1.0 - dot(from_centre, from_centre), 0.0);
    count = vec4(inside * inside);
#else
    count = vec4(1.0);
#endif
}
