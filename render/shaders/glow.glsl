// Light that spreads around bright places: bloom, glow and the spikes of a telescope.

//// bloom_down.glsl
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

//// bloom_up.glsl
// Smooths a level by a tent of 3 x 3 texels, at its own size or twice that, for additive blending.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size of the source
uniform float step_size;   // texels of the source per pixel: 1 or 0.5
uniform float weight;

vec4 shade(vec2 pixel)
{
    vec2 at = pixel * step_size * source_texel;
    vec4 sum = texture(source, at + source_texel * vec2(-0.5, -0.5)) +
               texture(source, at + source_texel * vec2(0.5, -0.5)) +
               texture(source, at + source_texel * vec2(-0.5, 0.5)) +
               texture(source, at + source_texel * vec2(0.5, 0.5));
    return sum * (0.25 * weight);
}

//// glow_down.glsl
// Halves the size by a tent of 4 x 4 texels, weighted 1 : 3 : 3 : 1.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size of the source

vec4 shade(vec2 pixel)
{
    vec2 at = pixel * 2.0 * source_texel, step = 0.75 * source_texel;
    return 0.25 * (texture(source, at + step * vec2(-1.0, -1.0)) + texture(source, at + step * vec2(1.0, -1.0)) +
                   texture(source, at + step * vec2(-1.0, 1.0)) + texture(source, at + step * vec2(1.0, 1.0)));
}

//// glow_smooth.glsl
// Smooths rows and columns with weights reach / 2, 1 - reach, reach / 2, by four samples between
// the sixteen texels.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size
uniform float reach;       // 0 .. 1

vec4 shade(vec2 pixel)
{
    vec2 at = pixel * source_texel, step = reach * source_texel;
    return 0.25 * (texture(source, at - step) + texture(source, at + step) +
                   texture(source, at + step * vec2(-1.0, 1.0)) + texture(source, at + step * vec2(1.0, -1.0)));
}

//// glow_up.glsl
// A level plus all coarser ones, which are smoothed, at twice their size.
uniform sampler2D own, coarser;
uniform vec2 coarser_texel; // 1 / size
uniform float own_share;

vec4 shade(vec2 pixel)
{
    return mix(texture(coarser, 0.5 * pixel * coarser_texel), texelFetch(own, ivec2(pixel), 0), own_share);
}

//// spikes.glsl
// One step along an arm: adds four pictures at equal distances.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size
uniform vec2 stride;       // texels
uniform vec2 aside;        // texels
uniform vec4 weights;

vec4 shade(vec2 pixel)
{
    vec2 at = (pixel + aside) * source_texel, step = stride * source_texel;
    return weights.x * texture(source, at) + weights.y * texture(source, at - step) +
           weights.z * texture(source, at - 2.0 * step) + weights.w * texture(source, at - 3.0 * step);
}
