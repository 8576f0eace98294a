// What shade gives is drawn: put behind a pass' body.
uniform ivec2 corner; // lower left, of the part of the target that is drawn
layout(location = 0) out vec4 stored;

void main()
{
    stored = shade(gl_FragCoord.xy - vec2(corner));
#ifdef PARTIAL
    if (stored.a < 0.0)
        discard;
#endif
}
