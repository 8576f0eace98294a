// A round sprite, exactly zero at the edge; what shines beyond it is the glow's work. The profile is
// put in front of this file; with SQUARE all of the sprite is lit alike.
#ifdef QUADS
in vec2 from_centre;
#else
#define from_centre (gl_PointCoord * 2.0 - 1.0)
#endif
flat in vec3 colour;
layout(location = 0) out vec4 light_out;

void main()
{
#ifdef SQUARE
    light_out = vec4(colour, 1.0);
#else
    light_out = vec4(colour * profile(dot(from_centre, from_centre)), 1.0);
#endif
}
