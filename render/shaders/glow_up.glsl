// A level and, twice as large and smoothed, all that is coarser. glow_smooth.glsl is put in front of this file.
uniform sampler2D own, coarser;
uniform vec2 coarser_texel; // 1 / size
uniform float own_share;

vec4 shade(vec2 pixel)
{
    vec4 spread = smoothed(coarser, 0.5 * pixel * coarser_texel, coarser_texel);
    return mix(spread, texelFetch(own, ivec2(pixel), 0), own_share);
}
