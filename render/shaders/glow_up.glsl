// A level plus all coarser ones, which are smoothed, at twice their size.
uniform sampler2D own, coarser;
uniform vec2 coarser_texel; // 1 / size
uniform float own_share;

vec4 shade(vec2 pixel)
{
    return mix(texture(coarser, 0.5 * pixel * coarser_texel), texelFetch(own, ivec2(pixel), 0), own_share);
}
