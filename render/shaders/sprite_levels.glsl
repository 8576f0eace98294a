// Adds a level of the pyramid to the sum of all coarser ones. Interpolated at twice its size, a
// level becomes a quadratic B-spline over all levels, so it is smooth. The four texels are weighted
// here because GPUs round the weights of their own filters, differently in each tile.
uniform sampler2D atlas;
uniform sampler2D coarser;
uniform ivec2 level_corner;  // position of the level in the atlas
uniform vec2 coarser_origin; // the level's start, in texels of the coarser one
uniform float coarser_share; // 0 for the coarsest level

vec4 between(vec2 at)
{
    vec2 low = floor(at - 0.5), part = at - 0.5 - low;
    ivec2 last = textureSize(coarser, 0) - 1;
    ivec2 a = clamp(ivec2(low), ivec2(0), last), b = clamp(ivec2(low) + 1, ivec2(0), last);
    vec4 below = mix(texelFetch(coarser, a, 0), texelFetch(coarser, ivec2(b.x, a.y), 0), part.x);
    vec4 above = mix(texelFetch(coarser, ivec2(a.x, b.y), 0), texelFetch(coarser, b, 0), part.x);
    return mix(below, above, part.y);
}

vec4 shade(vec2 pixel)
{
    vec4 own = texelFetch(atlas, ivec2(pixel) + level_corner, 0);
    return own + coarser_share * between(coarser_origin + pixel * 0.5);
}
