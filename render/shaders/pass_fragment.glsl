// Draws the result of shade; follows a pass's body.
uniform ivec2 corner; // lower left corner of the part of the target that is drawn
layout(location = 0) out vec4 stored;

void main()
{
    stored = shade(gl_FragCoord.xy - vec2(corner));
#ifdef PARTIAL
    if (stored.a < 0.0)
        discard;
#endif
}
