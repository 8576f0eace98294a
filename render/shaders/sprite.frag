// A soft round sprite, exactly zero at the edge; what shines beyond it is the glow's work. With
// SQUARE all of the point is lit alike.
flat in vec3 colour;
layout(location = 0) out vec4 light_out;

void main()
{
#ifdef SQUARE
    light_out = vec4(colour, 1.0);
#else
    vec2 from_centre = gl_PointCoord * 2.0 - 1.0;
    float inside = max(1.0 - dot(from_centre, from_centre), 0.0);
    light_out = vec4(colour * (inside * inside), 1.0);
#endif
}
