// A round sprite, exactly zero at the edge; what shines beyond it is the glow's work. The profile is
// put in front of this file; with SQUARE all of the sprite is lit alike; with WEIGHED
// alpha is the light.
#ifdef QUADS
in vec2 from_centre;
#else
#define from_centre (gl_PointCoord * 2.0 - 1.0)
#endif
flat in vec4 colour;
layout(location = 0) out vec4 light_out;

void main()
{
#ifdef SQUARE
    light_out = colour;
#else
    light_out = colour * profile(dot(from_centre, from_centre));
#endif
#ifndef WEIGHED
    light_out.a = 1.0;
#endif
}
