// Shrinks by bilinear taps whose footprints overlap between neighbouring texels of the result, so
// that a moving bright point, and its glow, fades from one texel to the next. QUARTER: a quarter of
// the size, by a tent of 8 x 8 texels; a tap between two texels weights them 3.5 : 2.5 or 1.5 :
// 0.5. Otherwise half the size, by a tent of 4 x 4, weighted 1.5 : 0.5.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size of the source

vec4 tap(vec2 at, float x, float y)
{
    return texture(source, at + source_texel * vec2(x, y));
}

vec4 shade(vec2 pixel)
{
#ifdef QUARTER
    vec2 at = pixel * 4.0 * source_texel;
    const vec4 place = vec4(-2.75, -0.5 - 2.5 / 6.0, 0.5 + 2.5 / 6.0, 2.75);
    const vec4 weight = vec4(2.0, 6.0, 6.0, 2.0) / 16.0;
    vec4 sum = vec4(0.0);
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            sum += weight[row] * weight[column] * tap(at, place[column], place[row]);
    return sum;
#else
    vec2 at = pixel * 2.0 * source_texel;
    vec4 sum = tap(at, -0.75, -0.75) + tap(at, 0.75, -0.75) + tap(at, -0.75, 0.75) +
               tap(at, 0.75, 0.75);
    return sum * 0.25;
#endif
}
