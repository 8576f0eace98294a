// A round sprite that is exactly zero at its edge; light beyond is left to the glow. The profile
// and sprite_round.glsl precede this file. SQUARE: all of the sprite is equally bright. WEIGHED:
// alpha is the light.
#ifdef QUADS
in vec2 from_centre;
#else
#define from_centre ((gl_PointCoord * 2.0 - 1.0) * vec2(1.0, -1.0))
#endif
#ifdef SPHERE
flat in vec4 oblong;
#endif
flat in vec4 colour;
layout(location = 0) out vec4 light_out;

void main()
{
#ifdef SQUARE
    light_out = colour;
#else
    light_out = colour * profile(from_middle(from_centre, oblong));
#endif
#ifndef WEIGHED
    light_out.a = 1.0;
#endif
}
